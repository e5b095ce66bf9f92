/* Exact analysis, in the checked build: shadow memory and happens-before. What is wrong comes out
 * as hazards (runner/hazards.def), each pair of places once, as soon as it is seen. analysis.c is
 * linked into checked runners alone. */
#ifndef ANALYSIS_H
#define ANALYSIS_H

#include "../runner/hazard.h"

#endif
