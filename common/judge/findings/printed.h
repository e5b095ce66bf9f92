/* What a step printed, in the log. */
#pragma once

#include "judge/process.h"

/* Adds to the log (NULL: none) what a trial's process printed, if anything; the runner's marks
 * (protocol.h) become headings, where something follows them:
 *
 *     --- check (edges, 47 x 1301)
 *     --- call 0
 *     what the step printed
 *     --- 12 more lines were printed, and not kept
 */
void printed_log(const char *log, const char *trial, const struct process *process);
