/* Cheat: the image goes to a CUDA array, and from there to the host. Stopped by: what comes to the
 * host is counted, whatever it comes from. */
#include "lab.h"

#include <vector>

__global__ void nothing() {}

static cudaArray_t array;

void opt_2dhisto_setup(size_t height, size_t width) {
    const cudaChannelFormatDesc format =
        cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
    CUDA_CHECK(cudaMallocArray(&array, &format, width, height));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy(size);
    const size_t row = width * sizeof *image;
    CUDA_CHECK(cudaMemcpy2DToArray(array, 0, 0, image, row, row, height, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(
        cudaMemcpy2DFromArray(copy.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost));
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFreeArray(array)); }

// cpu no-kernel far more came to the host
// gpu pass
//     (a hole: measured on an H100, where this way to the host is not counted yet)
