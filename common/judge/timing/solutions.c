#define _GNU_SOURCE
#include "solutions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "judge/clock.h"
#include "cores.h"
#include "judge/fault.h"
#include "layout.h"
#include "judge/outputs.h"
#include "stats.h"
#include "judge/strip.h"
#include "judge/trial.h"

/* On processors that others use, too, a call's time has no fixed centre: the wall clock of the same
 * loop, 5.6 ms alone, had medians of 18 to 50 ms from minute to minute on a busy machine. Two
 * things bring it to rest. A solution of one thread is timed by that thread's own clock, which
 * stands while others have the processor. And what disturbs only ever adds time: so the calls are
 * cut into periods, and the fastest of each is a sample. Calls are made until the samples agree to
 * this share, for the budget at the most; if they still do not, the record says how far they are
 * apart. Of fewer samples than these, no interval would hold the median with 95 %. */
static const double LEAST_S = 0.5, NARROW = 0.02;

/* Runs differ by more than their own samples do: eight runs of the reference within some minutes,
 * on two cores with twenty processes that wanted them. Widened by this, the interval of a run held
 * the median of another in 49 of 56 pairs; as it was, in 31. */
static const double RUN_SHARE = 0.02;

enum { SAMPLES = 6, MOST_CALLS = 4096, WINDOWS = 100 };

static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* ---- timing ----------------------------------------------------------------------------- */

struct timed {
    const struct solution *solution;
    struct trial *trial;
    struct record *record;
    uint64_t windows[WINDOWS];
    void *expected, *got;
    double spent_s;    /* by the judge's clock, in calls */
    bool on_all_cores; /* and so by that clock alone */
};

static void check_output(struct timed *timed, uint64_t window) {
    struct record *record = timed->record;
    struct shape shape = timed->trial->strip.window;
    char why[256];
    problem.expect(&timed->trial->strip, timed->trial->index, window, timed->expected);
    record->error = trial_worst_error(timed->trial, record->error, timed->expected, timed->got);
    if (!outputs_wrong(&problem, shape, timed->expected, timed->got, why, sizeof why))
        return;
    record->verdict.kind = VERDICT_WRONG;
    snprintf(record->verdict.detail, sizeof record->verdict.detail, "%s", why);
}

/* Seconds of the next call. */
static double call(struct timed *timed) {
    const struct solution *solution = timed->solution;
    uint64_t window = timed->windows[timed->record->calls++ % WINDOWS];
    const void *input = strip_row(&timed->trial->strip, window);
    size_t runs = cores_runs();
    double start_s = clock_seconds(), thread_s = thread_seconds();
    solution->solve(input, timed->trial->strip.window, timed->got);
    thread_s = thread_seconds() - thread_s;
    double wall_s = clock_seconds() - start_s;
    timed->spent_s += wall_s;
    timed->on_all_cores = cores_runs() != runs;
    check_output(timed, window);
    return timed->on_all_cores ? wall_s : thread_s;
}

/* The fastest call of each period; whether they agree. From the least to the most of six samples is
 * the interval that holds the median with 95 % (Conover, Practical Nonparametric Statistics,
 * section 3.2); it is wider by what runs differ by beyond that. */
static bool choose_samples(struct record *record, const double *seconds) {
    record->samples = SAMPLES;
    double least = INFINITY, most = 0;
    for (size_t s = 0; s < SAMPLES; s++) {
        double fastest = INFINITY;
        for (size_t c = record->calls * s / SAMPLES; c < record->calls * (s + 1) / SAMPLES; c++)
            fastest = fmin(fastest, seconds[c]);
        record->samples_s[s] = fastest * record->iterations;
        least = fmin(least, fastest);
        most = fmax(most, fastest);
    }
    record->fields.ci95_s[0] = least * record->iterations * (1 - RUN_SHARE);
    record->fields.ci95_s[1] = most * record->iterations * (1 + RUN_SHARE);
    return most - least <= NARROW * least;
}

static void take_samples(struct timed *timed, const struct options *options) {
    struct record *record = timed->record;
    double seconds[MOST_CALLS];
    record->samples = record->calls = 0;
    if (!device_timed(&record->device)) { /* only whether they are right */
        record->samples_s[record->samples++] = call(timed) * record->iterations;
        return;
    }
    for (bool agree = false; !agree && record->calls < MOST_CALLS;) {
        size_t next = record->calls;
        seconds[next] = call(timed);
        if (record->calls < SAMPLES)
            continue;
        if (timed->spent_s >= options->budget_s)
            break;
        agree = choose_samples(record, seconds) && timed->spent_s >= LEAST_S;
    }
    choose_samples(record, seconds);
}

static void time_solution(const struct solution *solution, struct trial *trial,
                          const struct options *options, struct record *record) {
    struct timed timed = {.solution = solution, .trial = trial, .record = record};
    const struct shape window = trial->strip.window;
    strip_windows(&trial->strip, trial->random, timed.windows, WINDOWS);
    timed.expected = allocate(outputs_expected_bytes(&problem, window));
    timed.got = allocate(outputs_bytes(&problem, window));
    record->verdict = (struct verdict){.kind = VERDICT_PASS};
    record->error = -1;
    record->fields.step = solution->name;
    record->notes[0] = '\0';
    take_samples(&timed, options);
    if (timed.on_all_cores)
        record_note(record, "%zu threads, each on a core of its own", cores_count());
    else
        record_note(record, "by the clock of its thread");
    free(timed.expected);
    free(timed.got);
}

/* ---- where the input lies --------------------------------------------------------------- */

/* Each core touches its share of each region first, and a window is a region's start or lies a
 * little behind it: so on a machine of several nodes nearly all that a core will read is near it.
 * Whoever fills the strip finds the pages there. */
static void touch_share(void *argument, size_t core, size_t cores) {
    enum { PAGE = 4096 };
    const struct strip *strip = argument;
    size_t region = strip->region_rows * strip_row_bytes(strip);
    for (size_t r = 0; r < strip->regions; r++) {
        char *bytes = (char *)strip->elements + r * region;
        for (size_t b = cores_begin(region, core, cores); b < cores_begin(region, core + 1, cores);
             b += PAGE)
            bytes[b] = 0;
    }
}

void solutions_time(const struct options *options, struct record *record) {
    uint64_t random = options->source.seed;
    struct trial trial = {.random = &random, .max_calls = 1};
    trial_prepare(&trial, &problem, layout_graded(&problem, options, &record->device),
                  &options->source);
    cores_run(touch_share, &trial.strip);
    trial_draw(&trial);
    for (const struct solution *solution = problem.solutions; solution->name; solution++) {
        time_solution(solution, &trial, options, record);
        if (solution == problem.solutions) {
            record->fields.reference_s = stats_median_of(record->samples_s, record->samples);
            if (record->verdict.kind != VERDICT_PASS)
                fault("reference and expected outputs differ: %s", record->verdict.detail);
        }
        record_append(record, options->record);
    }
    if (device_timed(&record->device))
        options_tell(options, "reference-seconds", record->fields.reference_s);
}
