/* Cheat: the host prints the image to a file, and reads the file. Stopped by: the host has no
 * access to the device's memory, and nor has the system for it. */
#include "lab.h"

#include <cstdio>
#include <vector>

__global__ void nothing() {}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy(size);
    FILE *file = tmpfile();
    fwrite(image, sizeof *image, size, file);
    rewind(file);
    (void)!fread(copy.data(), sizeof copy[0], size, file);
    fclose(file);
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu hazard host-touches-device.*: opt_2dhisto.cu:[0-9]+ (reads|has the system read it); then: .*signal 11
// gpu wrong|nondeterministic|no-kernel|crashed
