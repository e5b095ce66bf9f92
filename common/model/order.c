#include "order.h"

#include <stdlib.h>
#include <string.h>

/* Where there is no machine code: instructions for each request and for each turn of a loop, and
 * the turns that nvcc unrolls of a loop whose number of turns it does not know, or knows. */
enum { REQUEST_INSTRUCTIONS = 4, TURN_INSTRUCTIONS = 4, UNROLL = 4, UNROLL_WHOLE = 16 };
/* Around barriers and the like. */
enum { EVENT_INSTRUCTIONS = 2 };
enum { MOST_PENDING = ORDER_SLOTS / 2, NEAR_LINES = 3, NEXT_TURN = 1 << 24 };

/* A load that is under way. */
struct pending {
    unsigned char slot;
    int use; /* position of its first use; -1: not known; less: NEXT_TURN is added in the next turn
              */
};

struct maker {
    const struct order_rules *rules;
    const struct counts *counts;
    const struct counts_op *op;
    const struct code_kernel *kernel;
    const struct counts_item *items; /* of the warp, those that have code of their own */
    const uint32_t *numbers;         /* of each, among all items */
    const uint32_t *passed;          /* warp operations before each that the loop's code has */
    size_t item_count;
    struct order *order;
    bool failed;
    unsigned char next_slot;
    struct pending pending[MOST_PENDING];
    size_t pending_count;
    int region;           /* of the machine code where the warp is, or -1 */
    int at;               /* position of the next instruction */
    bool anchored;        /* surely there: a barrier was, and no loop has begun or ended since */
    unsigned early;       /* barriers passed on the way to a warp operation and still to come: nvcc
                             has put them before it */
    uint32_t operations;  /* warp operations that were passed and are still to come */
    int *used;            /* requests that each memory instruction of this instance makes */
    uint32_t *first_item; /* the first of them */
    bool *ran;            /* memory instructions that no loop repeats, once they have run */
    bool *asked;          /* items whose load nvcc has moved up across a barrier: it is under way */
    int *chosen;          /* for a trial: the instruction of each request */
    size_t chosen_room;
};

/* ---- steps ------------------------------------------------------------------------------ */

static struct order_step *add(struct maker *maker, enum order_what what, double instructions) {
    struct order *order = maker->order;
    if (order->count == order->room) {
        size_t room = order->room ? 2 * order->room : 256;
        struct order_step *moved = realloc(order->steps, room * sizeof *moved);
        if (!moved) {
            maker->failed = true;
            return NULL;
        }
        order->steps = moved;
        order->room = room;
    }
    struct order_step *step = &order->steps[order->count++];
    memset(step, 0, sizeof *step);
    step->what = (unsigned char)what;
    step->instructions = (float)instructions;
    return step;
}

static void wait_for(struct maker *maker, size_t index) {
    struct order_step *step = add(maker, ORDER_USE, 0);
    if (step)
        step->slot = maker->pending[index].slot;
    maker->pending[index] = maker->pending[--maker->pending_count];
}

static void wait_for_all(struct maker *maker) {
    while (maker->pending_count)
        wait_for(maker, 0);
}

/* Where the next warp operation that was passed may be, up to this position. */
static int next_operation(const struct maker *maker, int position) {
    const char *letters = maker->kernel->letters;
    int at = maker->at;
    while (maker->operations && at < position && letters[at] != 'w')
        at++;
    return maker->operations ? at : position;
}

/* Of warp operations that follow each other the result of the last one is waited for. */
static enum order_what waited_for(const struct maker *maker, bool operation) {
    bool last = operation && maker->kernel->letters[maker->at + 1] != 'w'; /* a zero ends them */
    return last ? ORDER_WARP_OPERATION : ORDER_INSTRUCTIONS;
}

/* The instructions from maker->at to this position. */
static void issue_to(struct maker *maker, int position) {
    enum { PIECE = 32 }; /* other warps come in between */
    while (position > maker->at) {
        int to = next_operation(maker, position);
        bool operation = to == maker->at;
        to = operation ? to + 1 : to - maker->at > PIECE ? maker->at + PIECE : to;
        maker->operations -= operation;
        struct order_step *step = add(maker, waited_for(maker, operation), 0);
        if (step)
            step->instructions =
                (float)code_work(maker->kernel, maker->rules->in_loop, maker->at, to, step->units);
        maker->at = to;
    }
}

/* The same, with the waits of those that read results. */
static void go_to(struct maker *maker, int position) {
    for (;;) {
        size_t next = maker->pending_count;
        for (size_t i = 0; i < maker->pending_count; i++) {
            int use = maker->pending[i].use;
            if (use >= 0 && use <= position &&
                (next == maker->pending_count || use < maker->pending[next].use))
                next = i;
        }
        if (next == maker->pending_count)
            break;
        if (maker->pending[next].use > maker->at)
            issue_to(maker, maker->pending[next].use);
        wait_for(maker, next);
    }
    issue_to(maker, position);
}

static const struct counts_site *site_of(const struct maker *maker, uint32_t item) {
    return &maker->op->sites[maker->items[item].site];
}

static void add_request(struct maker *maker, uint32_t item, double instructions, bool returns,
                        int use) {
    if (returns && maker->pending_count == MOST_PENDING)
        wait_for_all(maker);
    struct order_step *step = add(maker, ORDER_MEMORY, instructions);
    if (!step)
        return;
    step->item = maker->numbers[item];
    step->returns = returns;
    step->bytes = (unsigned char)site_of(maker, item)->bytes;
    if (!returns)
        return;
    step->slot = maker->next_slot++;
    maker->pending[maker->pending_count++] = (struct pending){.slot = step->slot, .use = use};
}

/* ---- without machine code --------------------------------------------------------------- */

/* Whether the lines of a request are equally far from each other, as those of an address that is
 * computed from the lane are. Addresses that were loaded are not. */
static bool regular(const struct counts *counts, const struct counts_item *item) {
    const struct counts_line *line = item->line_count ? &counts->lines[item->first_line] : NULL;
    for (unsigned i = 2; i < item->line_count; i++)
        if (line[i].address - line[i - 1].address != line[1].address - line[0].address)
            return false;
    return true;
}

struct guess {
    unsigned loop;
    uint64_t turn, group_turn, together;
};

/* Whether the request has to wait for the loads before it. */
static bool depends(struct maker *maker, uint32_t item, struct guess *guess) {
    const struct counts_site *site = site_of(maker, item);
    const struct counts_item *request = &maker->items[item];
    bool new_loop = site->loop != guess->loop, new_turn = request->turn != guess->turn;
    guess->turn = request->turn;
    if (new_loop || request->turn < guess->group_turn) {
        guess->loop = site->loop;
        guess->group_turn = request->turn;
        guess->together = maker->rules->together[request->site];
    }
    if (site->kind != COUNTS_LOAD || site->space == COUNTS_SHARED)
        return true;
    if (!regular(maker->counts, request))
        return true;
    if (new_loop || !new_turn || !site->loop || request->turn - guess->group_turn < guess->together)
        return false;
    guess->group_turn = request->turn;
    return true;
}

