/* Tests of emulator/counted/access.c: what the access map says of requests. */
#define _GNU_SOURCE
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../emulator/counted/access.h"

/* What it needs of the counted build: memory whose addresses of the device are those of the host,
 * and lines that are the places' numbers. */
unsigned region_changes;
uint64_t region_find(uintptr_t address, struct region_used *used) {
    (void)used;
    return address;
}
unsigned place_line(uint32_t place) { return place; }
void *emulator_need(void *memory) {
    assert_non_null(memory);
    return memory;
}

static char path[] = "/tmp/test_access-XXXXXX", text[64 * 1024];
static uint32_t input[300];
static uint8_t output[64];

static int make_file(void **state) {
    (void)state;
    close(mkstemp(path));
    return setenv("HISTOLAB_ACCESS", path, 1);
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

/* A request of the lanes in `mask`, whose bytes begin at `first` and lie `step` bytes apart. */
static void request(uint64_t block, unsigned warp, enum kind kind, unsigned line, uint32_t mask,
                    const void *first, size_t step, unsigned bytes) {
    struct request r = {
        .mask = mask, .site = line, .kind = kind, .space = GLOBAL, .bytes = (uint8_t)bytes};
    for (unsigned lane = 0; lane < WARP; lane++)
        r.address[lane] = (uintptr_t)first + lane * step;
    access_request(block, warp, &r, 4);
}

static void begin(size_t rows, size_t columns) {
    access_begin_call(input, rows, columns, rows * columns * sizeof *input, output, sizeof output);
    assert_true(access_wanted());
    access_begin_launch(1, 264, 1024);
}

/* The map's text. */
static const char *end(void) {
    access_end_launch("kernel<2, 3>");
    access_end_call();
    assert_false(access_wanted());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void has(const char *line) {
    const char *at = strstr(text, line);
    if (!at || (at > text && at[-1] != '\n') || at[strlen(line)] != '\n')
        fail_msg("no line \"%s\" in:\n%s", line, text);
}

static void reads_are_counted_by_element(void **state) {
    (void)state;
    begin(3, 100);
    request(0, 0, LOAD, 7, ~0u, input, 4, 4);
    request(0, 1, LOAD, 7, ~0u, input + 31, 4, 4); /* the last of before, once more */
    request(5, 3, LOAD, 8, 1, input + 296, 16, 16);
    end();
    has("call 3 100 1200 64");
    has("op 1 264 1024 kernel<2, 3>");
    has("total 1 7 load input 4 2 64 8");
    has("reads 0 30 1");
    has("reads 31 31 2");
    has("reads 32 62 1");
    has("reads 63 295 0");
    has("reads 296 299 1");
}

static void an_element_in_parts_is_read_once(void **state) {
    (void)state;
    begin(1, 2);
    for (unsigned part = 0; part < 4; part++)
        request(0, 0, LOAD, 7, 1, (char *)input + part, 1, 1);
    end();
    has("reads 0 0 1");
    has("reads 1 1 0");
}

static void many_reads_are_255(void **state) {
    (void)state;
    begin(1, 1);
    for (int i = 0; i < 300; i++)
        request(0, 0, LOAD, 7, 1, input, 4, 4);
    end();
    has("reads 0 0 255");
}

static void the_first_requests_of_the_first_warps_are_told(void **state) {
    (void)state;
    begin(1, 300);
    for (int i = 0; i < 6; i++)
        request(0, 1, LOAD, 7, 5, input + i, 8, 4);
    request(0, 2, LOAD, 7, 1, input, 4, 4);
    request(1, 0, LOAD, 7, 1, input, 4, 4);
    request(2, 0, LOAD, 7, 1, input, 4, 4);
    request(0, 0, STORE, 9, 3, output, 1, 1);
    request(0, 0, ATOMIC, 10, 1, output + 8, 4, 4);
    end();
    has("r 1 0 1 7 load input 4 1 5 0 16");
    has("r 1 0 1 7 load input 4 4 5 12 28");
    assert_null(strstr(text, "input 4 5 5"));
    assert_null(strstr(text, "r 1 0 2"));
    assert_null(strstr(text, "r 1 2 0"));
    has("r 1 1 0 7 load input 4 1 1 0");
    has("r 1 0 0 9 store output 1 1 3 0 1");
    has("r 1 0 0 10 atomic output 4 2 1 8");
}

static void the_reader_is_the_lowest_thread(void **state) {
    (void)state;
    begin(2, 100);
    request(3, 0, LOAD, 7, 1, input, 4, 4);
    request(2, 1, LOAD, 8, 2, input, 0, 4); /* its lane 1 */
    request(2, 1, LOAD, 7, 4, input, 0, 4);
    request(0, 0, LOAD, 9, 1, input + 100, 4, 16); /* the second row's */
    request(0, 0, LOAD, 9, 1, input + 64, 4, 4);   /* too far right */
    end();
    has("reader 0 1 2 33 1 8 3");
    has("reader 100 1 0 0 1 9 1");
    has("reader 103 1 0 0 1 9 1");
    assert_null(strstr(text, "reader 64 "));
}

static void what_is_neither_input_nor_output_is_left_out(void **state) {
    (void)state;
    static uint32_t scratch[32];
    begin(1, 300);
    request(0, 0, LOAD, 7, ~0u, scratch, 4, 4);
    request(0, 0, STORE, 7, 1, input, 4, 4); /* a store is no read */
    end();
    has("reads 0 299 0");
    assert_null(strstr(text, "load"));
}

static void without_a_file_nothing_is_wanted(void **state) {
    (void)state;
    unsetenv("HISTOLAB_ACCESS");
    access_begin_call(input, 1, 1, 4, output, 4);
    assert_false(access_wanted());
    access_begin_launch(0, 1, 1);
    access_end_launch("kernel");
    access_end_call();
    assert_int_equal(setenv("HISTOLAB_ACCESS", path, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_are_counted_by_element),
        cmocka_unit_test(an_element_in_parts_is_read_once),
        cmocka_unit_test(many_reads_are_255),
        cmocka_unit_test(the_first_requests_of_the_first_warps_are_told),
        cmocka_unit_test(the_reader_is_the_lowest_thread),
        cmocka_unit_test(what_is_neither_input_nor_output_is_left_out),
        cmocka_unit_test(without_a_file_nothing_is_wanted),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
