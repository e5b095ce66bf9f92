#include "counts.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* No figure of a file is larger, so that sums of them fit into 64 bits. */
static const uint64_t MOST = (uint64_t)1 << 48;

/* ---- arrays that grow ------------------------------------------------------------------- */

struct room {
    size_t ops, sites, warps, items, lines; /* allocated; sites and warps of the last operation */
    size_t all_sites;
    bool in_trace;
};

/* A place for one more element, or NULL, with a failure, if there is no memory. */
static void *grown(struct text *text, void *array, size_t count, size_t *room, size_t element) {
    if (count < *room)
        return array;
    size_t larger = *room ? 2 * *room : 16;
    void *moved = realloc(array, larger * element);
    if (!moved) {
        text_fail(text, "not enough memory");
        return NULL;
    }
    *room = larger;
    return moved;
}

#define GROW(array, count, room)                                                                   \
    do {                                                                                           \
        void *moved = grown(text, array, count, &(room), sizeof *(array));                         \
        if (!moved)                                                                                \
            return false;                                                                          \
        (array) = moved;                                                                           \
    } while (0)

/* ---- fields ----------------------------------------------------------------------------- */

static bool small(struct text *text, const char *what, uint64_t high, unsigned *number) {
    uint64_t value = 0;
    bool good = text_count(text, what, high, &value);
    *number = (unsigned)value;
    return good;
}

static bool big(struct text *text, const char *what, uint64_t *number) {
    return text_count(text, what, MOST, number);
}

static bool one_of(struct text *text, const char *what, const char *const *names, int *index) {
    char field[TEXT_FIELD];
    if (!text_field(text, field))
        return false;
    for (*index = 0; names[*index]; ++*index)
        if (strcmp(field, names[*index]) == 0)
            return true;
    return text_fail(text, "%s: \"%s\" is unknown", what, field);
}

static const char *const kinds[] = {"load", "store", "atomic", NULL};
static const char *const spaces[] = {"global", "shared", "local", NULL};
static const char *const whats[] = {"kernel", "memset", "copy", NULL};

const char *counts_kind_name(enum counts_kind kind) { return kinds[kind]; }
const char *counts_space_name(enum counts_space space) { return spaces[space]; }

/* The operation that a line is about: always the last one so far. */
static struct counts_op *op_of(struct text *text, struct counts *counts) {
    uint64_t number;
    if (!text_count(text, "operation", COUNTS_OPS, &number))
        return NULL;
    if (!counts->op_count || number != counts->op_count - 1) {
        text_fail(text, "operation %llu: its lines must follow its op line",
                  (unsigned long long)number);
        return NULL;
    }
    struct counts_op *op = &counts->ops[number];
    if (op->what != COUNTS_KERNEL) {
        text_fail(text, "operation %llu is not a kernel", (unsigned long long)number);
        return NULL;
    }
    return op;
}

/* ---- lines ------------------------------------------------------------------------------ */

static bool read_gpu(struct text *text, struct counts *counts, struct room *room) {
    (void)room;
    return text_field(text, counts->gpu) &&
           small(text, "multiprocessors", 4096, &counts->multiprocessors) &&
           (counts->multiprocessors || text_fail(text, "a GPU has multiprocessors"));
}

static bool read_call(struct text *text, struct counts *counts, struct room *room) {
    (void)room;
    return big(text, "rows", &counts->rows) && big(text, "columns", &counts->columns) &&
           big(text, "input bytes", &counts->input_bytes) &&
           big(text, "output bytes", &counts->output_bytes);
}

