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
    event->capture = (struct capture){0};
    TELL(watch_event, event, stream);
    clock_gettime(CLOCK_MONOTONIC, &event->when);
}

/* ---- graphs --------------------------------------------------------------------------- */

/* What was captured on several streams lies on several when it runs, of which only the analysis
 * knows. Where there are more than these, some are taken for one. */
enum { BRANCHES = 8 };
static struct branch {
    struct CUstream_st stream;
    struct CUevent_st event;
} branches[BRANCHES];

static void order_after(cudaStream_t stream, cudaStream_t before, cudaEvent_t event) {
    TELL(watch_event, event, before);
    TELL(watch_wait, stream, event);
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

/* A graph in a node runs as a part of its branch, without branches of its own. */
static void run_graph(cudaGraph_t graph, cudaStream_t stream) {
    static bool branching;
    const bool branches_here = graph->branches > 1 && !branching;
    branching |= branches_here;
    for (int i = 0; branches_here && i < BRANCHES; i++) {
        TELL(watch_stream, &branches[i].stream, 0);
        order_after(&branches[i].stream, stream, &branches[i].event);
    }
    for (cudaGraphNode_t node = graph->first; node && !emulator_broken; node = node->next)
        run(node, branches_here ? &branches[node->branch % BRANCHES].stream : stream);
    for (int i = 0; branches_here && i < BRANCHES; i++)
        order_after(stream, &branches[i].stream, &branches[i].event);
    branching &= !branches_here;
}

/* ---- now, or recorded ------------------------------------------------------------------- */

/* Another stream that waits for an event of a captured one is captured into the same graph. */
static cudaError_t capture_wait(cudaStream_t stream, const struct capture *of) {
    if (!emulator_is_own_stream(stream))
        return cudaErrorStreamCaptureImplicit;
    if (stream->capture.graph && stream->capture.graph != of->graph)
        return cudaErrorStreamCaptureMerge;
    if (!stream->capture.graph)
        stream->capture = (struct capture){of->graph, of->origin, of->graph->branches++, NULL};
    of->record->joined = true;
    return cudaSuccess;
}

static cudaError_t record(cudaStream_t stream, const struct CUgraphNode_st *work) {
    cudaEvent_t event = work->event;
    if (work->type == cudaGraphNodeTypeWaitEvent && !event->capture.graph)
        return event->recorded ? cudaErrorStreamCaptureIsolation : cudaSuccess;
    cudaGraphNode_t node = emulator_new_node(stream->capture.graph, work);
    node->branch = stream->capture.branch;
    if (work->type == cudaGraphNodeTypeWaitEvent)
        node->event = &event->capture.record->moment;
    if (work->type == cudaGraphNodeTypeEventRecord) {
        node->event = &node->moment;
        event->capture = stream->capture;
        event->capture.record = node;
    }
    return cudaSuccess;
}

cudaError_t emulator_submit(cudaStream_t stream, struct CUgraphNode_st *work) {
    cudaError_t status = emulator_broken;
    if (!status && work->type == cudaGraphNodeTypeWaitEvent && work->event->capture.graph)
        status = capture_wait(stream, &work->event->capture);
    if (status)
        return status;
    return emulator_is_capturing(stream) ? record(stream, work) : run(work, stream);
}
