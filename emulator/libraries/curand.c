// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

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
    powers = calloc(FURTHEST, sizeof *powers);
    if (!powers)
        abort();
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

/* ---- Sobol's sequence ------------------------------------------------------------------- */

/* The polynomials and first direction numbers of new-joe-kuo-6 (S. Joe and F. Y. Kuo, Constructing
 * Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30, 2008). */
enum { DIMENSIONS = 10 };
static const struct {
    unsigned degree, coefficients;
    uint64_t m[5];
} sobol[DIMENSIONS] = {{0, 0, {1}},
                       {1, 0, {1}},
                       {2, 1, {1, 3}},
                       {3, 1, {1, 3, 1}},
                       {3, 2, {1, 1, 1}},
                       {4, 1, {1, 1, 3, 3}},
                       {4, 4, {1, 3, 5, 13}},
                       {5, 2, {1, 1, 5, 5, 17}},
                       {5, 4, {1, 1, 5, 5, 5}},
                       {5, 7, {1, 1, 7, 11, 19}}};

/* Direction number i of the dimension, in the highest bits. */
static uint64_t direction(unsigned dimension, unsigned i) {
    uint64_t m[64];
    unsigned degree = sobol[dimension].degree;
    for (unsigned k = 0; k <= i; k++) {
        if (k < degree || !degree) {
            m[k] = sobol[dimension].m[degree ? k : 0];
            continue;
        }
        m[k] = m[k - degree] ^ m[k - degree] << degree;
        for (unsigned j = 1; j < degree; j++)
            if (sobol[dimension].coefficients >> (degree - 1 - j) & 1)
                m[k] ^= m[k - j] << j;
    }
    return m[i] << (63 - i);
}

/* Point n, in the order of Gray's code. */
static uint64_t sobol_point(unsigned dimension, uint64_t n) {
    static uint64_t directions[DIMENSIONS][64]; /* made when they are first asked for; never 0 */
    uint64_t point = 0;
    for (uint64_t gray = n ^ n >> 1; gray; gray &= gray - 1) {
        unsigned i = (unsigned)__builtin_ctzll(gray);
        uint64_t *known = &directions[dimension][i];
        if (!__atomic_load_n(known, __ATOMIC_RELAXED))
            __atomic_store_n(known, direction(dimension, i), __ATOMIC_RELAXED);
        point ^= *known;
    }
    return point;
}

/* ---- generators ------------------------------------------------------------------------- */

/* cuRAND deals an array out to generators that are far apart, one element to each by turns. */
enum { XORWOW_LANES = 4096 };

struct lane {
    uint32_t d, s[5];
};

struct curandGenerator_st {
    curandRngType_t type;
    bool on_host;
    cudaStream_t stream;
    uint64_t seed, offset; /* offset: of the next number of 32 bits */
    struct lane *lanes;    /* NULL: not seeded yet */
    uint64_t at;           /* the numbers that the lanes have given */
    /* Quasi-random: in a call all points of the first dimension come first. The offset is that of
     * the call, which makes so many points; the next number is of this one. */
    unsigned dimensions, dimension;
    uint64_t points, point;
};

static bool is_quasi(const struct curandGenerator_st *g) {
    return g->type == CURAND_RNG_QUASI_SOBOL32 || g->type == CURAND_RNG_QUASI_SOBOL64;
}

static uint64_t next_quasi(struct curandGenerator_st *g) {
    if (g->point == g->points) {
        g->point = 0;
        g->dimension++;
    }
    return sobol_point(g->dimension, g->offset + g->point++);
}

/* Each lane of XORWOW is one subsequence behind the lane before it. */
static bool seed_lanes(struct curandGenerator_st *g) {
    if (g->lanes || g->type != CURAND_RNG_PSEUDO_XORWOW)
        return true;
    g->lanes = calloc(XORWOW_LANES, sizeof *g->lanes);
    if (!g->lanes)
        return false;
    struct lane now;
    emulator_xorwow_seed(g->seed, &now.d, now.s);
    for (unsigned i = 0; i < XORWOW_LANES; i++) {
        struct lane *lane = &g->lanes[i];
        *lane = now;
        emulator_xorwow_skip(&now.d, now.s, 1, 67);
        emulator_xorwow_skip(&lane->d, lane->s,
                             g->offset / XORWOW_LANES + (i < g->offset % XORWOW_LANES), 0);
    }
    g->at = g->offset;
    return true;
}

static uint32_t next_philox(struct curandGenerator_st *g) {
    uint32_t counter[4] = {0}, key[2] = {(uint32_t)g->seed, (uint32_t)(g->seed >> 32)}, out[4];
    emulator_philox_skip(counter, g->offset / 4, 0);
    emulator_philox(counter, key, out);
    return out[g->offset++ % 4];
}

static uint32_t next_bits(struct curandGenerator_st *g) {
    if (is_quasi(g))
        return (uint32_t)(next_quasi(g) >> 32);
    if (!g->lanes)
        return next_philox(g);
    struct lane *lane = &g->lanes[g->at++ % XORWOW_LANES];
    return emulator_xorwow_next(&lane->d, lane->s);
}

static float next_uniform(struct curandGenerator_st *g) { return emulator_uniform(next_bits(g)); }
static double next_uniform_double(struct curandGenerator_st *g) {
    if (g->type == CURAND_RNG_QUASI_SOBOL32)
        return (next_bits(g) + 1.0) * 0x1p-32;
    if (g->type == CURAND_RNG_QUASI_SOBOL64)
        return (double)(next_quasi(g) >> 11) * 0x1p-53 + 0x1p-54;
    uint32_t x = next_bits(g), y = next_bits(g);
    return emulator_uniform_double(x, y);
}

