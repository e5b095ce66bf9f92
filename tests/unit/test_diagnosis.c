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

static struct launch_size launch; /* that the runner tells of */
static enum races races;          /* that it saw */

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
    diagnosis_launch(diagnosis, launch);
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

/* ---- which elements are counted --------------------------------------------------------- */

static size_t from, to, step, times; /* of the loop below */

static void count_loop(const struct view *view, uint32_t *counts) {
    for (size_t turn = 0; turn < times; turn++)
        for (size_t i = from; i < view->size + to; i += step)
            counts[view->image[i]]++;
}

static struct mistake_made loop(size_t first, long end, size_t stride, size_t turns) {
    from = first;
    to = (size_t)end;
    step = stride;
    times = turns;
    return (struct mistake_made){.count = count_loop};
}

static void ends_of_the_input(void **state) {
    (void)state;
    expect_both(loop(0, -1, 1, 1), "The last pixel is left out.");
    expect_both(loop(0, -11, 1, 1), "The last 11 pixels are left out: what remains when the size, "
                                    "61147, is divided by 16");
    expect_both(loop(0, -30574, 1, 1), "Only the first half of the pixels is used.");
}

static void so_many_times(void **state) {
    (void)state;
    expect_both(loop(0, 0, 1, 2), "Every count is 2 times what it should be.");
    expect_text(loop(0, 0, 1, 264), problem.check_input, problem.check_shape, CALLS,
                "Every count is at least");
}

/* ---- how elements are shared out among threads ------------------------------------------ */

/* A kernel in words: every thread of the launch runs this. */
static void (*kernel)(const struct view *view, uint32_t *counts, size_t block, size_t thread);

static void count_by_threads(const struct view *view, uint32_t *counts) {
    for (size_t block = 0; block < launch.blocks; block++)
        for (size_t thread = 0; thread < launch.threads; thread++)
            kernel(view, counts, block, thread);
}

/* The last stretch is as long as the others. */
static void takes_one(const struct view *view, uint32_t *counts, size_t block, size_t thread) {
    size_t i = block * launch.threads + thread;
    if (i < view->size)
        counts[view->image[i]]++;
}

static void takes_a_column(const struct view *view, uint32_t *counts, size_t block, size_t thread) {
    for (size_t y = block; y < view->rows; y += launch.blocks)
        if (thread < view->columns)
            counts[view->image[y * view->columns + thread]]++;
}

static void takes_a_row(const struct view *view, uint32_t *counts, size_t block, size_t thread) {
    for (size_t x = thread; block < view->rows && x < view->columns; x += launch.threads)
        counts[view->image[block * view->columns + x]]++;
}

static void keeps_its_own_bin(const struct view *view, uint32_t *counts, size_t block,
                              size_t thread) {
    for (size_t i = block * launch.threads + thread; i < view->size; i += launch_threads(launch))
        if (view->image[i] == thread)
            counts[thread]++;
}

static void expect_of_threads(struct launch_size of, const char *begins) {
    launch = of;
    expect_text((struct mistake_made){.count = count_by_threads}, problem.check_input,
                problem.check_shape, CALLS, begins);
    launch = (struct launch_size){0};
}

static void rows_columns_and_arrays(void **state) {
    const struct launch_size many = {16, 1024};

    (void)state;
    kernel = takes_one;
    expect_of_threads(many, "Only the first 16384 pixels are used, as many as there are threads");
    kernel = takes_a_column;
    expect_of_threads(many, "Only the first 1024 columns are used, as many as a block has threads");
    kernel = takes_a_row;
    expect_of_threads(many, "Only the first 16 rows are used, as many as there are blocks");
    kernel = keeps_its_own_bin;
    expect_of_threads(many, "Bin t has only those pixels that thread t of a block counted itself");
    expect_both(loop(0, 47 - (long)(47 * 1301), 1, 1),
                "Only the first 47 pixels are used, as many as there are rows.");
}

/* Without the launch, or with one that cannot be, nothing is said of threads. */
static void no_launch_no_threads(void **state) {
    (void)state;
    from = 0, to = 0, step = 32, times = 1;
    launch = (struct launch_size){UINT32_MAX, UINT32_MAX};
    expect_both(loop(0, 0, 32, 1), "");
    launch = (struct launch_size){0};
}

/* A size of more than 16 bits, and one sample of one call. */
static void count_16_bits(const struct view *view, uint32_t *counts) {
    for (size_t i = 0; i < (uint16_t)view->size; i++)
        counts[view->image[i]]++;
}

static void cut_sizes(void **state) {
    (void)state;
    struct mistake_made mistake = {.count = count_16_bits};
    expect_text(mistake, "walk", (struct shape){300, 700}, 1,
                "Only the first 13392 pixels are used, which is the size modulo 65536.");
    expect_text(mistake, "walk", (struct shape){512, 640}, 1,
                "The output is 0 all over, though the small check before it passed.");
}

/* ---- how counts are kept ---------------------------------------------------------------- */

static void wrap(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = counts[bin];
}

