/* For the problems that count bytes by class. Expected outputs: how many bytes of each class a
 * window has, from running counts of the whole strip. And the CPU's solution on all cores.
 *
 * class_of[] gives the class of a byte, a number below `classes`. Counts that are not output (of
 * bytes that the problem ignores) come after those that are. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/timing/cores.h"
#include "problem.h"
#include "problems/in_threads.h"

/* Bytes between two running counts: the index is then a quarter of the strip at the most. */
enum { BYTE_COUNTS_GRAIN = 4096, BYTE_CLASSES = 256 };

/* With a table of its own: other threads look into this one while another strip is prepared. */
struct byte_counts {
    uint8_t class_of[BYTE_CLASSES];
    size_t classes;
    uint32_t running[]; /* [g * classes + c]: of class c in the strip's first g grains */
};

static inline void byte_counts_add(const uint8_t *class_of, const uint8_t *bytes, size_t first,
                                   size_t end, uint32_t *counts) {
    for (size_t i = first; i < end; i++)
        counts[class_of[bytes[i]]]++;
}

static inline size_t byte_counts_grains(const struct strip *strip) {
    return strip->regions * strip->region_rows * strip->window.columns / BYTE_COUNTS_GRAIN;
}

static inline size_t byte_counts_bytes(const struct strip *strip, size_t classes) {
    return sizeof(struct byte_counts) +
           (byte_counts_grains(strip) + 1) * classes * sizeof(uint32_t);
}

struct byte_counts_preparing {
    struct byte_counts *index;
    const uint8_t *bytes;
    size_t grains;
    uint32_t before[MOST_CORES][BYTE_CLASSES]; /* each thread's share */
};

/* The running counts after that many grains. */
static inline uint32_t *byte_counts_after(struct byte_counts *index, size_t grains) {
    return &index->running[grains * index->classes];
}

/* As if the thread's share were all there is. */
static inline void byte_counts_run_through(void *argument, size_t thread, size_t threads) {
    struct byte_counts_preparing *preparing = argument;
    struct byte_counts *index = preparing->index;
    uint32_t counts[BYTE_CLASSES] = {0};
    size_t end = cores_begin(preparing->grains, thread + 1, threads);
    for (size_t g = cores_begin(preparing->grains, thread, threads); g < end; g++) {
        byte_counts_add(index->class_of, preparing->bytes, g * BYTE_COUNTS_GRAIN,
                        (g + 1) * BYTE_COUNTS_GRAIN, counts);
        memcpy(byte_counts_after(index, g + 1), counts, index->classes * sizeof *counts);
    }
}

static inline void byte_counts_add_before(void *argument, size_t thread, size_t threads) {
    struct byte_counts_preparing *preparing = argument;
    struct byte_counts *index = preparing->index;
    size_t end = cores_begin(preparing->grains, thread + 1, threads);
    for (size_t g = cores_begin(preparing->grains, thread, threads); g < end; g++)
        for (size_t c = 0; c < index->classes; c++)
            byte_counts_after(index, g + 1)[c] += preparing->before[thread][c];
}

static inline void *byte_counts_prepare(const struct strip *strip,
                                        const uint8_t class_of[BYTE_CLASSES], size_t classes) {
    size_t grains = byte_counts_grains(strip), threads = threads_count();
    struct byte_counts *index = malloc(byte_counts_bytes(strip, classes));
    struct byte_counts_preparing *preparing = malloc(sizeof *preparing);
    if (!index || !preparing) {
        free(index);
        free(preparing);
        return NULL;
    }
    memcpy(index->class_of, class_of, sizeof index->class_of);
    index->classes = classes;
    memset(index->running, 0, classes * sizeof *index->running);
    *preparing = (struct byte_counts_preparing){index, strip->elements, grains, {{0}}};
    in_threads(byte_counts_run_through, preparing);
    for (size_t t = 1; t < threads; t++) {
        size_t first = cores_begin(grains, t - 1, threads), end = cores_begin(grains, t, threads);
        for (size_t c = 0; c < classes; c++)
            preparing->before[t][c] =
                preparing->before[t - 1][c] + (end > first ? byte_counts_after(index, end)[c] : 0);
    }
    in_threads(byte_counts_add_before, preparing);
    free(preparing);
    return index;
}

/* The first `outputs` counts of the window that starts at a row. */
static inline void byte_counts_expect(const struct strip *strip, const void *prepared, size_t row,
                                      void *output, size_t outputs) {
    const struct byte_counts *index = prepared;
    const uint8_t *class_of = index->class_of, *bytes = strip->elements;
    size_t first = row * strip->window.columns;
    size_t end = first + strip->window.rows * strip->window.columns;
    size_t first_grain = (first + BYTE_COUNTS_GRAIN - 1) / BYTE_COUNTS_GRAIN;
    size_t end_grain = end / BYTE_COUNTS_GRAIN;
    uint32_t counts[BYTE_CLASSES] = {0};

    if (first_grain < end_grain) {
        const uint32_t *before = &index->running[first_grain * index->classes];
        const uint32_t *until = &index->running[end_grain * index->classes];
        for (size_t c = 0; c < index->classes; c++)
            counts[c] = until[c] - before[c];
        byte_counts_add(class_of, bytes, first, first_grain * BYTE_COUNTS_GRAIN, counts);
        byte_counts_add(class_of, bytes, end_grain * BYTE_COUNTS_GRAIN, end, counts);
    } else {
        byte_counts_add(class_of, bytes, first, end, counts);
    }
    memcpy(output, counts, outputs * sizeof *counts);
}

static inline void byte_counts_change(struct strip *strip, void *prepared, size_t element,
                                      const void *value) {
    struct byte_counts *index = prepared;
    uint8_t *bytes = strip->elements, byte = *(const uint8_t *)value;
    size_t grains = byte_counts_grains(strip);
    for (size_t g = element / BYTE_COUNTS_GRAIN + 1; g <= grains; g++) {
        index->running[g * index->classes + index->class_of[bytes[element]]]--;
        index->running[g * index->classes + index->class_of[byte]]++;
    }
    bytes[element] = byte;
}

static inline bool byte_counts_right(const uint32_t *expected, const uint32_t *got, size_t outputs,
                                     char *why, size_t why_size) {
    for (size_t bin = 0; bin < outputs; bin++)
        if (expected[bin] != got[bin]) {
            snprintf(why, why_size, "bin %zu: expected %u, got %u", bin, expected[bin], got[bin]);
            return false;
        }
    return true;
}

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
