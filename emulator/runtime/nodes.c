/* Graphs of work, which are captured. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

cudaGraph_t emulator_keep_graph(cudaGraph_t graph) {
    graph->users++;
    return graph;
}

cudaGraph_t emulator_new_graph(void) {
    return emulator_keep_graph(emulator_need(calloc(1, sizeof(struct CUgraph_st))));
}

void emulator_free_graph(cudaGraph_t graph) {
    if (--graph->users)
        return;
    for (cudaGraphNode_t node = graph->first, next; node; node = next) {
        next = node->next;
        free((void *)(uintptr_t)node->launch.arguments);
        if (node->child)
            emulator_free_graph(node->child);
        free(node);
    }
    free(graph);
}

cudaGraphNode_t emulator_new_node(cudaGraph_t graph, const struct CUgraphNode_st *work) {
    cudaGraphNode_t node = emulator_need(malloc(sizeof *node));
    *node = *work;
    if (work->child)
        emulator_keep_graph(work->child);
    if (work->launch.arguments) {
        void *arguments = emulator_need(malloc(work->launch.argument_bytes + 1));
        memcpy(arguments, work->launch.arguments, work->launch.argument_bytes);
        node->launch.arguments = arguments;
    }
    *(graph->first ? &graph->end->next : &graph->first) = node;
    graph->end = node;
    return node;
}

bool emulator_is_own_stream(cudaStream_t stream) {
    return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread;
}

bool emulator_is_capturing(cudaStream_t stream) {
    return emulator_is_own_stream(stream) && stream->capture.graph;
}
