#define _GNU_SOURCE
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/clock.h"
#include "gpu_state.h"
#include "stats.h"

/* Time enough for clocks to rise from idle, seen on an H200; and where they have. */
static const double WARM_UP_S = 0.3, WARM_UP_AGAIN_S = 0.05;

/* A step's time is one of a few, up to 3 % apart, as its memory, its code and the input happen to
 * lie: it depends on the process, and on where its scratch memory is (measured:
 * report/recorded/README.md). The median of such times would jump. So a sample is made in parts,
 * each in a process of its own, on a strip of its own, and the step set up anew for it, its memory
 * elsewhere. A round makes one part of several samples in each process, and ends them together.
 * Where a process more or less decides about how long many steps take, and a per cent does not
 * matter, the parts are spread over fewer processes. */
enum { PARTS = MOST_PROCESSES, ROUND = 5 };

/* Where a single call is longer than a sample should be, there are fewer samples: together they
 * take no more than this many times the budget, but for the first. */
static const double OVERRUN = 3;

/* What lies where is worth a fraction of a microsecond a call: nothing to a call that takes this
 * long, and processes take time. Reads and launches alone differ less. */
static const double LONG_CALL_S = 1e-3;

/* From process to process a time jumps by about this share, a read's or a long call's by the second
 * (report/recorded/README.md). Where the parts of a round share a process they do not show it. */
static const double PROCESS_SHARE = 0.003, STEADY_SHARE = 0.0015;

/* Samples are added while the interval of their median is wider than this share of it: with fewer
 * processes than parts, the second. */
static const double WIDE_INTERVAL = 0.01, WIDE_FOR_FEW = 0.03;
enum { MOST_SAMPLES_FACTOR = 3 };

/* The two clocks may differ by this share before the record has to say why; by this, and the
 * judge's is the one that counts; by this, and a person should look. A step that prints is excused
 * from the last: the runner's process prints after the device has finished. */
static const double AUDIT_SHARE = 0.02, AUDIT_COUNTS = 0.05, AUDIT_FLAGS = 0.25;

/* A step on an input of which every element has to be read cannot take less than this share of the
 * time of the fastest read: the rest is noise. Where that time is short, launches decide. */
static const double FLOOR_SHARE = 0.93, FLOOR_LEAST_S = 5e-6;

/* A clock this far below the highest has dropped, or has not risen yet. What was taken under such a
 * disturbance is taken again, for so long, as a share of the budget. */
static const double CLOCK_DROP = 0.95, RETAKE_SHARE = 0.5;

/* Calls timed with allocation and both copies, which take far longer than most steps. */
enum { WHOLE_CALLS = 5 };

/* Samples of calls with a synchronize after each; no further one after so many seconds. */
enum { SYNCED_SAMPLES = 5 };
static const double SYNCED_S = 0.2;

static bool has_risen(const struct gpu_state *state) {
    struct device_fields gpu = {0};
    gpu_add_settings(&gpu);
    return state->known && gpu.max_sm_mhz > 0 && state->sm_mhz >= CLOCK_DROP * gpu.max_sm_mhz;
}

/* Calls made while warming up grow fourfold from 1, and tell what a call takes. */
static bool warm_up(struct trial *trial, bool again, double *call_s) {
    struct sample sample = {.calls = 1};
    for (double spent_s = 0;; sample.calls *= 4) {
        if (sample.calls > trial->max_calls)
            sample.calls = trial->max_calls;
        if (!trial_sample(trial, &sample))
            return false;
        spent_s += sample.audit_s;
        if (spent_s >= (again || has_risen(&sample.gpu) ? WARM_UP_AGAIN_S : WARM_UP_S))
            break;
    }
    *call_s = sample.audit_s / sample.calls;
    return true;
}

/* How many calls make a sample: fewer than there is room for only where those would overrun the
 * budget. */
static size_t calls_that_fit(const struct trial *trial, const struct options *options,
                             double call_s) {
    double fit = options->budget_s / options->samples / call_s;
    return fit >= trial->max_calls ? trial->max_calls : fit < 1 ? 1 : (size_t)fit;
}

