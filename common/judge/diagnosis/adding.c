// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "adding.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "look.h"
#include "judge/findings/places.h"
#include "reading.h"
#include "judge/text.h"

/* ---- what was noted, a thread after the other ---------------------------------------------- */

struct noted {
    const struct reads *reads;
    const struct problem *problem;
    const struct counted_call *of;
    size_t size;            /* of its input */
    struct thread_use *use; /* of a thread one after the other, then those of the next thread */
    size_t uses;
    size_t
        places[USED_ARRAYS]; /* how many bins an array has room for, by the width of its writes */
    size_t width[USED_ARRAYS];
};

static uint64_t thread_of(const struct thread_use *use) {
    return (uint64_t)use->launch << 32 | use->thread;
}

/* Uses of one thread stay in their order: their addresses are those of a copy in the order noted.
 */
static int by_thread(const void *a, const void *b) {
    const struct thread_use *p = *(const struct thread_use *const *)a,
                            *q = *(const struct thread_use *const *)b;
    uint64_t x = thread_of(p), y = thread_of(q);
    return x != y ? (x > y) - (x < y) : (p > q) - (p < q);
}

static void sort_uses(struct noted *noted) {
    struct thread_use *copy = allocate(noted->uses * sizeof *copy);
    const struct thread_use **order = allocate(noted->uses * sizeof *order);
    memcpy(copy, noted->use, noted->uses * sizeof *copy);
    for (size_t i = 0; i < noted->uses; i++)
        order[i] = &copy[i];
    qsort(order, noted->uses, sizeof *order, by_thread);
    for (size_t i = 0; i < noted->uses; i++)
        noted->use[i] = *order[i];
    free(order);
    free(copy);
}

/* A copy: the step could write what it is made of. */
static void take_uses(struct noted *noted) {
    size_t most = noted->reads->uses < MOST_USES ? noted->reads->uses : MOST_USES;
    noted->use = allocate((most + 1) * sizeof *noted->use);
    for (size_t i = 0; i < most; i++) {
        struct thread_use use = noted->reads->use[i];
        if (!use.pc || use.array >= USED_ARRAYS || !use.bytes)
            continue;
        noted->use[noted->uses++] = use;
        if (use.writes && !noted->width[use.array])
            noted->width[use.array] = use.bytes;
    }
    for (size_t a = 1; a < USED_ARRAYS; a++)
        if (noted->width[a])
            noted->places[a] = noted->reads->array[a].bytes / noted->width[a];
    sort_uses(noted);
}

/* ---- from a bin to a place ----------------------------------------------------------------- */

/* An array has a copy of all bins after the other, or all copies of a bin side by side. */
enum order { BY_COPY, BY_BIN, ORDERS };

/* Where what belongs to a bin, its own, has gone. */
struct move {
    size_t own, to, times, example; /* example: the first such element */
    uint32_t pc;
};

/* Of each value of an element of one byte; of larger ones, and of counts, of each bin. */
struct moves {
    size_t bins, places, times;
    size_t odd;        /* another one of the same value went elsewhere */
    size_t read, used; /* elements that threads have read, and have then used the array for */
    size_t left;       /* elements that were read, and then nothing, or something else */
    struct move of[MOST_BINS];
};

static size_t bin_at(const struct noted *noted, const struct thread_use *use, enum order order) {
    size_t bins = noted->problem->counting->bins, place = use->at / noted->width[use->array];
    size_t copies = noted->places[use->array] / bins;
    return order == BY_BIN ? place / copies : copies > 1 ? place % bins : place;
}

static bool has_order(const struct noted *noted, size_t array, enum order order) {
    size_t bins = noted->problem->counting->bins;
    return noted->places[array] >= (order == BY_BIN ? 2 : 1) * bins;
}

static void add_move(struct moves *moves, size_t value, struct move move) {
    struct move *known = &moves->of[value];
    moves->times++;
    if (known->times && known->to == move.to) {
        known->times++;
        if (move.example < known->example)
            known->example = move.example, known->pc = move.pc;
    } else if (known->times) {
        moves->odd++;
        known->times--;
    } else {
        *known = move;
        known->times = 1;
    }
}

