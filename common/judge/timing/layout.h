/* The layout of the graded trial, and whether there is memory for it. */
#pragma once

#include "judge/options.h"
#include "problem.h"
#include "judge/record.h"

/* The strip of the graded trial: cold on a GPU, as small as it gets where nothing is timed. */
struct strip layout_graded(const struct problem *graded, const struct options *options,
                           const struct device *device);

/* How many calls a sample of the graded trial makes at the most: as many as asked for, but fewer
 * where outputs are as large as inputs, because each call has an output of its own. */
size_t layout_calls(const struct options *options);

/* Bytes that the graded trial of these options takes at its most, with some for the step itself: of
 * this machine's memory, and of the device's. The cpu device's is a part of this machine's. */
struct footprint {
    double host, device;
};

struct footprint layout_footprint(const struct options *options, const struct device *device);

/* Bytes of this machine's memory that are free; less where the control group has a limit. INFINITY
 * where nothing tells. */
double memory_available(void);

/* Ends the judge, as wrong usage, where there is less: it says how much. Nothing has been drawn by
 * then. A dry run looks at what is free, since nothing else has begun; later it is all that there
 * is, so that no other process can end a grading by what it takes. */
void layout_check_memory(const struct options *options, const struct device *device);
