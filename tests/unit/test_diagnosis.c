/* Tests of common/judge/diagnosis/diagnosis.c and look*.c on the saturating histogram: mistakes are
 * made here, on the CPU, and must be told by what they give; corruption that no mistake explains
 * must not. The cases of tests/changes/ make the same mistakes and more on a device. */
#include "unit.h"

#include "judge/diagnosis/diagnosis.h"
#include "judge/diagnosis/look.h"
#include "judge/strip.h"
#include "lab.h"
#include "random.h"

enum { CALLS = 8, POISON = 0xe5 };

/* One call of a sample, as a mistake sees it. */
struct view {
    const uint32_t *image;
    size_t rows, columns, size;
    size_t call, round; /* round 1: the same calls made again */
    const uint8_t *right, *right_before;
    uint64_t *random;
};

/* A mistake counts into `counts`, which are then saturated, or changes `bins` afterwards. */
struct mistake_made {
    void (*count)(const struct view *view, uint32_t *counts);
    void (*change)(const struct view *view, const uint32_t *counts, uint8_t *bins);
};

static void count_all(const struct view *view, uint32_t *counts) {
    for (size_t i = 0; i < view->size; i++)
        counts[view->image[i]]++;
}

static void make_call(const struct mistake_made *mistake, const struct view *view, uint8_t *bins) {
    uint32_t counts[HISTO_BINS] = {0};
    (mistake->count ? mistake->count : count_all)(view, counts);
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = count_shown(problem.counting, counts[bin]);
    if (mistake->change)
        mistake->change(view, counts, bins);
}

static enum races races; /* that the runner saw */

/* What is said of a sample made with a mistake: "" if nothing is. */
static const char *diagnose(const struct mistake_made *mistake, const char *input_name,
                            struct shape shape, size_t calls) {
    static char text[512];
    const struct input *input = problem.inputs;
    while (strcmp(input->name, input_name) != 0)
        input++;
    struct strip strip = strip_plan(&problem, shape, calls, calls, input->slide);
    strip.elements = malloc(strip_bytes(&strip));
    assert_non_null(strip.elements);
    input->fill(&strip, 20261120);
    void *index = problem.prepare(&strip);
    uint64_t random = 7, rows[CALLS];
    strip_windows(&strip, &random, rows, calls);

    static uint8_t outputs[2][CALLS * HISTO_BINS];
    struct diagnosis *diagnosis = diagnosis_begin(&problem, &strip, calls, POISON, true);
    diagnosis_races(diagnosis, races);
    for (size_t round = 0; round < 2; round++)
        for (size_t call = 0; call < calls; call++) {
            uint8_t *got = outputs[round] + call * HISTO_BINS;
            const uint8_t *right = diagnosis_expected(diagnosis, call);
            if (round == 0)
                problem.expect(&strip, index, rows[call], diagnosis_expected(diagnosis, call));
            struct view view = {strip_row(&strip, rows[call]),
                                shape.rows,
                                shape.columns,
                                shape.rows * shape.columns,
                                call,
                                round,
                                right,
                                call ? diagnosis_expected(diagnosis, call - 1) : NULL,
                                &random};
            make_call(mistake, &view, got);
            if (round == 0 && memcmp(got, right, HISTO_BINS) != 0)
                diagnosis_wrong(diagnosis, call, rows[call], got);
        }
    bool named = diagnosis_name(diagnosis, (char *)outputs[0], (char *)outputs[1], HISTO_BINS, text,
                                sizeof text);
    assert_int_equal(named, text[0] != '\0');
    diagnosis_end(diagnosis);
    free(index);
    free(strip.elements);
    return text;
}

static void expect_text(struct mistake_made mistake, const char *input, struct shape shape,
                        size_t calls, const char *begins) {
    const char *text = diagnose(&mistake, input, shape, calls);
    if (strncmp(text, begins, strlen(begins)) != 0 || (!*begins && *text))
        fail_msg("expected '%s', on %s %zux%zu: got '%s'", begins, input, shape.rows, shape.columns,
                 text);
}

/* On the input of the check, and on another one without saturated bins. */
static void expect_both(struct mistake_made mistake, const char *begins) {
    expect_text(mistake, problem.check_input, problem.check_shape, CALLS, begins);
    expect_text(mistake, "uniform", (struct shape){47, 1301}, CALLS, begins);
}

/* ---- how counts are kept ---------------------------------------------------------------- */

static void wrap(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = counts[bin];
}

/* The highest count alone is not what counts stop at. */
static void lower_the_highest(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    int highest = 0, next = 1;
    (void)view;
    for (int bin = 1; bin < HISTO_BINS; bin++)
        if (counts[bin] > counts[highest])
            next = highest, highest = bin;
        else if (counts[bin] > counts[next])
            next = bin;
    bins[highest] = bins[next];
}

