/* Must be rejected: one float takes all elements: 66 % off at 1e8, and by chance right where there
 * are few. */
#include "lab.h"

enum { THREADS = 256 };

__global__ void add_all(const float *data, size_t count, float *result) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        atomicAdd(result, data[i]); /* one float for all */
}

void opt_sum_setup(size_t count) { (void)count; /* no scratch memory is needed */ }

void opt_sum(const float *data, size_t count, float *result) {
    const unsigned blocks = count / THREADS + 1;
    CUDA_CHECK(cudaMemsetAsync(result, 0, sizeof *result));
    add_all<<<blocks, THREADS>>>(data, count, result);
    CUDA_CHECK(cudaGetLastError());
}

void opt_sum_teardown(void) {}
