/* cuBLAS on the emulator: handles, vectors and products of float and double. Matrices are
 * column-major. What is not declared here is not there. ../README.md says how exact it is. */
#ifndef CUBLAS_API_H_ /* the name of CUDA's own guard, which programs ask for */
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "../include/cuda_runtime_api.h"

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 130000
#define CUBLASWINAPI
#define CUBLASAPI

EMULATOR_BEGIN_C

/* name, CUDA's number, what cublasGetStatusString returns */
#define EMULATOR_CUBLAS_STATUSES(X)                                                                \
    X(CUBLAS_STATUS_SUCCESS, 0, "success")                                                         \
    X(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized")                         \
    X(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed")                             \
    X(CUBLAS_STATUS_INVALID_VALUE, 7, "an invalid value was used as an argument")                  \
    X(CUBLAS_STATUS_ARCH_MISMATCH, 8, "an absent device architectural feature is required")        \
    X(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to GPU memory space failed")                     \
    X(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the GPU program failed to execute")                     \
    X(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed")                            \
    X(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the functionality is not supported")                       \
    X(CUBLAS_STATUS_LICENSE_ERROR, 16, "there is an error with the license")

typedef enum {
#define EMULATOR_STATUS(name, number, text) name = number,
    EMULATOR_CUBLAS_STATUSES(EMULATOR_STATUS)
} cublasStatus_t;

typedef enum {
    CUBLAS_OP_N,
    CUBLAS_OP_T,
    CUBLAS_OP_C,
    CUBLAS_OP_HERMITAN = CUBLAS_OP_C
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
} cublasMath_t;

typedef struct cublasContext *cublasHandle_t;

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* Copies between host and device of elements with strides, and of matrices; a vector is a matrix of
 * one row. Each with what cublas.c copies. */
#define EMULATOR_COPIES(X, Name, kind)                                                             \
    X(cublas##Name##Vector,                                                                        \
      (int n, int element, const void *from, int from_inc, void *to, int to_inc),                  \
      copy(1, n, element, from, from_inc, to, to_inc, kind, NULL, true))                           \
    X(cublas##Name##VectorAsync,                                                                   \
      (int n, int element, const void *from, int from_inc, void *to, int to_inc,                   \
       cudaStream_t stream),                                                                       \
      copy(1, n, element, from, from_inc, to, to_inc, kind, stream, false))                        \
    X(cublas##Name##Matrix,                                                                        \
      (int rows, int columns, int element, const void *from, int from_ld, void *to, int to_ld),    \
      copy(rows, columns, element, from, from_ld, to, to_ld, kind, NULL, true))                    \
    X(cublas##Name##MatrixAsync,                                                                   \
      (int rows, int columns, int element, const void *from, int from_ld, void *to, int to_ld,     \
       cudaStream_t stream),                                                                       \
      copy(rows, columns, element, from, from_ld, to, to_ld, kind, stream, false))
#define EMULATOR_COPY(name, parameters, value) cublasStatus_t name parameters;
EMULATOR_COPIES(EMULATOR_COPY, Set, )
EMULATOR_COPIES(EMULATOR_COPY, Get, )

/* What each type T has: its letter, and its small letter. */
#define EMULATOR_HANDLE cublasHandle_t handle
#define EMULATOR_BLAS(S, s, T)                                                                     \
    cublasStatus_t cublas##S##axpy(EMULATOR_HANDLE, int n, const T *alpha, const T *x, int incx,   \
                                   T *y, int incy);                                                \
    cublasStatus_t cublas##S##copy(EMULATOR_HANDLE, int n, const T *x, int incx, T *y, int incy);  \
    cublasStatus_t cublas##S##scal(EMULATOR_HANDLE, int n, const T *alpha, T *x, int incx);        \
    cublasStatus_t cublas##S##nrm2(EMULATOR_HANDLE, int n, const T *x, int incx, T *result);       \
    cublasStatus_t cublas##S##asum(EMULATOR_HANDLE, int n, const T *x, int incx, T *result);       \
    cublasStatus_t cublas##S##dot(EMULATOR_HANDLE, int n, const T *x, int incx, const T *y,        \
                                  int incy, T *result);                                            \
    cublasStatus_t cublasI##s##amax(EMULATOR_HANDLE, int n, const T *x, int incx, int *result);    \
    cublasStatus_t cublas##S##gemv(EMULATOR_HANDLE, cublasOperation_t op, int m, int n,            \
                                   const T *alpha, const T *A, int lda, const T *x, int incx,      \
                                   const T *beta, T *y, int incy);                                 \
    cublasStatus_t cublas##S##gemm(EMULATOR_HANDLE, cublasOperation_t opa, cublasOperation_t opb,  \
                                   int m, int n, int k, const T *alpha, const T *A, int lda,       \
                                   const T *B, int ldb, const T *beta, T *C, int ldc);             \
    cublasStatus_t cublas##S##gemmBatched(                                                         \
        EMULATOR_HANDLE, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,        \
        const T *alpha, const T *const A[], int lda, const T *const B[], int ldb, const T *beta,   \
        T *const C[], int ldc, int count);                                                         \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        EMULATOR_HANDLE, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,        \
        const T *alpha, const T *A, int lda, long long stride_a, const T *B, int ldb,              \
        long long stride_b, const T *beta, T *C, int ldc, long long stride_c, int count);
EMULATOR_BLAS(S, s, float)
EMULATOR_BLAS(D, d, double)

EMULATOR_END_C

#endif
