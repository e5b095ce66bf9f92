/* Tests of common/sha256.c against sha256sum, at every length at which a block or its end fills up.
 */
#define _GNU_SOURCE
#include "unit.h"

#include <stdio.h>
#include <unistd.h>

#include "sha256.h"

static void digits_are_those_of_sha256sum(void **state) {
    static const size_t lengths[] = {0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100000};
    char path[] = "/tmp/sha256-XXXXXX", command[64];
    (void)state;
    close(mkstemp(path));
    snprintf(command, sizeof command, "sha256sum %s", path);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char digits[SHA256_DIGITS + 1], wanted[SHA256_DIGITS + 1] = "";
        FILE *file = fopen(path, "wb");
        for (size_t at = 0; at < lengths[i]; at++)
            fputc((int)(at * 7 + i) & 0xff, file);
        fclose(file);
        FILE *program = popen(command, "r");
        assert_int_equal(fread(wanted, 1, SHA256_DIGITS, program), SHA256_DIGITS);
        pclose(program);
        assert_true(sha256_of_file(path, digits));
        assert_string_equal(digits, wanted);
    }
    unlink(path);
}

static void a_file_that_is_not_there_has_none(void **state) {
    char digits[SHA256_DIGITS + 1];
    (void)state;
    assert_false(sha256_of_file("no-such-file", digits));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_are_those_of_sha256sum),
        cmocka_unit_test(a_file_that_is_not_there_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
