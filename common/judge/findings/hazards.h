/* The hazards that a runner has told of (emulator/findings/hazard.h): checked, cleaned, and kept as
 * far as there is room. A runner may send anything, and any number of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "hazard.h"
#include "places.h"
#include "judge/verdict.h"

enum { MOST_HAZARDS = 8, MOST_PLACES = 2 };

struct seen_hazard {
    struct hazard hazard;
    struct place at[MOST_PLACES]; /* of hazard.place[], once hazards_find_places has been called */
};

/* Faults, or remarks: in the order in which they came, each once. */
struct hazard_list {
    size_t count;
    size_t more; /* came when there was no room: counted, repeated ones too */
    struct seen_hazard seen[MOST_HAZARDS];
};

struct hazards {
    struct hazard_list of[HAZARD_FAULT + 1]; /* by enum hazard_severity */
};

/* Words of emulator/findings/hazards.def. */
const char *hazard_word(enum hazard_kind kind);
enum hazard_severity hazard_severity(enum hazard_kind kind);
const char *hazard_severity_word(enum hazard_severity severity); /* "fault", "remark" */
const char *hazard_meaning(enum hazard_kind kind);
const char *hazard_remedy(enum hazard_kind kind);

/* False, and nothing is kept, where it is no hazard: its kind or its number of places is none. What
 * is kept has strings that end and hold no control characters. */
bool hazards_add(struct hazards *hazards, const struct hazard *hazard);

/* The one at that place, faults before remarks; NULL behind the last. */
const struct seen_hazard *hazards_nth(const struct hazards *hazards, size_t n);

/* Find the places of all in the program that told of them. Those that turn out to be the same lines
 * are kept once: a compiler makes several instructions of one access. */
void hazards_find_places(struct hazards *hazards, const char *program);

/* Add all that another program of the same step told of, whose places are known too. */
void hazards_add_all(struct hazards *hazards, const struct hazards *more);

/* Where one is a fault, the verdict becomes VERDICT_HAZARD: the hazard is the cause, whatever came
 * of it. What came of it follows the hazard in `detail`. A fault of the harness stays one. The
 * diagnosis becomes what the hazard is and what mends it; what it was before comes after that. */
void hazards_settle(const struct hazards *hazards, struct verdict *verdict, char *diagnosis,
                    size_t diagnosis_size);

/* What the compilers of the checked build put into local variables at first. */
bool hazards_never_set(uint32_t word);
