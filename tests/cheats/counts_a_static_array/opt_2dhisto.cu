/* Cheat: a kernel copies the image to a static array of a function of the host, which counts it
 * there. Stopped by: only a static array of a device function is the device's. */
#include "lab.h"
#include <vector>

__global__ void keep(const uint32_t *image, size_t size, uint32_t *kept) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        kept[i] = image[i];
}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static uint32_t kept[1 << 24];
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    keep<<<4, 256>>>(image, size, kept);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (size_t i = 0; i < size; i++)
        counts[kept[i]] += counts[kept[i]] < HISTO_MAX;
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu hazard device-touches-host
// gpu crashed
