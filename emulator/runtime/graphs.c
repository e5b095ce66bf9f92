/* Graphs: nodes with what they depend on. A launch runs them one after the other; for the analysis,
 * those that do not depend on each other overlap. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

struct CUgraphExec_st {
    cudaGraph_t graph; /* a copy */
};

/* ---- graphs as a whole ------------------------------------------------------------------ */

/* Whether following dependencies never comes back: then every node becomes ready. */
static bool is_acyclic(cudaGraph_t graph) {
    cudaGraphNode_t node;
    for (node = graph->first; node; node = node->next)
        node->done = false;
    while ((node = emulator_next_ready(graph)))
        node->done = true;
    for (node = graph->first; node && node->done; node = node->next)
        ;
    return !node;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags) {
    HOST_ONLY();
    FAIL_IF(!executable || !graph, cudaErrorInvalidValue);
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return emulator_not_supported(__func__, "no kernel launches a graph here");
    FAIL_IF(!is_acyclic(graph), cudaErrorInvalidValue);
    *executable = emulator_need(calloc(1, sizeof **executable));
    (*executable)->graph = emulator_copy_graph(graph);
    return emulator_result(cudaSuccess);
}

/* ---- what a graph is made of ------------------------------------------------------------ */

/* Gives out up to *count nodes, or with no place for them their number. What is left is NULL. */
static cudaError_t give_nodes(cudaGraph_t graph, bool roots, cudaGraphNode_t *nodes,
                              size_t *count) {
    if (!graph || !count)
        return cudaErrorInvalidValue;
    size_t found = 0;
    for (cudaGraphNode_t node = graph->first; node; node = node->next) {
        if (roots && node->dependencies.count)
            continue;
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

static bool is_in(cudaGraph_t graph, cudaGraphNode_t node) { return node && node->graph == graph; }

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count) {
    HOST_ONLY();
    for (size_t i = 0; i < count; i++) {
        FAIL_IF(!is_in(graph, from[i]) || !is_in(graph, to[i]) || from[i] == to[i] ||
                    emulator_list_has(&to[i]->dependencies, from[i]),
                cudaErrorInvalidValue);
        if (edges && edges[i].type)
            return emulator_not_supported(__func__, "edges of programmatic launches");
        emulator_list_add(&to[i]->dependencies, from[i]);
    }
    return emulator_result(cudaSuccess);
}

/* ---- executables that change ------------------------------------------------------------ */

cudaGraphNode_t emulator_node_of(cudaGraphExec_t executable, cudaGraphNode_t node) {
    return executable ? emulator_copy_in(executable->graph, node) : NULL;
}

/* Nodes are compared in the order in which they were made, as are their dependencies. */
static enum cudaGraphExecUpdateResult compare(cudaGraph_t now, cudaGraph_t then,
                                              cudaGraphNode_t *where) {
    cudaGraphNode_t a = now->first, b = then->first;
    for (; a && b; a = a->next, b = b->next) {
        *where = b;
        if (a->type != b->type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (a->dependencies.count != b->dependencies.count)
            return cudaGraphExecUpdateErrorTopologyChanged;
        a->twin = b;
        for (size_t i = 0; i < a->dependencies.count; i++)
            if (a->dependencies.nodes[i]->twin != b->dependencies.nodes[i])
                return cudaGraphExecUpdateErrorTopologyChanged;
        if (a->type == cudaGraphNodeTypeGraph && !a->child != !b->child)
            return cudaGraphExecUpdateErrorParametersChanged;
    }
    *where = b;
    return a || b ? cudaGraphExecUpdateErrorTopologyChanged : cudaGraphExecUpdateSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
    HOST_ONLY();
    FAIL_IF(!executable || !graph || !info, cudaErrorInvalidValue);
    /* A copy is compared, so that what does not fit leaves the executable as it was. */
    cudaGraph_t copy = emulator_copy_graph(executable->graph);
    *info = (cudaGraphExecUpdateResultInfo){0};
    info->result = compare(copy, graph, &info->errorNode);
    bool done = info->result == cudaGraphExecUpdateSuccess;
    for (cudaGraphNode_t node = copy->first; node; node = node->next) {
        node->original = node->original->original;
        if (done)
            emulator_copy_work(node, node->twin);
    }
    emulator_free_graph(done ? executable->graph : copy);
    if (done)
        executable->graph = copy;
    return emulator_result(done ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
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
