/* Happens-before between the grids of dynamic parallelism (children.h), by the CUDA C++ Programming
 * Guide: a child sees what the thread that starts it has seen before; children that threads of one
 * block put in one stream follow one another; a tail launch follows its parent and all that this
 * has started. All else is at the same time. */
#pragma once

#include "../scheduler/children.h"
#include "memory.h"

/* An operation begins, `origin`: of a child, else NULL. Those below `ordered_below` are over for an
 * operation that the host starts. */
void kin_begin(uint32_t number, uint32_t ordered_below, const struct emulator_origin *origin);

/* Whether the operation that began last is a child. */
bool kin_is_child(void);

/* Does the access of another operation happen before this child? */
bool kin_before(const struct access *access);
