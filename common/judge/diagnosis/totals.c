// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "totals.h"

#include <stdlib.h>
#include <string.h>

#include "judge/findings/places.h"
#include "judge/text.h"
#include "judge/fault.h"
#include "reading.h"
#include "look.h"

enum { LONGEST = 59 }; /* of a name: the step could have written over its end */

struct totals {
    const struct reads *reads;
    const struct problem *problem;
    const struct counted_call *of;
    size_t size; /* of its input */
};

static size_t bin_of(const struct totals *totals, size_t element) {
    return totals->problem->counting->bin_of(totals->of->window +
                                             element * totals->problem->element_bytes);
}

static uint64_t count_all(const struct totals *totals) {
    uint64_t all = 0;
    for (size_t i = 0; i < totals->size; i++)
        all += bin_of(totals, i) < totals->problem->counting->bins;
    return all;
}

/* All of its additions to one place are no counts, but a ticket. */
static bool counts_in(const struct adder *adder, size_t array) {
    return adder->pc && adder->array == array && adder->elsewhere && adder->bytes;
}

/* What was added to the array. False: it does not have a place of its own for each bin. */
static bool add_up(const struct totals *totals, size_t array, uint64_t *sum) {
    *sum = 0;
    for (size_t i = 0; i < MOST_ADDERS; i++) {
        const struct adder *adder = &totals->reads->adder[i];
        if (!counts_in(adder, array))
            continue;
        size_t places = totals->reads->array[array].bytes / adder->bytes;
        if (adder->packed || places < totals->problem->counting->bins)
            return false;
        *sum += adder->total;
    }
    return *sum > 0;
}

static size_t say_lines(const struct totals *totals, size_t array, const char *program, char *text,
                        size_t size) {
    uint64_t pcs[MOST_ADDERS] = {0};
    struct place places[MOST_ADDERS];
    size_t count = 0, lines = 0;
    for (size_t i = 0; i < MOST_ADDERS; i++)
        if (counts_in(&totals->reads->adder[i], array))
            pcs[count++] = totals->reads->adder[i].pc;
    places_of(program, pcs, count, places);
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        while (before < i && places[before].line != places[i].line)
            before++;
        if (places[i].line && before == i)
            text_add(text, size, "%s%u", lines++ ? ", " : "", places[i].line);
    }
    return lines;
}

/* The first of about so many elements without a bin after which their threads add to the array at
 * once; the number of all elements where it is not so many. */
static size_t find_stray(const struct totals *totals, size_t array, uint64_t wanted) {
    enum { THREADS = 1 << 16 };
    const struct thread_use *use = totals->reads->use;
    size_t uses = totals->reads->uses < MOST_USES ? totals->reads->uses : MOST_USES;
    uint32_t *last = allocate(THREADS * sizeof *last); /* what a thread has read, from 1 on */
    size_t first = totals->size;
    uint64_t found = 0;
    memset(last, 0, THREADS * sizeof *last);
    for (size_t i = 0; i < uses; i++) {
        uint32_t *before = &last[use[i].thread % THREADS];
        size_t element = use[i].at / totals->problem->element_bytes;
        if (use[i].array == array && use[i].writes && *before && found++ == 0)
            first = *before - 1;
        bool stray = use[i].pc && use[i].array == OF_INPUT && element < totals->size &&
                     use[i].bytes == totals->problem->element_bytes &&
                     bin_of(totals, element) >= totals->problem->counting->bins;
        *before = stray ? (uint32_t)element + 1 : 0;
    }
    free(last);
    return found <= wanted && 2 * found >= wanted ? first : totals->size;
}

static void describe(const struct totals *totals, size_t array, uint64_t sum, uint64_t all,
                     const char *program, char *text, size_t size) {
    const char *element = totals->problem->element;
    char lines[80] = "";
    size_t count = say_lines(totals, array, program, lines, sizeof lines);
    size_t stray = sum > all ? find_stray(totals, array, sum - all) : totals->size;
    text_add(text, size, "In all, %s%s%s %llu to %.*s, where %llu %ss are to be counted.",
             count > 1    ? "lines "
             : count == 1 ? "line "
                          : "the kernels",
             lines, count > 1 || !count ? " add" : " adds", (unsigned long long)sum, LONGEST,
             totals->reads->array[array].name, (unsigned long long)all, element);
    if (stray < totals->size)
        text_add(text, size, " One of them is %s %zu, which is %u and in no bin.", element, stray,
                 (unsigned char)totals->of->window[stray * totals->problem->element_bytes]);
}

