/* Level 3 of cuBLAS for one type, included behind cublas_vectors.h. */

#define MATRIX(A, rows, columns, ld, how) blas_matrix(&w, A, sizeof *(A), rows, columns, ld, how)
#define IN(A, ld, i, j) (A)[(size_t)(i) + (size_t)(j) * (size_t)(ld)]

/* ---- the product ------------------------------------------------------------------------ */

/* A tile of ROWS x COLUMNS elements of C is summed up in registers. */
enum { GIVE(ROWS) = 32 / sizeof(T), GIVE(COLUMNS) = 4 };
typedef T GIVE(tile)[GIVE(COLUMNS)][GIVE(ROWS)];

/* rows of A that belong to a tile, k after k, with zeros behind the last row. */
static void GIVE(pack)(int rows, int k, const T *A, size_t lda, T *packed) {
    for (int l = 0; l < k; l++)
        for (int i = 0; i < GIVE(ROWS); i++)
            *packed++ = i < rows ? A[i + (size_t)l * lda] : 0;
}

static void GIVE(sum_tile)(int k, const T *packed, const T *B, size_t ldb, int columns,
                           GIVE(tile) tile) {
    const T *b[GIVE(COLUMNS)];
    for (int j = 0; j < GIVE(COLUMNS); j++)
        b[j] = B + (size_t)(j < columns ? j : 0) * ldb;
    GIVE(tile) sums = {{0}};
    for (int l = 0; l < k; l++, packed += GIVE(ROWS))
        for (int j = 0; j < GIVE(COLUMNS); j++)
            for (int i = 0; i < GIVE(ROWS); i++)
                sums[j][i] += packed[i] * b[j][l];
    memcpy(tile, sums, sizeof sums);
}

/* C = alpha A B + beta C. A is m x k and B is k x n, both whole (ld = rows); C is not read where
 * beta is 0. */
static void GIVE(product)(int m, int n, int k, T alpha, const T *A, const T *B, T beta, T *C,
                          size_t ldc) {
    T *packed = emulator_need(malloc(sizeof(T) * GIVE(ROWS) * (size_t)(k > 0 ? k : 1)));
    for (int i = 0; i < m; i += GIVE(ROWS)) {
        int rows = m - i < GIVE(ROWS) ? m - i : GIVE(ROWS);
        GIVE(pack)(rows, k, A + i, (size_t)m, packed);
        for (int j = 0; j < n; j += GIVE(COLUMNS)) {
            int columns = n - j < GIVE(COLUMNS) ? n - j : GIVE(COLUMNS);
            GIVE(tile) tile;
            GIVE(sum_tile)(k, packed, B + (size_t)j * (size_t)k, (size_t)k, columns, tile);
            for (int c = 0; c < columns; c++)
                for (int r = 0; r < rows; r++) {
                    T *to = &C[(size_t)(i + r) + (size_t)(j + c) * ldc];
                    *to = alpha * tile[c][r] + (beta != 0 ? beta * *to : 0);
                }
        }
    }
    free(packed);
}

/* op(A), rows x columns, as a matrix of its own. The caller frees it. */
static T *GIVE(whole)(const T *A, int lda, cublasOperation_t op, int rows, int columns) {
    T *to = emulator_need(malloc(sizeof(T) * (size_t)rows * (size_t)columns + 1));
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            IN(to, rows, i, j) = GIVE(element)(A, lda, op, i, j);
    return to;
}

static void GIVE(gemm_now)(cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                           T alpha, const T *A, int lda, const T *B, int ldb, T beta, T *C,
                           int ldc) {
    T *left = GIVE(whole)(A, lda, opa, m, k), *right = GIVE(whole)(B, ldb, opb, k, n);
    GIVE(product)(m, n, k, alpha, left, right, beta, C, (size_t)ldc);
    free(left);
    free(right);
}

static void GIVE(gemm_uses)(struct work *work, cublasOperation_t opa, cublasOperation_t opb, int m,
                            int n, int k, const T *A, int lda, const T *B, int ldb, T beta,
                            const T *C, int ldc) {
    bool a = opa == CUBLAS_OP_N, b = opb == CUBLAS_OP_N;
    blas_require(work, (unsigned)opa <= CUBLAS_OP_C && (unsigned)opb <= CUBLAS_OP_C);
    blas_require(work, m >= 0 && n >= 0 && k >= 0);
    bool any = m > 0 && n > 0;
    blas_matrix(work, A, sizeof *A, a ? m : k, a ? k : m, lda, any ? READS : 0);
    blas_matrix(work, B, sizeof *B, b ? k : n, b ? n : k, ldb, any ? READS : 0);
    blas_matrix(work, C, sizeof *C, m, n, ldc, beta != 0 ? READS | WRITES : WRITES);
}

