/* Where the threads are of a step that has been computing for long, as the runner tells the judge.
 * Of fixed size, without pointers: a message. Whoever reads it must not trust it. */
#pragma once

#include <stdint.h>

#include "crash.h"

enum {
    WHERE_GROUPS = 20,
    WHERE_BLOCKS = 64, /* of which a group tells whether it has threads */
};

/* CUDA threads that are not running right now, at one place of the program. */
struct where_group {
    uint64_t pc;       /* offset in the program, as addr2line takes it */
    uint64_t blocks;   /* a bit for each block that is being run: whether threads of it are here */
    uint32_t threads;  /* that are here */
    uint32_t waits;    /* at a barrier or for lanes of the warp: they cannot go on alone */
    uint32_t block[3]; /* blockIdx and threadIdx of the first of them */
    uint32_t thread[3];
};

struct where {
    double cpu_s; /* CPU time of the process since the call, set-up or tear-down began, above 0 */
    uint64_t launches;            /* of kernels, since then */
    uint32_t launch_line;         /* of the latest, in the step's file; 0: there was none */
    uint64_t grid, ended;         /* its blocks, and those that have ended, while it runs */
    uint32_t goes_on;             /* the listener's: blocks or launches have ended since the report
                                     before */
    uint32_t on_host;             /* the thread that runs is the host's: no block and no thread */
    uint32_t block[3], thread[3]; /* blockIdx and threadIdx of the one that runs */
    uint64_t blocks;              /* as in a group, for this thread */
    uint32_t frames;
    uint64_t pc[CRASH_FRAMES]; /* where it runs, then the calls that led there */
    uint32_t groups;
    struct where_group group[WHERE_GROUPS]; /* where the others are, as far as there is room */
};