/* ---- with machine code: which instruction makes a request ------------------------------------
 */

static bool same_kind(const struct code_memory *memory, const struct counts_site *site) {
    return memory->kind == site->kind;
}

/* Whether the source has an access of this instruction's width at its line; if not, nvcc has joined
 * narrower ones. */
static bool is_of_source(const struct counts_op *op, const struct code_memory *memory) {
    for (size_t i = 0; i < op->site_count; i++)
        if (op->sites[i].line == memory->line && op->sites[i].bytes == memory->bytes &&
            same_kind(memory, &op->sites[i]))
            return true;
    return false;
}

/* How well an instruction fits a site: 0 not at all; a place in the source that is near counts
 * less than the same one, and a width that differs less too. */
static int fit(const struct counts_op *op, const struct code_memory *memory,
               const struct counts_site *site) {
    if (!same_kind(memory, site) ||
        (memory->space != site->space && memory->space != COUNTS_GLOBAL))
        return 0;
    unsigned distance =
        memory->line > site->line ? memory->line - site->line : site->line - memory->line;
    if (distance > NEAR_LINES)
        return 0;
    int quality = distance ? 4 : 8;
    if (memory->bytes == site->bytes || (memory->bytes > site->bytes && !is_of_source(op, memory)))
        quality += 2;
    if (memory->space == site->space)
        quality += 1;
    return quality;
}

static int requests_of(const struct code_memory *memory, const struct counts_site *site) {
    return site->bytes && memory->bytes > site->bytes ? (int)(memory->bytes / site->bytes) : 1;
}

/* The memory instructions of a region: from first to end. */
static void region_range(const struct code_kernel *kernel, int region, size_t *first, size_t *end) {
    size_t i = 0;
    while (i < kernel->memory_count && kernel->memory[i].region < region)
        i++;
    *first = i;
    while (i < kernel->memory_count && kernel->memory[i].region == region)
        i++;
    *end = i;
}

/* Memory instructions that follow each other in one region: from first to last - 1. */
struct part {
    int region; /* -1: none */
    size_t first, last;
};

static struct part whole(const struct code_kernel *kernel, int region) {
    struct part part = {.region = region};
    region_range(kernel, region, &part.first, &part.last);
    return part;
}

/* What lies ahead of the warp in the region where it is. */
static struct part ahead(const struct maker *maker) {
    if (maker->region < 0)
        return (struct part){.region = -1};
    struct part part = whole(maker->kernel, maker->region);
    while (part.first < part.last && maker->kernel->memory[part.first].position < maker->at)
        part.first++;
    return part;
}

/* The first barrier of the block from a position on, -1: there is none. */
static int next_barrier(const struct code_kernel *kernel, int position) {
    if ((size_t)position >= kernel->letter_count)
        return -1;
    const char *at = strchr(kernel->letters + position, 'B');
    return at ? (int)(at - kernel->letters) : -1;
}

/* Whether instructions for this request have run, which no loop repeats. Where they are few and
 * none is in a loop, one may be in a loop that was not seen. */
static bool has_run(const struct maker *maker, uint32_t item) {
    enum { UNROLLED = 8 };
    const struct counts_site *site = site_of(maker, item);
    int quality = maker->rules->best[maker->items[item].site], count = 0;
    for (size_t i = 0; quality && i < maker->kernel->memory_count; i++)
        count += maker->ran[i] && fit(maker->op, &maker->kernel->memory[i], site) == quality;
    return count >= (maker->rules->repeated[maker->items[item].site] ? 1 : UNROLLED);
}

static bool same_lines(const struct maker *maker, const struct counts_item *a,
                       const struct counts_item *b) {
    const struct counts_line *lines = maker->counts->lines;
    return a->site == b->site && !(a->mask & ~b->mask) && a->line_count && b->line_count &&
           lines[a->first_line].address == lines[b->first_line].address;
}

/* Whether a turn reads again what it or the turn before has read, and has made as many requests as
 * the loop of this instruction has loads for it: nvcc has read it once. */
static bool is_read_already(const struct maker *maker, uint32_t item, int chosen) {
    const struct counts_item *now = &maker->items[item], *before = now;
    const struct code_memory *memory = &maker->kernel->memory[chosen];
    if (memory->loop < 0 || memory->kind != COUNTS_LOAD)
        return false;
    unsigned made = 0, loads = 0;
    bool again = false;
    while (before-- > maker->items && before->what == 'r' && before->turn <= now->turn &&
           before->turn + 1 >= now->turn && made < UNROLL_WHOLE) {
        made += before->turn == now->turn && before->site == now->site;
        again = again || same_lines(maker, now, before);
    }
    for (size_t i = 0; again && i < maker->kernel->memory_count; i++)
        loads += maker->kernel->memory[i].loop == memory->loop &&
                 fit(maker->op, &maker->kernel->memory[i], site_of(maker, item)) > 0;
    return again && made && made * maker->kernel->loops[memory->loop].step >= loads;
}

/* The request is made by this instruction, and by the next ones like it up to its width, where nvcc
 * has made narrower ones of it, as of a struct of words that the source copies as a whole. */
static void use(struct maker *maker, struct part part, uint32_t item, size_t first) {
    const struct code_memory *memory = maker->kernel->memory;
    unsigned left = site_of(maker, item)->bytes;
    for (size_t i = first; i < part.last; i++) {
        bool like = i == first || (!maker->used[i] && memory[i].line == memory[first].line &&
                                   memory[i].kind == memory[first].kind &&
                                   memory[i].bytes == memory[first].bytes);
        if (!like)
            continue;
        if (maker->used[i]++ == 0)
            maker->first_item[i] = item;
        if (left <= memory[i].bytes)
            return;
        left -= memory[i].bytes;
    }
}

/* Give requests from `from` on to instructions of a part, each instruction to one request (or as
 * many as it is wider). Stores and atomics stay in their order, and behind the loads before them.
 * How many requests it takes; maker->chosen has their instructions. */
