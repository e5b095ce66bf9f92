/* How many threads a launch has, as a diagnosis needs it: a wrong index often shows as a number of
 * blocks or of threads. Zeros: unknown. */
#pragma once

#include <stdint.h>

struct launch_size {
    uint32_t blocks, threads; /* threads of each block */
};

static inline uint64_t launch_threads(struct launch_size launch) {
    return (uint64_t)launch.blocks * launch.threads;
}
