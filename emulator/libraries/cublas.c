/* cuBLAS: handles, errors, copies, and how every call begins. */
#include "blas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- how a call begins ------------------------------------------------------------------ */

struct work blas_begin(cublasHandle_t handle, const char *function) {
    struct work w = {.function = function, .handle = handle};
    if (emulator_in_kernel())
        emulator_refuse("a kernel calls %s, which is a function of the host", function);
    w.status = handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
    return w;
}

void blas_require(struct work *w, bool holds) {
    if (!w->status && !holds)
        w->status = CUBLAS_STATUS_INVALID_VALUE;
}

static void use(struct work *w, struct emulator_use use, int how) {
    if (w->status || !use.count)
        return;
    if (how & READS)
        w->uses[w->count++] = use;
    use.writes = 1;
    if (how & WRITES)
        w->uses[w->count++] = use;
}

void blas_vector(struct work *w, const void *x, size_t size, int n, int inc, int how) {
    ptrdiff_t pitch = (ptrdiff_t)size * (inc < 0 ? -(ptrdiff_t)inc : inc);
    use(w, (struct emulator_use){x, size, n > 0 ? (size_t)n : 0, pitch, 0}, how);
}

void blas_matrix(struct work *w, const void *a, size_t size, int rows, int columns, int ld,
                 int how) {
    blas_require(w, rows >= 0 && columns >= 0 && ld >= (rows > 1 ? rows : 1));
    if (rows > 0 && columns > 0)
        use(w,
            (struct emulator_use){a, size * (size_t)rows, (size_t)columns, (ptrdiff_t)size * ld, 0},
            how);
}

static void refuse_place(struct work *w, const char *what) {
    fprintf(stderr,
            "emulator: %s: %s lies in device memory, but the pointer mode is that of the host: see "
            "cublasSetPointerMode\n",
            w->function, what);
    w->status = CUBLAS_STATUS_INVALID_VALUE;
}

void blas_scalar(struct work *w, const void *from, void *to, size_t size) {
    blas_require(w, from != NULL);
    if (w->status)
        return;
    if (w->handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        use(w, (struct emulator_use){from, size, 1, (ptrdiff_t)size, 0}, READS);
        if (!emulator_is_reachable(from, size))
            return; /* blas_start says so */
    } else if (emulator_is_device_only(from)) {
        refuse_place(w, "a scalar");
        return;
    }
    memcpy(to, from, size);
}

void blas_result(struct work *w, void *to, size_t size) {
    blas_require(w, to != NULL);
    if (w->status)
        return;
    w->waits = w->handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    if (!w->waits)
        use(w, (struct emulator_use){to, size, 1, (ptrdiff_t)size, 0}, WRITES);
    else if (emulator_is_device_only(to))
        refuse_place(w, "the result");
}

bool blas_start(struct work *w) {
    if (w->status)
        return false;
    if (emulator_library_uses(w->function, w->handle->stream, w->uses, w->count, w->waits))
        w->status = CUBLAS_STATUS_EXECUTION_FAILED;
    return !w->status;
}

/* ---- handles ---------------------------------------------------------------------------- */

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = emulator_need(calloc(1, sizeof **handle));
    return CUBLAS_STATUS_SUCCESS;
}

/* It waits for the device, as CUDA's does. */
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cudaDeviceSynchronize();
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

#define PROPERTY(Name, type, field)                                                                \
    cublasStatus_t cublasSet##Name(cublasHandle_t handle, type value) {                            \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        handle->field = value;                                                                     \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasGet##Name(cublasHandle_t handle, type *value) {                           \
        if (!handle)                                                                               \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
        if (!value)                                                                                \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        *value = handle->field;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
PROPERTY(Stream, cudaStream_t, stream)
PROPERTY(PointerMode, cublasPointerMode_t, pointer_mode)
PROPERTY(MathMode, cublasMath_t, math)

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
#define STATUS(name, number, text) {name, #name, text},
    EMULATOR_CUBLAS_STATUSES(STATUS)};

#define OF_STATUS(Name, field, unknown)                                                            \
    const char *cublasGetStatus##Name(cublasStatus_t status) {                                     \
        for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)                            \
            if (statuses[i].status == status)                                                      \
                return statuses[i].field;                                                          \
        return unknown;                                                                            \
    }
OF_STATUS(Name, name, "CUBLAS_STATUS_<unknown>")
OF_STATUS(String, text, "unknown status")

/* ---- copies ----------------------------------------------------------------------------- */

static cublasStatus_t copy(int rows, int columns, int element, const void *from, int from_ld,
                           void *to, int to_ld, enum cudaMemcpyKind kind, cudaStream_t stream,
                           bool waits) {
    if (rows < 0 || columns < 0 || element <= 0 || from_ld <= 0 || to_ld <= 0 || rows > from_ld ||
        rows > to_ld)
        return CUBLAS_STATUS_INVALID_VALUE;
    size_t e = (size_t)element, width = e * (size_t)rows, height = (size_t)columns,
           to_pitch = e * (size_t)to_ld, from_pitch = e * (size_t)from_ld;
    cudaError_t status =
        waits ? cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind)
              : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
    return status ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

#define COPY(name, parameters, value)                                                              \
    cublasStatus_t name parameters { return value; }
EMULATOR_COPIES(COPY, Set, cudaMemcpyHostToDevice)
EMULATOR_COPIES(COPY, Get, cudaMemcpyDeviceToHost)