static size_t fill(struct maker *maker, struct part part, uint32_t from, uint32_t end) {
    size_t count = 0;
    int behind = -1;
    memset(maker->used + part.first, 0, (part.last - part.first) * sizeof *maker->used);
    for (uint32_t item = from; item < end && count < maker->chosen_room && !maker->asked[item];
         item++, count++) {
        if (count && is_read_already(maker, item, maker->chosen[count - 1])) {
            maker->chosen[count] = maker->chosen[count - 1];
            continue;
        }
        const struct counts_site *site = site_of(maker, item);
        int quality = maker->rules->best[maker->items[item].site];
        size_t i = part.first;
        bool once = has_run(maker, item);
        for (; i < part.last; i++) {
            const struct code_memory *memory = &maker->kernel->memory[i];
            bool right = quality && fit(maker->op, memory, site) == quality &&
                         !(maker->ran[i] && once) && maker->used[i] < requests_of(memory, site) &&
                         (site->kind == COUNTS_LOAD || memory->position >= behind);
            if (right)
                break;
        }
        if (i == part.last)
            break;
        maker->chosen[count] = (int)i;
        use(maker, part, item, i);
        if (maker->kernel->memory[i].position > behind)
            behind = maker->kernel->memory[i].position;
    }
    return count;
}

/* Whether a region's loop lies within the one of another region, or that one is in no loop. */
static bool is_inner(const struct code_kernel *kernel, int region, int other) {
    int inner = kernel->memory[whole(kernel, region).first].loop,
        outer = kernel->memory[whole(kernel, other).first].loop;
    return inner >= 0 && inner != outer &&
           (outer < 0 || (kernel->loops[inner].first >= kernel->loops[outer].first &&
                          kernel->loops[inner].last <= kernel->loops[outer].last));
}

/* The part that takes most of the next requests: what lies ahead, or a region from its beginning;
 * of equals, the first of these, or the region with fewest instructions that would find no request,
 * or, of two regions, from a loop's second turn on the inner one: nvcc asks before the first turn,
 * and at the end of each. */
static struct part best_part(struct maker *maker, uint32_t from, uint32_t end) {
    struct part chosen = {.region = -1}, rest = ahead(maker);
    size_t most = 0, fewest = 0;
    if (rest.region >= 0 && rest.first < rest.last && (most = fill(maker, rest, from, end)))
        chosen = rest;
    for (int region = 0; region < maker->kernel->region_count; region++) {
        struct part part = whole(maker->kernel, region);
        if (region == chosen.region) /* not again before it is through */
            continue;
        size_t taken = fill(maker, part, from, end), size = part.last - part.first;
        bool inner = taken && taken == most && maker->items[from].turn > 0 && fewest > 0 &&
                     is_inner(maker->kernel, region, chosen.region);
        if (taken > most || (taken && taken == most && size < fewest) || inner) {
            most = taken;
            fewest = size;
            chosen = part;
        }
    }
    return chosen;
}

/* ---- with machine code: one pass through a region ---------------------------------------- */

/* Where the region's instructions begin and end. */
static void region_bounds(const struct code_kernel *kernel, int region, int *begin, int *end) {
    struct part part = whole(kernel, region);
    int loop = kernel->memory[part.first].loop;
    *begin = part.first ? kernel->memory[part.first - 1].position + 1 : 0;
    *end = kernel->memory[part.last - 1].position + 1;
    if (loop < 0)
        return;
    if (*begin < kernel->loops[loop].first)
        *begin = kernel->loops[loop].first;
    for (size_t i = part.last; i < kernel->memory_count; i++)
        if (kernel->memory[i].loop == loop)
            return;
    *end = kernel->loops[loop].last + 1;
}

/* Further down, through what lies before this position, but for the code from the first to the last
 * memory instruction that no request asks for, with their loops, and other loops. */
static void pass_to(struct maker *maker, int end) {
    const struct code_kernel *kernel = maker->kernel;
    int first = end, last = -1;
    for (size_t i = 0; i < kernel->memory_count; i++) {
        int position = kernel->memory[i].position;
        if (position > maker->at && position < end) {
            first = position < first ? position : first;
            last = position > last ? position : last;
        }
    }
    for (size_t i = 0; i < kernel->loop_count; i++)
        if (kernel->loops[i].first >= maker->at && kernel->loops[i].last < end &&
            kernel->loops[i].first <= first) {
            first = kernel->loops[i].first;
            last = kernel->loops[i].last > last ? kernel->loops[i].last : last;
        }
    if (last >= 0) {
        go_to(maker, first);
        maker->at = last + 1;
    }
    go_to(maker, end);
}

/* What is read by instructions further up than its load is read in the next turn: this one. */
static void begin_turn(struct maker *maker) {
    for (size_t i = 0; i < maker->pending_count; i++)
        if (maker->pending[i].use < -1)
            maker->pending[i].use += NEXT_TURN;
}

/* The warp leaves the region where it is, or begins it again: the instructions up to its end. */
static void leave(struct maker *maker) {
    int begin, end;
    if (maker->region < 0)
        return;
    region_bounds(maker->kernel, maker->region, &begin, &end);
    if (maker->kernel->memory[whole(maker->kernel, maker->region).first].loop >= 0) {
        pass_to(maker, end);
        go_to(maker, end);
    }
    begin_turn(maker);
}

/* Where the warp already is on its way to the region's instruction `to`, through code that asks for
 * nothing, it goes on from there. */
static void enter(struct maker *maker, int region, int to) {
    int begin, end;
    region_bounds(maker->kernel, region, &begin, &end);
    pass_to(maker, begin);
    maker->region = region;
    if (maker->at > to)
        maker->at = begin;
}

/* From the last instruction to memory instruction i. If there are others between them, the code
 * from the first to the last of those was jumped over. */
static void approach(struct maker *maker, size_t before, size_t i) {
    const struct code_memory *memory = maker->kernel->memory;
    if (i > before + 1) {
        go_to(maker, memory[before].position);
        if (memory[i - 1].position > maker->at)
            maker->at = memory[i - 1].position;
    }
    go_to(maker, memory[i].position);
}

/* The instructions of a part that make requests, in their order. */
static void run_used(struct maker *maker, struct part part) {
    size_t before = part.first; /* the first instruction that was not yet passed */
    while (maker->kernel->memory[before].position < maker->at)
        before++;
    for (size_t i = part.first; i < part.last; i++) {
        const struct code_memory *memory = &maker->kernel->memory[i];
        if (!maker->used[i])
            continue;
        approach(maker, before, i);
        before = i + 1;
        maker->ran[i] = memory->loop < 0;
        bool returns = memory->kind == COUNTS_LOAD ||
                       (memory->kind == COUNTS_ATOMIC && !memory->reduces && memory->use >= 0);
        bool next_turn = memory->use >= 0 && memory->use <= memory->position;
        add_request(maker, maker->first_item[i], 1, returns,
                    next_turn ? memory->use - NEXT_TURN : memory->use);
        if (maker->failed)
            return;
        struct order_step *step = &maker->order->steps[maker->order->count - 1];
        step->bytes = (unsigned char)memory->bytes;
        step->past_l1 = memory->past_l1;
        step->separate = memory->kind == COUNTS_ATOMIC && !memory->increments;
        code_work(maker->kernel, NULL, maker->at, maker->at + 1, step->units);
        maker->at++;
    }
}

