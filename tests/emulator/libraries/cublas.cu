/* cuBLAS: each function against plain loops, pointer modes, errors, a product of 1024^3. */
#include "check.h"

#include <cublas_v2.h>
#include <math.h>
#include <vector>

#define BLAS(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

template <typename T> struct on_device {
    T *p;
    size_t n;
    on_device(const std::vector<T> &from) : n(from.size()) {
        CALL(cudaMalloc((void **)&p, n * sizeof(T)));
        CALL(cudaMemcpy(p, from.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~on_device() { cudaFree(p); }
    std::vector<T> host() const {
        std::vector<T> to(n);
        CALL(cudaMemcpy(to.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return to;
    }
};

static std::vector<double> numbers(size_t n, int seed) {
    std::vector<double> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = (double)((i * 7919 + seed * 104729) % 1000) / 500 - 1;
    return v;
}

static double distance(const std::vector<double> &a, const std::vector<double> &b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* op(A)(i, j) of a column-major matrix. */
static double at(const std::vector<double> &A, int ld, cublasOperation_t op, int i, int j) {
    return op == CUBLAS_OP_N ? A[i + j * ld] : A[j + i * ld];
}

static void vectors(cublasHandle_t h) {
    const int n = 100;
    std::vector<double> x = numbers(2 * n, 1), y = numbers(n, 2), want = y;
    on_device<double> dx(x), dy(y);
    double two = 2, dot, norm, sum;
    int most;
    BLAS(cublasDaxpy(h, n, &two, dx.p, 2, dy.p, -1));
    for (int i = 0; i < n; i++)
        want[n - 1 - i] += 2 * x[2 * i];
    CHECK(distance(dy.host(), want) < 1e-12);
    BLAS(cublasDdot(h, n, dx.p, 1, dx.p + n, 1, &dot));
    BLAS(cublasDnrm2(h, n, dx.p, 1, &norm));
    BLAS(cublasDasum(h, n, dx.p, 1, &sum));
    BLAS(cublasIdamax(h, n, dx.p, 1, &most));
    double want_dot = 0, squares = 0, want_sum = 0;
    int first = 0;
    for (int i = 0; i < n; i++) {
        want_dot += x[i] * x[n + i];
        squares += x[i] * x[i];
        want_sum += fabs(x[i]);
        first = fabs(x[i]) > fabs(x[first]) ? i : first;
    }
    CHECK(fabs(dot - want_dot) < 1e-12 && fabs(norm - sqrt(squares)) < 1e-12);
    CHECK(fabs(sum - want_sum) < 1e-12 && most == first + 1);
}

static void scalars_on_the_device(cublasHandle_t h) {
    on_device<float> x({3, 4}), result({0, 0}), half({0.5f});
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasSnrm2(h, 2, x.p, 1, result.p));
    BLAS(cublasSscal(h, 2, half.p, x.p, 1));
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    CHECK(result.host()[0] == 5 && x.host()[1] == 2);
}

static void products(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb) {
    const int m = 21, n = 13, k = 17, lda = 23, ldb = 25, ldc = 22;
    std::vector<double> A = numbers(lda * 23, 3), B = numbers(ldb * 25, 4), C = numbers(ldc * n, 5),
                        want = C;
    double alpha = 1.5, beta = -0.5;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += at(A, lda, opa, i, l) * at(B, ldb, opb, l, j);
            want[i + j * ldc] = alpha * sum + beta * C[i + j * ldc];
        }
    on_device<double> dA(A), dB(B), dC(C);
    BLAS(cublasDgemm(h, opa, opb, m, n, k, &alpha, dA.p, lda, dB.p, ldb, &beta, dC.p, ldc));
    CHECK(distance(dC.host(), want) < 1e-12);
}

static void others(cublasHandle_t h) {
    const float one = 1, two = 2, zero = 0;
    on_device<float> A({1, 2, 3, 4, 5, 6}), C({0, 0, 0, 0, 0, 0}), x({10, 100});
    BLAS(cublasSgemv(h, CUBLAS_OP_T, 2, 3, &one, A.p, 2, x.p, 1, &zero, C.p, 1));
    CHECK(C.host()[0] == 210 && C.host()[2] == 650);
    std::vector<float *> at = {A.p, A.p + 2};
    on_device<float *> batch(at), out({C.p, C.p + 2});
    BLAS(cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 1, &two, (const float **)batch.p, 2,
                            (const float **)batch.p, 2, &zero, out.p, 2, 2));
    CHECK(C.host()[0] == 2 && C.host()[1] == 4 && C.host()[2] == 18 && C.host()[3] == 24);
    BLAS(cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 1, &one, A.p, 2, 2, A.p, 1, 2,
                                   &zero, C.p, 2, 2, 2));
    CHECK(C.host()[0] == 1 && C.host()[1] == 2 && C.host()[2] == 9 && C.host()[3] == 12);
}

static void errors(cublasHandle_t h) {
    float one = 1, host[4] = {0};
    on_device<float> x({1, 2, 3, 4});
    CHECK(cublasSaxpy(NULL, 1, &one, x.p, 1, x.p, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x.p, 1, x.p, 2, &one, x.p, 2) ==
          CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, -1, 2, 2, &one, x.p, 2, x.p, 2, &one, x.p, 2) ==
          CUBLAS_STATUS_INVALID_VALUE);
    BLAS(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 0, 2, 2, &one, x.p, 2, x.p, 2, &one, x.p, 2));
    CHECK(cublasSetMatrix(3, 1, 4, host, 2, x.p, 3) == CUBLAS_STATUS_INVALID_VALUE);
    BLAS(cublasSetMatrix(1, 2, 4, host, 2, x.p, 2));
    BLAS(cublasGetVector(2, 4, x.p + 1, 2, host, 1));
    CHECK(host[0] == 2 && host[1] == 4);
    CHECK(strcmp(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED") ==
          0);
}

static void large(cublasHandle_t h) {
    const int n = 1024;
    float one = 1, zero = 0;
    on_device<float> A(std::vector<float>(n * n, 0.5f)), C(std::vector<float>(n * n, NAN));
    BLAS(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, A.p, n, A.p, n, &zero, C.p, n));
    std::vector<float> got = C.host();
    int wrong = 0;
    for (float x : got)
        wrong += x != 256;
    CHECK(wrong == 0);
}

