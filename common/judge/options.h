/* What the judge is told: by a run file, by the command line, and by the directory of what was
 * built. Scripts call it: judge-FUNCTION [RUN [BUILT]] [--NAME VALUE]...
 *
 * RUN is a file that says how a grading runs, a line `NAME VALUE` for each option of its part of
 * the table in options.c. Where one stands twice, the later counts; lines that are empty or begin
 * with # are passed over. Each of them may also be an option of the command line, which then
 * counts. BUILT is a directory as built.h describes it. Exit status: fault.h. */
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
    const char *device; /* the file that the program `device` has printed */
    const char *told;   /* a second run file, of what baselines showed; NULL: they tell nobody */
    const char *histolab, *harness, *timing; /* versions, for the record */
    const char *image;                       /* a file to use as the input; it has its own size */
    const char *isolate;                     /* starts the runners, as class/isolate does */
    const char *gpu;      /* the file of the GPU that a step is counted for; NULL: it is not */
    struct source source; /* of the graded trial. A secret seed belongs in the run file: every
                             process can read a command line */
    struct shape shape;   /* its rows are SIZE_MAX where no size was given */
    bool warm;            /* one window for all calls, so that caches help */
    bool shares;          /* of a submission that is wrong: in how many checks it is right */
    size_t iterations;    /* calls that the seconds stand for */
    size_t samples; /* up to three times as many while their median is uncertain; fewer where a call
                       takes three times the budget; on the cpu device one, untimed */
    size_t processes;  /* that the parts of a sample are spread over */
    double budget_s;   /* for the samples of a slow step */
    double timeout_s;  /* for each answer of the runner */
    double limit_s;    /* for all that a step does, from its check to its last sample */
    double energy_s;   /* for which calls are made to tell their energy; 0: it is not measured */
    double call_cpu_s; /* CPU time of a call in the check; 0: what belongs to the timeout */
    /* of the baselines; 0: not measured. The least share of what a read has read that the GPU's own
     * counter showed; what the GPU draws without calls. */
    double reference_s, roof_gbps, overhead_s, part_overhead_s, counted_share, idle_watts;

    /* what is graded, and where the record goes: the command line */
    const char *run, *built;   /* the run file and the directory, NULL where there is none */
    const char *emulated;      /* the same for the cpu device, of a step on a GPU; or NULL */
    const char *locks;         /* descriptors of locks, with a comma between two; or NULL */
    const char *place;         /* the descriptor of the lock that waits for those; or NULL */
    const char *counting_lock; /* locked while the GPU's traffic is counted; or NULL */
    enum kind kind;
    const char *step, *submission, *source_sha256;
    const char *detail;        /* of a verdict given, or of a build that failed */
    const char *record, *log;  /* files to add the record to, and what was printed */
    const char *unsettled;     /* gets the record of what may be the machine's fault; or NULL */
    enum verdict_kind verdict; /* given: nothing runs; VERDICT_PASS: to be found out */
    enum verdict_kind intended;
    bool dry_run; /* only look whether the options are right */
    bool show_inputs;

    char *run_text, *told_text; /* the files', which the texts above point into */
};

struct options options_default(void);

/* The whole command line, and the run file that it names. Wrong usage ends the judge. */
void options_parse(int argc, char **argv, struct options *options);

/* Take a run file's lines over. A wrong line ends the judge as wrong usage: FILE:LINE: what is
 * wrong. */
void options_read_run(const char *path, struct options *options);

/* What a baseline showed becomes a line at the end of the file `told`, for those that are graded
 * after it. Processes side by side may do so, and read the file meanwhile. A fault where it cannot
 * be written. */
void options_tell(const struct options *options, const char *name, double value);
void options_append_run(const char *path, const char *name, double value);

/* The problem's input of that name, or NULL. */
const struct input *input_named(const char *name);

/* "4096x3984", or for a plain array "1000000". False where the text is neither; what is more than
 * a size_t holds is SIZE_MAX. */
bool shape_read(const char *text, struct shape *shape);

/* common/lab.h promises a step no input of more elements than the graded size, rounded up to a
 * power of two: 2^bits. Is a shape of that many at most, and its rows and columns each? */
int shape_most_bits(void);
bool shape_small_enough(struct shape shape);
