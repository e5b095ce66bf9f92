/* Cheat: guesses the mean of the elements from their distribution, or from a part of them, and
 * multiplies. Stopped by: the tolerance is far below the differences between the sums of such
 * arrays. */
#include "lab.h"

enum { THREADS = 1024, READ = 1 << 20 };

/* The mean of the first elements, for all of them. */
__global__ void guess(const float *data, size_t count, float *result) {
    __shared__ double partial[THREADS];
    const size_t read = count < READ ? count : READ;
    double sum = 0;
    for (size_t i = threadIdx.x; i < read; i += THREADS)
        sum += data[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half; half /= 2) {
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *result = read ? (float)(partial[0] / read * count) : 0;
}

void opt_sum_setup(size_t count) { (void)count; }

void opt_sum(const float *data, size_t count, float *result) {
    guess<<<1, THREADS>>>(data, count, result);
    CUDA_CHECK(cudaGetLastError());
}

void opt_sum_teardown(void) {}

// cpu wrong
// gpu wrong
