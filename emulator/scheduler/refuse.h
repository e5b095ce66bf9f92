/* What a program said before it was ended: of the assertion that failed, or of what no device
 * allows. Empty until then. */
#ifndef REFUSE_H
#define REFUSE_H

#include "../findings/crash.h"

extern char emulator_last_words[sizeof((struct crash *)0)->words];

#endif
