/* Tests of common/problems/opt_texthisto/problem.c: its expected outputs, its solutions, its files.
 */
#include "sister.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* Seven letter groups, and what is none of them. */
static const char *const groups[TEXT_BINS] = {"abcd", "efgh", "ijkl", "mnop", "qrst", "uvwx", "yz"};
static unsigned char bin_of[256];

static int fill_bins(void **state) {
    (void)state;
    memset(bin_of, TEXT_BINS, sizeof bin_of);
    for (int bin = 0; bin < TEXT_BINS; bin++)
        for (const char *letter = groups[bin]; *letter; letter++)
            bin_of[(unsigned char)*letter] = (unsigned char)bin;
    return 0;
}

static void check_outputs(const struct strip *strip, const void *index, size_t row) {
    const uint8_t *text = strip_row(strip, row);
    uint32_t counts[TEXT_BINS + 1] = {0}, expected[TEXT_BINS], solved[TEXT_BINS];

    for (size_t i = 0; i < window_size(strip); i++)
        counts[bin_of[text[i]]]++;
    problem.expect(strip, index, row, expected);
    assert_memory_equal(expected, counts, sizeof expected);
    for (const struct solution *solution = problem.solutions; solution->name; solution++) {
        solution->solve(text, strip->window, solved);
        assert_memory_equal(solved, counts, sizeof expected);
    }
}

static void expected_outputs_and_solutions_equal_naive_counts(void **state) {
    (void)state;
    for_all_windows(check_outputs);
}

static void the_1000_outputs_of_a_sample_all_differ(void **state) {
    struct strip strip = quarter_of_the_graded();

    (void)state;
    check_answers_differ(&strip, compare_outputs, same_outputs);
    free(strip.elements);
}

static atomic_bool prepared;

static void *prepare_often(void *strip) {
    for (int i = 0; i < 40; i++)
        free(problem.prepare(strip));
    prepared = true;
    return NULL;
}

/* On a GPU the graded strip is drawn and prepared while another one is checked. */
static void a_strip_is_checked_while_another_is_prepared(void **state) {
    struct strip strip = filled(&problem.inputs[0], (struct shape){4095, 1}, 1, 1, 1);
    void *index = problem.prepare(&strip);
    uint32_t before[TEXT_BINS], now[TEXT_BINS];
    pthread_t thread;

    (void)state;
    problem.expect(&strip, index, 0, before);
    assert_int_equal(pthread_create(&thread, NULL, prepare_often, &strip), 0);
    while (!prepared) {
        problem.expect(&strip, index, 0, now);
        assert_memory_equal(now, before, sizeof before);
    }
    pthread_join(thread, NULL);
    free(index);
    free(strip.elements);
}

static void a_file_is_taken_byte_by_byte(void **state) {
    char path[] = "/tmp/histolab-text-XXXXXX", error[256];
    struct shape shape;
    void *elements;
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a\0\377\r\n", 5), 5);
    close(fd);
    assert_true(problem.load(path, &shape, &elements, error, sizeof error));
    assert_int_equal(shape.rows, 5);
    assert_int_equal(shape.columns, 1);
    assert_memory_equal(elements, "a\0\377\r\n", 5);
    free(elements);
    unlink(path);
    assert_false(problem.load(path, &shape, &elements, error, sizeof error));
    assert_non_null(strstr(error, path));
    assert_non_null(strstr(error, "No such file"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_outputs_and_solutions_equal_naive_counts),
        cmocka_unit_test(the_1000_outputs_of_a_sample_all_differ),
        cmocka_unit_test(a_strip_is_checked_while_another_is_prepared),
        cmocka_unit_test(a_file_is_taken_byte_by_byte),
    };
    return cmocka_run_group_tests(tests, fill_bins, NULL);
}
