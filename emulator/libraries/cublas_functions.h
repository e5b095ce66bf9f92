/* cuBLAS for one type: cublas_s.c and cublas_d.c include it, and define T, and its letters. */
#include "blas.h"

#include <stdlib.h>
#include <string.h>

/* Names: cublasSgemm, cublasIsamax. */
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define BLAS(name) JOIN(JOIN(cublas, LETTER), name)
#define INDEX(name) JOIN(JOIN(cublasI, SMALL_LETTER), name)

static T scalar(struct work *w, const T *from) {
    T value = 0;
    blas_scalar(w, from, &value, sizeof value);
    return value;
}

#define VECTOR(x, n, inc, how) blas_vector(&w, x, sizeof *(x), n, inc, how)
#define MATRIX(A, rows, columns, ld, how) blas_matrix(&w, A, sizeof *(A), rows, columns, ld, how)
#define AT(x, n, inc, i) (x)[blas_first(n, inc) + (ptrdiff_t)(i) * (inc)]
#define IN(A, ld, i, j) (A)[(size_t)(i) + (size_t)(j) * (size_t)(ld)]

/* ---- level 1 ---------------------------------------------------------------------------- */

cublasStatus_t BLAS(axpy)(cublasHandle_t handle, int n, const T *alpha_, const T *x, int incx, T *y,
                          int incy) {
    struct work w = blas_begin(handle, __func__);
    T alpha = scalar(&w, alpha_);
    VECTOR(x, n, incx, READS);
    VECTOR(y, n, incy, READS | WRITES);
    if (blas_start(&w))
        for (int i = 0; i < n; i++)
            AT(y, n, incy, i) += alpha * AT(x, n, incx, i);
    return w.status;
}

cublasStatus_t BLAS(copy)(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy) {
    struct work w = blas_begin(handle, __func__);
    VECTOR(x, n, incx, READS);
    VECTOR(y, n, incy, WRITES);
    if (blas_start(&w))
        for (int i = 0; i < n; i++)
            AT(y, n, incy, i) = AT(x, n, incx, i);
    return w.status;
}

cublasStatus_t BLAS(scal)(cublasHandle_t handle, int n, const T *alpha_, T *x, int incx) {
    struct work w = blas_begin(handle, __func__);
    T alpha = scalar(&w, alpha_);
    if (incx <= 0)
        n = 0;
    VECTOR(x, n, incx, READS | WRITES);
    if (blas_start(&w))
        for (int i = 0; i < n; i++)
            AT(x, n, incx, i) *= alpha;
    return w.status;
}

/* Sums are double for float too, so that a long vector keeps its digits. */
cublasStatus_t BLAS(dot)(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,
                         T *result) {
    struct work w = blas_begin(handle, __func__);
    VECTOR(x, n, incx, READS);
    VECTOR(y, n, incy, READS);
    blas_result(&w, result, sizeof *result);
    if (blas_start(&w)) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += (double)AT(x, n, incx, i) * (double)AT(y, n, incy, i);
        *result = (T)sum;
    }
    return w.status;
}

/* What a function of one vector begins with: whether its result is to be computed. */
static bool reduces(struct work *w, int *n, const T *x, int incx, void *result, size_t size) {
    if (incx <= 0)
        *n = 0;
    blas_vector(w, x, sizeof *x, *n, incx, READS);
    blas_result(w, result, size);
    return blas_start(w);
}

cublasStatus_t BLAS(nrm2)(cublasHandle_t handle, int n, const T *x, int incx, T *result) {
    struct work w = blas_begin(handle, __func__);
    if (reduces(&w, &n, x, incx, result, sizeof *result)) {
        double largest = 0, sum = 0;
        for (int i = 0; i < n; i++)
            largest = fmax(largest, fabs((double)AT(x, n, incx, i)));
        for (int i = 0; largest > 0 && i < n; i++) {
            double part = (double)AT(x, n, incx, i) / largest;
            sum += part * part;
        }
        *result = (T)(largest * sqrt(sum));
    }
    return w.status;
}

cublasStatus_t BLAS(asum)(cublasHandle_t handle, int n, const T *x, int incx, T *result) {
    struct work w = blas_begin(handle, __func__);
    if (reduces(&w, &n, x, incx, result, sizeof *result)) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += fabs((double)AT(x, n, incx, i));
        *result = (T)sum;
    }
    return w.status;
}

/* The first of the largest elements, counted from 1; 0 of none. */
cublasStatus_t INDEX(amax)(cublasHandle_t handle, int n, const T *x, int incx, int *result) {
    struct work w = blas_begin(handle, __func__);
    if (reduces(&w, &n, x, incx, result, sizeof *result)) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (fabs((double)AT(x, n, incx, i)) > fabs((double)AT(x, n, incx, best)))
                best = i;
        *result = n > 0 ? best + 1 : 0;
    }
    return w.status;
}

/* ---- level 2 ---------------------------------------------------------------------------- */

/* The element (i, j) of op(A). */
static inline T element(const T *A, int lda, cublasOperation_t op, int i, int j) {
    return op == CUBLAS_OP_N ? IN(A, lda, i, j) : IN(A, lda, j, i);
}

