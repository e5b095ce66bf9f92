/* Graphs, which are captured: the work of streams, and what depends on what. A launch runs it one
 * piece after the other; for the analysis, those that do not depend on each other overlap. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

struct CUgraphExec_st {
    cudaGraph_t graph;
};

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags) {
    HOST_ONLY();
    FAIL_IF(!executable || !graph, cudaErrorInvalidValue);
    (void)flags; /* hints */
    *executable = emulator_need(calloc(1, sizeof **executable));
    (*executable)->graph = emulator_keep_graph(graph);
    return emulator_result(cudaSuccess);
}

/* Gives out up to *count nodes, or with no place for them their number. What is left is NULL. */
static cudaError_t give_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    if (!graph || !count)
        return cudaErrorInvalidValue;
    size_t found = 0;
    for (cudaGraphNode_t node = graph->first; node; node = node->next, found++)
        if (nodes && found < *count)
            nodes[found] = node;
    for (size_t i = found; nodes && i < *count; i++)
        nodes[i] = NULL;
    if (!nodes || *count > found)
        *count = found;
    return cudaSuccess;
}

/* ---- capture: the work of streams becomes the nodes of a graph ---------------------------- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    HOST_ONLY();
    FAIL_IF((unsigned)mode > cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    FAIL_IF(!emulator_is_own_stream(stream), cudaErrorStreamCaptureUnsupported);
    FAIL_IF(stream->capture.graph, cudaErrorIllegalState);
    stream->capture = (struct capture){.graph = emulator_new_graph(), .origin = stream};
    return emulator_result(cudaSuccess);
}

/* A node of another stream's branch that nothing of the first stream's depends on. */
static bool reaches(cudaGraphNode_t from, cudaGraphNode_t node) {
    for (size_t i = 0; i < from->dependencies.count; i++)
        if (from->dependencies.nodes[i] == node || reaches(from->dependencies.nodes[i], node))
            return true;
    return from == node;
}

/* Whether all that the stream was captured into is a part of what the origin has got. */
static bool is_joined(cudaStream_t stream, cudaStream_t origin) {
    const struct node_list *tips = &origin->capture.tips;
    for (size_t i = 0; i < stream->capture.tips.count; i++) {
        bool joined = false;
        for (size_t j = 0; j < tips->count; j++)
            joined |= reaches(tips->nodes[j], stream->capture.tips.nodes[i]);
        if (!joined)
            return false;
    }
    return true;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    HOST_ONLY();
    FAIL_IF(!emulator_is_capturing(stream), cudaErrorIllegalState);
    FAIL_IF(stream->capture.origin != stream, cudaErrorStreamCaptureUnmatched);
    bool joined = true;
    *graph = stream->capture.graph;
    for (cudaStream_t s = emulator_hold_streams(); s; s = s->next)
        if (s != stream && s->capture.graph == *graph) {
            joined &= is_joined(s, stream);
            emulator_drop_capture(&s->capture);
        }
    emulator_let_streams_go();
    emulator_drop_capture(&stream->capture);
    if (!joined) {
        emulator_free_graph(*graph);
        *graph = NULL;
    }
    return emulator_result(joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
}

#include "../include/calls/graphs.def"
