/* Levels 1 and 2 of cuBLAS for one type. cublas_s.c, cublas_d.c, cublas_c.c and cublas_z.c include
 * it. They define LETTER, the type's letter; V and T, the type as callers see it and as C
 * calculates with it; R, its real type; WIDE, in which sums are made; CONJUGATE, ABSOLUTE, and
 * ABS1, the sum of the parts' absolute values; and three sets of letters. */
#include "blas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names: dot_S, cublasSgemm, cublasSnrm2 or cublasScnrm2, cublasIsamax. */
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define GIVE(name) JOIN(name##_, LETTER)
#define BLAS(name) JOIN(JOIN(cublas, LETTER), name)
#define NORM(name) JOIN(JOIN(cublas, NORM_LETTERS), name)
#define INDEX(name) JOIN(JOIN(cublasI, SMALL_LETTER), name)

static T GIVE(scalar)(struct work *w, const T *from) {
    T value = 0;
    blas_scalar(w, from, &value, sizeof value);
    return value;
}

#define VECTOR(x, n, inc, how) blas_vector(&w, x, sizeof *(x), n, inc, how)
#define AT(x, n, inc, i) (x)[blas_first(n, inc) + (ptrdiff_t)(i) * (inc)]

/* ---- level 1 ---------------------------------------------------------------------------- */

cublasStatus_t BLAS(axpy)(cublasHandle_t handle, int n, const V *alpha_, const V *x_, int incx,
                          V *y_, int incy) {
    struct work w = blas_begin(handle, __func__);
    const T *x = (const T *)x_;
    T *y = (T *)y_, alpha = GIVE(scalar)(&w, (const T *)alpha_);
    VECTOR(x, n, incx, READS);
    VECTOR(y, n, incy, READS | WRITES);
    if (blas_start(&w))
        for (int i = 0; i < n; i++)
            AT(y, n, incy, i) += alpha * AT(x, n, incx, i);
    return w.status;
}

cublasStatus_t BLAS(copy)(cublasHandle_t handle, int n, const V *x_, int incx, V *y_, int incy) {
    struct work w = blas_begin(handle, __func__);
    const T *x = (const T *)x_;
    T *y = (T *)y_;
    VECTOR(x, n, incx, READS);
    VECTOR(y, n, incy, WRITES);
    if (blas_start(&w))
        for (int i = 0; i < n; i++)
            AT(y, n, incy, i) = AT(x, n, incx, i);
    return w.status;
}

cublasStatus_t BLAS(swap)(cublasHandle_t handle, int n, V *x_, int incx, V *y_, int incy) {
    struct work w = blas_begin(handle, __func__);
    T *x = (T *)x_, *y = (T *)y_;
    VECTOR(x, n, incx, READS | WRITES);
    VECTOR(y, n, incy, READS | WRITES);
    if (blas_start(&w))
        for (int i = 0; i < n; i++) {
            T kept = AT(x, n, incx, i);
            AT(x, n, incx, i) = AT(y, n, incy, i);
            AT(y, n, incy, i) = kept;
        }
    return w.status;
}

cublasStatus_t BLAS(scal)(cublasHandle_t handle, int n, const V *alpha_, V *x_, int incx) {
    struct work w = blas_begin(handle, __func__);
    T *x = (T *)x_, alpha = GIVE(scalar)(&w, (const T *)alpha_);
    if (incx <= 0)
        n = 0;
    VECTOR(x, n, incx, READS | WRITES);
    if (blas_start(&w))
        for (int i = 0; i < n; i++)
            AT(x, n, incx, i) *= alpha;
    return w.status;
}

/* Sums are double for float too, so that a long vector keeps its digits. */
static cublasStatus_t GIVE(dot)(cublasHandle_t handle, const char *function, int n, const T *x,
                                int incx, const T *y, int incy, T *result, bool conjugate) {
    struct work w = blas_begin(handle, function);
    VECTOR(x, n, incx, READS);
    VECTOR(y, n, incy, READS);
    blas_result(&w, result, sizeof *result);
    if (blas_start(&w)) {
        WIDE sum = 0;
        for (int i = 0; i < n; i++) {
            T left = AT(x, n, incx, i);
            sum += (WIDE)(conjugate ? CONJUGATE(left) : left) * AT(y, n, incy, i);
        }
        *result = (T)sum;
    }
    return w.status;
}

#define DOT(name, conjugate)                                                                       \
    cublasStatus_t BLAS(name)(cublasHandle_t handle, int n, const V *x, int incx, const V *y,      \
                              int incy, V *result) {                                               \
        return GIVE(dot)(handle, __func__, n, (const T *)x, incx, (const T *)y, incy, (T *)result, \
                         conjugate);                                                               \
    }
#if IS_COMPLEX
DOT(dotu, false)
DOT(dotc, true)
#else
DOT(dot, false)
#endif

cublasStatus_t NORM(nrm2)(cublasHandle_t handle, int n, const V *x_, int incx, R *result) {
    struct work w = blas_begin(handle, __func__);
    const T *x = (const T *)x_;
    if (incx <= 0)
        n = 0;
    VECTOR(x, n, incx, READS);
    blas_result(&w, result, sizeof *result);
    if (blas_start(&w)) {
        double largest = 0, sum = 0;
        for (int i = 0; i < n; i++)
            largest = fmax(largest, (double)ABSOLUTE(AT(x, n, incx, i)));
        for (int i = 0; largest > 0 && i < n; i++) {
            double part = ABSOLUTE(AT(x, n, incx, i)) / largest;
            sum += part * part;
        }
        *result = (R)(largest * sqrt(sum));
    }
    return w.status;
}

cublasStatus_t NORM(asum)(cublasHandle_t handle, int n, const V *x_, int incx, R *result) {
    struct work w = blas_begin(handle, __func__);
    const T *x = (const T *)x_;
    if (incx <= 0)
        n = 0;
    VECTOR(x, n, incx, READS);
    blas_result(&w, result, sizeof *result);
    if (blas_start(&w)) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += ABS1(AT(x, n, incx, i));
        *result = (R)sum;
    }
    return w.status;
}

