#define _GNU_SOURCE
#include "energy.h"

#include <math.h>
#include <unistd.h>

#include "judge/clock.h"
#include "gpu_state.h"
#include "layout.h"
#include "power.h"
#include "stats.h"

/* The first calls are left out: power, clocks and what a driver averages over have settled then. */
static const double WARM_UP_S = 1.5;

/* What follows is looked at in parts, which show how far power varies. */
enum { PARTS = 3 };

/* Power without calls: after so long with an idle process, over so long. */
static const double SETTLE_S = 2, IDLE_S = 2;

/* A call takes as long as in the samples, up to this share, or the record has to say so. */
static const double OTHER_SHARE = 0.1;

/* Outputs take no more of this machine's memory than this share of what is free. */
static const double MEMORY_SHARE = 0.5;

static double time_of_call(const struct record *record) {
    return stats_median_of(record->samples_s, record->samples) / record->iterations;
}

static bool has_room(const struct options *options, const struct device *device) {
    struct footprint needed = layout_footprint(options, device);
    return needed.host <= MEMORY_SHARE * memory_available() &&
           (!(device->memory_bytes > 0) || needed.device <= device->memory_bytes);
}

/* A long call may have phases of different power, so there are at least two. */
size_t energy_calls(const struct options *options, struct record *record) {
    struct options longer = *options;
    double call_s = time_of_call(record), seconds = WARM_UP_S + options->energy_s;
    if (call_s > options->energy_s) {
        record_note(record, "no energy: a call takes %.3g s, longer than it is measured", call_s);
        return 0;
    }
    longer.iterations = fmax(2, ceil(seconds / call_s));
    while (longer.iterations > 1 && !has_room(&longer, &record->device))
        longer.iterations /= 2;
    size_t calls = layout_calls(&longer);
    if (calls * call_s >= seconds / 2 && calls >= 2)
        return calls;
    record_note(record, "no energy: there is no memory for the outputs of enough calls");
    return 0;
}

static double idle_watts(void) {
    power_begin();
    double start_s = clock_seconds();
    usleep((SETTLE_S + IDLE_S) * 1e6);
    return power_between(power_end(), start_s + SETTLE_S, start_s + SETTLE_S + IDLE_S).watts;
}

/* All calls take the same time, as far as anybody knows: then the energy of one is the power of a
 * part times that. */
static bool add_up(const struct power_log *log, double start_s, double end_s, double call_s,
                   struct energy_fields *energy) {
    double watts[PARTS], first_s = start_s + WARM_UP_S, part_s = (end_s - first_s) / PARTS;
    for (int i = 0; i < PARTS; i++) {
        watts[i] = power_between(log, first_s + i * part_s, first_s + (i + 1) * part_s).watts;
        if (!(watts[i] > 0))
            return false;
    }
    struct power all = power_between(log, first_s, end_s);
    energy->watts = stats_median(watts, PARTS); /* which puts them in order */
    energy->low = watts[0] * call_s;
    energy->high = watts[PARTS - 1] * call_s;
    energy->joules = energy->watts * call_s;
    energy->call_s = call_s;
    energy->sm_mhz = all.sm_mhz;
    energy->temperature_c[0] = all.temperature_c[0];
    energy->temperature_c[1] = all.temperature_c[1];
    return true;
}

/* Why the counter, which is the whole board's, would not tell of this process alone, or NULL. */
static const char *not_alone(const struct gpu_state *state) {
    struct device_fields gpu = {0};
    gpu_add_settings(&gpu);
    return state->processes > 1     ? "other processes were on the GPU"
           : gpu.mig == RECORD_TRUE ? "others may use parts of the GPU (MIG)"
                                    : NULL;
}

void energy_measure(struct trial *trial, const struct options *options, struct record *record) {
    struct energy_fields *energy = &record->energy;
    energy->idle_watts = options->idle_watts ? options->idle_watts : idle_watts();
    struct sample sample = {.calls = trial->max_calls};
    power_begin();
    bool right = trial_sample(trial, &sample);
    const struct power_log *log = power_end();
    if (!right)
        return;

    double start_s = trial->idle_since_s - sample.audit_s, call_s = sample.done_s / sample.calls;
    const char *why = log->count ? not_alone(&sample.gpu) : "the GPU has no counter of it";
    if (!why && sample.done_s < WARM_UP_S + options->energy_s / 2)
        why = "its calls were over sooner than their samples foretold";
    if (!why && !add_up(log, start_s, start_s + sample.done_s, call_s, energy))
        why = "the GPU's counter was renewed too seldom";
    if (why) {
        record_note(record, "no energy: %s", why);
        return;
    }
    energy->calls = sample.calls;
    double usual_s = time_of_call(record);
    if (sample.gpu.slowdown)
        record_note(record, "%s while its energy was measured", sample.gpu.slowdown);
    if (fabs(call_s - usual_s) > OTHER_SHARE * usual_s)
        record_note(record, "a call took %.4g us while its energy was measured", call_s * 1e6);
}
