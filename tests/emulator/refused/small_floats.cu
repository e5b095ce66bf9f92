// the emulator has no cuda_fp8.h of the CUDA Toolkit
#ifndef __NVCC__
#include <cuda_fp8.h>
#endif
