#include "children.h"
#include "hooks.h"
#include "scheduler.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* CUDA's own limit to nested launches. */
enum { MOST_DEPTH = 24 };

struct child {
    struct child *next;
    struct emulator_origin origin;
    struct emulator_launch launch; /* its arguments follow the child */
    void *to;                      /* a copy or a set, if it is none of a kernel */
    const void *from;
    int value;
    size_t size;
    char arguments[] __attribute__((aligned(16)));
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void emulator_family_begin(struct emulator_family *family, const struct emulator_launch *launch) {
    *family = (struct emulator_family){.depth = launch->depth};
    family->end = &family->first;
    family->tail_end = &family->tail_first;
}

/* A child of the grid that runs, started by this thread; NULL: it lies too deep. */
static struct child *add(cudaStream_t stream, size_t argument_bytes) {
    const struct emulator_launch *parent = emulator_running_launch();
    struct emulator_family *family = parent->family;
    if (family->depth >= MOST_DEPTH)
        return NULL;
    struct child *child = emulator_need(calloc(1, sizeof *child + argument_bytes));
    child->origin.stream = stream;
    child->origin.block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    child->origin.thread = emulator_thread;
    EMULATOR_WATCH(watch_child, &child->origin);
    child->launch.stream = parent->stream;
    child->launch.depth = family->depth + 1;
    return child;
}

static void enqueue(struct child *child) {
    struct emulator_family *family = emulator_running_launch()->family;
    struct child ***end =
        child->origin.stream == cudaStreamTailLaunch ? &family->tail_end : &family->end;
    pthread_mutex_lock(&mutex);
    **end = child;
    *end = &child->next;
    pthread_mutex_unlock(&mutex);
}

cudaError_t emulator_start_child(const struct emulator_launch *launch) {
    struct child *child = add(launch->stream, launch->argument_bytes);
    if (!child)
        return cudaErrorLaunchMaxDepthExceeded;
    struct emulator_launch *l = &child->launch, inherited = child->launch;
    *l = *launch;
    l->stream = inherited.stream;
    l->depth = inherited.depth;
    l->origin = &child->origin;
    memcpy(child->arguments, launch->arguments, launch->argument_bytes);
    l->arguments = child->arguments;
    enqueue(child);
    return cudaSuccess;
}

cudaError_t emulator_start_copy(void *to, const void *from, int value, size_t size,
                                cudaStream_t stream) {
    struct child *child = add(stream, 0);
    if (!child)
        return cudaErrorLaunchMaxDepthExceeded;
    child->to = to;
    child->from = from;
    child->value = value;
    child->size = size;
    enqueue(child);
    return cudaSuccess;
}

static void copy(const struct child *c) {
    EMULATOR_WATCH(watch_child_copy, c->to, c->from, c->size, c->launch.stream, &c->origin);
    if (c->from)
        memmove(c->to, c->from, c->size);
    else
        memset(c->to, c->value, c->size);
}

static cudaError_t run_list(struct child *first, cudaError_t status,
                            cudaError_t (*run)(const struct emulator_launch *launch)) {
    for (struct child *c = first, *next; c; c = next) {
        next = c->next;
        if (!status && c->to)
            copy(c);
        else if (!status)
            status = run(&c->launch);
        free(c);
    }
    return status;
}

cudaError_t emulator_family_end(struct emulator_family *family, cudaError_t status,
                                cudaError_t (*run)(const struct emulator_launch *launch)) {
    status = run_list(family->first, status, run);
    return run_list(family->tail_first, status, run);
}
