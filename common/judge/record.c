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
#include "stats.h"

struct device device_read(const char *path) {
    struct device device = {0};
    FILE *file = fopen(path, "r");
    if (!file)
        usage_error("cannot read the device file %s", path);
    char line[256], text[256];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "kind %15s", device.kind) == 1)
            continue;
        if (sscanf(line, "name %127[^\n]", text) == 1)
            snprintf(device.name, sizeof device.name, "%.127s", text);
        else if (sscanf(line, "driver %63[^\n]", text) == 1)
            snprintf(device.driver, sizeof device.driver, "%.63s", text);
        else if (sscanf(line, "uuid %63[^\n]", text) == 1)
            snprintf(device.uuid, sizeof device.uuid, "%.63s", text);
        else if (strncmp(line, "sms ", 4) == 0)
            device.sms = strtol(line + 4, NULL, 10);
        else if (strncmp(line, "l2_bytes ", 9) == 0)
            device.l2_bytes = strtol(line + 9, NULL, 10);
        else if (strncmp(line, "spec_gbps ", 10) == 0)
            device.spec_gbps = strtod(line + 10, NULL);
        else if (strncmp(line, "memory_bytes ", 13) == 0)
            device.memory_bytes = strtod(line + 13, NULL);
    }
    fclose(file);
    if (!device.kind[0])
        usage_error("the device file %s does not say which kind of device it is", path);
    return device;
}

bool device_timed(const struct device *device) { return strcmp(device->kind, "gpu") == 0; }

/* Length of the valid UTF-8 character at s, or 0. What a step printed may be anything, a record is
 * JSON, and strict readers (Python's) refuse overlong forms and surrogates too. */
static size_t utf8_length(const unsigned char *s) {
    if (*s < 0x80)
        return 1;
    size_t length = *s >= 0xf5 ? 0 : *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (*s == 0xe0 && s[1] < 0xa0) || (*s == 0xf0 && s[1] < 0x90);
    bool no_character = (*s == 0xed && s[1] > 0x9f) || (*s == 0xf4 && s[1] > 0x8f);
    return overlong || no_character ? 0 : length;
}

static uint32_t code_point(const unsigned char *s, size_t length) {
    uint32_t point = length == 1 ? *s : *s & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (s[i] & 0x3fu);
    return point;
}

/* What a terminal obeys, or nobody sees: common/printable.awk says why. */
static bool is_hidden(uint32_t point) {
    static const uint32_t ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},
                                         {0x61c, 0x61c},   {0x200b, 0x200b}, {0x200e, 0x200f},
                                         {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},
                                         {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (point >= ranges[i][0] && point <= ranges[i][1])
            return true;
    return false;
}

static void write_escape(FILE *out, uint32_t point) {
    if (point < 0x10000)
        fprintf(out, "\\u%04x", point);
    else
        fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10),
                0xdc00 + ((point - 0x10000) & 0x3ff));
}

/* Hidden characters are escaped: who looks at the file itself sees them, and no terminal obeys. */
static void write_string(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t length = utf8_length(s);
        if (length == 0)
            fputc('?', out);
        else if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if (is_hidden(code_point(s, length)))
            write_escape(out, code_point(s, length));
        else
            fwrite(s, 1, length, out);
        s += length ? length : 1;
    }
    fputc('"', out);
}

static void string(FILE *out, const char *key, const char *value) {
    fprintf(out, ",\"%s\":", key);
    write_string(out, value ? value : "");
}

static void text_or_null(FILE *out, const char *key, const char *value) {
    if (value[0])
        string(out, key, value);
    else
        fprintf(out, ",\"%s\":null", key);
}

static void number(FILE *out, const char *key, double value) {
    if (value == 0 || !isfinite(value))
        fprintf(out, ",\"%s\":null", key);
    else
        fprintf(out, ",\"%s\":%.9g", key, value);
}

static void numbers(FILE *out, const char *key, const double *values, size_t count) {
    fprintf(out, ",\"%s\":", key);
    if (!count || values[0] == 0) {
        fputs("null", out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]))
            fprintf(out, "%c%.9g", i ? ',' : '[', values[i]);
        else
            fprintf(out, "%cnull", i ? ',' : '[');
    fputc(']', out);
}

static void write_triple(FILE *out, const char *key, const uint32_t three[3]) {
    fprintf(out, ",\"%s\":[%u,%u,%u]", key, three[0], three[1], three[2]);
}

static void write_place(FILE *out, const struct hazard_place *told, const struct place *at) {
    fputs("{\"file\":", out);
    write_string(out, at->file);
    number(out, "line", at->line);
    string(out, "source", at->text);
    string(out, "does", told->does);
    write_triple(out, "block", told->block);
    write_triple(out, "thread", told->thread);
    fprintf(out, ",\"host\":%s}", told->on_host ? "true" : "false");
}

