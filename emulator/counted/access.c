#include "access.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 2, MOST_PLACES = 64, A_ROW = 8 };

struct array {
    const char *name;
    uint64_t begin;
    size_t bytes, element_bytes; /* element_bytes 0: as large as what a thread accesses */
};

/* What is drawn TIMES times in each launch. */
struct place {
    unsigned line, kind;
    const struct array *array;
    unsigned times;
};

static struct {
    FILE *out; /* NULL: nothing is drawn */
    struct array array[2];
    struct place place[MOST_PLACES];
    unsigned places;
} map;

static _Noreturn void end(const char *path) {
    fprintf(stderr, "access map: cannot write %s: %s\n", path, strerror(errno));
    exit(3);
}

void access_begin_call(const void *input, size_t input_bytes, size_t elements, const void *output,
                       size_t output_bytes) {
    const char *path = getenv("HISTOLAB_ACCESS");
    struct region_used used = {0};
    if (!path)
        return;
    map.out = fopen(path, "w");
    if (!map.out)
        end(path);
    map.array[0] = (struct array){"input", region_device_address((uintptr_t)input, &used),
                                  input_bytes, elements ? input_bytes / elements : 0};
    map.array[1] =
        (struct array){"output", region_device_address((uintptr_t)output, &used), output_bytes, 0};
}

void access_begin_launch(const char *name, uint64_t blocks, unsigned threads) {
    map.places = 0;
    if (map.out)
        fprintf(map.out, "\n%s<<<%lu, %u>>>\n", name, blocks, threads);
}

/* Which of the arrays one of the lanes accesses; NULL: none. */
static const struct array *array_of(const struct request *request) {
    for (uint32_t rest = request->mask; rest; rest &= rest - 1)
        for (const struct array *array = map.array; array < map.array + 2; array++)
            if (request->address[__builtin_ctz(rest)] - array->begin < array->bytes)
                return array;
    return NULL;
}

/* How often this place has been met in the launch, with this time. */
static unsigned times_at(const struct request *request, const struct array *array) {
    const unsigned line = place_line(request->site);
    struct place *place = map.place;
    while (place < map.place + map.places &&
           (place->line != line || place->kind != request->kind || place->array != array))
        place++;
    if (place == map.place + MOST_PLACES)
        return TIMES + 1;
    if (place == map.place + map.places) {
        *place = (struct place){line, request->kind, array, 0};
        map.places++;
    }
    return ++place->times;
}

static void draw_lanes(const struct request *request, const struct array *array) {
    const int64_t size = (int64_t)(array->element_bytes ? array->element_bytes : request->bytes);
    for (unsigned lane = 0; lane < WARP; lane++) {
        if (lane % A_ROW == 0)
            fprintf(map.out, "  threads %2u to %2u:", lane, lane + A_ROW - 1);
        if (request->mask >> lane & 1)
            fprintf(map.out, " %6ld", (int64_t)(request->address[lane] - array->begin) / size);
        else
            fprintf(map.out, "      -");
        if (lane % A_ROW == A_ROW - 1)
            fputc('\n', map.out);
    }
}

void access_request(const struct request *request, unsigned sectors) {
    static const char *const does[] = {"reads", "writes", "updates"};
    const struct array *array = map.out ? array_of(request) : NULL;
    const unsigned times = array ? times_at(request, array) : TIMES + 1;
    if (times > TIMES)
        return;
    const unsigned bytes = request->bytes * (unsigned)__builtin_popcount(request->mask);
    fprintf(map.out, "line %u %s the %s%s: %u B a thread; sectors of %u B: %u, needed: %u\n",
            place_line(request->site), does[request->kind], array->name, times > 1 ? " again" : "",
            request->bytes, SECTOR, sectors, (bytes + SECTOR - 1) / SECTOR);
    draw_lanes(request, array);
}

void access_end_call(void) {
    if (!map.out)
        return;
    if (ferror(map.out) | fclose(map.out))
        end(getenv("HISTOLAB_ACCESS"));
    map.out = NULL;
}
