/* What the checked build saw in a step, in words. */
#pragma once

#include "page.h"
#include "record/fields.h"

/* "race-in-block on counts[17]" */
const char *hazard_title(const struct hazards_fields *hazard);

/* The same, its lines and its note: "race-in-block on counts[17]: opt_2dhisto.cu:34 writes,
 * opt_2dhisto.cu:29 reads" */
const char *hazard_in_short(const struct hazards_fields *hazard);

/* "labs/opt05_multiblock/opt_2dhisto.cu:34: writes (thread 5 of block 2)" */
const char *hazard_place(const struct places_fields *place);
void put_place(struct page *page, const struct places_fields *place, bool with_source);

/* What it is, and what usually mends it, by emulator/findings/hazards.def; "" for no such kind. */
const char *hazard_meaning(const struct hazards_fields *hazard);
const char *hazard_remedy(const struct hazards_fields *hazard);
