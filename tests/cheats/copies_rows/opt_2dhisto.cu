/* Cheat: copies scratch, to which the image was copied, to the host as rows with a pitch, in three
 * dimensions. Stopped by: what comes to the host is counted, whatever function copies it. */
#include "lab.h"

#include <vector>

__global__ void nothing() {}

static cudaPitchedPtr scratch;

void opt_2dhisto_setup(size_t height, size_t width) {
    CUDA_CHECK(cudaMalloc3D(&scratch, make_cudaExtent(width * sizeof(uint32_t), height, 1)));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy(size);
    const size_t row = width * sizeof *image;
    CUDA_CHECK(cudaMemcpy2D(scratch.ptr, scratch.pitch, image, row, row, height,
                            cudaMemcpyDeviceToDevice));
    cudaMemcpy3DParms all = {};
    all.srcPtr = scratch;
    all.dstPtr = make_cudaPitchedPtr(copy.data(), row, row, height);
    all.extent = make_cudaExtent(row, height, 1);
    all.kind = cudaMemcpyDefault;
    CUDA_CHECK(cudaMemcpy3D(&all));
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(scratch.ptr)); }

// cpu no-kernel far more came to the host
// gpu no-kernel far more came to the host
