/* Tests of report/lib/rows.h and idea.h. tests/cli/rows.bats has what report/rows prints of
 * records. */
#include "unit.h"

#include <glob.h>
#include <math.h>
#include <unistd.h>

#include "lib/idea.h"
#include "lib/rows.h"
#include "lib/steps.h"
#include "lib/text.h"

static char path[] = "/tmp/histolab-rows-XXXXXX";

static struct rows read_text(const char *text) {
    struct rows rows = {0};
    int file = mkstemp(strcpy(path, "/tmp/histolab-rows-XXXXXX"));
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    read_rows(&rows, path);
    finish_rows(&rows);
    unlink(path);
    return rows;
}

#define RECORD(more)                                                                               \
    "{\"step\":\"opt02_x\",\"kind\":\"step\",\"problem\":\"opt_sum\",\"input\":\"walk\","          \
    "\"verdict\":\"pass\",\"device\":{\"kind\":\"gpu\",\"name\":\"x\"},\"iterations\":500," more   \
    "}\n"

static void a_time_is_of_one_call(void **state) {
    (void)state;
    struct rows rows =
        read_text(RECORD("\"median_s\":0.5,\"ci95_s\":[0.4,0.6],\"reference_s\":10"));
    assert_int_equal(rows.count, 1);
    assert_true(rows.row[0]->us == 1000 && rows.row[0]->us_low == 800);
    assert_true(rows.row[0]->speedup == 20 && rows.row[0]->success);
    assert_true(isnan(rows.row[0]->joules) && isnan(rows.row[0]->r.gbps));
    assert_string_equal(rows.row[0]->r.intended, "pass");
}

static void what_is_wrong_has_no_speed(void **state) {
    (void)state;
    struct rows rows = read_text(RECORD("\"median_s\":0.5,\"intended\":\"wrong\""));
    assert_false(isnan(rows.row[0]->us));
    rows = read_text("{\"step\":\"a\",\"verdict\":\"wrong\",\"median_s\":0.5,\"iterations\":5}\n");
    assert_true(isnan(rows.row[0]->us) && !rows.row[0]->success);
}

static void the_later_one_counts_in_the_earlier_ones_place(void **state) {
    (void)state;
    struct rows rows = read_text(RECORD("\"median_s\":0.5") "{\"step\":\"b\"}\n" RECORD(
        "\"median_s\":0.25,\"rows\":10,\"columns\":2"));
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.row[0]->line, 3);
    assert_true(rows.row[0]->us == 500 && rows.row[0]->elements == 20);
    assert_string_equal(rows.row[1]->r.step, "b");
}

/* Of two runs in one table the later one's own reference counts, in whatever order they stand. */
static void one_reference_counts_for_all(void **state) {
    (void)state;
    static const char of_cpu[] =
        "{\"step\":\"reference\",\"kind\":\"baseline\",\"problem\":\"opt_sum\","
        "\"input\":\"walk\",\"device\":{\"kind\":\"gpu\",\"name\":\"x\"},"
        "\"iterations\":500,\"reference_s\":20}\n";
    struct rows rows =
        read_text(say("%s%s", of_cpu, RECORD("\"median_s\":0.5,\"reference_s\":10")));
    assert_int_equal(rows.count, 2);
    assert_true(rows.row[1]->speedup == 40);
}

static void marks_of_pages_cannot_be_forged(void **state) {
    (void)state;
    struct rows rows =
        read_text("{\"step\":\"a\",\"detail\":\"\\u0001\\u0007javascript:x\\u0008\"}\n");
    assert_null(strpbrk(rows.row[0]->r.detail, "\001\002\003\004\005\006\007\010"));
}

static void demands_are_understood_or_refused(void **state) {
    (void)state;
    struct demand demand;
    assert_true(parse_demand("blocks >= 2 * multiprocessors", &demand));
    assert_true(demand.multiple && demand.value == 2);
    assert_true(parse_demand("waves <= multiprocessors", &demand));
    assert_true(demand.multiple && demand.value == 1);
    assert_true(parse_demand("bank-conflicts <= 5 %", &demand));
    assert_true(!demand.multiple && demand.value == 5);
    static const char *const wrong[] = {"",
                                        "blockss > 1",
                                        "blocks => 1",
                                        "blocks > 5 %",
                                        "size = 1",
                                        "blocks",
                                        "blocks >",
                                        "blocks of f = 1",
                                        "blocks = many",
                                        "blocks > -1",
                                        "blocks >= 1 * warps",
                                        "bank-conflicts <= 5",
                                        "bank-conflicts <= 2 * multiprocessors"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(parse_demand(wrong[i], &demand));
}

/* Half of the 64 bytes are enough, though a later launch reads more. */
static void the_first_launch_that_reads_the_input_counts(void **state) {
    (void)state;
    struct rows rows = read_text(
        "{\"step\":\"opt05_multiblock\",\"verdict\":\"pass\",\"rows\":16,\"columns\":1,\"bytes\":64,"
        "\"counted\":{\"gpu\":\"h200\",\"rows\":16,\"columns\":1},\"launches\":["
        "{\"kernel\":\"first\",\"blocks\":1,\"line\":7,\"read_bytes\":32},"
        "{\"kernel\":\"second\",\"blocks\":1000,\"line\":8,\"read_bytes\":40}]}\n");
    assert_non_null(strstr(idea_of(rows.row[0]), "but first has 1 "));
}

static void what_the_steps_demand_is_understood(void **state) {
    glob_t steps;
    size_t demands = 0;
    (void)state;
    assert_int_equal(glob("labs/*", GLOB_ONLYDIR, NULL, &steps), 0);
    for (size_t i = 0; i < steps.gl_pathc; i++) {
        const char *step = steps.gl_pathv[i] + strlen("labs/");
        for (char *at = (char *)step_header(step, "counters"); *at; demands++) {
            struct demand demand;
            size_t length = strcspn(at, "\n");
            if (!parse_demand(say("%.*s", (int)length, at), &demand))
                fail_msg("%s/step.md: counters: %.*s is no demand", step, (int)length, at);
            at += length + (at[length] == '\n');
        }
    }
    assert_true(demands >= 30);
    globfree(&steps);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_time_is_of_one_call),
        cmocka_unit_test(what_is_wrong_has_no_speed),
        cmocka_unit_test(the_later_one_counts_in_the_earlier_ones_place),
        cmocka_unit_test(one_reference_counts_for_all),
        cmocka_unit_test(marks_of_pages_cannot_be_forged),
        cmocka_unit_test(demands_are_understood_or_refused),
        cmocka_unit_test(the_first_launch_that_reads_the_input_counts),
        cmocka_unit_test(what_the_steps_demand_is_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
