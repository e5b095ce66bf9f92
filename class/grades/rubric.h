/* The rubric: class/rubric explains its syntax. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "amount.h"

enum { MOST_POINTS = 1000000 };
/* clang-format off */
enum rubric_key {
    CORRECT, HAZARD, PARTIAL, IDEA, SPEED, FULL, NONE, PREDICTED, LATENCY, RUBRIC_KEYS
};
/* clang-format on */

struct rule {
    const char *pattern, *line, *where;
    amount value[RUBRIC_KEYS];
    bool sets[RUBRIC_KEYS];
    bool used; /* it fits a step that somebody has asked for */
};

struct rubric {
    struct rule *rule;
    size_t rules;
};

/* A bad line, or none, ends the program. */
struct rubric read_rubric(const char *path);
void read_rule(struct rubric *rubric, const char *where, const char *line); /* adds that */

/* none=before: none at the time of this project's own version of the step before. */
#define BEFORE (-POINT)

/* What it sets for a step, 0 where no line sets it. */
const amount *worth_of(const struct rubric *rubric, const char *step);

/* Whether a word is a pattern of step names, as the shell has them; what they are made of. */
bool is_pattern(const char *word);
extern const char of_patterns[];
/* A word without * ? [ is the beginning of a name, as in ./grade.sh --steps. */
const char *glob_of(const char *word);
bool fits(const char *pattern, const char *step);
