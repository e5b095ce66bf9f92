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

/* ---- Sobol's sequences: the directions of each dimension ---------------------------------- */

enum { DIMENSIONS = 21 };

/* S. Joe and F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM
 * J. Sci. Comput. 30 (5), 2008. From the second dimension on: the degree of a polynomial, its
 * coefficients, and as many first directions. */
static const unsigned char joe_kuo[] = {
    1,  0,  1,  2,  1,  1,  3, 3, 1,  1,  3,  1,  3,   2, 1, 1,  1,  4,  1,  1,  1,  3, 3,
    4,  4,  1,  3,  5,  13, 5, 2, 1,  1,  5,  5,  17,  5, 4, 1,  1,  5,  5,  5,  5,  7, 1,
    1,  7,  11, 19, 5,  11, 1, 1, 5,  1,  1,  5,  13,  1, 1, 1,  3,  11, 5,  14, 1,  3, 5,
    5,  31, 6,  1,  1,  3,  3, 9, 7,  49, 6,  13, 1,   1, 1, 15, 21, 21, 6,  16, 1,  3, 1,
    13, 27, 49, 6,  19, 1,  1, 1, 15, 7,  5,  6,  22,  1, 3, 1,  15, 13, 25, 6,  25, 1, 1,
    5,  5,  19, 61, 7,  1,  1, 3, 7,  11, 23, 15, 103, 7, 4, 1,  3,  7,  13, 13, 15, 69};

static curandDirectionVectors64_t directions[DIMENSIONS];
static curandDirectionVectors32_t directions32[DIMENSIONS];

__attribute__((constructor)) static void make_directions(void) {
    const unsigned char *p = joe_kuo;
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        const unsigned s = d ? p[0] : 64;
        unsigned long long *v = directions[d];
        for (unsigned i = 0; i < 64; i++) {
            v[i] = i < s ? (d ? p[2 + i] : 1ull) << (63 - i) : v[i - s] ^ v[i - s] >> s;
            for (unsigned k = 1; i >= s && k < s; k++)
                v[i] ^= p[1] >> (s - 1 - k) & 1 ? v[i - k] : 0;
            if (i < 32)
                directions32[d][i] = (unsigned)(v[i] >> 32);
        }
        p += d ? 2 + s : 0;
    }
}

#define DIRECTIONS(bits, table)                                                                    \
    curandStatus_t curandGetDirectionVectors##bits(curandDirectionVectors##bits##_t *vectors[],    \
                                                   curandDirectionVectorSet_t set) {               \
        *vectors = table;                                                                          \
        return set == CURAND_DIRECTION_VECTORS_##bits##_JOEKUO6 ? CURAND_STATUS_SUCCESS            \
                                                                : CURAND_STATUS_OUT_OF_RANGE;      \
    }
DIRECTIONS(32, directions32)
DIRECTIONS(64, directions)

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
    uint64_t at;           /* the numbers that the lanes, or this call, have given */
    uint64_t each;         /* Sobol: how many this call gives of each dimension */
    unsigned dimensions;   /* of Sobol's sequence; else 0 */
};

/* Each lane of XORWOW is one subsequence behind the lane before it. */
static void seed_lanes(struct curandGenerator_st *g) {
    if (g->lanes || g->type != CURAND_RNG_PSEUDO_XORWOW)
        return;
    g->lanes = emulator_need(calloc(XORWOW_LANES, sizeof *g->lanes));
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
}

static uint32_t next_philox(struct curandGenerator_st *g) {
    uint32_t counter[4] = {0}, key[2] = {(uint32_t)g->seed, (uint32_t)(g->seed >> 32)}, out[4];
    emulator_philox_skip(counter, g->offset / 4, 0);
    emulator_philox(counter, key, out);
    return out[g->offset++ % 4];
}

/* One dimension's numbers after the other's. */
static uint64_t next_sobol(struct curandGenerator_st *g) {
    uint64_t n = g->offset + g->at % g->each, x = 0;
    const unsigned long long *v = directions[g->at++ / g->each];
    for (n ^= n >> 1; n; n >>= 1, v++)
        x ^= n & 1 ? *v : 0;
    return g->type == CURAND_RNG_QUASI_SOBOL32 ? x >> 32 << 32 : x;
}

