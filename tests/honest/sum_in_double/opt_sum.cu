/* Honest: adds in double precision, with atomics. */
#include "lab.h"

enum { THREADS = 256 };
static double *total;
static int blocks;

__global__ void add(const float *data, size_t count, double *total) {
    double sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += data[i];
    atomicAdd(total, sum);
}

__global__ void round_off(const double *total, float *result) { *result = (float)*total; }

void opt_sum_setup(size_t count) {
    (void)count;
    blocks = 4 * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&total, sizeof *total));
}

void opt_sum(const float *data, size_t count, float *result) {
    CUDA_CHECK(cudaMemsetAsync(total, 0, sizeof *total));
    add<<<blocks, THREADS>>>(data, count, total);
    round_off<<<1, 1>>>(total, result);
    CUDA_CHECK(cudaGetLastError());
}

void opt_sum_teardown(void) { CUDA_CHECK(cudaFree(total)); }

// cpu pass
// gpu pass