/* The instructions of a part that maker->chosen gives requests to, in their order. */
static void run_part(struct maker *maker, struct part part, uint32_t from, size_t taken) {
    memset(maker->used + part.first, 0, (part.last - part.first) * sizeof *maker->used);
    for (size_t i = 0; i < taken; i++)
        use(maker, part, from + (uint32_t)i, (size_t)maker->chosen[i]);
    run_used(maker, part);
}

/* ---- the trace -------------------------------------------------------------------------- */

static bool holds_requests(const struct code_kernel *kernel, const struct code_loop *loop) {
    for (size_t i = 0; i < kernel->memory_count; i++)
        if (kernel->memory[i].position >= loop->first && kernel->memory[i].position <= loop->last)
            return true;
    return false;
}

/* The first warp operation in a loop of the machine code, 0: it has none. */
static int first_operation(const struct code_kernel *kernel, const struct code_loop *loop) {
    bool known = (size_t)loop->last < kernel->letter_count;
    const char *at =
        known ? memchr(kernel->letters + loop->first, 'w', (size_t)(loop->last - loop->first))
              : NULL;
    return at ? (int)(at - kernel->letters) : 0;
}

/* The loop in which the warp is that has warp operations and makes no requests, NULL: none. */
static const struct code_loop *loop_of_operations(const struct maker *maker) {
    const struct code_kernel *kernel = maker->kernel;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        const struct code_loop *loop = &kernel->loops[i];
        if (maker->at > loop->first && maker->at <= loop->last + 1 &&
            first_operation(kernel, loop) && !holds_requests(kernel, loop))
            return loop;
    }
    return NULL;
}

/* A warp operation: the next such instruction that lies ahead, or in the loop's next turn. Where
 * there is none, it is a synchronization that nvcc does without, or, if the kernel has others, one
 * in a loop. */
static void add_warp_operation(struct maker *maker) {
    const struct code_kernel *kernel = maker->kernel;
    size_t position = maker->at;
    if (!kernel || !kernel->letter_count) {
        wait_for_all(maker);
        add(maker, ORDER_WARP_OPERATION, EVENT_INSTRUCTIONS);
        return;
    }
    struct part rest = ahead(maker);
    size_t end = rest.region >= 0 && rest.first < rest.last
                     ? (size_t)kernel->memory[rest.first].position
                     : kernel->letter_count;
    while (position < end && position < kernel->letter_count && kernel->letters[position] != 'w')
        position++;
    const struct code_loop *loop = position >= end ? loop_of_operations(maker) : NULL;
    if (loop) {
        go_to(maker, loop->last + 1);
        maker->at = loop->first;
        position = (size_t)first_operation(kernel, loop);
    }
    if (!loop && (position >= end || position >= kernel->letter_count)) {
        if (strchr(kernel->letters, 'w'))
            wait_for_all(maker);
        add(maker, strchr(kernel->letters, 'w') ? ORDER_WARP_OPERATION : ORDER_INSTRUCTIONS, 1);
        return;
    }
    for (int at = next_barrier(kernel, maker->at); at >= 0 && at < (int)position;
         at = next_barrier(kernel, at + 1))
        maker->early++;
    pass_to(maker, (int)position);
    struct order_step *step = add(maker, waited_for(maker, true), 1);
    if (step)
        code_work(kernel, NULL, maker->at, maker->at + 1, step->units);
    maker->at++;
}

/* The loop of the source that an item has gone through, if it has code of its own: of others, which
 * nvcc has unrolled, the code is that of what is around them. */
static const struct order_loop *loop_of(const struct order_rules *rules,
                                        const struct counts_item *item) {
    const struct order_loop *loop = rules->loops;
    for (size_t i = 0; item->what == 'l' && i < rules->loop_count; i++, loop++)
        if (loop->first == item->first_line && loop->last == item->mask && loop->instructions)
            return loop;
    return NULL;
}

/* Turns of a loop without requests; in pieces, so that other warps come in between. */
static void add_turns(struct maker *maker, const struct counts_item *item) {
    enum { PIECE = 64, MOST_PIECES = 256 };
    const struct order_loop *loop = loop_of(maker->rules, item);
    double all = loop->instructions * (double)item->turn;
    double pieces = all < PIECE ? 1 : all > PIECE * MOST_PIECES ? MOST_PIECES : all / PIECE;
    wait_for_all(maker);
    for (int piece = 0; piece < (int)pieces; piece++) {
        double share = (double)item->turn / (int)pieces;
        struct order_step *step = add(maker, ORDER_INSTRUCTIONS, loop->instructions * share);
        for (int unit = 0; step && unit < CODE_UNITS; unit++)
            step->units[unit] = (float)(loop->units[unit] * share);
    }
}

/* The innermost loop where the warp is, NULL: it is in none. */
static const struct code_loop *loop_here(const struct maker *maker) {
    const struct code_kernel *kernel = maker->kernel;
    const struct code_loop *inner = NULL;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        const struct code_loop *loop = &kernel->loops[i];
        if (maker->at >= loop->first && maker->at <= loop->last + 1 &&
            (!inner || loop->last - loop->first < inner->last - inner->first))
            inner = loop;
    }
    return inner;
}

/* A barrier of the block: the next one in the machine code, or in the loop's next turn. False: it
 * has none there. */
static bool add_barrier(struct maker *maker) {
    const struct code_kernel *kernel = maker->kernel;
    const struct code_loop *loop = loop_here(maker);
    int next = next_barrier(kernel, maker->at);
    if (maker->early) {
        maker->early--;
        add(maker, ORDER_BARRIER, 0);
        return true;
    }
    if (loop && (next < 0 || next > loop->last) &&
        (next = next_barrier(kernel, loop->first)) < maker->at && next >= 0) {
        go_to(maker, loop->last + 1);
        begin_turn(maker);
        maker->at = loop->first;
    }
    if (next < 0)
        return false;
    pass_to(maker, next);
    add(maker, ORDER_BARRIER, 1);
    maker->at = next + 1;
    maker->anchored = true;
    return true;
}

static void add_event(struct maker *maker, const struct counts_item *item) {
    static const char letters[] = "bwfdtsg";
    static const enum order_what whats[] = {ORDER_BARRIER,     ORDER_WARP_OPERATION, ORDER_FENCE,
                                            ORDER_DEPENDENCY,  ORDER_TRIGGER,        ORDER_WEIGHT,
                                            ORDER_GRID_BARRIER};
    const char *letter = strchr(letters, item->what);
    if (item->what == 'l')
        add_turns(maker, item);
    if (!letter)
        return;
    enum order_what what = whats[letter - letters];
    if (what == ORDER_WARP_OPERATION) {
        add_warp_operation(maker);
        return;
    }
    if (what == ORDER_BARRIER && !maker->kernel)
        wait_for_all(maker);
    if (what == ORDER_BARRIER && maker->kernel && add_barrier(maker))
        return;
    struct order_step *step = add(maker, what, what == ORDER_WEIGHT ? 0 : EVENT_INSTRUCTIONS);
    if (step)
        step->weight = (float)item->weight;
}

