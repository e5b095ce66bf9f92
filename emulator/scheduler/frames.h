/* Where a signal interrupted the program. All but the first function may be called in a handler. */
#pragma once

#include <signal.h>
#include <stdint.h>
#include <ucontext.h>

/* Before the others, which know of no instruction until then. */
void frames_begin(void);

/* The registers that matter, of the code that was interrupted. */
struct frames_place {
    uintptr_t pc, stack_pointer;
    uintptr_t caller; /* where the call of an address that is none would have returned to, or 0 */
};
struct frames_place frames_place_of(const siginfo_t *info, const ucontext_t *context);

/* The offset of an instruction in the program; 0 where it is not the program's own. */
uint64_t frames_offset(uintptr_t pc);

/* The offsets of the place itself, and of the calls that led there: at most CRASH_FRAMES, whose
 * number it returns. A call is the instruction before the one that it returns to. */
uint32_t frames_find(const struct frames_place *place, uint64_t *frames);