static void copies(cublasHandle_t h) {
    std::vector<double> from = numbers(12, 3), back(12, 0.0);
    on_device<double> d(std::vector<double>(12, 0.0));
    cublasMath_t math;
    BLAS(cublasSetVector(6, 8, from.data(), 2, d.p, 1));
    BLAS(cublasGetVectorAsync(6, 8, d.p, 1, back.data(), 2, 0));
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 12; i++)
        CHECK(back[i] == (i % 2 ? 0 : from[i]));
    BLAS(cublasSetMatrixAsync(2, 3, 8, from.data(), 4, d.p, 2, 0));
    BLAS(cublasGetMatrix(2, 3, 8, d.p, 2, back.data(), 3));
    for (int i = 0; i < 6; i++)
        CHECK(back[i / 2 * 3 + i % 2] == from[i / 2 * 4 + i % 2]);
    CHECK(cublasSetMatrix(5, 1, 8, from.data(), 4, d.p, 5) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSetVector(1, 8, from.data(), 0, d.p, 1) == CUBLAS_STATUS_INVALID_VALUE);
    BLAS(cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH));
    BLAS(cublasGetMathMode(h, &math));
    CHECK(math == CUBLAS_PEDANTIC_MATH);
}

/* What is set is what is got, and copies in a stream are in its order. */
static void settings(cublasHandle_t h) {
    std::vector<double> from = numbers(6, 3), back(6, 0.0);
    on_device<double> d(std::vector<double>(6, 0.0));
    cudaStream_t stream, got;
    cublasPointerMode_t mode;
    CALL(cudaStreamCreate(&stream));
    BLAS(cublasSetStream(h, stream));
    BLAS(cublasGetStream(h, &got));
    CHECK(got == stream && cublasGetStream(h, NULL) == CUBLAS_STATUS_INVALID_VALUE);
    CHECK(cublasSetStream(NULL, stream) == CUBLAS_STATUS_NOT_INITIALIZED);
    BLAS(cublasGetPointerMode(h, &mode));
    CHECK(mode == CUBLAS_POINTER_MODE_HOST);
    BLAS(cublasSetVectorAsync(6, 8, from.data(), 1, d.p, 1, stream));
    BLAS(cublasGetMatrixAsync(2, 3, 8, d.p, 2, back.data(), 2, stream));
    CALL(cudaStreamSynchronize(stream));
    CHECK(back == from);
    BLAS(cublasSetStream(h, NULL));
    CALL(cudaStreamDestroy(stream));
    CHECK(strcmp(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE),
                 "an invalid value was used as an argument") == 0);
}

/* The last: an access that no GPU survives. */
static void refused(cublasHandle_t h) {
    const float half = 0.5f;
    float host[2] = {1, 2};
    on_device<float> x({1, 2});
    cudaStream_t stream;
    cudaGraph_t graph;
    CALL(cudaStreamCreate(&stream));
    BLAS(cublasSetStream(h, stream));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cublasSscal(h, 2, &half, x.p, 1) == CUBLAS_STATUS_EXECUTION_FAILED);
    cudaStreamEndCapture(stream, &graph);
    BLAS(cublasSetStream(h, NULL));
    CHECK(x.host()[1] == 2);
    CHECK(cublasSscal(h, 2, &half, host, 1) == CUBLAS_STATUS_EXECUTION_FAILED);
    CHECK(host[1] == 2 && cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cublasSscal(h, 2, &half, x.p, 1) == CUBLAS_STATUS_EXECUTION_FAILED);
}

int main() {
    cublasHandle_t h;
    BLAS(cublasCreate(&h));
    vectors(h);
    copies(h);
    settings(h);
    scalars_on_the_device(h);
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            products(h, (cublasOperation_t)a, (cublasOperation_t)b);
    others(h);
    errors(h);
    large(h);
    refused(h);
    BLAS(cublasDestroy(h));
    return finish();
}
