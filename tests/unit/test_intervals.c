/* Intervals of measured times, made anew from the parts of five runs in a row of 14 steps and CUB
 * on one GPU, each part in a process of its own. An interval is right if the median of another run
 * lies in it, which 95 of 100 should. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/timing/stats.h"
#include "record/fields.h"

enum { MOST = 200 };

static const char file[] = "report/recorded/evidence/five-runs-h100.jsonl.gz";

struct timed {
    char step[40];
    double median, half; /* of a call */
};

static size_t read_timed(struct timed *timed) {
    FILE *in = popen("gzip -dc report/recorded/evidence/five-runs-h100.jsonl.gz", "r");
    struct json_error error;
    struct record_fields r;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    size_t count = 0;
    assert_non_null(in);
    while ((length = getline(&line, &room, in)) > 0 && count < MOST) {
        const char *why = record_read(json_read(line, length, &error), &r);
        if (*why)
            fail_msg("%s: %s", file, why);
        bool apart = r.has_parts_s && r.processes == r.parts_s.count;
        if (!apart || strcmp(r.kind, "empty") == 0)
            continue;
        timed[count].median = r.median_s / r.iterations;
        timed[count].half = stats_next_run(r.parts_s.item, r.parts_s.count, 0);
        snprintf(timed[count++].step, sizeof timed->step, "%s", r.step);
    }
    assert_int_equal(pclose(in), 0);
    free(line);
    return count;
}

static void an_interval_holds_another_runs_median(void **state) {
    struct timed timed[MOST];
    size_t count = read_timed(timed), pairs = 0, inside = 0;

    (void)state;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++) {
            if (a == b || strcmp(timed[a].step, timed[b].step) != 0)
                continue;
            pairs++;
            inside += fabs(timed[b].median - timed[a].median) <= timed[a].half;
        }
    assert_true(pairs >= 16 * 20);
    print_message("%zu of %zu medians lie in another run's interval\n", inside, pairs);
    assert_true(inside >= 0.90 * pairs && inside <= 0.97 * pairs);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_interval_holds_another_runs_median)};

    return cmocka_run_group_tests_name("intervals", tests, NULL, NULL);
}
