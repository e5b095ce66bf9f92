/* The usual cause of a verdict that does not come from wrong outputs: a failed build, a launch, a
 * crash, a time-out. As in a diagnosis, saying nothing is better than a guess. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "judge/verdict.h"

/* Fills `text`; false, and an empty text, where the verdict and its detail tell of no cause. */
bool hint(const struct verdict *verdict, char *text, size_t text_size);