static bool read_kernel(struct text *text, struct counts_op *op) {
    unsigned overlaps = 0;
    bool good = small(text, "line", 1 << 30, &op->line);
    for (int i = 0; i < 3; i++)
        good = good && small(text, "grid", INT32_MAX, &op->grid[i]);
    for (int i = 0; i < 3; i++)
        good = good && small(text, "block", 1024, &op->block[i]);
    good = good && big(text, "static shared memory", &op->static_shared) &&
           big(text, "dynamic shared memory", &op->dynamic_shared) &&
           small(text, "overlaps", 1, &overlaps) &&
           big(text, "counted blocks", &op->counted_blocks) &&
           text_rest(text, op->name, sizeof op->name);
    op->overlaps = overlaps;
    if (!good)
        return false;
    uint64_t area = (uint64_t)op->grid[0] * op->grid[1];
    if (!counts_threads(op) || counts_threads(op) > 1024 || !area || !op->grid[2] ||
        area > MOST / op->grid[2])
        return text_fail(text, "no GPU launches such a grid or block");
    return true;
}

static bool read_op(struct text *text, struct counts *counts, struct room *room) {
    uint64_t number;
    int what;
    if (!text_count(text, "operation", COUNTS_OPS - 1, &number))
        return false;
    if (number != counts->op_count)
        return text_fail(text, "operation %zu is expected", counts->op_count);
    if (!one_of(text, "operation", whats, &what))
        return false;
    GROW(counts->ops, counts->op_count, room->ops);
    struct counts_op *op = &counts->ops[counts->op_count++];
    memset(op, 0, sizeof *op);
    op->what = what;
    op->before = UINT64_MAX;
    room->sites = room->warps = 0;
    return what == COUNTS_KERNEL ? read_kernel(text, op) : big(text, "bytes", &op->bytes);
}

static bool read_site(struct text *text, struct counts *counts, struct room *room) {
    struct counts_op *op = op_of(text, counts);
    struct counts_site site;
    uint64_t id;
    int kind, space;
    if (!op || !text_count(text, "site", COUNTS_SITES, &id))
        return false;
    size_t expected = op->site_count + op->local_count;
    if (id != expected || room->all_sites++ >= COUNTS_SITES)
        return text_fail(text, "site %zu is expected, and at most %d of them", expected,
                         COUNTS_SITES);
    if (!small(text, "line", 1 << 30, &site.line) || !small(text, "loop", 1 << 30, &site.loop) ||
        !one_of(text, "kind", kinds, &kind) || !one_of(text, "space", spaces, &space) ||
        !small(text, "bytes", 64, &site.bytes))
        return false;
    site.kind = kind;
    site.space = space;
    uint64_t *figures[] = {&site.requests,   &site.lanes,     &site.sectors, &site.lines,
                           &site.wavefronts, &site.conflicts, &site.same,    &site.most};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (!big(text, "figure", figures[i]))
            return false;
    if (space != COUNTS_LOCAL && op->local_count)
        return text_fail(text, "sites of local memory come last");
    GROW(op->sites, expected, room->sites);
    op->sites[expected] = site;
    *(space == COUNTS_LOCAL ? &op->local_count : &op->site_count) += 1;
    return true;
}

static bool read_after(struct text *text, struct counts *counts, struct room *room) {
    (void)room;
    struct counts_op *op = op_of(text, counts);
    return op && text_hex(text, "operations", UINT64_MAX, &op->before);
}

static bool read_memory(struct text *text, struct counts *counts, struct room *room) {
    (void)room;
    struct counts_op *op = op_of(text, counts);
    return op && big(text, "sectors", &op->read_sectors) &&
           big(text, "sectors", &op->written_sectors);
}

static bool read_hot(struct text *text, struct counts *counts, struct room *room) {
    (void)room;
    struct counts_op *op = op_of(text, counts);
    return op && big(text, "adds", &op->hot_adds) && big(text, "requests", &op->hot_requests) &&
           big(text, "sectors", &op->hot_near);
}

static bool read_sync(struct text *text, struct counts *counts, struct room *room) {
    (void)room;
    struct counts_op *op = op_of(text, counts);
    return op && big(text, "barriers", &op->barriers) &&
           big(text, "warp operations", &op->warp_operations) && big(text, "fences", &op->fences);
}

static bool read_most(struct text *text, struct counts *counts, struct room *room) {
    (void)room;
    struct counts_op *op = op_of(text, counts);
    return op && big(text, "work", &op->most_work) && big(text, "turns", &op->empty_turns);
}