/* ---- the interface ---------------------------------------------------------------------- */

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    if (type != CURAND_RNG_QUASI_SOBOL32 && type != CURAND_RNG_QUASI_SOBOL64 &&
        type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_PHILOX4_32_10) {
        fprintf(
            stderr,
            "emulator: curandCreateGenerator: the emulator has XORWOW, Philox and Sobol, and not "
            "generator type %d (MRG32k3a, a Mersenne Twister, or a scrambled one)\n",
            type);
        return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = calloc(1, sizeof **generator);
    if (!*generator)
        return CURAND_STATUS_ALLOCATION_FAILED;
    (*generator)->type = type;
    (*generator)->on_host = on_host;
    (*generator)->dimensions = 1;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, true);
}

static void begin_again(struct curandGenerator_st *g) {
    free(g->lanes);
    g->lanes = NULL;
}

curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    begin_again(g);
    free(g);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (is_quasi(g))
        return CURAND_STATUS_TYPE_ERROR;
    begin_again(g);
    g->seed = seed;
    g->offset = 0;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    begin_again(g);
    g->offset = offset;
    g->points = 0;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) {
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    return (order == CURAND_ORDERING_QUASI_DEFAULT) != is_quasi(g) ? CURAND_STATUS_OUT_OF_RANGE
                                                                   : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions) {
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!is_quasi(g))
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions < 1 || dimensions > DIMENSIONS) {
        fprintf(stderr,
                "emulator: curandSetQuasiRandomGeneratorDimensions: the emulator has 1 to %d "
                "dimensions, not %u\n",
                DIMENSIONS, dimensions);
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    g->offset += g->points;
    g->points = 0;
    g->dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    return seed_lanes(g) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

/* So many numbers are about to be asked of a quasi-random generator. fits: it can. */
static curandStatus_t begin_points(curandGenerator_t g, const char *function, size_t n, int fits) {
    if (!fits) {
        fprintf(stderr,
                "emulator: %s: the emulator's Sobol generators have bits and uniform "
                "numbers of their own size\n",
                function);
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (n % g->dimensions)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    g->offset += g->points;
    g->points = n / g->dimensions;
    g->point = g->dimension = 0;
    return CURAND_STATUS_SUCCESS;
}

/* Numbers are about to be written. */
static curandStatus_t begin(curandGenerator_t g, const char *function, void *to, size_t bytes) {
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!seed_lanes(g))
        return CURAND_STATUS_ALLOCATION_FAILED;
    struct emulator_use use = {to, bytes, bytes > 0, (ptrdiff_t)bytes, 1};
    if (g->on_host && bytes && emulator_is_device_only(to)) {
        fprintf(stderr, "emulator: %s: a generator of the host fills device memory\n", function);
        return CURAND_STATUS_LAUNCH_FAILURE;
    }
    if (!g->on_host && emulator_library_uses(function, g->stream, &use, 1, 0))
        return CURAND_STATUS_LAUNCH_FAILURE;
    return CURAND_STATUS_SUCCESS;
}

#define GENERATE(Name, type, next, fits)                                                           \
    curandStatus_t curandGenerate##Name(curandGenerator_t g, type *to, size_t n) {                 \
        curandStatus_t status = begin(g, __func__, to, n * sizeof *to);                            \
        if (!status && is_quasi(g))                                                                \
            status = begin_points(g, __func__, n, fits);                                           \
        for (size_t i = 0; !status && i < n; i++)                                                  \
            to[i] = next;                                                                          \
        return status;                                                                             \
    }
GENERATE(, unsigned, next_bits(g), g->type == CURAND_RNG_QUASI_SOBOL32)
GENERATE(Uniform, float, next_uniform(g), g->type == CURAND_RNG_QUASI_SOBOL32)
GENERATE(UniformDouble, double, next_uniform_double(g), true)

/* cuRAND has whole 64 bits of quasi-random generators alone. */
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *to, size_t n) {
    if (!g || !is_quasi(g))
        return g ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
    curandStatus_t status = begin(g, __func__, to, n * sizeof *to);
    if (!status)
        status = begin_points(g, __func__, n, g->type == CURAND_RNG_QUASI_SOBOL64);
    for (size_t i = 0; !status && i < n; i++)
        to[i] = next_quasi(g);
    return status;
}

/* Pairs, by Box and Muller. */
#define NORMAL(Name, type, uniform, result)                                                        \
    curandStatus_t curandGenerate##Name(curandGenerator_t g, type *to, size_t n, type mean,        \
                                        type deviation) {                                          \
        if (n % 2)                                                                                 \
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;                                              \
        curandStatus_t status = begin(g, __func__, to, n * sizeof *to);                            \
        if (!status && is_quasi(g))                                                                \
            status = begin_points(g, __func__, n, 0);                                              \
        for (size_t i = 0; !status && i < n; i += 2) {                                             \
            double radius = sqrt(-2 * log(uniform(g))), angle = 2 * M_PI * uniform(g);             \
            double x = mean + deviation * radius * sin(angle);                                     \
            to[i] = (type)(result);                                                                \
            x = mean + deviation * radius * cos(angle);                                            \
            to[i + 1] = (type)(result);                                                            \
        }                                                                                          \
        return status;                                                                             \
    }
NORMAL(Normal, float, next_uniform, x)
NORMAL(NormalDouble, double, next_uniform_double, x)
NORMAL(LogNormal, float, next_uniform, exp(x))
NORMAL(LogNormalDouble, double, next_uniform_double, exp(x))
