#define _GNU_SOURCE
#include "access.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DRAWN_ROWS = 2, /* of which the first elements' readers are told */
    DRAWN_COLUMNS = 64,
    DRAWN_WARPS = 2, /* of block 0; of block 1 the first one */
    DRAWN_REQUESTS = 4,
    MOST_TOTALS = 256,
    MOST_RUNS = 1 << 17,
    MOST_WARPS = 32, /* of a block */
    MANY = 255,
};

enum array { INPUT, OUTPUT, ARRAYS };
static const char *const array_names[] = {"input", "output"};
static const char *const kind_names[] = {"load", "store", "atomic"};

struct total {
    unsigned line, array, kind, bytes;
    uint64_t requests, lanes, sectors;
};

/* Who reads an element first. */
struct reader {
    unsigned op, thread, number, line;
    uint64_t block;
    bool any;
};

static struct {
    pthread_mutex_t mutex; /* guards what requests change */
    FILE *out;             /* NULL: nothing is drawn */
    uint64_t begin[ARRAYS], size[ARRAYS];
    size_t rows, columns, element_bytes;
    uint8_t *times; /* of each byte of the input */
    struct reader reader[DRAWN_ROWS * DRAWN_COLUMNS];
    /* the kernel that runs */
    unsigned op, threads, launch, total_count;
    uint64_t blocks;
    struct total totals[MOST_TOTALS];
    char *drawn[DRAWN_WARPS + 1][ARRAYS][DRAWN_REQUESTS]; /* lines of the file */
} map = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* The requests so far of the warps of the block that runs on this OS thread. */
static __thread struct {
    unsigned launch;
    uint64_t block;
    unsigned count[MOST_WARPS][ARRAYS];
} current;

bool access_wanted(void) { return map.out != NULL; }

static _Noreturn void end(const char *path) {
    fprintf(stderr, "access map: cannot write %s: %s\n", path, strerror(errno));
    exit(3);
}

void access_begin_call(const void *input, size_t rows, size_t columns, size_t input_bytes,
                       const void *output, size_t output_bytes) {
    const char *path = getenv("HISTOLAB_ACCESS");
    struct region_used used = {0};
    if (!path)
        return;
    map.out = fopen(path, "w");
    if (!map.out)
        end(path);
    map.begin[INPUT] = region_device_address((uintptr_t)input, &used);
    map.begin[OUTPUT] = region_device_address((uintptr_t)output, &used);
    map.size[INPUT] = input_bytes;
    map.size[OUTPUT] = output_bytes;
    map.rows = rows;
    map.columns = columns;
    map.element_bytes = rows && columns ? input_bytes / (rows * columns) : 1;
    map.times = emulator_need(calloc(input_bytes + 1, 1));
    memset(map.reader, 0, sizeof map.reader);
    fprintf(map.out, "histolab-access 1\ncall %zu %zu %zu %zu\n", rows, columns, input_bytes,
            output_bytes);
}

void access_begin_launch(unsigned op, uint64_t blocks, unsigned threads) {
    if (!map.out)
        return;
    map.op = op;
    map.blocks = blocks;
    map.threads = threads;
    map.total_count = 0;
    map.launch++;
}

/* ---- requests --------------------------------------------------------------------------- */

/* Which array the request accesses, by its first lane that accesses one; ARRAYS: none. */
static enum array array_of(const struct request *request) {
    for (uint32_t rest = request->mask; rest; rest &= rest - 1)
        for (enum array array = INPUT; array < ARRAYS; array++)
            if (request->address[__builtin_ctz(rest)] - map.begin[array] < map.size[array])
                return array;
    return ARRAYS;
}

/* From 1 on. */
static unsigned number_of(uint64_t block, unsigned warp, enum array array) {
    if (current.launch != map.launch || current.block != block) {
        memset(&current, 0, sizeof current);
        current.launch = map.launch;
        current.block = block;
    }
    return ++current.count[warp % MOST_WARPS][array];
}

static void add_total(const struct request *request, enum array array, unsigned sectors) {
    unsigned line = place_line(request->site), i = 0;
    const struct total wanted = {
        .line = line, .kind = request->kind, .array = array, .bytes = request->bytes};
    while (i < map.total_count &&
           memcmp(&map.totals[i], &wanted, offsetof(struct total, requests)) != 0)
        i++;
    if (i == MOST_TOTALS)
        return;
    if (i == map.total_count)
        map.totals[map.total_count++] = wanted;
    map.totals[i].requests++;
    map.totals[i].lanes += (unsigned)__builtin_popcount(request->mask);
    map.totals[i].sectors += sectors;
}

/* The place of an element's reader, or NULL if the map does not name it. */
static struct reader *reader_of(size_t element) {
    size_t row = element / map.columns, column = element % map.columns;
    if (map.columns == 1) { /* one long row */
        row = 0;
        column = element;
    }
    if (row >= DRAWN_ROWS || column >= DRAWN_COLUMNS)
        return NULL;
    return &map.reader[row * DRAWN_COLUMNS + column];
}

