// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "passing.h"

#include <string.h>

#include "judge/findings/places.h"
#include "judge/text.h"
#include "look.h"

/* What a thread has read in the array since its last write to another one. */
enum { SHOWN = 4 };
struct held {
    size_t reads, bins[SHOWN]; /* the bins of the first of them */
    bool several;              /* they are not all of one bin */
    uint64_t sum;
    const struct thread_use *last;
    size_t then; /* the array that it has read last after that, or OF_INPUT */
};

/* In the order in which they are told. */
enum loss {
    ANOTHER_ADDED,
    REPLACED,
    OF_OTHER_BINS,
    ANOTHER_STORED,
    OF_ONE_BLOCK,
    NOT_PASSED,
    LOSSES
};

/* The first of each kind. */
struct lost {
    const struct thread_use *to;
    struct held held;
    size_t bin;
};

struct passing {
    const struct noted *noted;
    size_t array;
    enum order order;
    unsigned stores[MOST_BINS]; /* to a bin of the output */
    struct {
        unsigned replacing, adding; /* exchanges in a bin, of what was read, or of another number */
    } exchanges[MOST_BINS];
    size_t blocks; /* that use the array */
    struct lost lost[LOSSES];
};

static uint32_t right_of(const struct passing *p, size_t bin) {
    return count_in(p->noted->problem->counting, p->noted->of->expected, bin);
}

static uint32_t got_of(const struct passing *p, size_t bin) {
    return count_in(p->noted->problem->counting, p->noted->of->got, bin);
}

static bool is_output(const struct noted *noted, size_t array) {
    return strncmp(noted->reads->array[array].name, "the output", USED_NAME) == 0;
}

static bool is_of_block(const struct noted *noted, size_t array) {
    return !is_output(noted, array) &&
           strncmp(noted->reads->array[array].name, "memory of", strlen("memory of")) != 0;
}

static void add_lost(struct passing *p, enum loss loss, const struct thread_use *to,
                     const struct held *held, size_t bin) {
    if (!p->lost[loss].held.reads)
        p->lost[loss] = (struct lost){to, *held, bin};
}

static void look_at_addition(struct passing *p, const struct thread_use *use,
                             const struct held *held, size_t bin) {
    const struct counting *counting = p->noted->problem->counting;
    bool low = got_of(p, bin) < right_of(p, bin);
    if (held->several || held->bins[0] != bin || use->bytes != sizeof use->value)
        return;
    if (low ? use->value < held->sum && use->value != count_shown(counting, held->sum)
            : use->value > held->sum)
        add_lost(p, ANOTHER_ADDED, use, held, bin);
}

static void look_at_store(struct passing *p, const struct thread_use *use, const struct held *held,
                          size_t bin) {
    const struct counting *counting = p->noted->problem->counting;
    uint32_t stored = got_of(p, bin);
    if (p->stores[bin] != 1)
        return;
    if (held->several)
        add_lost(p, OF_OTHER_BINS, use, held, bin);
    else if (held->bins[0] == bin && count_shown(counting, held->sum) == right_of(p, bin))
        add_lost(p, ANOTHER_STORED, use, held, bin);
    else if (p->blocks > 1 && held->bins[0] == bin && stored == held->sum &&
             is_of_block(p->noted, p->array) && stored < right_of(p, bin))
        add_lost(p, OF_ONE_BLOCK, use, held, bin);
}

/* Who adds by an exchange stores more than what he has read, but for the first. */
static void look_at_exchange(struct passing *p, const struct thread_use *use,
                             const struct held *held, size_t bin) {
    if (held->several || held->bins[0] != bin || use->value != held->sum)
        p->exchanges[bin].adding++;
    else if (++p->exchanges[bin].replacing == 2 && !p->exchanges[bin].adding &&
             got_of(p, bin) < right_of(p, bin))
        add_lost(p, REPLACED, use, held, bin);
}

static void pass(struct passing *p, const struct thread_use *use, const struct held *held) {
    const struct counting *counting = p->noted->problem->counting;
    bool output = is_output(p->noted, use->array);
    size_t bin = noted_bin(p->noted, use, BY_COPY);
    if (!held->reads || bin >= counting->bins || got_of(p, bin) == right_of(p, bin))
        return;
    if (use->writes == USE_ADDS)
        look_at_addition(p, use, held, bin);
    else if (!output && use->value)
        look_at_exchange(p, use, held, bin);
    else if (output && use->bytes == counting->bin_bytes && held->then == OF_INPUT)
        look_at_store(p, use, held, bin);
}

/* A count that its thread has read last, and then forgotten. */
static void drop(struct passing *p, const struct held *held) {
    if (held->reads && !held->several && held->sum &&
        got_of(p, held->bins[0]) < right_of(p, held->bins[0]))
        add_lost(p, NOT_PASSED, NULL, held, held->bins[0]);
}

static void hold(struct held *held, const struct thread_use *use, size_t bin) {
    if (held->last && held->last->at == use->at)
        return; /* the same again */
    if (held->reads < SHOWN)
        held->bins[held->reads] = bin;
    held->several |= bin != held->bins[0];
    held->reads++;
    held->sum += use->value;
    held->last = use;
    held->then = OF_INPUT;
}

static bool is_target(const struct passing *p, const struct thread_use *use) {
    return use->writes && use->array != OF_INPUT && use->array != p->array &&
           noted_has_order(p->noted, use->array, BY_COPY);
}

