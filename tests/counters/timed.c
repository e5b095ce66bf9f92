/* How long each launch of a step takes: linked into a driver with --wrap, so that every launch of
 * <<<>>> comes here. It is repeated, timed, and told on stdout, one line a launch:
 *
 *   launch NUMBER COLD_NS WARM_NS
 *
 * NUMBER counts from 0; the step is to be called once. COLD_NS is the median of single launches,
 * each after other memory went through the L2; between two events, about 1 us more than the kernel.
 * WARM_NS is a launch's share of a row of them without a wait. The first launch of all is left out
 * of both. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab.h"

enum { COLD = 9, WARM = 50, ROWS = 3, FLUSHED = 256 << 20 };

cudaError_t __real_lab_watched___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                                  void **arguments, size_t shared_bytes,
                                                  cudaStream_t stream);
cudaError_t __wrap_lab_watched___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                                  void **arguments, size_t shared_bytes,
                                                  cudaStream_t stream);

static cudaEvent_t before, after;

static double elapsed_ns(void) {
    float milliseconds;
    CUDA_CHECK(cudaEventSynchronize(after));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, before, after));
    return 1e6 * milliseconds;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* Once for the step, and then again and again. */
cudaError_t __wrap_lab_watched___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                                  void **arguments, size_t shared_bytes,
                                                  cudaStream_t stream) {
    static int launches;
    static void *flushed;
    double cold[COLD], warm[ROWS];
    if (!flushed) {
        CUDA_CHECK(cudaMalloc(&flushed, FLUSHED));
        CUDA_CHECK(cudaEventCreate(&before));
        CUDA_CHECK(cudaEventCreate(&after));
    }
#define LAUNCH()                                                                                   \
    CUDA_CHECK(__real_lab_watched___cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, \
                                                     stream))
    LAUNCH();
    for (int i = 0; i < COLD; i++) {
        CUDA_CHECK(cudaMemsetAsync(flushed, i, FLUSHED, stream));
        CUDA_CHECK(cudaEventRecord(before, stream));
        LAUNCH();
        CUDA_CHECK(cudaEventRecord(after, stream));
        cold[i] = elapsed_ns();
    }
    for (int row = 0; row < ROWS; row++) {
        CUDA_CHECK(cudaEventRecord(before, stream));
        for (int i = 0; i < WARM; i++)
            LAUNCH();
        CUDA_CHECK(cudaEventRecord(after, stream));
        warm[row] = elapsed_ns() / WARM;
    }
    printf("launch %d %.0f %.0f\n", launches++, median(cold, COLD), median(warm, ROWS));
    return cudaSuccess;
}
