#include "reuse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128, SECTOR = 32, SECTORS = 4, MOST_PIECES = 1024, PIECE_LINES = 1 << 14 };

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

/* All of it up to half of the L2's size (each of its two halves keeps copies of what the other
 * one's memory holds: Luo et al. 2025), none from its whole size on. */
double reuse_still_there(const struct gpu *gpu, double bytes) {
    return most(0, least(1, 2 * (1 - bytes / gpu->l2_bytes)));
}

/* ---- the call's input ------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* How many lines an operation's traced warps touch, each time counted. */
static size_t traced_lines(const struct counts *counts, const struct counts_op *op) {
    size_t lines = 0;
    for (size_t w = 0; w < op->warp_count; w++)
        for (size_t j = op->warps[w].first; j < op->warps[w].end; j++)
            lines += counts->items[j].line_count;
    return lines;
}

/* The distinct lines of global memory that an operation's traced loads touch, in ascending order;
 * the caller frees them. NULL: there are none, or no memory. */
static uint64_t *lines_of(const struct counts *counts, const struct counts_op *op,
                          size_t *distinct) {
    uint64_t *lines = NULL;
    size_t count = 0, room = traced_lines(counts, op);
    if (!room || !(lines = malloc(room * sizeof *lines)))
        return NULL;
    for (size_t w = 0; w < op->warp_count; w++)
        for (size_t j = op->warps[w].first; j < op->warps[w].end; j++) {
            const struct counts_item *item = &counts->items[j];
            for (unsigned k = 0; k < item->line_count; k++)
                if (op->sites[item->site].kind == COUNTS_LOAD)
                    lines[count++] = counts->lines[item->first_line + k].address;
        }
    if (count)
        qsort(lines, count, sizeof *lines, ascending);
    *distinct = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || lines[i] != lines[i - 1])
            lines[(*distinct)++] = lines[i];
    return lines;
}

/* Of these lines, the stretch of the input's size that has most of them, before all that a step
 * allocates, becomes the input. False: there is none. */
static bool take_input(struct reuse *reuse, const uint64_t *lines, size_t count) {
    uint64_t size = reuse->counts->input_bytes / LINE + 2;
    size_t from = 0, most_lines = 0;
    for (size_t to = 0; to < count; to++) {
        while (lines[to] - lines[from] >= size)
            from++;
        if (to - from + 1 <= most_lines || lines[from] > size)
            continue;
        most_lines = to - from + 1;
        reuse->touched = (double)LINE * (double)(lines[to] - lines[from] + 1);
        /* A sample may lack both ends. */
        uint64_t missing = (size - (lines[to] - lines[from])) / 2;
        reuse->input_first = lines[from] > missing ? lines[from] - missing : 0;
        reuse->input_end = lines[to] + 1 + missing;
    }
    return most_lines > 0;
}

/* The call's input is what the first kernel reads that reads anything there. */
static void find_input(struct reuse *reuse) {
    const struct counts *counts = reuse->counts;
    bool found = false;
    for (size_t i = 0; i < counts->op_count && !found; i++) {
        size_t count = 0;
        uint64_t *lines = lines_of(counts, &counts->ops[i], &count);
        found = lines && take_input(reuse, lines, count);
        free(lines);
        if (found) /* of many blocks, those that were traced read the beginning only */
            reuse->touched =
                most(reuse->touched, least((double)counts->input_bytes,
                                           SECTOR * (double)counts->ops[i].read_sectors));
    }
}

static bool is_input(const struct reuse *reuse, uint64_t line) {
    return line >= reuse->input_first && line < reuse->input_end;
}

/* Share of the input that is there when the call begins. The judge has so many inputs in turn that
 * twice the L2 lies between two calls with one (strip_cold_regions()). Of a kernel that reads a
 * small part of each, it may be there from another call; an input begins in another row each time,
 * at a line of memory. */
