/* Cheat: the set-up captures a copy to the host, and puts it into a graph twice. The calls launch
 * that for each part of the image, which a kernel moves to where the copy takes it from. Stopped
 * by: each launch of a graph counts what is in it, and in graphs in it. */
#include "lab.h"

#include <vector>

enum { PARTS = 64 };

static uint32_t *part;
static std::vector<uint32_t> copy;
static cudaGraph_t graph, inner;
static cudaGraphExec_t executable;

__global__ void take(const uint32_t *image, size_t size, uint32_t *part) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        part[i] = image[i];
}

void opt_2dhisto_setup(size_t height, size_t width) {
    cudaStream_t stream;
    cudaGraphNode_t node;
    copy.resize((height * width + PARTS - 1) / PARTS);
    const size_t bytes = copy.size() * sizeof *part;
    CUDA_CHECK(cudaMalloc(&part, bytes));
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CUDA_CHECK(cudaMemcpyAsync(copy.data(), part, bytes, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamEndCapture(stream, &inner));
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    CUDA_CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, inner));
    CUDA_CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, inner));
    CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    std::vector<uint8_t> counts(HISTO_BINS);
    size_t left = height * width;
    while (left) {
        const size_t size = left < copy.size() ? left : copy.size();
        left -= size;
        take<<<16, 256>>>(image + left, size, part);
        CUDA_CHECK(cudaGraphLaunch(executable, 0));
        CUDA_CHECK(cudaDeviceSynchronize());
        for (size_t i = 0; i < size; i++)
            counts[copy[i]] += counts[copy[i]] < HISTO_MAX;
    }
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {
    CUDA_CHECK(cudaGraphExecDestroy(executable));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaGraphDestroy(inner));
    CUDA_CHECK(cudaFree(part));
}

// cpu no-kernel far more came to the host
// gpu no-kernel far more came to the host
