/* Cheat: a kernel copies the image to pinned memory, and a function of the host in the stream
 * counts it there. Stopped by: what could bring data to the host uncounted, by its declaration in
 * CUDA's headers, cannot be called. */
#include "lab.h"

#include <vector>

__global__ void nothing() {}

static uint32_t *kept;
static size_t kept_size;

__global__ void keep(const uint32_t *image, size_t size, uint32_t *kept) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        kept[i] = image[i];
}

static void count(void *counts) {
    uint8_t *bins = static_cast<uint8_t *>(counts);
    for (size_t i = 0; i < kept_size; i++)
        bins[kept[i]] += bins[kept[i]] < HISTO_MAX;
}

void opt_2dhisto_setup(size_t height, size_t width) {
    kept_size = height * width;
    CUDA_CHECK(cudaMallocHost(&kept, kept_size * sizeof *kept));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    keep<<<4, 256>>>(image, size, kept);
    CUDA_CHECK(cudaLaunchHostFunc(0, count, counts.data()));
    CUDA_CHECK(cudaDeviceSynchronize());
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFreeHost(kept)); }

// cpu build-failed opt_2dhisto.cu:[0-9]+: error: a step cannot call cudaLaunchHostFunc:
// gpu build-failed opt_2dhisto.cu:[0-9]+: error: a step cannot call cudaLaunchHostFunc:
