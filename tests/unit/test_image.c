/* Tests of common/problems/opt_2dhisto/image.c.
 *
 *     gcc -std=gnu11 -g -Wall -Wextra -Werror -fsanitize=address,undefined \
 *         -fno-sanitize-recover=undefined -Icommon tests/unit/test_image.c \
 *         common/problems/opt_2dhisto/image.c common/judge/{fault,text}.c -lcmocka -o test_image &&
 *     ./test_image
 *
 * Also with clang. Files are made in a new directory under TMPDIR or /tmp, and removed again.
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "problems/opt_2dhisto/image.h"

#define NOBODY 65534

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char error[256];

/* ---- parsing ---------------------------------------------------------------------------- */

/* The bytes are copied into a block of exactly their size: AddressSanitizer then sees over-reads.
 */
static bool parse(const void *data, size_t size, struct image *image) {
    uint8_t *copy = malloc(size + !size);

    assert_non_null(copy);
    memcpy(copy, data, size);
    error[0] = '\0';
    bool done = image_parse(copy, size, "it.pgm", image, error, sizeof error);
    free(copy);
    return done;
}

static void check_image(const struct image *image, size_t height, size_t width,
                        const uint32_t *bins) {
    assert_int_equal(image->height, height);
    assert_int_equal(image->width, width);
    assert_memory_equal(image->pixels, bins, height * width * sizeof *bins);
    free(image->pixels);
}

static void check_accepted(const void *data, size_t size, size_t height, size_t width,
                           const uint32_t *bins) {
    struct image image;

    if (!parse(data, size, &image))
        fail_msg("%s", error);
    check_image(&image, height, width, bins);
}

/* A failure leaves no pixels, and one line that begins with the file's name. */
static void check_message(const struct image *image, const char *name, const char *expected) {
    assert_null(image->pixels);
    assert_memory_equal(error, name, strlen(name));
    assert_null(strchr(error, '\n'));
    if (!strstr(error, expected))
        fail_msg("expected '%s' in '%s'", expected, error);
}

static void check_refused(const void *data, size_t size, const char *expected) {
    struct image image = {1, 1, (uint32_t *)1};

    assert_false(parse(data, size, &image));
    check_message(&image, "it.pgm: ", expected);
}

#define ACCEPTED(text, height, width, ...)                                                         \
    check_accepted(text, sizeof(text) - 1, height, width, (const uint32_t[]){__VA_ARGS__})
#define REFUSED(text, expected) check_refused(text, sizeof(text) - 1, expected)

static void binary_pgm(void **state) {
    (void)state;
    ACCEPTED("P5\n2 2\n255\n\x00\x01\xfe\xff", 2, 2, 0, 4, 1019, 1023);
}

static void samples_of_16_bits_are_big_endian(void **state) {
    (void)state;
    ACCEPTED("P5 3 1 1023\n\x00\x01\x01\x00\x03\xff", 1, 3, 1, 256, 1023);
    ACCEPTED("P5 2 1 256\n\x00\xff\x01\x00", 1, 2, 1019, 1023); /* 256 needs two bytes already */
}

static void comments_and_white_space(void **state) {
    (void)state;
    ACCEPTED("P5#a\n# b\r2 # c # d\n1\n#\n255\n\x00\xff", 1, 2, 0, 1023);
    ACCEPTED("P5\t\v\f\r\n 1 #x\n 1\r1023\n\x02\x03", 1, 1, 515);
}

static void the_byte_after_the_white_space_is_a_sample(void **state) {
    (void)state;
    ACCEPTED("P5 1 1 255 #", 1, 1, 140);  /* '#' is 35: 35 * 1023 / 255 = 140.4 */
    ACCEPTED("P5 1 1 255\n\n", 1, 1, 40); /* 10: 40.1 */
}

static void the_first_of_several_images_counts(void **state) {
    (void)state;
    ACCEPTED("P5 1 1 255\n\x00P5 1 1 255\n\xff", 1, 1, 0);
}

static void parse_one_sample(unsigned sample, unsigned maxval, uint32_t expected) {
    char text[64];
    int size = snprintf(text, sizeof text, "P5 1 1 %u\n", maxval);

    if (maxval > UINT8_MAX)
        text[size++] = (char)(sample >> 8);
    text[size++] = (char)sample;
    check_accepted(text, (size_t)size, 1, 1, &expected);
}

static void scaling_reaches_both_ends(void **state) {
    const unsigned maxvals[] = {1, 2, 3, 255, 256, 1022, 1023, 1024, 65534, 65535};

    (void)state;
    for (size_t i = 0; i < COUNT(maxvals); i++) {
        parse_one_sample(0, maxvals[i], 0);
        parse_one_sample(maxvals[i], maxvals[i], 1023);
    }
}

static void scaling_rounds_to_the_nearest_bin(void **state) {
    (void)state;
    parse_one_sample(1, 2, 512); /* 511.5: halves go up */
    parse_one_sample(1, 3, 341);
    parse_one_sample(32, 65535, 0); /* 0.4995 */
    parse_one_sample(33, 65535, 1); /* 0.515 */
    parse_one_sample(65502, 65535, 1022);
    parse_one_sample(65503, 65535, 1023);
}

static void pgm_headers_that_are_wrong(void **state) {
    (void)state;
    REFUSED("P5", "ends where the width should be");
    REFUSED("P5 3 ", "ends where the height should be");
    REFUSED("P5 3 2 #255", "ends where the maxval should be");
    REFUSED("P5 -3 2 255\n", "byte 0x2d at offset 3 where the width");
    REFUSED("P5 3x2 255\n", "byte 0x78 at offset 4 where the height");
    REFUSED("P5 3 2 1.0\n", "exactly one byte of white space");
    REFUSED("P5 3 2 255", "exactly one byte of white space");
    REFUSED("P5 1 1 255#c\n\x01", "exactly one byte of white space");
    REFUSED("P5 0 2 255\n", "0 x 2 (width x height) pixels; both must be at least 1");
    REFUSED("P5 2 0 255\n", "2 x 0 (width x height) pixels; both must be at least 1");
    REFUSED("P5 1 1 0\n\x01", "maxval is 0; it must be 1 to 65535");
    REFUSED("P5 1 1 65536\n1", "the maxval at offset 7 is larger than 65535");
}

static void sizes_that_are_too_large(void **state) {
    (void)state;
    REFUSED("P5 16777217 1 255\n", "the width at offset 3 is larger than 16777216");
    REFUSED("P5 1 18446744073709551617 255\n", "is larger than 16777216");
    REFUSED("P5 65536 65536 255\n", "65536 x 65536 (width x height) pixels;");
    REFUSED("P5 4097 4096 255\n", "at most 16777216");
}

static void files_that_are_cut_short(void **state) {
    (void)state;
    REFUSED("", "it is no binary PGM");
    REFUSED("P5 2 2 255\n123",
            "2 x 2 (width x height) pixels need 4 bytes after the header, and 3");
    REFUSED("P5 2 2 256\n1234567", "need 8 bytes after the header, and 7");
    REFUSED("P5 4096 4096 255\n", "need 16777216 bytes after the header, and 0");
}

static void samples_that_are_wrong(void **state) {
    (void)state;
    REFUSED("P5 2 1 9\n\x09\x0a", "row 0, column 1 (both from 0) is 10; at most 9");
    REFUSED("P5 1 1 1023\n\x04\x00", "is 1024; at most 1023");
}

static void other_formats(void **state) {
    (void)state;
    REFUSED("P6 1 1 255\nabc", "it is no binary PGM");
    REFUSED("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it is no binary PGM");
    REFUSED("P53 2 255\n123456", "it is no binary PGM");
    REFUSED("P2 1 1 1 1", "it is no binary PGM");
    REFUSED("hello, world, hello", "it is no binary PGM");
}

static void messages_are_one_line_that_ends_in_the_reason(void **state) {
    struct image image;
    char name[4096], small[60];

    (void)state;
    assert_false(image_parse((const uint8_t *)"", 0, "a\nb\x1b[1m", &image, error, sizeof error));
    check_message(&image, "a?b?[1m: ", "no binary PGM");

    memset(name, 'x', sizeof name);
    strcpy(name + sizeof name - 6, "y.pgm");
    assert_false(image_parse((const uint8_t *)"", 0, name, &image, error, sizeof error));
    assert_non_null(strstr(error, "xy.pgm: it is no binary PGM"));

    assert_false(image_parse((const uint8_t *)"P5", 2, name, &image, small, sizeof small));
    assert_true(memchr(small, '\0', sizeof small));
}

/* ---- files ------------------------------------------------------------------------------ */

static char directory[PATH_MAX], path[PATH_MAX + 16];

static int make_directory(void **state) {
    const char *parent = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%s/test_image.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/it", directory);
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void put_file(const void *data, size_t size) {
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void check_read_refused(const char *name, const char *expected) {
    struct image image = {1, 1, (uint32_t *)1};

    error[0] = '\0';
    assert_false(image_read(name, &image, error, sizeof error));
    check_message(&image, name, expected);
}

static void images_larger_than_the_first_read(void **state) {
    struct image written = {300, 200, malloc(60000 * sizeof(uint32_t))}, image;

    (void)state;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    image_walk(written.pixels, written.height, written.width, 5);
    fprintf(file, "P5 200 300 1023\n");
    for (size_t i = 0; i < 60000; i++)
        fprintf(file, "%c%c", written.pixels[i] >> 8, written.pixels[i] & 255);
    assert_int_equal(fclose(file), 0);
    assert_true(image_read(path, &image, error, sizeof error));
    check_image(&image, written.height, written.width, written.pixels);
    free(written.pixels);
}

static void what_cannot_be_read(void **state) {
    (void)state;
    check_read_refused(path, "cannot read it: No such file or directory");
    check_read_refused(directory, "cannot read it: Is a directory");
}

static void a_file_without_permission(void **state) {
    (void)state;
    const uid_t own = geteuid();
    struct image image = {1, 1, (uint32_t *)1};

    put_file("P5 1 1 1\n\1", 10);
    assert_int_equal(chmod(path, 0), 0);
    if (own == 0 && seteuid(NOBODY) != 0) /* root reads everything */
        skip();
    bool done = image_read(path, &image, error, sizeof error);
    assert_int_equal(seteuid(own), 0);
    assert_false(done);
    check_message(&image, path, "cannot read it: Permission denied");
}

/* ---- the walk --------------------------------------------------------------------------- */

/* The course's rule, told as plainly as possible: both axes, with the C library's drand48(). */
static int plain_next(int bin, int spread, int most) {
    double one = drand48() - 0.5, two = drand48() - 0.5;

    bin += (int)(one * two * 4.0 * 1.4142135623730950488 * 1.4142135623730950488 * spread);
    return bin < 0 ? 0 : bin > most ? most : bin;
}

static void plain_walk(uint32_t *pixels, size_t height, size_t width, long seed, int first) {
    srand48(seed);
    for (size_t i = 0; i < height * width; i++) {
        size_t from = i % width ? i - 1 : i - width;
        pixels[i] = (uint32_t)(i == 0 ? first : plain_next((int)pixels[from], 2, 1023));
        if (i > 0)
            assert_int_equal(plain_next(0, 6, 0), 0);
    }
}

enum { MANY = 120000 };
static uint32_t walk[MANY], expected[MANY];

static void walk_equals_drand48(void **state) {
    const long seeds[] = {0, 1, 42, -1, INT_MAX, INT_MIN, LONG_MAX, 0x123456789abcdefL};
    const size_t sizes[][2] = {{1, 1}, {1, 50}, {50, 1}, {7, 33}, {300, 400}};

    (void)state;
    for (size_t s = 0; s < COUNT(seeds); s++)
        for (size_t i = 0; i < COUNT(sizes); i++) {
            size_t height = sizes[i][0], width = sizes[i][1];
            image_walk(walk, height, width, seeds[s]);
            plain_walk(expected, height, width, seeds[s], 512);
            assert_memory_equal(walk, expected, height * width * sizeof *walk);
        }
}

/* So few pixels hardly ever lead from the middle to an end: start there. */
static void walk_is_clamped_at_both_ends(void **state) {
    (void)state;
    for (int first = 0; first <= 1023; first += 1023) {
        struct image_walker walker = image_walker_start(3);
        walker.above = (uint32_t)first;
        image_walker_rows(&walker, walk, 200, 300);
        plain_walk(expected, 200, 300, 3, first);
        assert_memory_equal(walk, expected, 60000 * sizeof *walk);
    }
}

static void walk_in_pieces_is_one_walk(void **state) {
    struct image_walker walker = image_walker_start(7);
    size_t done = 0;

    (void)state;
    for (size_t rows = 0; rows < 20; done += rows, rows++)
        image_walker_rows(&walker, walk + done * 83, rows, 83);
    image_walk(expected, done, 83, 7);
    assert_memory_equal(walk, expected, done * 83 * sizeof *walk);
}

static void walk_goes_on_after_rows_left_out(void **state) {
    static const size_t widths[] = {1, 2, 83, 500};

    (void)state;
    for (size_t w = 0; w < COUNT(widths); w++) {
        struct image_walker walker = image_walker_start(11);
        image_walk(expected, 60, widths[w], 11);
        image_walker_skip(&walker, 0, widths[w]);
        image_walker_skip(&walker, 17, widths[w]);
        image_walker_rows(&walker, walk, 3, widths[w]);
        image_walker_skip(&walker, 20, widths[w]);
        image_walker_rows(&walker, walk + 3 * widths[w], 20, widths[w]);
        assert_memory_equal(walk, expected + 17 * widths[w], 3 * widths[w] * sizeof *walk);
        assert_memory_equal(walk + 3 * widths[w], expected + 40 * widths[w],
                            20 * widths[w] * sizeof *walk);
    }
}

static void walk_of_nothing_draws_nothing(void **state) {
    struct image_walker walker = image_walker_start(9);

    (void)state;
    image_walker_rows(&walker, walk, 0, 5);
    image_walker_rows(&walker, walk, 5, 0);
    image_walker_rows(&walker, walk, 10, 20);
    image_walk(expected, 10, 20, 9);
    assert_memory_equal(walk, expected, 200 * sizeof *walk);
}

/* Written down, so that neither the walk nor the C library can change unseen. */
static void first_pixels_of_seed_0(void **state) {
    const uint32_t first[] = {512, 511, 511, 512, 512, 512, 512, 512, 512, 511, 513, 513,
                              513, 513, 514, 514, 514, 514, 514, 514, 514, 516, 515, 515};

    (void)state;
    image_walk(walk, 1, COUNT(first), 0);
    assert_memory_equal(walk, first, sizeof first);
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binary_pgm),
        cmocka_unit_test(samples_of_16_bits_are_big_endian),
        cmocka_unit_test(comments_and_white_space),
        cmocka_unit_test(the_byte_after_the_white_space_is_a_sample),
        cmocka_unit_test(the_first_of_several_images_counts),
        cmocka_unit_test(scaling_reaches_both_ends),
        cmocka_unit_test(scaling_rounds_to_the_nearest_bin),
        cmocka_unit_test(pgm_headers_that_are_wrong),
        cmocka_unit_test(sizes_that_are_too_large),
        cmocka_unit_test(files_that_are_cut_short),
        cmocka_unit_test(samples_that_are_wrong),
        cmocka_unit_test(other_formats),
        cmocka_unit_test(messages_are_one_line_that_ends_in_the_reason),
        IN_DIRECTORY(images_larger_than_the_first_read),
        IN_DIRECTORY(what_cannot_be_read),
        IN_DIRECTORY(a_file_without_permission),
        cmocka_unit_test(walk_equals_drand48),
        cmocka_unit_test(walk_is_clamped_at_both_ends),
        cmocka_unit_test(walk_in_pieces_is_one_walk),
        cmocka_unit_test(walk_goes_on_after_rows_left_out),
        cmocka_unit_test(walk_of_nothing_draws_nothing),
        cmocka_unit_test(first_pixels_of_seed_0),
    };

    return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