static bool read_passes(struct text *text, struct counts *counts, struct room *room) {
    (void)room;
    struct counts_op *op = op_of(text, counts);
    return op && big(text, "values", &op->match_passes) && big(text, "masks", &op->group_passes) &&
           big(text, "words", &op->constant_passes) && big(text, "bytes", &op->constant_bytes);
}

/* ---- traces ----------------------------------------------------------------------------- */

static bool read_trace(struct text *text, struct counts *counts, struct room *room) {
    struct counts_op *op = op_of(text, counts);
    struct counts_warp warp = {.first = counts->item_count, .end = counts->item_count};
    if (!op || !big(text, "block", &warp.block) || !small(text, "warp", 31, &warp.warp))
        return false;
    if (warp.block >= counts_blocks(op) || warp.warp >= counts_warps(op))
        return text_fail(text, "the launch has no such warp");
    GROW(op->warps, op->warp_count, room->warps);
    op->warps[op->warp_count++] = warp;
    room->in_trace = true;
    return true;
}

static struct counts_item *new_item(struct text *text, struct counts *counts, struct room *room,
                                    char what) {
    if (!room->in_trace) {
        text_fail(text, "this line belongs to no trace");
        return NULL;
    }
    void *moved =
        counts->item_count >= UINT32_MAX / 2
            ? NULL
            : grown(text, counts->items, counts->item_count, &room->items, sizeof *counts->items);
    if (!moved)
        return NULL;
    counts->items = moved;
    struct counts_item *item = &counts->items[counts->item_count++];
    memset(item, 0, sizeof *item);
    item->what = what;
    struct counts_op *op = &counts->ops[counts->op_count - 1];
    op->warps[op->warp_count - 1].end = counts->item_count;
    return item;
}

static bool read_event(struct text *text, struct counts *counts, struct room *room, char what) {
    return new_item(text, counts, room, what) != NULL;
}

static bool read_weight(struct text *text, struct counts *counts, struct room *room) {
    struct counts_item *item = new_item(text, counts, room, 's');
    return item && text_real(text, "weight", 1e-6, 1e9, &item->weight);
}

static bool read_turns(struct text *text, struct counts *counts, struct room *room) {
    struct counts_item *item = new_item(text, counts, room, 'l');
    uint64_t first, last;
    if (!item || !text_count(text, "line", UINT32_MAX, &first) ||
        !text_count(text, "line", UINT32_MAX, &last) ||
        !text_count(text, "turns", UINT32_MAX, &item->turn))
        return false;
    item->first_line = (uint32_t)first;
    item->mask = (uint32_t)last;
    return true;
}

/* LINE:SECTORS, both hexadecimal. */
static bool read_request_line(struct text *text, struct counts *counts, struct room *room) {
    char field[TEXT_FIELD], *end;
    if (!text_field(text, field))
        return false;
    size_t digits = strspn(field, "0123456789abcdef");
    unsigned long long address = strtoull(field, &end, 16);
    unsigned sectors = 0;
    if (digits && digits <= 15 && field[digits] == ':' && field[digits + 1] && !field[digits + 2])
        sectors = (unsigned)strtoul(field + digits + 1, NULL, 16);
    if (!sectors || sectors > 15)
        return text_fail(text, "a line and its sectors are expected (1f2a:f), not \"%s\"", field);
    if (counts->line_count >= UINT32_MAX / 2)
        return text_fail(text, "too many lines of memory");
    GROW(counts->lines, counts->line_count, room->lines);
    counts->lines[counts->line_count++] =
        (struct counts_line){.address = address, .sectors = sectors};
    return true;
}

