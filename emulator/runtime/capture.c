/* Stream capture: the work of streams becomes the nodes of a graph. */
#include "runtime.h"

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    HOST_ONLY();
    FAIL_IF((unsigned)mode > cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue);
    FAIL_IF(!emulator_is_own_stream(stream), cudaErrorStreamCaptureUnsupported);
    FAIL_IF(stream->capture.graph, cudaErrorIllegalState);
    stream->capture = (struct capture){.graph = emulator_new_graph(), .origin = stream};
    return emulator_result(cudaSuccess);
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
    FAIL_IF(!emulator_is_capturing(stream), cudaErrorIllegalState);
    FAIL_IF(stream->capture.origin != stream, cudaErrorStreamCaptureUnmatched);
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