/* The position of the first instruction that makes one of so many requests. */
static int first_chosen(const struct maker *maker, size_t taken) {
    int first = maker->chosen[0];
    for (size_t i = 1; i < taken; i++)
        first = maker->chosen[i] < first ? maker->chosen[i] : first;
    return maker->kernel->memory[first].position;
}

/* The smallest loop around this one whose requests are all in this one, -1: none. */
static int loop_without(const struct code_kernel *kernel, int inner) {
    int best = -1;
    for (int i = 0; i < (int)kernel->loop_count; i++) {
        const struct code_loop *loop = &kernel->loops[i], *in = &kernel->loops[inner];
        bool around = i != inner && loop->first <= in->first && loop->last >= in->last;
        if (around && (best < 0 || loop->last - loop->first <
                                       kernel->loops[best].last - kernel->loops[best].first))
            best = i;
    }
    for (size_t i = 0; best >= 0 && i < kernel->memory_count; i++)
        if (kernel->memory[i].position >= kernel->loops[best].first &&
            kernel->memory[i].position <= kernel->loops[best].last &&
            kernel->memory[i].loop != inner)
            return -1;
    return best;
}

/* Where a loop begins again that it is in, the warp has gone through the one around it, too. */
static void go_around(struct maker *maker, uint32_t from) {
    const struct counts_item *item = &maker->items[from];
    int region = maker->region;
    int loop = region < 0 ? -1 : maker->kernel->memory[whole(maker->kernel, region).first].loop;
    if (loop < 0 || !from || item[-1].what != 'r' || item[-1].site != item->site ||
        item->turn > item[-1].turn || (loop = loop_without(maker->kernel, loop)) < 0)
        return;
    pass_to(maker, maker->kernel->loops[loop].last + 1);
    maker->at = maker->kernel->loops[loop].first;
}

/* Whether nvcc has none for a load of shared memory: it keeps in a register what the thread has put
 * there. */
static bool is_kept(const struct maker *maker, uint32_t item) {
    const struct counts_site *site = site_of(maker, item);
    return site->kind == COUNTS_LOAD && site->space == COUNTS_SHARED &&
           !maker->rules->best[maker->items[item].site];
}

/* ---- with machine code: between two barriers ----------------------------------------------
 *
 * A request is made between the same barriers in the source and in the machine code. Where no loop
 * lies between them, that tells its instruction better than its line does. */

/* Where the code ends that runs up to the next barrier, or the kernel's end, if the warp is surely
 * in it and no loop begins or ends on the way. Else -1. */
static int anchored_end(const struct maker *maker) {
    const struct code_kernel *kernel = maker->kernel;
    if (!maker->anchored || next_barrier(kernel, 0) < 0)
        return -1;
    int end = next_barrier(kernel, maker->at);
    end = end < 0 ? (int)kernel->instructions : end;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        const struct code_loop *loop = &kernel->loops[i];
        bool ends = loop->last >= maker->at && loop->last < end;
        if (ends || (loop->first > maker->at && loop->first < end))
            return -1;
    }
    return end;
}

/* Give each of these requests the instruction of a part that fits best. Those that get none, and
 * are not what nvcc keeps in a register or makes together with another one's for the lanes on the
 * other side of a branch, are left: how many, in maker->chosen. */
static size_t fill_anchored(struct maker *maker, struct part part, uint32_t from, uint32_t end) {
    const struct code_memory *memory = maker->kernel->memory;
    size_t left = 0;
    memset(maker->used + part.first, 0, (part.last - part.first) * sizeof *maker->used);
    for (uint32_t item = from; item < end; item++) {
        const struct counts_site *site = site_of(maker, item);
        size_t best = part.last;
        int quality = 0;
        bool together = false;
        maker->operations += maker->passed[item];
        if (maker->asked[item])
            continue;
        for (size_t i = part.first; i < part.last; i++) {
            int fits = fit(maker->op, &memory[i], site);
            bool free = maker->used[i] < requests_of(&memory[i], site);
            together =
                together || (fits && !free &&
                             !(maker->items[maker->first_item[i]].mask & maker->items[item].mask));
            if (free && fits > quality) {
                quality = fits;
                best = i;
            }
        }
        if (best < part.last)
            use(maker, part, item, best);
        else if (!together && !is_kept(maker, item) && !has_run(maker, item) &&
                 left < maker->chosen_room)
            maker->chosen[left++] = (int)item;
    }
    return left;
}

/* Barriers that a loop has in a turn of the machine code; without a loop, all that there are. */
static size_t barriers_in(const struct code_kernel *kernel, int loop) {
    int from = loop < 0 ? 0 : kernel->loops[loop].first, count = 0;
    int to = loop < 0 ? (int)kernel->instructions : kernel->loops[loop].last;
    for (int at = next_barrier(kernel, from); at >= 0 && at <= to;
         at = next_barrier(kernel, at + 1))
        count++;
    return (size_t)count;
}

/* Whether no instruction fits this request better. */
static bool fits_best(const struct maker *maker, const struct code_memory *memory, uint32_t item) {
    int fits = fit(maker->op, memory, site_of(maker, item));
    return fits && fits == maker->rules->best[maker->items[item].site];
}

/* The first request from an item on, behind no more than so many barriers, that this instruction
 * fits best and that none has made; the end of the items if there is none. */
static size_t later_request(const struct maker *maker, const struct code_memory *memory,
                            size_t item, size_t barriers) {
    for (; item < maker->item_count; item++) {
        char what = maker->items[item].what;
        if (what == 'b' && barriers-- == 0)
            break;
        if (what == 'r' && !maker->asked[item] && fits_best(maker, memory, (uint32_t)item))
            return item;
    }
    return maker->item_count;
}

/* Loads of a part that no request has asked for, but one behind a barrier will: nvcc has moved them
 * up. */
static void fill_moved(struct maker *maker, struct part part, uint32_t from) {
    for (size_t i = part.first; i < part.last; i++) {
        const struct code_memory *memory = &maker->kernel->memory[i];
        if (maker->used[i] || memory->kind != COUNTS_LOAD || memory->space != COUNTS_GLOBAL)
            continue;
        size_t item = later_request(maker, memory, from, barriers_in(maker->kernel, memory->loop));
        if (item == maker->item_count)
            continue;
        use(maker, (struct part){part.region, i, i + 1}, (uint32_t)item, i);
        maker->asked[item] = true;
    }
}

