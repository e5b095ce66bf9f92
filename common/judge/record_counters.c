// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "record_counters.h"

#include <inttypes.h>
#include <math.h>

#include "json.h"

/* A counter is a number also where it is 0. */
static void counter(FILE *out, const char *key, uint64_t value) {
    fprintf(out, ",\"%s\":%" PRIu64, key, value);
}

static void write_counted(FILE *out, const struct counters *counters) {
    fputs(",\"counted\":{\"gpu\":", out);
    json_text(out, counters->gpu);
    counter(out, "rows", counters->rows);
    counter(out, "columns", counters->columns);
    fputs(",\"calls\":1}", out);
}

/* "264", or "16x8" where there is more than one dimension. */
static void write_extent(FILE *out, const char *key, const uint32_t extent[3]) {
    char text[48];
    int length = snprintf(text, sizeof text, "%" PRIu32, extent[0]);
    if (extent[1] > 1 || extent[2] > 1)
        length += snprintf(text + length, sizeof text - length, "x%" PRIu32, extent[1]);
    if (extent[2] > 1)
        snprintf(text + length, sizeof text - length, "x%" PRIu32, extent[2]);
    json_string(out, key, text);
}

static uint64_t volume(const uint32_t extent[3]) {
    return (uint64_t)extent[0] * extent[1] * extent[2];
}

static void write_launch(FILE *out, const struct counters_launch *launch) {
    fprintf(out, "{\"op\":%" PRIu64, launch->op);
    json_string(out, "kernel", launch->kernel);
    counter(out, "line", launch->line);
    write_extent(out, "grid", launch->grid);
    write_extent(out, "block", launch->block);
    counter(out, "blocks", volume(launch->grid));
    counter(out, "threads", volume(launch->block));
    json_number(out, "registers", launch->registers);
    counter(out, "shared_bytes", launch->shared_bytes);
    json_number(out, "waves", launch->waves);
    json_number(out, "occupancy", launch->occupancy);
    counter(out, "counted_blocks", launch->counted_blocks);
    counter(out, "barriers", launch->barriers);
    counter(out, "read_bytes", launch->read_bytes);
    counter(out, "written_bytes", launch->written_bytes);
    counter(out, "hot_adds", launch->hot_adds);
    fprintf(out, ",\"overlaps\":%s}", launch->overlaps ? "true" : "false");
}

static void write_access(FILE *out, const struct counters_access *access) {
    fprintf(out, "{\"op\":%" PRIu64, access->op);
    json_string(out, "kernel", access->kernel);
    counter(out, "line", access->line);
    json_string(out, "source", access->source);
    json_string(out, "kind", access->kind);
    json_string(out, "space", access->space);
    counter(out, "bytes", access->bytes);
    counter(out, "requests", access->requests);
    counter(out, "lanes", access->lanes);
    counter(out, "sectors", access->sectors);
    counter(out, "lines", access->lines);
    counter(out, "wavefronts", access->wavefronts);
    counter(out, "conflicts", access->conflicts);
    counter(out, "same", access->same);
    counter(out, "most", access->most);
    fputc('}', out);
}

static void write_shares(FILE *out, const struct counters *counters) {
    const char *between = "";
    fputs(",\"predicted_shares\":{", out);
    for (size_t i = 0; i < counters->shares; i++) {
        if (!isfinite(counters->share[i].share))
            continue;
        fputs(between, out);
        json_text(out, counters->share[i].unit);
        fprintf(out, ":%.4g", counters->share[i].share);
        between = ",";
    }
    fputc('}', out);
}

static void write_prediction(FILE *out, const struct counters *counters, size_t iterations) {
    double interval[] = {counters->low_s * iterations, counters->high_s * iterations};
    json_number(out, "predicted_s", counters->predicted_s * iterations);
    json_numbers(out, "predicted_ci90_s", interval, 2);
    json_string(out, "predicted_gpu", counters->gpu);
    json_string(out, "predicted_limit", counters->limit);
    write_shares(out, counters);
    json_string(out, "predicted_with", counters->with_code ? "machine code" : "source");
}

void record_counters(FILE *out, const struct counters *counters, size_t iterations) {
    if (!counters || !counters->there)
        return;
    write_counted(out, counters);
    fputs(",\"launches\":[", out);
    for (size_t i = 0; i < counters->launches; i++) {
        fputs(i ? "," : "", out);
        write_launch(out, &counters->launch[i]);
    }
    fputs("],\"accesses\":[", out);
    for (size_t i = 0; i < counters->accesses; i++) {
        fputs(i ? "," : "", out);
        write_access(out, &counters->access[i]);
    }
    fputs("]", out);
    if (counters->predicted_s > 0 && isfinite(counters->predicted_s))
        write_prediction(out, counters, iterations);
}
