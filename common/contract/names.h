/* What a step's object may ask of other objects and of libraries, as extended regular expressions,
 * each of a whole name. */
#pragma once

#include <stdbool.h>

enum name_list {
    USUAL,
    NEVER,
    OF_LIBC,
    OF_HARNESS,
    OWN_CALL, /* an instruction as objdump prints it */
    NAME_LISTS
};

bool is_name_of(enum name_list list, const char *name);
