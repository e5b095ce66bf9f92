#ifndef VERDICT_H
#define VERDICT_H

/* What becomes of a step. DESIGN: only VERDICT_HARNESS_ERROR is never the student's fault. */
enum verdict_kind {
    VERDICT_PASS,
    VERDICT_WRONG,
    VERDICT_BUILD_FAILED,
    VERDICT_NO_DEVICE_CODE,
    VERDICT_LAUNCH_FAILED,
    VERDICT_CRASHED,
    VERDICT_TIMED_OUT,
    VERDICT_NONDETERMINISTIC,
    VERDICT_FLAGGED,
    VERDICT_MISSING, /* nothing was handed in for this step */
    VERDICT_HARNESS_ERROR,
    VERDICT_KINDS,
};

struct verdict {
    enum verdict_kind kind;
    char detail[640]; /* one line for a person; empty for a pass */
};

/* The word that stands in records: "pass", "build-failed", ... */
const char *verdict_word(enum verdict_kind kind);

/* The kind with that word, or VERDICT_KINDS. */
enum verdict_kind verdict_of_word(const char *word);

/* What a failing CUDA call of the step (not of the harness) amounts to. */
enum verdict_kind verdict_of_cuda_error(int cuda_error);

#endif
