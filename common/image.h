/* Images of bin ids: read from files, written to files, or drawn as a random walk.
 *
 * Every pixel is a bin id below IMAGE_BINS (1024). Pixels are row-major and dense.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_BINS = 1024 };

/* Larger images are refused before anything is allocated: 2^28 pixels are 1 GiB. */
#define IMAGE_MAX_PIXELS ((size_t)1 << 28)

struct image {
    size_t height, width;
    uint32_t *pixels; /* height * width; free() it */
};

/* Read a PGM file (P2 or P5, 8 or 16 bits; a value v of 0..maxval becomes bin v * 1023 / maxval,
 * rounded to the nearest) or a Parboil histogram input (.bin: four little-endian 32-bit integers,
 * image width and height, histogram width and height, then the pixels; its bin ids must fit
 * IMAGE_BINS). The content decides the format, not the name. On failure returns false, allocates
 * nothing and puts one line in `error` that names the file, what is wrong, and what would be right.
 */
bool image_read(const char *path, struct image *image, char *error, size_t error_size);

/* The same from memory, for tests and fuzzing. `name` stands for the file in messages. */
bool image_parse(const uint8_t *data, size_t size, const char *name, struct image *image,
                 char *error, size_t error_size);

/* Write a 16-bit binary PGM with maxval 1023, so that reading it back gives the same bin ids. */
bool image_write(const char *path, const struct image *image, char *error, size_t error_size);

/* The EECS-468 random walk, height x width pixels: for the same seed, the image that the course's
 * test harness made after srand48(seed). */
void image_walk(uint32_t *pixels, size_t height, size_t width, long seed);

#endif