static double left_over(const struct reuse *reuse, const struct gpu *gpu) {
    enum { CALLS_OF_A_SAMPLE = 1000 };
    const struct counts *counts = reuse->counts;
    if (!reuse->touched || !counts->rows || !counts->input_bytes)
        return 0;
    double inputs = 2 + ceil(2 * gpu->l2_bytes / (double)counts->input_bytes);
    uint64_t begins = counts->input_bytes / counts->rows;
    while (begins % LINE && begins < counts->input_bytes)
        begins *= 2;
    double range = least(CALLS_OF_A_SAMPLE / inputs * (double)begins, gpu->l2_bytes);
    return reuse_still_there(gpu, inputs * reuse->touched) *
           least(1, gpu->l2_bytes / 2 / (inputs * (reuse->touched + range)));
}

/* ---- what each operation touches ---------------------------------------------------------- */

/* A line of memory that a traced block touches; when: 0, as the operation begins, to 1. */
struct touch {
    uint64_t line, block;
    float when;
    unsigned sectors;
    enum counts_kind kind;
};

static int by_line(const void *a, const void *b) {
    const struct touch *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->block > y->block) - (x->block < y->block);
}

/* As much of the operation's time passes while one block runs: all of it where all run together, as
 * far as their threads tell. */
static double block_time(const struct counts *counts, const struct counts_op *op) {
    enum { THREADS = 2048 };
    unsigned together = THREADS / (32 * counts_warps(op));
    return least(1, (double)counts->multiprocessors * together / (double)counts_blocks(op));
}

static void take_touches(const struct counts *counts, const struct counts_op *op,
                         const struct counts_warp *warp, struct touch *touches, size_t *count) {
    double each = block_time(counts, op);
    double start = (1 - each) * (double)warp->block / (double)counts_blocks(op);
    for (size_t j = warp->first; j < warp->end; j++) {
        const struct counts_item *item = &counts->items[j];
        double passed = (double)(j - warp->first) / (double)(warp->end - warp->first);
        for (unsigned k = 0; k < item->line_count; k++)
            touches[(*count)++] =
                (struct touch){.line = counts->lines[item->first_line + k].address,
                               .block = warp->block,
                               .when = (float)(start + each * passed),
                               .sectors = counts->lines[item->first_line + k].sectors,
                               .kind = op->sites[item->site].kind};
    }
}

/* All that an operation's traced blocks touch, in the order of lines; the caller frees them. NULL:
 * nothing, or no memory. */
static struct touch *touches_of(const struct counts *counts, const struct counts_op *op,
                                size_t *count) {
    size_t room = traced_lines(counts, op);
    struct touch *touches = room ? malloc(room * sizeof *touches) : NULL;
    *count = 0;
    for (size_t w = 0; touches && w < op->warp_count; w++)
        take_touches(counts, op, &op->warps[w], touches, count);
    if (touches)
        qsort(touches, *count, sizeof *touches, by_line);
    return touches;
}

static unsigned bits(unsigned sectors) {
    return (sectors & 1) + (sectors >> 1 & 1) + (sectors >> 2 & 1) + (sectors >> 3 & 1);
}

/* What these touches are of each piece. Room in the L2 is that of whole lines: `read` and `written`
 * become those of a sector. */
