/* The emulated device. */
#pragma once

#include "../include/emulated.h"

/* It is the one that emulator_emulate was given. Without that it has two multiprocessors: the
 * fewest with which every step has several blocks, and few enough for a kernel whose threads take
 * many elements in a turn to make a whole turn at the check's small size. */
struct emulator_device {
    char name[64];
    unsigned multiprocessors;
    unsigned threads, blocks, registers; /* of a multiprocessor */
    unsigned shared_bytes;               /* of a multiprocessor */
    unsigned shared_block_bytes;         /* of a block, after cudaFuncSetAttribute */
    unsigned compute_capability;         /* ten times the major number plus the minor one */
    unsigned l2_bytes;
};
extern struct emulator_device emulator_device;
