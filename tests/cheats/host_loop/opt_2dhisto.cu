/* Cheat: a loop on the host, and no CUDA at all. Stopped by: the host has no access to the device's
 * memory, and a call in which no kernel is launched is not paid. */
#include "lab.h"

#include <string.h>

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    memset(bins, 0, HISTO_BINS);
    for (size_t i = 0; i < height * width; i++)
        bins[image[i]] += bins[image[i]] < HISTO_MAX;
}

void opt_2dhisto_teardown(void) {}

// cpu hazard host-touches-device on .*: opt_2dhisto.cu:1[0-9] (reads|writes).*; then: .*signal 11
// gpu crashed signal 11