static bool mark(const struct reuse *reuse, struct reuse_op *op, const struct touch *touches,
                 size_t count) {
    float *lines = calloc(reuse->pieces, sizeof *lines);
    float *sectors = calloc(reuse->pieces, sizeof *sectors);
    for (size_t i = 0; lines && sectors && i < count;) {
        size_t piece = (size_t)((touches[i].line - reuse->first_line) / reuse->piece_lines);
        unsigned used = 0;
        float begin = touches[i].when, end = begin;
        if (lines[piece]++ == 0)
            op->again[piece] = op->first[piece] = op->last[piece] = 0;
        for (size_t first = i; i < count && touches[i].line == touches[first].line; i++) {
            op->again[piece] += i == first || touches[i].block != touches[i - 1].block;
            used |= touches[i].sectors;
            begin = touches[i].when < begin ? touches[i].when : begin;
            end = touches[i].when > end ? touches[i].when : end;
            if (touches[i].kind != COUNTS_STORE)
                op->read[piece] = 1;
            if (touches[i].kind != COUNTS_LOAD)
                op->written[piece] = 1;
        }
        sectors[piece] += (float)bits(used);
        op->first[piece] += begin;
        op->last[piece] += end;
    }
    for (size_t i = 0; lines && sectors && i < reuse->pieces; i++) {
        if (lines[i] <= 0)
            continue;
        op->again[i] /= lines[i];
        op->first[i] /= lines[i];
        op->last[i] /= lines[i];
        op->read[i] *= SECTORS * lines[i] / sectors[i];
        op->written[i] *= SECTORS * lines[i] / sectors[i];
    }
    bool good = lines && sectors;
    free(lines);
    free(sectors);
    return good;
}

/* A few blocks were traced, from all over the grid: what lies between the pieces that they touch is
 * touched, too, and if all of that is less than the bytes that were counted, so is what follows.
 * Then each piece's part of the bytes. */
static void spread(const struct reuse *reuse, float *pieces, uint64_t sectors) {
    enum { TRACED = 16 };
    double bytes = SECTOR * (double)sectors, size = LINE * (double)reuse->piece_lines;
    size_t first = 0, last = reuse->pieces, touched = 0;
    while (first < last && pieces[first] <= 0)
        first++;
    while (last > first && pieces[last - 1] <= 0)
        last--;
    size_t gap = (last - first) / TRACED + 1, before = first;
    for (size_t i = first; i < last; i++) {
        if (pieces[i] <= 0)
            continue;
        for (size_t k = before + 1; k < i && i - before <= gap; k++)
            pieces[k] = pieces[i];
        before = i;
    }
    for (size_t i = first; i < last; i++)
        touched += pieces[i] > 0;
    for (size_t i = first + 1; i < reuse->pieces && touched && (double)touched * size < bytes; i++)
        if (pieces[i] <= 0) {
            pieces[i] = pieces[i - 1];
            touched++;
        }
    for (size_t i = first; i < reuse->pieces && touched; i++)
        pieces[i] = (float)least(1, pieces[i] * bytes / ((double)touched * size));
}

static double piece_bytes(const struct reuse *reuse) { return LINE * (double)reuse->piece_lines; }

static float moved(const struct reuse_op *op, size_t piece) {
    return op->read[piece] > op->written[piece] ? op->read[piece] : op->written[piece];
}

static bool begin_op(const struct reuse *reuse, size_t index) {
    const struct counts_op *counted = &reuse->counts->ops[index];
    struct reuse_op *op = &reuse->ops[index];
    size_t count;
    op->read = calloc(reuse->pieces + 1, sizeof *op->read);
    op->written = calloc(reuse->pieces + 1, sizeof *op->written);
    op->again = calloc(reuse->pieces + 1, sizeof *op->again);
    op->first = calloc(reuse->pieces + 1, sizeof *op->first);
    op->last = calloc(reuse->pieces + 1, sizeof *op->last);
    if (!op->read || !op->written || !op->again || !op->first || !op->last)
        return false;
    for (size_t i = 0; i < reuse->pieces; i++) /* what no traced block touches */
        op->again[i] = 1, op->first[i] = op->last[i] = 0.5F;
    struct touch *touches = touches_of(reuse->counts, counted, &count);
    bool good = !touches || mark(reuse, op, touches, count);
    free(touches);
    spread(reuse, op->read, counted->read_sectors);
    spread(reuse, op->written, counted->written_sectors);
    op->bytes = counted->what == COUNTS_KERNEL ? 0 : (double)counted->bytes;
    for (size_t i = 0; i < reuse->pieces; i++)
        op->bytes += moved(op, i) * piece_bytes(reuse);
    return good;
}