/* Elements that a thread has read and not yet counted. */
enum { QUEUED = 256 };
struct queue {
    size_t element[QUEUED], first, count;
};

/* A way from the elements, or from an array that has them in their bins, to an array. */
struct way {
    size_t from, to; /* arrays; from OF_INPUT: the elements */
    enum order from_order, to_order;
    bool has_elements; /* they went to `from` */
    size_t room;       /* for elements that a thread reads before it counts them: 1, or QUEUED */
};

static size_t bin_of(const struct noted *noted, size_t element) {
    return noted->problem->counting->bin_of(noted->of->window +
                                            element * noted->problem->element_bytes);
}

/* How many that are not counted had to make room. */
static size_t enqueue(struct queue *queue, const struct noted *noted, const struct thread_use *use,
                      size_t room) {
    size_t bytes = noted->problem->element_bytes, dropped = 0;
    for (size_t i = (use->at + bytes - 1) / bytes; i * bytes < (size_t)use->at + use->bytes; i++) {
        if (i >= noted->size || bin_of(noted, i) >= noted->problem->counting->bins)
            continue;
        if (queue->count == room) {
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
};

static void end_counter(struct counter *counter, const struct noted *noted, struct moves *moves) {
    moves->read += counter->queue.count;
    moves->left += counter->queue.count + counter->elsewhere;
    counter->queue.count = 0;
    counter->element = noted->size;
    counter->elsewhere = false;
}

/* Each write to the array, with the look at it before, is taken for that of the oldest element that
 * its thread has read and not yet used it for. Where that is not so, bins do not agree on where
 * they go. A look alone is one at a count that is full, or at a neighbour. */
static void follow_elements(const struct noted *noted, struct way way, struct moves *moves) {
    struct counter counter = {.element = noted->size};
    for (size_t u = 0; u < noted->uses; u++) {
        const struct thread_use *use = &noted->use[u];
        if (u && thread_of(use) != thread_of(use - 1))
            end_counter(&counter, noted, moves);
        if (use->array == OF_INPUT) {
            size_t dropped = enqueue(&counter.queue, noted, use, way.room);
            moves->left += dropped;
            moves->read += dropped;
        }
        if (use->array != way.to)
            continue;
        size_t place = bin_at(noted, use, way.to_order);
        if (counter.queue.count && (!use->writes || counter.element == noted->size)) {
            moves->left += counter.elsewhere;
            moves->read++;
            moves->used++;
            counter.element = counter.queue.element[counter.queue.first++ % QUEUED];
            counter.queue.count--;
            counter.elsewhere = place != bin_of(noted, counter.element);
        }
        if (!use->writes || counter.element == noted->size)
            continue;
        struct move move = {bin_of(noted, counter.element), place, 0, counter.element, use->pc};
        bool byte = noted->problem->element_bytes == 1;
        add_move(moves, byte ? (unsigned char)noted->of->window[counter.element] : move.own, move);
        counter.element = noted->size;
        counter.elsewhere = false;
    }
    end_counter(&counter, noted, moves);
}

enum { NO_BIN = MOST_BINS, SEVERAL };

/* The bin of this use, where a thread takes its count; those that it has read since its last write
 * are in `read`. */
static size_t take_count(size_t read, size_t bin, size_t bins) {
    if (bin >= bins)
        return NO_BIN;
    return read == NO_BIN || read == bin ? bin : SEVERAL;
}

/* Whether a thread uses the array for an element: looks at its count, or adds to it. */
static bool is_of_element(struct queue *queue, const struct thread_use *use, bool *looked) {
    bool same = use->writes && *looked; /* that of the look before */
    *looked = !use->writes && queue->count;
    if (!same && queue->count) {
        queue->first++;
        queue->count--;
        return true;
    }
    return same;
}

/* From one array to another: what a thread has read since its last write goes where it writes, if
 * that is of one bin. */
static void follow_counts(const struct noted *noted, struct way way, struct moves *moves) {
    struct queue queue = {.count = 0};
    size_t read = NO_BIN;
    bool looked = false;
    for (size_t u = 0; u < noted->uses; u++) {
        const struct thread_use *use = &noted->use[u];
        if (u && thread_of(use) != thread_of(use - 1)) {
            queue.count = 0;
            read = NO_BIN;
            looked = false;
        }
        if (use->array == OF_INPUT && way.has_elements)
            enqueue(&queue, noted, use, QUEUED);
        if (use->array == way.from && !is_of_element(&queue, use, &looked))
            read = use->writes ? NO_BIN
                               : take_count(read, bin_at(noted, use, way.from_order), moves->bins);
        if (use->array != way.to || !use->writes)
            continue;
        if (read < NO_BIN)
            add_move(moves, read,
                     (struct move){read, bin_at(noted, use, way.to_order), 0, 0, use->pc});
        read = NO_BIN;
    }
}

/* ---- where they have gone ------------------------------------------------------------------ */

enum mistake_in_place {
    NONE,
    SHIFT,
    ALL_TO_ONE,
    CUT,
    DIVIDE,
    MULTIPLY,
    REVERSE,
    SWAP,
    TRANSPOSE,
    LIMIT,
    ANY
};

/* Where a bin goes by a mistake with that number. */
static size_t place_by(enum mistake_in_place mistake, size_t bin, size_t k, size_t bins) {
    switch (mistake) {
    case SHIFT:
        return (bin + k) % bins;
    case ALL_TO_ONE:
        return k;
    case CUT:
        return bin & (((size_t)1 << k) - 1);
    case DIVIDE:
        return bin / k;
    case MULTIPLY:
        return bin * k % bins;
    case REVERSE:
        return bins - 1 - bin;
    case SWAP:
        return bin ^ k;
    case TRANSPOSE:
        return bins % k ? bins : bin % k * (bins / k) + bin / k;
    case LIMIT:
        return bin < k ? bin : k;
    default:
        return bin;
    }
}

/* The numbers that are tried, up to `last` or, where that is 0, below the bins; and what is said,
 * with the number, and the bins by it. */
static const struct {
    size_t first, last;
    const char *text;
} mistakes[] = {
    [SHIFT] = {1, 0, NULL},
    [ALL_TO_ONE] = {0, 0, " goes to bin %zu, whatever its bin"},
    [CUT] = {1, 9,
             " goes where the lowest %zu bits of its bin's number say, as if no more were kept"},
    [DIVIDE] = {2, 64, " goes to its bin's number divided by %zu"},
    [MULTIPLY] = {2, 64, " goes to its bin's number times %zu"},
    [REVERSE] = {1, 1, " goes to the bins in reverse order"},
    [SWAP] = {1, 0, " goes to its bin's number ^ %zu"},
    [TRANSPOSE] = {2, 512,
                   " goes where it would be if a table of %zu x %zu bins were read by columns"},
    [LIMIT] = {1, 0, " goes at most to bin %zu, whatever its bin"},
    [ANY] = {1, 1, " goes to its own bin"}, /* not every one */
};

/* Hardly any goes elsewhere than others of its value, and enough have gone to be sure. */
static bool agree(const struct moves *moves) {
    enum { LEAST = 4, ONE_IN = 64 };
    size_t seen = 0;
    for (size_t i = 0; i < MOST_BINS; i++)
        seen += moves->of[i].times > 0;
    return seen >= LEAST && moves->odd <= moves->times / ONE_IN;
}

static bool fits(const struct moves *moves, enum mistake_in_place mistake, size_t k) {
    for (size_t i = 0; i < MOST_BINS; i++)
        if (moves->of[i].times &&
            moves->of[i].to != place_by(mistake, moves->of[i].own, k, moves->bins))
            return false;
    return true;
}

/* Some values go astray so often that it is not by chance, and there is no room in the array for an
 * order of the step's own. */
static bool some_go_astray(const struct moves *moves) {
    enum { OFTEN = 8 };
    size_t astray = 0;
    for (size_t i = 0; i < MOST_BINS; i++)
        astray += moves->of[i].times >= OFTEN && moves->of[i].to != moves->of[i].own;
    return astray > 1 && moves->places == moves->bins;
}

static enum mistake_in_place find_mistake(const struct moves *moves, size_t *k) {
    for (enum mistake_in_place m = SHIFT; m < ANY; m++) {
        size_t last = mistakes[m].last ? mistakes[m].last : moves->bins - 1;
        for (*k = mistakes[m].first; *k <= last; ++*k)
            if (fits(moves, m, *k))
                return m;
    }
    return some_go_astray(moves) ? ANY : NONE;
}

/* The first that went astray; or the first of all. */
static const struct move *example_of(const struct moves *moves) {
    const struct move *first = NULL;
    for (size_t i = MOST_BINS; i-- > 0;) {
        const struct move *move = &moves->of[i];
        bool worse = first && first->to != first->own && move->to == move->own;
        if (move->times && !worse)
            first = move;
    }
    return first;
}

static void say_line(const struct moves *moves, const char *program, const char *before, char *text,
                     size_t size) {
    struct place place;
    if (place_of(program, example_of(moves)->pc, &place))
        text_add(text, size, "%sine %u", before, place.line);
}

/* How it goes. */
static void say_mistake(enum mistake_in_place mistake, size_t k, size_t bins, char *text,
                        size_t size) {
    bool down = k > bins / 2;
    size_t by = down ? bins - k : k;
    if (mistake == SHIFT)
        text_add(text, size, " goes %zu bin%s too %s", by, by == 1 ? "" : "s",
                 down ? "low" : "high");
    else
        text_add(text, size, mistakes[mistake].text, k, k ? bins / k : 0);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool follow(const struct noted *noted, struct way way, struct moves *moves) {
    enum { TIMES_A_BIN = 4 };
    memset(moves, 0, sizeof *moves);
    moves->bins = noted->problem->counting->bins;
    moves->places = noted->places[way.to];
    if (way.from == way.to || !has_order(noted, way.to, way.to_order))
        return false;
    if (way.from == OF_INPUT)
        follow_elements(noted, way, moves);
    else
        follow_counts(noted, way, moves);
    return moves->used >= moves->read / 2 &&
           moves->times >= (way.from == OF_INPUT ? TIMES_A_BIN : 1) * moves->bins;
}

/* Whether outputs are wrong where bins have gone astray. Where most are right, what reads the array
 * knows its order. */
static bool shows(const struct noted *noted, const struct moves *moves) {
    const struct counting *counting = noted->problem->counting;
    size_t right = 0, wrong = 0;
    for (size_t i = 0; i < MOST_BINS; i++) {
        const struct move *move = &moves->of[i];
        if (!move->times || move->to == move->own)
            continue;
        uint32_t expected = count_in(counting, noted->of->expected, move->own);
        bool same = count_in(counting, noted->of->got, move->own) == expected;
        right += same && expected && expected < counting->most; /* else it could be by chance */
        wrong += !same;
    }
    return wrong > right;
}

static enum adding judge_way(const struct noted *noted, struct way way, const struct moves *moves) {
    size_t k;
    if (!agree(moves))
        return ADDING_UNKNOWN;
    if (fits(moves, NONE, 0))
        return noted->reads->uses > MOST_USES ? ADDING_UNKNOWN
               : !moves->left                 ? ADDING_RIGHT
               : way.room == 1                ? ADDING_SOME
                                              : ADDING_UNKNOWN;
    return shows(noted, moves) && find_mistake(moves, &k) ? ADDING_ASTRAY : ADDING_UNKNOWN;
}

/* The first way from there that is right, else the first that is wrong in a way that has a name. */
static enum adding find_way(const struct noted *noted, struct way *way, struct moves *moves) {
    enum adding found = ADDING_UNKNOWN;
    struct way next = *way;
    const size_t ways = 2 * ORDERS;
    for (size_t i = ways; i < USED_ARRAYS * ways && found != ADDING_RIGHT; i++) {
        next.to = i / ways;
        next.to_order = i % ORDERS ? BY_BIN : BY_COPY;
        next.room = i % ways < ORDERS ? QUEUED : 1;
        enum adding adding =
            follow(noted, next, moves) ? judge_way(noted, next, moves) : ADDING_UNKNOWN;
        if (adding == ADDING_RIGHT || (adding && !found)) {
            *way = next;
            found = adding;
        }
    }
    if (found)
        follow(noted, *way, moves);
    return found;
}

static void say_astray(const struct noted *noted, const struct way *way, const struct moves *moves,
                       const char *program, char *text, size_t size) {
    enum { LONGEST = 59 }; /* the step could have written over the end of a name */
    const struct used_array *from = &noted->reads->array[way->from],
                            *to = from - way->from + way->to;
    const struct move *example = example_of(moves);
    const char *element = noted->problem->element;
    size_t k;
    enum mistake_in_place mistake = find_mistake(moves, &k);
    say_line(moves, program, "In l", text, size);
    text_add(text, size, "%s%s %s", text[0] ? ", " : "", mistake == ANY ? "not every" : "every",
             way->from == OF_INPUT ? element : "count");
    say_mistake(mistake, k, moves->bins, text, size);
    if (way->from == OF_INPUT)
        text_add(text, size, ": %s %zu, of bin %zu,", element, example->example, example->own);
    else
        text_add(text, size, ": bin %zu of %.*s", example->own, LONGEST, from->name);
    text_add(text, size, " to bin %zu of %.*s.", example->to, LONGEST, to->name);
    text[0] = (char)toupper((unsigned char)text[0]);
}

/* Where a thread reads an element, and then something else than its count, it is not counted. Where
 * that is so of many, threads read several at a time. */
static enum adding say_uncounted(const struct noted *noted, const struct way *way,
                                 const struct moves *moves, char *text, size_t size) {
    enum { UNCOUNTED, COUNTED, UNREAD, ONE_IN = 16 };
    struct element_reads *of = allocate(noted->size * sizeof *of);
    const struct thread_use *read = NULL;
    size_t missing = 0;
    for (size_t i = 0; i < noted->size; i++)
        of[i].times = UNREAD;
    for (size_t u = 0; u < noted->uses; u++) {
        const struct thread_use *use = &noted->use[u];
        if (use->array == OF_INPUT)
            read = use;
        size_t i = read ? read->at / noted->problem->element_bytes : noted->size;
        if (i >= noted->size || bin_of(noted, i) >= noted->problem->counting->bins)
            continue;
        if (read == use && of[i].times == UNREAD)
            of[i].times = UNCOUNTED;
        if (use->array != way->to)
            continue;
        if (thread_of(use) == thread_of(read) &&
            bin_at(noted, use, way->to_order) == bin_of(noted, i))
            of[i].times = COUNTED;
        read = NULL;
    }
    for (size_t i = 0; i < noted->size; i++)
        missing += of[i].times == UNCOUNTED;
    bool some = missing && missing < moves->read / ONE_IN;
    if (some) {
        reading_name_missing(of, noted->of->shape, noted->problem->element, text, size);
        text_add(text, size, " read, and then not counted.");
    }
    free(of);
    return some ? ADDING_SOME : ADDING_UNKNOWN;
}

static enum adding describe(const struct noted *noted, const char *program, char *text,
                            size_t size) {
    enum { MOST_STEPS = 3 };
    struct moves *moves = allocate(sizeof *moves);
    struct way way = {.from = OF_INPUT};
    enum adding first = find_way(noted, &way, moves), last = first;
    if (first == ADDING_SOME)
        first = last = say_uncounted(noted, &way, moves, text, size);
    if (first == ADDING_RIGHT) {
        text_add(text, size, " and goes to its own bin");
        say_line(moves, program, ", in l", text, size);
    }
    for (int step = 0; step < MOST_STEPS && last == ADDING_RIGHT; step++) {
        way.has_elements = way.from == OF_INPUT;
        way.from = way.to;
        way.from_order = way.to_order;
        last = find_way(noted, &way, moves);
    }
    if (last == ADDING_ASTRAY) {
        text[0] = '\0';
        say_astray(noted, &way, moves, program, text, size);
    }
    free(moves);
    return last == ADDING_ASTRAY ? last : first;
}

enum adding adding_describe(const struct reads *reads, const struct problem *problem,
                            const struct counted_call *of, const char *program, char *text,
                            size_t text_size) {
    text[0] = '\0';
    if (!reads || !problem->counting || problem->counting->bins > MOST_BINS)
        return ADDING_UNKNOWN;
    struct noted noted = {
        .reads = reads, .problem = problem, .of = of, .size = of->shape.rows * of->shape.columns};
    take_uses(&noted);
    enum adding adding = describe(&noted, program, text, text_size);
    free(noted.use);
    return adding;
}
