/* Cheat: a kernel copies the image to a __device__ array, of which the host asks the address and
 * reads it by a function of the C library. Stopped by: variables of the device have pages of their
 * own, to which the host has no access either. */
#include "lab.h"

#include <vector>
#include <wchar.h>

__global__ void nothing() {}

static __device__ uint32_t kept[1 << 24];

__global__ void keep(const uint32_t *image, size_t size) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        kept[i] = image[i];
}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy(size);
    void *here;
    CUDA_CHECK(cudaGetSymbolAddress(&here, kept));
    keep<<<4, 256>>>(image, size);
    CUDA_CHECK(cudaDeviceSynchronize());
    wmemcpy(reinterpret_cast<wchar_t *>(copy.data()), static_cast<const wchar_t *>(here), size);
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu hazard host-touches-device on kept: opt_2dhisto.cu:[0-9]+ reads; then: .*signal 11
// gpu crashed signal 11
