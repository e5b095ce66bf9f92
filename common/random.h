/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): the state
 * is any 64-bit number. It is good enough to draw inputs with, and not meant for more. */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Advance the state as `count` calls of random_next() do. */
static inline void random_skip(uint64_t *state, uint64_t count) {
    *state += count * 0x9e3779b97f4a7c15u;
}

/* Uniform in [0, below), below > 0. Multiply-shift: the bias, below / 2^64, is negligible. */
static inline uint64_t random_below(uint64_t *state, uint64_t below) {
    return (uint64_t)(((unsigned __int128)random_next(state) * below) >> 64);
}

/* Put the values in a random order, each equally likely (Fisher-Yates). */
static inline void random_shuffle(uint32_t *values, size_t count, uint64_t *state) {
    for (size_t i = count; i > 1; i--) {
        size_t j = random_below(state, i);
        uint32_t value = values[i - 1];
        values[i - 1] = values[j];
        values[j] = value;
    }
}