/* Where counts end at a limit, additions beyond it may be left out. */
bool totals_describe(const struct reads *reads, const struct problem *problem,
                     const struct counted_call *of, const char *program, char *text,
                     size_t text_size) {
    text[0] = '\0';
    if (!reads || !problem->counting)
        return false;
    const struct totals totals = {reads, problem, of, of->shape.rows * of->shape.columns};
    bool limited = problem->counting->most < UINT32_MAX;
    uint64_t all = count_all(&totals), sum;
    for (size_t array = 1; array < USED_ARRAYS; array++)
        if (add_up(&totals, array, &sum) && (limited ? sum > all : sum != all)) {
            describe(&totals, array, sum, all, program, text, text_size);
            return true;
        }
    return false;
}

/* Uses are not in order of time, but nearly. */
bool totals_no_output(const struct reads *reads, const char *program, char *text,
                      size_t text_size) {
    const struct thread_use *last = NULL;
    struct place place;
    text[0] = '\0';
    if (!reads || reads->uses > MOST_USES)
        return false;
    for (size_t i = 0; i < reads->uses; i++) {
        const struct thread_use *use = &reads->use[i];
        if (!use->pc || !use->writes || use->array >= USED_ARRAYS)
            continue;
        if (strncmp(reads->array[use->array].name, "the output", LONGEST) == 0)
            return false;
        last = use;
    }
    if (!reads->uses) {
        text_add(text, text_size,
                 "No kernel has read or written anything: none was launched, or "
                 "none of its threads does anything.");
        return true;
    }
    text_add(text, text_size, "No kernel writes to the output");
    if (last)
        text_add(text, text_size, ": the last writes are to %.*s", LONGEST,
                 reads->array[last->array].name);
    if (last && place_of(program, last->pc, &place))
        text_add(text, text_size, ", in line %u", place.line);
    text_add(text, text_size, ".");
    return true;
}

/* READ, or only written; of elements as wide as the array's first write. */
enum { READ = 1, WRITTEN = 2 };

static uint8_t *take_use_of(const struct reads *reads, size_t array, size_t *elements) {
    size_t width = 0;
    uint8_t *used = NULL;
    for (size_t i = 0; i < reads->uses; i++) {
        struct thread_use use = reads->use[i];
        if (!use.pc || use.array != array || !use.bytes || (!width && !use.writes))
            continue;
        if (!width) {
            width = use.bytes;
            *elements = reads->array[array].bytes / width;
            used = calloc(*elements + 1, 1);
        }
        for (size_t at = use.at / width; used && at * width < (size_t)use.at + use.bytes; at++)
            if (at < *elements)
                used[at] |= use.writes ? WRITTEN : READ;
    }
    return used;
}

static bool say_never_read(const struct reads *reads, size_t array, const uint8_t *used,
                           size_t elements, char *text, size_t size) {
    struct element_reads *of = allocate((elements + 1) * sizeof *of);
    size_t read = 0, lost = 0;
    for (size_t i = 0; i < elements; i++) {
        read += used[i] & READ;
        lost += used[i] == WRITTEN;
        of[i].times = used[i] != WRITTEN;
    }
    if (read && lost) {
        reading_name_missing(of, (struct shape){elements, 1}, "element", text, size);
        text_add(text, size, " written to %.*s, and never read.", LONGEST,
                 reads->array[array].name);
    }
    free(of);
    return read && lost;
}

bool totals_never_read(const struct reads *reads, char *text, size_t text_size) {
    bool said = false;
    text[0] = '\0';
    if (!reads || reads->uses > MOST_USES)
        return false;
    for (size_t array = 1; array < USED_ARRAYS && !said; array++) {
        size_t elements = 0;
        if (strncmp(reads->array[array].name, "memory of", strlen("memory of")) != 0)
            continue;
        uint8_t *used = take_use_of(reads, array, &elements);
        said = used && say_never_read(reads, array, used, elements, text, text_size);
        free(used);
    }
    return said;
}
