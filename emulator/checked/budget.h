/* How long each kernel is analysed, with how much memory: see emulator_check_for (emulator.h). */
#pragma once

#include <stdbool.h>

struct emulator_launch;

/* Nothing of the launch that runs is analysed any more. */
extern bool budget_is_spent;

/* Accesses of the host that are still looked at. After them only its copies are. */
extern long budget_host_accesses;

void budget_begin_launch(const struct emulator_launch *launch);
void budget_spend(void); /* now and then: its time may be over */
void budget_end_launch(void);