static void note_reader(size_t element, const struct reader *by) {
    struct reader *reader = reader_of(element);
    if (!reader)
        return;
    const uint64_t old[] = {reader->op, reader->block, reader->thread, reader->number};
    const uint64_t new[] = {by->op, by->block, by->thread, by->number};
    for (int i = 0; reader->any && i < 4; i++) {
        if (new[i] > old[i])
            return;
        if (new[i] < old[i])
            break;
    }
    *reader = *by;
}

static void note_reads(uint64_t block, unsigned warp, const struct request *request,
                       unsigned number) {
    struct reader by = {.op = map.op,
                        .block = block,
                        .number = number,
                        .line = place_line(request->site),
                        .any = true};
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t first = request->address[lane] - map.begin[INPUT];
        by.thread = warp * WARP + lane;
        for (uint64_t b = first; b < first + request->bytes && b < map.size[INPUT]; b++) {
            map.times[b] += map.times[b] < MANY;
            if (b == first || b % map.element_bytes == 0)
                note_reader(b / map.element_bytes, &by);
        }
    }
}

/* Keep its line of the file, if it is one of the first. */
static void draw(uint64_t block, unsigned warp, const struct request *request, enum array array,
                 unsigned number) {
    unsigned drawn = block == 0 ? warp : DRAWN_WARPS;
    if (block > 1 || (block == 0 && warp >= DRAWN_WARPS) || (block == 1 && warp > 0) ||
        number > DRAWN_REQUESTS)
        return;
    char *line = NULL;
    size_t length;
    FILE *text = emulator_need(open_memstream(&line, &length));
    fprintf(text, "r %u %lu %u %u %s %s %u %u %x", map.op, block, warp, place_line(request->site),
            kind_names[request->kind], array_names[array], request->bytes, number, request->mask);
    for (uint32_t rest = request->mask; rest; rest &= rest - 1)
        fprintf(text, " %ld", (int64_t)(request->address[__builtin_ctz(rest)] - map.begin[array]));
    fputc('\n', text);
    fclose(text);
    map.drawn[drawn][array][number - 1] = line;
}

void access_request(uint64_t block, unsigned warp, const struct request *request,
                    unsigned sectors) {
    enum array array = request->space == GLOBAL ? array_of(request) : ARRAYS;
    if (array == ARRAYS)
        return;
    unsigned number = number_of(block, warp, array);
    pthread_mutex_lock(&map.mutex);
    add_total(request, array, sectors);
    draw(block, warp, request, array, number);
    if (array == INPUT && request->kind == LOAD)
        note_reads(block, warp, request, number);
    pthread_mutex_unlock(&map.mutex);
}

/* ---- the file --------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b) { return compare_numbers(a, b, 4); }

void access_end_launch(const char *name) {
    if (!map.out)
        return;
    fprintf(map.out, "op %u %lu %u %s\n", map.op, map.blocks, map.threads, name);
    qsort(map.totals, map.total_count, sizeof *map.totals, by_place);
    for (unsigned i = 0; i < map.total_count; i++) {
        const struct total *t = &map.totals[i];
        fprintf(map.out, "total %u %u %s %s %u %lu %lu %lu\n", map.op, t->line, kind_names[t->kind],
                array_names[t->array], t->bytes, t->requests, t->lanes, t->sectors);
    }
    for (unsigned warp = 0; warp <= DRAWN_WARPS; warp++)
        for (enum array array = INPUT; array < ARRAYS; array++)
            for (unsigned i = 0; i < DRAWN_REQUESTS; i++) {
                char **line = &map.drawn[warp][array][i];
                if (*line)
                    fputs(*line, map.out);
                free(*line);
                *line = NULL;
            }
}

/* How often an element was read, at the byte that was read most. */
static unsigned element_times(size_t element) {
    unsigned most = 0;
    for (size_t b = element * map.element_bytes; b < (element + 1) * map.element_bytes; b++)
        most = map.times[b] > most ? map.times[b] : most;
    return most;
}

static void write_readers(void) {
    for (size_t row = 0; row < DRAWN_ROWS && row < map.rows; row++)
        for (size_t column = 0; column < DRAWN_COLUMNS; column++) {
            const struct reader *r = &map.reader[row * DRAWN_COLUMNS + column];
            size_t element = row * map.columns + column;
            if (r->any)
                fprintf(map.out, "reader %zu %u %lu %u %u %u %u\n", element, r->op, r->block,
                        r->thread, r->number, r->line, element_times(element));
        }
}

static void write_reads(void) {
    size_t elements = map.rows * map.columns, first = 0;
    for (unsigned runs = 0; first < elements; runs++) {
        unsigned times = element_times(first);
        size_t last = first;
        while (last + 1 < elements && element_times(last + 1) == times)
            last++;
        if (runs == MOST_RUNS) {
            fprintf(map.out, "cut %zu\n", first);
            return;
        }
        fprintf(map.out, "reads %zu %zu %u\n", first, last, times);
        first = last + 1;
    }
}

void access_end_call(void) {
    if (!map.out)
        return;
    write_readers();
    write_reads();
    if (ferror(map.out) | fclose(map.out))
        end(getenv("HISTOLAB_ACCESS"));
    free(map.times);
    map.out = NULL;
}
