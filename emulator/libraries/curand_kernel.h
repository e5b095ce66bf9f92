/* cuRAND for kernels: XORWOW and Philox4_32_10, which give cuRAND's numbers; normal ones to the
 * last digits, in which a device's functions differ. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include <math.h>
#include <type_traits>

#include "../include/cuda_runtime.h"
#include "curand.h"
#include "curand_generators.h"

/* ---- states ----------------------------------------------------------------------------- */

/* The second number of a pair, until it is asked for. */
struct emulator_boxmuller {
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};

struct curandStateXORWOW {
    unsigned d, v[5];
    emulator_boxmuller pair;
};
struct curandStatePhilox4_32_10 {
    unsigned ctr[4], output[4], key[2];
    unsigned STATE; /* how many of `output` have been given */
    emulator_boxmuller pair;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#define EMULATOR_RANDOM static inline __attribute__((unused))

EMULATOR_RANDOM void emulator_philox_renew(curandStatePhilox4_32_10 *s, unsigned long long n,
                                           int upper) {
    emulator_philox_skip(s->ctr, n, upper);
    emulator_philox(s->ctr, s->key, s->output);
}

/* So that the analysis sees what is read and written. */
EMULATOR_RANDOM void emulator_skip(unsigned long long n, curandStateXORWOW *s, unsigned power) {
    uint32_t d = s->d, v[5] = {s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]};
    emulator_xorwow_skip(&d, v, n, power);
    s->d = d;
    for (int i = 0; i < 5; i++)
        s->v[i] = v[i];
}
EMULATOR_RANDOM void skipahead(unsigned long long n, curandStateXORWOW *s) {
    emulator_skip(n, s, 0);
}
EMULATOR_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW *s) {
    emulator_skip(n, s, 67);
}

EMULATOR_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s) {
    unsigned given = s->STATE + (n & 3);
    s->STATE = given & 3;
    emulator_philox_renew(s, n / 4 + (given > 3), 0);
}
EMULATOR_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *s) {
    emulator_philox_renew(s, n, 1);
}

/* Of this seed's sequence the subsequence, from its number `offset` on. */
template <typename S>
EMULATOR_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, S *s) {
    S made = {};
    if constexpr (std::is_same_v<S, curandStatePhilox4_32_10>)
        made.key[0] = (unsigned)seed, made.key[1] = (unsigned)(seed >> 32);
    else
        emulator_xorwow_seed(seed, &made.d, made.v);
    skipahead_sequence(subsequence, &made);
    skipahead(offset, &made);
    *s = made;
}

/* ---- bits ------------------------------------------------------------------------------- */

EMULATOR_RANDOM unsigned curand(curandStateXORWOW *s) { return emulator_xorwow_next(&s->d, s->v); }

EMULATOR_RANDOM unsigned curand(curandStatePhilox4_32_10 *s) {
    unsigned result = s->output[s->STATE];
    if (++s->STATE == 4) {
        s->STATE = 0;
        emulator_philox_renew(s, 1, 0);
    }
    return result;
}
EMULATOR_RANDOM uint4 curand4(curandStatePhilox4_32_10 *s) {
    unsigned x = curand(s), y = curand(s), z = curand(s), w = curand(s);
    return make_uint4(x, y, z, w);
}

/* ---- uniform ---------------------------------------------------------------------------- */

template <typename S> EMULATOR_RANDOM float curand_uniform(S *s) {
    return emulator_uniform(curand(s));
}
template <typename S> EMULATOR_RANDOM double curand_uniform_double(S *s) {
    if constexpr (std::is_same_v<S, curandStatePhilox4_32_10>) {
        return curand(s) * 0x1p-32 + 0x1p-32; /* of one number of 32 bits, as in cuRAND */
    } else {
        unsigned x = curand(s), y = curand(s);
        return emulator_uniform_double(x, y);
    }
}
EMULATOR_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
    uint4 x = curand4(s);
    return make_float4(emulator_uniform(x.x), emulator_uniform(x.y), emulator_uniform(x.z),
                       emulator_uniform(x.w));
}
EMULATOR_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10 *s) {
    uint4 x = curand4(s);
    return make_double2(emulator_uniform_double(x.x, x.y), emulator_uniform_double(x.z, x.w));
}

/* ---- normal: pairs, by Box and Muller ---------------------------------------------------- */

template <typename S> EMULATOR_RANDOM float2 curand_normal2(S *s) {
    unsigned x = curand(s), y = curand(s);
    float angle = (float)y * (0x1p-32f * 6.2831855f) + 0x1p-32f * 6.2831855f / 2;
    float radius = sqrtf(-2.0f * logf(emulator_uniform(x)));
    return make_float2(sinf(angle) * radius, cosf(angle) * radius);
}
template <typename S> EMULATOR_RANDOM double2 curand_normal2_double(S *s) {
    double u, turn;
    if constexpr (std::is_same_v<S, curandStatePhilox4_32_10>) {
        uint4 x = curand4(s);
        u = emulator_uniform_double(x.x, x.y);
        turn = emulator_uniform_double(x.z, x.w) * 2;
    } else {
        u = curand_uniform_double(s);
        turn = curand_uniform_double(s) * 2;
    }
    double radius = sqrt(-2.0 * log(u));
    return make_double2(sin(turn * 3.14159265358979324) * radius,
                        cos(turn * 3.14159265358979324) * radius);
}
#define EMULATOR_NORMAL(T, suffix, pair_of)                                                        \
    template <typename S> EMULATOR_RANDOM T curand_normal##suffix(S *s) {                          \
        if (s->pair.boxmuller_flag##suffix) {                                                      \
            s->pair.boxmuller_flag##suffix = 0;                                                    \
            return s->pair.boxmuller_extra##suffix;                                                \
        }                                                                                          \
        auto both = pair_of(s);                                                                    \
        s->pair.boxmuller_extra##suffix = both.y;                                                  \
        s->pair.boxmuller_flag##suffix = 1;                                                        \
        return both.x;                                                                             \
    }
EMULATOR_NORMAL(float, , curand_normal2)
EMULATOR_NORMAL(double, _double, curand_normal2_double)

EMULATOR_RANDOM float4 curand_normal4(curandStatePhilox4_32_10 *s) {
    float2 first = curand_normal2(s), second = curand_normal2(s);
    return make_float4(first.x, first.y, second.x, second.y);
}

template <typename S> EMULATOR_RANDOM float curand_log_normal(S *s, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(s));
}
template <typename S>
EMULATOR_RANDOM double curand_log_normal_double(S *s, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(s));
}

#endif
