/* Points: decimal numbers, and exact, since a grade must not hang on how a binary fraction is
 * rounded. They are rounded here alone, to hundredths, half a hundredth up. */
#pragma once

#include <stdbool.h>

typedef long long amount; /* in millionths; what somebody writes behind these is cut off */
#define POINT 1000000LL

/* "6" or "2.5": digits, and maybe a point with digits behind it, up to `most`. */
bool read_amount(const char *text, amount most, amount *value);

amount hundredths(amount value);
amount times_share(amount value, double share); /* in hundredths */

/* value * part / whole, less so many per cent; in hundredths. */
amount scaled(amount value, amount part, amount whole, amount percent_less);

const char *amount_text(amount value); /* all of its digits: 2.375 */
const char *points(amount value);      /* as people write them: 6, 3.5, 2.38 */
