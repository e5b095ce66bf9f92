/* Exact analysis, in the checked build: shadow memory (memory.h) and happens-before (order.h). What
 * is wrong comes out as hazards (emulator/findings/hazards.def), each pair of places once, as soon
 * as it is known. The files of this folder are linked into checked runners alone. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../findings/hazard.h"
#include "copies.h"
#include "memory.h"

/* The running CUDA thread, or the host, is about to use memory. flags: ACCESS_…; pc: where. Only
 * the access itself may come before this OS thread's next call into the emulator. */
void analysis_access(uintptr_t address, size_t size, unsigned flags, uintptr_t pc);

/* The running CUDA thread uses what lies beyond an array of its own. */
void analysis_beyond_own(const char *does, unsigned line, uintptr_t pc);

/* Report a shift that C++ does not define, of a value of so many bits. */
void analysis_shift(int64_t distance, unsigned bits, uintptr_t pc);

/* Report a misaligned access: what it does, in words, and where. */
void analysis_misaligned(uintptr_t address, unsigned alignment, const char *does, uintptr_t pc);

/* The running thread starts a copy: what is wrong about that now, and who it is. False: it does not
 * lead from other memory to the block's shared memory. */
bool analysis_begin_copy(struct copy *copy);

/* Its accesses, as those of the running thread now. */
void analysis_copied(const struct copy *copy);

/* It is under way from now on. The one at this place is no more. */
void analysis_put_copy(const struct copy *copy);
struct copy analysis_take_copy(size_t place);
