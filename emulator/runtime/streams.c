/* Streams and events: all is complete before its call returns, which their rules always allow. */
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- streams ---------------------------------------------------------------------------- */

static cudaStream_t streams;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

cudaStream_t emulator_hold_streams(void) {
    pthread_mutex_lock(&mutex);
    return streams;
}

void emulator_let_streams_go(void) { pthread_mutex_unlock(&mutex); }

bool emulator_is_stream(cudaStream_t stream) {
    bool found = (uintptr_t)stream <= (uintptr_t)cudaStreamPerThread; /* CUDA's own */
    pthread_mutex_lock(&mutex);
    for (cudaStream_t s = streams; s && !found; s = s->next)
        found = s == stream;
    pthread_mutex_unlock(&mutex);
    return found;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
    HOST_ONLY();
    FAIL_IF(!stream || flags & ~(unsigned)cudaStreamNonBlocking, cudaErrorInvalidValue);
    *stream = emulator_need(calloc(1, sizeof **stream));
    (*stream)->flags = flags;
    (*stream)->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
    pthread_mutex_lock(&mutex);
    (*stream)->next = streams;
    streams = *stream;
    pthread_mutex_unlock(&mutex);
    TELL(watch_stream, *stream, !(flags & cudaStreamNonBlocking));
    return emulator_result(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    HOST_ONLY();
    FAIL_IF(!emulator_is_own_stream(stream), cudaErrorInvalidResourceHandle);
    pthread_mutex_lock(&mutex);
    cudaStream_t *link = &streams;
    while (*link && *link != stream)
        link = &(*link)->next;
    if (*link)
        *link = stream->next;
    pthread_mutex_unlock(&mutex);
    free(stream);
    return emulator_result(cudaSuccess);
}

/* Hints, all of them. */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value) {
    HOST_ONLY();
    FAIL_IF(!value || (attribute != cudaLaunchAttributeAccessPolicyWindow &&
                       attribute != cudaLaunchAttributeSynchronizationPolicy &&
                       attribute != cudaLaunchAttributePriority),
            cudaErrorInvalidValue);
    if (attribute == cudaLaunchAttributePriority && emulator_is_own_stream(stream))
        stream->priority = value->priority;
    return emulator_result(cudaSuccess);
}

/* ---- functions of the host, in the order of a stream ------------------------------------ */

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data,
                                  unsigned int flags) {
    HOST_ONLY();
    FAIL_IF(!function || flags, cudaErrorInvalidValue);
    FAIL_IF(emulator_is_capturing(stream), cudaErrorStreamCaptureUnsupported);
    TELL(watch_begin_host_function, stream);
    function(stream, emulator_broken, data);
    TELL(watch_end_host_function);
    return emulator_result(cudaSuccess);
}

/* ---- events ----------------------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    HOST_ONLY();
    FAIL_IF(!event || flags & ~7u, cudaErrorInvalidValue);
    if (flags & cudaEventInterprocess)
        return emulator_not_supported(__func__, "no event is shared with other processes");
    *event = emulator_need(calloc(1, sizeof **event));
    (*event)->timed = !(flags & cudaEventDisableTiming);
    return emulator_result(cudaSuccess);
}

/* An event of a captured stream never happens by itself. */
static cudaError_t check_event(cudaEvent_t event) {
    if (!event)
        return cudaErrorInvalidResourceHandle;
    return event->capture.graph ? cudaErrorCapturedEvent : cudaSuccess;
}

/* For all of them, where both are NULL. */
static cudaError_t wait_for(cudaStream_t stream, cudaEvent_t event) {
    TELL(watch_host_waits, stream, event);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    HOST_ONLY();
    FAIL_IF(!start || !end || !start->recorded || !end->recorded || !start->timed || !end->timed,
            cudaErrorInvalidResourceHandle);
    *milliseconds = (float)(end->when.tv_sec - start->when.tv_sec) * 1e3f +
                    (float)(end->when.tv_nsec - start->when.tv_nsec) * 1e-6f;
    return emulator_result(cudaSuccess);
}

#include "../include/calls/streams.def"
