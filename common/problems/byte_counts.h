/* For the problems that count bytes: the CPU's solution on all cores. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "judge/timing/cores.h"

enum { BYTE_CLASSES = 256 };

/* count() adds what it finds in `size` bytes to the counts. */
struct byte_counts_shares {
    void (*count)(const uint8_t *bytes, size_t size, uint32_t *counts);
    const uint8_t *bytes;
    size_t size;
    uint32_t counts[MOST_CORES][BYTE_CLASSES];
};

static inline void byte_counts_share(void *argument, size_t core, size_t cores) {
    struct byte_counts_shares *shares = argument;
    size_t begin = cores_begin(shares->size, core, cores);
    size_t end = cores_begin(shares->size, core + 1, cores);
    memset(shares->counts[core], 0, sizeof shares->counts[core]);
    shares->count(shares->bytes + begin, end - begin, shares->counts[core]);
}

/* The first `outputs` counts of `size` bytes: each core counts its share in a table of its own. */
static inline void
byte_counts_on_all_cores(void (*count)(const uint8_t *bytes, size_t size, uint32_t *counts),
                         const void *bytes, size_t size, uint32_t *output, size_t outputs) {
    static struct byte_counts_shares shares;
    shares.count = count;
    shares.bytes = bytes;
    shares.size = size;
    cores_run(byte_counts_share, &shares);
    memset(output, 0, outputs * sizeof *output);
    for (size_t core = 0; core < cores_count(); core++)
        for (size_t bin = 0; bin < outputs; bin++)
            output[bin] += shares.counts[core][bin];
}
