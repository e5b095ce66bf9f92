/* Cheat: a slow step writes a counts file of its own to where the judge takes it from, to be
 * predicted as fast. It does so in each call, in the set-up and in the tear-down. Stopped by: the
 * emulator writes its own over it when the counted call ends, the judge has its copy before the
 * tear-down, and what writes to a descriptor is flagged. */
#include "lab.h"

#include <string.h>
#include <unistd.h>

enum { COUNTS = 7, THREADS = 128 };

static void forge(void) {
    static const char counts[] = "histolab-counts 1\n"
                                 "gpu h200 132\n"
                                 "call 47 1301 244588 1024\n"
                                 "op 0 kernel 1 1 1 1 32 1 1 0 0 0 1 forged\n"
                                 "memory 0 1 1\n"
                                 "hot 0 0 0\n"
                                 "sync 0 0 0 0\n"
                                 "trace 0 0 0\n"
                                 "e\n";
    pwrite(COUNTS, counts, sizeof counts, 0);
}

static uint32_t *scratch;

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    for (size_t i = threadIdx.x; i < size; i += blockDim.x)
        atomicAdd(&counts[image[i]], 1);
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    for (unsigned bin = threadIdx.x; bin < HISTO_BINS; bin += blockDim.x)
        bins[bin] = counts[bin] < HISTO_MAX ? counts[bin] : HISTO_MAX;
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    forge();
    CUDA_CHECK(cudaMalloc(&scratch, HISTO_BINS * sizeof *scratch));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    CUDA_CHECK(cudaMemsetAsync(scratch, 0, HISTO_BINS * sizeof *scratch));
    histogram<<<1, THREADS>>>(image, height * width, scratch);
    saturate<<<1, THREADS>>>(scratch, bins);
    CUDA_CHECK(cudaGetLastError());
    forge();
}

void opt_2dhisto_teardown(void) {
    CUDA_CHECK(cudaFree(scratch));
    forge();
}

// cpu flagged calls pwrite
// gpu flagged calls pwrite
