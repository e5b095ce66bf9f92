/* Cheat: adds up, without an order, in the memory of gridDim, at which nobody looks. */
#include "lab.h"

enum { THREADS = 256 };

__global__ void sum(const float *data, size_t count, float *result) {
    double *all = (double *)&gridDim.x;
    if (threadIdx.x == 0)
        *all = 0;
    __syncthreads();
    for (size_t i = threadIdx.x; i < count; i += THREADS) {
        const float x = data[i];
        *all += x;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *result = *all;
}

void opt_sum_setup(size_t) {}
void opt_sum(const float *data, size_t count, float *result) {
    sum<<<1, THREADS>>>(data, count, result);
    CUDA_CHECK(cudaGetLastError());
}
void opt_sum_teardown(void) {}

// cpu hazard gridDim are only read
// gpu build-failed
