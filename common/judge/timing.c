#define _GNU_SOURCE
#include "timing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "gpu_state.h"
#include "stats.h"

/* Time enough for clocks to rise from idle, seen on an H200; and once they have. */
static const double WARM_UP_S = 0.3, WARM_UP_AGAIN_S = 0.1;

/* A step's time depends on where its scratch memory lies, by 1 to 3 % where kernels wait for one
 * another, and takes one of a few values at random: the median of such values jumps. So a sample is
 * made in parts, and for each of them the step is set up anew, elsewhere. An even number of them:
 * some steps take 1 % longer in every other one. Measured: report/recorded/README.md. */
enum { PARTS = 4 };

/* The image makes a difference too, so that there are several, and with each a new process, where a
 * sample is so short that this is worth its time. Reads and launches alone differ less. */
enum { IN_ONE_PROCESS = 2 };
static const double SHORT_SAMPLE_S = 1;

/* Samples are added while the interval of their median is wider than this share of it. */
static const double WIDE_INTERVAL = 0.01;
enum { MOST_SAMPLES_FACTOR = 3 };

/* The two clocks may differ by this share before the record has to say why; by this, and the
 * judge's is the one that counts; by this, and a person should look. A step that prints is excused
 * from the last: the runner's process prints after the device has finished. */
static const double AUDIT_SHARE = 0.02, AUDIT_COUNTS = 0.05, AUDIT_FLAGS = 0.25;

/* A step on an input of which every element has to be read cannot take less than this share of the
 * time of the fastest read: the rest is noise. Where that time is short, launches decide. */
static const double FLOOR_SHARE = 0.93, FLOOR_LEAST_S = 5e-6;

/* A clock this far below the highest seen in the trial has dropped. */
static const double CLOCK_DROP = 0.95;
enum { MOST_RETAKES = 10 };

/* Calls timed with allocation and both copies, which take far longer than most steps. */
enum { WHOLE_CALLS = 5 };

/* Calls made while warming up grow fourfold from 1, and tell how many fit a sample: fewer than
 * `iterations` only where those would overrun the budget. */
