/* Tests of common/judge/places.c. */
#define _GNU_SOURCE
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge/places.h"
#include "unit.h"

static char me[64]; /* not /proc/self/exe, which is addr2line to addr2line */

static int load_address(struct dl_phdr_info *program, size_t size, void *address) {
    (void)size;
    *(uint64_t *)address = program->dlpi_addr;
    return 1;
}

/* Where the caller will go on, as an offset in this program. */
__attribute__((noinline)) static uint64_t called_from(void) {
    uint64_t base = 0;
    dl_iterate_phdr(load_address, &base);
    return (uint64_t)__builtin_return_address(0) - 1 - base;
}

static void a_line_of_the_source(void **state) {
    (void)state;
    char file[200];
    unsigned line = 0;
    uint64_t here = called_from();
    assert_true(place_of(me, here, file, sizeof file, &line));
    assert_int_equal(line, __LINE__ - 2);
    assert_non_null(strstr(file, "test_places.c"));
}

static void a_name_that_is_too_long_is_cut(void **state) {
    (void)state;
    char file[8] = "unhurt!";
    unsigned line;
    assert_true(place_of(me, called_from(), file, 7, &line));
    assert_int_equal(strlen(file), 6);
    assert_int_equal(file[7], '\0');
}

static void nothing_is_known(void **state) {
    (void)state;
    char file[200];
    unsigned line;
    assert_false(place_of(me, 1, file, sizeof file, &line));
    assert_false(place_of("/nowhere; echo x:1", 1, file, sizeof file, &line));
}

static void without_addr2line(void **state) {
    (void)state;
    char file[200], *path = strdup(getenv("PATH"));
    unsigned line;
    setenv("PATH", "/nowhere", 1);
    assert_false(place_of(me, called_from(), file, sizeof file, &line));
    setenv("PATH", path, 1);
    free(path);
}

int main(void) {
    snprintf(me, sizeof me, "/proc/%d/exe", getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_of_the_source),
        cmocka_unit_test(a_name_that_is_too_long_is_cut),
        cmocka_unit_test(nothing_is_known),
        cmocka_unit_test(without_addr2line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
