/* Cheat: a kernel copies the image to memory of malloc, which is registered, and the host counts it
 * there. Stopped by: registered memory counts whole after each launch. */
#include "lab.h"

#include <cstdlib>
#include <vector>

__global__ void nothing() {}

static uint32_t *kept;

__global__ void keep(const uint32_t *image, size_t size, uint32_t *kept) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        kept[i] = image[i];
}

void opt_2dhisto_setup(size_t height, size_t width) {
    const size_t bytes = height * width * sizeof *kept;
    kept = static_cast<uint32_t *>(malloc(bytes));
    CUDA_CHECK(cudaHostRegister(kept, bytes, cudaHostRegisterMapped));
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

void opt_2dhisto_teardown(void) {
    CUDA_CHECK(cudaHostUnregister(kept));
    free(kept);
}

// cpu no-kernel far more came to the host
// gpu no-kernel far more came to the host
