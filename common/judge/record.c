// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "record.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fault.h"
#include "json.h"
#include "record_counters.h"
#include "stats.h"

static void write_triple(FILE *out, const char *key, const uint32_t three[3]) {
    fprintf(out, ",\"%s\":[%u,%u,%u]", key, three[0], three[1], three[2]);
}

static void write_place(FILE *out, const struct hazard_place *told, const struct place *at) {
    fputs("{\"file\":", out);
    json_text(out, at->file);
    json_number(out, "line", at->line);
    json_string(out, "source", at->text);
    json_string(out, "does", told->does);
    write_triple(out, "block", told->block);
    write_triple(out, "thread", told->thread);
    fprintf(out, ",\"host\":%s}", told->on_host ? "true" : "false");
}

static void write_hazard(FILE *out, const struct seen_hazard *seen) {
    const struct hazard *hazard = &seen->hazard;
    fputs("{\"kind\":", out);
    json_text(out, hazard_word(hazard->kind));
    json_string(out, "severity", hazard_severity_word(hazard_severity(hazard->kind)));
    json_string(out, "array", hazard->array);
    if (hazard->indexed)
        fprintf(out, ",\"index\":%lld", (long long)hazard->index);
    else
        fputs(",\"index\":null", out);
    json_number(out, "bytes", hazard->bytes);
    json_string(out, "note", hazard->note);
    fputs(",\"places\":[", out);
    for (uint32_t i = 0; i < hazard->places; i++) {
        fputs(i ? "," : "", out);
        write_place(out, &hazard->place[i], &seen->at[i]);
    }
    fputs("]}", out);
}

static void write_hazards(FILE *out, const struct hazards *hazards) {
    const struct seen_hazard *seen;
    fputs(",\"hazards\":[", out);
    for (size_t n = 0; (seen = hazards_nth(hazards, n)); n++) {
        fputs(n ? "," : "", out);
        write_hazard(out, seen);
    }
    fputs("]", out);
    json_number(out, "more_hazards",
                hazards->of[HAZARD_FAULT].more + hazards->of[HAZARD_REMARK].more);
}

/* 0, and no interval, where nothing was timed. */
static double median_of_samples(const struct record *record, double interval[2]) {
    double sorted[MOST_SAMPLES];
    if (!record->samples)
        return 0;
    memcpy(sorted, record->samples_s, sizeof sorted);
    double median = stats_median(sorted, record->samples);
    stats_interval95(sorted, record->samples, &interval[0], &interval[1]);
    interval[0] *= 1 - record->run_share;
    interval[1] *= 1 + record->run_share;
    return median;
}

double record_gbps(const struct record *record) {
    double interval[2], median = median_of_samples(record, interval);
    double bytes = record->bytes + record->written_bytes;
    return median ? bytes * record->iterations / median / 1e9 : 0;
}

static void write_times(FILE *out, const struct record *record) {
    double interval[2], median = median_of_samples(record, interval), gbps = record_gbps(record);

    fprintf(out, ",\"iterations\":%zu,\"calls\":%zu,\"scaled\":%s", record->iterations,
            record->calls, record->calls < record->iterations ? "true" : "false");
    if (record->processes)
        fprintf(out, ",\"processes\":%zu", record->processes);
    json_number(out, "samples_asked", record->samples_asked);
    json_number(out, "budget_s", record->budget_s);
    json_numbers(out, "samples_s", record->samples_s, record->samples);
    json_numbers(out, "audit_s", record->audit_s, record->samples);
    json_number(out, "median_s", median);
    json_numbers(out, "ci95_s", interval, record->samples ? 2 : 0);
    json_number(out, "overhead_s", record->overhead_s);
    json_number(out, "synced_s", record->synced_s);
    json_number(out, "whole_s", record->whole_s);
    json_number(out, "sm_mhz", record->sm_mhz);
    json_number(out, "memory_mhz", record->memory_mhz);
    json_string(out, "notes", record->notes);
    json_number(out, "reference_s", record->reference_s);
    json_number(out, "speedup", median ? record->reference_s / median : 0);
    fprintf(out, ",\"bytes\":%.0f", record->bytes);
    if (record->written_bytes > 0)
        fprintf(out, ",\"written_bytes\":%.0f", record->written_bytes);
    json_number(out, "dram_bytes", record->dram_bytes);
    json_number(out, "gbps", gbps);
    json_number(out, "roof_gbps", record->roof_gbps);
    json_number(out, "roof_fraction", record->roof_gbps ? gbps / record->roof_gbps : 0);
}

