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
#include "timing/stats.h"

/* What the fields of a record point to. */
struct parts {
    struct hazards_fields hazard[2 * MOST_HAZARDS];
    struct places_fields place[2 * MOST_HAZARDS][MOST_PLACES];
    struct device_fields device;
    struct energy_fields energy;
    char machine[160], seed[24], when[32];
};

static enum record_truth truth(bool holds) { return holds ? RECORD_TRUE : RECORD_FALSE; }

static struct places_fields place_fields(const struct hazard_place *told, const struct place *at) {
    struct places_fields fields = {.file = at->file,
                                   .line = at->line,
                                   .source = at->text,
                                   .does = told->does,
                                   .host = truth(told->on_host)};
    for (int i = 0; i < 3; i++) {
        fields.block[i] = told->block[i];
        fields.thread[i] = told->thread[i];
    }
    return fields;
}

static struct hazards_fields hazard_fields(const struct seen_hazard *seen,
                                           struct places_fields *place) {
    const struct hazard *hazard = &seen->hazard;
    for (uint32_t i = 0; i < hazard->places; i++)
        place[i] = place_fields(&hazard->place[i], &seen->at[i]);
    return (struct hazards_fields){.kind = hazard_word(hazard->kind),
                                   .severity = hazard_severity_word(hazard_severity(hazard->kind)),
                                   .array = hazard->array,
                                   .has_allocated = hazard->allocated,
                                   .allocated = truth(hazard->allocated),
                                   .index = hazard->indexed ? (double)hazard->index : NAN,
                                   .bytes = hazard->bytes,
                                   .note = hazard->note,
                                   .places = {place, hazard->places}};
}

static void add_hazards(const struct hazards *hazards, struct parts *parts,
                        struct record_fields *fields) {
    const struct seen_hazard *seen;
    size_t count = 0;
    for (; (seen = hazards_nth(hazards, count)); count++)
        parts->hazard[count] = hazard_fields(seen, parts->place[count]);
    fields->hazards = (struct record_objects){parts->hazard, count};
    fields->more_hazards = hazards->of[HAZARD_FAULT].more + hazards->of[HAZARD_REMARK].more;
}

/* 0 where nothing was timed. */
static double median_of_samples(const struct record *record) {
    return record->samples ? stats_median_of(record->samples_s, record->samples) : 0;
}

double record_gbps(const struct record *record) {
    double median = median_of_samples(record);
    double bytes = record->fields.bytes + record->fields.written_bytes;
    return median ? bytes * record->iterations / median / 1e9 : 0;
}

static void add_calls(const struct record *record, struct record_fields *fields) {
    fields->iterations = record->iterations;
    fields->calls = record->calls;
    fields->scaled = truth(record->calls < record->iterations);
    fields->processes = record->processes;
    fields->has_processes = record->processes > 0;
    fields->notes = record->notes;
}

static void add_times(const struct record *record, struct record_fields *fields) {
    double median = median_of_samples(record);
    fields->samples_s = (struct record_numbers){record->samples_s, record->samples};
    fields->parts_s = (struct record_numbers){record->parts_s, record->parts};
    fields->has_parts_s = record->parts > 0;
    fields->audit_s = (struct record_numbers){record->audit_s, record->samples};
    fields->median_s = median;
    fields->speedup = median ? fields->reference_s / median : 0;
}

static void add_bytes(const struct record *record, struct record_fields *fields) {
    double gbps = record_gbps(record);
    fields->has_written_bytes = fields->written_bytes > 0;
    fields->gbps = gbps;
    fields->roof_fraction = fields->roof_gbps ? gbps / fields->roof_gbps : 0;
}

static void add_energy(const struct record *record, struct parts *parts,
                       struct record_fields *fields) {
    if (!record->energy.joules)
        return;
    parts->energy = record->energy;
    parts->energy.uuid = record->device.is.uuid;
    fields->energy = &parts->energy;
}

/* The processor that the CPU baselines ran on: "16 x Intel(R) Xeon(R) Processor". */
static void tell_machine(char *machine, size_t size) {
    char line[256], model[128] = "unknown processor";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %127[^\n]", model) == 1)
            break;
    if (file)
        fclose(file);
    snprintf(machine, size, "%ld x %s", sysconf(_SC_NPROCESSORS_ONLN), model);
}

static void add_names(const struct record *record, struct record_fields *fields) {
    fields->schema = RECORD_VERSION;
    fields->has_histolab = true;
    fields->rows = record->shape.rows;
    fields->columns = record->shape.columns;
}

static void add_verdict(const struct record *record, struct record_fields *fields) {
    const struct verdict *verdict = &record->verdict;
    fields->verdict = verdict_word(verdict->kind);
    fields->intended = verdict_word(record->intended);
    if (verdict->kind == VERDICT_HAZARD)
        fields->outcome = verdict_word(verdict->outcome);
    fields->error = record->error >= 0 ? record->error : NAN;
    fields->detail = verdict->detail;
    fields->diagnosis = record->diagnosis;
    fields->unchecked = record->unchecked;
    fields->has_unchecked = record->unchecked[0] != '\0';
}

static void add_place_and_time(const struct record *record, struct parts *parts,
                               struct record_fields *fields) {
    time_t now = time(NULL);
    struct tm utc;
    snprintf(parts->seed, sizeof parts->seed, "%llu", (unsigned long long)record->seed);
    strftime(parts->when, sizeof parts->when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    tell_machine(parts->machine, sizeof parts->machine);
    parts->device = device_fields(&record->device);
    fields->device = &parts->device;
    fields->build = &record->device.build;
    fields->machine = parts->machine;
    fields->seed = parts->seed;
    fields->when = parts->when;
}

static void write_record(FILE *out, const struct record *record) {
    struct parts parts;
    struct record_fields fields = record->fields;
    add_names(record, &fields);
    add_verdict(record, &fields);
    add_hazards(&record->hazards, &parts, &fields);
    add_calls(record, &fields);
    add_times(record, &fields);
    add_bytes(record, &fields);
    add_energy(record, &parts, &fields);
    record_counters(record->counters, record->iterations, &fields);
    add_place_and_time(record, &parts, &fields);
    record_write(out, &fields);
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
