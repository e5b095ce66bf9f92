#include "facts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "look.h"
#include "judge/findings/places.h"
#include "reading.h"

enum { MOST_PCS = 16 }; /* unrolled code has some instructions for a line */
enum { PLACES = 16 };   /* of bytes in the widest load */

/* Where elements have gone, in one array. */
struct moves {
    size_t array;
    enum order order;
    size_t times, astray; /* elements that were counted; in another bin than theirs */
    size_t values;        /* of their bins */
    bool seen[MOST_BINS];
    size_t pcs; /* where all are counted: more than MOST_PCS are too many */
    uint64_t pc[MOST_PCS + 1];
    size_t read, used; /* elements that threads have read, and have then used the array for */
    size_t left;       /* elements that were read, and then nothing, or something else */

    /* Elements without a bin that were counted, or those that were counted in another bin, and of
     * them those that were read alone; the first of them, and where. */
    size_t strays, alone, stray, stray_bin;
    uint32_t stray_pc;

    /* The same by the element's place in a wide load. */
    size_t times_at[PLACES], astray_at[PLACES];
};

/* Elements that a thread has read and not yet counted. */
enum { QUEUED = 256 };
struct queue {
    size_t element[QUEUED], first, count;
};

/* How many that are not counted had to make room. */
static size_t enqueue(struct queue *queue, const struct wrong_call *of,
                      const struct thread_use *use) {
    size_t bytes = of->problem->element_bytes, dropped = 0;
    for (size_t i = (use->at + bytes - 1) / bytes; i * bytes < (size_t)use->at + use->bytes; i++) {
        if (!noted_has_bin(of, i))
            continue;
        if (queue->count == QUEUED) {
            queue->first++;
            queue->count--;
            dropped++;
        }
        queue->element[(queue->first + queue->count++) % QUEUED] = i;
    }
    return dropped;
}

/* What a thread is about to count. */
struct counter {
    struct queue queue;
    size_t element; /* of the look before; the input's size: none */
    bool elsewhere; /* that look was at another bin */
    bool alone;     /* nothing else was read before it */
    size_t stray;   /* the element read just now, if it is one alone and has no bin */
};

static void end_counter(struct counter *counter, const struct wrong_call *of, struct moves *moves) {
    moves->read += counter->queue.count;
    moves->left += counter->queue.count + counter->elsewhere;
    counter->queue.count = 0;
    counter->element = counter->stray = noted_size(of);
    counter->elsewhere = false;
}

/* An element without a bin, and then the array is written to. */
static void look_for_stray(struct counter *counter, const struct wrong_call *of,
                           const struct thread_use *use, struct moves *moves) {
    size_t i = use->at / of->problem->element_bytes;
    if (use->array == OF_INPUT) {
        bool alone = use->bytes == of->problem->element_bytes && i < noted_size(of);
        bool none = alone && !noted_has_bin(of, i) && !counter->queue.count;
        counter->stray = none ? i : noted_size(of);
    } else if (use->array != moves->array) {
        counter->stray = noted_size(of);
    } else if (use->writes && counter->stray < noted_size(of)) {
        if (moves->strays++ == 0 || counter->stray < moves->stray) {
            moves->stray = counter->stray;
            moves->stray_bin = noted_bin(of, use, moves->order);
            moves->stray_pc = use->pc;
        }
        counter->stray = noted_size(of);
    }
}

static void add_move(struct moves *moves, const struct counter *counter, size_t own, size_t to,
                     uint32_t pc) {
    const size_t at = counter->element % PLACES;
    moves->times++;
    moves->times_at[at]++;
    moves->astray_at[at] += to != own;
    moves->alone += to != own && counter->alone;
    if (to != own && moves->astray++ == 0 && !moves->strays) {
        moves->stray = counter->element;
        moves->stray_bin = to;
        moves->stray_pc = pc;
    }
    moves->values += !moves->seen[own];
    moves->seen[own] = true;
    moves->pcs = places_add(moves->pc, moves->pcs, MOST_PCS + 1, pc);
}

/* Each write to the array, with the look at it before, is taken for that of the oldest element that
 * its thread has read and not yet used it for. A look alone is one at a count that is full, or at a
 * neighbour. */