/* What lies between the warp and a position. */
static struct part part_to(const struct maker *maker, int position) {
    const struct code_kernel *kernel = maker->kernel;
    struct part part = {.region = -1};
    while (part.first < kernel->memory_count && kernel->memory[part.first].position < maker->at)
        part.first++;
    part.last = part.first;
    while (part.last < kernel->memory_count && kernel->memory[part.last].position < position)
        part.last++;
    if (part.first < part.last)
        part.region = kernel->memory[part.first].region;
    return part;
}

/* Whether one of these requests has its instruction in a part. */
static bool belongs(const struct maker *maker, struct part part, uint32_t from, uint32_t end) {
    for (uint32_t item = from; item < end; item++)
        for (size_t i = part.first; i < part.last && !maker->asked[item]; i++)
            if (fits_best(maker, &maker->kernel->memory[i], item))
                return true;
    return false;
}

/* Requests up to the next event, in the part that lies before the next barrier. */
static void add_anchored(struct maker *maker, struct part part, uint32_t from, uint32_t end) {
    size_t left = fill_anchored(maker, part, from, end);
    if (end == maker->item_count || maker->items[end].what == 'b')
        fill_moved(maker, part, end);
    if (part.first < part.last) {
        maker->region = part.region;
        run_used(maker, part);
    }
    for (size_t i = 0; i < left && !maker->failed; i++) {
        bool loads = site_of(maker, (uint32_t)maker->chosen[i])->kind == COUNTS_LOAD;
        add_request(maker, (uint32_t)maker->chosen[i], 1, loads, -1);
    }
}

/* Into the region of a part, up to its instruction `to`. Whether the warp surely is between two
 * barriers there. */
static bool move_to(struct maker *maker, struct part part, uint32_t from, int to) {
    leave(maker);
    if (part.region == maker->region)
        go_around(maker, from);
    enter(maker, part.region, to);
    maker->anchored = true;
    maker->anchored = anchored_end(maker) > to;
    return maker->anchored;
}

/* Requests up to the next event. */
static void add_with_code(struct maker *maker, uint32_t from, uint32_t end) {
    struct part here = part_to(maker, anchored_end(maker));
    if (here.region >= 0 && (from == end || belongs(maker, here, from, end))) {
        add_anchored(maker, here, from, end);
        return;
    }
    while (from < end && !maker->failed) {
        struct part part = best_part(maker, from, end);
        bool once = part.region < 0 && (has_run(maker, from) || is_kept(maker, from));
        if (once || maker->asked[from]) { /* read once, or before */
            maker->operations += maker->passed[from++];
            continue;
        }
        if (part.region < 0) { /* the compiler has no such instruction, or its line is not known */
            bool loads = site_of(maker, from)->kind == COUNTS_LOAD;
            if (!loads)
                wait_for_all(maker);
            maker->operations += maker->passed[from];
            add_request(maker, from++, REQUEST_INSTRUCTIONS, loads, -1);
            continue;
        }
        size_t taken = fill(maker, part, from, end);
        int first = maker->kernel->memory[part.first].position;
        bool moves = part.region != maker->region || first < maker->at;
        if (moves && move_to(maker, part, from, first_chosen(maker, taken))) {
            add_anchored(maker, part_to(maker, anchored_end(maker)), from, end);
            return;
        }
        for (size_t i = 0; i < taken; i++)
            maker->operations += maker->passed[from + i];
        run_part(maker, part, from, taken);
        from += (uint32_t)taken;
    }
}

static void add_guessed(struct maker *maker, uint32_t from, uint32_t end, struct guess *guess) {
    for (uint32_t item = from; item < end && !maker->failed; item++) {
        uint64_t turn = guess->turn;
        if (depends(maker, item, guess))
            wait_for_all(maker);
        bool turned = turn != guess->turn;
        add_request(maker, item, REQUEST_INSTRUCTIONS + (turned ? TURN_INSTRUCTIONS : 0),
                    site_of(maker, item)->kind == COUNTS_LOAD, -1);
    }
}

static bool make_all(struct maker *maker) {
    struct guess guess = {.turn = 0};
    size_t i = 0, count = maker->item_count;
    while (i < count && !maker->failed) {
        size_t end = i;
        while (end < count && maker->items[end].what == 'r')
            end++;
        if (maker->kernel)
            add_with_code(maker, (uint32_t)i, (uint32_t)end);
        else
            add_guessed(maker, (uint32_t)i, (uint32_t)end, &guess);
        for (; maker->operations; maker->operations--)
            add_warp_operation(maker);
        if (end < count)
            add_event(maker, &maker->items[end++]);
        i = end;
    }
    wait_for_all(maker);
    return !maker->failed;
}

/* Whether a warp operation may be looked past: in each loop of the machine code that has one, a
 * turn makes requests, so that nvcc can have unrolled it for those of several turns to start
 * together. */
static bool may_pass(const struct code_kernel *kernel) {
    bool good = kernel && kernel->letter_count && strchr(kernel->letters, 'w');
    for (size_t i = 0; good && i < kernel->loop_count; i++) {
        const struct code_loop *loop = &kernel->loops[i];
        good = !first_operation(kernel, loop) || holds_requests(kernel, loop);
    }
    return good;
}

/* Where the loop of the request before goes on behind the warp operations from here on; 0: it does
 * not. */
static size_t goes_on_at(const struct order_rules *rules, const struct counts_warp *warp, size_t i,
                         const struct counts_item *before) {
    const struct counts_item *items = rules->counts->items;
    const struct counts_site *sites = rules->op->sites;
    while (before->what == 'r' && i < warp->end && items[i].what == 'w')
        i++;
    bool same = i < warp->end && before->what == 'r' && items[i].what == 'r' &&
                sites[before->site].loop && sites[before->site].loop == sites[items[i].site].loop;
    return same ? i : 0;
}

/* The warp's items, but for loops without code of their own and for warp operations to look past;
 * how many of these come before each, and their numbers. How many. */
static size_t select_items(const struct order_rules *rules, const struct counts_warp *warp,
                           struct counts_item *items, uint32_t *numbers, uint32_t *passed) {
    size_t count = 0;
    bool pass = may_pass(rules->kernel);
    for (size_t i = warp->first; i < warp->end; i++) {
        const struct counts_item *item = &rules->counts->items[i];
        if (item->what == 'l' && !loop_of(rules, item))
            continue;
        bool looks = item->what == 'w' && pass && count;
        size_t next = looks ? goes_on_at(rules, warp, i, &items[count - 1]) : 0;
        if (next) {
            passed[count] = (uint32_t)(next - i);
            i = next - 1;
            continue;
        }
        items[count] = *item;
        numbers[count++] = (uint32_t)i;
    }
    return count;
}

