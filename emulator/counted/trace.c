#include "trace.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_ITEMS = 64,
    LONGEST_CHUNK = 256,
    LEAST_BUDGET = 128,
    CHUNK = 255 /* an item's kind */
};

/* Followed by its lines: 16 times the number, and the sectors. */
struct item {
    uint32_t site, loop, turn, mask;
    uint16_t wavefronts;
    uint8_t kind, space, bytes, multiplicity, lines;
    double weight; /* of a chunk that begins here */
};

struct chunk {
    size_t at; /* of its first byte */
    uint64_t number, items;
};

struct warp_trace {
    uint8_t *bytes;
    size_t size, capacity;
    size_t kept_before; /* items before the part that is under way */
    /* the part since the last barrier */
    struct chunk *chunks;
    size_t chunk_count, chunk_capacity;
    uint64_t total, kept, number, stride; /* items; of the chunk under way; of those kept */
    uint64_t in_chunk;
    uint32_t last_turn;
    bool recording;
};

static void append(struct warp_trace *warp, const void *bytes, size_t size) {
    if (warp->size + size > warp->capacity) {
        warp->capacity = 2 * warp->capacity + 4096;
        warp->bytes = emulator_need(realloc(warp->bytes, warp->capacity));
    }
    memcpy(warp->bytes + warp->size, bytes, size);
    warp->size += size;
}

/* ---- parts and chunks ------------------------------------------------------------------- */

static void begin_chunk(struct warp_trace *warp) {
    struct item item = {.kind = CHUNK, .weight = 1};
    warp->in_chunk = 0;
    warp->recording = warp->number % warp->stride == 0;
    if (!warp->recording)
        return;
    warp->chunks =
        emulator_grow(warp->chunks, warp->chunk_count, &warp->chunk_capacity, sizeof *warp->chunks);
    warp->chunks[warp->chunk_count++] = (struct chunk){.at = warp->size, .number = warp->number};
    append(warp, &item, sizeof item);
}

static void begin_part(struct warp_trace *warp) {
    warp->kept_before += warp->kept;
    warp->chunk_count = 0;
    warp->total = warp->kept = warp->number = 0;
    warp->stride = 1;
    begin_chunk(warp);
}

/* Each chunk that is kept stands for those that are not. */
static void end_part(struct warp_trace *warp) {
    double weight = warp->kept ? (double)warp->total / (double)warp->kept : 1;
    for (size_t i = 0; i < warp->chunk_count; i++)
        memcpy(warp->bytes + warp->chunks[i].at + offsetof(struct item, weight), &weight,
               sizeof weight);
}

/* Keep every other chunk. */
static void thin_out(struct warp_trace *warp) {
    size_t to = warp->chunks[0].at, kept = 0, count = warp->chunk_count;
    warp->stride *= 2;
    warp->kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct chunk chunk = warp->chunks[i];
        size_t end = i + 1 < count ? warp->chunks[i + 1].at : warp->size;
        if (chunk.number % warp->stride)
            continue;
        memmove(warp->bytes + to, warp->bytes + chunk.at, end - chunk.at);
        warp->chunks[kept++] = (struct chunk){to, chunk.number, chunk.items};
        warp->kept += chunk.items;
        to += end - chunk.at;
    }
    warp->chunk_count = kept;
    warp->size = to;
    warp->recording = warp->recording && warp->number % warp->stride == 0;
}

static void add_item(struct warp_trace *warp, const struct item *item,
                     const struct measure *measure, unsigned budget) {
    size_t left = budget > warp->kept_before ? (budget - warp->kept_before) / 2 : 0;
    bool turns = item->kind == TURNS || item->turn != warp->last_turn;
    warp->last_turn = item->turn;
    if (warp->in_chunk >= LONGEST_CHUNK || (warp->in_chunk >= CHUNK_ITEMS && turns)) {
        warp->number++;
        begin_chunk(warp);
    }
    warp->in_chunk++;
    warp->total++;
    if (!warp->recording)
        return;
    append(warp, item, sizeof *item);
    for (unsigned i = 0; i < item->lines; i++) {
        uint64_t line = measure->line[i] * 16 + measure->used[i];
        append(warp, &line, sizeof line);
    }
    warp->kept++;
    warp->chunks[warp->chunk_count - 1].items++;
    if (warp->kept > (left > LEAST_BUDGET ? left : LEAST_BUDGET) && warp->chunk_count > 1)
        thin_out(warp);
}