static void find_pieces(struct reuse *reuse) {
    const struct counts *counts = reuse->counts;
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t i = 0; i < counts->line_count; i++) {
        uint64_t line = counts->lines[i].address;
        first = line < first ? line : first;
        last = line > last ? line : last;
    }
    reuse->piece_lines = PIECE_LINES;
    if (first > last)
        return;
    reuse->first_line = first - first % PIECE_LINES;
    while ((last - reuse->first_line) / reuse->piece_lines >= MOST_PIECES)
        reuse->piece_lines *= 2;
    reuse->pieces = (size_t)((last - reuse->first_line) / reuse->piece_lines) + 1;
}

bool reuse_begin(const struct counts *counts, struct reuse *reuse) {
    *reuse = (struct reuse){.counts = counts};
    reuse->ops = calloc(counts->op_count + 1, sizeof *reuse->ops);
    find_pieces(reuse);
    find_input(reuse);
    bool good = reuse->ops != NULL;
    for (size_t i = 0; i < counts->op_count && good; i++)
        good = begin_op(reuse, i);
    return good;
}

void reuse_free(struct reuse *reuse) {
    for (size_t i = 0; reuse->ops && i < reuse->counts->op_count; i++) {
        free(reuse->ops[i].read);
        free(reuse->ops[i].written);
        free(reuse->ops[i].again);
        free(reuse->ops[i].first);
        free(reuse->ops[i].last);
    }
    free(reuse->ops);
}

/* ---- what is there still ------------------------------------------------------------------ */

/* From an operation back to those before it, or on to those after it, in a row of calls, and how
 * much has gone through the L2 meanwhile. */
struct walk {
    const struct reuse *reuse;
    const struct gpu *gpu;
    size_t from;
    float *seen; /* of each piece, by what was passed */
    double passed;
};

/* Bytes of an operation that the walk has not passed yet. */
static double fresh_bytes(const struct walk *walk, const struct reuse_op *op) {
    double bytes = op->bytes;
    for (size_t i = 0; i < walk->reuse->pieces; i++)
        bytes -= (moved(op, i) < walk->seen[i] ? moved(op, i) : walk->seen[i]) *
                 piece_bytes(walk->reuse);
    return most(0, bytes);
}

static void pass(struct walk *walk, const struct reuse_op *op, double fresh) {
    walk->passed += fresh;
    for (size_t i = 0; i < walk->reuse->pieces; i++)
        walk->seen[i] = moved(op, i) > walk->seen[i] ? moved(op, i) : walk->seen[i];
}

static bool of_input(const struct reuse *reuse, size_t piece) {
    uint64_t first = reuse->first_line + piece * reuse->piece_lines;
    return first + reuse->piece_lines / 2 >= reuse->input_first &&
           first + reuse->piece_lines / 2 < reuse->input_end;
}

/* The next call has another input. */
static void forget_input(struct walk *walk, float *want) {
    for (size_t i = 0; i < walk->reuse->pieces; i++)
        if (of_input(walk->reuse, i))
            walk->seen[i] = want[i] = 0;
}

/* Of each piece in `want`, as much as another operation touches: which share of it is still there
 * from the one that comes first to the other. What was found is taken out of `want`. */
static double take(struct walk *walk, float *want, const struct reuse_op *other, double fresh,
                   int step) {
    const struct reuse_op *own = &walk->reuse->ops[walk->from];
    double found = 0;
    for (size_t i = 0; i < walk->reuse->pieces; i++) {
        float both = moved(other, i) < want[i] ? moved(other, i) : want[i];
        if (both <= 0)
            continue;
        double after = step < 0 ? 1 - other->last[i] : 1 - own->last[i];
        double before = step < 0 ? own->first[i] : other->first[i];
        double between = walk->passed + (step < 0 ? fresh * after + own->bytes * before
                                                  : own->bytes * after + fresh * before);
        found += both * reuse_still_there(walk->gpu, between);
        want[i] -= both;
    }
    return found;
}

