/* The measurement: warm-up, samples, and what disturbed them. */
#pragma once

#include "judge/options.h"
#include "judge/record.h"
#include "judge/trial.h"

/* Time a step whose runner has been started; every output of every call is compared on the way. The
 * record gets calls, samples, audit, synced time, clocks and notes, unless the trial's verdict
 * falls. */
void time_step(struct trial *trial, const struct options *options, struct record *record);
