/* cuRAND: known numbers, distributions, generators of the host. */
#include "check.h"

#include <curand.h>
#include <curand_kernel.h>
#include <math.h>
#include <vector>

#define RAND(call) CHECK((call) == CURAND_STATUS_SUCCESS)

template <typename S>
__global__ void bits(unsigned long long seed, unsigned long long sequence,
                     unsigned long long offset, unsigned *to) {
    S state;
    curand_init(seed, sequence, offset, &state);
    for (int i = 0; i < 5; i++)
        to[i] = curand(&state);
}

/* What NVIDIA's header gives. Of Philox, 0 0 0 is the first known answer of Random123 too. */
static const struct {
    unsigned long long seed, sequence, offset;
    unsigned xorwow[5], philox[5];
} known[] = {
    {0,
     0,
     0,
     {0xbd7f03b6, 0x703e556d, 0x845af0c5, 0x283067fd, 0x1245241f},
     {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0xf8e4cca4}},
    {42,
     5000000000,
     123456789012,
     {0x889aec92, 0x5cb46a7c, 0x6cbbbb1a, 0x8ad5c4c1, 0xa5c515f5},
     {0x5c3430eb, 0x9037d1bb, 0x59e3c77a, 0x86c0e725, 0x2a1f7499}},
};

static void known_numbers(unsigned *device) {
    unsigned got[5];
    for (const auto &k : known) {
        bits<curandStateXORWOW_t><<<1, 1>>>(k.seed, k.sequence, k.offset, device);
        CALL(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
        CHECK(memcmp(got, k.xorwow, sizeof got) == 0);
        bits<curandStatePhilox4_32_10_t><<<1, 1>>>(k.seed, k.sequence, k.offset, device);
        CALL(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost));
        CHECK(memcmp(got, k.philox, sizeof got) == 0);
    }
}

enum { THREADS = 64, EACH = 100, KINDS = 5 };

template <typename S> __global__ void numbers(S *states, double *to) {
    S *own = states + threadIdx.x, state;
    curand_init(7, threadIdx.x, 0, own);
    state = *own;
    for (int i = 0; i < EACH; i++) {
        double *at = to + (i * THREADS + threadIdx.x) * KINDS;
        at[0] = curand_uniform(&state);
        at[1] = curand_uniform_double(&state);
        at[2] = curand_normal(&state);
        at[3] = curand_normal_double(&state);
        at[4] = log(curand_log_normal(&state, 1.0f, 0.5f));
    }
    *own = state;
}

/* Mean and deviation are within five standard errors. */
static void check_moments(const char *what, const std::vector<double> &x, double mean,
                          double deviation) {
    double sum = 0, squares = 0, n = (double)x.size();
    for (double v : x)
        sum += v;
    for (double v : x)
        squares += (v - sum / n) * (v - sum / n);
    bool good = fabs(sum / n - mean) < 5 * deviation / sqrt(n) &&
                fabs(sqrt(squares / n) - deviation) < 5 * deviation / sqrt(n);
    if (!good)
        printf("%s: mean %g, deviation %g\n", what, sum / n, sqrt(squares / n));
    CHECK(good);
}

template <typename S> static void distributions() {
    static const double mean[KINDS] = {0.5, 0.5, 0, 0, 1},
                        deviation[KINDS] = {sqrt(1 / 12.0), sqrt(1 / 12.0), 1, 1, 0.5};
    S *states;
    double *device;
    std::vector<double> all(THREADS * EACH * KINDS), one(THREADS * EACH);
    CALL(cudaMalloc((void **)&states, THREADS * sizeof *states));
    CALL(cudaMalloc((void **)&device, all.size() * sizeof *device));
    numbers<<<1, THREADS>>>(states, device);
    CALL(cudaMemcpy(all.data(), device, all.size() * sizeof *device, cudaMemcpyDeviceToHost));
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < one.size(); i++)
            one[i] = all[i * KINDS + kind];
        check_moments("kernel", one, mean[kind], deviation[kind]);
    }
    CALL(cudaFree(states));
    CALL(cudaFree(device));
}

