/* What a step may keep in a file beside it, with all that rewrite.c has to read. */
#pragma once
#include "../include/variables.cuh"
#include "check.h"

__global__ void triple(int *out) {
    extern __shared__ int scratch[];
    scratch[threadIdx.x] = counter++ + (int)threadIdx.x;
    *out = 3 * scratch[threadIdx.x] + factors[1];
}

inline void run(int *out) {
    triple<<<sizeof(int) / 4, 1, sizeof(int)>>>(out);
    CHECK(__LINE__ == 14);
}

#ifdef __CUDA_ARCH__
__device__ int on_device() { return __CUDA_ARCH__; }
#else
__device__ int on_device() { return __LINE__; }
#endif
