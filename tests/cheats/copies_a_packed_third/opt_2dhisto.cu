/* Cheat: a kernel packs three pixels, of ten bits each, into a word; a third of the image's bytes
 * goes to the host, which counts. Stopped by: the limit is what partial results take, and no share
 * of the input. */
#include "lab.h"

#include <vector>

__global__ void nothing() {}

static uint32_t *packed;

__global__ void pack(const uint32_t *image, size_t size, uint32_t *packed) {
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t i = first; 3 * i < size; i += gridDim.x * blockDim.x) {
        uint32_t word = 0;
        for (size_t j = 0; j < 3 && 3 * i + j < size; j++)
            word |= image[3 * i + j] << 10 * j;
        packed[i] = word;
    }
}

void opt_2dhisto_setup(size_t height, size_t width) {
    CUDA_CHECK(cudaMalloc(&packed, (height * width + 2) / 3 * sizeof *packed));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy((size + 2) / 3);
    pack<<<4, 256>>>(image, size, packed);
    CUDA_CHECK(
        cudaMemcpy(copy.data(), packed, copy.size() * sizeof copy[0], cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < size; i++) {
        const uint32_t value = copy[i / 3] >> 10 * (i % 3) & (HISTO_BINS - 1);
        counts[value] += counts[value] < HISTO_MAX;
    }
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(packed)); }

// cpu no-kernel far more came to the host
// gpu no-kernel far more came to the host
