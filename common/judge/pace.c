#include "pace.h"

#include <stdio.h>
#include <unistd.h>

void pace_note(struct pace *pace, bool checked, double elements, double seconds) {
    enum { LEAST_ELEMENTS = 50000 };
    if (elements >= LEAST_ELEMENTS)
        *(checked ? &pace->checked_s : &pace->plain_s) = seconds / elements;
}

/* Until a run of that build has been seen, a guess: the analysis of each access takes far longer
 * than the access. */
double pace_expect(const struct pace *pace, bool checked, double elements) {
    enum { ANALYSIS = 8 };
    double other_s = checked ? pace->plain_s * ANALYSIS : pace->checked_s / ANALYSIS;
    double known_s = checked ? pace->checked_s : pace->plain_s;
    return elements * (known_s > 0 ? known_s : other_s);
}

void pace_tell(double seconds, const char *step) {
    enum { WORTH_SAYING_S = 5 };
    if (seconds > WORTH_SAYING_S && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\x1b[Kchecking %s: about %.0f s", step, seconds);
}
