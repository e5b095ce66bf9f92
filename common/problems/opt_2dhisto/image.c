/* Images from files, and the course's random walk. See image.h. */
#include "image.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "judge/text.h"

enum { PGM_MAX_MAXVAL = 65535 };

/* Of a file. A sample has two at the most: the rest is comments, and images that may follow. */
static const size_t MOST_BYTES = 16 * IMAGE_MAX_PIXELS;

/* A file that is read, whatever it says of itself. */
struct image_file {
    const char *name;
    const uint8_t *data;
    size_t size, at;
    struct sentence error;
};

/* Say what is wrong with the file. Always false, so that callers can return it. Of a long name only
 * the end is shown, so that there is room for that. */
__attribute__((format(printf, 2, 3))) static bool fail(const struct image_file *in,
                                                       const char *format, ...) {
    const size_t length = strlen(in->name), room = in->error.size / 2;
    char why[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    snprintf(in->error.at, in->error.size, "%s: %s", in->name + (length > room ? length - room : 0),
             why);
    text_clean(in->error.at, in->error.size); /* a name may hold anything */
    return false;
}

/* ---- numbers in a PGM file -------------------------------------------------------------- */

/* The Netpbm specification's white space, in every locale. */
static bool is_white(uint8_t byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r'); /* TAB, LF, VT, FF, CR */
}

/* A comment runs from # to the end of its line, and reads as white space (as in libnetpbm). */
static void skip_white(struct image_file *in) {
    bool comment = false;
    for (; in->at < in->size; in->at++) {
        uint8_t byte = in->data[in->at];
        if (comment)
            comment = byte != '\n' && byte != '\r';
        else if (byte == '#')
            comment = true;
        else if (!is_white(byte))
            return;
    }
}

/* Skip white space and read a decimal number of at most `most`. */
static bool read_number(struct image_file *in, const char *what, uint32_t most, uint32_t *number) {
    uint64_t value = 0;
    skip_white(in);
    if (in->at == in->size)
        return fail(in,
                    "it ends where the %s should be; a PGM file is P5, width, height and "
                    "maxval as decimal numbers, then its samples",
                    what);
    if (!isdigit(in->data[in->at]))
        return fail(in, "byte 0x%02x at offset %zu where the %s should be, a decimal number",
                    in->data[in->at], in->at, what);
    const size_t begin = in->at;
    for (; in->at < in->size && isdigit(in->data[in->at]); in->at++) {
        value = value * 10 + (in->data[in->at] - '0');
        if (value > most)
            return fail(in, "the %s at offset %zu is larger than %u, the most that is allowed",
                        what, begin, most);
    }
    *number = (uint32_t)value;
    return true;
}

/* ---- pixels ----------------------------------------------------------------------------- */

static size_t pixels_of(const struct image *image) { return image->height * image->width; }

/* Nothing is allocated unless the file has so many bytes for each pixel. */
static bool begin_image(const struct image_file *in, uint32_t width, uint32_t height, size_t bytes,
                        struct image *image) {
    if (!width || !height || height > IMAGE_MAX_PIXELS / width)
        return fail(in,
                    "its header says %u x %u (width x height) pixels; both must be at least 1, and "
                    "at most %zu pixels are read",
                    width, height, IMAGE_MAX_PIXELS);
    const size_t pixels = (size_t)height * width, there = in->size - in->at;
    if (bytes * pixels > there)
        return fail(in,
                    "it is cut short: %u x %u (width x height) pixels need %zu bytes after the "
                    "header, and %zu are there",
                    width, height, bytes * pixels, there);
    *image = (struct image){height, width, allocate(sizeof *image->pixels * pixels)};
    return true;
}

static bool put_pixel(const struct image_file *in, struct image *image, size_t pixel,
                      uint32_t sample, uint32_t maxval) {
    if (sample > maxval)
        return fail(in,
                    "the sample at row %zu, column %zu (both from 0) is %u; at most %u is allowed",
                    pixel / image->width, pixel % image->width, sample, maxval);
    /* An even maxval has exact halves, which go up. An odd one has none. */
    image->pixels[pixel] = (sample * (IMAGE_BINS - 1) + maxval / 2) / maxval;
    return true;
}

static bool read_samples(struct image_file *in, uint32_t maxval, struct image *image) {
    const uint8_t *samples = in->data + in->at;
    const bool wide = maxval > UINT8_MAX;
    bool right = true;
    for (size_t i = 0; right && i < pixels_of(image); i++)
        right = put_pixel(in, image, i,
                          wide ? (uint32_t)samples[2 * i] << 8 | samples[2 * i + 1] : samples[i],
                          maxval);
    return right;
}

static bool read_image(struct image_file *in, struct image *image) {
    const uint8_t *data = in->data;
    uint32_t width, height, maxval;
    if (in->size < 2 || data[0] != 'P' || data[1] != '5' ||
        (in->size > 2 && !is_white(data[2]) && data[2] != '#'))
        return fail(in, "it is no binary PGM, which starts with P5: convert it first, for example "
                        "with magick, GIMP or Netpbm");
    in->at = 2;
    if (!read_number(in, "width", IMAGE_MAX_PIXELS, &width) ||
        !read_number(in, "height", IMAGE_MAX_PIXELS, &height) ||
        !read_number(in, "maxval", PGM_MAX_MAXVAL, &maxval))
        return false;
    if (!maxval)
        return fail(in, "its header's maxval is 0; it must be 1 to %d", PGM_MAX_MAXVAL);
    /* One byte of white space, and no comment: the next byte is a sample whatever it looks like. */
    if (in->at == in->size || !is_white(in->data[in->at++]))
        return fail(in, "P5 needs exactly one byte of white space between the maxval and samples");
    return begin_image(in, width, height, maxval > UINT8_MAX ? 2 : 1, image) &&
           read_samples(in, maxval, image);
}

bool image_parse(const uint8_t *data, size_t size, const char *name, struct image *image,
                 char *error, size_t error_size) {
    struct image_file in = {name, data, size, 0, {error, error_size}};
    *image = (struct image){0};
    if (read_image(&in, image))
        return true;
    free(image->pixels);
    *image = (struct image){0};
    return false;
}

bool image_read(const char *path, struct image *image, char *error, size_t error_size) {
    const struct image_file in = {.name = path, .error = {error, error_size}};
    size_t size;
    char *data = file_bytes(path, MOST_BYTES, &size);
    *image = (struct image){0};
    if (!data)
        return fail(&in, "cannot read it: %s; an image file of at most %zu MB is needed",
                    strerror(errno), MOST_BYTES >> 20);
    const bool read = image_parse((const uint8_t *)data, size, path, image, error, error_size);
    free(data);
    return read;
}

/* ---- the random walk -------------------------------------------------------------------- */

/* drand48() maps its state x to RANDOM_A1 * x + RANDOM_C1 modulo 2^48, and returns x / 2^48. Two
 * and four such steps in one are of the same form. 64-bit arithmetic keeps the low 48 bits right.
 */
#define RANDOM_A1 UINT64_C(0x5deece66d)
#define RANDOM_C1 UINT64_C(0xb)
#define RANDOM_A2 (RANDOM_A1 * RANDOM_A1)
#define RANDOM_C2 (RANDOM_A1 * RANDOM_C1 + RANDOM_C1)
#define RANDOM_A4 (RANDOM_A2 * RANDOM_A2)
#define RANDOM_C4 (RANDOM_A2 * RANDOM_C2 + RANDOM_C2)

/* drand48() - 0.5 for a state: exact, as 48 bits fit a double. Shifting drops what lies above them,
 * and flipping the top bit of an unsigned number subtracts half its range. */
static double centred(uint64_t state) {
    return (double)(int64_t)(state << 16 ^ UINT64_C(1) << 63) * 0x1p-64;
}

/* The course's step to the next pixel, with its operations in its order: they round. Its bin ids
 * have two axes, each moved by a pair of random numbers, the lower axis first. With a histogram of
 * one row the upper axis is always clamped to 0, but its pair is drawn all the same. */
static int32_t next_bin(int32_t bin, uint64_t *random) {
    const double root = 1.4142135623730950488;
    double one = centred(RANDOM_A1 * *random + RANDOM_C1);
    double two = centred(RANDOM_A2 * *random + RANDOM_C2);

    *random = RANDOM_A4 * *random + RANDOM_C4;
    bin += (int32_t)(one * two * 4.0 * root * root * 2);
    return bin < 0 ? 0 : bin >= IMAGE_BINS ? IMAGE_BINS - 1 : bin;
}

struct image_walker image_walker_start(long seed) {
    /* As srand48() does: of the seed 32 bits count, the low 16 bits of the state are fixed. */
    uint64_t random = (uint64_t)(uint32_t)seed << 16 | 0x330e;

    return (struct image_walker){random, IMAGE_BINS / 2, true};
}

void image_walker_rows(struct image_walker *walker, uint32_t *pixels, size_t rows, size_t width) {
    uint64_t random = walker->random; /* a copy, which the stores to pixels cannot reach */

    if (width == 0)
        return;
    for (size_t row = 0; row < rows; row++) {
        int32_t bin = (int32_t)walker->above;

        if (walker->at_first_pixel)
            walker->at_first_pixel = false;
        else
            bin = next_bin(bin, &random);
        walker->above = (uint32_t)bin;
        *pixels++ = (uint32_t)bin;
        for (size_t column = 1; column < width; column++) {
            bin = next_bin(bin, &random);
            *pixels++ = (uint32_t)bin;
        }
    }
    walker->random = random;
}

/* A row's pixels after the first move nothing but the random state, which jumps over them at once.
 */
void image_walker_skip(struct image_walker *walker, size_t rows, size_t width) {
    uint64_t factor = 1, addend = 0; /* of width - 1 steps of RANDOM_A4 and RANDOM_C4 in one */
    for (size_t column = 1; column < width; column++) {
        factor *= RANDOM_A4;
        addend = addend * RANDOM_A4 + RANDOM_C4;
    }
    for (size_t row = 0; row < rows && width; row++) {
        uint32_t pixel;
        image_walker_rows(walker, &pixel, 1, 1);
        walker->random = factor * walker->random + addend;
    }
}

void image_walk(uint32_t *pixels, size_t height, size_t width, long seed) {
    struct image_walker walker = image_walker_start(seed);

    image_walker_rows(&walker, pixels, height, width);
}
