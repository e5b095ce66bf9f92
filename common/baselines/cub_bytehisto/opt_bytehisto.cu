/* The library's histogram of bytes: cub::DeviceHistogram. */
#include <cub/device/device_histogram.cuh>

#include "lab.h"

enum { LEVELS = BYTE_BINS + 1 };

static void *scratch; /* NULL: the library only says how much it needs */
static size_t scratch_bytes;

static cudaError_t histogram(const uint8_t *buffer, size_t size, uint32_t *histo) {
    return cub::DeviceHistogram::HistogramEven(scratch, scratch_bytes, buffer, histo, LEVELS, 0,
                                               (int)BYTE_BINS, (long long)size);
}

void opt_bytehisto_setup(size_t size) {
    scratch = nullptr;
    CUDA_CHECK(histogram(NULL, size, NULL));
    CUDA_CHECK(cudaMalloc(&scratch, scratch_bytes ? scratch_bytes : 1));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    CUDA_CHECK(histogram(buffer, size, histo));
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
