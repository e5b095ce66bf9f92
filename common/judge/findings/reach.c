#include "reach.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "places.h"
#include "judge/text.h"

/* Its runners are one program, which tells of its accesses in one order; but it may say anything.
 */
static size_t find(struct reach *reach, uint32_t pc) {
    size_t low = 0, high = reach->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (reach->access[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < reach->count && reach->access[low].pc == pc)
        return low;
    if (low < reach->count || reach->count == MOST_REACHED)
        return MOST_REACHED;
    reach->access[reach->count].pc = pc;
    reach->access[reach->count].line = reach->count;
    reach->access[reach->count].checked = reach->access[reach->count].graded = false;
    return reach->count++;
}

void reach_add(struct reach *reach, const struct reached *reached, bool graded) {
    for (size_t i = 0; i < reached->accesses && i < REACHED_ACCESSES; i++) {
        size_t at = find(reach, reached->pc[i]);
        if (at == MOST_REACHED || !reached->reached[i])
            continue;
        if (graded)
            reach->access[at].graded = true;
        else
            reach->access[at].checked = true;
    }
}

static bool same_place(const struct place *a, const struct place *b) {
    return a->line && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* The caller frees them. */
static uint64_t *offsets_of(const struct reach *reach) {
    uint64_t *offsets = allocate(reach->count * sizeof *offsets);
    for (size_t i = 0; i < reach->count; i++)
        offsets[i] = reach->access[i].pc;
    return offsets;
}

void reach_expect(const struct reach *reach, const char *runner) {
    uint64_t *offsets = offsets_of(reach);
    places_expect(runner, offsets, reach->count);
    free(offsets);
}

static void find_lines(struct reach *reach, const char *runner) {
    uint64_t *offsets = offsets_of(reach);
    struct place *places = allocate(reach->count * sizeof *places);
    places_of(runner, offsets, reach->count, places);
    for (size_t i = 0; i < reach->count; i++) {
        size_t first = 0;
        while (first < i && !same_place(&places[first], &places[i]))
            first++;
        reach->access[i].line = first;
    }
    reach->placed = true;
    free(places);
    free(offsets);
}

/* Whether the access's line is not among the checked ones. */
static bool is_left(const struct reach *reach, size_t access) {
    size_t line = reach->access[access].line;
    for (size_t i = line; i < reach->count; i++)
        if (reach->access[i].line == line && reach->access[i].checked)
            return false;
    return true;
}

static bool any_unchecked(const struct reach *reach) {
    for (size_t i = 0; i < reach->count; i++)
        if (!reach->access[i].checked)
            return true;
    return false;
}

bool reach_incomplete(struct reach *reach, const char *runner) {
    if (!any_unchecked(reach))
        return false;
    if (!reach->placed)
        find_lines(reach, runner);
    for (size_t i = 0; i < reach->count; i++)
        if (is_left(reach, i))
            return true;
    return false;
}

static bool is_wanted(const struct reach *reach, size_t i) {
    return reach->access[i].graded && is_left(reach, i);
}

bool reach_wanted(const struct reach *reach) {
    for (size_t i = 0; i < reach->count; i++)
        if (is_wanted(reach, i))
            return true;
    return false;
}

void reach_all_graded(struct reach *reach) {
    for (size_t i = 0; i < reach->count; i++)
        reach->access[i].graded = true;
}

void reach_lines(const struct reach *reach, const char *runner, char *text, size_t size) {
    enum { MOST = 64 };
    uint64_t offsets[MOST] = {0};
    unsigned lines[MOST];
    size_t count = 0;
    for (size_t i = 0; i < reach->count && count < MOST; i++)
        if (is_wanted(reach, i))
            offsets[count++] = reach->access[i].pc;
    const size_t known = places_lines(runner, offsets, count, lines);
    snprintf(text, size, "%s", count && !known ? "an unknown line" : "");
    for (size_t i = 0; i < known; i++)
        text_add((struct sentence){text, size}, "%s%u", i ? ", " : "", lines[i]);
}
