/* Copies and sets. */
#include "runtime.h"

#include <string.h>

/* ---- what may be copied ----------------------------------------------------------------- */

/* One side of a copy: with cudaMemcpyDefault, what lies where is known. */
static bool fits(const void *pointer, size_t size, enum cudaMemcpyKind kind, bool on_device) {
    if (!pointer)
        return false;
    return emulator_is_plausible(pointer, size, on_device) ||
           (kind == cudaMemcpyDefault && emulator_is_plausible(pointer, size, true));
}

/* The bytes from the first to the last that a transfer touches on one side. */
static size_t reach(const struct transfer *t, const struct side *side) {
    return (t->height - 1) * side->pitch + t->width;
}

static cudaError_t check(const struct transfer *t, enum cudaMemcpyKind kind) {
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!t->width || !t->height)
        return cudaSuccess;
    if (t->width > t->to.pitch || (t->from.begin && t->width > t->from.pitch))
        return cudaErrorInvalidPitchValue;
    bool fit = t->sets ? emulator_is_plausible(t->to.begin, reach(t, &t->to), true)
                       : fits(t->to.begin, reach(t, &t->to), kind, to_device) &&
                             fits(t->from.begin, reach(t, &t->from), kind, from_device);
    return fit ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- transfers -------------------------------------------------------------------------- */

static struct transfer rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height) {
    return (struct transfer){.to = {to, to_pitch},
                             .from = {(char *)(uintptr_t)from, from_pitch},
                             .width = width,
                             .height = height};
}

struct transfer emulator_row(void *to, const void *from, size_t size) {
    return rows(to, size, from, size, size, 1);
}

/* Whether it has no gaps on this side: then it is one row. */
static bool is_whole(const struct transfer *t, const struct side *side) {
    return !side->begin || t->width == side->pitch;
}

cudaError_t emulator_copy_rows(struct transfer t, enum cudaMemcpyKind kind, cudaStream_t stream,
                               bool waits) {
    FAIL_IF(emulator_broken, emulator_broken);
    cudaError_t status = check(&t, kind);
    FAIL_IF(status, status);
    if (!t.width || !t.height) {
        EMULATOR_WATCH(watch_row, t.to.begin, NULL, 0);
        return emulator_result(cudaSuccess);
    }
    if (is_whole(&t, &t.to) && is_whole(&t, &t.from)) {
        t.width *= t.height;
        t.height = 1;
    }
    struct CUgraphNode_st work = {.type =
                                      t.sets ? cudaGraphNodeTypeMemset : cudaGraphNodeTypeMemcpy,
                                  .transfer = t,
                                  .waits = waits};
    return emulator_result(emulator_submit(stream, &work));
}

/* ---- sets ------------------------------------------------------------------------------- */

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    HOST_ONLY();
    struct transfer t = rows(pointer, pitch, NULL, 0, width, height);
    t.sets = true;
    t.value = value;
    return emulator_copy_rows(t, cudaMemcpyDefault, stream, false);
}

#include "../include/calls/copies.def"
