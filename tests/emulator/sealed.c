/* Once the step's set-up has begun, who gets hazards is final: a write there is a SIGSEGV. */
#include <stdio.h>

#include "emulator.h"

static void tell(const struct hazard *hazard) { (void)hazard; }

int main(void) {
    emulator_on_hazard(tell);
    emulator_begin_step();
    emulator_begin_step();
    puts("sealed");
    fflush(stdout);
    emulator_on_hazard(NULL);
    puts("not sealed");
}
