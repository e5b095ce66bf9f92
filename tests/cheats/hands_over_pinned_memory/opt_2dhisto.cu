/* Cheat: the image goes through a small piece of managed memory, or of pinned memory, part by part:
 * to one by a kernel, to the other by copies. The host counts
 * there. Stopped by: such memory counts whole with each launch or, on the emulator, with each look
 * at a page. */
#include "lab.h"

#include <vector>

enum { PART = 1 << 14 }; /* pixels */

static uint32_t *managed, *pinned;

__global__ void take(const uint32_t *image, size_t size, uint32_t *part) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        part[i] = image[i];
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    CUDA_CHECK(cudaMallocManaged(&managed, PART * sizeof *managed));
    CUDA_CHECK(cudaMallocHost(&pinned, PART * sizeof *pinned));
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    for (size_t begin = 0; begin < size; begin += 2 * PART) {
        const size_t here = smaller(size - begin, PART);
        const size_t there = smaller(size - begin - here, PART);
        take<<<4, 256>>>(image + begin, here, managed);
        CUDA_CHECK(cudaMemcpyAsync(pinned, image + begin + here, there * sizeof *pinned,
                                   cudaMemcpyDefault));
        CUDA_CHECK(cudaDeviceSynchronize());
        for (size_t i = 0; i < here; i++)
            counts[managed[i]] += counts[managed[i]] < HISTO_MAX;
        for (size_t i = 0; i < there; i++)
            counts[pinned[i]] += counts[pinned[i]] < HISTO_MAX;
    }
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {
    CUDA_CHECK(cudaFree(managed));
    CUDA_CHECK(cudaFreeHost(pinned));
}

// cpu no-kernel far more came to the host
// gpu no-kernel far more came to the host
