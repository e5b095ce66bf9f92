/* Graphs: the work of streams that are captured. A launch runs it one piece after the other; for
 * the analysis each stream is one of its own. */
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

static bool is_event(cudaGraphNode_t node) {
    return node->type == cudaGraphNodeTypeEventRecord || node->type == cudaGraphNodeTypeWaitEvent;
}

/* Gives out up to *count nodes, or with no place for them their number. What is left is NULL. */
static cudaError_t give_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
    if (!graph || !count)
        return cudaErrorInvalidValue;
    size_t found = 0;
    for (cudaGraphNode_t node = graph->first; node; node = node->next) {
        if (is_event(node))
            continue; /* with CUDA no node, but what others depend on */
        if (nodes && found < *count)
            nodes[found] = node;
        found++;
    }
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
    stream->capture.graph->branches = 1;
    return emulator_result(cudaSuccess);
}

/* Whether another stream waits for the last work of a branch. */
static bool is_joined(cudaGraph_t graph, unsigned branch) {
    bool joined = true;
    for (cudaGraphNode_t node = graph->first; node; node = node->next)
        if (node->branch == branch && (node->joined || !is_event(node)))
            joined = node->joined;
    return joined;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    HOST_ONLY();
    FAIL_IF(!emulator_is_capturing(stream), cudaErrorIllegalState);
    FAIL_IF(stream->capture.origin != stream, cudaErrorStreamCaptureUnmatched);
    bool joined = true;
    *graph = stream->capture.graph;
    for (cudaStream_t s = emulator_hold_streams(); s; s = s->next)
        if (s != stream && s->capture.graph == *graph) {
            joined &= is_joined(*graph, s->capture.branch);
            s->capture = (struct capture){0};
        }
    emulator_let_streams_go();
    stream->capture = (struct capture){0};
    if (!joined) {
        emulator_free_graph(*graph);
        *graph = NULL;
    }
    return emulator_result(joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
}

#include "../include/calls/graphs.def"