/* The first of the largest (sign 1) or smallest (-1) elements, counted from 1; 0 of none. */
static cublasStatus_t GIVE(extreme)(cublasHandle_t handle, const char *function, int n, const T *x,
                                    int incx, int *result, R sign) {
    struct work w = blas_begin(handle, function);
    if (incx <= 0)
        n = 0;
    VECTOR(x, n, incx, READS);
    blas_result(&w, result, sizeof *result);
    if (blas_start(&w)) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (sign * ABS1(AT(x, n, incx, i)) > sign * ABS1(AT(x, n, incx, best)))
                best = i;
        *result = n > 0 ? best + 1 : 0;
    }
    return w.status;
}

cublasStatus_t INDEX(amax)(cublasHandle_t handle, int n, const V *x, int incx, int *result) {
    return GIVE(extreme)(handle, __func__, n, (const T *)x, incx, result, 1);
}

cublasStatus_t INDEX(amin)(cublasHandle_t handle, int n, const V *x, int incx, int *result) {
    return GIVE(extreme)(handle, __func__, n, (const T *)x, incx, result, -1);
}

/* ---- level 2 ---------------------------------------------------------------------------- */

/* The element (i, j) of op(A). */
static inline T GIVE(element)(const T *A, int lda, cublasOperation_t op, int i, int j) {
    T value = op == CUBLAS_OP_N ? A[i + (size_t)j * (size_t)lda] : A[j + (size_t)i * (size_t)lda];
    return op == CUBLAS_OP_C ? CONJUGATE(value) : value;
}

cublasStatus_t BLAS(gemv)(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                          const V *alpha_, const V *A_, int lda, const V *x_, int incx,
                          const V *beta_, V *y_, int incy) {
    struct work w = blas_begin(handle, __func__);
    const T *A = (const T *)A_, *x = (const T *)x_;
    T *y = (T *)y_, alpha = GIVE(scalar)(&w, (const T *)alpha_);
    T beta = GIVE(scalar)(&w, (const T *)beta_);
    int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
    blas_require(&w, (unsigned)op <= CUBLAS_OP_C && incx && incy);
    blas_matrix(&w, A, sizeof *A, m, n, lda, READS);
    if (m > 0 && n > 0) {
        VECTOR(x, columns, incx, READS);
        VECTOR(y, rows, incy, beta != 0 ? READS | WRITES : WRITES);
    }
    if (!blas_start(&w) || !m || !n)
        return w.status;
    for (int i = 0; i < rows; i++) {
        WIDE sum = 0;
        for (int j = 0; j < columns; j++)
            sum += GIVE(element)(A, lda, op, i, j) * AT(x, columns, incx, j);
        T old = beta != 0 ? beta * AT(y, rows, incy, i) : 0;
        AT(y, rows, incy, i) = (T)(alpha * sum + old);
    }
    return w.status;
}

static cublasStatus_t GIVE(ger)(cublasHandle_t handle, const char *function, int m, int n,
                                const T *alpha_, const T *x, int incx, const T *y, int incy, T *A,
                                int lda, bool conjugate) {
    struct work w = blas_begin(handle, function);
    T alpha = GIVE(scalar)(&w, alpha_);
    blas_require(&w, incx && incy);
    blas_matrix(&w, A, sizeof *A, m, n, lda, READS | WRITES);
    VECTOR(x, m, incx, READS);
    VECTOR(y, n, incy, READS);
    if (!blas_start(&w))
        return w.status;
    for (int j = 0; j < n; j++) {
        T right = AT(y, n, incy, j);
        right = alpha * (conjugate ? CONJUGATE(right) : right);
        for (int i = 0; i < m; i++)
            A[i + (size_t)j * (size_t)lda] += AT(x, m, incx, i) * right;
    }
    return w.status;
}

#define GER(name, conjugate)                                                                       \
    cublasStatus_t BLAS(name)(cublasHandle_t handle, int m, int n, const V *alpha, const V *x,     \
                              int incx, const V *y, int incy, V *A, int lda) {                     \
        return GIVE(ger)(handle, __func__, m, n, (const T *)alpha, (const T *)x, incx,             \
                         (const T *)y, incy, (T *)A, lda, conjugate);                              \
    }
#if IS_COMPLEX
GER(geru, false)
GER(gerc, true)
#else
GER(ger, false)
#endif