static void write_hazard(FILE *out, const struct seen_hazard *seen) {
    const struct hazard *hazard = &seen->hazard;
    fputs("{\"kind\":", out);
    write_string(out, hazard_word(hazard->kind));
    string(out, "severity", hazard_severity_word(hazard_severity(hazard->kind)));
    string(out, "array", hazard->array);
    if (hazard->indexed)
        fprintf(out, ",\"index\":%lld", (long long)hazard->index);
    else
        fputs(",\"index\":null", out);
    number(out, "bytes", hazard->bytes);
    string(out, "note", hazard->note);
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
    number(out, "more_hazards", hazards->of[HAZARD_FAULT].more + hazards->of[HAZARD_REMARK].more);
}

static void write_device(FILE *out, const struct device *device) {
    fputs(",\"device\":{\"kind\":", out);
    write_string(out, device->kind);
    string(out, "name", device->name);
    string(out, "driver", device->driver);
    string(out, "uuid", device->uuid);
    fprintf(out, ",\"sms\":%ld,\"l2_bytes\":%ld", device->sms, device->l2_bytes);
    number(out, "spec_gbps", device->spec_gbps);
    fputc('}', out);
}

/* 0, and no interval, where nothing was timed. */
static double median_of_samples(const struct record *record, double interval[2]) {
    double sorted[MOST_SAMPLES];
    if (!record->samples)
        return 0;
    memcpy(sorted, record->samples_s, sizeof sorted);
    double median = stats_median(sorted, record->samples);
    stats_interval95(sorted, record->samples, &interval[0], &interval[1]);
    return median;
}

double record_gbps(const struct record *record) {
    double interval[2], median = median_of_samples(record, interval);
    return median ? record->bytes * record->iterations / median / 1e9 : 0;
}

static void write_times(FILE *out, const struct record *record) {
    double interval[2], median = median_of_samples(record, interval), gbps = record_gbps(record);

    fprintf(out, ",\"iterations\":%zu,\"calls\":%zu,\"scaled\":%s", record->iterations,
            record->calls, record->calls < record->iterations ? "true" : "false");
    numbers(out, "samples_s", record->samples_s, record->samples);
    numbers(out, "audit_s", record->audit_s, record->samples);
    number(out, "median_s", median);
    numbers(out, "ci95_s", interval, record->samples ? 2 : 0);
    number(out, "overhead_s", record->overhead_s);
    number(out, "synced_s", record->synced_s);
    number(out, "whole_s", record->whole_s);
    number(out, "sm_mhz", record->sm_mhz);
    number(out, "memory_mhz", record->memory_mhz);
    string(out, "notes", record->notes);
    number(out, "reference_s", record->reference_s);
    number(out, "speedup", median ? record->reference_s / median : 0);
    fprintf(out, ",\"bytes\":%.0f", record->bytes);
    number(out, "dram_bytes", record->dram_bytes);
    number(out, "gbps", gbps);
    number(out, "roof_gbps", record->roof_gbps);
    number(out, "roof_fraction", record->roof_gbps ? gbps / record->roof_gbps : 0);
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
    string(out, "machine", machine);
}

static void write_record(FILE *out, const struct record *record) {
    fputs("{\"submission\":", out);
    write_string(out, record->submission);
    string(out, "step", record->step);
    string(out, "kind", record->kind);
    string(out, "problem", record->problem);
    string(out, "input", record->input);
    fprintf(out, ",\"rows\":%zu,\"columns\":%zu", record->shape.rows, record->shape.columns);
    string(out, "verdict", verdict_word(record->verdict.kind));
    string(out, "intended", verdict_word(record->intended));
    text_or_null(out, "outcome",
                 record->verdict.kind == VERDICT_HAZARD ? verdict_word(record->verdict.outcome)
                                                        : "");
    if (record->error >= 0 && isfinite(record->error))
        fprintf(out, ",\"error\":%.3g", record->error);
    else
        fputs(",\"error\":null", out);
    string(out, "detail", record->verdict.detail);
    text_or_null(out, "diagnosis", record->diagnosis);
    write_hazards(out, &record->hazards);
    write_device(out, &record->device);
    write_times(out, record);

    char seed[24], when[32];
    time_t now = time(NULL);
    struct tm utc;
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)record->seed);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    string(out, "seed", seed);
    string(out, "source_sha256", record->source_sha256);
    string(out, "harness", record->harness);
    write_machine(out);
    string(out, "when", when);
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