/* How many samples: as many as were asked for, unless each is a call that takes so long. */
static size_t samples_that_fit(const struct options *options, double call_s) {
    double fit = OVERRUN * options->budget_s / call_s;
    return fit >= options->samples ? options->samples : fit < 1 ? 1 : (size_t)fit;
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

/* The taking of a step's samples, and how it goes. */
struct taking {
    struct trial *trial;
    const struct options *options;
    struct record *record;
    bool several_processes;
    double empty_s[MOST_SAMPLES * PARTS], least_s[MOST_SAMPLES * PARTS];
    size_t empties;

    unsigned highest_mhz, retakes;
    double retaken_s;
    const char *disturbed; /* by what, last */
    bool kept_disturbed;   /* something was kept all the same */
};

/* The first is running already. Where a per cent does not matter, further rounds stay in the same
 * processes. */
static bool next_process(struct taking *taking) {
    double call_s;
    size_t asked = taking->options->processes;
    bool first = taking->record->processes == 0;
    bool enough = asked < PARTS && taking->record->processes >= asked;
    if (!first && (enough || !taking->several_processes))
        return true;
    taking->record->processes++;
    return first || (trial_restart(taking->trial) && warm_up(taking->trial, true, &call_s));
}

static bool set_up_and_sample(struct trial *trial, struct sample *sample) {
    return trial_tear_down(trial) && trial_set_up_again(trial) && trial_sample(trial, sample);
}

/* One part, taken again if it was disturbed. */
static bool take_part(struct taking *taking, struct sample *part) {
    for (;;) {
        double start_s = clock_seconds();
        if (!set_up_and_sample(taking->trial, part))
            return false;
        const char *why = disturbance(&part->gpu, &taking->highest_mhz);
        if (!why)
            return true;
        taking->disturbed = why;
        if (taking->retaken_s > RETAKE_SHARE * taking->options->budget_s) {
            taking->kept_disturbed = true;
            return true;
        }
        taking->retakes++;
        taking->retaken_s += clock_seconds() - start_s;
    }
}

/* What a part costs besides its calls, by the judge's clock: a sample without calls tells, which
 * copies as many outputs. It follows other calls without a new set-up: a tear-down may expect that
 * there have been calls since the set-up. Reads also show the least that a part costs: with one
 * output. */
static bool take_empty(struct taking *taking, size_t copied) {
    struct sample empty = {.copied = copied, .part = true}, least = {.copied = 1, .part = true};
    if (!trial_sample(taking->trial, &empty))
        return false;
    if (taking->options->kind == KIND_READ && !trial_sample(taking->trial, &least))
        return false;
    taking->least_s[taking->empties] = least.audit_s;
    taking->empty_s[taking->empties++] = empty.audit_s;
    return true;
}

/* The samples of a round share what makes a part differ from others, so they are one value. Those
 * of a step whose sample is a single call share nothing. */
static void keep_part(struct record *record, const double *call_s, size_t count) {
    if (record->calls > 1)
        record->parts_s[record->parts++] = stats_median_of(call_s, count);
    else
        for (size_t i = 0; i < count; i++)
            record->parts_s[record->parts++] = call_s[i];
}

/* One part of each sample of a round. */
static bool take_parts(struct taking *taking, size_t calls, struct sample *samples, size_t count) {
    double call_s[ROUND];
    for (size_t i = 0; i < count; i++) {
        struct sample part = {.calls = calls, .part = true};
        if (!take_part(taking, &part))
            return false;
        samples[i].event_s += part.event_s;
        samples[i].audit_s += part.audit_s;
        samples[i].gpu = part.gpu;
        call_s[i] = part.event_s / calls;
    }
    keep_part(taking->record, call_s, count);
    return true;
}

static void keep_sample(const struct sample *sample, struct record *record) {
    double scale = (double)record->iterations / record->calls;
    record->samples_s[record->samples] = sample->event_s * scale;
    record->audit_s[record->samples++] = sample->audit_s * scale;
    record->fields.sm_mhz = sample->gpu.sm_mhz;
    record->fields.memory_mhz = sample->gpu.memory_mhz;
}

static size_t parts_of(size_t calls) { return calls < PARTS ? calls : PARTS; }

/* Whether that part is its process's first. */
static bool starts_process(const struct taking *taking, size_t part) {
    size_t processes = taking->options->processes;
    return part == 0 || part * processes / PARTS != (part - 1) * processes / PARTS;
}

/* Some steps take 1 % longer in every other sample of a process (opt08 to opt12 on an H200). With
 * the empty part last in one process and first in the next, each sample gets as many of either. */
static bool take_round(struct taking *taking, size_t count) {
    struct sample samples[ROUND] = {0};
    size_t calls = taking->record->calls, parts = parts_of(calls);
    for (size_t p = 0; p < parts; p++) {
        size_t first = calls * p / parts, end = calls * (p + 1) / parts;
        bool empty_first = p % 2;
        if ((starts_process(taking, p) && !next_process(taking)) ||
            (empty_first && !take_empty(taking, calls / parts)) ||
            !take_parts(taking, end - first, samples, count) ||
            (!empty_first && !take_empty(taking, calls / parts)))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        keep_sample(&samples[i], taking->record);
    return true;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* What another run's median would be: another run has other processes and other places. */
static void choose_interval(const struct taking *taking) {
    struct record *record = taking->record;
    double median_s = stats_median_of(record->samples_s, record->samples);
    double process_s =
        (taking->several_processes ? PROCESS_SHARE : STEADY_SHARE) * median_s / record->iterations;
    bool apart = taking->several_processes && taking->options->processes == PARTS;
    double half_s = stats_next_run(record->parts_s, record->parts,
                                   apart ? 0 : process_s * process_s / record->processes) *
                    record->iterations;
    record->fields.ci95_s[0] = half_s < median_s ? median_s - half_s : 0;
    record->fields.ci95_s[1] = half_s < median_s ? median_s + half_s : 0;
}

static bool uncertain(const struct taking *taking, double wide) {
    const struct record *record = taking->record;
    choose_interval(taking);
    return !(record->fields.ci95_s[1] - record->fields.ci95_s[0] <=
             wide * record->fields.ci95_s[1]) ||
           !record->fields.ci95_s[1];
}

static bool take_samples(struct trial *trial, const struct options *options, double call_s,
                         struct record *record) {
    struct taking taking = {.trial = trial, .options = options, .record = record};
    taking.several_processes = !kind_streams(options->kind) && call_s < LONG_CALL_S;

    double start_s = clock_seconds(); /* samples beyond those asked for come within the budget */
    size_t fit = samples_that_fit(options, call_s);
    while (record->samples < fit)
        if (!take_round(&taking, smaller(ROUND, fit - record->samples)))
            return false;
    size_t most = smaller(MOST_SAMPLES_FACTOR * options->samples, MOST_SAMPLES);
    double wide = options->processes < PARTS ? WIDE_FOR_FEW : WIDE_INTERVAL;
    while (uncertain(&taking, wide) && record->samples < most &&
           clock_seconds() - start_s < options->budget_s)
        if (!take_round(&taking, smaller(ROUND, most - record->samples)))
            return false;

    record->fields.overhead_s =
        stats_median_of(taking.empty_s, taking.empties) * parts_of(record->calls);
    record->part_overhead_s = stats_median_of(taking.least_s, taking.empties);
    if (taking.retakes)
        record_note(record, "%u parts of samples taken again (%s)%s", taking.retakes,
                    taking.disturbed, taking.kept_disturbed ? ", and it did not end" : "");
    if (fit < options->samples)
        record_note(record, "%zu of %zu samples, because a call takes %.3g s", record->samples,
                    options->samples, call_s);
    if (record->samples > options->samples)
        record_note(record, "%zu samples, because the first %zu spread too much", record->samples,
                    options->samples);
    return true;
}

/* What may lie between the two clocks of a sample: what the step's own parts without calls took.
 * These a step could make slow, so it is no more than what reads took for as many parts and
 * outputs. */
static double allowed_overhead(const struct trial *trial, const struct options *options,
                               const struct record *record) {
    if (options->kind != KIND_STEP || !options->overhead_s)
        return record->fields.overhead_s;
    double outputs_s = options->overhead_s - PARTS * options->part_overhead_s;
    double most_s = parts_of(record->calls) * options->part_overhead_s +
                    fmax(outputs_s, 0) * record->calls / trial->max_calls;
    return fmin(record->fields.overhead_s, options->part_overhead_s ? most_s : options->overhead_s);
}

/* Which of the two clocks counts. The device's events see nothing of what the runner's process
 * does, and a step could have its own hand in them. */
static void audit(struct trial *trial, double overhead_s, struct record *record) {
    double scale = (double)record->iterations / record->calls;
    double event_s = stats_median_of(record->samples_s, record->samples) / scale;
    double audit_s = stats_median_of(record->audit_s, record->samples) / scale;
    double beyond_s = audit_s - overhead_s - event_s;
    if (event_s > 0 && fabs(audit_s - event_s) <= AUDIT_SHARE * event_s)
        return;
    bool counts = !(event_s > 0 && beyond_s <= AUDIT_COUNTS * event_s);
    if (!counts && fabs(beyond_s) <= AUDIT_SHARE * event_s)
        return; /* it is what starting and ending a sample costs */
    record_note(record,
                "a sample took %.4g ms by the judge's clock and %.4g ms by the device's events: %s",
                audit_s * 1e3, event_s * 1e3, counts ? "the judge's clock counts" : "unexplained");
    if (!counts)
        return;
    for (size_t i = 0; i < record->samples; i++)
        record->samples_s[i] = fmax(record->audit_s[i] - overhead_s * scale, 1e-9 * scale);
    double longer =
        event_s > 0 ? stats_median_of(record->samples_s, record->samples) / scale / event_s : 0;
    for (int end = 0; end < 2; end++)
        record->fields.ci95_s[end] *= longer;
    if (!(event_s > 0 && beyond_s <= AUDIT_FLAGS * event_s) && !trial->process.printed_bytes)
        trial_settle(
            trial, VERDICT_FLAGGED,
            "clocks that disagree: a sample of %zu calls took %.4g ms by the judge's clock, of "
            "which %.4g ms are its own, and %.4g ms by the device's events",
            record->calls, audit_s * 1e3, overhead_s * 1e3, event_s * 1e3);
}

/* A step that is faster than the memory. A read may be faster than the other reads: its sum tells
 * that it has read everything. */
static void check_floor(struct trial *trial, const struct options *options,
                        const struct record *record) {
    if (options->kind != KIND_STEP || !record->fields.roof_gbps || options->warm ||
        trial->source.elements || trial->source.input->early_exit)
        return;
    double call_s = stats_median_of(record->samples_s, record->samples) / record->iterations;
    double floor_s = record->fields.bytes / record->fields.roof_gbps /
                     1e9; /* what is written may stay in a cache */
    if (floor_s >= FLOOR_LEAST_S && call_s < FLOOR_SHARE * floor_s)
        trial_settle(
            trial, VERDICT_FLAGGED,
            "faster than the memory: %.4g us a call, and reading its input takes %.4g us at the "
            "fastest read of this run; no right answer is possible without reading all of it",
            call_s * 1e6, floor_s * 1e6);
}

/* Warm up, and take the samples. Whoever is slow while warming up alone makes as many calls all the
 * same: few calls leave more room between the two clocks. */
static bool take_time(struct trial *trial, const struct options *options, struct record *record) {
    double call_s;
    if (!warm_up(trial, false, &call_s))
        return false;
    for (;;) {
        record->calls = calls_that_fit(trial, options, call_s);
        if (!take_samples(trial, options, call_s, record))
            return false;
        call_s = stats_median_of(record->audit_s, record->samples) / record->iterations;
        if (calls_that_fit(trial, options, call_s) < 2 * record->calls)
            return true;
        record->samples = record->parts = record->processes = 0;
        record->notes[0] = '\0';
    }
}

/* Whether a call alone takes the whole budget. Beside that, synchronizing and copying are nothing.
 */
static bool takes_budget(const struct options *options, const struct record *record) {
    return stats_median_of(record->audit_s, record->samples) / record->iterations >
           options->budget_s;
}

/* Calls with a synchronize after each. Each waits for the processor, so that single samples differ
 * by up to 4 %: the median of several, where that takes no time to speak of. */
static bool take_synced(struct trial *trial, const struct options *options, struct record *record) {
    double synced_s[SYNCED_SAMPLES], spent_s = 0;
    size_t count = 0;
    while (count < SYNCED_SAMPLES && spent_s < SYNCED_S) {
        struct sample synced = {.calls = record->calls, .synced = true};
        if (!trial_sample(trial, &synced))
            return false;
        synced_s[count++] = synced.done_s * options->iterations / synced.calls;
        spent_s += synced.done_s;
    }
    record->fields.synced_s = stats_median_of(synced_s, count);
    return true;
}

/* Calls with allocation and copies. */
static bool take_whole(struct trial *trial, const struct options *options, struct record *record) {
    struct sample whole = {.calls = smaller(record->calls, WHOLE_CALLS), .whole = true};
    if (!trial_sample(trial, &whole))
        return false;
    record->fields.whole_s = whole.done_s * options->iterations / whole.calls;
    return true;
}

void time_step(struct trial *trial, const struct options *options, struct record *record) {
    bool right = take_time(trial, options, record) &&
                 (takes_budget(options, record) ||
                  (take_synced(trial, options, record) && take_whole(trial, options, record)));
    if (!right)
        record->samples = 0;
    if (!right || options->kind == KIND_EMPTY)
        return; /* launching alone is bound by the processor, which events do not see */
    audit(trial, allowed_overhead(trial, options, record), record);
    check_floor(trial, options, record);
}
