// CUDA 12 removed cudaDeviceSynchronize from kernels
#include <cuda_runtime.h>

__global__ void parent() {
    cudaDeviceSynchronize();
}
