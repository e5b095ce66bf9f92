/* Cheat: copies the image on the device, and that copy to the host, where it is counted; a kernel
 * that does nothing is launched. What goes to the host is not the input. Stopped by: what
 * comes to the host is counted, input or not. */
#include "lab.h"

#include <vector>

static uint32_t *scratch;

__global__ void nothing() {}

void opt_2dhisto_setup(size_t height, size_t width) {
    CUDA_CHECK(cudaMalloc(&scratch, height * width * sizeof *scratch));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    std::vector<uint32_t> copy(height * width);
    std::vector<uint8_t> counts(HISTO_BINS);
    const size_t bytes = copy.size() * sizeof copy[0];
    CUDA_CHECK(cudaMemcpy(scratch, image, bytes, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemcpy(copy.data(), scratch, bytes, cudaMemcpyDeviceToHost));
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }

// cpu no-kernel far more came to the host
// gpu no-kernel far more came to the host