static uint32_t next_bits(struct curandGenerator_st *g) {
    if (g->dimensions)
        return (uint32_t)(next_sobol(g) >> 32);
    if (!g->lanes)
        return next_philox(g);
    struct lane *lane = &g->lanes[g->at++ % XORWOW_LANES];
    return emulator_xorwow_next(&lane->d, lane->s);
}

static float next_uniform(struct curandGenerator_st *g) { return emulator_uniform(next_bits(g)); }
static double next_uniform_double(struct curandGenerator_st *g) {
    if (g->dimensions)
        return emulator_double_of(next_sobol(g), g->type == CURAND_RNG_QUASI_SOBOL32 ? 32 : 64);
    uint32_t x = next_bits(g), y = next_bits(g);
    return emulator_uniform_double(x, y);
}

/* ---- the interface ---------------------------------------------------------------------- */

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
    if (type % 100 == 0) /* …_DEFAULT is the one behind it */
        type++;
    bool quasi = type == CURAND_RNG_QUASI_SOBOL32 || type == CURAND_RNG_QUASI_SOBOL64;
    if (!quasi && type != CURAND_RNG_PSEUDO_XORWOW && type != CURAND_RNG_PSEUDO_PHILOX4_32_10) {
        fprintf(stderr,
                "emulator: curandCreateGenerator: the emulator has XORWOW, Philox and Sobol, and "
                "not generator type %d (MRG32k3a, a Mersenne Twister, or a scrambled one)\n",
                type);
        return CURAND_STATUS_TYPE_ERROR;
    }
    *generator = emulator_need(calloc(1, sizeof **generator));
    (*generator)->type = type;
    (*generator)->on_host = on_host;
    (*generator)->dimensions = quasi;
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
    g->at = 0;
}

#define CHANGE(name, parameters, change)                                                           \
    curandStatus_t name parameters {                                                               \
        if (!g)                                                                                    \
            return CURAND_STATUS_NOT_INITIALIZED;                                                  \
        change;                                                                                    \
        return CURAND_STATUS_SUCCESS;                                                              \
    }
CHANGE(curandDestroyGenerator, (curandGenerator_t g), (begin_again(g), free(g)))
CHANGE(curandSetStream, (curandGenerator_t g, cudaStream_t stream), g->stream = stream)
CHANGE(curandSetPseudoRandomGeneratorSeed, (curandGenerator_t g, unsigned long long seed),
       (begin_again(g), g->seed = seed, g->offset = 0))
CHANGE(curandSetGeneratorOffset, (curandGenerator_t g, unsigned long long offset),
       (begin_again(g), g->offset = offset))
CHANGE(curandSetGeneratorOrdering, (curandGenerator_t g, curandOrdering_t order), (void)order)

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned n) {
    if (!g || !g->dimensions)
        return g ? CURAND_STATUS_TYPE_ERROR : CURAND_STATUS_NOT_INITIALIZED;
    if (n < 1 || n > DIMENSIONS) {
        fprintf(stderr, "emulator: %s: the emulator has %d dimensions\n", __func__, DIMENSIONS);
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    g->dimensions = n;
    return CURAND_STATUS_SUCCESS;
}

/* Numbers are about to be written. */
static curandStatus_t begin(curandGenerator_t g, const char *function, void *to, size_t n,
                            size_t size) {
    size_t bytes = n * size;
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    seed_lanes(g);
    if (g->dimensions) {
        g->offset += g->at ? g->each : 0; /* what the call before has given */
        g->at = 0;
        g->each = n / g->dimensions;
        if (n % g->dimensions)
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    }
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
        if (g && n % 2 && g->type == CURAND_RNG_PSEUDO_XORWOW)                                     \
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;                                              \
        if (g && g->dimensions) /* they are made otherwise */                                      \
            return CURAND_STATUS_TYPE_ERROR;                                                       \
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