static void count_stores(struct passing *p) {
    const struct noted *noted = p->noted;
    for (size_t u = 0; u < noted->uses; u++) {
        const struct thread_use *use = &noted->use[u];
        if (use->array == p->array && use->thread / OF_BLOCK >= p->blocks)
            p->blocks = use->thread / OF_BLOCK + 1;
        if (use->writes && use->array != OF_INPUT && is_output(noted, use->array) &&
            noted_bin(noted, use, BY_COPY) < noted->problem->counting->bins)
            p->stores[noted_bin(noted, use, BY_COPY)]++;
    }
}

static void follow(struct passing *p, bool has_elements) {
    const struct noted *noted = p->noted;
    struct queue queue = {.count = 0};
    struct held held = {0};
    bool looked = false;
    for (size_t u = 0; u < noted->uses; u++) {
        const struct thread_use *use = &noted->use[u];
        if (u && noted_thread(use) != noted_thread(use - 1)) {
            drop(p, &held);
            held = (struct held){0};
            queue.count = 0;
            looked = false;
        }
        if (use->array == OF_INPUT && has_elements)
            noted_enqueue(&queue, noted, use, QUEUED);
        if (use->array == p->array && !noted_is_of_element(&queue, use, &looked)) {
            size_t bin = noted_bin(noted, use, p->order);
            if (use->writes || bin >= noted->problem->counting->bins)
                held = (struct held){0};
            else
                hold(&held, use, bin);
        }
        if (use->array != p->array && use->array != OF_INPUT && !use->writes)
            held.then = use->array;
        if (is_target(p, use)) {
            pass(p, use, &held);
            held = (struct held){0};
        }
    }
    drop(p, &held);
}

/* ---- in words ------------------------------------------------------------------------------ */

static void say_line(const struct thread_use *use, const char *program, char *text, size_t size) {
    struct place place;
    if (place_of(program, use->pc, &place))
        text_add(text, size, "Line %u", place.line);
    else
        text_add(text, size, "The kernel");
}

static const char *name_of(const struct noted *noted, size_t array) {
    return noted->reads->array[array].name;
}

static void say_bins(const struct held *held, char *text, size_t size) {
    text_add(text, size, "bin%s ", held->several ? "s" : "");
    for (size_t i = 0; i < held->reads && i < (held->several ? SHOWN : 1); i++)
        text_add(text, size, "%s%zu", i ? ", " : "", held->bins[i]);
    if (held->several && held->reads > SHOWN)
        text_add(text, size, ", ...");
}

/* Whether all 8 or 16 low bits are right, and no more. */
static void say_cut(uint64_t read, uint32_t stored, char *text, size_t size) {
    for (unsigned bits = 8; bits <= 16; bits += 8)
        if (read >> bits && (read & ((1u << bits) - 1)) == stored) {
            text_add(text, size, ": the lowest %u bits of it", bits);
            return;
        }
}

static void say_lost(const struct passing *p, enum loss loss, const char *program, char *text,
                     size_t size) {
    const struct lost *lost = &p->lost[loss];
    const char *from = name_of(p->noted, p->array);
    const unsigned long long sum = lost->held.sum;
    say_line(lost->to ? lost->to : lost->held.last, program, text, size);
    if (loss == NOT_PASSED) {
        text_add(text, size, " reads %llu in bin %zu of %.*s (thread %u of block %u)", sum,
                 lost->bin, USED_NAME, from, lost->held.last->thread % OF_BLOCK,
                 lost->held.last->thread / OF_BLOCK);
        text_add(text, size, ", and then it is added nowhere.");
        return;
    }
    const char *to = name_of(p->noted, lost->to->array);
    if (loss == ANOTHER_ADDED)
        text_add(text, size, " adds %u to", lost->to->value);
    else if (loss == REPLACED)
        text_add(text, size, " stores %u in", lost->to->value);
    else
        text_add(text, size, " stores %u in", got_of(p, lost->bin));
    text_add(text, size, " bin %zu of %.*s", lost->bin, USED_NAME, to);
    if (loss == REPLACED) {
        text_add(text, size,
                 " by an atomic operation, the count of block %u alone, and others do so with "
                 "theirs: nothing adds them up.",
                 lost->to->thread / OF_BLOCK);
        return;
    }
    if (loss == OF_OTHER_BINS) {
        text_add(text, size, ", after it has read ");
        say_bins(&lost->held, text, size);
        text_add(text, size, " of %.*s.", USED_NAME, from);
        return;
    }
    text_add(text, size, ", after it has read %llu in %.*s", sum, USED_NAME, from);
    if (loss == ANOTHER_STORED)
        say_cut(sum, got_of(p, lost->bin), text, size);
    if (loss == OF_ONE_BLOCK)
        text_add(text, size, ", which holds what one block has counted: %u in all are right",
                 right_of(p, lost->bin));
    text_add(text, size, ".");
}

bool passing_describe(const struct noted *noted, size_t array, enum order order, bool has_elements,
                      const char *program, char *text, size_t text_size) {
    struct passing p = {.noted = noted, .array = array, .order = order};
    text[0] = '\0';
    count_stores(&p);
    follow(&p, has_elements);
    for (enum loss loss = 0; loss < LOSSES && !text[0]; loss++)
        if (p.lost[loss].held.reads)
            say_lost(&p, loss, program, text, text_size);
    return text[0];
}
