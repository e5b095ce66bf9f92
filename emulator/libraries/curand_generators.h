/* The generators of cuRAND, for kernels (curand_kernel.h) and for the host
 * (curand.c).
 *
 * XORWOW: G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (14), 2003.
 * Philox4x32-10: J. K. Salmon and others, Parallel random numbers: as easy as 1, 2, 3, SC 2011.
 * How a seed becomes a state is cuRAND's. */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- XORWOW ----------------------------------------------------------------------------- */

static inline uint32_t emulator_xorwow_next(uint32_t *d, uint32_t v[5]) {
    uint32_t t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
    *d += 362437;
    return v[4] + *d;
}

static inline void emulator_xorwow_seed(uint64_t seed, uint32_t *d, uint32_t v[5]) {
    uint32_t low = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u);
    uint32_t high = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
    *d = 6615241u + high + low;
    v[0] = 123456789u + low;
    v[1] = 362436069u ^ low;
    v[2] = 521288629u + high;
    v[3] = 88675123u ^ high;
    v[4] = 5783321u + low;
}

/* Skip n * 2^power numbers; power is 0 or 67. */
void emulator_xorwow_skip(uint32_t *d, uint32_t v[5], uint64_t n, unsigned power);

/* ---- Philox4x32-10 ---------------------------------------------------------------------- */

static inline void emulator_philox(const uint32_t counter[4], const uint32_t key[2],
                                   uint32_t out[4]) {
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k0 = key[0], k1 = key[1];
    for (int i = 0; i < 10; i++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
        uint64_t left = 0xD2511F53ull * c[0], right = 0xCD9E8D57ull * c[2];
        uint32_t next[4] = {(uint32_t)(right >> 32) ^ c[1] ^ k0, (uint32_t)right,
                            (uint32_t)(left >> 32) ^ c[3] ^ k1, (uint32_t)left};
        for (int j = 0; j < 4; j++)
            c[j] = next[j];
    }
    for (int j = 0; j < 4; j++)
        out[j] = c[j];
}

/* Add n to the counter's 128 bits, or to its upper 64. */
static inline void emulator_philox_skip(uint32_t counter[4], uint64_t n, int upper) {
    uint64_t low = counter[0] | (uint64_t)counter[1] << 32;
    uint64_t high = counter[2] | (uint64_t)counter[3] << 32;
    if (upper)
        high += n;
    else if ((low += n) < n)
        high++;
    counter[0] = (uint32_t)low;
    counter[1] = (uint32_t)(low >> 32);
    counter[2] = (uint32_t)high;
    counter[3] = (uint32_t)(high >> 32);
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* Above 0, and at most 1. */
static inline float emulator_uniform(uint32_t x) { return (float)x * 0x1p-32f + 0x1p-33f; }
static inline double emulator_uniform_double(uint32_t x, uint32_t y) {
    uint64_t bits = x ^ (uint64_t)y << 21;
    return (double)bits * 0x1p-53 + 0x1p-54;
}

#ifdef __cplusplus
}
#endif
