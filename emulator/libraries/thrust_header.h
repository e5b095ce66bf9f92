/* rewrite.c has this included for each header of Thrust, which EMULATOR_HEADER names. CCCL's are
 * compiled as for a program without CUDA, whose "device" is the CPU. No include guard. */
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#pragma push_macro("CUDART_VERSION")
#undef __CUDACC__
#undef __CUDA_ARCH__
/* CUDA 13 has vector types (long4_16a) that the emulator has not. */
#undef CUDART_VERSION
#define CUDART_VERSION 12090
#ifndef CCCL_DISABLE_FP16_SUPPORT
extern "C" {
extern const char emulator_runs_thrust[] __attribute__((weak)); /* as emulator.h has it */
const char emulator_runs_thrust[] = "";
}
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#define THRUST_HOST_SYSTEM THRUST_HOST_SYSTEM_CPP
#endif
#include EMULATOR_HEADER
#include "thrust/system/cuda/execution_policy.h"
#undef EMULATOR_HEADER
#pragma pop_macro("CUDART_VERSION")
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
