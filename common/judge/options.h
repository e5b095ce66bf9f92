/* What the judge is told: by a run file, by the command line, and by the directory of what was
 * built. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"
#include "trial.h"
#include "verdict.h"

/* What is graded. */
enum kind {
    KIND_STEP,
    KIND_BASELINE,  /* a library's solution: graded as a step is, and compared with nothing */
    KIND_READ,      /* a streaming read: its time is a roof */
    KIND_EMPTY,     /* an empty kernel, called as a read is: it has no output */
    KIND_REFERENCE, /* the CPU's solutions */
    KIND_KERNEL,    /* what is called as a step is, and has no output that anybody knows */
};

const char *kind_word(enum kind kind);

/* It has outputs that are known, and is checked before it is measured. */
static inline bool kind_checked(enum kind kind) {
    return kind == KIND_STEP || kind == KIND_BASELINE;
}

/* Its counters are wanted on the cpu device. */
static inline bool kind_counts(enum kind kind) { return kind == KIND_STEP || kind == KIND_KERNEL; }

/* Called as a read is: the strip as words. */
static inline bool kind_streams(enum kind kind) { return kind == KIND_READ || kind == KIND_EMPTY; }

/* Parts of a sample. */
enum { MOST_PROCESSES = 4 };

struct options {
    /* how a grading runs: the run file */
    const char *device, *histolab, *harness, *timing, *image, *isolate;
    const char *gpu;      /* the file of the GPU that a step is counted for; NULL: it is not */
    struct source source; /* of the graded trial */
    struct shape shape;   /* its rows are SIZE_MAX where no size was given */
    bool warm;            /* one window for all calls */
    bool shares;          /* of a submission that is wrong: in how many checks it is right */
    size_t iterations, samples;
    size_t processes; /* that the parts of a sample are spread over */
    double budget_s, timeout_s, limit_s;
    double energy_s;   /* for which calls are made to tell their energy; 0: it is not measured */
    double call_cpu_s; /* CPU time of a call in the check; 0: what belongs to the timeout */
    /* of the baselines; 0: not measured */
    double reference_s, roof_gbps, overhead_s, part_overhead_s, counted_share, idle_watts;

    /* what is graded, and where the record goes: the command line */
    const char *run, *built;   /* the run file and the directory, NULL where there is none */
    const char *emulated;      /* the same for the cpu device, of a step on a GPU; or NULL */
    const char *locks;         /* descriptors of locks, with a comma between two; or NULL */
    const char *place;         /* the descriptor of one that is held until those are had; or NULL */
    const char *counting_lock; /* locked while the GPU's traffic is counted; or NULL */
    enum kind kind;
    const char *step, *submission, *source_sha256, *detail, *record, *log;
    enum verdict_kind verdict; /* VERDICT_PASS: to be found out */
    enum verdict_kind intended;
    bool dry_run; /* only look whether the options are right */
    bool show_help, show_inputs;

    uint64_t given; /* which options were: see option_given */
    char *run_text; /* the run file's, which the texts above point into */
};

struct options options_default(void);

/* The whole command line, and the run file that it names. Wrong usage ends the judge. */
void options_parse(int argc, char **argv, struct options *options);

/* Take a run file's lines over. A wrong line ends the judge as wrong usage: FILE:LINE: what is
 * wrong. */
void options_read_run(const char *path, struct options *options);

/* What a baseline showed becomes a line at the end of the run file, for those that are graded after
 * it. Processes side by side may do so, and read the file meanwhile. A fault where it cannot be
 * written. */
void options_append_run(const char *path, const char *name, double value);

/* The problem's input of that name, or NULL. */
const struct input *input_named(const char *name);

/* The names of all inputs, with that between two: valid until it is called again. */
const char *input_names(const char *between);
