/* Copies and sets. */
#include "host_access.h"
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
static size_t reach(const struct transfer *t, size_t pitch, size_t layer) {
    return (t->depth - 1) * layer + (t->height - 1) * pitch + t->width;
}

cudaError_t emulator_check_transfer(const struct transfer *t, enum cudaMemcpyKind kind) {
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!t->width || !t->height || !t->depth)
        return cudaSuccess;
    if (t->width > t->to_pitch || (t->from && t->width > t->from_pitch))
        return cudaErrorInvalidPitchValue;
    const size_t to_size = reach(t, t->to_pitch, t->to_layer);
    const size_t from_size = reach(t, t->from_pitch, t->from_layer);
    bool fit =
        t->value_bytes /* a set */
            ? emulator_is_plausible(t->to, to_size, true)
            : fits(t->to, to_size, kind, to_device) && fits(t->from, from_size, kind, from_device);
    return fit ? cudaSuccess : cudaErrorInvalidValue;
}

/* ---- transfers -------------------------------------------------------------------------- */

static struct transfer rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height) {
    return (struct transfer){.to = to,
                             .to_pitch = to_pitch,
                             .from = from,
                             .from_pitch = from_pitch,
                             .width = width,
                             .height = height,
                             .depth = 1};
}

struct transfer emulator_row(void *to, const void *from, size_t size) {
    return rows(to, size, from, size, size, 1);
}

cudaError_t emulator_copy_rows(struct transfer t, enum cudaMemcpyKind kind, cudaStream_t stream,
                               bool waits) {
    FAIL_IF(emulator_broken, emulator_broken);
    cudaError_t status = emulator_check_transfer(&t, kind);
    FAIL_IF(status, status);
    if (!t.width || !t.height || !t.depth) {
        EMULATOR_WATCH(watch_row, t.to, NULL, 0);
        return emulator_result(cudaSuccess);
    }
    /* What has no gaps is one row. */
    bool rows_join = t.width == t.to_pitch && (!t.from || t.width == t.from_pitch);
    bool layers_join = t.depth == 1 || (t.to_layer == t.to_pitch * t.height &&
                                        (!t.from || t.from_layer == t.from_pitch * t.height));
    if (rows_join && layers_join) {
        t.width *= t.height * t.depth;
        t.height = t.depth = 1;
    }
    struct CUgraphNode_st work = {.type =
                                      t.from ? cudaGraphNodeTypeMemcpy : cudaGraphNodeTypeMemset,
                                  .transfer = t,
                                  .waits = waits};
    return emulator_result(emulator_submit(stream, &work));
}

/* ---- sets ------------------------------------------------------------------------------- */

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
    HOST_OR_DEVICE();
    struct transfer t = {.to = pointer.ptr,
                         .to_pitch = pointer.pitch,
                         .to_layer = pointer.pitch * pointer.ysize,
                         .width = extent.width,
                         .height = extent.height,
                         .depth = extent.depth,
                         .value = (unsigned char)value,
                         .value_bytes = 1};
    return emulator_copy_rows(t, cudaMemcpyDefault, stream, false);
}

#include "../include/calls/copies.def"
