/* Cheat: a node of a graph copies the image to the host. Stopped by: what comes to the host is
 * counted when the graph runs. */
#include "lab.h"

#include <vector>

__global__ void nothing() {}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy(size);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t node;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, copy.data(), image,
                                        size * sizeof *image, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CUDA_CHECK(cudaGraphLaunch(executable, 0));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaGraphExecDestroy(executable));
    CUDA_CHECK(cudaGraphDestroy(graph));
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    nothing<<<1, 1>>>();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu no-kernel far more came to the host
// gpu pass
//     (a hole: measured on an H100, where this way to the host is not counted yet)