static void of_the_host(curandRngType_t type) {
    enum { N = 10000 };
    float *device;
    std::vector<float> got(N);
    curandGenerator_t g;
    CALL(cudaMalloc((void **)&device, N * sizeof *device));
    RAND(curandCreateGenerator(&g, type));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 1234));
    RAND(curandGenerateUniform(g, device, N));
    CALL(cudaMemcpy(got.data(), device, N * sizeof *device, cudaMemcpyDeviceToHost));
    check_moments("uniform", std::vector<double>(got.begin(), got.end()), 0.5, sqrt(1 / 12.0));
    RAND(curandGenerateNormal(g, device, N, 3, 2));
    CALL(cudaMemcpy(got.data(), device, N * sizeof *device, cudaMemcpyDeviceToHost));
    check_moments("normal", std::vector<double>(got.begin(), got.end()), 3, 2);
    CHECK(curandGenerateNormal(g, device, 3, 0, 1) == (type == CURAND_RNG_PSEUDO_PHILOX4_32_10
                                                           ? CURAND_STATUS_SUCCESS
                                                           : CURAND_STATUS_LENGTH_NOT_MULTIPLE));
    RAND(curandDestroyGenerator(g));
    CALL(cudaFree(device));
}

static void refused() {
    curandGenerator_t g;
    CHECK(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_TYPE_ERROR);
}

/* It fills the host's memory, with the numbers that a kernel gets. */
static void in_host_memory() {
    enum { N = 10000 };
    unsigned bits[8], again[4], *device;
    std::vector<double> x(N);
    std::vector<float> f(N);
    curandGenerator_t g;
    cudaStream_t stream;
    CALL(cudaStreamCreate(&stream));
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    RAND(curandSetStream(g, stream));
    CHECK(curandSetStream(NULL, stream) == CURAND_STATUS_NOT_INITIALIZED);
    RAND(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_DEFAULT));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 0));
    RAND(curandGenerate(g, bits, 8));
    CHECK(memcmp(bits, known[0].philox, sizeof known[0].philox) == 0);
    RAND(curandSetGeneratorOffset(g, 4));
    RAND(curandGenerate(g, again, 4));
    CHECK(memcmp(bits + 4, again, sizeof again) == 0);
    RAND(curandGenerateUniformDouble(g, x.data(), N));
    check_moments("uniform double", x, 0.5, sqrt(1 / 12.0));
    RAND(curandGenerateNormalDouble(g, x.data(), N, 3, 2));
    check_moments("normal double", x, 3, 2);
    RAND(curandGenerateLogNormalDouble(g, x.data(), N, 1, 0.5));
    for (double &one : x)
        one = log(one);
    check_moments("logarithms of log-normal doubles", x, 1, 0.5);
    RAND(curandGenerateLogNormal(g, f.data(), N, 1, 0.5f));
    for (int i = 0; i < N; i++)
        x[i] = log(f[i]);
    check_moments("logarithms of log-normal floats", x, 1, 0.5);
    CALL(cudaMalloc((void **)&device, sizeof again));
    CHECK(curandGenerate(g, device, 4) == CURAND_STATUS_LAUNCH_FAILURE);
    RAND(curandDestroyGenerator(g));
    CALL(cudaFree(device));
    CALL(cudaStreamDestroy(stream));
}

int main() {
    unsigned *device;
    CALL(cudaMalloc((void **)&device, 5 * sizeof *device));
    known_numbers(device);
    distributions<curandState>();
    distributions<curandStatePhilox4_32_10_t>();
    of_the_host(CURAND_RNG_PSEUDO_DEFAULT);
    of_the_host(CURAND_RNG_PSEUDO_PHILOX4_32_10);
    of_the_host(CURAND_RNG_PSEUDO_MT19937);
    in_host_memory();
    refused();
    CALL(cudaFree(device));
    return finish();
}
