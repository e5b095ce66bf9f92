/* The hazards that a runner has told of (runner/hazard.h): checked, cleaned, and kept as far as
 * there is room. A runner may send anything, and any number of it. */
#ifndef HAZARDS_H
#define HAZARDS_H

#include <stdbool.h>
#include <stddef.h>

#include "../runner/hazard.h"

enum { MOST_HAZARDS = 8 }; /* faults that are kept, and as many remarks */

/* Faults, or remarks: in the order in which they came, each once. */
struct hazard_list {
    size_t count;
    size_t more; /* came when there was no room: counted, repeated ones too */
    struct hazard seen[MOST_HAZARDS];
};

struct hazards {
    struct hazard_list of[HAZARD_FAULT + 1]; /* by enum hazard_severity */
};

/* Words of runner/hazards.def. */
const char *hazard_word(enum hazard_kind kind);
enum hazard_severity hazard_severity(enum hazard_kind kind);
const char *hazard_severity_word(enum hazard_severity severity); /* "fault", "remark" */
const char *hazard_meaning(enum hazard_kind kind);
const char *hazard_remedy(enum hazard_kind kind);

/* False, and nothing is kept, where it is no hazard: its kind or its number of places is none. What
 * is kept has strings that end and hold no control characters. */
bool hazards_add(struct hazards *hazards, const struct hazard *hazard);

#endif
