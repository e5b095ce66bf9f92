#include "facts.h"

#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "judge/findings/places.h"

float noted_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void noted_say_line(const struct thread_use *use, const char *program, struct words text) {
    const unsigned line = places_line(program, use->pc);
    if (line)
        text_add(text, "Line %u", line);
    else
        text_add(text, "The kernel");
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

size_t noted_bin(const struct wrong_call *of, const struct thread_use *use) {
    size_t bins = of->problem->counting->bins, place = use->at / of->width[use->array];
    return of->places[use->array] >= 2 * bins ? place % bins : place;
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
        count += noted_has_bin(of, i) && noted_bin_of(of, i) == bin;
    return count;
}

bool noted_is_output(const struct reads *reads, unsigned array) {
    return strncmp(reads->array[array].name, "the output", USED_NAME) == 0;
}