static bool read_request(struct text *text, struct counts *counts, struct room *room) {
    struct counts_item *item = new_item(text, counts, room, 'r');
    struct counts_op *op = counts->op_count ? &counts->ops[counts->op_count - 1] : NULL;
    uint64_t site, mask, wavefronts, multiplicity;
    if (!item || !text_count(text, "site", COUNTS_SITES, &site))
        return false;
    if (site >= op->site_count)
        return text_fail(text, "the operation has no site %llu", (unsigned long long)site);
    if (!big(text, "turn", &item->turn) || !text_hex(text, "mask", UINT32_MAX, &mask) ||
        !text_count(text, "wavefronts", 1024, &wavefronts) ||
        !text_count(text, "multiplicity", 32, &multiplicity))
        return false;
    item->site = (uint32_t)site;
    item->mask = (uint32_t)mask;
    item->wavefronts = (unsigned short)wavefronts;
    item->multiplicity = (unsigned char)multiplicity;
    item->first_line = (uint32_t)counts->line_count;
    while (text_more(text)) {
        if (item->line_count == COUNTS_REQUEST_LINES)
            return text_fail(text, "a request uses at most %d lines", COUNTS_REQUEST_LINES);
        if (!read_request_line(text, counts, room))
            return false;
        item->line_count++;
    }
    return true;
}

/* ---- the file --------------------------------------------------------------------------- */

static const struct {
    const char *word;
    bool (*read)(struct text *text, struct counts *counts, struct room *room);
} words[] = {{"r", read_request},     {"s", read_weight},    {"l", read_turns},
             {"site", read_site},     {"trace", read_trace}, {"op", read_op},
             {"memory", read_memory}, {"hot", read_hot},     {"sync", read_sync},
             {"passes", read_passes}, {"most", read_most},   {"after", read_after},
             {"gpu", read_gpu},       {"call", read_call}};

static bool read_one(struct text *text, struct counts *counts, struct room *room) {
    char word[TEXT_FIELD];
    if (!text_field(text, word))
        return false;
    if (word[0] && !word[1] && strchr("bwfdtg", word[0]))
        return read_event(text, counts, room, word[0]);
    if (strcmp(word, "e") == 0) {
        if (!room->in_trace)
            return text_fail(text, "this ends no trace");
        room->in_trace = false;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i].word) != 0)
            continue;
        if (room->in_trace && i > 2)
            return text_fail(text, "a trace must end with a line \"e\"");
        return words[i].read(text, counts, room);
    }
    return text_fail(text, "a line that begins with \"%s\" is unknown", word);
}

static bool read_all(struct text *text, struct counts *counts) {
    struct room room = {0};
    char word[TEXT_FIELD];
    uint64_t version;
    if (!text_line(text))
        return text_fail(text, "it is empty");
    if (!text_field(text, word) || strcmp(word, "histolab-counts") != 0)
        return text_fail(text,
                         "this is not a counts file, which begins with \"histolab-counts 1\"");
    if (!text_count(text, "version", 1, &version) || !text_end_of_line(text))
        return false;
    while (text_line(text))
        if (!read_one(text, counts, &room) || !text_end_of_line(text))
            return false;
    if (room.in_trace)
        text_fail(text, "the last trace has no end: the file is not complete");
    else if (!counts->multiprocessors)
        text_fail(text, "no line says which GPU was counted for");
    return !text->failed;
}

bool counts_parse(const char *data, size_t size, const char *name, struct counts *counts,
                  char *error, size_t error_size) {
    struct text text;
    memset(counts, 0, sizeof *counts);
    text_begin(&text, name, data, size);
    if (read_all(&text, counts))
        return true;
    snprintf(error, error_size, "%s", text.error);
    counts_free(counts);
    return false;
}

void counts_free(struct counts *counts) {
    for (size_t i = 0; i < counts->op_count; i++) {
        free(counts->ops[i].sites);
        free(counts->ops[i].warps);
    }
    free(counts->ops);
    free(counts->items);
    free(counts->lines);
    memset(counts, 0, sizeof *counts);
}

uint64_t counts_blocks(const struct counts_op *op) {
    return (uint64_t)op->grid[0] * op->grid[1] * op->grid[2];
}

unsigned counts_threads(const struct counts_op *op) {
    return op->block[0] * op->block[1] * op->block[2];
}

unsigned counts_warps(const struct counts_op *op) { return (counts_threads(op) + 31) / 32; }
