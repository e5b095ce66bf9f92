/* Cheat: a function of the C library that nobody watches reads the image on the host. Stopped by:
 * the host has no access to the device's memory. */
#include "lab.h"

#include <vector>
#include <wchar.h>

__global__ void nothing() {}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy(size);
    wmemcpy(reinterpret_cast<wchar_t *>(copy.data()), reinterpret_cast<const wchar_t *>(image),
            size);
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu hazard host-touches-device on the input: opt_2dhisto.cu:[0-9]+ reads; then: .*signal 11
// gpu crashed signal 11
