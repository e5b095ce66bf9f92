/* CUDA's arrays, and copies in three dimensions, on the runtime API's linear memory: row after row,
 * slice after slice. An array is opaque, so nobody can tell. */
#include "arrays.h"
#include "runtime.h"

#include <stdlib.h>

/* ---- elements ---------------------------------------------------------------------------- */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f) {
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

size_t emulator_element_bytes(const struct cudaChannelFormatDesc *d) {
    int bits[] = {d->x, d->y, d->z, d->w}, channels = 0;
    while (channels < 4 && bits[channels])
        channels++;
    for (int i = 1; i < 4; i++)
        if (bits[i] != (i < channels ? bits[0] : 0))
            return 0;
    bool known = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
    if (!known || channels == 3 || (unsigned)d->f > cudaChannelFormatKindFloat ||
        (d->f == cudaChannelFormatKindFloat && bits[0] == 8))
        return 0;
    return (size_t)(channels * bits[0] / 8);
}

/* ---- arrays ------------------------------------------------------------------------------ */

static size_t at_least_1(size_t n) { return n ? n : 1; }

size_t emulator_array_row(cudaArray_const_t array) {
    return array->extent.width * array->element_bytes;
}

size_t emulator_array_offset(cudaArray_const_t array, size_t y, size_t z) {
    return (z * at_least_1(array->extent.height) + y) * emulator_array_row(array);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags) {
    size_t bytes = desc ? emulator_element_bytes(desc) : 0;
    FAIL_IF(!array || !bytes || flags || !extent.width || (!extent.height && extent.depth),
            cudaErrorInvalidValue);
    struct cudaArray *made = emulator_need(calloc(1, sizeof *made));
    *made = (struct cudaArray){.desc = *desc, .extent = extent, .element_bytes = bytes};
    size_t rows = at_least_1(extent.height) * at_least_1(extent.depth);
    void *data;
    cudaError_t status = cudaMalloc(&data, rows * emulator_array_row(made));
    if (status) {
        free(made);
        return status;
    }
    made->data = data;
    *array = made;
    return status;
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    if (!array)
        return emulator_result(cudaSuccess);
    cudaError_t status = cudaFree(array->data);
    free(array);
    return status;
}

/* ---- copies ------------------------------------------------------------------------------ */

static struct transfer transfer_of(struct side to, struct side from, size_t bytes, size_t height,
                                   size_t depth) {
    if (height <= 1 && depth <= 1)
        to.pitch = from.pitch = bytes; /* then pitches do not count */
    return (struct transfer){
        .to = to, .from = from, .width = bytes, .height = height, .depth = depth};
}

/* The rows of an array from x bytes and y rows on, if a box of this size fits there. */
static bool array_side(cudaArray_const_t a, size_t x, size_t y, size_t z, size_t bytes,
                       size_t height, size_t depth, struct side *side) {
    size_t row = a ? emulator_array_row(a) : 0;
    if (!a || x > row || bytes > row - x || y > at_least_1(a->extent.height) ||
        height > at_least_1(a->extent.height) - y || z > at_least_1(a->extent.depth) ||
        depth > at_least_1(a->extent.depth) - z)
        return false;
    *side = (struct side){a->data + emulator_array_offset(a, y, z) + x, row,
                          at_least_1(a->extent.height)};
    return true;
}

/* The kind of a copy whose side `to` (else the other one) is an array: that one is the device's. */
static bool fits_array(enum cudaMemcpyKind kind, bool to) {
    return kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice ||
           kind == (to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

/* Between an array and rows of the host's or the device's memory. */
static cudaError_t copy_2d(cudaArray_const_t array, size_t x, size_t y, struct side rows,
                           bool to_array, size_t width, enum cudaMemcpyKind kind,
                           cudaStream_t stream, bool waits) {
    struct side inside;
    FAIL_IF(!array_side(array, x, y, 0, width, rows.rows, 1, &inside), cudaErrorInvalidValue);
    FAIL_IF(width > rows.pitch, cudaErrorInvalidPitchValue);
    FAIL_IF(!fits_array(kind, to_array), cudaErrorInvalidMemcpyDirection);
    return emulator_copy_rows(
        transfer_of(to_array ? inside : rows, to_array ? rows : inside, width, rows.rows, 1), kind,
        stream, waits);
}

static struct side rows_at(const void *begin, size_t pitch, size_t height) {
    return (struct side){(char *)(uintptr_t)begin, pitch, height};
}

/* ---- copies of so many bytes, row after row ---------------------------------------------- */

/* Bytes behind (x, y) of an array lie side by side in memory; NULL if so many do not fit. */
static char *run_of(cudaArray_const_t a, size_t x, size_t y, size_t size) {
    size_t row = a ? emulator_array_row(a) : 0, rows = a ? at_least_1(a->extent.height) : 0;
    if (!a || x > row || y >= rows || size > (rows - y) * row - x)
        return NULL;
    return a->data + y * row + x;
}

static cudaError_t copy_run(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    FAIL_IF(!to || !from, cudaErrorInvalidValue);
    return cudaMemcpy(to, from, size, kind);
}

/* ---- three dimensions -------------------------------------------------------------------- */

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent) {
    FAIL_IF(!pointer, cudaErrorInvalidValue);
    void *memory = NULL;
    size_t pitch = 0;
    cudaError_t status =
        cudaMallocPitch(&memory, &pitch, extent.width, extent.height * extent.depth);
    if (!status)
        *pointer = make_cudaPitchedPtr(memory, pitch, extent.width, extent.height);
    return status;
}

/* What one side of a copy in three dimensions says; false if it does not fit there. */
static bool side_of(cudaArray_t array, struct cudaPos pos, struct cudaPitchedPtr pointer,
                    size_t bytes, struct cudaExtent extent, struct side *side) {
    if (array)
        return array_side(array, pos.x * array->element_bytes, pos.y, pos.z, bytes, extent.height,
                          extent.depth, side);
    size_t rows = pointer.ysize ? pointer.ysize : extent.height;
    *side = (struct side){(char *)pointer.ptr + (pos.z * rows + pos.y) * pointer.pitch + pos.x,
                          pointer.pitch, rows};
    bool one_row = extent.height <= 1 && extent.depth <= 1;
    return pointer.ptr && (one_row || pos.x + bytes <= pointer.pitch);
}

cudaError_t emulator_transfer_of(const struct cudaMemcpy3DParms *p, struct transfer *transfer) {
    *transfer = (struct transfer){0};
    if (!p || (p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr))
        return cudaErrorInvalidValue;
    if (p->srcArray && p->dstArray && p->srcArray->element_bytes != p->dstArray->element_bytes)
        return cudaErrorInvalidValue;
    if ((p->dstArray && !fits_array(p->kind, true)) || (p->srcArray && !fits_array(p->kind, false)))
        return cudaErrorInvalidMemcpyDirection;
    cudaArray_const_t array = p->srcArray ? p->srcArray : p->dstArray;
    size_t bytes = p->extent.width * (array ? array->element_bytes : 1);
    if (!bytes || !p->extent.height || !p->extent.depth)
        return cudaSuccess;
    struct side to, from;
    if (!side_of(p->dstArray, p->dstPos, p->dstPtr, bytes, p->extent, &to) ||
        !side_of(p->srcArray, p->srcPos, p->srcPtr, bytes, p->extent, &from))
        return cudaErrorInvalidValue;
    *transfer = transfer_of(to, from, bytes, p->extent.height, p->extent.depth);
    return cudaSuccess;
}

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *p, cudaStream_t stream, bool waits) {
    struct transfer t;
    cudaError_t status = emulator_transfer_of(p, &t);
    return status ? status : emulator_copy_rows(t, p->kind, stream, waits);
}

#include "../include/calls/arrays.def"