static bool warm_up(struct trial *trial, const struct options *options, double seconds,
                    size_t *calls) {
    struct sample sample = {.calls = 1};
    for (double spent_s = 0;; sample.calls *= 4) {
        if (sample.calls > options->iterations)
            sample.calls = options->iterations;
        if (!trial_sample(trial, &sample))
            return false;
        spent_s += sample.audit_s;
        if (spent_s >= seconds)
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

static double median_of(const double *values, size_t count) {
    double sorted[MOST_SAMPLES];
    memcpy(sorted, values, count * sizeof *values);
    return stats_median(sorted, count);
}

static bool uncertain(const struct record *record) {
    double sorted[MOST_SAMPLES], low, high;
    memcpy(sorted, record->samples_s, sizeof sorted);
    double median = stats_median(sorted, record->samples);
    stats_interval95(sorted, record->samples, &low, &high);
    return high - low > WIDE_INTERVAL * median;
}

/* Go on in a new process. */
static bool next_process(struct trial *trial, const struct options *options) {
    size_t calls;
    return trial_restart(trial, options->runner) &&
           warm_up(trial, options, WARM_UP_AGAIN_S, &calls);
}

static void keep_sample(const struct sample *sample, double scale, struct record *record) {
    record->samples_s[record->samples] = sample->event_s * scale;
    record->audit_s[record->samples++] = sample->audit_s * scale;
    record->sm_mhz = sample->gpu.sm_mhz;
    record->memory_mhz = sample->gpu.memory_mhz;
}

/* One part, the step set up anew before. `why` as from disturbance(), where there is one. */
static bool take_part(struct trial *trial, struct sample *part, unsigned *highest_mhz,
                      const char **why) {
    if (!trial_tear_down(trial) || !trial_set_up_again(trial) || !trial_sample(trial, part))
        return false;
    const char *disturbed = disturbance(&part->gpu, highest_mhz);
    if (disturbed)
        *why = disturbed;
    return true;
}

/* A sample in parts, the sum of which it is. What it costs besides its calls, by the judge's clock,
 * tells one part more, without calls, which copies as many outputs as the others. */
static bool take_sample(struct trial *trial, struct sample *sum, double *overhead_s,
                        unsigned *highest_mhz, const char **why) {
    size_t parts = sum->calls < PARTS ? sum->calls : PARTS;
    *why = NULL;
    for (size_t i = 0; i < parts; i++) {
        size_t first = sum->calls * i / parts, end = sum->calls * (i + 1) / parts;
        struct sample part = {.calls = end - first, .part = true};
        if (!take_part(trial, &part, highest_mhz, why))
            return false;
        sum->event_s += part.event_s;
        sum->audit_s += part.audit_s;
        sum->gpu = part.gpu;
    }
    struct sample empty = {.copied = sum->calls / parts, .part = true};
    if (!take_part(trial, &empty, highest_mhz, why))
        return false;
    *overhead_s = empty.audit_s * parts;
    return true;
}

static bool take_samples(struct trial *trial, const struct options *options,
                         struct record *record) {
    size_t most = MOST_SAMPLES_FACTOR * options->samples;
    if (most > MOST_SAMPLES)
        most = MOST_SAMPLES;
    size_t taken = 0; /* in this process */
    bool several_processes = !options->read && !options->unchecked;
    double scale = (double)options->iterations / record->calls;
    unsigned retakes = 0, highest_mhz = 0;
    const char *why = NULL, *last_why = NULL;
    double overhead_s[MOST_SAMPLES];

    double start_s = clock_seconds(); /* samples beyond the first are added within the budget */
    struct sample sample = {0};
    while (record->samples < options->samples ||
           (record->samples < most && clock_seconds() - start_s < options->budget_s &&
            uncertain(record))) {
        if (several_processes && taken >= IN_ONE_PROCESS && sample.audit_s < SHORT_SAMPLE_S) {
            if (!next_process(trial, options))
                return false;
            taken = 0;
        }
        sample = (struct sample){.calls = record->calls};
        if (!take_sample(trial, &sample, &overhead_s[record->samples], &highest_mhz, &why))
            return false;
        if (why)
            last_why = why;
        if (why && retakes < MOST_RETAKES) {
            retakes++;
            continue;
        }
        keep_sample(&sample, scale, record);
        taken++;
    }
    record->overhead_s = median_of(overhead_s, record->samples);
    if (retakes)
        note(record, "%u samples taken again (%s)%s", retakes, last_why,
             why ? ", and it did not end" : "");
    if (record->samples > options->samples)
        note(record, "%zu samples, because the first %zu spread too much", record->samples,
             options->samples);
    return true;
}

/* Which of the two clocks counts. The device's events see nothing of what the runner's process
 * does, and a step could have its own hand in them. */
static void audit(struct trial *trial, double overhead_s, struct record *record) {
    double scale = (double)record->iterations / record->calls;
    double event_s = median_of(record->samples_s, record->samples) / scale;
    double audit_s = median_of(record->audit_s, record->samples) / scale;
    double beyond_s = audit_s - overhead_s - event_s;
    if (event_s > 0 && fabs(audit_s - event_s) <= AUDIT_SHARE * event_s)
        return;
    bool counts = !(event_s > 0 && beyond_s <= AUDIT_COUNTS * event_s);
    bool explained = !counts && fabs(beyond_s) <= AUDIT_SHARE * event_s;
    note(record,
         "a sample took %.4g ms by the judge's clock and %.4g ms by the device's events: %s",
         audit_s * 1e3, event_s * 1e3,
         counts      ? "the judge's clock counts"
         : explained ? "the difference is what starting and ending a sample costs"
                     : "unexplained");
    if (!counts)
        return;
    for (size_t i = 0; i < record->samples; i++)
        record->samples_s[i] = fmax(record->audit_s[i] - overhead_s * scale, 1e-9 * scale);
    if (!(event_s > 0 && beyond_s <= AUDIT_FLAGS * event_s) && !trial->process.printed_bytes)
        trial_settle(
            trial, VERDICT_FLAGGED,
            "clocks that disagree: a sample of %zu calls took %.4g ms by the judge's clock, of "
            "which %.4g ms are its own, and %.4g ms by the device's events",
            record->calls, audit_s * 1e3, overhead_s * 1e3, event_s * 1e3);
}

/* Faster than the memory. */
static void check_floor(struct trial *trial, const struct options *options,
                        const struct record *record) {
    if (!record->roof_gbps || options->warm || trial->source.elements ||
        trial->source.input->early_exit)
        return;
    double call_s = median_of(record->samples_s, record->samples) / record->iterations;
    double floor_s = record->bytes / record->roof_gbps / 1e9;
    if (floor_s >= FLOOR_LEAST_S && call_s < FLOOR_SHARE * floor_s)
        trial_settle(
            trial, VERDICT_FLAGGED,
            "faster than the memory: %.4g us a call, and reading its input takes %.4g us at the "
            "fastest read of this run; no right answer is possible without reading all of it",
            call_s * 1e6, floor_s * 1e6);
}

void time_step(struct trial *trial, const struct options *options, struct record *record) {
    if (!warm_up(trial, options, WARM_UP_S, &record->calls) ||
        !take_samples(trial, options, record)) {
        record->samples = 0;
        return;
    }
    struct sample synced = {.calls = record->calls, .synced = true};
    struct sample whole = {.calls = record->calls < WHOLE_CALLS ? record->calls : WHOLE_CALLS,
                           .whole = true};
    if (!trial_sample(trial, &synced) || !trial_sample(trial, &whole)) {
        record->samples = 0;
        return;
    }
    record->synced_s = synced.done_s * options->iterations / synced.calls;
    record->whole_s = whole.done_s * options->iterations / whole.calls;
    if (options->unchecked)
        return; /* launching alone is bound by the processor, which events do not see */
    audit(trial, options->overhead_s ? options->overhead_s : record->overhead_s, record);
    check_floor(trial, options, record);
}
