/* How long what comes next will take, by what came before: on the cpu device nobody should wait for
 * more than some seconds without knowing for how long. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Seconds that an element of a call takes, 0 where it is unknown. */
struct pace {
    double checked_s, plain_s;
};

/* So many elements of calls have taken that long. Few tell nothing: a launch takes its time, too.
 */
void pace_note(struct pace *pace, bool checked, double elements, double seconds);

/* How long so many will take; 0 where it is unknown. */
double pace_expect(const struct pace *pace, bool checked, double elements);

/* On a terminal, where that is more than 5 s: says so in the line of progress, in the place of what
 * the script says there ("checking opt05_multiblock"). */
void pace_tell(double seconds, const char *step);
