/* Image files in and out, and the course's random walk. See image.h.
 *
 * Reading trusts nothing that a file says of itself. The header is parsed first, out of at most
 * HEADER_LIMIT bytes; only when the file's size backs what the header promises is memory allocated.
 */
#define _POSIX_C_SOURCE 200809L

#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEADER_LIMIT = 1 << 16, /* a header, comments included, must end within so many bytes */
    PLAIN_BYTES_LIMIT =
        16, /* for a sample of a P2 file: 5 digits, the rest is layout and comments */
    PARBOIL_HEADER_SIZE = 16, /* four 32-bit integers */
    PGM_MAX_MAXVAL = 65535,
};

#define FORMATS_READ "PGM (it starts with P2 or P5) or Parboil histogram input (.bin)"

/* ---- messages --------------------------------------------------------------------------- */

struct report {
    const char *name; /* of the file */
    char *error;
    size_t error_size;
};

/* Of a long name only the end is shown, so that there is room to say what is wrong. */
static int put_name(const struct report *report) {
    size_t length = strlen(report->name), room = report->error_size / 2;

    if (length <= room)
        return snprintf(report->error, report->error_size, "%s: ", report->name);
    return snprintf(report->error, report->error_size, "...%s: ", report->name + length - room);
}

/* Say what is wrong with the file. Always false, so that callers can return it. */
__attribute__((format(printf, 2, 3))) static bool fail(const struct report *report,
                                                       const char *format, ...) {
    if (report->error_size == 0)
        return false;

    int used = put_name(report);
    if (used > 0 && (size_t)used < report->error_size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(report->error + used, report->error_size - (size_t)used, format, arguments);
        va_end(arguments);
    }

    /* A file name may hold anything, a new line or an escape sequence too: keep to one plain line.
     */
    for (char *c = report->error; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return false;
}

/* ---- numbers in a PGM file -------------------------------------------------------------- */

struct scanner {
    const uint8_t *data;
    size_t size, at;
};

/* The Netpbm specification's white space, in every locale. */
static bool is_white(uint8_t byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r'); /* TAB, LF, VT, FF, CR */
}

static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

/* A comment runs from # to the end of its line, and reads as white space (as in libnetpbm). */
static void skip_white(struct scanner *in) {
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

enum scanned { A_NUMBER, TOO_LARGE, NO_NUMBER, AT_END };

/* Skip white space and read a decimal number of at most `limit`. */
static enum scanned scan_number(struct scanner *in, uint32_t limit, uint32_t *number) {
    uint64_t value = 0;

    skip_white(in);
    if (in->at == in->size)
        return AT_END;
    if (!is_digit(in->data[in->at]))
        return NO_NUMBER;
    for (; in->at < in->size && is_digit(in->data[in->at]); in->at++) {
        value = value * 10 + (in->data[in->at] - '0');
        if (value > limit)
            return TOO_LARGE;
    }
    *number = (uint32_t)value;
    return A_NUMBER;
}

/* ---- headers ---------------------------------------------------------------------------- */

enum format { PGM_PLAIN, PGM_BINARY, PARBOIL };

struct header {
    enum format format;
    size_t height, width;
    uint32_t maxval; /* PGM only */
    size_t start;    /* of the pixels in the file */
    size_t end;      /* of what must be read of the file */
};

/* The beginning of a file: `size` bytes at hand out of `file_size`. */
struct file_start {
    const uint8_t *data;
    size_t size, file_size;
};

static bool check_pixel_count(const struct header *header, const struct report *report) {
    if (header->width == 0 || header->height == 0)
        return fail(report,
                    "its header says %zu x %zu (width x height) pixels; both must be at least 1",
                    header->width, header->height);
    if (header->height > IMAGE_MAX_PIXELS / header->width)
        return fail(report,
                    "its header says %zu x %zu (width x height) pixels; at most %zu are read",
                    header->width, header->height, IMAGE_MAX_PIXELS);
    return true;
}

static bool header_number(const struct file_start *file, struct scanner *in, const char *what,
                          uint32_t limit, uint32_t *number, const struct report *report) {
    switch (scan_number(in, limit, number)) {
    case A_NUMBER:
        if (in->at < in->size)
            return true;
        break; /* more digits may be missing, and the samples are */
    case TOO_LARGE:
        return fail(report, "its header's %s is larger than %u, the most that is read", what,
                    limit);
    case NO_NUMBER:
        return fail(report,
                    "byte 0x%02x at offset %zu where the %s should be; a PGM header is P2 or P5, "
                    "width, height and maxval as decimal numbers",
                    in->data[in->at], in->at, what);
    case AT_END:
        break;
    }
    if (file->size < file->file_size)
        return fail(report,
                    "its header does not get past the %s within %d bytes; shorten its comments",
                    what, HEADER_LIMIT);
    return fail(report,
                "it ends at the %s; a PGM file is P2 or P5, width, height and maxval as decimal "
                "numbers, then its samples",
                what);
}

/* A plain raster's length is known only once it is read, but each sample is at least a digit, with
 * white space before it. */
static bool check_plain_size(const struct header *header, size_t available,
                             const struct report *report) {
    size_t pixels = header->height * header->width, room = available / 2;

    if (pixels > room)
        return fail(report,
                    "it is cut short: its header says %zu x %zu (width x height) pixels, and the "
                    "%zu bytes after it hold %zu at most",
                    header->width, header->height, available, room);
    if (available > HEADER_LIMIT && (available - HEADER_LIMIT) / PLAIN_BYTES_LIMIT > pixels)
        return fail(report,
                    "%zu bytes follow its header, far more than %zu x %zu (width x height) samples "
                    "need; at most %d bytes a sample are read",
                    available, header->width, header->height, PLAIN_BYTES_LIMIT);
    return true;
}

static bool check_binary_size(const struct header *header, size_t needed, size_t available,
                              const struct report *report) {
    if (needed <= available)
        return true;
    return fail(report,
                "it is cut short: %zu x %zu (width x height) pixels need %zu bytes after the "
                "header, and %zu are there",
                header->width, header->height, needed, available);
}

static bool pgm_header(const struct file_start *file, struct header *header,
                       const struct report *report) {
    struct scanner in = {file->data, file->size, 2};
    uint32_t width, height;

    if (!header_number(file, &in, "width", IMAGE_MAX_PIXELS, &width, report) ||
        !header_number(file, &in, "height", IMAGE_MAX_PIXELS, &height, report) ||
        !header_number(file, &in, "maxval", PGM_MAX_MAXVAL, &header->maxval, report))
        return false;
    header->width = width;
    header->height = height;
    if (!check_pixel_count(header, report))
        return false;
    if (header->maxval == 0)
        return fail(report, "its header's maxval is 0; it must be 1 to %d", PGM_MAX_MAXVAL);

    if (header->format == PGM_PLAIN) {
        header->start = in.at;
        header->end = file->file_size;
        return check_plain_size(header, file->file_size - in.at, report);
    }

    /* One byte of white space, and no comment: the next byte is a sample whatever it looks like. */
    if (!is_white(file->data[in.at]))
        return fail(
            report,
            "byte 0x%02x at offset %zu right after the maxval; P5 needs exactly one byte of "
            "white space there, then the samples",
            file->data[in.at], in.at);
    header->start = in.at + 1;

    size_t needed = header->height * header->width * (header->maxval > 255 ? 2 : 1);
    header->end = header->start + needed;
    return check_binary_size(header, needed, file->file_size - header->start, report);
}

static uint32_t little_endian(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Parboil's files have no magic number. Sizes that make sense and fit the file stand in for one. */
static bool parboil_header(const struct file_start *file, struct header *header,
                           const struct report *report) {
    if (file->file_size < PARBOIL_HEADER_SIZE)
        return fail(report, "its %zu bytes are no image that is read here: " FORMATS_READ,
                    file->file_size);

    uint32_t field[4];
    for (int i = 0; i < 4; i++) {
        field[i] = little_endian(file->data + 4 * i);
        if (field[i] == 0 || field[i] > IMAGE_MAX_PIXELS)
            return fail(report,
                        "it is no image that is read here: " FORMATS_READ
                        "; as a .bin header its integer %d of 4 would be %u, not 1 to %zu",
                        i + 1, field[i], IMAGE_MAX_PIXELS);
    }
    header->width = field[0];
    header->height = field[1];
    header->start = PARBOIL_HEADER_SIZE;
    if (!check_pixel_count(header, report))
        return false;

    size_t needed = header->height * header->width * 4, there = file->file_size - header->start;
    header->end = header->start + needed;
    if (there > needed)
        return fail(report,
                    "%zu bytes follow what would be the header of a .bin of %zu x %zu (width x "
                    "height) pixels, which has exactly %zu; what is read here is " FORMATS_READ,
                    there, header->width, header->height, needed);
    return check_binary_size(header, needed, there, report);
}

static bool read_header(const struct file_start *file, struct header *header,
                        const struct report *report) {
    const uint8_t *data = file->data;

    if (file->file_size == 0)
        return fail(report, "it is empty; what is read here is " FORMATS_READ);
    bool netpbm = file->size >= 2 && data[0] == 'P' && data[1] >= '1' && data[1] <= '7' &&
                  (file->size == 2 || is_white(data[2]) || data[2] == '#');
    if (!netpbm) {
        header->format = PARBOIL;
        return parboil_header(file, header, report);
    }
    if (data[1] != '2' && data[1] != '5')
        return fail(report,
                    "it is a Netpbm file of kind P%c; only grey ones (PGM: P2, P5) are read. "
                    "Convert it first, for example with ppmtopgm",
                    data[1]);
    header->format = data[1] == '2' ? PGM_PLAIN : PGM_BINARY;
    return pgm_header(file, header, report);
}

/* ---- pixels ----------------------------------------------------------------------------- */

/* An even maxval has exact halves, which go up. An odd one has none. */
static uint32_t bin_of(uint32_t sample, uint32_t maxval) {
    return (sample * (IMAGE_BINS - 1) + maxval / 2) / maxval;
}

static bool fail_at(const struct report *report, const struct header *header, size_t pixel,
                    const char *what, uint32_t value, uint32_t most) {
    return fail(report, "the %s at row %zu, column %zu (both from 0) is %u; at most %u is allowed",
                what, pixel / header->width, pixel % header->width, value, most);
}

static bool decode_plain(const uint8_t *data, const struct header *header, uint32_t *pixels,
                         const struct report *report) {
    struct scanner in = {data, header->end, header->start};
    size_t count = header->height * header->width;

    for (size_t i = 0; i < count; i++) {
        uint32_t sample;
        switch (scan_number(&in, UINT32_MAX, &sample)) {
        case A_NUMBER:
            break;
        case TOO_LARGE:
            return fail(report, "sample %zu of %zu has too many digits; at most %u is allowed",
                        i + 1, count, header->maxval);
        case NO_NUMBER:
            return fail(report,
                        "byte 0x%02x at offset %zu where sample %zu of %zu should be; P2 "
                        "samples are decimal numbers with white space between them",
                        in.data[in.at], in.at, i + 1, count);
        case AT_END:
            return fail(report, "it is cut short: it ends after %zu of %zu samples", i, count);
        }
        if (sample > header->maxval)
            return fail_at(report, header, i, "sample", sample, header->maxval);
        pixels[i] = bin_of(sample, header->maxval);
    }

    /* Specified to hold exactly one image. More samples than that come from a wrong header. */
    skip_white(&in);
    if (in.at < in.size)
        return fail(report,
                    "byte 0x%02x at offset %zu after the last of its %zu samples; a P2 file ends "
                    "there: check the header's width and height",
                    in.data[in.at], in.at, count);
    return true;
}

static bool decode_binary(const uint8_t *data, const struct header *header, uint32_t *pixels,
                          const struct report *report) {
    const uint8_t *samples = data + header->start;
    size_t count = header->height * header->width;
    bool wide = header->maxval > 255;

    for (size_t i = 0; i < count; i++) {
        uint32_t sample = wide ? (uint32_t)samples[2 * i] << 8 | samples[2 * i + 1] : samples[i];
        if (sample > header->maxval)
            return fail_at(report, header, i, "sample", sample, header->maxval);
        pixels[i] = bin_of(sample, header->maxval);
    }
    return true;
}

static bool decode_parboil(const uint8_t *data, const struct header *header, uint32_t *pixels,
                           const struct report *report) {
    size_t count = header->height * header->width;

    for (size_t i = 0; i < count; i++) {
        pixels[i] = little_endian(data + header->start + 4 * i);
        if (pixels[i] >= IMAGE_BINS)
            return fail_at(report, header, i, "bin id", pixels[i], IMAGE_BINS - 1);
    }
    return true;
}

static bool decode(const uint8_t *data, const struct header *header, struct image *image,
                   const struct report *report) {
    bool (*const decoders[])(const uint8_t *, const struct header *, uint32_t *,
                             const struct report *) = {
        [PGM_PLAIN] = decode_plain, [PGM_BINARY] = decode_binary, [PARBOIL] = decode_parboil};
    size_t bytes = header->height * header->width * sizeof(uint32_t);
    uint32_t *pixels = malloc(bytes);

    if (!pixels)
        return fail(report, "no memory for its %zu x %zu (width x height) pixels: %zu bytes",
                    header->width, header->height, bytes);
    if (!decoders[header->format](data, header, pixels, report)) {
        free(pixels);
        return false;
    }
    *image = (struct image){header->height, header->width, pixels};
    return true;
}

bool image_parse(const uint8_t *data, size_t size, const char *name, struct image *image,
                 char *error, size_t error_size) {
    struct report report = {name, error, error_size};
    struct file_start file = {data, size, size};
    struct header header = {0};

    *image = (struct image){0};
    return read_header(&file, &header, &report) && decode(data, &header, image, &report);
}

/* ---- files ------------------------------------------------------------------------------ */

/* Open a regular file and learn its size. -1 on failure. */
static int open_regular(const char *path, size_t *size, const struct report *report) {
    /* Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;

    if (file < 0) {
        fail(report, "cannot open it: %s; an existing, readable image file is needed",
             strerror(errno));
        return -1;
    }
    if (fstat(file, &status) != 0)
        fail(report, "cannot tell its size: %s", strerror(errno));
    else if (S_ISDIR(status.st_mode))
        fail(report, "it is a directory; an image file is needed");
    else if (!S_ISREG(status.st_mode))
        fail(report, "it is a pipe, a device or a socket; save the image as a regular file first");
    else {
        *size = (size_t)status.st_size;
        return file;
    }
    close(file);
    return -1;
}

/* Read the bytes from `from` up to `to`, which the file's size says are there. */
static bool read_bytes(int file, uint8_t *buffer, size_t from, size_t to,
                       const struct report *report) {
    while (from < to) {
        ssize_t got = read(file, buffer + from, to - from);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(report, "cannot read it: %s", strerror(errno));
        if (got == 0)
            return fail(report,
                        "it ended after %zu bytes, though its size promised %zu; is it "
                        "still being written?",
                        from, to);
        from += (size_t)got;
    }
    return true;
}

/* Read the rest of a file whose first `at_hand` bytes are in `start`, and decode it. */
static bool read_rest(int file, const uint8_t *start, size_t at_hand, const struct header *header,
                      struct image *image, const struct report *report) {
    if (header->end <= at_hand)
        return decode(start, header, image, report);

    uint8_t *data = malloc(header->end);
    if (!data)
        return fail(report, "no memory to read its %zu bytes", header->end);
    memcpy(data, start, at_hand);
    bool done =
        read_bytes(file, data, at_hand, header->end, report) && decode(data, header, image, report);
    free(data);
    return done;
}

bool image_read(const char *path, struct image *image, char *error, size_t error_size) {
    struct report report = {path, error, error_size};
    struct header header = {0};
    uint8_t start[HEADER_LIMIT];
    size_t size;

    *image = (struct image){0};
    int file = open_regular(path, &size, &report);
    if (file < 0)
        return false;

    size_t at_hand = size < HEADER_LIMIT ? size : HEADER_LIMIT;
    struct file_start file_start = {start, at_hand, size};
    bool done = read_bytes(file, start, 0, at_hand, &report) &&
                read_header(&file_start, &header, &report) &&
                read_rest(file, start, at_hand, &header, image, &report);
    close(file);
    return done;
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
