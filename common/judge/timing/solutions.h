/* The CPU's solutions of the problem: what steps are compared with. */
#pragma once

#include "judge/options.h"
#include "judge/record.h"

/* Times all of them, the reference first: a record each. The reference has to be right, or the
 * harness is at fault. */
void solutions_time(const struct options *options, struct record *record);
