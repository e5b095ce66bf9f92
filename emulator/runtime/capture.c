// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Stream capture: the work of streams becomes the nodes of a graph. */
#include "runtime.h"

#include <stdlib.h>

void emulator_drop_capture(struct capture *capture) {
    emulator_list_clear(&capture->tips);
    *capture = (struct capture){0};
}

static bool copy_capture(struct capture *to, const struct capture *from) {
    to->graph = from->graph;
    to->origin = from->origin;
    emulator_list_clear(&to->tips);
    return emulator_list_join(&to->tips, &from->tips);
}

/* A node that comes after what the stream has got so far; further work comes after it. */
static cudaGraphNode_t next_node(cudaStream_t stream, enum cudaGraphNodeType type) {
    struct capture *capture = &stream->capture;
    cudaGraphNode_t node = emulator_new_node(capture->graph, type);
    if (!node)
        return NULL;
    node->dependencies = capture->tips;
    capture->tips = (struct node_list){0};
    return emulator_list_add(&capture->tips, node) ? node : NULL;
}

cudaError_t emulator_capture_transfer(cudaStream_t stream, const struct transfer *transfer) {
    cudaGraphNode_t node =
        next_node(stream, transfer->from ? cudaGraphNodeTypeMemcpy : cudaGraphNodeTypeMemset);
    if (!node)
        return cudaErrorMemoryAllocation;
    node->transfer = *transfer;
    return cudaSuccess;
}

cudaError_t emulator_capture_launch(cudaStream_t stream, const struct emulator_launch *launch) {
    cudaGraphNode_t node = next_node(stream, cudaGraphNodeTypeKernel);
    return node && emulator_set_launch(node, launch) ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t emulator_capture_host(cudaStream_t stream, cudaHostFn_t function, void *data) {
    cudaGraphNode_t node = next_node(stream, cudaGraphNodeTypeHost);
    if (!node)
        return cudaErrorMemoryAllocation;
    node->host = (struct cudaHostNodeParams){function, data};
    return cudaSuccess;
}

cudaError_t emulator_capture_graph(cudaStream_t stream, cudaGraph_t graph) {
    cudaGraphNode_t node = next_node(stream, cudaGraphNodeTypeGraph);
    return node && (node->child = emulator_copy_graph(graph)) ? cudaSuccess
                                                              : cudaErrorMemoryAllocation;
}

/* As the nodes that a program makes itself: graph_nodes.c. */
cudaError_t emulator_capture_allocation(cudaStream_t stream, void **pointer, size_t size) {
    cudaError_t status = emulator_allocate(pointer, size, OF_GRAPH, 0);
    cudaGraphNode_t node = status ? NULL : next_node(stream, cudaGraphNodeTypeMemAlloc);
    if (node)
        node->transfer.to = *pointer;
    return status ? status : node ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t emulator_capture_free(cudaStream_t stream, void *pointer) {
    cudaGraphNode_t node = next_node(stream, cudaGraphNodeTypeMemFree);
    if (node)
        node->transfer.to = pointer;
    return node ? cudaSuccess : cudaErrorMemoryAllocation;
}

bool emulator_capture_event(cudaEvent_t event, cudaStream_t stream) {
    if (!emulator_is_capturing(stream))
        return false;
    copy_capture(&event->capture, &stream->capture);
    return true;
}

/* Another stream that waits for an event of a captured one is captured into the same graph. */
bool emulator_capture_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *status) {
    bool capturing = emulator_is_capturing(stream);
    *status = cudaSuccess;
    if (!event->capture.graph) {
        if (capturing && event->recorded)
            *status = cudaErrorStreamCaptureIsolation;
        return capturing;
    }
    if (!emulator_is_own_stream(stream))
        *status = cudaErrorStreamCaptureImplicit;
    else if (capturing && stream->capture.graph != event->capture.graph)
        *status = cudaErrorStreamCaptureMerge;
    else if (!capturing)
        *status = copy_capture(&stream->capture, &event->capture) ? cudaSuccess
                                                                  : cudaErrorMemoryAllocation;
    else if (!emulator_list_join(&stream->capture.tips, &event->capture.tips))
        *status = cudaErrorMemoryAllocation;
    return true;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    HOST_ONLY();
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
        return emulator_result(cudaErrorInvalidValue);
    if (!emulator_is_own_stream(stream))
        return emulator_result(cudaErrorStreamCaptureUnsupported);
    if (stream->capture.graph)
        return emulator_result(cudaErrorIllegalState);
    stream->capture = (struct capture){.graph = emulator_new_graph(), .origin = stream};
    return emulator_result(stream->capture.graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

struct end {
    cudaStream_t origin;
    bool unjoined;
};

/* A node of another stream's branch that nothing of the first stream's depends on. */
static bool reaches(cudaGraphNode_t from, cudaGraphNode_t node) {
    for (size_t i = 0; i < from->dependencies.count; i++)
        if (from->dependencies.nodes[i] == node || reaches(from->dependencies.nodes[i], node))
            return true;
    return from == node;
}

static void end_branch(cudaStream_t stream, void *data) {
    struct end *end = data;
    const struct node_list *tips = &end->origin->capture.tips;
    if (stream == end->origin || stream->capture.graph != end->origin->capture.graph)
        return;
    for (size_t i = 0; i < stream->capture.tips.count; i++) {
        bool joined = false;
        for (size_t j = 0; j < tips->count; j++)
            joined |= reaches(tips->nodes[j], stream->capture.tips.nodes[i]);
        end->unjoined |= !joined;
    }
    emulator_drop_capture(&stream->capture);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    HOST_ONLY();
    if (!emulator_is_capturing(stream))
        return emulator_result(cudaErrorIllegalState);
    if (stream->capture.origin != stream)
        return emulator_result(cudaErrorStreamCaptureUnmatched);
    struct end end = {.origin = stream};
    emulator_each_stream(end_branch, &end);
    *graph = stream->capture.graph;
    emulator_drop_capture(&stream->capture);
    if (end.unjoined) {
        emulator_free_graph(*graph);
        *graph = NULL;
    }
    return emulator_result(end.unjoined ? cudaErrorStreamCaptureUnjoined : cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    HOST_ONLY();
    *status =
        emulator_is_capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    HOST_ONLY();
    static __thread enum cudaStreamCaptureMode now;
    enum cudaStreamCaptureMode before = now;
    now = *mode;
    *mode = before;
    return emulator_result(cudaSuccess);
}
