/* Cheat: copies the image to the host with cudaMemcpyDefault, and counts there. Stopped by: what
 * comes to the host is counted, whatever the kind of the copy. */
#include "lab.h"

#include <vector>

__global__ void nothing() {}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy(size);
    CUDA_CHECK(cudaMemcpy(copy.data(), image, size * sizeof *image, cudaMemcpyDefault));
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu no-kernel far more came to the host
// gpu no-kernel far more came to the host