bool order_make(const struct order_rules *rules, const struct counts_warp *warp,
                struct order *order) {
    struct maker maker = {.rules = rules,
                          .counts = rules->counts,
                          .op = rules->op,
                          .kernel = rules->kernel,
                          .order = order,
                          .region = -1,
                          .anchored = true,
                          .chosen_room = 4096};
    size_t memories = rules->kernel ? rules->kernel->memory_count : 1;
    memset(order, 0, sizeof *order);
    maker.used = calloc(memories, sizeof *maker.used);
    maker.first_item = calloc(memories, sizeof *maker.first_item);
    maker.ran = calloc(memories, sizeof *maker.ran);
    maker.asked = calloc(warp->end - warp->first + 1, sizeof *maker.asked);
    maker.chosen = calloc(maker.chosen_room, sizeof *maker.chosen);
    struct counts_item *items = calloc(warp->end - warp->first + 1, sizeof *items);
    uint32_t *numbers = calloc(warp->end - warp->first + 1, sizeof *numbers);
    uint32_t *passed = calloc(warp->end - warp->first + 1, sizeof *passed);
    maker.items = items;
    maker.numbers = numbers;
    maker.passed = passed;
    if (items && numbers && passed)
        maker.item_count = select_items(rules, warp, items, numbers, passed);
    bool good = maker.used && maker.first_item && maker.ran && maker.asked && maker.chosen &&
                items && numbers && passed && make_all(&maker);
    free(items);
    free(numbers);
    free(passed);
    free(maker.used);
    free(maker.first_item);
    free(maker.ran);
    free(maker.asked);
    free(maker.chosen);
    if (!good)
        order_free(order);
    return good;
}

void order_free(struct order *order) {
    free(order->steps);
    memset(order, 0, sizeof *order);
}

/* ---- rules ------------------------------------------------------------------------------ */

static int best_fit(const struct counts_op *op, const struct code_kernel *kernel,
                    const struct counts_site *site) {
    int best = 0;
    for (size_t i = 0; i < kernel->memory_count; i++) {
        int quality = fit(op, &kernel->memory[i], site);
        best = quality > best ? quality : best;
    }
    return best;
}

/* Whether an instruction for this site, or for another one of its loop, is in a loop. */
static bool is_repeated(const struct order_rules *rules, size_t site) {
    const struct code_kernel *kernel = rules->kernel;
    const struct counts_site *sites = rules->op->sites;
    for (size_t s = 0; s < rules->op->site_count; s++)
        for (size_t i = 0; i < kernel->memory_count; i++)
            if ((s == site || (sites[s].loop && sites[s].loop == sites[site].loop)) &&
                kernel->memory[i].loop >= 0 &&
                fit(rules->op, &kernel->memory[i], &sites[s]) == rules->best[s] && rules->best[s])
                return true;
    return false;
}

/* The highest turn of each site in any trace. */
static void find_turns(const struct order_rules *rules, uint64_t *turns) {
    for (size_t w = 0; w < rules->op->warp_count; w++)
        for (size_t i = rules->op->warps[w].first; i < rules->op->warps[w].end; i++) {
            const struct counts_item *item = &rules->counts->items[i];
            if (item->what == 'r' && item->turn > turns[item->site])
                turns[item->site] = item->turn;
        }
}

/* Turns of a site's loop whose loads nvcc lets start together: of a loop that holds nothing but
 * loads, all if they are few, else those that it unrolls. */
static uint64_t turns_together(const struct counts_op *op, size_t site, const uint64_t *turns,
                               double factor) {
    unsigned loop = op->sites[site].loop;
    bool only_loads = loop != 0;
    uint64_t most = 0;
    for (size_t i = 0; i < op->site_count && only_loads; i++)
        if (op->sites[i].loop == loop) {
            only_loads = op->sites[i].kind == COUNTS_LOAD;
            most = turns[i] > most ? turns[i] : most;
        }
    double together = !only_loads ? 1 : most < UNROLL_WHOLE ? UNROLL_WHOLE : UNROLL;
    together *= factor;
    return together < 1 ? 1 : (uint64_t)together;
}

/* The innermost loop of the source at a line, -1: none. */
static int loop_at(const struct order_rules *rules, unsigned line) {
    int best = -1;
    for (size_t i = 0; i < rules->loop_count; i++) {
        const struct order_loop *loop = &rules->loops[i];
        if (line >= loop->first && line <= loop->last &&
            (best < 0 ||
             loop->last - loop->first < rules->loops[best].last - rules->loops[best].first))
            best = (int)i;
    }
    return best;
}

static bool is_within(const struct order_loop *inner, const struct order_loop *outer) {
    return inner != outer && inner->first >= outer->first && inner->last <= outer->last;
}

/* The loop whose turns an instruction belongs to, -1: none. What nvcc has unrolled of an inner one
 * is part of the loop around it. Inner ones have been measured first. */
static int owner_of(const struct order_rules *rules, int position) {
    int loop = loop_at(rules, rules->kernel->lines[position]);
    while (loop >= 0 && !rules->loops[loop].instructions && loop < rules->measuring) {
        int around = loop + 1;
        while (around < (int)rules->loop_count &&
               !is_within(&rules->loops[loop], &rules->loops[around]))
            around++;
        loop = around < (int)rules->loop_count ? around : -1;
    }
    return loop;
}

/* Instructions of a loop and of those within it, less those of other loops. What is of none, such
 * as a function that nvcc has inlined from elsewhere in the source, may be of any. */
static int count_of(const struct order_rules *rules, int loop, int from, int to) {
    int count = 0;
    for (int p = from; p < to; p++) {
        int owner = owner_of(rules, p);
        bool own =
            owner == loop || (owner >= 0 && is_within(&rules->loops[owner], &rules->loops[loop]));
        count += own ? 1 : owner >= 0 ? -1 : 0;
    }
    return count;
}

/* Whether code of the loop's own lines makes requests: in some turns it made none. */
static bool makes_requests(const struct order_rules *rules, int loop) {
    for (size_t i = 0; i < rules->kernel->memory_count; i++)
        if (loop_at(rules, rules->kernel->memory[i].line) == loop)
            return true;
    return false;
}

/* The loop around this one that the machine code at a position is of, -1: it is of no such loop. */
static int loop_around(const struct order_rules *rules, int number, int position) {
    int around = loop_at(rules, rules->kernel->lines[position]);
    bool inner =
        around < 0 || around == number || is_within(&rules->loops[around], &rules->loops[number]);
    return inner ? -1 : around;
}

/* Whether the machine code at a position is of a loop around this one that is told of by its
 * requests alone: what it asks for is the same in each turn, and nvcc asks once, before it. */
static bool is_around(const struct order_rules *rules, int number, int position) {
    const unsigned line = rules->kernel->lines[position];
    bool asks = false;
    for (size_t i = 0; i < rules->op->site_count; i++)
        asks |= rules->op->sites[i].loop == line;
    return loop_around(rules, number, position) >= 0 ||
           (asks && loop_at(rules, line) < 0 && line < rules->loops[number].first);
}

