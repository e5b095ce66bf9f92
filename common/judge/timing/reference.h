/* The CPU's solution of the problem: what steps are compared with. */
#pragma once

#include "judge/options.h"
#include "judge/record.h"

/* Times it, and adds its record. It has to be right, or the harness is at fault. */
void reference_time(const struct options *options, struct record *record);
