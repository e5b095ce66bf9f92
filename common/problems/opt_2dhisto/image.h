/* Images of bin ids: read from files, or drawn as a random walk.
 *
 * Every pixel is a bin id below IMAGE_BINS (1024). Pixels are row-major and dense.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_BINS = 1024 };

/* common/lab.h promises steps no larger image. It is refused before anything is allocated. */
#define IMAGE_MAX_PIXELS ((size_t)1 << 24)

struct image {
    size_t height, width;
    uint32_t *pixels; /* height * width; free() it */
};

/* Read a binary PGM file (P5, 8 or 16 bits; a value v of 0..maxval becomes bin v * 1023 / maxval,
 * rounded to the nearest, halves up). The content decides, not the name. Of several images the
 * first is taken. On failure returns false, leaves nothing allocated and puts one line in `error`
 * that names the file, what is wrong, and what would be right. */
bool image_read(const char *path, struct image *image, char *error, size_t error_size);

/* The same from memory, for tests and fuzzing. `name` stands for the file in messages. */
bool image_parse(const uint8_t *data, size_t size, const char *name, struct image *image,
                 char *error, size_t error_size);

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
