/* Cheat: a block leaves a part of the image in a thread's own memory and says where that lies; the
 * host reads it there, by a function of the C library. Stopped by: in the checked build stacks of
 * threads hold garbage when a block has ended. */
#include "lab.h"
#include <vector>
#include <wchar.h>

enum { PART = 8192 }; /* pixels */

__global__ void keep(const uint32_t *image, size_t size, const void **where) {
    volatile uint32_t part[PART];
    for (size_t i = threadIdx.x; i < size; i += blockDim.x)
        part[i] = image[i];
    *where = const_cast<uint32_t *>(part);
}

static const void **where;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    CUDA_CHECK(cudaMalloc(&where, sizeof *where));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> part(PART);
    for (size_t at = 0; at < size; at += PART) {
        const size_t pixels = size - at < PART ? size - at : PART;
        const void *here;
        keep<<<1, 1>>>(image + at, pixels, where);
        CUDA_CHECK(cudaMemcpy(&here, where, sizeof here, cudaMemcpyDeviceToHost));
        wmemcpy(reinterpret_cast<wchar_t *>(part.data()), static_cast<const wchar_t *>(here),
                pixels);
        for (size_t i = 0; i < pixels; i++) {
            const uint32_t value = part[i] & (HISTO_BINS - 1);
            counts[value] += counts[value] < HISTO_MAX;
        }
    }
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(where)); }

// cpu wrong|nondeterministic
// gpu crashed signal 11