void trace_begin(struct block_trace *trace, uint64_t block, unsigned warps, unsigned budget) {
    trace_free(trace);
    *trace = (struct block_trace){.block = block, .warps = warps, .budget = budget};
    trace->warp = emulator_need(calloc(warps, sizeof *trace->warp));
    for (unsigned w = 0; w < warps; w++)
        begin_part(&trace->warp[w]);
}

void trace_add(struct block_trace *trace, unsigned warp, const struct request *request,
               const struct measure *measure) {
    struct warp_trace *to = &trace->warp[warp];
    struct item item = {.site = request->site,
                        .loop = request->loop,
                        .turn = request->turn,
                        .mask = request->mask,
                        .kind = request->kind};
    if (measure) {
        item.space = request->space;
        item.bytes = request->bytes;
        item.wavefronts = (uint16_t)(measure->wavefronts + measure->l1_passes);
        item.multiplicity = (uint8_t)measure->multiplicity;
        item.lines = (uint8_t)measure->line_count;
        trace->requests++;
    }
    if (request->kind == BARRIER) {
        end_part(to);
        append(to, &item, sizeof item);
        to->kept++;
        begin_part(to);
    } else {
        add_item(to, &item, measure, trace->budget);
    }
}

void trace_end(struct block_trace *trace) {
    for (unsigned w = 0; w < trace->warps; w++)
        end_part(&trace->warp[w]);
}

void trace_free(struct block_trace *trace) {
    for (unsigned w = 0; trace->warp && w < trace->warps; w++) {
        free(trace->warp[w].bytes);
        free(trace->warp[w].chunks);
    }
    free(trace->warp);
    trace->warp = NULL;
}

/* ---- the counts file -------------------------------------------------------------------- */

static void write_request(const struct item *item, const uint64_t *lines, FILE *file,
                          unsigned (*id)(const struct request *request, bool *merged)) {
    struct request request = {.site = item->site,
                              .loop = item->loop,
                              .kind = item->kind,
                              .space = item->space,
                              .bytes = item->bytes};
    bool merged;
    unsigned site = id(&request, &merged);
    fprintf(file, "r %u %u %x %u %u", site, item->turn, item->mask,
            merged && item->wavefronts ? 1 : item->wavefronts, merged ? 1 : item->multiplicity);
    for (unsigned i = 0; i < item->lines; i++)
        fprintf(file, " %lx:%lx", lines[i] / 16, lines[i] % 16);
    fputc('\n', file);
}

static size_t write_warp(const struct warp_trace *warp, FILE *file,
                         unsigned (*id)(const struct request *request, bool *merged)) {
    static const char letters[] = {
        [BARRIER] = 'b',         [WARP_OPERATION] = 'w',     [MATCH] = 'w',       [FENCE] = 'f',
        [DEPENDENCY_WAIT] = 'd', [DEPENDENCY_TRIGGER] = 't', [GRID_BARRIER] = 'g'};
    size_t items = 0;
    bool weighted = false; /* another weight than 1 holds */
    for (size_t at = 0; at < warp->size;) {
        struct item item;
        uint64_t lines[2 * WARP];
        memcpy(&item, warp->bytes + at, sizeof item);
        at += sizeof item;
        memcpy(lines, warp->bytes + at, item.lines * sizeof *lines);
        at += item.lines * sizeof *lines;
        bool is_chunk = item.kind == CHUNK, sampled = is_chunk && item.weight > 1;
        if (sampled || (weighted && (is_chunk || item.kind == BARRIER)))
            fprintf(file, "s %.6g\n", is_chunk ? item.weight : 1);
        if (is_chunk || item.kind == BARRIER)
            weighted = sampled;
        if (item.kind <= ATOMIC)
            write_request(&item, lines, file, id);
        else if (item.kind == TURNS)
            fprintf(file, "l %u %u %u\n", item.loop, item.site, item.turn);
        else if (!is_chunk)
            fprintf(file, "%c\n", letters[item.kind]);
        items += !is_chunk;
    }
    return items;
}

size_t trace_write(const struct block_trace *trace, FILE *file, unsigned op,
                   unsigned (*id)(const struct request *request, bool *merged)) {
    size_t items = 0;
    for (unsigned w = 0; w < trace->warps; w++) {
        fprintf(file, "trace %u %lu %u\n", op, trace->block, w);
        items += write_warp(&trace->warp[w], file, id);
        fprintf(file, "e\n");
    }
    return items;
}
