/* Images of bin ids, drawn as a random walk. Pixels are row-major and dense. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WALK_BINS = 1024 }; /* every pixel is a bin id below */

/* The EECS-468 random walk, height x width pixels: for the same seed, the image that the course's
 * test harness made after srand48(seed). */
void image_walk(uint32_t *pixels, size_t height, size_t width, long seed);

/* The same walk in pieces. The rows of all calls on one walker follow each other as if they were
 * one image of that width, so a strip of any height is one unbroken walk:
 *
 *     struct image_walker walker = image_walker_start(seed);
 *     image_walker_rows(&walker, strip, 4096, width);
 *     image_walker_rows(&walker, strip + 4096 * width, 20000, width);
 *
 * Keep the width the same from call to call. */
struct image_walker {
    uint64_t random;     /* drand48()'s 48-bit state; the bits above it mean nothing */
    uint32_t above;      /* first pixel of the latest row: the next row starts from it */
    bool at_first_pixel; /* nothing drawn yet: the first pixel is `above` itself */
};

struct image_walker image_walker_start(long seed);
void image_walker_rows(struct image_walker *walker, uint32_t *pixels, size_t rows, size_t width);

/* Leave out so many rows, in far less time than drawing them takes: for threads that each draw a
 * stretch of their own. */
void image_walker_skip(struct image_walker *walker, size_t rows, size_t width);
