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

/* Of one call, and how it was measured: common/judge/timing/energy.h. */
struct energy {
    double joules, low, high; /* the median, the least and the most of its parts; 0: unknown */
    double watts, idle_watts; /* while calls are made, and without calls */
    size_t calls;
    double call_s;             /* that one of these took */
    unsigned temperature_c[2]; /* at the start and the end; 0: unknown */
    unsigned sm_mhz;           /* the mean; 0: unknown */
};

/* Seconds are for `iterations` calls. A double that is 0 was not measured, and is written as null.
 */
struct record {
    const char *submission, *step, *kind, *problem, *input, *source_sha256;
    const char *histolab, *harness, *timing; /* versions: the tool's, of this tree's files, and of
                                                what times; empty where nobody said it */
    struct shape shape;
    struct verdict verdict;
    char diagnosis[1024];   /* the cause of a verdict that is no pass; empty where none is known */
    struct hazards hazards; /* with their places */
    char unchecked[160];    /* lines that no check reached, though the graded size does */
    size_t checks, checks_right; /* where it is wrong and somebody asked: check_share; else 0 */
    enum verdict_kind intended;  /* what the step is there to show: a pass, nearly always */
    double error;                /* below 0: not measured, or outputs are exact */
    struct device device;
    size_t iterations, calls;
    size_t samples, processes; /* and in how many processes these were taken */
    size_t samples_asked;      /* and how many were asked for; 0 where nothing is timed */
    double budget_s;
    double samples_s[MOST_SAMPLES], audit_s[MOST_SAMPLES];
    double parts_s[4 * MOST_SAMPLES]; /* of one call each; how many: */
    size_t parts;
    double ci95_s[2]; /* in which the median of another run would lie; 0: unknown */
    double synced_s, whole_s, reference_s, roof_gbps, overhead_s;
    double part_overhead_s; /* seconds that a part without calls takes, which copies one output */
    unsigned sm_mhz, memory_mhz; /* clocks after the last sample; 0: unknown */
    char notes[512];             /* what a reader of the figures should know */
    double bytes;                /* that one call has to read */
    double written_bytes;        /* and to write, where that follows the input's size; else 0 */
    double dram_bytes;           /* that the GPU's memory moved for one call; 0: unknown */
    struct counters *counters;   /* of one call, where it was counted; or NULL */
    bool energy_asked;           /* somebody wanted to know it */
    struct energy energy;
    uint64_t seed;
};

/* 1e9 bytes a second that the calls have to read and write; 0 where nothing was timed. */
double record_gbps(const struct record *record);

/* Adds to the notes. */
void record_note(struct record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add the record to the file in one write, so that writers side by side cannot mix their lines. */
void record_append(const struct record *record, const char *path);
