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

/* 4096 generators of one seed fill an array by turns. */
static void order_of_xorwow(unsigned *device) {
    unsigned host[4098], first[5], second[5];
    curandGenerator_t g;
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_DEFAULT));
    RAND(curandSetPseudoRandomGeneratorSeed(g, 99));
    RAND(curandGenerate(g, host, 4098));
    RAND(curandSetGeneratorOffset(g, 4097));
    unsigned again;
    RAND(curandGenerate(g, &again, 1));
    RAND(curandDestroyGenerator(g));
    bits<curandStateXORWOW_t><<<1, 1>>>(99, 0, 0, device);
    CALL(cudaMemcpy(first, device, sizeof first, cudaMemcpyDeviceToHost));
    bits<curandStateXORWOW_t><<<1, 1>>>(99, 1, 0, device);
    CALL(cudaMemcpy(second, device, sizeof second, cudaMemcpyDeviceToHost));
    CHECK(host[0] == first[0] && host[1] == second[0] && host[4096] == first[1] &&
          host[4097] == second[1]);
    CHECK(again == host[4097]);
}

template <typename S, typename T> __global__ void sobol(T *directions, double *to) {
    S state;
    curand_init(directions, T(5), &state);
    to[0] = (double)curand(&state);
    skipahead(T(2), &state);
    to[1] = curand_uniform(&state);
    skipahead(T(2), &state);
    to[2] = curand_uniform_double(&state);
    skipahead(T(2), &state);
    to[3] = curand_normal(&state);
    skipahead(T(2), &state);
    to[4] = curand_normal_double(&state);
}

/* The numbers are those of NVIDIA's library: the second dimension in a kernel, and all directions,
 * as a sum. */
template <typename S, typename T, int N>
static void directions(T (*all)[N], unsigned long long sum, double smallest) {
    T *device;
    double *to, got[5];
    unsigned long long seen = 0;
    for (int i = 0; i < 21 * N; i++)
        seen = 31 * seen + all[i / N][i % N];
    CHECK(seen == sum);
    CALL(cudaMalloc((void **)&device, sizeof *all));
    CALL(cudaMalloc((void **)&to, sizeof got));
    CALL(cudaMemcpy(device, all[1], sizeof *all, cudaMemcpyHostToDevice));
    sobol<S><<<1, 1>>>(device, to);
    CALL(cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == 0x0.ep0 * pow(2, N) && got[1] == 0x1.4p-2 && got[2] == 0x1.2p-1 + smallest);
    CHECK(fabs(got[3] + 0.157311) < 1e-5 && fabs(got[4] - 1.86273) < 1e-5);
    CALL(cudaFree(device));
    CALL(cudaFree(to));
}

static void quasi_random() {
    static const unsigned wanted[] = {0xe0000000, 0xa0000000, 0x20000000, 0xe0000000, 0x20000000,
                                      0xa0000000, 0x20000000, 0xe0000000, 0x60000000};
    unsigned bits[9];
    float x[9];
    double y[9];
    curandDirectionVectors32_t *of_32;
    curandDirectionVectors64_t *of_64;
    curandGenerator_t g;
    RAND(curandGetDirectionVectors32(&of_32, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    RAND(curandGetDirectionVectors64(&of_64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    directions<curandStateSobol32>(of_32, 0x651e983ad6bf8105, 0x1p-32);
    directions<curandStateSobol64>(of_64, 0xbf5bc08980dfc751, 0);
    RAND(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_DEFAULT));
    RAND(curandSetQuasiRandomGeneratorDimensions(g, 3));
    RAND(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    RAND(curandSetGeneratorOffset(g, 5));
    RAND(curandGenerate(g, bits, 9));
    CHECK(memcmp(bits, wanted, sizeof bits) == 0);
    RAND(curandGenerateUniform(g, x, 9));
    CHECK(x[0] == 0x1.8p-3f && x[3] == 0x1.4p-2f && x[8] == 0x1.6p-1f);
    RAND(curandGenerateUniformDouble(g, y, 9));
    CHECK(y[0] == 0x1.c0000004p-2 && y[4] == 0x1.80000008p-3 && y[8] == 0x1.a0000002p-1);
    CHECK(curandGenerate(g, bits, 8) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE);
    RAND(curandDestroyGenerator(g));
}

int main() {
    unsigned *device;
    CALL(cudaMalloc((void **)&device, 5 * sizeof *device));
    known_numbers(device);
    distributions<curandState>();
    distributions<curandStatePhilox4_32_10_t>();
    of_the_host(CURAND_RNG_PSEUDO_DEFAULT);
    of_the_host(CURAND_RNG_PSEUDO_PHILOX4_32_10);
    order_of_xorwow(device);
    quasi_random();
    CALL(cudaFree(device));
    return finish();
}
