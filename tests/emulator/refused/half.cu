// the emulator has no cuda_fp16.h of the CUDA Toolkit
#ifndef __NVCC__
#include <cuda_fp16.h>
#endif
