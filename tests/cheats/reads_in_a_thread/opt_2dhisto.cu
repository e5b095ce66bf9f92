/* Cheat: another thread of the host compares the image with numbers of its own, by memcmp. Stopped
 * by: the host has no access to the device's memory, on any thread. */
#include "lab.h"

#include <cstring>
#include <thread>
#include <vector>

__global__ void nothing() {}

/* The pixel that these bytes are: memcmp reads them. */
static uint32_t find(const uint32_t *pixel) {
    uint32_t value = 0;
    while (value < HISTO_BINS && memcmp(&value, pixel, sizeof value))
        value++;
    return value;
}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::thread([&] {
        for (size_t i = 0; i < size; i++) {
            const uint32_t value = find(&image[i]);
            counts[value] += counts[value] < HISTO_MAX;
        }
    }).join();
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu hazard host-touches-device.*: opt_2dhisto.cu:[0-9]+ reads; then: .*signal 11
// gpu crashed signal 11
