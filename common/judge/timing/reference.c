#define _GNU_SOURCE
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "judge/clock.h"
#include "judge/fault.h"
#include "layout.h"
#include "judge/outputs.h"
#include "stats.h"
#include "judge/strip.h"
#include "judge/trial.h"

/* On processors that others use, too, a call's time has no fixed centre: the wall clock of the same
 * loop, 5.6 ms alone, had medians of 18 to 50 ms from minute to minute on a busy machine. Two
 * things bring it to rest. A call is timed by its thread's own clock, which stands while others
 * have the processor. And what disturbs only ever adds time: so the calls are cut into periods, and
 * the fastest of each is a sample. Calls are made until the samples agree to this share, for the
 * budget at the most; if they still do not, the record says how far they are apart. Of fewer
 * samples than these, no interval would hold the median with 95 %. */
static const double LEAST_S = 0.5, NARROW = 0.02;

/* Runs differ by more than their own samples do: eight runs of the reference within some minutes,
 * on two cores with twenty processes that wanted them. Widened by this, the interval of a run held
 * the median of another in 49 of 56 pairs; as it was, in 31. */
static const double RUN_SHARE = 0.02;

enum { SAMPLES = 6, MOST_CALLS = 4096, WINDOWS = 100 };

struct timed {
    struct trial *trial;
    struct record *record;
    uint64_t windows[WINDOWS];
    void *expected, *got;
    double spent_s; /* by the judge's clock, in calls */
};

static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void check_output(struct timed *timed, uint64_t window) {
    struct record *record = timed->record;
    struct shape shape = timed->trial->strip.window;
    char why[256];
    problem.expect(&timed->trial->strip, timed->trial->index, window, timed->expected);
    record->error = trial_worst_error(timed->trial, record->error, timed->expected, timed->got);
    if (outputs_wrong(&problem, shape, timed->expected, timed->got, why, sizeof why))
        fault("reference and expected outputs differ: %s", why);
}

/* Seconds of the next call. */
static double call(struct timed *timed) {
    uint64_t window = timed->windows[timed->record->calls++ % WINDOWS];
    const void *input = strip_row(&timed->trial->strip, window);
    double start_s = clock_seconds(), thread_s = thread_seconds();
    problem.reference(input, timed->trial->strip.window, timed->got);
    thread_s = thread_seconds() - thread_s;
    timed->spent_s += clock_seconds() - start_s;
    check_output(timed, window);
    return thread_s;
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

void reference_time(const struct options *options, struct record *record) {
    uint64_t random = options->source.seed;
    struct trial trial = {.random = &random, .max_calls = 1};
    trial_prepare(&trial, &problem, layout_graded(&problem, options, &record->device),
                  &options->source);
    trial_draw(&trial);
    const struct shape window = trial.strip.window;
    struct timed timed = {.trial = &trial,
                          .record = record,
                          .expected = allocate(outputs_expected_bytes(&problem, window)),
                          .got = allocate(outputs_bytes(&problem, window))};
    strip_windows(&trial.strip, &random, timed.windows, WINDOWS);
    record->fields.step = "reference";
    take_samples(&timed, options);
    free(timed.expected);
    free(timed.got);
    record->fields.reference_s = stats_median_of(record->samples_s, record->samples);
    record_note(record, "by the clock of its thread");
    record_append(record, options->record);
    if (device_timed(&record->device))
        options_append_run(options->run, "reference-seconds", record->fields.reference_s);
}
