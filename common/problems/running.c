#include "running.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/diagnosis/look.h"
#include "judge/strip.h"
#include "problems/in_threads.h"

static size_t elements_of(const struct strip *strip) {
    return strip->regions * strip->region_rows * strip->window.columns;
}

/* Elements between two running totals, at the least: then the index takes a third of the strip. New
 * memory costs more than to add up the elements at a window's ends; where there are thousands of
 * windows, on a GPU, eight times as many cost a tenth of a second more, and three times as many
 * nothing. Where there are few windows, the ends of all of them are a share of the strip. */
static size_t grain_of(const struct strip *strip) {
    enum { LEAST_BYTES = 4096, TIMES = 3, ENDS_SHARE = 16 };
    const size_t bytes = TIMES * problem.running->bytes;
    const size_t least = (bytes < LEAST_BYTES ? LEAST_BYTES : bytes) / strip->element_bytes;
    const size_t few = elements_of(strip) / (ENDS_SHARE * strip->regions * strip->positions);
    return few > least ? few : least;
}

size_t running_bytes(const struct strip *strip) {
    return (elements_of(strip) / grain_of(strip) + 1) * problem.running->bytes;
}

struct preparing {
    const struct strip *strip;
    size_t grain, grains;
    char *totals; /* of the strip's first grains: none, one, ... */
    char *before; /* each thread's share */
};

/* As if the thread's share were all there is. */
static void run_through(void *argument, size_t thread, size_t threads) {
    const struct preparing *p = argument;
    const size_t bytes = problem.running->bytes, grain_bytes = p->grain * p->strip->element_bytes;
    const size_t first = cores_begin(p->grains, thread, threads);
    for (size_t g = first; g < cores_begin(p->grains, thread + 1, threads); g++) {
        char *total = p->totals + (g + 1) * bytes;
        if (g == first)
            memset(total, 0, bytes);
        else
            memcpy(total, total - bytes, bytes);
        problem.running->add(total, (const char *)p->strip->elements + g * grain_bytes, p->grain);
    }
}

static void add_before(void *argument, size_t thread, size_t threads) {
    const struct preparing *p = argument;
    const size_t bytes = problem.running->bytes, end = cores_begin(p->grains, thread + 1, threads);
    for (size_t g = cores_begin(p->grains, thread, threads); thread && g < end; g++)
        problem.running->join(p->totals + (g + 1) * bytes, p->before + thread * bytes, 1);
}

void *running_prepare(const struct strip *strip) {
    const size_t bytes = problem.running->bytes, threads = threads_count();
    struct preparing p = {strip, .grain = grain_of(strip)};
    p.grains = elements_of(strip) / p.grain;
    p.totals = malloc(running_bytes(strip));
    p.before = calloc(threads, bytes);
    if (!p.totals || !p.before) {
        free(p.totals);
        free(p.before);
        return NULL;
    }
    memset(p.totals, 0, bytes);
    in_threads(run_through, &p);
    for (size_t t = 1; t < threads; t++) {
        const size_t end = cores_begin(p.grains, t, threads);
        memcpy(p.before + t * bytes, p.before + (t - 1) * bytes, bytes);
        if (end > cores_begin(p.grains, t - 1, threads))
            problem.running->join(p.before + t * bytes, p.totals + end * bytes, 1);
    }
    in_threads(add_before, &p);
    free(p.before);
    return p.totals;
}

void running_expect(const struct strip *strip, const void *index, size_t row, void *total) {
    const size_t grain = grain_of(strip), size = strip->element_bytes;
    const size_t first = row * strip->window.columns;
    const size_t end = first + strip->window.rows * strip->window.columns;
    const size_t first_grain = (first + grain - 1) / grain, end_grain = end / grain;
    const char *elements = strip->elements, *totals = index;
    memset(total, 0, problem.running->bytes);
    if (first_grain >= end_grain) {
        problem.running->add(total, elements + first * size, end - first);
        return;
    }
    problem.running->join(total, totals + end_grain * problem.running->bytes, 1);
    problem.running->join(total, totals + first_grain * problem.running->bytes, -1);
    problem.running->add(total, elements + first * size, first_grain * grain - first);
    problem.running->add(total, elements + end_grain * grain * size, end - end_grain * grain);
}

void running_change(struct strip *strip, void *index, size_t element, const void *value) {
    const size_t grain = grain_of(strip), grains = elements_of(strip) / grain;
    char *at = (char *)strip->elements + element * strip->element_bytes, *totals = index;
    uint64_t after = 0; /* aligned */
    memcpy(&after, value, strip->element_bytes);
    for (size_t g = element / grain + 1; g <= grains; g++)
        problem.running->replace(totals + g * problem.running->bytes, at, &after);
    memcpy(at, &after, strip->element_bytes);
}

void running_join_counts(void *total, const void *other, int sign) {
    uint32_t *counts = total;
    for (size_t i = 0; i < problem.running->bytes / sizeof *counts; i++)
        counts[i] += (uint32_t)sign * ((const uint32_t *)other)[i];
}

void running_replace_counts(void *total, const void *before, const void *after) {
    uint32_t *counts = total;
    counts[problem.counting->bin_of(before)]--;
    counts[problem.counting->bin_of(after)]++;
}

bool running_counts_right(const void *expected, const void *got, char *why, size_t why_size) {
    const struct counting *counting = problem.counting;
    size_t bin = 0;
    if (memcmp(expected, got, counting->bins * counting->bin_bytes) == 0)
        return true;
    while (count_in(counting, expected, bin) == count_in(counting, got, bin))
        bin++;
    snprintf(why, why_size, "bin %zu: expected %u, got %u", bin, count_in(counting, expected, bin),
             count_in(counting, got, bin));
    return false;
}
