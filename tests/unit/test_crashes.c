/* Tests of common/judge/findings/crashes.c and stuck.c: a crash, and a loop without an end, in
 * words. The places are this program's own. */
#define _GNU_SOURCE
#include "unit.h"

#include <link.h>
#include <unistd.h>

#include "judge/findings/crashes.h"
#include "judge/findings/stuck.h"

static char me[64]; /* not /proc/self/exe, which is addr2line to addr2line */

static int take_load_address(struct dl_phdr_info *program, size_t size, void *address) {
    (void)size;
    *(uint64_t *)address = program->dlpi_addr;
    return 1;
}

/* Where the caller will go on, as an offset in this program. */
__attribute__((noinline)) static uint64_t called_from(void) {
    uint64_t base = 0;
    dl_iterate_phdr(take_load_address, &base);
    return (uint64_t)__builtin_return_address(0) - 1 - base;
}

static char text[320];

static void expect(const struct crash *crash, const char *expected) {
    memset(text, 'x', sizeof text);
    crash_describe(crash, me, TEXT(text));
    assert_string_equal(text, expected);
}

static void nothing_was_told(void **state) {
    (void)state;
    expect(&(struct crash){.frames = 3}, "");
}

static void in_a_kernel(void **state) {
    char expected[100];
    struct crash crash = {.signal = 11, .block = {1, 2, 3}, .thread = {4, 5, 6}, .frames = 2};

    (void)state;
    crash.pc[0] = 1; /* nothing is there */
    crash.pc[1] = called_from();
    snprintf(expected, sizeof expected, " at test_crashes.c:%d, thread (4,5,6) of block (1,2,3)",
             __LINE__ - 2);
    expect(&crash, expected);
}

static void on_the_host_at_no_known_place(void **state) {
    (void)state;
    expect(&(struct crash){.signal = 11, .on_host = 1}, ", on the host");
}

static void only_an_address_near_null_is_told(void **state) {
    struct crash crash = {.signal = 11, .on_host = 1, .addressed = 1, .address = 0x27c};

    (void)state;
    expect(&crash, ", on the host: address 0x27c");
    crash.address = 0x7f0012345678;
    expect(&crash, ", on the host");
}

static void a_full_stack(void **state) {
    struct crash crash = {.signal = 11, .stack_full = 1, .addressed = 1, .address = 0x27c};

    (void)state;
    expect(&crash, ", thread (0,0,0) of block (0,0,0): its stack is full");
}

static void an_exit(void **state) {
    (void)state;
    expect(&(struct crash){.exits = 1, .on_host = 1}, ", on the host");
}

static void an_assert(void **state) {
    struct crash crash = {.signal = 6, .on_host = 1, .words = "Assertion `i < n' failed"};

    (void)state;
    expect(&crash, ", on the host: Assertion `i < n' failed");
}

/* A runner may send anything. */
static void lies(void **state) {
    struct crash crash = {.signal = 6, .on_host = 1, .frames = UINT32_MAX, .words = "a\n\033b"};

    (void)state;
    expect(&crash, ", on the host: a??b");
    memset(crash.words, 'w', sizeof crash.words);
    crash_describe(&crash, me, TEXT(text));
    assert_int_equal(strlen(text), strlen(", on the host: ") + sizeof crash.words);
    crash_describe(&crash, me, (struct sentence){text, 20});
    assert_int_equal(strlen(text), 19);
}

static void expect_stuck(const struct where *where, const char *expected, const char *begins) {
    char why[512];

    stuck_describe(where, me, TEXT(text), TEXT(why));
    assert_string_equal(text, expected);
    assert_memory_equal(why, begins, strlen(begins));
}

static void a_loop_without_an_end(void **state) {
    char expected[200];
    struct where where = {.cpu_s = 6, .frames = 1, .blocks = 1, .thread = {7, 0, 0}, .groups = 2};

    (void)state;
    expect_stuck(&(struct where){.frames = 1}, "", "");
    const int line = __LINE__ + 1;
    uint64_t here = called_from();
    where.pc[0] = where.group[0].pc = here;
    where.group[0] = (struct where_group){.pc = here, .threads = 9, .blocks = 2};
    where.group[1] = (struct where_group){.pc = here, .threads = 5, .blocks = 1, .waits = 1};
    snprintf(expected, sizeof expected,
             "test_crashes.c:%d: 10 threads of 2 blocks are here; "
             "test_crashes.c:%d: 5 threads of block (0,0,0) wait here",
             line, line);
    expect_stuck(&where, expected, "They seem to be in a loop without an end");
    where = (struct where){.cpu_s = 6, .on_host = 1, .launches = 400, .launch_line = 9};
    expect_stuck(&where,
                 "at an unknown line, on the host; 400 kernels launched so far, the last in line 9",
                 "Is there an end to the loop on the host around the launch in line 9?");
    where = (struct where){
        .cpu_s = 6, .groups = 1, .launch_line = 9, .grid = 1 << 20, .ended = 64, .goes_on = 1};
    expect_stuck(&where, "at an unknown line: thread (0,0,0) of block (0,0,0) is here",
                 "It goes on, so it may be slow and not endless: of the 1048576 blocks of the "
                 "launch in line 9 64 have ended.");
}

static void lies_of_a_loop(void **state) {
    struct where where = {.cpu_s = 6, .frames = UINT32_MAX, .groups = UINT32_MAX};

    (void)state;
    memset(where.group, 0xff, sizeof where.group);
    expect_stuck(&where, "at an unknown line: thread (0,0,0) of block (0,0,0) is here",
                 "It seems to be in");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_was_told),
        cmocka_unit_test(in_a_kernel),
        cmocka_unit_test(on_the_host_at_no_known_place),
        cmocka_unit_test(only_an_address_near_null_is_told),
        cmocka_unit_test(a_full_stack),
        cmocka_unit_test(an_exit),
        cmocka_unit_test(an_assert),
        cmocka_unit_test(lies),
        cmocka_unit_test(a_loop_without_an_end),
        cmocka_unit_test(lies_of_a_loop),
    };

    snprintf(me, sizeof me, "/proc/%d/exe", getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
