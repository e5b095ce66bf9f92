// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* cublasGemmEx and its kin: products of matrices of other types. The matrices become float or
 * double, are multiplied, and the result is rounded once. */
#include "blas.h"

#include "../include/rounding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t size_of(cudaDataType type) {
    switch (type) {
    case CUDA_R_8I:
        return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
        return 4;
    case CUDA_R_64F:
        return 8;
    default:
        return 0;
    }
}

static float from_bfloat16(uint16_t bits) { /* the upper half of a float */
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

/* ---- elements of any type ----------------------------------------------------------------- */

static double get(cudaDataType type, const void *base, size_t i) {
    switch (type) {
    case CUDA_R_8I:
        return ((const int8_t *)base)[i];
    case CUDA_R_16F:
        return emulator_from_half(((const uint16_t *)base)[i]);
    case CUDA_R_16BF:
        return from_bfloat16(((const uint16_t *)base)[i]);
    case CUDA_R_32F:
        return ((const float *)base)[i];
    case CUDA_R_32I:
        return ((const int32_t *)base)[i];
    default:
        return ((const double *)base)[i];
    }
}

static void put(cudaDataType type, void *base, size_t i, double value) {
    switch (type) {
    case CUDA_R_16F:
        ((uint16_t *)base)[i] = emulator_to_half(value, EMULATOR_NEAREST);
        break;
    case CUDA_R_16BF:
        ((uint16_t *)base)[i] = emulator_to_bfloat(value, EMULATOR_NEAREST);
        break;
    case CUDA_R_32F:
        ((float *)base)[i] = (float)value;
        break;
    case CUDA_R_32I:
        ((int32_t *)base)[i] = (int32_t)(int64_t)value;
        break;
    default:
        ((double *)base)[i] = value;
    }
}

/* ---- products ----------------------------------------------------------------------------- */

/* One of the three matrices. */
struct matrix {
    char *base;
    cudaDataType type;
    int ld;
    long long stride; /* elements from one of a batch to the next */
};

struct product {
    cublasOperation_t opa, opb;
    int m, n, k;
    const void *alpha, *beta;
    struct matrix a, b, c;
    cublasComputeType_t compute;
};

/* The type of sums, and of alpha and beta; or -1. */
static int scale_type(cublasComputeType_t compute) {
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
        return CUDA_R_32I;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        return CUDA_R_32F;
    }
    return -1;
}

/* The combinations of cuBLAS's documentation for real numbers. */
static bool is_supported(const struct product *p) {
    cudaDataType a = p->a.type, c = p->c.type;
    if (a != p->b.type)
        return false;
    switch (scale_type(p->compute)) {
    case CUDA_R_16F:
        return a == CUDA_R_16F && c == CUDA_R_16F;
    case CUDA_R_32I:
        return a == CUDA_R_8I && c == CUDA_R_32I;
    case CUDA_R_64F:
        return a == CUDA_R_64F && c == CUDA_R_64F;
    case CUDA_R_32F:
        return (c == CUDA_R_32F &&
                (a == CUDA_R_32F || a == CUDA_R_16F || a == CUDA_R_16BF || a == CUDA_R_8I)) ||
               (c == a && (a == CUDA_R_16F || a == CUDA_R_16BF));
    }
    return false;
}

/* op(A) as numbers of its own. The caller frees it. */
static double *whole(const struct matrix *from, cublasOperation_t op, int rows, int columns) {
    double *to = malloc(sizeof *to * (size_t)rows * (size_t)columns + 1);
    if (!to)
        abort();
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            size_t at = op == CUBLAS_OP_N ? (size_t)i + (size_t)j * (size_t)from->ld
                                          : (size_t)j + (size_t)i * (size_t)from->ld;
            to[(size_t)i + (size_t)j * (size_t)rows] = get(from->type, from->base, at);
        }
    return to;
}

