/* Must be rejected: the result is added to and never cleared. */
#include "lab.h"

enum { THREADS = 256 };

__global__ void add_all(const float *data, size_t count, float *result) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        atomicAdd(result, data[i]);
}

void opt_sum_setup(size_t count) { (void)count; /* no scratch memory is needed */ }

void opt_sum(const float *data, size_t count, float *result) {
    const unsigned blocks = count / THREADS + 1;
    add_all<<<blocks, THREADS>>>(data, count, result);
    CUDA_CHECK(cudaGetLastError());
}

void opt_sum_teardown(void) {}