static void stop_at_200(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = counts[bin] < 200 ? counts[bin] : 200;
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

static void reverse_words(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = view->right[bin ^ 3];
}

static void lose_half_words(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view, (void)counts;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        if (bin % 4 > 1)
            bins[bin] = 0;
}

static void leave_the_last(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    if (view->call == CALLS - 1)
        memset(bins, POISON, HISTO_BINS);
}

static void leave_zeros(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        if (counts[bin] == 0)
            bins[bin] = POISON;
}

static void add_to_garbage(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = POISON + counts[bin];
}

static void kept_counts(void **state) {
    struct shape shape = problem.check_shape;
    (void)state;
    expect_text((struct mistake_made){.change = wrap}, "edges", shape, CALLS,
                "Counts wrap around at 256");
    expect_text((struct mistake_made){.change = stop_at_200}, "edges", shape, CALLS,
                "Counts stop at 200, not at 255.");
    expect_text((struct mistake_made){.change = lower_the_highest}, "uniform", shape, 1, "");
    expect_text((struct mistake_made){.change = leave_zeros}, "edges", shape, CALLS,
                "Bins that count nothing are not written");
    expect_both((struct mistake_made){.change = reverse_words},
                "Counts are in reverse order in groups of 4 bins.");
    expect_both((struct mistake_made){.change = lose_half_words},
                "Of every 4 bins, counted from 0, only 2 to 3 are wrong.");
    expect_text((struct mistake_made){.change = leave_the_last}, "edges", shape, CALLS, "");
    expect_both((struct mistake_made){.change = add_to_garbage},
                "The counts were added to what the output held");
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

static void write_zeros(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view, (void)counts;
    memset(bins, 0, HISTO_BINS);
}

static uint8_t kept[HISTO_BINS];

static void keep_the_first(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    if (view->call == 0 && view->round == 0)
        memcpy(kept, bins, HISTO_BINS);
    memcpy(bins, kept, HISTO_BINS);
}

static void come_late(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    if (view->call)
        memcpy(bins, view->right_before, HISTO_BINS);
    else
        memset(bins, 0, HISTO_BINS);
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

static void raise_bin_0(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view;
    bins[0] = count_shown(problem.counting, counts[0] + 71);
}

static void begin_with_garbage(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = count_shown(problem.counting, counts[bin] + 1 + random_below(view->random, 99));
}

static void lose_updates(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = counts[bin] / 2 > HISTO_MAX
                        ? HISTO_MAX
                        : bins[bin] - random_below(view->random, 2) * (bins[bin] > 9);
}

static void mix_up(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)counts;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = bins[bin] > 9 && bins[bin] < 200 ? bins[bin] + random_below(view->random, 5) - 2
                                                     : bins[bin];
}

static void patterns_over_calls(void **state) {
    (void)state;
    expect_both((struct mistake_made){.change = write_nothing}, "Nothing was written");
    expect_both((struct mistake_made){.change = write_once},
                "Only the first call of all is right, and no other writes anything.");
    expect_both((struct mistake_made){.change = write_zeros}, "The output is 0 all over. ");
    expect_both((struct mistake_made){.change = keep_the_first},
                "Every call gives the answer of the first one.");
    expect_both((struct mistake_made){.change = come_late},
                "Every call gives the answer of the call before it.");
    expect_text((struct mistake_made){.change = come_late}, "uniform", problem.check_shape, 2,
                "Every call gives the answer of the call before it.");
    expect_both((struct mistake_made){.change = never_clear},
                "Each call's answer is added to that of the calls before.");
    expect_both((struct mistake_made){.change = spoil_after_first},
                "Only the first call of all is right. ");
    expect_both((struct mistake_made){.change = raise_bin_0}, "Only bin 0 is too high.");
    expect_both((struct mistake_made){.change = begin_with_garbage},
                "The same calls made again give different outputs");
    expect_both((struct mistake_made){.change = lose_updates},
                "Results are too low, and by different");
    expect_text((struct mistake_made){.change = mix_up}, "uniform", problem.check_shape, CALLS,
                "The same calls made again give different outputs, some too high and some too low");
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

static void raise_all(const struct view *view, const uint32_t *counts, uint8_t *bins) {
    (void)view, (void)counts;
    for (int bin = 0; bin < HISTO_BINS; bin++)
        bins[bin] = 3 + bin % 5;
}

/* A sentence must have a meaning for the shape: no rows where there is only one, nothing too large
 * where all is small, no counts of 0 set apart where there are no others. */
static void what_is_said_fits_the_shape(void **state) {
    const struct shape row = {1, 61147}, column = {61147, 1}, small = {33, 2};
    const struct mistake_made zeros = {.change = write_zeros}, high = {.change = raise_all};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct shape shape = i ? row : column;
        expect_text(loop(0, -1, 1, 1), "uniform", shape, CALLS, "The last pixel is left out.");
    }
    expect_text(loop(0, -1, 1, 1), "uniform", small, CALLS, "");
    expect_text(zeros, "uniform", small, CALLS,
                "The output is 0 all over, though the check before it, of a larger size, passed.");
    expect_text(zeros, "uniform", (struct shape){300, 1301}, CALLS,
                "The output is 0 all over, though the small check before it passed.");
    expect_text(high, "uniform", (struct shape){0, 7}, CALLS, "");
    expect_text(high, "uniform", (struct shape){7, 0}, CALLS, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_the_input),
        cmocka_unit_test(so_many_times),
        cmocka_unit_test(rows_columns_and_arrays),
        cmocka_unit_test(no_launch_no_threads),
        cmocka_unit_test(cut_sizes),
        cmocka_unit_test(kept_counts),
        cmocka_unit_test(patterns_over_calls),
        cmocka_unit_test(of_corruption_nothing_is_said),
        cmocka_unit_test(of_right_outputs_nothing_is_said),
        cmocka_unit_test(small_and_empty_inputs),
        cmocka_unit_test(what_is_said_fits_the_shape),
    };

    return cmocka_run_group_tests_name("diagnosis", tests, NULL, NULL);
}