/* Turns of the loop for a turn of the machine code's loop, whose branch back is at this position.
 * If that is another loop's, nvcc has unrolled this one within it as a whole, also where the
 * function that it is in was inlined: at least the turns of a visit. */
static double turns_in(const struct order_rules *rules, int number, int back) {
    int around = loop_around(rules, number, back);
    const struct order_loop *inner = &rules->loops[number];
    if (!is_around(rules, number, back))
        return 1;
    double in_turn = around < 0 ? 0 : inner->turns / rules->loops[around].turns;
    double in_visit = inner->turns / inner->visits;
    return in_turn > in_visit ? in_turn : in_visit;
}

/* The largest loop of the machine code that is made of this one, and only if there is none, of a
 * loop around it, which has as much of it; without either, all of its code, if it has been unrolled
 * with a way out of each turn: then there are as many turns as branches. */
static void measure_loop(struct order_rules *rules, int number) {
    enum { WAYS_OUT = 4 };
    const struct code_kernel *kernel = rules->kernel;
    struct order_loop *loop = &rules->loops[number];
    int size = (int)kernel->line_count, from = 0, to = 0;
    double turns = 0;
    bool unrolled = true;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        const struct code_loop *code = &kernel->loops[i];
        int length = code->last + 1 - code->first;
        bool around = code->last < size && is_around(rules, number, code->last);
        bool better = around == unrolled ? length > to - from : unrolled;
        bool others = holds_requests(kernel, code) || (!around && first_operation(kernel, code));
        if (code->last >= size || !better || others ||
            count_of(rules, number, code->first, code->last + 1) <= 0)
            continue;
        unrolled = around;
        from = code->first;
        to = code->last + 1;
        turns = code->step * turns_in(rules, number, code->last);
    }
    bool in_machine_code = turns > 0;
    if (!turns && makes_requests(rules, number))
        return;
    if (!turns) {
        to = size;
        for (int p = 0; p < size && (size_t)p < kernel->letter_count; p++)
            turns += kernel->letters[p] == 'b' && kernel->letters[p + 1] != '-' &&
                     loop_at(rules, kernel->lines[p]) == number;
        if (turns < WAYS_OUT)
            return;
        /* Of as many turns each time, branches beyond these are within a turn. Code without any
         * loop has all visits of a warp one after the other. */
        double once = !kernel->loop_count ? loop->turns / (double)rules->op->warp_count : 0;
        if (turns > (double)loop->most && loop->turns >= loop->visits * (double)loop->most)
            turns = once > (double)loop->most ? once : (double)loop->most;
    }
    float units[CODE_UNITS] = {0};
    for (int p = from; p < to; p++)
        if (owner_of(rules, p) == number ||
            (in_machine_code && owner_of(rules, p) < 0 && !rules->in_loop[p])) {
            loop->instructions += code_work(kernel, NULL, p, p + 1, units);
            rules->in_loop[p] = 1;
        }
    loop->instructions /= turns;
    for (int unit = 0; unit < CODE_UNITS; unit++)
        loop->units[unit] = units[unit] / turns;
}

/* Inner ones first. */
static int by_lines(const void *a, const void *b) {
    const struct order_loop *x = a, *y = b;
    unsigned lines_x = x->last - x->first, lines_y = y->last - y->first;
    return lines_x != lines_y ? (lines_x > lines_y) - (lines_x < lines_y)
                              : (x->first > y->first) - (x->first < y->first);
}

/* Add the turns that an item tells of. */
static bool add_loop(struct order_rules *rules, const struct counts_item *item, double weight) {
    struct order_loop *loop = rules->loops;
    size_t i = 0;
    while (i < rules->loop_count &&
           (loop[i].first != item->first_line || loop[i].last != item->mask))
        i++;
    if (i == rules->loop_count) {
        loop = realloc(rules->loops, (i + 1) * sizeof *loop);
        if (!loop)
            return false;
        rules->loops = loop;
        loop[rules->loop_count++] =
            (struct order_loop){.first = item->first_line, .last = item->mask};
    }
    loop[i].turns += weight * (double)item->turn;
    loop[i].visits += weight;
    if (item->turn > loop[i].most)
        loop[i].most = item->turn;
    return true;
}

static bool find_loops(struct order_rules *rules) {
    const struct counts_op *op = rules->op;
    rules->in_loop = calloc(rules->kernel->instructions + 1, 1);
    bool good = rules->in_loop != NULL;
    for (size_t w = 0; w < op->warp_count; w++) {
        double weight = 1;
        for (size_t j = op->warps[w].first; good && j < op->warps[w].end; j++) {
            const struct counts_item *item = &rules->counts->items[j];
            weight = item->what == 's' ? item->weight : weight;
            good = item->what != 'l' || add_loop(rules, item, weight);
        }
    }
    if (rules->loop_count)
        qsort(rules->loops, rules->loop_count, sizeof *rules->loops, by_lines);
    for (size_t i = 0; good && i < rules->loop_count && rules->kernel->lines; i++) {
        rules->measuring = (int)i;
        measure_loop(rules, (int)i);
    }
    return good;
}

bool order_rules_make(const struct counts *counts, const struct counts_op *op,
                      const struct code_kernel *kernel, const struct order_assumptions *assumptions,
                      struct order_rules *rules) {
    *rules = (struct order_rules){.counts = counts, .op = op};
    rules->kernel = kernel && kernel->memory_count ? kernel : NULL;
    rules->best = calloc(op->site_count + 1, sizeof *rules->best);
    rules->together = calloc(op->site_count + 1, sizeof *rules->together);
    rules->repeated = calloc(op->site_count + 1, sizeof *rules->repeated);
    uint64_t *turns = calloc(op->site_count + 1, sizeof *turns);
    bool good = rules->best && rules->together && rules->repeated && turns;
    if (good && rules->kernel) {
        good = find_loops(rules);
        for (size_t i = 0; i < op->site_count; i++)
            rules->best[i] = best_fit(op, kernel, &op->sites[i]);
        for (size_t i = 0; i < op->site_count; i++)
            rules->repeated[i] = is_repeated(rules, i);
    }
    if (good && !rules->kernel) {
        find_turns(rules, turns);
        for (size_t i = 0; i < op->site_count; i++)
            rules->together[i] = turns_together(op, i, turns, assumptions->loads_in_flight);
    }
    free(turns);
    if (!good)
        order_rules_free(rules);
    return good;
}

void order_rules_free(struct order_rules *rules) {
    free(rules->best);
    free(rules->loops);
    free(rules->in_loop);
    free(rules->together);
    free(rules->repeated);
    memset(rules, 0, sizeof *rules);
}
