/* Shapes that the tests of problems draw, other ones in each run. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "problem.h"
#include "random.h"

/* The seed of this run, or the environment's SHAPES_SEED. It is printed: tests/part-unit shows it
 * where a test fails, even one that a sanitizer ends. */
static inline uint64_t shapes_seed(void) {
    const char *text = getenv("SHAPES_SEED");
    uint64_t seed =
        text ? strtoull(text, NULL, 10) : (uint64_t)time(NULL) << 16 ^ (uint64_t)getpid();
    fprintf(stderr, "# SHAPES_SEED=%llu gives the same shapes again\n", (unsigned long long)seed);
    return seed;
}

/* As many small ones as large ones, one of the two sides now and then 0 or 1: at most 1 << 14
 * elements. */
static inline struct shape shapes_draw(uint64_t *random) {
    enum { LOG_MOST = 14 };
    size_t bits = random_below(random, LOG_MOST + 1), rows_bits = random_below(random, bits + 1);
    struct shape shape = {random_below(random, ((size_t)1 << rows_bits) + 1),
                          random_below(random, ((size_t)1 << (bits - rows_bits)) + 1)};
    if (random_below(random, 4) == 0)
        shape.rows = 1;
    if (random_below(random, 4) == 0)
        shape.columns = 1;
    return shape;
}

#endif