static void follow(const struct wrong_call *of, const struct thread_use *const *order, size_t uses,
                   struct moves *moves) {
    struct counter counter = {.element = noted_size(of), .stray = noted_size(of)};
    for (size_t u = 0; u < uses; u++) {
        const struct thread_use *use = order[u];
        if (u && noted_thread(use) != noted_thread(order[u - 1]))
            end_counter(&counter, of, moves);
        look_for_stray(&counter, of, use, moves);
        if (use->array == OF_INPUT) {
            size_t dropped = enqueue(&counter.queue, of, use);
            moves->left += dropped;
            moves->read += dropped;
        }
        if (use->array != moves->array)
            continue;
        size_t place = noted_bin(of, use, moves->order);
        if (counter.queue.count && (!use->writes || counter.element == noted_size(of))) {
            moves->left += counter.elsewhere;
            moves->read++;
            moves->used++;
            counter.alone = counter.queue.count == 1;
            counter.element = counter.queue.element[counter.queue.first++ % QUEUED];
            counter.queue.count--;
            counter.elsewhere = place != noted_bin_of(of, counter.element);
        }
        if (!use->writes || counter.element == noted_size(of))
            continue;
        const size_t own = noted_bin_of(of, counter.element);
        add_move(moves, &counter, own, place, use->pc);
        counter.element = noted_size(of);
        counter.elsewhere = false;
    }
    end_counter(&counter, of, moves);
}

/* All that go to other bins stand in the same places of wide loads, in at most half of these, and
 * most there do: by chance, or where elements are counted in another order, that is not so. */
static bool is_by_place(const struct moves *moves) {
    size_t places = 0;
    for (size_t at = 0; at < PLACES; at++) {
        if (moves->astray_at[at] && moves->astray_at[at] < moves->times_at[at] / 2)
            return false;
        places += moves->astray_at[at] > 0;
    }
    return places <= PLACES / 2;
}

/* Each element in its own bin, or all but a few that it is known of. */
static bool is_in_bins(const struct moves *moves) {
    enum { FEW = 16 };
    return is_by_place(moves) ||
           (moves->astray == moves->alone && moves->alone <= moves->times / FEW);
}

/* Enough to be sure. */
static bool is_sure(const struct wrong_call *of, const struct moves *moves) {
    enum { TIMES_A_BIN = 4, LEAST = 4 };
    return noted_all(of) && !moves->left && moves->used >= moves->read / 2 &&
           moves->values >= LEAST && moves->times >= TIMES_A_BIN * of->problem->counting->bins;
}

/* The line, where all are counted in one: a loop of several has a line for each. */
static void say_one_line(const struct moves *moves, const char *program, struct sentence text) {
    unsigned lines[MOST_PCS];
    if (moves->pcs <= MOST_PCS && places_lines(program, moves->pc, moves->pcs, lines) == 1)
        text_add(text, ", in line %u", lines[0]);
}

static void say_stray(const struct wrong_call *of, const struct moves *moves,
                      struct sentence text) {
    const size_t others = (moves->strays ? moves->strays : moves->astray) - 1;
    const unsigned line = places_line(of->program, moves->stray_pc);
    if (line)
        text_add(text, "In line %u, ", line);
    text_add(text, "%s %zu, which is ", of->problem->element, moves->stray);
    if (moves->strays)
        text_add(text, "%u and in no bin",
                 (unsigned char)of->window[moves->stray * of->problem->element_bytes]);
    else
        text_add(text, "of bin %zu", noted_bin_of(of, moves->stray));
    text_add(text, ", goes to bin %zu of %.*s", moves->stray_bin, USED_NAME,
             of->reads->array[moves->array].name);
    const char *more = moves->strays ? "in no bin are counted" : "go to another bin than their own";
    if (others)
        text_add(text, "; %zu more %s", others, more);
    text_add(text, ".");
    text_begin_sentence(text, 0);
}

enum adding adding_describe(const struct wrong_call *of, struct sentence text) {
    text.at[0] = '\0';
    if (!of->reads || !of->problem->counting || of->problem->counting->bins > MOST_BINS)
        return ADDING_UNKNOWN;
    const struct thread_use **order;
    const size_t uses = noted_by_thread(of, &order);
    struct moves *moves = allocate(sizeof *moves);
    enum adding adding = ADDING_UNKNOWN;
    for (size_t i = ORDERS; i < USED_ARRAYS * ORDERS && adding == ADDING_UNKNOWN; i++) {
        memset(moves, 0, sizeof *moves);
        moves->array = i / ORDERS;
        moves->order = i % ORDERS ? BY_BIN : BY_COPY;
        if (!noted_has_order(of, moves->array, moves->order))
            continue;
        follow(of, order, uses, moves);
        if (!is_sure(of, moves) || !is_in_bins(moves))
            continue;
        adding = moves->strays || moves->astray ? ADDING_STRAY : ADDING_RIGHT;
        if (adding == ADDING_STRAY) {
            say_stray(of, moves, text);
        } else {
            text_add(text, "; what is added goes to its own bin");
            say_one_line(moves, of->program, text);
        }
    }
    free(moves);
    free(order);
    return adding;
}
