#ifndef VARIABLES_CUH
#define VARIABLES_CUH
__device__ int counter = 5;
__constant__ int factors[2] = {1, 2};
inline int on_host() {
#ifdef __CUDA_ARCH__
    return 0;
#else
    return __LINE__;
#endif
}
#endif
