/* Cheat: a kernel copies the image to managed memory, which the host counts. Stopped by: a page of
 * it that the host looks at counts like a copy. */
#include "lab.h"

#include <vector>

__global__ void nothing() {}

static uint32_t *kept;

__global__ void keep(const uint32_t *image, size_t size, uint32_t *kept) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        kept[i] = image[i];
}

void opt_2dhisto_setup(size_t height, size_t width) {
    CUDA_CHECK(cudaMallocManaged(&kept, height * width * sizeof *kept));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    keep<<<4, 256>>>(image, size, kept);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (size_t i = 0; i < size; i++) {
        const uint32_t value = kept[i];
        counts[value] += counts[value] < HISTO_MAX;
    }
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(kept)); }

// cpu no-kernel far more came to the host
// gpu pass
//     (a hole: measured on an H100, where this way to the host is not counted yet)
