#include "counts.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* No figure of a file is larger, so that sums of them fit into 64 bits. */
static const uint64_t MOST = (uint64_t)1 << 48;

/* What its lines so far say of the next one. */
struct state {
    size_t all_sites;
    bool in_trace;
};

/* ---- fields ----------------------------------------------------------------------------- */

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

static bool read_gpu(struct text *text, struct counts *counts, struct state *state) {
    (void)state;
    return text_field(text, counts->gpu) &&
           text_small(text, "multiprocessors", 4096, &counts->multiprocessors) &&
           (counts->multiprocessors || text_fail(text, "a GPU has multiprocessors"));
}

static bool read_call(struct text *text, struct counts *counts, struct state *state) {
    (void)state;
    return big(text, "rows", &counts->rows) && big(text, "columns", &counts->columns) &&
           big(text, "input bytes", &counts->input_bytes) &&
           big(text, "output bytes", &counts->output_bytes);
}

static bool read_kernel(struct text *text, struct counts_op *op) {
    unsigned overlaps = 0;
    bool good = text_small(text, "line", 1 << 30, &op->line);
    for (int i = 0; i < 3; i++)
        good = good && text_small(text, "grid", INT32_MAX, &op->grid[i]);
    for (int i = 0; i < 3; i++)
        good = good && text_small(text, "block", 1024, &op->block[i]);
    good = good && big(text, "static shared memory", &op->static_shared) &&
           big(text, "dynamic shared memory", &op->dynamic_shared) &&
           text_small(text, "overlaps", 1, &overlaps) &&
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

static bool read_op(struct text *text, struct counts *counts, struct state *state) {
    (void)state;
    uint64_t number;
    int what;
    if (!text_count(text, "operation", COUNTS_OPS - 1, &number))
        return false;
    if (number != counts->op_count)
        return text_fail(text, "operation %zu is expected", counts->op_count);
    if (!one_of(text, "operation", whats, &what))
        return false;
    TEXT_GROW(text, counts->ops, counts->op_count);
    struct counts_op *op = &counts->ops[counts->op_count++];
    memset(op, 0, sizeof *op);
    op->what = what;
    op->before = UINT64_MAX;
    return what == COUNTS_KERNEL ? read_kernel(text, op) : big(text, "bytes", &op->bytes);
}

static bool read_site(struct text *text, struct counts *counts, struct state *state) {
    struct counts_op *op = op_of(text, counts);
    struct counts_site site;
    uint64_t id;
    int kind, space;
    if (!op || !text_count(text, "site", COUNTS_SITES, &id))
        return false;
    size_t expected = op->site_count + op->local_count;
    if (id != expected || state->all_sites++ >= COUNTS_SITES)
        return text_fail(text, "site %zu is expected, and at most %d of them", expected,
                         COUNTS_SITES);
    if (!text_small(text, "line", 1 << 30, &site.line) ||
        !text_small(text, "loop", 1 << 30, &site.loop) || !one_of(text, "kind", kinds, &kind) ||
        !one_of(text, "space", spaces, &space) || !text_small(text, "bytes", 64, &site.bytes))
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
    TEXT_GROW(text, op->sites, expected);
    op->sites[expected] = site;
    *(space == COUNTS_LOCAL ? &op->local_count : &op->site_count) += 1;
    return true;
}

static bool read_after(struct text *text, struct counts *counts, struct state *state) {
    (void)state;
    struct counts_op *op = op_of(text, counts);
    return op && text_hex(text, "operations", UINT64_MAX, &op->before);
}

/* Lines of a kernel's figures. */
static const struct {
    const char *word;
    size_t figures[4]; /* offsets in struct counts_op; 0 ends them */
} sums[] = {
#define OF(field) offsetof(struct counts_op, field)
    {"memory", {OF(read_sectors), OF(written_sectors)}},
    {"hot", {OF(hot_adds), OF(hot_requests), OF(hot_near)}},
    {"sync", {OF(barriers), OF(warp_operations), OF(fences)}},
    {"passes", {OF(match_passes), OF(group_passes), OF(constant_passes), OF(constant_bytes)}},
    {"most", {OF(most_work), OF(empty_turns)}}};
#undef OF

static bool read_sums(struct text *text, struct counts *counts, size_t line) {
    struct counts_op *op = op_of(text, counts);
    bool good = op != NULL;
    for (size_t i = 0; good && i < 4 && sums[line].figures[i]; i++)
        good = big(text, sums[line].word, (uint64_t *)(void *)((char *)op + sums[line].figures[i]));
    return good;
}

/* ---- traces ----------------------------------------------------------------------------- */

static bool read_trace(struct text *text, struct counts *counts, struct state *state) {
    struct counts_op *op = op_of(text, counts);
    struct counts_warp warp = {.first = counts->item_count, .end = counts->item_count};
    if (!op || !big(text, "block", &warp.block) || !text_small(text, "warp", 31, &warp.warp))
        return false;
    if (warp.block >= counts_blocks(op) || warp.warp >= counts_warps(op))
        return text_fail(text, "the launch has no such warp");
    TEXT_GROW(text, op->warps, op->warp_count);
    op->warps[op->warp_count++] = warp;
    state->in_trace = true;
    return true;
}

static struct counts_item *new_item(struct text *text, struct counts *counts, struct state *state,
                                    char what) {
    if (!state->in_trace) {
        text_fail(text, "this line belongs to no trace");
        return NULL;
    }
    void *moved = counts->item_count >= UINT32_MAX / 2
                      ? NULL
                      : text_grown(text, counts->items, counts->item_count, sizeof *counts->items);
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

static bool read_event(struct text *text, struct counts *counts, struct state *state, char what) {
    return new_item(text, counts, state, what) != NULL;
}

static bool read_weight(struct text *text, struct counts *counts, struct state *state) {
    struct counts_item *item = new_item(text, counts, state, 's');
    return item && text_real(text, "weight", 1e-6, 1e9, &item->weight);
}

static bool read_turns(struct text *text, struct counts *counts, struct state *state) {
    struct counts_item *item = new_item(text, counts, state, 'l');
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
static bool read_request_line(struct text *text, struct counts *counts) {
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
    TEXT_GROW(text, counts->lines, counts->line_count);
    counts->lines[counts->line_count++] =
        (struct counts_line){.address = address, .sectors = sectors};
    return true;
}

static bool read_request(struct text *text, struct counts *counts, struct state *state) {
    struct counts_item *item = new_item(text, counts, state, 'r');
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
        if (!read_request_line(text, counts))
            return false;
        item->line_count++;
    }
    return true;
}

/* ---- the file --------------------------------------------------------------------------- */

static const struct {
    const char *word;
    bool (*read)(struct text *text, struct counts *counts, struct state *state);
} words[] = {{"r", read_request},   {"s", read_weight},    {"l", read_turns},
             {"site", read_site},   {"trace", read_trace}, {"op", read_op},
             {"after", read_after}, {"gpu", read_gpu},     {"call", read_call}};

static bool read_one(struct text *text, struct counts *counts, struct state *state) {
    char word[TEXT_FIELD];
    if (!text_field(text, word))
        return false;
    if (word[0] && !word[1] && strchr("bwfdtg", word[0]))
        return read_event(text, counts, state, word[0]);
    if (strcmp(word, "e") == 0) {
        if (!state->in_trace)
            return text_fail(text, "this ends no trace");
        state->in_trace = false;
        return true;
    }
    if (state->in_trace && (word[1] || !strchr("rsl", word[0])))
        return text_fail(text, "a trace must end with a line \"e\"");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i].word) == 0)
            return words[i].read(text, counts, state);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (strcmp(word, sums[i].word) == 0)
            return read_sums(text, counts, i);
    return text_fail(text, "a line that begins with \"%s\" is unknown", word);
}

static bool read_all(struct text *text, struct counts *counts) {
    struct state state = {0};
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
        if (!read_one(text, counts, &state) || !text_end_of_line(text))
            return false;
    if (state.in_trace)
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
