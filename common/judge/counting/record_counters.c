#include "record_counters.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "model/counts.h"

/* "264", or "16x8" where there is more than one dimension. */
static const char *extent_text(const uint32_t extent[3], char text[48]) {
    int length = snprintf(text, 48, "%" PRIu32, extent[0]);
    if (extent[1] > 1 || extent[2] > 1)
        length += snprintf(text + length, 48 - length, "x%" PRIu32, extent[1]);
    if (extent[2] > 1)
        snprintf(text + length, 48 - length, "x%" PRIu32, extent[2]);
    return text;
}

static uint64_t volume(const uint32_t extent[3]) {
    return (uint64_t)extent[0] * extent[1] * extent[2];
}

static struct launches_fields launch_fields(const struct counters_launch *launch, char grid[48],
                                            char block[48]) {
    return (struct launches_fields){.op = launch->op,
                                    .kernel = launch->kernel,
                                    .line = launch->line,
                                    .grid = extent_text(launch->grid, grid),
                                    .block = extent_text(launch->block, block),
                                    .blocks = volume(launch->grid),
                                    .threads = volume(launch->block),
                                    .registers = launch->registers,
                                    .shared_bytes = launch->shared_bytes,
                                    .waves = launch->waves,
                                    .occupancy = launch->occupancy,
                                    .counted_blocks = launch->counted_blocks,
                                    .barriers = launch->barriers,
                                    .read_bytes = launch->read_bytes,
                                    .written_bytes = launch->written_bytes,
                                    .hot_adds = launch->hot_adds,
                                    .overlaps = launch->overlaps ? RECORD_TRUE : RECORD_FALSE};
}

static struct accesses_fields access_fields(const struct counters_access *access) {
    return (struct accesses_fields){.op = access->op,
                                    .kernel = access->kernel,
                                    .line = access->line,
                                    .source = access->source,
                                    .kind = access->kind,
                                    .space = access->space,
                                    COUNTS_FIGURES(access)};
}

static void add_counted(const struct counters *counters, struct recorded_counters *memory,
                        struct record_fields *fields) {
    memory->counted = (struct counted_fields){
        .gpu = counters->gpu, .rows = counters->rows, .columns = counters->columns, .calls = 1};
    for (size_t i = 0; i < counters->launches; i++)
        memory->launch[i] = launch_fields(&counters->launch[i], memory->grid[i], memory->block[i]);
    for (size_t i = 0; i < counters->accesses; i++)
        memory->access[i] = access_fields(&counters->access[i]);
    fields->counted = &memory->counted;
    fields->launches = (struct record_objects){memory->launch, counters->launches};
    fields->accesses = (struct record_objects){memory->access, counters->accesses};
    fields->has_counted = fields->has_launches = fields->has_accesses = true;
}

static void add_prediction(const struct counters *counters, size_t iterations,
                           struct recorded_counters *memory, struct record_fields *fields) {
    for (size_t i = 0; i < counters->shares; i++)
        memory->share[i] = (struct record_share){counters->share[i].unit, counters->share[i].share};
    fields->predicted_s = counters->predicted_s * iterations;
    fields->predicted_ci90_s[0] = counters->low_s * iterations;
    fields->predicted_ci90_s[1] = counters->high_s * iterations;
    fields->predicted_gpu = counters->gpu;
    fields->predicted_limit = counters->limit;
    fields->predicted_shares = (struct record_shares){memory->share, counters->shares};
    fields->predicted_with = counters->with_code ? "machine code" : "source";
    fields->has_predicted_s = fields->has_predicted_ci90_s = fields->has_predicted_gpu = true;
    fields->has_predicted_limit = fields->has_predicted_shares = fields->has_predicted_with = true;
}

void record_counters(const struct counters *counters, size_t iterations,
                     struct recorded_counters *memory, struct record_fields *fields) {
    if (!counters || !counters->there)
        return;
    add_counted(counters, memory, fields);
    if (counters->predicted_s > 0 && isfinite(counters->predicted_s))
        add_prediction(counters, iterations, memory, fields);
}
