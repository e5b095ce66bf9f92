/* What the harness says to the runtime, and what the analysis says to the harness. */
#include "../findings/emulator.h"
#include "hooks.h"
#include "scheduler.h"

#include <sys/mman.h>

/* ---- hazards: the checked build's analysis (analysis.c) sees them ---- */

/* On pages of their own, read-only from the step's set-up on. Linux has none larger than 64 KiB. */
static struct {
    void (*tell)(const struct hazard *hazard);
    char rest[64 * 1024 - sizeof(void (*)(void))];
} sealed __attribute__((aligned(64 * 1024)));

void emulator_on_hazard(void (*tell)(const struct hazard *hazard)) { sealed.tell = tell; }

void emulator_tell_hazard(const struct hazard *hazard) {
    if (sealed.tell)
        sealed.tell(hazard);
}

void emulator_begin_call(const void *input, size_t input_bytes, void *output, size_t output_bytes) {
    emulator_next_bit = 1;
    emulator_meetings = 0;
    EMULATOR_WATCH(watch_begin_call, input, input_bytes, output, output_bytes);
}

void emulator_end_call(void) {
    emulator_next_bit = 0;
    EMULATOR_WATCH(watch_end_call);
}
void emulator_begin_step(void) {
    if (mprotect(&sealed, sizeof sealed, PROT_READ) != 0)
        emulator_give_up("cannot protect its own memory");
    EMULATOR_WATCH(watch_begin_step);
}

void emulator_end_step(void) { EMULATOR_WATCH(watch_end_step); }
void emulator_grid_dependency_wait(void) {
    EMULATOR_WATCH(watch_dependency_wait);
    EMULATOR_WATCH(counted_dependency, 1, __builtin_return_address(0));
}
void emulator_grid_dependency_trigger(void) {
    EMULATOR_WATCH(counted_dependency, 0, __builtin_return_address(0));
}
