/* Cheat: copies the image to scratch memory and from there to the host, counts there, copies the
 * bins back, and launches a graph in which nothing is. Stopped by: such a graph is no launch on
 * the emulator; a GPU does not tell, and there the copies take far longer than any kernel. */
#include "lab.h"

#include <vector>

static uint32_t *scratch;
static cudaStream_t stream;
static cudaGraphExec_t nothing;

void opt_2dhisto_setup(size_t height, size_t width) {
    cudaGraph_t graph;
    CUDA_CHECK(cudaMalloc(&scratch, height * width * sizeof *scratch));
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&nothing, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t bytes = height * width * sizeof *image;
    std::vector<uint32_t> copy(height * width);
    std::vector<uint8_t> counts(HISTO_BINS);
    CUDA_CHECK(cudaMemcpy(scratch, image, bytes, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemcpy(copy.data(), scratch, bytes, cudaMemcpyDeviceToHost));
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    CUDA_CHECK(cudaGraphLaunch(nothing, 0));
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {
    CUDA_CHECK(cudaGraphExecDestroy(nothing));
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFree(scratch));
}

// cpu no-kernel no kernel was launched
// gpu pass|flagged|no-kernel
//     (right, and slower than any kernel: nothing is gained)
