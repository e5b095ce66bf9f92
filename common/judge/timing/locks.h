/* The locks on the GPU. A judge takes the one place that waits for them, makes sandboxes and draws
 * inputs while another step is being measured, and takes them just before its runners use the
 * GPU. */
#pragma once

#include <stdbool.h>

/* `locks`: descriptors with a comma between two, or NULL for none. `place`: the descriptor of the
 * place's lock, or NULL; waits for it. */
void locks_want(const char *locks, const char *place);

/* Whether they are had; true where none are wanted, and once they were taken. */
bool locks_had(void);

/* Waits for them, in their order, and gives the place up. Does nothing if they are had. */
void locks_take(void);

void locks_give_back(void);

/* Seconds of the judge's own clock that stands still while it waits for them: what a step may take
 * in all is counted by it. */
double locks_clock(void);