cublasStatus_t BLAS(gemv)(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                          const T *alpha_, const T *A, int lda, const T *x, int incx,
                          const T *beta_, T *y, int incy) {
    struct work w = blas_begin(handle, __func__);
    T alpha = scalar(&w, alpha_), beta = scalar(&w, beta_);
    int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
    blas_require(&w, (unsigned)op <= CUBLAS_OP_C && incx && incy);
    MATRIX(A, m, n, lda, READS);
    if (m > 0 && n > 0) {
        VECTOR(x, columns, incx, READS);
        VECTOR(y, rows, incy, beta != 0 ? READS | WRITES : WRITES);
    }
    if (!blas_start(&w) || !m || !n)
        return w.status;
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < columns; j++)
            sum += (double)(element(A, lda, op, i, j) * AT(x, columns, incx, j));
        T old = beta != 0 ? beta * AT(y, rows, incy, i) : 0;
        AT(y, rows, incy, i) = (T)((double)alpha * sum + (double)old);
    }
    return w.status;
}

/* ---- level 3: the product --------------------------------------------------------------- */

/* C = alpha A B + beta C, column by column. A is m x k, B k x n, both whole (ld = rows); beta 0: C
 * is not read. */
static void product(int m, int n, int k, T alpha, const T *A, const T *B, T beta, T *C,
                    size_t ldc) {
    T *sums = emulator_need(malloc(sizeof(T) * (size_t)m));
    for (int j = 0; j < n; j++, C += ldc) {
        memset(sums, 0, sizeof(T) * (size_t)m);
        for (int l = 0; l < k; l++) {
            const T *column = A + (size_t)l * (size_t)m, factor = IN(B, k, l, j);
            for (int i = 0; i < m; i++)
                sums[i] += column[i] * factor;
        }
        for (int i = 0; i < m; i++)
            C[i] = alpha * sums[i] + (beta != 0 ? beta * C[i] : 0);
    }
    free(sums);
}

/* op(A), rows x columns, as a matrix of its own. The caller frees it. */
static T *whole(const T *A, int lda, cublasOperation_t op, int rows, int columns) {
    T *to = emulator_need(malloc(sizeof(T) * (size_t)rows * (size_t)columns + 1));
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            IN(to, rows, i, j) = element(A, lda, op, i, j);
    return to;
}

cublasStatus_t BLAS(gemm)(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                          int m, int n, int k, const T *alpha_, const T *A, int lda, const T *B,
                          int ldb, const T *beta_, T *C, int ldc) {
    struct work w = blas_begin(handle, __func__);
    T alpha = scalar(&w, alpha_), beta = scalar(&w, beta_);
    bool a = opa == CUBLAS_OP_N, b = opb == CUBLAS_OP_N, any = m > 0 && n > 0;
    blas_require(&w, (unsigned)opa <= CUBLAS_OP_C && (unsigned)opb <= CUBLAS_OP_C);
    blas_require(&w, m >= 0 && n >= 0 && k >= 0);
    MATRIX(A, a ? m : k, a ? k : m, lda, any ? READS : 0);
    MATRIX(B, b ? k : n, b ? n : k, ldb, any ? READS : 0);
    MATRIX(C, m, n, ldc, beta != 0 ? READS | WRITES : WRITES);
    if (!blas_start(&w) || !any)
        return w.status;
    T *left = whole(A, lda, opa, m, k), *right = whole(B, ldb, opb, k, n);
    product(m, n, k, alpha, left, right, beta, C, (size_t)ldc);
    free(left);
    free(right);
    return w.status;
}

cublasStatus_t BLAS(gemmStridedBatched)(cublasHandle_t handle, cublasOperation_t opa,
                                        cublasOperation_t opb, int m, int n, int k, const T *alpha,
                                        const T *A, int lda, long long stride_a, const T *B,
                                        int ldb, long long stride_b, const T *beta, T *C, int ldc,
                                        long long stride_c, int count) {
    cublasStatus_t status = count < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < count && !status; i++)
        status = BLAS(gemm)(handle, opa, opb, m, n, k, alpha, A + i * stride_a, lda,
                            B + i * stride_b, ldb, beta, C + i * stride_c, ldc);
    return handle ? status : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t BLAS(gemmBatched)(cublasHandle_t handle, cublasOperation_t opa,
                                 cublasOperation_t opb, int m, int n, int k, const T *alpha,
                                 const T *const A[], int lda, const T *const B[], int ldb,
                                 const T *beta, T *const C[], int ldc, int count) {
    struct work w = blas_begin(handle, __func__);
    blas_require(&w, count >= 0);
    VECTOR(A, count, 1, READS);
    VECTOR(B, count, 1, READS);
    VECTOR(C, count, 1, READS);
    if (!blas_start(&w))
        return w.status;
    for (int i = 0; i < count && !w.status; i++)
        w.status =
            BLAS(gemm)(handle, opa, opb, m, n, k, alpha, A[i], lda, B[i], ldb, beta, C[i], ldc);
    return w.status;
}
