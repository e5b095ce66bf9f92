/* The CPU's solutions of the problem: what steps are compared with. */
#pragma once

#include "judge/options.h"
#include "judge/record.h"

/* Times all of them, the reference first, and a plain read of the input on all cores, which is what
 * the machine's memory gives at the most: a record each. The reference has to be right, or the
 * harness is at fault. */
void solutions_time(const struct options *options, struct record *record);