/* null where it was asked for and could not be told; absent where nobody asked. */
static void write_energy(FILE *out, const struct record *record) {
    const struct energy *energy = &record->energy;
    const double temperature_c[] = {energy->temperature_c[0], energy->temperature_c[1]};
    if (!record->energy_asked)
        return;
    if (!energy->joules) {
        fputs(",\"energy\":null", out);
        return;
    }
    fprintf(out, ",\"energy\":{\"calls\":%zu", energy->calls);
    json_number(out, "joules", energy->joules);
    json_number(out, "low", energy->low);
    json_number(out, "high", energy->high);
    json_number(out, "watts", energy->watts);
    json_number(out, "idle_watts", energy->idle_watts);
    json_number(out, "call_s", energy->call_s);
    json_numbers(out, "temperature_c", temperature_c, 2);
    json_number(out, "sm_mhz", energy->sm_mhz);
    json_string(out, "uuid", record->device.uuid);
    fputc('}', out);
}

/* The processor that the CPU baselines ran on: "16 x Intel(R) Xeon(R) Processor". */
static void write_machine(FILE *out) {
    char line[256], model[128] = "unknown processor", machine[160];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %127[^\n]", model) == 1)
            break;
    if (file)
        fclose(file);
    snprintf(machine, sizeof machine, "%ld x %s", sysconf(_SC_NPROCESSORS_ONLN), model);
    json_string(out, "machine", machine);
}

static void write_record(FILE *out, const struct record *record) {
    fprintf(out, "{\"schema\":%d", RECORD_SCHEMA);
    json_string(out, "histolab", record->histolab);
    json_string(out, "submission", record->submission);
    json_string(out, "step", record->step);
    json_string(out, "kind", record->kind);
    json_string(out, "problem", record->problem);
    json_string(out, "input", record->input);
    fprintf(out, ",\"rows\":%zu,\"columns\":%zu", record->shape.rows, record->shape.columns);
    json_string(out, "verdict", verdict_word(record->verdict.kind));
    json_string(out, "intended", verdict_word(record->intended));
    json_string_or_null(
        out, "outcome",
        record->verdict.kind == VERDICT_HAZARD ? verdict_word(record->verdict.outcome) : "");
    if (record->error >= 0 && isfinite(record->error))
        fprintf(out, ",\"error\":%.3g", record->error);
    else
        fputs(",\"error\":null", out);
    json_string(out, "detail", record->verdict.detail);
    json_string_or_null(out, "diagnosis", record->diagnosis);
    write_hazards(out, &record->hazards);
    device_write(out, &record->device);
    write_times(out, record);
    write_energy(out, record);
    record_counters(out, record->counters, record->iterations);

    char seed[24], when[32];
    time_t now = time(NULL);
    struct tm utc;
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)record->seed);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    json_string(out, "seed", seed);
    json_string(out, "source_sha256", record->source_sha256);
    json_string(out, "harness", record->harness);
    json_string_or_null(out, "timing", record->timing);
    device_write_build(out, &record->device);
    write_machine(out);
    json_string(out, "when", when);
    fputs("}\n", out);
}

void record_note(struct record *record, const char *format, ...) {
    size_t length = strlen(record->notes);
    va_list arguments;
    va_start(arguments, format);
    if (length && length < sizeof record->notes - 3)
        length += sprintf(record->notes + length, "; ");
    vsnprintf(record->notes + length, sizeof record->notes - length, format, arguments);
    va_end(arguments);
}

void record_append(const struct record *record, const char *path) {
    char *line;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        fault("cannot allocate a record");
    write_record(out, record);
    fclose(out);

    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, line, size) != (ssize_t)size || close(fd) < 0)
        fault("cannot write the record to %s", path);
    free(line);
}
