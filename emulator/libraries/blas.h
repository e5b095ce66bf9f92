/* What the files of cuBLAS share: how a function of it begins, and the product of matrices. */
#pragma once
#include <stdbool.h>

#include "../include/emulated.h"
#include "cublas_v2.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math;
};

/* A call: what memory it uses, and the first thing that was wrong with it. */
struct work {
    const char *function;
    cublasHandle_t handle;
    cublasStatus_t status;
    struct emulator_use uses[12];
    unsigned count;
    bool waits; /* the host waits for the result */
};

enum { READS = 1, WRITES = 2 };

struct work blas_begin(cublasHandle_t handle, const char *function);

/* An argument that does not hold is CUBLAS_STATUS_INVALID_VALUE. */
void blas_require(struct work *w, bool holds);

/* Elements of `size` bytes that the call uses. */
void blas_vector(struct work *w, const void *x, size_t size, int n, int inc, int how);
void blas_matrix(struct work *w, const void *a, size_t size, int rows, int columns, int ld,
                 int how);

/* Copy a scalar argument from where the pointer mode says it is. */
void blas_scalar(struct work *w, const void *from, void *to, size_t size);

/* A scalar result is going to be written to `to`. */
void blas_result(struct work *w, void *to, size_t size);

/* All is well, and the work begins. Otherwise w->status says why not. */
bool blas_start(struct work *w);

/* Where the first element lies of a vector whose stride may be negative. */
static inline ptrdiff_t blas_first(int n, int inc) {
    return inc < 0 ? (ptrdiff_t)(1 - n) * inc : 0;
}
