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

void noted_say_line(const struct thread_use *use, const char *program, struct sentence text) {
    const unsigned line = places_line(program, use->pc);
    if (line)
        text_add(text, "Line %u", line);
    else
        text_add(text, "The kernel");
}

/* Uses of one thread stay in their order. */
static int by_thread(const void *a, const void *b) {
    const struct thread_use *p = *(const struct thread_use *const *)a,
                            *q = *(const struct thread_use *const *)b;
    uint64_t x = noted_thread(p), y = noted_thread(q);
    return x != y ? (x > y) - (x < y) : (p > q) - (p < q);
}

size_t noted_by_thread(const struct wrong_call *of, const struct thread_use ***order) {
    size_t count = 0;
    *order = allocate(of->reads->uses * sizeof **order);
    for (const struct thread_use *use = of->reads->use; use < noted_end(of->reads); use++)
        if (use->thread != (uint32_t)OF_HOST)
            (*order)[count++] = use;
    qsort(*order, count, sizeof **order, by_thread);
    return count;
}

/* An OS thread fills the room that it took in the launch before. */
static void order_launches(struct reads *reads) {
    enum { LAUNCHES = UINT8_MAX + 1 };
    const size_t count = reads->uses;
    struct thread_use *use = allocate(count * sizeof *use);
    size_t next[LAUNCHES + 1] = {0};
    memcpy(use, reads->use, count * sizeof *use);
    uint8_t first = count ? use[0].launch : 0;
    for (size_t i = 0; i < count; i++)
        first = (int8_t)(use[i].launch - first) < 0 ? use[i].launch : first;
    for (size_t i = 0; i < count; i++)
        next[(uint8_t)(use[i].launch - first) + 1]++;
    for (size_t l = 0; l < LAUNCHES; l++)
        next[l + 1] += next[l];
    for (size_t i = 0; i < count; i++)
        reads->use[next[(uint8_t)(use[i].launch - first)]++] = use[i];
    free(use);
}

/* Of `counted`, once it is clean. */
enum { SOME = 1, ALL };

void reads_clean(struct reads *reads) {
    const size_t noted = reads->uses < MOST_USES ? reads->uses : MOST_USES;
    reads->counted = reads->uses <= MOST_USES ? ALL : SOME;
    reads->uses = 0;
    for (size_t i = 0; i < noted; i++) {
        const struct thread_use use = reads->use[i];
        if (use.pc && use.array < USED_ARRAYS && use.bytes)
            reads->use[reads->uses++] = use;
    }
    order_launches(reads);
    for (size_t i = 0; i < MOST_ADDERS; i++)
        if (reads->adder[i].array >= USED_ARRAYS || !reads->adder[i].bytes)
            reads->adder[i].pc = 0;
    for (size_t i = 0; i < USED_ARRAYS; i++)
        text_clean(reads->array[i].name, USED_NAME);
}

void noted_measure(struct wrong_call *of) {
    for (const struct thread_use *use = of->reads->use; use < noted_end(of->reads); use++)
        if (use->writes && !of->width[use->array])
            of->width[use->array] = use->bytes;
    for (size_t a = 1; a < USED_ARRAYS; a++)
        if (of->width[a])
            of->places[a] = of->reads->array[a].bytes / of->width[a];
}

bool noted_all(const struct wrong_call *of) { return of->reads && of->reads->counted == ALL; }

size_t noted_bin(const struct wrong_call *of, const struct thread_use *use, enum order order) {
    size_t bins = of->problem->counting->bins, place = use->at / of->width[use->array];
    size_t copies = of->places[use->array] / bins;
    return order == BY_BIN ? place / copies : copies > 1 ? place % bins : place;
}

bool noted_has_order(const struct wrong_call *of, size_t array, enum order order) {
    return of->places[array] >= (order == BY_BIN ? 2 : 1) * of->problem->counting->bins;
}

size_t noted_bin_of(const struct wrong_call *of, size_t element) {
    return of->problem->counting->bin_of(of->window + element * of->problem->element_bytes);
}

bool noted_has_bin(const struct wrong_call *of, size_t element) {
    return element < noted_size(of) && noted_bin_of(of, element) < of->problem->counting->bins;
}

size_t noted_reads(const struct wrong_call *of, const struct thread_use *use, size_t bin) {
    const size_t bytes = of->problem->element_bytes, end = (size_t)use->at + use->bytes;
    size_t count = 0;
    for (size_t i = use->at / bytes; use->array == OF_INPUT && i * bytes < end; i++)
        count += noted_has_bin(of, i) && (bin == ANY_BIN || noted_bin_of(of, i) == bin);
    return count;
}

bool noted_is_output(const struct reads *reads, unsigned array) {
    return strncmp(reads->array[array].name, "the output", USED_NAME) == 0;
}
