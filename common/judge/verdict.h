#pragma once

#include <stdbool.h>

/* What becomes of a step: VERDICT_PASS is 0. Only VERDICT_HARNESS_ERROR is never the student's
 * fault. */
enum verdict_kind {
#define VERDICT(name, ...) VERDICT_##name,
#include "verdicts.def"
#undef VERDICT
    VERDICT_KINDS,
};

struct verdict {
    enum verdict_kind kind;
    char detail[640];          /* one line for a person; empty for a pass */
    enum verdict_kind outcome; /* with VERDICT_HAZARD: what it would have been without the hazard */
    bool first_right; /* of all calls only the first: what it leaves behind lets others race */
    bool endless;     /* it is known that it does not only take long */
};

/* The word that stands in records: "pass", "build-failed", ... */
const char *verdict_word(enum verdict_kind kind);

/* The kind with that word, or VERDICT_KINDS. */
enum verdict_kind verdict_of_word(const char *word);

/* What a failing CUDA call of the step (not of the harness) amounts to. */
enum verdict_kind verdict_of_cuda_error(int cuda_error);
