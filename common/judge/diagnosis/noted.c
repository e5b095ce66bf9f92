#include "noted.h"

#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "judge/findings/places.h"

uint64_t noted_thread(const struct thread_use *use) {
    return (uint64_t)use->launch << 32 | use->thread;
}

float noted_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double noted_number(const struct problem *problem, uint32_t bits) {
    return problem->counting ? (double)bits : (double)noted_float(bits);
}

void noted_say_line(const struct thread_use *use, const char *program, struct words text) {
    struct place place;
    if (place_of(program, use->pc, &place))
        text_add(text, "Line %u", place.line);
    else
        text_add(text, "The kernel");
}

/* Uses of one thread stay in their order: their addresses are those of a copy in the order noted.
 */
static int by_thread(const void *a, const void *b) {
    const struct thread_use *p = *(const struct thread_use *const *)a,
                            *q = *(const struct thread_use *const *)b;
    uint64_t x = noted_thread(p), y = noted_thread(q);
    return x != y ? (x > y) - (x < y) : (p > q) - (p < q);
}

void noted_sort(struct noted *noted) {
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

/* An OS thread fills the room that it took in the launch before: uses of a launch are put behind
 * those of the one before it. */
static void order_launches(struct noted *noted, const struct thread_use *use, size_t count) {
    enum { LAUNCHES = UINT8_MAX + 1 };
    size_t next[LAUNCHES + 1] = {0};
    uint8_t first = count ? use[0].launch : 0;
    for (size_t i = 0; i < count; i++)
        first = (int8_t)(use[i].launch - first) < 0 ? use[i].launch : first;
    for (size_t i = 0; i < count; i++)
        next[(uint8_t)(use[i].launch - first) + 1]++;
    for (size_t l = 0; l < LAUNCHES; l++)
        next[l + 1] += next[l];
    for (size_t i = 0; i < count; i++)
        noted->use[next[(uint8_t)(use[i].launch - first)]++] = use[i];
    noted->uses = count;
}

/* A copy: the step could write what it is made of. */
struct noted noted_take(const struct wrong_call *of, bool host) {
    const struct reads *reads = of->reads;
    struct noted noted = {reads, of->problem, of, .size = of->shape.rows * of->shape.columns};
    const size_t most = (size_t)(noted_end(reads) - reads->use);
    size_t count = 0;
    struct thread_use *taken = allocate((most + 1) * sizeof *taken);
    noted.use = allocate((most + 1) * sizeof *noted.use);
    for (size_t i = 0; i < most; i++) {
        struct thread_use use = reads->use[i];
        if (!use.pc || use.array >= USED_ARRAYS || !use.bytes ||
            (use.thread == (uint32_t)OF_HOST && !host))
            continue;
        taken[count++] = use;
        if (use.writes && !noted.width[use.array])
            noted.width[use.array] = use.bytes;
    }
    order_launches(&noted, taken, count);
    free(taken);
    for (size_t a = 1; a < USED_ARRAYS; a++)
        if (noted.width[a])
            noted.places[a] = reads->array[a].bytes / noted.width[a];
    return noted;
}

size_t noted_bin(const struct noted *noted, const struct thread_use *use, enum order order) {
    size_t bins = noted->problem->counting->bins, place = use->at / noted->width[use->array];
    size_t copies = noted->places[use->array] / bins;
    return order == BY_BIN ? place / copies : copies > 1 ? place % bins : place;
}

bool noted_has_order(const struct noted *noted, size_t array, enum order order) {
    size_t bins = noted->problem->counting->bins;
    return noted->places[array] >= (order == BY_BIN ? 2 : 1) * bins;
}

size_t noted_bin_of(const struct wrong_call *of, size_t element) {
    return of->problem->counting->bin_of(of->window + element * of->problem->element_bytes);
}

bool noted_has_bin(const struct wrong_call *of, size_t element) {
    return element < of->shape.rows * of->shape.columns &&
           noted_bin_of(of, element) < of->problem->counting->bins;
}

size_t noted_reads(const struct wrong_call *of, const struct thread_use *use, size_t bin) {
    const size_t bytes = of->problem->element_bytes, end = (size_t)use->at + use->bytes;
    size_t count = 0;
    for (size_t i = use->at / bytes; use->array == OF_INPUT && i * bytes < end; i++)
        count += noted_has_bin(of, i) && (bin == ANY_BIN || noted_bin_of(of, i) == bin);
    return count;
}

bool noted_all(const struct wrong_call *of) { return of->reads && of->reads->uses <= MOST_USES; }

const struct thread_use *noted_end(const struct reads *reads) {
    return reads->use + (reads->uses < MOST_USES ? reads->uses : MOST_USES);
}

bool noted_is_output(const struct reads *reads, unsigned array) {
    return array < USED_ARRAYS && strncmp(reads->array[array].name, "the output", USED_NAME) == 0;
}
