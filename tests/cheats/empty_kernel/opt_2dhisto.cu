/* Cheat: copies the image to the host, counts there, copies the bins back, and launches a kernel
 * that does nothing. Stopped by: a call that brings more to the host than partial results is no
 * work of a kernel's. */
#include "lab.h"

#include <vector>

__global__ void nothing() {}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    std::vector<uint32_t> copy(height * width);
    std::vector<uint8_t> counts(HISTO_BINS);
    CUDA_CHECK(
        cudaMemcpy(copy.data(), image, copy.size() * sizeof copy[0], cudaMemcpyDeviceToHost));
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu no-kernel far more came to the host
// gpu no-kernel far more came to the host
