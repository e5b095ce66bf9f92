/* Cheat: the image is copied to the host, which counts, and the bins are copied back. Stopped by: a
 * call in which no kernel is launched is not paid. */
#include "lab.h"

#include <string.h>
#include <vector>

static std::vector<uint32_t> pixels;

void opt_2dhisto_setup(size_t height, size_t width) { pixels.resize(height * width); }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    uint8_t counts[HISTO_BINS] = {};
    (void)height, (void)width;
    CUDA_CHECK(
        cudaMemcpy(pixels.data(), image, pixels.size() * sizeof *image, cudaMemcpyDeviceToHost));
    for (uint32_t pixel : pixels)
        counts[pixel] += counts[pixel] < HISTO_MAX;
    CUDA_CHECK(cudaMemcpy(bins, counts, sizeof counts, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu no-kernel
// gpu no-kernel