static double sum_of(const float *pieces, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += pieces[i];
    return sum;
}

/* The share of `want`, pieces that operation `from` touches, that is kept since (step -1) or until
 * (1) it is touched in the row of calls. */
static double kept(const struct reuse *reuse, const struct gpu *gpu, size_t from, float *want,
                   int step, bool input) {
    enum { MOST_STEPS = 256 };
    struct walk walk = {.reuse = reuse, .gpu = gpu, .from = from};
    size_t count = reuse->counts->op_count, at = from;
    double all = sum_of(want, reuse->pieces), left = all, found = 0;
    walk.seen = calloc(reuse->pieces + 1, sizeof *walk.seen);
    for (size_t k = 0; walk.seen && k < MOST_STEPS && k < count; k++) {
        bool other_call = step < 0 ? at == 0 : at + 1 == count;
        if (left <= 0 || walk.passed > gpu->l2_bytes || (other_call && input))
            break;
        if (other_call)
            forget_input(&walk, want);
        at = step < 0 ? (at ? at : count) - 1 : (at + 1) % count;
        double fresh = fresh_bytes(&walk, &reuse->ops[at]);
        found += take(&walk, want, &reuse->ops[at], fresh, step);
        left = sum_of(want, reuse->pieces);
        pass(&walk, &reuse->ops[at], fresh);
    }
    free(walk.seen);
    return all > 0 ? found / all : 1;
}

double reuse_writes(const struct reuse *reuse, size_t index) {
    size_t pieces = 0;
    for (size_t i = 0; i < reuse->pieces; i++)
        pieces += reuse->ops[index].written[i] > 0;
    return (double)pieces * piece_bytes(reuse);
}

struct reuse_shares reuse_of(const struct reuse *reuse, const struct gpu *gpu, size_t index) {
    const struct reuse_op *op = &reuse->ops[index];
    struct reuse_shares shares = {left_over(reuse, gpu), 1, 1, 0, 0};
    float *input = calloc(reuse->pieces + 1, sizeof *input);
    float *other = calloc(reuse->pieces + 1, sizeof *other);
    double of_all[2] = {0, 0}, bytes = SECTOR * (double)reuse->counts->ops[index].read_sectors;
    for (size_t i = 0; input && other && i < reuse->pieces; i++) {
        *(of_input(reuse, i) ? &input[i] : &other[i]) = op->read[i];
        of_all[of_input(reuse, i)] += op->read[i];
    }
    if (of_all[1] > 0)
        shares.input_bytes = bytes * of_all[1] / (of_all[0] + of_all[1]);
    shares.other_bytes = bytes - shares.input_bytes;
    if (input && other) {
        if (shares.input_bytes > 0)
            shares.input_hits = most(shares.input_hits, kept(reuse, gpu, index, input, -1, true));
        shares.other_hits = kept(reuse, gpu, index, other, -1, false);
        memcpy(other, op->written, reuse->pieces * sizeof *other);
        shares.written_stays = kept(reuse, gpu, index, other, 1, false);
    }
    free(input);
    free(other);
    return shares;
}

bool reuse_reads_input(const struct reuse *reuse, size_t index) {
    const struct counts *counts = reuse->counts;
    const struct counts_op *op = &counts->ops[index];
    for (size_t w = 0; w < op->warp_count; w++)
        for (size_t j = op->warps[w].first; j < op->warps[w].end; j++) {
            const struct counts_item *item = &counts->items[j];
            if (item->what == 'r' && item->line_count &&
                op->sites[item->site].kind == COUNTS_LOAD &&
                is_input(reuse, counts->lines[item->first_line].address))
                return true;
        }
    return false;
}
