/* cuRAND's generators on the host, and how far generators skip ahead. */
#define _GNU_SOURCE /* M_PI */
#include "curand.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/emulated.h"
#include "curand_generators.h"

/* ---- XORWOW, skipping: its state without d is a vector of 160 bits, a step a matrix --------- */

enum { BITS = 160, WORDS = 5, FURTHEST = 67 + 64 };
typedef uint32_t matrix[BITS][WORDS]; /* the image of each bit */

/* powers[i] skips 2^i steps. */
static matrix *powers;

static void apply(const matrix m, uint32_t v[WORDS]) {
    uint32_t sum[WORDS] = {0};
    for (int i = 0; i < BITS; i++)
        if (v[i / 32] >> i % 32 & 1)
            for (int j = 0; j < WORDS; j++)
                sum[j] ^= m[i][j];
    memcpy(v, sum, sizeof sum);
}

static void make_powers(void) {
    powers = emulator_need(calloc(FURTHEST, sizeof *powers));
    for (int i = 0; i < BITS; i++) {
        uint32_t d = 0;
        powers[0][i][i / 32] = 1u << i % 32;
        emulator_xorwow_next(&d, powers[0][i]);
    }
    for (int p = 1; p < FURTHEST; p++) {
        memcpy(powers[p], powers[p - 1], sizeof *powers);
        for (int i = 0; i < BITS; i++)
            apply(powers[p - 1], powers[p][i]);
    }
}

void emulator_xorwow_skip(uint32_t *d, uint32_t v[5], uint64_t n, unsigned power) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!power)
        *d += 362437u * (uint32_t)n; /* 2^32 times 362437 is 0 */
    pthread_once(&once, make_powers);
    for (; n; n >>= 1, power++)
        if (n & 1)
            apply(powers[power], v);
}

/* ---- generators of the host: Philox, whatever type is asked for -------------------------- */

struct curandGenerator_st {
    curandRngType_t type;
    bool on_host;
    cudaStream_t stream;
    uint64_t seed, offset; /* offset: of the next number of 32 bits */
};

static uint32_t next_bits(struct curandGenerator_st *g) {
    uint32_t counter[4] = {0}, key[2] = {(uint32_t)g->seed, (uint32_t)(g->seed >> 32)}, out[4];
    emulator_philox_skip(counter, g->offset / 4, 0);
    emulator_philox(counter, key, out);
    return out[g->offset++ % 4];
}

static float next_uniform(struct curandGenerator_st *g) { return emulator_uniform(next_bits(g)); }
static double next_uniform_double(struct curandGenerator_st *g) {
    uint32_t x = next_bits(g), y = next_bits(g);
    return emulator_uniform_double(x, y);
}

/* ---- the interface ---------------------------------------------------------------------- */

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
    if (type < CURAND_RNG_PSEUDO_DEFAULT || type >= CURAND_RNG_QUASI_DEFAULT) {
        fprintf(stderr,
                "emulator: curandCreateGenerator: the emulator has no quasi-random numbers\n");
        return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = emulator_need(calloc(1, sizeof **generator));
    (*generator)->type = type;
    (*generator)->on_host = on_host;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, true);
}

#define CHANGE(name, parameters, change)                                                           \
    curandStatus_t name parameters {                                                               \
        if (!g)                                                                                    \
            return CURAND_STATUS_NOT_INITIALIZED;                                                  \
        change;                                                                                    \
        return CURAND_STATUS_SUCCESS;                                                              \
    }
CHANGE(curandDestroyGenerator, (curandGenerator_t g), free(g))
CHANGE(curandSetStream, (curandGenerator_t g, cudaStream_t stream), g->stream = stream)
CHANGE(curandSetPseudoRandomGeneratorSeed, (curandGenerator_t g, unsigned long long seed),
       (g->seed = seed, g->offset = 0))
CHANGE(curandSetGeneratorOffset, (curandGenerator_t g, unsigned long long offset),
       g->offset = offset)
CHANGE(curandSetGeneratorOrdering, (curandGenerator_t g, curandOrdering_t order), (void)order)

/* Numbers are about to be written. */
static curandStatus_t begin(curandGenerator_t g, const char *function, void *to, size_t n,
                            size_t size) {
    size_t bytes = n * size;
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    struct emulator_use use = {to, bytes, bytes > 0, (ptrdiff_t)bytes, 1};
    if (g->on_host && bytes && emulator_is_device_only(to)) {
        fprintf(stderr, "emulator: %s: a generator of the host fills device memory\n", function);
        return CURAND_STATUS_LAUNCH_FAILURE;
    }
    if (!g->on_host && emulator_library_uses(function, g->stream, &use, 1, 0))
        return CURAND_STATUS_LAUNCH_FAILURE;
    return CURAND_STATUS_SUCCESS;
}

#define GENERATE(Name, type, next)                                                                 \
    curandStatus_t curandGenerate##Name(curandGenerator_t g, type *to, size_t n) {                 \
        curandStatus_t status = begin(g, __func__, to, n, sizeof *to);                             \
        for (size_t i = 0; !status && i < n; i++)                                                  \
            to[i] = next(g);                                                                       \
        return status;                                                                             \
    }
GENERATE(, unsigned, next_bits)
GENERATE(Uniform, float, next_uniform)
GENERATE(UniformDouble, double, next_uniform_double)

/* Pairs, by Box and Muller. */
#define NORMAL(Name, T, uniform, result)                                                           \
    curandStatus_t curandGenerate##Name(curandGenerator_t g, T *to, size_t n, T mean,              \
                                        T deviation) {                                             \
        if (g && n % 2 && g->type != CURAND_RNG_PSEUDO_PHILOX4_32_10)                              \
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;                                              \
        curandStatus_t status = begin(g, __func__, to, n, sizeof *to);                             \
        for (size_t i = 0; !status && i < n; i += 2) {                                             \
            double radius = sqrt(-2 * log(uniform(g))), angle = 2 * M_PI * uniform(g);             \
            for (size_t j = i; j < i + 2 && j < n; j++) {                                          \
                double x = mean + deviation * radius * (j > i ? cos(angle) : sin(angle));          \
                to[j] = (T)(result);                                                               \
            }                                                                                      \
        }                                                                                          \
        return status;                                                                             \
    }
NORMAL(Normal, float, next_uniform, x)
NORMAL(NormalDouble, double, next_uniform_double, x)
NORMAL(LogNormal, float, next_uniform, exp(x))
NORMAL(LogNormalDouble, double, next_uniform_double, exp(x))
