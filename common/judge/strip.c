#include "strip.h"

#include <stdlib.h>

#include "random.h"

enum { WINDOW_ALIGNMENT = 128 }; /* bytes; a window that starts off it costs an H200 2.5 % */

/* Windows that a region offers at the most. A thousand calls over four regions need 250. */
enum { MOST_POSITIONS = 256 };

static size_t greatest_common_divisor(size_t a, size_t b) {
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static size_t round_up(size_t value, size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

size_t strip_row_bytes(const struct strip *strip) {
    return strip->window.columns * strip->element_bytes;
}

size_t strip_bytes(const struct strip *strip) {
    return strip->regions * strip->region_rows * strip_row_bytes(strip);
}

size_t strip_window_bytes(const struct strip *strip) {
    return strip->window.rows * strip_row_bytes(strip);
}

const void *strip_row(const struct strip *strip, size_t row) {
    return (const char *)strip->elements + row * strip_row_bytes(strip);
}

size_t strip_cold_regions(size_t window_bytes, size_t l2_bytes) {
    if (window_bytes < WINDOW_ALIGNMENT)
        window_bytes = WINDOW_ALIGNMENT;
    /* All the other regions lie between two reads of one. One more than that needs, since the
     * second read may begin a little further back than the first. */
    return 2 + (2 * l2_bytes + window_bytes - 1) / window_bytes;
}

struct strip strip_plan(const struct problem *problem, struct shape window, size_t regions,
                        size_t calls, size_t slide) {
    struct strip strip = {.window = window, .regions = regions, .positions = 1};
    strip.element_bytes = problem->element_bytes;
    if (slide && strip_window_bytes(&strip)) /* windows without elements are all the same */
        strip.positions = (calls + regions - 1) / regions;
    if (strip.positions > MOST_POSITIONS)
        strip.positions = MOST_POSITIONS;

    size_t row_bytes = strip_row_bytes(&strip);
    size_t boundary =
        row_bytes ? WINDOW_ALIGNMENT / greatest_common_divisor(WINDOW_ALIGNMENT, row_bytes) : 1;
    size_t slide_rows = window.columns ? (slide + window.columns - 1) / window.columns : slide;
    strip.align_rows = round_up(slide_rows ? slide_rows : 1, boundary);
    /* A region of small windows that slide far is no larger than they need. */
    strip.region_rows = round_up(window.rows, boundary) + (strip.positions - 1) * strip.align_rows;
    return strip;
}

void strip_windows(const struct strip *strip, uint64_t *random, uint64_t *rows, size_t calls) {
    uint32_t order[MOST_POSITIONS];
    for (size_t position = 0; position < strip->positions; position++)
        order[position] = position * strip->align_rows;

    for (size_t region = 0; region < strip->regions; region++) {
        random_shuffle(order, strip->positions, random);
        for (size_t call = region; call < calls; call += strip->regions)
            rows[call] =
                region * strip->region_rows + order[call / strip->regions % strip->positions];
    }
}
