/* Tests of report/lib/source.h, by the sums that sha256sum prints. */
#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "lib/source.h"

static const char of_abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

static void sums_of_texts(void **state) {
    static char text[120];
    (void)state;
    assert_string_equal(sha256(""),
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(sha256("abc"), of_abc);
    memset(text, 'a', 55); /* the last that fits a block with its length */
    assert_string_equal(sha256(text),
                        "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    text[55] = 'a';
    assert_string_equal(sha256(text),
                        "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    memset(text, 'a', 119);
    assert_string_equal(sha256(text),
                        "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
}

static void lines_that_mark_a_solution_do_not_count(void **state) {
    char path[] = "/tmp/histolab-source-XXXXXX";
    static const char text[] = "/* BEGIN SOLUTION: x */\nabc\n";
    int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    struct sums sums = sums_of(path);
    assert_true(has_sum(&sums, sha256("abc\n")));
    assert_true(has_sum(&sums, sha256(text)));
    assert_false(has_sum(&sums, of_abc));
    unlink(path);
    sums = sums_of(path);
    assert_false(has_sum(&sums, sha256("abc\n")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_texts),
        cmocka_unit_test(lines_that_mark_a_solution_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
