/* What a call takes of the GPU's energy: after the samples, and apart from them, so many calls are
 * made without a pause that the board's own counter of energy can tell. */
#pragma once

#include <stddef.h>

#include "judge/options.h"
#include "judge/record.h"
#include "judge/trial.h"

/* How many calls that takes, by the time of a call in the record. 0 where it cannot be done: the
 * record's notes say why. */
size_t energy_calls(const struct options *options, struct record *record);

/* Make trial->max_calls calls of a step that has been set up, and compare every output. The record
 * gets the energy of a call, unless the trial's verdict falls; where it could not be told, a note.
 * Power without calls is measured, too, unless the options have it. */
void energy_measure(struct trial *trial, const struct options *options, struct record *record);
