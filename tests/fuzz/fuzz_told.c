/* Fuzzing of what the judge makes of what a runner tells (common/runner/protocol.h): hazards, a
 * crash, where a step is, what it has reached, what it has read. Whatever the bytes: one line each,
 * in its room. (Of look.c the rules stay out: nothing calls them.)
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Icommon \
 *         -Iemulator/findings tests/fuzz/fuzz_told.c common/[!m]*.c common/judge/fault.c \
 *         common/judge/text.c common/judge/verdict.c common/judge/timing/cores.c \
 *         common/judge/diagnosis/[anprt]*.c common/judge/diagnosis/look.c \
 *         common/judge/findings/[!p]*.c common/problems/running.c \
 *         common/problems/opt_2dhisto/[!c]*.c -lm \
 *         -Wl,--unresolved-symbols=ignore-all -o fuzz_told
 *     tests/fuzz/unpack tests/fuzz/told.inputs inputs; mkdir found
 *     ./fuzz_told -max_len=4096 -rss_limit_mb=2048 -timeout=10 -runs=10000000 found inputs
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/diagnosis/facts.h"
#include "judge/diagnosis/reading.h"
#include "judge/findings/crashes.h"
#include "judge/findings/hazards.h"
#include "judge/findings/reach.h"
#include "judge/findings/stuck.h"
#include "runner/protocol.h"

enum { ROWS = 3, COLUMNS = 70, SIZE = ROWS * COLUMNS };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz_told: does not hold: %s\n", what);
        abort();
    }
}

static void must_be_line(const char *text, size_t size) {
    must(memchr(text, '\0', size) != NULL, "a text ends in its room");
    for (; *text; text++)
        must((unsigned char)*text >= ' ' && *text != 0x7f, "a text is one line");
}

/* ---- in place of places.c, which asks addr2line ----------------------------------------- */

void places_of(const char *program, const uint64_t *offsets, size_t count, struct place *places) {
    (void)program;
    for (size_t i = 0; i < count; i++)
        places[i] = offsets[i] % 8 ? (struct place){"labs/x/opt_2dhisto.cu", offsets[i] % 8, "x++;"}
                                   : (struct place){0};
}

void places_expect(const char *program, const uint64_t *offsets, size_t count) {
    (void)program, (void)offsets, (void)count;
}

unsigned places_line(const char *program, uint64_t offset) {
    (void)program;
    return offset % 8;
}

size_t places_lines(const char *program, const uint64_t *offsets, size_t count, unsigned *lines) {
    size_t known = 0;
    (void)program;
    for (size_t i = 0; i < count; i++)
        if (offsets[i] % 8)
            lines[known++] = offsets[i] % 8;
    return known;
}

struct place place_at_line(const char *program, const char *file, unsigned line) {
    struct place place = {.line = line};
    (void)program;
    snprintf(place.file, sizeof place.file, "%s", file);
    return place;
}

const char *place_file_name(const struct place *place) {
    const char *slash = strrchr(place->file, '/');
    return slash ? slash + 1 : place->file;
}

bool place_in_sources(const struct place *place) { return place->line % 2; }

/* ---- messages --------------------------------------------------------------------------- */

/* Each message's first byte is its kind; what it lacks at the end is 0. */
static void tell(const uint8_t *data, size_t size) {
    struct hazards hazards = {0};
    struct reach *reach = calloc(1, sizeof *reach);
    struct verdict verdict = {.kind = *data % VERDICT_KINDS};
    char text[640], why[640];
    while (size) {
        struct hazard hazard = {0};
        struct crash crash = {0};
        struct where where = {0};
        struct reached reached = {0};
        struct {
            void *to;
            size_t bytes;
        } kinds[] = {{&hazard, sizeof hazard},
                     {&crash, sizeof crash},
                     {&where, sizeof where},
                     {&reached, sizeof reached}},
          *kind = &kinds[*data++ % 4];
        size_t bytes = --size < kind->bytes ? size : kind->bytes;
        memcpy(kind->to, data, bytes);
        data += bytes;
        size -= bytes;
        hazards_add(&hazards, &hazard);
        crash_describe(&crash, "runner", TEXT(text));
        must_be_line(text, sizeof text);
        stuck_describe(&where, "runner", TEXT(text), TEXT(why));
        must_be_line(text, sizeof text);
        must_be_line(why, sizeof why);
        reach_add(reach, &reached, size % 2);
    }
    reach_incomplete(reach, "runner");
    reach_wanted(reach);
    reach_lines(reach, "runner", text, sizeof text);
    must_be_line(text, sizeof text);
    free(reach);
    hazards_find_places(&hazards, "runner");
    text[0] = why[0] = '\0';
    hazards_settle(&hazards, &verdict, why, sizeof why);
    must_be_line(why, sizeof why);
    must_be_line(verdict.detail, sizeof verdict.detail);
    must(verdict.kind == VERDICT_HARNESS_ERROR || !hazards.of[HAZARD_FAULT].count ||
             verdict.kind == VERDICT_HAZARD,
         "a fault is the verdict");
}

/* ---- what was read ---------------------------------------------------------------------- */

/* Half of the bytes are what is noted, up to the uses of threads, and half how often each element
 * was read. */
static void read_wrong(const uint8_t *data, size_t size) {
    static struct reads *reads;
    const size_t most = SIZE * sizeof *reads->of;
    size_t begin = size / 2, end = size - begin < most ? size - begin : most;
    if (!reads)
        reads = calloc(1, reads_bytes(SIZE));
    memcpy(reads, data, begin);
    memcpy(reads->of, data + begin, end);
    reads_clean(reads);
    static const struct shape shape = {ROWS, COLUMNS};
    static uint32_t window[SIZE];
    static unsigned char expected[1024], got[1024];
    struct wrong_call of = {.reads = reads,
                            .problem = &problem,
                            .program = "runner",
                            .window = (const char *)window,
                            .shape = shape,
                            .expected = expected,
                            .got = got};
    noted_measure(&of);
    for (size_t i = 0; i < SIZE; i++)
        window[i] = i * i % sizeof expected;
    got[size % sizeof got] = (unsigned char)size;
    char text[300];
    adding_describe(&of, TEXT(text));
    must_be_line(text, sizeof text);
    reading_describe(&of, "", TEXT(text));
    must_be_line(text, sizeof text);
    totals_describe(&of, TEXT(text));
    must_be_line(text, sizeof text);
    bool told[] = {totals_overflow(&of, TEXT(text)), totals_no_output(&of, TEXT(text)),
                   totals_never_read(&of, TEXT(text))};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i])
            must_be_line(text, sizeof text);
    memset(reads, 0, begin);
    memset(reads->of, 0, end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    if (*data % 2)
        read_wrong(data + 1, size - 1);
    else
        tell(data + 1, size - 1);
    return 0;
}
