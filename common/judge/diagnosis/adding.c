#include "adding.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "look.h"
#include "judge/findings/places.h"
#include "noted.h"
#include "reading.h"
#include "judge/text.h"

/* ---- from a bin to a place ----------------------------------------------------------------- */

/* Where what belongs to a bin, its own, has gone. */
struct move {
    size_t own, to, times, example; /* example: the first such element */
    uint32_t pc;
};

enum { MOST_PCS = 16 }; /* unrolled code has some instructions for a line */

/* Of each value of an element of one byte; of larger ones, and of counts, of each bin. */
struct moves {
    size_t bins, places, times;
    size_t head; /* places before the bins of the array that it goes to, less those of the other */
    size_t pcs;  /* where all are made: more than MOST_PCS are too many */
    uint64_t pc[MOST_PCS + 1];
    size_t odd;        /* another one of the same value went elsewhere */
    size_t read, used; /* elements that threads have read, and have then used the array for */
    size_t left;       /* elements that were read, and then nothing, or something else */
    size_t strays;     /* elements without a bin that were counted */
    struct move stray; /* the first of them */
    struct move of[MOST_BINS];
};

static void add_move(struct moves *moves, size_t value, struct move move) {
    struct move *known = &moves->of[value];
    moves->times++;
    moves->pcs = places_add(moves->pc, moves->pcs, MOST_PCS + 1, move.pc);
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

/* A way from the elements, or from an array that has them in their bins, to an array. */
struct way {
    size_t from, to; /* arrays; from OF_INPUT: the elements */
    enum order from_order, to_order;
    bool has_elements; /* they went to `from` */
    size_t room;       /* for elements that a thread reads before it counts them: 1, or QUEUED */
};

/* What a thread is about to count. */
struct counter {
    struct queue queue;
    size_t element; /* of the look before; the input's size: none */
    bool elsewhere; /* that look was at another bin */
    size_t stray;   /* the element read just now, if it is one alone and has no bin */
};

static void end_counter(struct counter *counter, const struct noted *noted, struct moves *moves) {
    moves->read += counter->queue.count;
    moves->left += counter->queue.count + counter->elsewhere;
    counter->queue.count = 0;
    counter->element = counter->stray = noted->size;
    counter->elsewhere = false;
}

/* An element without a bin, and then the array is written to. */
static void look_for_stray(struct counter *counter, const struct noted *noted, struct way way,
                           const struct thread_use *use, struct moves *moves) {
    size_t i = use->at / noted->problem->element_bytes;
    if (use->array == OF_INPUT) {
        bool alone = use->bytes == noted->problem->element_bytes && i < noted->size;
        bool none = alone && noted_bin_of(noted, i) >= moves->bins && !counter->queue.count;
        counter->stray = none ? i : noted->size;
    } else if (use->array != way.to) {
        counter->stray = noted->size;
    } else if (use->writes && counter->stray < noted->size) {
        if (moves->strays++ == 0 || counter->stray < moves->stray.example)
            moves->stray =
                (struct move){0, noted_bin(noted, use, way.to_order), 1, counter->stray, use->pc};
        counter->stray = noted->size;
    }
}

/* Each write to the array, with the look at it before, is taken for that of the oldest element that
 * its thread has read and not yet used it for. Where that is not so, bins do not agree on where
 * they go. A look alone is one at a count that is full, or at a neighbour. */
static void follow_elements(const struct noted *noted, struct way way, struct moves *moves) {
    struct counter counter = {.element = noted->size, .stray = noted->size};
    for (size_t u = 0; u < noted->uses; u++) {
        const struct thread_use *use = &noted->use[u];
        if (u && noted_thread(use) != noted_thread(use - 1))
            end_counter(&counter, noted, moves);
        look_for_stray(&counter, noted, way, use, moves);
        if (use->array == OF_INPUT) {
            size_t dropped = noted_enqueue(&counter.queue, noted, use, way.room);
            moves->left += dropped;
            moves->read += dropped;
        }
        if (use->array != way.to)
            continue;
        size_t place = noted_bin(noted, use, way.to_order);
        if (counter.queue.count && (!use->writes || counter.element == noted->size)) {
            moves->left += counter.elsewhere;
            moves->read++;
            moves->used++;
            counter.element = counter.queue.element[counter.queue.first++ % QUEUED];
            counter.queue.count--;
            counter.elsewhere = place != noted_bin_of(noted, counter.element);
        }
        if (!use->writes || counter.element == noted->size)
            continue;
        struct move move = {noted_bin_of(noted, counter.element), place, 0, counter.element,
                            use->pc};
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

/* From one array to another: what a thread has read since its last write goes where it writes, if
 * that is of one bin. */
static void follow_counts(const struct noted *noted, struct way way, struct moves *moves) {
    struct queue queue = {.count = 0};
    size_t read = NO_BIN;
    bool looked = false;
    for (size_t u = 0; u < noted->uses; u++) {
        const struct thread_use *use = &noted->use[u];
        if (u && noted_thread(use) != noted_thread(use - 1)) {
            queue.count = 0;
            read = NO_BIN;
            looked = false;
        }
        if (use->array == OF_INPUT && way.has_elements)
            noted_enqueue(&queue, noted, use, QUEUED);
        if (use->array == way.from && !noted_is_of_element(&queue, use, &looked))
            read = use->writes
                       ? NO_BIN
                       : take_count(read, noted_bin(noted, use, way.from_order), moves->bins);
        if (use->array != way.to || !use->writes)
            continue;
        if (read < NO_BIN)
            add_move(moves, read,
                     (struct move){read, noted_bin(noted, use, way.to_order), 0, 0, use->pc});
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
            if (fits(moves, m, *k) && !(m == SHIFT && *k == moves->head))
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

static void say_line(const struct moves *moves, const char *program, char *text, size_t size) {
    struct place place;
    if (place_of(program, example_of(moves)->pc, &place))
        text_add(text, size, "In line %u", place.line);
}

/* The line, where all are counted in one: a loop of several has a line for each. */
static void say_one_line(const struct moves *moves, const char *program, char *text, size_t size) {
    struct place places[MOST_PCS];
    if (!moves->pcs || moves->pcs > MOST_PCS)
        return;
    places_of(program, moves->pc, moves->pcs, places);
    for (size_t i = 0; i < moves->pcs; i++)
        if (!places[i].line || places[i].line != places[0].line)
            return;
    text_add(text, size, ", in line %u", places[0].line);
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
    moves->head =
        (moves->places + moves->bins - noted->places[way.from] % moves->bins) % moves->bins;
    if (way.from == way.to || !noted_has_order(noted, way.to, way.to_order))
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
    const struct used_array *from = &noted->reads->array[way->from],
                            *to = from - way->from + way->to;
    const struct move *example = example_of(moves);
    const char *element = noted->problem->element;
    size_t k;
    enum mistake_in_place mistake = find_mistake(moves, &k);
    say_line(moves, program, text, size);
    text_add(text, size, "%s%s %s", text[0] ? ", " : "", mistake == ANY ? "not every" : "every",
             way->from == OF_INPUT ? element : "count");
    say_mistake(mistake, k, moves->bins, text, size);
    if (way->from == OF_INPUT)
        text_add(text, size, ": %s %zu, of bin %zu,", element, example->example, example->own);
    else
        text_add(text, size, ": bin %zu of %.*s", example->own, USED_NAME, from->name);
    text_add(text, size, " to bin %zu of %.*s.", example->to, USED_NAME, to->name);
    text[0] = (char)toupper((unsigned char)text[0]);
}

static void say_stray(const struct noted *noted, const struct way *way, const struct moves *moves,
                      const char *program, char *text, size_t size) {
    const struct move *stray = &moves->stray;
    struct place place;
    size_t others = moves->strays - 1;
    if (place_of(program, stray->pc, &place))
        text_add(text, size, "In line %u, ", place.line);
    text_add(text, size, "%s %zu, which is %u and in no bin, goes to bin %zu of %.*s",
             noted->problem->element, stray->example,
             (unsigned char)noted->of->window[stray->example * noted->problem->element_bytes],
             stray->to, USED_NAME, noted->reads->array[way->to].name);
    text_add(text, size, others ? "; %zu more in no bin are counted." : ".", others);
    text[0] = (char)toupper((unsigned char)text[0]);
}

enum { UNCOUNTED, COUNTED, UNREAD };

/* Where all elements of some values, and no other, are read and then not counted. */
static bool say_uncounted_values(const struct noted *noted, const struct element_reads *of,
                                 char *text, size_t size) {
    enum { VALUES = 256, SHOWN = 4, LEAST = 4 };
    size_t times[VALUES][2] = {{0}}, values = 0, counted = 0, missing = 0;
    for (size_t i = 0; noted->problem->element_bytes == 1 && i < noted->size; i++)
        if (of[i].times < UNREAD)
            times[(unsigned char)noted->of->window[i]][of[i].times]++;
    for (size_t v = 0; v < VALUES; v++) {
        counted += times[v][COUNTED];
        missing += times[v][UNCOUNTED];
        values += times[v][UNCOUNTED] > 0;
        if (times[v][UNCOUNTED] && times[v][COUNTED])
            return false;
    }
    if (!values || values > SHOWN || missing < LEAST || counted < missing)
        return false;
    text_add(text, size, "No %s of value ", noted->problem->element);
    for (size_t v = 0; v < VALUES; v++)
        if (times[v][UNCOUNTED]) {
            text_add(text, size, isalnum((int)v) ? "%zu ('%c')" : "%zu", v, (int)v);
            text_add(text, size, --values > 1 ? ", " : values ? " or " : "");
        }
    text_add(text, size, " is counted: all %zu are read, and then not added.", missing);
    return true;
}

/* Where a thread reads an element, and then something else than its count, it is not counted. Where
 * that is so of many, threads read several at a time. */
static enum adding say_uncounted(const struct noted *noted, const struct way *way,
                                 const struct moves *moves, char *text, size_t size) {
    enum { ONE_IN = 16 };
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
        if (i >= noted->size || noted_bin_of(noted, i) >= noted->problem->counting->bins)
            continue;
        if (read == use && of[i].times == UNREAD)
            of[i].times = UNCOUNTED;
        if (use->array != way->to)
            continue;
        if (noted_thread(use) == noted_thread(read) &&
            noted_bin(noted, use, way->to_order) == noted_bin_of(noted, i))
            of[i].times = COUNTED;
        read = NULL;
    }
    for (size_t i = 0; i < noted->size; i++)
        missing += of[i].times == UNCOUNTED;
    bool some = missing && missing < moves->read / ONE_IN;
    if (missing && say_uncounted_values(noted, of, text, size)) {
        some = true;
    } else if (some) {
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
    if (first == ADDING_RIGHT && moves->strays) {
        say_stray(noted, &way, moves, program, text, size);
        first = last = ADDING_STRAY;
    } else if (first == ADDING_RIGHT && !moves->odd) { /* a few odd ones may be the mistake */
        text_add(text, size, " and goes to its own bin");
        say_one_line(moves, program, text, size);
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
    return last >= ADDING_ASTRAY ? last : first;
}

enum adding adding_describe(const struct reads *reads, const struct problem *problem,
                            const struct counted_call *of, const char *program, char *text,
                            size_t text_size) {
    text[0] = '\0';
    if (!reads || !problem->counting || problem->counting->bins > MOST_BINS)
        return ADDING_UNKNOWN;
    struct noted noted = noted_take(reads, problem, of, false);
    noted_sort(&noted);
    enum adding adding = describe(&noted, program, text, text_size);
    free(noted.use);
    return adding;
}
