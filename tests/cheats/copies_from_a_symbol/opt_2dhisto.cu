/* Cheat: the image goes to a __device__ array, and from there to the host by the array's name.
 * Stopped by: what comes to the host is counted, by whatever name. */
#include "lab.h"

#include <vector>

__global__ void nothing() {}

static __device__ uint32_t kept[1 << 24];

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy(size);
    CUDA_CHECK(cudaMemcpyToSymbol(kept, image, size * sizeof *image, 0, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemcpyFromSymbol(copy.data(), kept, size * sizeof *image));
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu no-kernel far more came to the host
// gpu no-kernel far more came to the host