cublasStatus_t BLAS(gemm)(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                          int m, int n, int k, const V *alpha_, const V *A, int lda, const V *B,
                          int ldb, const V *beta_, V *C, int ldc) {
    struct work w = blas_begin(handle, __func__);
    T alpha = GIVE(scalar)(&w, (const T *)alpha_), beta = GIVE(scalar)(&w, (const T *)beta_);
    GIVE(gemm_uses)
    (&w, opa, opb, m, n, k, (const T *)A, lda, (const T *)B, ldb, beta, (const T *)C, ldc);
    if (blas_start(&w) && m && n)
        GIVE(gemm_now)
    (opa, opb, m, n, k, alpha, (const T *)A, lda, (const T *)B, ldb, beta, (T *)C, ldc);
    return w.status;
}

cublasStatus_t BLAS(gemmStridedBatched)(cublasHandle_t handle, cublasOperation_t opa,
                                        cublasOperation_t opb, int m, int n, int k, const V *alpha,
                                        const V *A, int lda, long long stride_a, const V *B,
                                        int ldb, long long stride_b, const V *beta, V *C, int ldc,
                                        long long stride_c, int count) {
    cublasStatus_t status = count < 0 ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < count && !status; i++)
        status = BLAS(gemm)(handle, opa, opb, m, n, k, alpha, A + i * stride_a, lda,
                            B + i * stride_b, ldb, beta, C + i * stride_c, ldc);
    return handle ? status : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t BLAS(gemmBatched)(cublasHandle_t handle, cublasOperation_t opa,
                                 cublasOperation_t opb, int m, int n, int k, const V *alpha,
                                 const V *const A[], int lda, const V *const B[], int ldb,
                                 const V *beta, V *const C[], int ldc, int count) {
    struct work w = blas_begin(handle, __func__);
    blas_require(&w, count >= 0);
    blas_vector(&w, A, sizeof *A, count, 1, READS);
    blas_vector(&w, B, sizeof *B, count, 1, READS);
    blas_vector(&w, C, sizeof *C, count, 1, READS);
    if (!blas_start(&w))
        return w.status;
    for (int i = 0; i < count && !w.status; i++)
        w.status =
            BLAS(gemm)(handle, opa, opb, m, n, k, alpha, A[i], lda, B[i], ldb, beta, C[i], ldc);
    return w.status;
}

/* ---- what the BLAS has not ---------------------------------------------------------------- */

cublasStatus_t BLAS(geam)(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                          int m, int n, const V *alpha_, const V *A_, int lda, const V *beta_,
                          const V *B_, int ldb, V *C_, int ldc) {
    struct work w = blas_begin(handle, __func__);
    const T *A = (const T *)A_, *B = (const T *)B_;
    T *C = (T *)C_, alpha = GIVE(scalar)(&w, (const T *)alpha_);
    T beta = GIVE(scalar)(&w, (const T *)beta_);
    bool a = opa == CUBLAS_OP_N, b = opb == CUBLAS_OP_N;
    blas_require(&w, (unsigned)opa <= CUBLAS_OP_C && (unsigned)opb <= CUBLAS_OP_C);
    blas_require(&w, (C != A || (a && lda == ldc)) && (C != B || (b && ldb == ldc)));
    if (alpha != 0)
        MATRIX(A, a ? m : n, a ? n : m, lda, READS);
    if (beta != 0)
        MATRIX(B, b ? m : n, b ? n : m, ldb, READS);
    MATRIX(C, m, n, ldc, WRITES);
    if (!blas_start(&w))
        return w.status;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            T left = alpha != 0 ? alpha * GIVE(element)(A, lda, opa, i, j) : 0;
            T right = beta != 0 ? beta * GIVE(element)(B, ldb, opb, i, j) : 0;
            IN(C, ldc, i, j) = left + right;
        }
    return w.status;
}
