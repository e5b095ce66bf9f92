/* cuRAND for kernels: XORWOW, which gives cuRAND's numbers; normal ones to the last digits, in
 * which a device's functions differ. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include <math.h>

#include "../include/cuda_runtime.h"
#include "curand.h"
#include "curand_generators.h"

/* A normal number is the second of a pair, until that is asked for. */
typedef struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
} curandStateXORWOW_t, curandState_t, curandState;

#define EMULATOR_RANDOM static inline __attribute__((unused))

/* So that the analysis sees what is read and written. */
EMULATOR_RANDOM void emulator_skip(unsigned long long n, curandState *s, unsigned power) {
    uint32_t d = s->d, v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
    emulator_xorwow_skip(&d, v, n, power);
    s->d = d;
    for (int i = 0; i < 5; i++)
        s->v[i] = v[i];
}
EMULATOR_RANDOM void skipahead(unsigned long long n, curandState *s) { emulator_skip(n, s, 0); }
EMULATOR_RANDOM void skipahead_sequence(unsigned long long n, curandState *s) {
    emulator_skip(n, s, 67);
}

/* Of this seed's sequence the subsequence, from its number `offset` on. */
EMULATOR_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandState *s) {
    curandState made = {};
    emulator_xorwow_seed(seed, &made.d, made.v);
    skipahead_sequence(subsequence, &made);
    skipahead(offset, &made);
    *s = made;
}

EMULATOR_RANDOM unsigned curand(curandState *s) { return emulator_xorwow_next(&s->d, s->v); }

EMULATOR_RANDOM float curand_uniform(curandState *s) { return emulator_uniform(curand(s)); }
EMULATOR_RANDOM double curand_uniform_double(curandState *s) {
    unsigned x = curand(s), y = curand(s);
    return emulator_uniform_double(x, y);
}

/* ---- normal: pairs, by Box and Muller ---------------------------------------------------- */

EMULATOR_RANDOM float2 curand_normal2(curandState *s) {
    unsigned x = curand(s), y = curand(s);
    float angle = (float)y * (0x1p-32f * 6.2831855f) + 0x1p-32f * 6.2831855f / 2;
    float radius = sqrtf(-2.0f * logf(emulator_uniform(x)));
    return make_float2(sinf(angle) * radius, cosf(angle) * radius);
}
EMULATOR_RANDOM double2 curand_normal2_double(curandState *s) {
    double radius = sqrt(-2.0 * log(curand_uniform_double(s)));
    double angle = curand_uniform_double(s) * 2 * 3.14159265358979324;
    return make_double2(sin(angle) * radius, cos(angle) * radius);
}
#define EMULATOR_NORMAL(T, suffix, pair_of)                                                        \
    EMULATOR_RANDOM T curand_normal##suffix(curandState *s) {                                      \
        if (s->boxmuller_flag##suffix) {                                                           \
            s->boxmuller_flag##suffix = 0;                                                         \
            return s->boxmuller_extra##suffix;                                                     \
        }                                                                                          \
        auto both = pair_of(s);                                                                    \
        s->boxmuller_extra##suffix = both.y;                                                       \
        s->boxmuller_flag##suffix = 1;                                                             \
        return both.x;                                                                             \
    }
EMULATOR_NORMAL(float, , curand_normal2)
EMULATOR_NORMAL(double, _double, curand_normal2_double)

EMULATOR_RANDOM float curand_log_normal(curandState *s, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(s));
}
EMULATOR_RANDOM double curand_log_normal_double(curandState *s, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(s));
}

#endif
