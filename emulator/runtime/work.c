/* The one place that decides whether work runs now or is recorded into a graph. */
#define _GNU_SOURCE /* clock_gettime */
#include "runtime.h"

#include <string.h>

static void run_graph(cudaGraph_t graph, cudaStream_t stream);

/* ---- what work does --------------------------------------------------------------------- */

int emulator_only_launch;

static cudaError_t run_kernel(const struct emulator_launch *work, cudaStream_t stream) {
    struct emulator_launch launch = *work;
    launch.stream = stream;
    emulator_lock();
    emulator_note_launch(launch.grid, launch.block);
    if (emulator_only_launch) {
        emulator_unlock();
        return cudaSuccess;
    }
    emulator_open_memory();
    EMULATOR_WATCH(watch_begin_launch, &launch);
    cudaError_t status = emulator_run(&launch);
    EMULATOR_WATCH(watch_end_launch);
    if (status)
        emulator_broken = status;
    emulator_close_memory();
    emulator_unlock();
    return status;
}

/* Row i of a side; NULL on one that is not there. */
static char *row_at(const struct side *side, size_t i) {
    return side->begin ? side->begin + i * side->pitch : NULL;
}

static void run_transfer(const struct transfer *t, cudaStream_t stream, bool waits) {
    emulator_lock();
    emulator_open_memory();
    if (t->from.begin)
        emulator_count_copy(t->to.begin, t->from.begin, t->width * t->height);
    for (size_t i = 0; i < t->height; i++) {
        char *to = row_at(&t->to, i);
        const char *from = row_at(&t->from, i);
        if (i == 0)
            EMULATOR_WATCH(watch_copy, to, from, t->width, stream, waits);
        else
            EMULATOR_WATCH(watch_row, to, from, t->width);
        EMULATOR_WATCH(counted_copy, from, t->width, stream);
        if (from)
            memmove(to, from, t->width);
        else
            memset(to, t->value, t->width);
    }
    emulator_close_memory();
    emulator_unlock();
}

static void record_event(cudaEvent_t event, cudaStream_t stream) {
    event->recorded = true;
    emulator_drop_capture(&event->capture);
    TELL(watch_event, event, stream);
    clock_gettime(CLOCK_MONOTONIC, &event->when);
}

/* ---- graphs --------------------------------------------------------------------------- */

/* What overlaps lies on streams of its own, of which only the analysis knows. Where there are more
 * branches than these, some are taken to be ordered. */
enum { BRANCHES = 8 };
static struct branch {
    struct CUstream_st stream;
    struct CUevent_st event;
} branches[BRANCHES];

static void order_after(cudaStream_t stream, cudaStream_t before, cudaEvent_t event) {
    TELL(watch_event, event, before);
    TELL(watch_wait, stream, event);
}

/* The branch that ends with one of the node's dependencies, or another one. */
static int branch_of(cudaGraphNode_t node, cudaGraphNode_t ends[BRANCHES], int *next) {
    for (size_t i = 0; i < node->dependencies.count; i++)
        for (int branch = 0; branch < BRANCHES; branch++)
            if (ends[branch] && ends[branch] == node->dependencies.nodes[i])
                return branch;
    return (*next)++ % BRANCHES;
}

static cudaError_t run(struct CUgraphNode_st *work, cudaStream_t stream) {
    switch (work->type) {
    case cudaGraphNodeTypeKernel:
        return run_kernel(&work->launch, stream);
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
        run_transfer(&work->transfer, stream, work->waits);
        break;
    case cudaGraphNodeTypeHost:
        TELL(watch_begin_host_function, stream);
        work->host.fn(work->host.data);
        TELL(watch_end_host_function);
        break;
    case cudaGraphNodeTypeGraph:
        run_graph(work->child, stream);
        break;
    case cudaGraphNodeTypeEventRecord:
        record_event(work->event, stream);
        break;
    case cudaGraphNodeTypeWaitEvent:
        TELL(watch_wait, stream, work->event);
        break;
    default:
        break;
    }
    return cudaSuccess;
}

static bool is_chain(cudaGraph_t graph) {
    for (cudaGraphNode_t node = graph->first, before = NULL; node; before = node, node = node->next)
        if (node->dependencies.count != (before != NULL) ||
            (before && node->dependencies.nodes[0] != before))
            return false;
    return true;
}

/* A graph in a node runs as a part of its branch, without branches of its own. */
static void run_branches(cudaGraph_t graph, cudaStream_t stream) {
    cudaGraphNode_t ends[BRANCHES] = {NULL};
    int next = 0;
    for (int i = 0; i < BRANCHES; i++) {
        TELL(watch_stream, &branches[i].stream, 0);
        order_after(&branches[i].stream, stream, &branches[i].event);
    }
    for (cudaGraphNode_t node = graph->first; node && !emulator_broken; node = node->next) {
        node->branch = branch_of(node, ends, &next);
        struct branch *branch = &branches[node->branch];
        for (size_t i = 0; i < node->dependencies.count; i++) {
            int other = node->dependencies.nodes[i]->branch;
            if (other != node->branch)
                order_after(&branch->stream, &branches[other].stream, &branches[other].event);
        }
        ends[node->branch] = node;
        run(node, &branch->stream);
    }
    for (int i = 0; i < BRANCHES; i++)
        order_after(stream, &branches[i].stream, &branches[i].event);
}

static void run_graph(cudaGraph_t graph, cudaStream_t stream) {
    static bool branching;
    if (branching || is_chain(graph)) {
        for (cudaGraphNode_t node = graph->first; node && !emulator_broken; node = node->next)
            run(node, stream);
        return;
    }
    branching = true;
    run_branches(graph, stream);
    branching = false;
}

/* ---- now, or recorded ------------------------------------------------------------------- */

static void copy_capture(struct capture *to, const struct capture *from) {
    to->graph = from->graph;
    to->origin = from->origin;
    emulator_list_clear(&to->tips);
    emulator_list_join(&to->tips, &from->tips);
}

/* A node that comes after what the stream has got so far; further work comes after it. */
static void record(cudaStream_t stream, const struct CUgraphNode_st *work) {
    struct capture *capture = &stream->capture;
    cudaGraphNode_t node = emulator_new_node(capture->graph, work);
    node->dependencies = capture->tips;
    capture->tips = (struct node_list){0};
    emulator_list_add(&capture->tips, node);
}

/* Another stream that waits for an event of a captured one is captured into the same graph. */
static bool capture_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *status) {
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
        copy_capture(&stream->capture, &event->capture);
    else
        emulator_list_join(&stream->capture.tips, &event->capture.tips);
    return true;
}

cudaError_t emulator_submit(cudaStream_t stream, struct CUgraphNode_st *work) {
    cudaError_t status;
    if (emulator_broken)
        return emulator_broken;
    if (work->type == cudaGraphNodeTypeWaitEvent && capture_wait(stream, work->event, &status))
        return status;
    if (!emulator_is_capturing(stream))
        return run(work, stream);
    if (work->type == cudaGraphNodeTypeEventRecord) /* later work may wait for what is there now */
        copy_capture(&work->event->capture, &stream->capture);
    else
        record(stream, work);
    return cudaSuccess;
}
