/* What a program under `make run` tells of itself in the file that HISTOLAB_TOLD names: records of
 * fixed size, which program.c writes. Nobody must trust them: the program can write there too. */
#pragma once

#include <stdint.h>

#include "crash.h"
#include "hazard.h"
#include "where.h"

enum told_kind {
    TOLD_HAZARD = 1,
    TOLD_CRASH, /* a signal is about to end it */
    TOLD_ENDED, /* it has used too much CPU time, and ends itself */
    TOLD_EXIT,  /* it ends by itself; `launches` is known */
};

struct told {
    uint32_t kind;
    uint64_t launches; /* of kernels so far */
    union {
        struct hazard hazard;
        struct crash crash;
        struct where where;
    };
};