/* Sums of floats are made in double, where products of floats are exact, and rounded once. */
static void multiply(const struct product *p, double alpha, double beta) {
    double *A = whole(&p->a, p->opa, p->m, p->k), *B = whole(&p->b, p->opb, p->k, p->n);
    double *C = malloc(sizeof *C * (size_t)p->m * (size_t)p->n + 1);
    if (!C)
        abort();
    blas_product_D(p->m, p->n, p->k, 1, A, B, 0, C, (size_t)p->m);
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < p->m; i++) {
            size_t at = (size_t)i + (size_t)j * (size_t)p->c.ld;
            double old = beta != 0 ? beta * get(p->c.type, p->c.base, at) : 0;
            put(p->c.type, p->c.base, at, alpha * C[(size_t)i + (size_t)j * (size_t)p->m] + old);
        }
    free(A);
    free(B);
    free(C);
}

static cublasStatus_t one(cublasHandle_t handle, const char *function, const struct product *p) {
    struct work w = blas_begin(handle, function);
    int type = scale_type(p->compute);
    if (!w.status && !is_supported(p)) {
        fprintf(stderr,
                "emulator: %s: these types of matrices and sums (%d, %d, %d, %d) are none that the "
                "emulator knows\n",
                function, p->a.type, p->b.type, p->c.type, p->compute);
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (w.status)
        return w.status;
    bool a = p->opa == CUBLAS_OP_N, b = p->opb == CUBLAS_OP_N;
    uint64_t bits[2] = {0, 0};
    blas_scalar(&w, p->alpha, &bits[0], size_of((cudaDataType)type));
    blas_scalar(&w, p->beta, &bits[1], size_of((cudaDataType)type));
    double alpha = get((cudaDataType)type, &bits[0], 0);
    double beta = get((cudaDataType)type, &bits[1], 0);
    blas_require(&w, (unsigned)p->opa <= CUBLAS_OP_C && (unsigned)p->opb <= CUBLAS_OP_C);
    blas_require(&w, p->m >= 0 && p->n >= 0 && p->k >= 0);
    blas_matrix(&w, p->a.base, size_of(p->a.type), a ? p->m : p->k, a ? p->k : p->m, p->a.ld,
                READS);
    blas_matrix(&w, p->b.base, size_of(p->b.type), b ? p->k : p->n, b ? p->n : p->k, p->b.ld,
                READS);
    blas_matrix(&w, p->c.base, size_of(p->c.type), p->m, p->n, p->c.ld,
                beta != 0 ? READS | WRITES : WRITES);
    if (blas_start(&w))
        multiply(p, alpha, beta);
    return w.status;
}

static cublasStatus_t batch(cublasHandle_t handle, const char *function, struct product p,
                            int count) {
    cublasStatus_t status = count < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < count && !status; i++) {
        status = one(handle, function, &p);
        p.a.base += p.a.stride * (long long)size_of(p.a.type);
        p.b.base += p.b.stride * (long long)size_of(p.b.type);
        p.c.base += p.c.stride * (long long)size_of(p.c.type);
    }
    return status;
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
                                          cublasOperation_t opb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType type_a,
                                          int lda, long long stride_a, const void *B,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void *beta, void *C, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
    (void)algorithm;
    struct product p = {opa,
                        opb,
                        m,
                        n,
                        k,
                        alpha,
                        beta,
                        {(char *)(uintptr_t)A, type_a, lda, stride_a},
                        {(char *)(uintptr_t)B, type_b, ldb, stride_b},
                        {C, type_c, ldc, stride_c},
                        compute};
    return batch(handle, __func__, p, count);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                            int m, int n, int k, const void *alpha, const void *A,
                            cudaDataType type_a, int lda, const void *B, cudaDataType type_b,
                            int ldb, const void *beta, void *C, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
    (void)algorithm;
    struct product p = {opa,
                        opb,
                        m,
                        n,
                        k,
                        alpha,
                        beta,
                        {(char *)(uintptr_t)A, type_a, lda, 0},
                        {(char *)(uintptr_t)B, type_b, ldb, 0},
                        {C, type_c, ldc, 0},
                        compute};
    return batch(handle, __func__, p, 1);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                             int m, int n, int k, const float *alpha, const void *A,
                             cudaDataType type_a, int lda, const void *B, cudaDataType type_b,
                             int ldb, const float *beta, void *C, cudaDataType type_c, int ldc) {
    return cublasGemmEx(handle, opa, opb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C,
                        type_c, ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
