#define _GNU_SOURCE
#include "timing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gpu_state.h"
#include "stats.h"

/* Time enough for clocks to rise from idle, seen on an H200. */
static const double WARM_UP_S = 0.3;

/* Samples are added while the interval of their median is wider than this share of it. */
static const double WIDE_INTERVAL = 0.01;
enum { MOST_SAMPLES_FACTOR = 3 };

/* The two clocks may differ by this share before the record has to say why. */
static const double AUDIT_SHARE = 0.02;

/* A clock this far below the highest seen in the trial has dropped. */
static const double CLOCK_DROP = 0.95;
enum { MOST_RETAKES = 10 };

/* Calls timed with allocation and both copies, which take far longer than most steps. */
enum { WHOLE_CALLS = 5 };

/* Calls made while warming up grow fourfold from 1, and tell how many fit a sample: fewer than
 * `iterations` only where those would overrun the budget. */
static bool warm_up(struct trial *trial, const struct options *options, size_t *calls) {
    struct sample sample = {.calls = 1};
    for (double spent_s = 0;; sample.calls *= 4) {
        if (sample.calls > options->iterations)
            sample.calls = options->iterations;
        if (!trial_sample(trial, &sample))
            return false;
        spent_s += sample.audit_s;
        if (spent_s >= WARM_UP_S)
            break;
    }
    double fit = options->budget_s / options->samples / (sample.audit_s / sample.calls);
    *calls = fit >= options->iterations ? options->iterations : fit < 1 ? 1 : (size_t)fit;
    return true;
}

static void note(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct record *record, const char *format, ...) {
    size_t length = strlen(record->notes);
    va_list arguments;
    va_start(arguments, format);
    if (length && length < sizeof record->notes - 3)
        length += sprintf(record->notes + length, "; ");
    vsnprintf(record->notes + length, sizeof record->notes - length, format, arguments);
    va_end(arguments);
}

/* Why a sample just taken should be taken again, or NULL. */
static const char *disturbance(const struct gpu_state *state, unsigned *highest_mhz) {
    if (!state->known)
        return NULL;
    if (state->slowdown)
        return state->slowdown;
    if (state->processes > 1)
        return "other processes on the GPU";
    if (state->sm_mhz > *highest_mhz)
        *highest_mhz = state->sm_mhz;
    return state->sm_mhz < CLOCK_DROP * *highest_mhz ? "clock drop" : NULL;
}

static bool uncertain(const struct record *record) {
    double sorted[MOST_SAMPLES], low, high;
    memcpy(sorted, record->samples_s, sizeof sorted);
    double median = stats_median(sorted, record->samples);
    stats_interval95(sorted, record->samples, &low, &high);
    return high - low > WIDE_INTERVAL * median;
}

static bool take_samples(struct trial *trial, const struct options *options,
                         struct record *record) {
    size_t most = MOST_SAMPLES_FACTOR * options->samples;
    if (most > MOST_SAMPLES)
        most = MOST_SAMPLES;
    double scale = (double)options->iterations / record->calls;
    unsigned retakes = 0, highest_mhz = 0;
    const char *why = NULL, *last_why = NULL;

    double spent_s = 0; /* samples beyond the first are added within the budget */
    while (record->samples < options->samples ||
           (record->samples < most && spent_s < options->budget_s && uncertain(record))) {
        struct sample sample = {.calls = record->calls};
        if (!trial_sample(trial, &sample))
            return false;
        spent_s += sample.audit_s;
        why = disturbance(&sample.gpu, &highest_mhz);
        if (why)
            last_why = why;
        if (why && retakes < MOST_RETAKES) {
            retakes++;
            continue;
        }
        record->samples_s[record->samples] = sample.event_s * scale;
        record->audit_s[record->samples++] = sample.audit_s * scale;
        record->sm_mhz = sample.gpu.sm_mhz;
        record->memory_mhz = sample.gpu.memory_mhz;
    }
    if (retakes)
        note(record, "%u samples taken again (%s)%s", retakes, last_why,
             why ? ", and it did not end" : "");
    if (record->samples > options->samples)
        note(record, "%zu samples, because the first %zu spread too much", record->samples,
             options->samples);
    return true;
}

/* What a sample costs besides its calls, by the judge's clock: one without calls tells. */
static bool sample_overhead(struct trial *trial, double *overhead_s) {
    *overhead_s = INFINITY;
    for (int turn = 0; turn < 3; turn++) {
        struct sample sample = {.calls = 0};
        if (!trial_sample(trial, &sample))
            return false;
        *overhead_s = fmin(*overhead_s, sample.audit_s);
    }
    return true;
}

static void audit(const struct options *options, double overhead_s, struct record *record) {
    double events[MOST_SAMPLES], clock[MOST_SAMPLES];
    memcpy(events, record->samples_s, sizeof events);
    memcpy(clock, record->audit_s, sizeof clock);
    double scale = (double)options->iterations / record->calls;
    double event_s = stats_median(events, record->samples) / scale;
    double audit_s = stats_median(clock, record->samples) / scale;
    if (fabs(audit_s - event_s) <= AUDIT_SHARE * event_s)
        return;
    bool explained = fabs(audit_s - overhead_s - event_s) <= AUDIT_SHARE * event_s;
    note(record,
         "a sample took %.4g ms by the judge's clock and %.4g ms by the device's events: %s",
         audit_s * 1e3, event_s * 1e3,
         explained ? "the difference is what starting and ending a sample costs" : "unexplained");
}

void time_step(struct trial *trial, const struct options *options, struct record *record) {
    double overhead_s;
    if (!warm_up(trial, options, &record->calls) || !sample_overhead(trial, &overhead_s) ||
        !take_samples(trial, options, record)) {
        record->samples = 0;
        return;
    }
    if (!options
             ->unchecked) /* launching alone is bound by the processor, which events do not see */
        audit(options, overhead_s, record);
    struct sample synced = {.calls = record->calls, .synced = true};
    struct sample whole = {.calls = record->calls < WHOLE_CALLS ? record->calls : WHOLE_CALLS,
                           .whole = true};
    if (trial_sample(trial, &synced) && trial_sample(trial, &whole)) {
        record->synced_s = synced.audit_s * options->iterations / synced.calls;
        record->whole_s = whole.audit_s * options->iterations / whole.calls;
    } else {
        record->samples = 0;
    }
}
