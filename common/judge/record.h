/* A record: one JSON object on one line. common/record.def says what each field means. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counting/counters.h"
#include "timing/device.h"
#include "findings/hazards.h"
#include "problem.h"
#include "verdict.h"

enum { MOST_SAMPLES = 100 };

/* Seconds are for `iterations` calls. A double that is 0 was not measured, and is written as null.
 */
struct record {
    /* What is written as it stands here: names, versions, times, bytes, clocks. All else of them is
     * filled in where it is written. */
    struct record_fields fields;
    struct shape shape;
    struct verdict verdict;
    char diagnosis[1024];   /* the cause of a verdict that is no pass; empty where none is known */
    struct hazards hazards; /* with their places */
    char unchecked[160];    /* lines that no check reached, though the graded size does */
    enum verdict_kind intended; /* what the step is there to show: a pass, nearly always */
    double error;               /* below 0: not measured, or outputs are exact */
    struct device device;
    size_t iterations, calls;
    size_t samples, processes; /* and in how many processes these were taken */
    double samples_s[MOST_SAMPLES], audit_s[MOST_SAMPLES];
    double parts_s[4 * MOST_SAMPLES]; /* of one call each; how many: */
    size_t parts;
    double part_overhead_s; /* seconds that a part without calls takes, which copies one output */
    char notes[512];        /* what a reader of the figures should know */
    struct counters *counters;   /* of one call, where it was counted; or NULL */
    struct energy_fields energy; /* of one call (timing/energy.h); no joules: unknown */
    uint64_t seed;
};

/* 1e9 bytes a second that the calls have to read and write; 0 where nothing was timed. */
double record_gbps(const struct record *record);

/* Adds to the notes. */
void record_note(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add the record to the file in one write, so that writers side by side cannot mix their lines. */
void record_append(const struct record *record, const char *path);
