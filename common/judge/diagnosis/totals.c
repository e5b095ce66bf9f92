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

/* An adder whose additions all go to one place may be for a ticket: where no other one goes to
 * several places of the array, or behind the bins. */
static bool counts_in(const struct totals *totals, const struct adder *adder, size_t array) {
    bool others = false;
    if (!adder->pc || adder->array != array || !adder->bytes)
        return false;
    for (const struct adder *other = totals->reads->adder;
         other < totals->reads->adder + MOST_ADDERS; other++)
        others |= other->pc && other->array == array && other->elsewhere;
    return adder->elsewhere ||
           (others && adder->at / adder->bytes < totals->problem->counting->bins);
}

/* What was added to the array. False: it does not have a place of its own for each bin. */
static bool add_up(const struct totals *totals, size_t array, uint64_t *sum) {
    *sum = 0;
    for (size_t i = 0; i < MOST_ADDERS; i++) {
        const struct adder *adder = &totals->reads->adder[i];
        if (!counts_in(totals, adder, array))
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
        if (counts_in(totals, &totals->reads->adder[i], array))
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

/* What one thread has read and added. */
enum { THREADS = 1 << 16 };
struct account {
    uint32_t read, added, after; /* elements with a bin, in all and since its last addition */
    bool goes_on;                /* it has read some after an addition */
};

static size_t countable(const struct totals *totals, const struct thread_use *use) {
    size_t bytes = totals->problem->element_bytes, count = 0;
    for (size_t i = use->at / bytes; i * bytes < (size_t)use->at + use->bytes; i++)
        count += i < totals->size && bin_of(totals, i) < totals->problem->counting->bins;
    return count;
}

static void keep_account(const struct totals *totals, size_t array, const struct thread_use *use,
                         struct account *accounts) {
    struct account *of = &accounts[use->thread % THREADS];
    if (use->array == OF_INPUT) {
        const uint32_t count = (uint32_t)countable(totals, use);
        of->read += count;
        of->after += count;
        of->goes_on |= of->added > 0;
    } else if (use->array == array && use->writes == USE_ADDS) {
        of->added += use->value;
        of->after = 0;
    }
}

static bool tells_more(const struct account *of, const struct account *other) {
    bool late = of->added < of->read && of->after, other_late = other->after;
    return late != other_late ? late : of->read < other->read;
}

/* A thread that has added another number than it has read: best one that goes on reading, or that
 * has read few. THREADS: there is none, or threads add what others have read. */
static size_t find_thread(const struct account *accounts) {
    size_t found = THREADS, readers = 0, adders = 0;
    for (size_t t = 0; t < THREADS; t++) {
        const struct account *of = &accounts[t];
        readers += of->read > 0;
        adders += of->read && of->added;
        if (of->goes_on && of->added != of->read &&
            (found == THREADS || tells_more(of, &accounts[found])))
            found = t;
    }
    return adders > readers / 2 ? found : THREADS;
}

/* The numbers that it adds, the first of them. */
static void say_additions(const struct reads *reads, size_t uses, size_t array, size_t thread,
                          char *text, size_t size) {
    enum { SHOWN = 5 };
    size_t additions = 0;
    for (size_t i = 0; i < uses; i++) {
        const struct thread_use *use = &reads->use[i];
        if (use->pc && use->array == array && use->writes == USE_ADDS &&
            use->thread % THREADS == thread && additions++ < SHOWN)
            text_add(text, size, "%s%u", additions > 1 ? ", " : "", use->value);
    }
    text_add(text, size, additions > SHOWN ? " and so on" : "");
}

/* "Only thread 0 of each block does.", where no other adds to the array. */
static void say_only_thread(const struct totals *totals, size_t array, size_t uses, char *text,
                            size_t size) {
    enum { NONE = OF_BLOCK, SEVERAL };
    size_t only = NONE;
    for (size_t i = 0; i < uses; i++) {
        const struct thread_use *use = &totals->reads->use[i];
        if (use->pc && use->array == array && use->writes == USE_ADDS)
            only =
                only == NONE || only == use->thread % OF_BLOCK ? use->thread % OF_BLOCK : SEVERAL;
    }
    if (only < NONE)
        text_add(text, size, " Only thread %zu of each block does.", only);
}

/* "Thread 3 of block 0 reads 5 of them and adds 1, 2; after that it reads 2 more." */
static void say_thread(const struct totals *totals, size_t array, char *text, size_t size) {
    const struct reads *reads = totals->reads;
    size_t uses = reads->uses < MOST_USES ? reads->uses : MOST_USES;
    struct account *accounts = allocate(THREADS * sizeof *accounts);
    memset(accounts, 0, THREADS * sizeof *accounts);
    for (size_t i = 0; i < uses; i++)
        if (reads->use[i].pc)
            keep_account(totals, array, &reads->use[i], accounts);
    size_t thread = find_thread(accounts);
    if (thread < THREADS && reads->uses <= MOST_USES) {
        const struct account *of = &accounts[thread];
        text_add(text, size, " Thread %zu of block %zu reads %u of them and adds ",
                 thread % OF_BLOCK, thread / OF_BLOCK, of->read);
        say_additions(reads, uses, array, thread, text, size);
        if (of->added < of->read && of->after)
            text_add(text, size, "; after that it reads %u more", of->after);
        text_add(text, size, ".");
    }
    if (thread == THREADS && reads->uses <= MOST_USES)
        say_only_thread(totals, array, uses, text, size);
    free(accounts);
}

static void describe(const struct totals *totals, size_t array, uint64_t sum, uint64_t all,
                     const char *program, char *text, size_t size) {
    const char *element = totals->problem->element;
    char lines[80] = "";
    size_t count = say_lines(totals, array, program, lines, sizeof lines);
    text_add(text, size, "In all, %s%s%s %llu to %.*s, where %llu %ss are to be counted.",
             count > 1    ? "lines "
             : count == 1 ? "line "
                          : "the kernels",
             lines, count > 1 || !count ? " add" : " adds", (unsigned long long)sum, USED_NAME,
             totals->reads->array[array].name, (unsigned long long)all, element);
    say_thread(totals, array, text, size);
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
        if (strncmp(reads->array[use->array].name, "the output", USED_NAME) == 0)
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
        text_add(text, text_size, ": the last writes are to %.*s", USED_NAME,
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
        text_add(text, size, " written to %.*s, and never read.", USED_NAME,
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