static void leave_the_last(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    if (view->call == CALLS - 1)
        memset(bins, POISON, HISTO_BINS);
}

static void kept_counts(void **state) {
    struct shape shape = problem.check_shape;
    (void)state;
    expect_text((struct mistake_made){.change = wrap}, "edges", shape, CALLS,
                "Large counts lack multiples of 256");
    expect_text((struct mistake_made){.change = lower_the_highest}, "uniform", shape, 1, "");
    expect_text((struct mistake_made){.change = leave_the_last}, "edges", shape, CALLS, "");
}

/* ---- over several calls ----------------------------------------------------------------- */

static void write_nothing(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view, (void)counts;
    memset(bins, POISON, HISTO_BINS);
}

static void write_once(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    if (view->call || view->round)
        write_nothing(view, counts, bins);
}

static uint32_t running[HISTO_BINS];

static void never_clear(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    if (view->call == 0 && view->round == 0)
        memset(running, 0, sizeof running);
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = count_shown(problem.counting, running[bin] += counts[bin]);
}

static void spoil_after_first(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    if (view->call || view->round)
        for (int bin = 0; bin < 20; bin++)
            bins[random_below(view->random, HISTO_BINS)] ^= 1 + bin;
}

static void begin_with_garbage(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = count_shown(problem.counting, counts[bin] + 1 + random_below(view->random, 99));
}

static void mix_up(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = bins[bin] > 9 && bins[bin] < 200 ? bins[bin] + random_below(view->random, 5) - 2
                                                     : bins[bin];
}

static void patterns_over_calls(void **state) {
    (void)state;
    expect_both((struct mistake_made){.change = write_once},
                "Only the first call of all is right. ");
    expect_both((struct mistake_made){.change = never_clear},
                "Each call's answer is added to that of the calls before.");
    expect_both((struct mistake_made){.change = spoil_after_first},
                "Only the first call of all is right. ");
    expect_both((struct mistake_made){.change = begin_with_garbage},
                "The same calls made again give different outputs");
    expect_text((struct mistake_made){.change = mix_up}, "uniform", problem.check_shape, CALLS,
                "The same calls made again give different outputs");
    races = RACES_NONE;
    expect_text((struct mistake_made){.change = mix_up}, "uniform", problem.check_shape, CALLS,
                "No race was seen: what comes out depends on the order in which");
    races = RACES_UNKNOWN;
}

/* ---- nothing to say --------------------------------------------------------------------- */

static size_t spoiled; /* bins of a call */

static void spoil(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    uint64_t random = view->call * 1000003 + spoiled;
    for (size_t i = 0; i < spoiled; i++) {
        uint64_t bin = random_below(&random, HISTO_BINS);
        bins[bin] += 1 + random_below(&random, 254);
    }
}

static void lower_one(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    int bin = 0;
    while (bins[bin] < 2)
        bin++;
    bins[bin + view->call % 2] -= 1;
}

static void garbage(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    uint64_t random = view->call;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = random_next(&random);
}

/* Every other call writes nothing, and the others garbage. */
static void nothing_or_garbage(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (view->call % 2 ? write_nothing : garbage)(view, counts, bins);
}

static void of_corruption_nothing_is_said(void **state) {
    static const size_t numbers[] = {1, 3, 100};
    const struct shape small = {31, 511};

    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++)
        for (const struct input *input = problem.inputs; input->name; input++) {
            spoiled = numbers[i];
            expect_text((struct mistake_made){.change = spoil}, input->name, small, CALLS, "");
            expect_text((struct mistake_made){.change = spoil}, input->name, small, 1, "");
        }
    expect_both((struct mistake_made){.change = lower_one}, "");
    expect_both((struct mistake_made){.change = garbage}, "");
    expect_both((struct mistake_made){.change = nothing_or_garbage}, "");
}

static void of_right_outputs_nothing_is_said(void **state) {
    (void)state;
    for (const struct input *input = problem.inputs; input->name; input++)
        expect_text((struct mistake_made){0}, input->name, problem.check_shape, CALLS, "");
}

/* Strange sizes must not lead a rule out of its strip. */
static void small_and_empty_inputs(void **state) {
    static const struct shape shapes[] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 2}, {2, 1}, {3, 3}};

    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        struct mistake_made mistake = {.change = garbage};
        diagnose(&mistake, "uniform", shapes[i], CALLS);
        mistake.change = write_nothing;
        diagnose(&mistake, "uniform", shapes[i], 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_counts),
        cmocka_unit_test(patterns_over_calls),
        cmocka_unit_test(of_corruption_nothing_is_said),
        cmocka_unit_test(of_right_outputs_nothing_is_said),
        cmocka_unit_test(small_and_empty_inputs),
    };

    return cmocka_run_group_tests_name("diagnosis", tests, NULL, NULL);
}
