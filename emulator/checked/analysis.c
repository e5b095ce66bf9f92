#define _GNU_SOURCE
#include "analysis.h"
#include "budget.h"
#include "../scheduler/image.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hazards.h"
#include "order.h"
#include "reads.h"

enum {
    LANES = EMULATOR_WARP,
    RED_ZONE =
        1024,  /* bytes behind each shared array that nobody uses (the Makefile puts them there) */
    LOOKS = 8, /* places where a thread looked, that are remembered */
    MOST_DOUBTED = 4096, /* bytes of a write that may change nothing */
};

/* An access is told on the stack of the step's thread, of which there are a thousand, one after the
 * other in the cache. So what is seldom called keeps out of the frames of what often is. */
#define SELDOM __attribute__((cold, noinline))

/* What a call of the step may use, while one is under way. */
static struct {
    bool active;
    uintptr_t input, input_end, output, output_end;
} call;

static const struct emulator_launch *launch_now;
static uint32_t generations; /* counts blocks */
static bool mask_told;       /* in this launch */

/* An access, and where it goes: what it is told as. */
struct use {
    struct access now;
    uintptr_t address;
    size_t size;
    bool shared;
    struct region *region; /* of global memory */
    struct shadow *shadow; /* there */
    size_t offset;         /* of the address in what is shadowed */
};

/* A write that others do not expect. Whether it changes anything is seen when it has been made. */
struct doubtful {
    unsigned count; /* 0: there is no such write */
    struct access other;
    struct use use;
    unsigned char before[MOST_DOUBTED];
    struct cell *cells[MOST_DOUBTED];
};

/* What an OS thread that runs blocks knows. */
static __thread struct worker_state {
    uint32_t generation; /* of the block */
    struct shadow shared;
    struct region *region; /* the last one used */
    size_t stack_used;     /* bytes, at the most, of a thread's */
    size_t stores;         /* bytes of the write that is told of last */
    unsigned storing;      /* the thread that makes it */
    bool copying;          /* what is told of is an asynchronous copy, which has been compared */
    struct doubtful doubtful;
    struct look {
        uint32_t address; /* its low half */
        uint32_t pc;
    } looks[EMULATOR_MAX_THREADS][LOOKS];
    struct look polls[EMULATOR_MAX_THREADS];
    struct span {
        uintptr_t begin;
        size_t size;
    } read_only[EMULATOR_MAX_THREADS]; /* what each loads next by __ldg */
    unsigned char look_count[EMULATOR_MAX_THREADS];
    /* the first to arrive at the barrier of now, and how many of each warp have, now and before */
    struct access first_arrival;
    unsigned first_line;
    unsigned char arrivals[EMULATOR_MAX_THREADS / LANES], before[EMULATOR_MAX_THREADS / LANES];
} * state;

/* ---- hazards that something later may excuse -------------------------------------------- */

enum candidate_kind { UNWRITTEN, LOOK, POLL };

static struct candidate {
    struct hazard hazard;
    enum candidate_kind kind;
    uint32_t pc; /* of the read */
} * candidates;
static size_t candidate_count, candidate_room;

/* Loops that poll a flag. */
static uint32_t *polling;
static size_t polling_count, polling_room;

static bool is_polling(uint32_t pc) {
    for (size_t i = 0; i < polling_count; i++)
        if (polling[i] == pc)
            return true;
    return false;
}

/* A place where threads look and one where they update atomically. Where each update meets the word
 * that the thread looked at last, the look belongs to the update, and is excused. */
enum { PAIRINGS = 1024 };
static struct pairing {
    uint32_t look, update;
    bool broken;
} pairings[PAIRINGS];
static unsigned pairing_count;

static struct pairing *pairing_of(uint32_t look, uint32_t update) {
    unsigned slot = (look * 0x9E3779B1u ^ update * 0x85EBCA77u) >> 22;
    for (; pairings[slot].look; slot = (slot + 1) % PAIRINGS)
        if (pairings[slot].look == look && pairings[slot].update == update)
            return &pairings[slot];
    if (pairing_count == PAIRINGS / 2)
        return NULL;
    pairing_count++;
    pairings[slot] = (struct pairing){look, update, false};
    return &pairings[slot];
}

static bool is_look(uint32_t pc) {
    for (unsigned i = 0; i < PAIRINGS; i++)
        if (pairings[i].look == pc && !pairings[i].broken)
            return true;
    return false;
}

static struct candidate *find_candidate(enum candidate_kind kind, uint32_t pc) {
    for (size_t i = 0; i < candidate_count; i++)
        if (candidates[i].kind == kind && candidates[i].pc == pc)
            return &candidates[i];
    return NULL;
}

/* ---- races: of each pair of places the one of the widest scope --------------------------- */

enum { MOST_RACES = 512, RACE_SLOTS = 1024 };

/* Where two threads that use the same word stand: the widest is told. */
enum scope { IN_WARP, IN_BLOCK, BETWEEN_BLOCKS, BETWEEN_LAUNCHES };

static struct pair {
    uint32_t pc[2];
    enum scope scope;
    bool sets_first;      /* a write before any fence, and an atomic update: no hand-over */
    enum heard_of signal; /* from the first of the two to the other */
    struct hazard hazard; /* places 0: none */
    struct hazard remark; /* the writes changed nothing; places 0: none */
} pairs[MOST_RACES];
static unsigned pair_count;
static unsigned short pair_slots[RACE_SLOTS]; /* by hash: index + 1 */

/* The entry of two places, in either order; made if there is none. NULL: the table is full. */
static struct pair *pair_of(uint32_t a, uint32_t b) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    unsigned slot = (low * 0x9E3779B1u ^ high * 0x85EBCA77u) >> 22;
    for (; pair_slots[slot]; slot = (slot + 1) % RACE_SLOTS) {
        struct pair *pair = &pairs[pair_slots[slot] - 1];
        if (pair->pc[0] == low && pair->pc[1] == high)
            return pair;
    }
    if (pair_count == MOST_RACES)
        return NULL;
    pairs[pair_count] = (struct pair){.pc = {low, high}};
    pair_slots[slot] = (unsigned short)++pair_count;
    return &pairs[pair_count - 1];
}

static bool raced_at(uint32_t pc) {
    for (unsigned i = 0; i < pair_count; i++)
        if (pairs[i].hazard.places && (pairs[i].pc[0] == pc || pairs[i].pc[1] == pc))
            return true;
    return false;
}

static void settle_candidate(struct candidate *candidate) {
    if (candidate->kind == UNWRITTEN && raced_at(candidate->pc))
        return; /* it was written, but too late: that is the race */
    if (candidate->kind == POLL && is_polling(candidate->pc))
        return;
    if (candidate->kind == LOOK && is_look(candidate->pc))
        candidate->hazard.kind = HAZARD_LOOK_BEFORE_ATOMIC;
    hazard_tell(&candidate->hazard);
}

static void add_candidate(enum candidate_kind kind, uint32_t pc, const struct hazard *hazard) {
    if (find_candidate(kind, pc))
        return;
    candidates = emulator_grow(candidates, candidate_count, &candidate_room, sizeof *candidates);
    candidates[candidate_count++] = (struct candidate){*hazard, kind, pc};
}

/* The last launch with a fence for the whole device: its blocks most likely hand something over. */
static uint32_t fenced_launch;

static void note_hand_over(struct pair *pair) {
    struct hazard *race = &pair->hazard;
    const uint32_t *block = race->place[1].block, *thread = race->place[1].thread;
    if (pair->signal == SIGNAL_EARLY)
        hazard_note(race, NOTE_FENCED "; block %u gave its signal without waiting for thread %u",
                    block[0], thread[0]);
    else if (pair->signal == SIGNAL_OF_LANE)
        hazard_note(race, NOTE_LANE_HEARD " of block %u", block[0]);
    else if (pair->signal == SIGNAL_NONE)
        hazard_note(race,
                    NOTE_FENCED "; block %u does not wait until block %u signals that it is done",
                    race->place[0].block[0], block[0]);
    else
        hazard_note(race, NOTE_FENCED);
}

static void tell_race(struct pair *pair) {
    struct hazard *race = &pair->hazard;
    bool same_work = race->place[0].pc == race->place[1].pc; /* no part of a hand-over */
    if (race->kind == HAZARD_RACE_BETWEEN_BLOCKS && fenced_launch == order_now.number &&
        !same_work && !pair->sets_first)
        note_hand_over(pair);
    hazard_tell(race);
}

/* Called where nothing can change the verdict any more: at the end of a launch, and before what may
 * be the end of the process. */
static void settle_candidates(void) {
    for (unsigned i = 0; i < pair_count; i++)
        if (pairs[i].hazard.places)
            tell_race(&pairs[i]);
        else if (pairs[i].remark.places)
            hazard_tell(&pairs[i].remark);
    for (size_t i = 0; i < candidate_count; i++)
        settle_candidate(&candidates[i]);
    candidate_count = 0;
}

/* ---- conflicts -------------------------------------------------------------------------- */

static const char DYNAMIC_SHARED[] = "dynamic shared memory", INPUT[] = "the input",
                  OUTPUT[] = "the output";

/* By the array that is nearest. */
static void name_shared(struct hazard *hazard, uintptr_t offset, size_t bytes) {
    const uintptr_t address = emulator_shared_begin + offset;
    struct base base = {DYNAMIC_SHARED, (uintptr_t)emulator_dynamic_shared,
                        launch_now->shared_bytes, false};
    bool in_dynamic = address - base.begin < sizeof emulator_dynamic_shared && base.size;
    const struct symbol *array = memory_shared_near(offset, bytes);
    if (array && !in_dynamic)
        base = (struct base){array->name, emulator_shared_begin + array->begin, array->size, false};
    hazard_name(hazard, &base, address, bytes);
}

/* The strip that inputs are cut from, or the memory of all outputs. */
static bool is_harness(const struct region *region) {
    return call.active && region->kind == REGION_DEVICE &&
           (call.input - region->begin < region->size ||
            call.output - region->begin < region->size);
}

/* The harness's memory is for the step no more than this call's input and output. */
static struct base base_of(const struct region *region) {
    if (!is_harness(region))
        return (struct base){region->name, region->begin, region->size, region->allocated};
    return call.input - region->begin < region->size
               ? (struct base){INPUT, call.input, call.input_end - call.input, false}
               : (struct base){OUTPUT, call.output, call.output_end - call.output, false};
}

/* region: NULL for none, which has no name. */
static void name_memory(struct hazard *hazard, const struct region *region, uintptr_t address,
                        size_t bytes) {
    if (!region)
        return;
    const struct base base = base_of(region);
    hazard_name(hazard, &base, address, bytes);
}

static void name_target(struct hazard *hazard, const struct use *use) {
    if (use->shared)
        name_shared(hazard, use->address - emulator_shared_begin, use->size);
    else
        name_memory(hazard, use->region, use->address, use->size);
}

/* A hazard of an access, with the array. */
static struct hazard hazard_of(enum hazard_kind kind, const struct use *use) {
    struct hazard hazard = hazard_at(kind, &use->now, hazard_does(&use->now));
    name_target(&hazard, use);
    return hazard;
}

static bool same_block(const struct access *a, const struct access *b) {
    return a->launch == b->launch && a->block == b->block;
}

/* Two unordered uses, at least one a write: is that allowed? */
static bool harmless(const struct access *a, const struct access *b) {
    enum { STRONG = ACCESS_ATOMIC | ACCESS_VOLATILE };
    if (!(a->flags & STRONG) || !(b->flags & STRONG))
        return false;
    /* A ticket or a count that two calls share at a time is neither's. */
    if (a->flags & b->flags & ACCESS_ATOMIC)
        return same_block(a, b) ||
               !((a->flags | b->flags) & ACCESS_BLOCK_SCOPE || order_may_overlap(a->launch));

    if ((a->flags | b->flags) & ACCESS_ATOMIC)
        return true;
    /* Both are volatile: fine for flags, but no way to share data in a block. */
    if (a->flags & b->flags & ACCESS_WRITE)
        return a->flags & b->flags & ACCESS_FENCED;
    return !same_block(a, b) || a->flags & b->flags & ACCESS_LONE ||
           (a->flags & ACCESS_WRITE ? a : b)->flags & ACCESS_FENCED;
}

static enum scope scope_of(const struct access *other, const struct access *now) {
    if (other->launch != now->launch)
        return BETWEEN_LAUNCHES;
    if (other->block != now->block)
        return BETWEEN_BLOCKS;
    return other->thread / LANES != now->thread / LANES ? IN_BLOCK : IN_WARP;
}

/* Such a cache may hold an older value, in whatever order. */
static bool is_stale(const struct access *other, const struct access *now) {
    return now->flags & ACCESS_READ_ONLY && other->launch == now->launch;
}

static enum hazard_kind kind_of_race(const struct access *other, const struct use *use) {
    const struct access *now = &use->now;
    static const enum hazard_kind kinds[] = {[IN_WARP] = HAZARD_RACE_IN_WARP,
                                             [IN_BLOCK] = HAZARD_RACE_IN_BLOCK,
                                             [BETWEEN_LAUNCHES] = HAZARD_RACE_BETWEEN_LAUNCHES};
    const enum scope scope = scope_of(other, now);
    if (is_stale(other, now))
        return HAZARD_READ_ONLY_LOAD;
    if (scope != BETWEEN_BLOCKS)
        return kinds[scope];
    if (other->flags & now->flags & ACCESS_ATOMIC)
        return HAZARD_NARROW_SCOPE;
    return now->block != NO_BLOCK && order_signalled(other, use->address)
               ? HAZARD_MISSING_FENCE
               : HAZARD_RACE_BETWEEN_BLOCKS;
}

static void note_calls(struct hazard *hazard, const struct access *other,
                       const struct access *now) {
    const char *streams = order_streams_differ(other->launch, now->launch) ? NOTE_TWO_STREAMS : "";
    const char *before = order_in_earlier_call(other->launch) ? NOTE_EARLIER_CALL : "";
    hazard_note(hazard, "%s%s%s", streams, *streams && *before ? ", " : "", before);
}

static struct hazard race(const struct access *other, const struct use *use) {
    struct hazard hazard = hazard_of(kind_of_race(other, use), use);
    hazard_with(&hazard, other, hazard_does(other));
    if (hazard.kind == HAZARD_RACE_IN_WARP && other->flags & use->now.flags & ACCESS_VOLATILE)
        hazard_note(&hazard, NOTE_BOTH_VOLATILE);
    const uintptr_t flag =
        hazard.kind == HAZARD_MISSING_FENCE ? order_shared_flag(other, use->address) : 0;
    const struct region *of_flag = flag ? memory_find(flag) : NULL;
    if (of_flag)
        hazard_note(&hazard, "%s" NOTE_SHARED_FLAG, of_flag->name);
    if (hazard.kind == HAZARD_RACE_BETWEEN_LAUNCHES)
        note_calls(&hazard, other, &use->now);
    return hazard;
}

static bool sets_first(const struct access *a, const struct access *b) {
    return !(a->flags & (ACCESS_ATOMIC | ACCESS_FENCED)) && a->flags & ACCESS_WRITE &&
           b->flags & ACCESS_ATOMIC;
}

/* `note`: a fact in words, or "". */
static void note_race(const struct access *other, const struct use *use, const char *note) {
    struct pair *pair = pair_of(other->pc, use->now.pc);
    enum scope scope = scope_of(other, &use->now);
    if (pair && pair->hazard.places && pair->scope >= scope)
        return;
    struct hazard hazard = race(other, use);
    if (*note && !hazard.note[0])
        hazard_note(&hazard, "%s", note);
    if (!pair) { /* the table is full: whatever its scope */
        hazard_tell(&hazard);
        return;
    }
    pair->scope = scope;
    if (scope == BETWEEN_BLOCKS && use->now.block != NO_BLOCK)
        pair->signal = order_signal(other, use->now.thread);
    pair->sets_first = sets_first(other, &use->now) || sets_first(&use->now, other);
    pair->hazard = hazard;
}

/* The write that is about to be made conflicts: wait and see whether it changes anything. */
static SELDOM void doubt(const struct access *other, const struct use *use) {
    struct doubtful *d = &state->doubtful;
    if (d->count)
        return;
    d->other = *other;
    d->use = *use;
    memcpy(d->before, (const void *)use->address, use->size);
}

/* A plain read and an atomic update: it may be a look before an update, which is excused. */
static bool may_be_look(const struct access *a, const struct access *b) {
    bool a_reads = !(a->flags & (ACCESS_WRITE | ACCESS_ATOMIC)),
         b_reads = !(b->flags & (ACCESS_WRITE | ACCESS_ATOMIC));
    return (a_reads && b->flags & ACCESS_ATOMIC) || (b_reads && a->flags & ACCESS_ATOMIC);
}

static SELDOM void conflict(const struct access *other, const struct use *use) {
    unsigned both = other->flags & use->now.flags;
    bool look = may_be_look(other, &use->now);
    bool poll = !look && both & ACCESS_VOLATILE && !(both & ACCESS_WRITE);
    if (!look && !poll) {
        note_race(other, use, "");
        return;
    }
    enum candidate_kind kind = look ? LOOK : POLL;
    uint32_t read_pc =
        use->now.flags & (look ? ACCESS_ATOMIC : ACCESS_WRITE) ? other->pc : use->now.pc;
    if (find_candidate(kind, read_pc))
        return;
    struct hazard hazard = race(other, use);
    add_candidate(kind, read_pc, &hazard);
}

/* ---- cells ------------------------------------------------------------------------------ */

static void keep(struct cell *cell, unsigned chain, unsigned as) {
    cell->recent[chain][as] = cell->recent[chain][LATEST];
    cell->known[chain] |= (uint8_t)(1u << as);
}

static void push(struct cell *cell, unsigned chain, const struct access *now) {
    struct access *latest = &cell->recent[chain][LATEST];
    if (cell->known[chain]) {
        bool block = same_block(latest, now);
        if (block && latest->thread == now->thread) {
            *latest = *now;
            return;
        }
        if (latest->launch != now->launch && order_streams_differ(latest->launch, now->launch))
            keep(cell, chain, OTHER_STREAM);
        keep(cell, chain, OTHER_THREAD);
        if (!block || latest->thread / LANES != now->thread / LANES)
            keep(cell, chain, OTHER_WARP);
        if (!block)
            keep(cell, chain, OTHER_BLOCK);
    }
    *latest = *now;
    cell->known[chain] |= 1u << LATEST;
}

static void note_use(struct cell *cell, const struct access *now) {
    if (!(now->flags & ACCESS_WRITE)) {
        push(cell, READS, now);
    } else if (now->flags & ACCESS_ATOMIC) {
        push(cell, WRITES, now);
    } else {
        cell->known[READS] = cell->known[WRITES] = 0;
        cell->plain_write = *now;
    }
}

static bool is_before(const struct access *other, const struct access *now) {
    /* Most are: of the same thread, or from before the block's last barrier. */
    if (other->launch == now->launch && other->block == now->block && now->block != NO_BLOCK &&
        (other->thread == now->thread || other->epoch < now->epoch))
        return true;
    if (now->block == NO_BLOCK)
        return other->launch == now->launch || order_operation_before(other, true);
    return order_before(other, now->thread,
                        now->flags & (ACCESS_ATOMIC | ACCESS_VOLATILE | ACCESS_PAST_L1));
}

static bool conflicts(const struct access *other, const struct access *now) {
    return other->launch && !harmless(other, now) &&
           (is_stale(other, now) || !is_before(other, now));
}

/* The use in the chain that this one conflicts with, the worst of them; or NULL. Of those that may
 * be looks the one farthest away: mostly it is the first of them that is tried. */
static const struct access *conflict_in(const struct cell *cell, unsigned chain,
                                        const struct access *now) {
    unsigned looks = 0;
    for (unsigned rest = cell->known[chain]; rest; rest &= rest - 1) {
        const struct access *other = &cell->recent[chain][__builtin_ctz(rest)];
        if (may_be_look(other, now))
            looks |= rest & -rest;
        else if (conflicts(other, now))
            return other;
    }
    for (int i = RECENT - 1; looks && i >= 0; i--)
        if (looks >> i & 1 && conflicts(&cell->recent[chain][i], now))
            return &cell->recent[chain][i];
    return NULL;
}

static const struct access *find_conflict(const struct cell *cell, const struct access *now) {
    if (conflicts(&cell->plain_write, now))
        return &cell->plain_write;
    const struct access *other = conflict_in(cell, WRITES, now);
    if (!other && now->flags & ACCESS_WRITE)
        other = conflict_in(cell, READS, now);
    return other;
}

/* The shared array that all of it lies in; without a name: there is none. */
static struct symbol array_of(const struct use *use) {
    static const struct symbol none;
    uintptr_t dynamic = use->address - (uintptr_t)emulator_dynamic_shared;
    uintptr_t offset = use->address - emulator_shared_begin;
    const struct symbol in_launch = {offset - dynamic, launch_now->shared_bytes, DYNAMIC_SHARED};
    const struct symbol *array =
        dynamic < sizeof emulator_dynamic_shared ? &in_launch : emulator_array_at(offset);
    return array && offset + use->size <= array->begin + array->size ? *array : none;
}

/* The cell of a byte that somebody has written; or NULL. */
static const struct cell *written_cell(const struct use *use, size_t at) {
    static const struct cell by_page = {.written = 0xf};
    const size_t page = at / (4 * PAGE_WORDS);
    if (!use->shadow->pages[page])
        return use->shadow->page_written[page] && !use->shared ? &by_page : NULL;
    const struct cell *cell = shadow_cell(use->shadow, at);
    if (use->shared && cell->generation != state->generation)
        return NULL;
    const struct cell *bytes = cell_bytes(cell);
    if (bytes)
        return bytes[at & 3].written ? &bytes[at & 3] : NULL;
    return cell->written >> (at & 3) & 1 ? cell : NULL;
}

static size_t block_threads(void) {
    return (size_t)launch_now->block.x * launch_now->block.y * launch_now->block.z;
}

/* Where the array lies in the shadow that a use of it goes to, in bytes. */
static struct base shadowed(const struct use *use) {
    if (use->shared) {
        const struct symbol array = array_of(use);
        return (struct base){array.name, array.begin, array.size, false};
    }
    struct base base = base_of(use->region);
    base.begin -= use->region->begin;
    return base;
}

/* Whether somebody has written some of its bytes: which not, and who did. */
static bool note_half_written(struct hazard *hazard, const struct use *use) {
    const struct cell *half = NULL;
    size_t left = 0;
    for (size_t at = use->offset; at < use->offset + use->size; at++) {
        const struct cell *cell = written_cell(use, at);
        half = cell ? cell : half;
        left += !cell;
    }
    if (half && half->plain_write.launch)
        hazard_with(hazard, &half->plain_write,
                    half->plain_write.block == NO_BLOCK ? "fills the others" : "sets the others");
    if (half)
        hazard_note(hazard, "%zu of its %zu bytes are " NOTE_NOT_SET, left, use->size);
    return half;
}

/* Which elements around it nobody has written, and who wrote the one before them. */
static SELDOM void note_unwritten(struct hazard *hazard, const struct use *use) {
    const struct base in = shadowed(use);
    const size_t bytes = use->size, threads = use->shared ? block_threads() : 0;
    size_t first = use->offset, end = first + bytes, others = 0;
    while (first >= in.begin + bytes && !written_cell(use, first - bytes))
        first -= bytes;
    while (end + bytes <= in.begin + in.size && !written_cell(use, end))
        end += bytes;
    const struct cell *before = first > in.begin ? written_cell(use, first - 1) : NULL;
    if (before && before->plain_write.launch)
        hazard_with(hazard, &before->plain_write,
                    before->plain_write.block == NO_BLOCK ? "fills the elements before it"
                    : first < use->offset                 ? "sets the last one before it"
                                                          : "sets the element before it");
    for (size_t at = in.begin; use->shared && at + bytes <= in.begin + in.size; at += bytes)
        others += (at < first || at >= end) && !written_cell(use, at);
    if (first == in.begin && end + bytes > in.begin + in.size) {
        hazard_note(hazard, use->shared ? NOTE_NO_THREAD_SETS : "nothing of it is set yet");
        return;
    }
    char more[48] = "", block[48] = "";
    if (others)
        snprintf(more, sizeof more, ", and %zu more,", others);
    if (threads)
        snprintf(block, sizeof block, "; a block has %s%zu thread%s",
                 (first - in.begin) / bytes == threads ? "only " : "", threads,
                 threads > 1 ? "s" : "");
    const bool one = first + bytes == end && !others;
    char which[64];
    snprintf(which, sizeof which, one ? "element %zu" : "elements %zu to %zu",
             (first - in.begin) / bytes, (end - in.begin) / bytes - 1);
    hazard_note(hazard, "%s of %zu%s %s " NOTE_NOT_SET "%s", which, in.size / bytes, more,
                one ? "is" : "are", block);
}

/* The first says which others: a byte that has been told of counts as written. */
static SELDOM void tell_unwritten(struct cell *cell, unsigned bytes, const struct use *use) {
    static bool noted;
    struct hazard hazard = hazard_of(HAZARD_UNINITIALIZED, use);
    if (use->region && use->region->nothing_pc)
        hazard_with_host(&hazard, use->region->nothing_pc, DOES_NOTHING);
    else if (use->region)
        hazard_with_host(&hazard, use->region->allocated_pc, "allocates it");
    if (!noted && !note_half_written(&hazard, use))
        note_unwritten(&hazard, use);
    noted = true;
    add_candidate(UNWRITTEN, use->now.pc, &hazard);
    cell->written |= (uint8_t)bytes;
}

/* `bytes`: which of the cell's bytes are used, a bit for each. */
static void use_cell(struct cell *cell, unsigned bytes, const struct use *use) {
    bool write = use->now.flags & ACCESS_WRITE, atomic = use->now.flags & ACCESS_ATOMIC;
    if ((cell->written & bytes) != bytes && (!write || atomic) && use->now.block != NO_BLOCK)
        tell_unwritten(cell, bytes, use);
    const struct access *other = find_conflict(cell, &use->now);
    if (write)
        cell->written |= (uint8_t)bytes;
    if (other && write && !atomic && use->now.block != NO_BLOCK && use->size <= MOST_DOUBTED) {
        struct doubtful *d = &state->doubtful;
        doubt(other, use);
        d->cells[d->count++] = cell;
        return;
    }
    if (other)
        conflict(other, use);
    note_use(cell, &use->now);
}

/* A release and an acquire belong to a word as a whole, also where its bytes have cells. */
static void synchronize(struct cell *cell, const struct use *use) {
    bool write = use->now.flags & ACCESS_WRITE, atomic = use->now.flags & ACCESS_ATOMIC;
    if (!write || atomic)
        order_acquire(cell, use->address, use->now.thread);
    if (write)
        order_release(cell, use->address, use->now.thread, !atomic);
}

static void use_word(struct cell *cell, unsigned bytes, const struct use *use) {
    if (bytes == 0xf && !cell_bytes(cell)) {
        use_cell(cell, bytes, use);
    } else {
        struct cell *split = cell_split(cell);
        for (unsigned i = 0; i < 4; i++)
            if (bytes >> i & 1)
                use_cell(&split[i], 1, use);
    }
}

/* Of an earlier block's there is nothing left in shared memory, which is `fresh`. */
static struct cell *cell_now(struct shadow *shadow, size_t word, bool fresh) {
    struct cell *cell = shadow_cell(shadow, word);
    if (fresh && cell->generation != state->generation) {
        cell_clear(cell);
        cell->generation = state->generation;
    }
    return cell;
}

/* Which bytes of a word lie in a range, a bit for each. */
static unsigned bytes_used(size_t word, size_t begin, size_t end) {
    unsigned bytes = 0xf;
    if (word < begin)
        bytes &= 0xfu << (begin - word);
    if (end - word < 4)
        bytes &= (1u << (end - word)) - 1;
    return bytes;
}

static bool is_copied(const struct cell *cell) {
    return cell->more && cell->more->leads | cell->more->comes;
}

/* An asynchronous copy that is under way. `bytes` of the word are used; `copied` is what another
 * copy brings to the target, or NULL: where both bring the same nothing is wrong. */
static SELDOM bool meets_copy(const struct cell *cell, size_t word, unsigned bytes,
                              const struct use *use, const char *copied) {
    const uintptr_t begin = use->address + (word - use->offset) + (unsigned)__builtin_ctz(bytes);
    const size_t size = (size_t)__builtin_popcount(bytes);
    const struct copy *copy = copies_meet(cell, begin, size, use->now.flags & ACCESS_WRITE);
    if (!copy)
        return false;
    if (copied && begin - copy->to < copy->size &&
        memcmp((const char *)copy->from + (begin - copy->to), copied + (begin - use->address),
               size) == 0)
        return true;
    struct hazard hazard = hazard_of(HAZARD_UNFINISHED_COPY, use);
    hazard_with(&hazard, &copy->by,
                begin - copy->to < copy->size ? "copies to it" : "copies from it");
    hazard_tell(&hazard);
    return true;
}

/* Every word of it. */
static void use_range(const struct use *use) {
    bool strong = use->now.flags & (ACCESS_ATOMIC | ACCESS_VOLATILE);
    size_t end = use->offset + use->size;
    for (size_t word = use->offset & ~(size_t)3; word < end; word += 4) {
        struct cell *cell = cell_now(use->shadow, word, use->shared);
        const unsigned bytes = bytes_used(word, use->offset, end);
        if (is_copied(cell) && !state->copying && meets_copy(cell, word, bytes, use, NULL))
            continue;
        if (strong)
            synchronize(cell, use);
        use_word(cell, bytes, use);
    }
}

/* ---- doubtful writes, looks and polls --------------------------------------------------- */

static void remark_same_value(const struct doubtful *d) {
    struct pair *pair = pair_of(d->other.pc, d->use.now.pc);
    if (!pair || pair->remark.places || pair->hazard.places)
        return;
    pair->remark = race(&d->other, &d->use);
    pair->remark.kind = HAZARD_SAME_VALUE;
}

static bool is_zero(const struct use *use) {
    for (size_t i = 0; i < use->size; i++)
        if (((const char *)use->address)[i])
            return false;
    return true;
}

/* What another thread of the block reads was written there already, before a barrier. */
static bool writes_again(const struct doubtful *d) {
    const struct access *before = &d->cells[0]->plain_write;
    return !(d->other.flags & ACCESS_WRITE) && same_block(&d->other, &d->use.now) &&
           same_block(before, &d->use.now) && before->pc == d->use.now.pc &&
           before->epoch < d->use.now.epoch;
}

/* Called by whatever comes next on this OS thread: by now the write has been made. */
static SELDOM void settle(struct doubtful *d) {
    if (memcmp(d->before, (const void *)d->use.address, d->use.size) == 0) {
        remark_same_value(d);
    } else {
        /* The same place has stored something else, and nobody has added to it since. */
        bool stores = d->other.pc == d->use.now.pc && !(d->other.flags & ACCESS_ATOMIC) &&
                      !d->cells[0]->known[WRITES];
        bool clears = is_zero(&d->use) && !stores;
        note_race(&d->other, &d->use, writes_again(d) ? NOTE_AGAIN : clears ? NOTE_WRITES_0 : "");
        for (unsigned i = 0; i < d->count; i++)
            note_use(d->cells[i], &d->use.now);
    }
    d->count = 0;
}

static void settle_doubt(void) {
    if (state->doubtful.count)
        settle(&state->doubtful);
    if (reads_unsettled)
        reads_settle();
}

static void remember_look(uint32_t address, const struct access *now) {
    struct look *looks = state->looks[now->thread];
    int slot = 0;
    while (slot < LOOKS && looks[slot].pc != now->pc)
        slot++;
    if (slot == LOOKS)
        slot = state->look_count[now->thread]++ % LOOKS;
    looks[slot] = (struct look){address, now->pc};
}

static void pair_looks(uint32_t address, const struct access *now) {
    for (int i = 0; i < LOOKS; i++) {
        const struct look *look = &state->looks[now->thread][i];
        if (!look->pc)
            continue;
        struct pairing *pairing = pairing_of(look->pc, now->pc);
        if (pairing && (look->address ^ address) / 4)
            pairing->broken = true;
    }
}

static void note_poll(uint32_t address, const struct access *now) {
    struct look *poll = &state->polls[now->thread];
    bool again = poll->address == address && poll->pc == now->pc;
    if (again && !is_polling(now->pc)) {
        polling = emulator_grow(polling, polling_count, &polling_room, sizeof *polling);
        polling[polling_count++] = now->pc;
    }
    *poll = (struct look){address, now->pc};
}

static void note_habits(uint32_t address, const struct access *now) {
    bool write = now->flags & ACCESS_WRITE;
    if (now->flags & ACCESS_ATOMIC)
        pair_looks(address, now);
    else if (now->flags & ACCESS_VOLATILE && !write)
        note_poll(address, now);
    else if (!write)
        remember_look(address, now);
}

/* ---- shared memory ---------------------------------------------------------------------- */

static SELDOM void outside_shared(const struct use *use) {
    uintptr_t offset = use->address - emulator_shared_begin;
    const struct symbol *near = memory_shared_near(offset, use->size);
    struct hazard hazard = hazard_at(HAZARD_OUT_OF_BOUNDS, &use->now, hazard_does(&use->now));
    name_shared(&hazard, offset, use->size);
    size_t length = strlen(hazard.note);
    const bool none = strcmp(hazard.array, DYNAMIC_SHARED) == 0 && !launch_now->shared_bytes;
    snprintf(hazard.note + length, sizeof hazard.note - length, "%s",
             none ? NOTE_NOT_ASKED : NOTE_IN_EACH_BLOCK);
    settle_candidates();
    hazard_tell(&hazard);
    uintptr_t end = near ? near->begin + near->size + RED_ZONE : 0;
    if (use->now.flags & ACCESS_WRITE && (!near || offset < near->begin || offset + 16 > end)) {
        fprintf(stderr, "emulator: stopped at a write far outside of shared memory\n");
        abort();
    }
}

static void use_shared(struct use *use) {
    const struct symbol array = array_of(use);
    if (!array.name)
        outside_shared(use);
    if (!array.name || !*array.name)
        return;
    use->shadow = &state->shared;
    use->offset = use->address - emulator_shared_begin;
    reads_note_use(1 + array.begin, array.name, array.size, use->offset - array.begin, use->size,
                   (const void *)use->address, USED_OF_BLOCK, &use->now);
    use_range(use);
}

/* ---- where a place in the source went before: what it means when it goes astray ----------- */

enum { SITES = 1024 };
static struct site {
    uint32_t pc, launch;
    struct region *region;
} sites[SITES];

static struct site *site_of(uint32_t pc) { return &sites[pc * 0x9E3779B1u >> 22]; }

static struct region *usual_region(uint32_t pc) {
    struct region *region = site_of(pc)->pc == pc ? site_of(pc)->region : NULL;
    return region && region->size ? region : NULL; /* 0: it was unregistered */
}

/* ---- global memory ---------------------------------------------------------------------- */

static bool is_readable(uintptr_t address) {
    return access((const char *)address, F_OK) == 0 || errno != EFAULT;
}

/* Whether of all addresses among the kernel's arguments the nearest below this one is in the
 * region: then it is from there that an index went astray, however far. */
static bool comes_from(const struct region *region, uintptr_t address) {
    const char *arguments = launch_now->arguments;
    uintptr_t nearest = 0;
    for (size_t at = 0; at + sizeof nearest <= launch_now->argument_bytes; at += sizeof nearest) {
        uintptr_t value;
        memcpy(&value, arguments + at, sizeof value);
        if (value <= address && value > nearest)
            nearest = value;
    }
    return nearest - region->begin < region->size;
}

/* The first allocation that the device had no memory for. */
static uint32_t refused_pc;

/* The variable that is given to the allocation that comes next (front/builds.c). */
static _Thread_local const char *named;
void emulator_names(const char *name) { named = name; }

void watch_not_allocated(void) {
    memory_start();
    named = NULL;
    if (!refused_pc)
        refused_pc = memory_caller();
}

/* Whether an index of 32 bits leads from there to the address. */
static bool leads_from(uintptr_t begin, const struct use *use) {
    const uintptr_t offset = use->address - begin;
    return use->size && offset % use->size == 0 && offset / use->size <= UINT32_MAX;
}

/* Far from all memory: the only array that it may have been meant for, shared or an argument; or
 * none. The input is none that is written to. */
static SELDOM void name_far(struct hazard *hazard, const struct use *use) {
    const char *arguments = launch_now->arguments;
    size_t found = 0;
    struct base base;
    uintptr_t value;
    for (size_t i = 0; i < emulator_arrays.count; i++) {
        const struct symbol *array = &emulator_arrays.list[i];
        value = emulator_shared_begin + array->begin;
        if (array->size <= use->size || !leads_from(value, use))
            continue;
        base = (struct base){array->name, value, array->size, false};
        found++;
    }
    for (size_t at = 0; at + sizeof value <= launch_now->argument_bytes; at += sizeof value) {
        memcpy(&value, arguments + at, sizeof value);
        const struct region *region = memory_find(value);
        bool input = call.active && value == call.input;
        if (!region || (input && use->now.flags & ACCESS_WRITE) || !leads_from(value, use))
            continue;
        base = base_of(region);
        found++;
    }
    if (found == 1)
        hazard_name(hazard, &base, use->address, use->size);
    else
        hazard_note(hazard, "the address is far from all memory");
}

/* Why there may be no memory. */
static void name_refused(struct hazard *hazard) {
    if (!refused_pc)
        return;
    hazard_note(hazard, "an allocation failed: out of memory, and nobody looked");
    hazard_with_host(hazard, refused_pc, "gets no memory");
}

/* Outside of every region. */
static SELDOM void outside(const struct use *use) {
    enum { GUARD = 4096 + 256, BELOW_SHARED = 1 << 20, ASTRAY = 16 << 20, NULL_PAGES = 64 * 1024 };
    struct region *usual = usual_region(use->now.pc), *near = memory_near(use->address);
    if (usual && near && site_of(use->now.pc)->launch != use->now.launch &&
        comes_from(near, use->address))
        usual = NULL; /* another launch was given another array */
    near = usual ? usual : near;
    uintptr_t past = near ? use->address - near->begin - near->size : 0;
    uintptr_t ahead = near ? near->begin - use->address : 0;
    bool beside = usual || (near && (past < GUARD || ahead < GUARD ||
                                     (past < ASTRAY && comes_from(near, use->address))));
    bool host = !beside && use->address >= NULL_PAGES && is_readable(use->address);
    if (host && emulator_shared_begin - use->address < BELOW_SHARED) { /* by an index below 0 */
        outside_shared(use);
        return;
    }
    struct hazard hazard = hazard_at(host ? HAZARD_DEVICE_TOUCHES_HOST : HAZARD_OUT_OF_BOUNDS,
                                     &use->now, hazard_does(&use->now));
    if (use->address < NULL_PAGES)
        hazard_note(&hazard, NOTE_NULL ": nothing was allocated, or 0 bytes");
    else if (!host && near)
        name_memory(&hazard, near, use->address, use->size);
    else if (!host)
        name_far(&hazard, use);
    if (near && !host)
        hazard_with_host(&hazard, near->allocated_pc, "allocates it");
    if (!near && !host)
        name_refused(&hazard);
    settle_candidates();
    hazard_tell(&hazard);
}

/* What a kernel may read though no region has it: what it was launched with, and constants. */
static bool ignored(const struct use *use) {
    uintptr_t arguments = (uintptr_t)launch_now->arguments;
    return !(use->now.flags & ACCESS_WRITE) &&
           (use->address - arguments < launch_now->argument_bytes ||
            memory_is_constant(use->address));
}

/* The launch has an address in this memory of the harness's, and none that this call was given. */
static bool is_of_another_call(const struct region *region) {
    const struct base base = base_of(region);
    bool another = false;
    uintptr_t value;
    for (size_t at = 0; at + sizeof value <= launch_now->argument_bytes; at += sizeof value) {
        memcpy(&value, (const char *)launch_now->arguments + at, sizeof value);
        if (value - base.begin <= base.size)
            return false;
        another |= value - region->begin < region->size;
    }
    return another;
}

/* made_pc: where a stream is made that this is about, or 0. */
static SELDOM void astray_in_harness(const struct use *use, enum hazard_kind kind,
                                     uint32_t made_pc) {
    struct hazard hazard = hazard_of(kind, use);
    hazard_with_host(&hazard, made_pc, "makes the stream");
    if (is_of_another_call(use->region))
        hazard_note(&hazard, NOTE_ANOTHER_CALL);
    settle_candidates();
    hazard_tell(&hazard);
}

/* For who follows a wrong output: what is at `value` is used there. */
static void note_use_of(const struct region *region, uintptr_t address, size_t bytes,
                        const void *value, const struct access *now) {
    const struct base base = base_of(region);
    reads_note_use(base.begin, base.name, base.size, address - base.begin, bytes, value,
                   base.allocated ? USED_ALLOCATED : 0, now);
}

/* Of the call's input, if it is that, what lies inside. */
static void note_input_read(const struct use *use) {
    const uintptr_t end = use->address + use->size;
    if (use->address >= call.input && use->address < call.input_end &&
        !(use->now.flags & ACCESS_WRITE))
        reads_note(use->address - call.input,
                   (end < call.input_end ? end : call.input_end) - use->address, &use->now);
}

/* Memory of the harness during a call: true if it is the output, which has cells. */
static bool use_harness(const struct use *use) {
    uintptr_t begin = use->address, end = begin + use->size;
    if ((begin == call.input || begin == call.output) && order_too_early())
        astray_in_harness(use, HAZARD_TOO_EARLY, order_too_early());
    if (begin >= call.output && end <= call.output_end) {
        note_use_of(use->region, begin, use->size, (const void *)begin, &use->now);
        return true;
    }
    bool inside = begin >= call.input && end <= call.input_end;
    note_input_read(use);
    if (inside && !(use->now.flags & ACCESS_WRITE))
        return false;
    astray_in_harness(use, inside ? HAZARD_WRITE_TO_INPUT : HAZARD_OUT_OF_BOUNDS, 0);
    return false;
}

static SELDOM void use_freed(const struct use *use) {
    struct hazard hazard = hazard_of(HAZARD_USE_AFTER_FREE, use);
    hazard_with_host(&hazard, use->region->freed_pc, "frees it");
    if (use->region->freed_in != memory_owners)
        hazard_note(&hazard, NOTE_FREED_BEFORE);
    hazard_tell(&hazard);
}

static void use_global(struct use *use) {
    struct region *region = state->region;
    if (!region || use->address - region->begin >= region->size)
        region = memory_find(use->address);
    if (!region || use->address + use->size > region->begin + region->size) {
        note_input_read(use);
        if (!ignored(use))
            outside(use);
        return;
    }
    state->region = region;
    use->region = region;
    *site_of(use->now.pc) = (struct site){use->now.pc, use->now.launch, region};
    if (region->kind == REGION_FREED) {
        use_freed(use);
        return;
    }
    if (!is_harness(region)) /* as note_use_of, which looks at that again */
        reads_note_use(region->begin, region->name, region->size, use->address - region->begin,
                       use->size, (const void *)use->address,
                       region->allocated ? USED_ALLOCATED : 0, &use->now);
    else if (!use_harness(use))
        return;
    use->shadow = &region->shadow;
    use->offset = use->address - region->begin;
    use_range(use);
}

/* ---- every access ----------------------------------------------------------------------- */

static void name_touched(struct hazard *hazard, const struct region *region, uintptr_t address) {
    name_memory(hazard, region, address, 1);
    hazard->indexed = 0;
}

/* The host's own use of memory that it shares with the device: nothing may still be using it. */
static void use_with_device(struct region *region, uintptr_t address, struct access *now) {
    struct cell *cell = shadow_cell(&region->shadow, (address - region->begin) & ~(size_t)3);
    static const struct access none;
    const struct access *uses[] = {&cell->plain_write,
                                   cell->known[WRITES] ? &cell->recent[WRITES][LATEST] : &none,
                                   cell->known[READS] ? &cell->recent[READS][LATEST] : &none};
    const unsigned strong = ACCESS_VOLATILE | ACCESS_ATOMIC;
    for (int i = 0; i < (now->flags & ACCESS_WRITE ? 3 : 2); i++) {
        bool flag = now->flags & strong && uses[i]->flags & strong; /* that one of them polls */
        if (!uses[i]->launch || flag || order_host_knows(uses[i]->launch))
            continue;
        struct hazard hazard = hazard_at(HAZARD_RACE_BETWEEN_LAUNCHES, now, hazard_does(now));
        hazard_with(&hazard, uses[i], hazard_does(uses[i]));
        name_touched(&hazard, region, address);
        hazard_note(&hazard, "the host has not waited for this work");
        hazard_tell(&hazard);
    }
}

/* What is nobody's array: `name` and `note` are one sentence. */
static SELDOM void tell_foreign(const struct access *now, const char *name, const char *note) {
    struct hazard hazard = hazard_at(HAZARD_OUT_OF_BOUNDS, now, hazard_does(now));
    snprintf(hazard.array, sizeof hazard.array, "%s", name);
    hazard_note(&hazard, "%s%s", name, note);
    hazard_tell(&hazard);
}

static SELDOM void use_on_host(uintptr_t address, size_t size, unsigned flags, uintptr_t pc) {
    struct region *region = memory_find(address);
    const char *name = region ? NULL : memory_of_harness(address, size);
    if (!region && !name) /* most of what the host does */
        return;
    struct access now = {.pc = memory_pc(pc), .block = NO_BLOCK, .flags = (uint8_t)flags};
    if (name) { /* the step's code may want to silence the harness */
        tell_foreign(&now, name, " belongs to the harness");
        return;
    }
    if (emulator_runs_thrust && region->kind != REGION_FREED) {
        if (flags & ACCESS_WRITE && address + size <= region->begin + region->size)
            shadow_host_writes(&region->shadow, address - region->begin, size);
        return;
    }
    if (region->kind == REGION_MANAGED || region->kind == REGION_PINNED) {
        use_with_device(region, address, &now);
        return;
    }
    struct hazard hazard =
        hazard_at(region->kind == REGION_FREED ? HAZARD_USE_AFTER_FREE : HAZARD_HOST_TOUCHES_DEVICE,
                  &now, flags & ACCESS_WRITE ? "writes" : "reads");
    name_touched(&hazard, region, address);
    hazard_tell(&hazard);
}

void watch_touched(struct hazard *hazard, const void *address) {
    struct region *region = memory_find((uintptr_t)address);
    if (region)
        name_touched(hazard, region, (uintptr_t)address);
}

static SELDOM bool is_lone(uintptr_t address, size_t size) {
    const struct symbol *array = emulator_array_at(address - emulator_shared_begin);
    return array && array->size == size;
}

/* gcc tells of the store of a copy, *p = *q, before it tells of the load, and makes both then. */
static bool is_load_of_copy(size_t size, unsigned flags) {
    bool is_load = !flags && state->stores == size && state->storing == emulator_thread;
    state->stores = flags == ACCESS_WRITE ? size : 0;
    state->storing = emulator_thread;
    return is_load;
}

static bool loads_read_only; /* somebody does */

void emulator_read_only_load(const void *address, size_t size) {
    if (!emulator_stack_bytes)
        return;
    loads_read_only = true;
    state->read_only[emulator_thread] = (struct span){(uintptr_t)address, size};
}

static SELDOM bool is_read_only(uintptr_t address) {
    const struct span *span = &state->read_only[emulator_thread];
    return address - span->begin < span->size;
}

/* What the thread that runs does there, or the host. */
static struct access access_at(uintptr_t pc) {
    struct access now = {.block = NO_BLOCK};
    if (emulator_stack_bytes)
        order_stamp(&now, emulator_thread);
    now.pc = memory_pc(pc);
    return now;
}

static SELDOM void tell_own_atomic(unsigned flags, uintptr_t pc) {
    struct access now = access_at(pc);
    now.flags = (uint8_t)flags;
    struct hazard hazard = hazard_at(HAZARD_OWN_ATOMIC, &now, hazard_does(&now));
    snprintf(hazard.array, sizeof hazard.array, "a variable of the thread's own");
    hazard.indexed = 0;
    hazard_tell(&hazard);
}

/* Have the cell of a word in shared memory brought into the cache, while all else is looked at. */
static void expect_shared(uintptr_t offset) {
    enum { LINE = 64 };
    const struct cell *cells =
        offset < emulator_shared_bytes ? state->shared.pages[offset / (4 * PAGE_WORDS)] : NULL;
    if (!cells)
        return;
    const char *cell = (const char *)&cells[offset / 4 % PAGE_WORDS];
    __builtin_prefetch(cell, 1);
    __builtin_prefetch(cell + LINE, 1);
}

void analysis_access(uintptr_t address, size_t size, unsigned flags, uintptr_t pc) {
    if (!emulator_stack_bytes) {
        use_on_host(address, size, flags, pc);
        return;
    }
    expect_shared(address - emulator_shared_begin);
    if (!is_load_of_copy(size, flags))
        settle_doubt();
    bool builtin = emulator_is_builtin(address);
    uintptr_t in_stack = address - emulator_stack_begin;
    if (in_stack < emulator_stack_bytes) {
        if (state->stack_used < emulator_stack_bytes - in_stack)
            state->stack_used = emulator_stack_bytes - in_stack;
        if (flags & ACCESS_ATOMIC)
            tell_own_atomic(flags, pc);
        return;
    }
    if (!size || (builtin && !(flags & ACCESS_WRITE)))
        return;
    struct use use; /* most of it is set by who needs it: zeros for all of it take their time */
    use.now.pc = memory_pc(pc);
    use.now.flags = (uint8_t)flags;
    use.address = address;
    use.size = size;
    use.region = NULL;
    order_stamp(&use.now, emulator_thread);
    if (builtin) {
        tell_foreign(&use.now, "", "threadIdx, blockIdx, blockDim and gridDim are only read");
        return;
    }
    if (flags & (ACCESS_VOLATILE | ACCESS_WRITE) && order_has_fenced(emulator_thread))
        use.now.flags |= ACCESS_FENCED;
    if (flags & ACCESS_VOLATILE && is_lone(address, size))
        use.now.flags |= ACCESS_LONE;
    if (!flags && loads_read_only && is_read_only(address))
        use.now.flags |= ACCESS_READ_ONLY;
    note_habits((uint32_t)address, &use.now);
    use.shared = address - emulator_shared_begin < emulator_shared_bytes;
    if (use.shared)
        use_shared(&use);
    else
        use_global(&use);
}

/* ---- asynchronous copies ---------------------------------------------------------------- */

/* Finds the shadow of a side of a copy; false: it lies where no copy is made later. One of the
 * input has none, and nobody may write there. */
static bool find_shadow(struct use *use) {
    use->shared = use->address - emulator_shared_begin < emulator_shared_bytes;
    use->shadow = &state->shared;
    use->offset = use->address - emulator_shared_begin;
    if (use->shared)
        return array_of(use).name;
    struct region *region = use->region = memory_find(use->address);
    use->shadow = NULL;
    if (!region || region->kind == REGION_FREED ||
        use->address + use->size > region->begin + region->size)
        return !region && memory_is_constant(use->address);
    if (is_harness(region) && use->address - call.input < call.input_end - call.input)
        return use->address + use->size <= call.input_end;
    use->shadow = &region->shadow;
    use->offset = use->address - region->begin;
    return true;
}

/* What others have done there, and are not known to be past. */
static void begin_side(const struct use *use, const char *copied) {
    const size_t end = use->offset + use->size;
    const bool changes = !copied || memcmp((const void *)use->address, copied, use->size) != 0;
    for (size_t word = use->offset & ~(size_t)3; use->shadow && word < end; word += 4) {
        struct cell *cell = cell_now(use->shadow, word, use->shared);
        const unsigned bytes = bytes_used(word, use->offset, end);
        if (is_copied(cell) && meets_copy(cell, word, bytes, use, copied))
            continue;
        for (unsigned i = 0; changes && i < 4; i++) {
            const struct cell *one = cell_bytes(cell) ? &cell_bytes(cell)[i] : cell;
            const struct access *other = bytes >> i & 1 ? find_conflict(one, &use->now) : NULL;
            if (other)
                conflict(other, use);
        }
    }
}

bool analysis_begin_copy(struct copy *copy) {
    struct use to = {.address = copy->to, .size = copy->size},
               from = {.address = copy->from, .size = copy->size};
    settle_doubt();
    if (!find_shadow(&to) || !to.shared || !find_shadow(&from))
        return false;
    copy->by = (struct access){.pc = memory_pc(copy->pc)};
    order_stamp(&copy->by, emulator_thread);
    from.now = to.now = copy->by;
    to.now.flags = ACCESS_WRITE;
    begin_side(&from, NULL);
    begin_side(&to, (const char *)copy->from);
    return true;
}

/* The copy at this place is one more there (count 1), or one less (-1). */
static void mark_side(uintptr_t address, size_t place, bool leads, int count) {
    struct use use = {.address = address, .size = copies[place].size};
    if (!find_shadow(&use) || !use.shadow)
        return;
    for (size_t word = use.offset & ~(size_t)3; word < use.offset + use.size; word += 4) {
        struct cell *cell = cell_now(use.shadow, word, use.shared);
        struct cell_more *more = cell_more(cell);
        uint16_t *there = leads ? &more->leads : &more->comes;
        *there = (uint16_t)(count < 0 && !*there ? 0 : *there + count);
        more->copy = count > 0 ? (uint32_t)place : more->copy;
    }
}

static void mark_copy(size_t place, int count) {
    mark_side(copies[place].to, place, true, count);
    mark_side(copies[place].from, place, false, count);
}

void analysis_put_copy(const struct copy *copy) { mark_copy(copies_put_in(copy), 1); }

struct copy analysis_take_copy(size_t place) {
    mark_copy(place, -1);
    return copies_take_out(place);
}

void analysis_copied(const struct copy *copy) {
    state->copying = true;
    analysis_access(copy->from, copy->size, 0, copy->pc);
    analysis_access(copy->to, copy->size, ACCESS_WRITE, copy->pc);
    state->copying = false;
}

/* The block on this OS thread has ended, and nobody has waited for these. */
static void forget_copies(void) {
    for (size_t i = copy_count; i-- > 0;)
        if (copies_is_here(&copies[i]))
            analysis_take_copy(i);
}

void analysis_shift(int64_t distance, unsigned bits, uintptr_t pc) {
    const struct access now = access_at(pc);
    char does[32];
    snprintf(does, sizeof does, "shifts %u bits by %lld", bits, (long long)distance);
    const struct hazard hazard = hazard_at(HAZARD_UNDEFINED_SHIFT, &now, does);
    hazard_tell(&hazard);
}

void analysis_misaligned(uintptr_t address, unsigned alignment, const char *does, uintptr_t pc) {
    const struct access now = access_at(pc);
    struct hazard hazard = hazard_at(HAZARD_MISALIGNED, &now, does);
    struct region *region = memory_find(address);
    hazard_note(&hazard, "0x%llx is not a multiple of %u", (unsigned long long)address, alignment);
    if (address - emulator_shared_begin < emulator_shared_bytes)
        name_shared(&hazard, address - emulator_shared_begin, alignment);
    else if (region)
        name_memory(&hazard, region, address, alignment);
    else
        name_refused(&hazard);
    hazard.indexed = 0; /* it lies between two elements */
    hazard_tell(&hazard);
}

void analysis_beyond_own(const char *does, unsigned line, uintptr_t pc) {
    const struct access now = access_at(pc);
    struct hazard hazard = hazard_at(HAZARD_OUT_OF_BOUNDS, &now, does);
    hazard.place[0].line = line;
    snprintf(hazard.array, sizeof hazard.array, "an array of the thread's own");
    hazard_note(&hazard, "it lies beyond the array's end, or before its begin");
    hazard_tell(&hazard);
}

/* ---- what the emulator tells (emulator.h) ----------------------------------------------- */

/* On a host a __device__ variable's name is no address of the device's; device code has one. */
static void look_at_arguments(const struct emulator_launch *launch) {
    uintptr_t word;
    for (size_t i = 0; i + sizeof word <= launch->argument_bytes; i += sizeof word) {
        memcpy(&word, (const char *)launch->arguments + i, sizeof word);
        struct region *region = memory_find(word);
        if (!region || region->kind != REGION_VARIABLE || emulator_is_symbol((void *)word, 1))
            continue;
        struct access now = {.pc = memory_caller(), .launch = order_now.number, .block = NO_BLOCK};
        struct hazard hazard =
            hazard_at(HAZARD_DEVICE_TOUCHES_HOST, &now, "gives its name to a kernel");
        name_memory(&hazard, region, word, 1);
        hazard_tell(&hazard);
    }
}

void watch_begin_launch(const struct emulator_launch *launch) {
    memory_start();
    launch_now = launch;
    mask_told = false;
    budget_begin_launch(launch);
    order_begin_operation(launch->stream, launch);
    look_at_arguments(launch);
}

void watch_end_launch(void) {
    settle_candidates();
    order_end_launch();
    budget_end_launch();
}

void watch_begin_block(uint64_t number, unsigned threads) {
    budget_spend();
    if (!state)
        state = emulator_need(calloc(1, sizeof *state));
    if (!state->shared.pages)
        state->shared = shadow_new(emulator_shared_bytes);
    forget_copies(); /* of the block before it */
    state->generation = ++generations;
    state->region = NULL;
    state->first_line = 0;
    memset(state->arrivals, 0, sizeof state->arrivals);
    memset(state->before, 0, sizeof state->before);
    memset(state->looks, 0, threads * sizeof *state->looks);
    memset(state->polls, 0, threads * sizeof *state->polls);
    memset(state->read_only, 0, threads * sizeof *state->read_only);
    order_begin_block((uint32_t)number, threads);
    emulator_spoil_shared(launch_now->shared_bytes);
}

size_t watch_end_blocks(void) {
    if (!state)
        return 0;
    size_t used = state->stack_used;
    state->stack_used = 0;
    forget_copies();
    emulator_spoil_shared(launch_now->shared_bytes);
    return used;
}

void watch_pause(void) { settle_doubt(); }

static struct access at_site(unsigned thread, const void *site) {
    struct access access = {.pc = memory_pc((uintptr_t)site - 1)};
    order_stamp(&access, thread);
    return access;
}

/* What a thread does there, and another one elsewhere, if other_site is known. */
static struct hazard at_sites(enum hazard_kind kind, unsigned thread, const void *site,
                              const char *does, unsigned other, const void *other_site,
                              const char *other_does) {
    const struct access now = at_site(thread, site);
    struct hazard hazard = hazard_at(kind, &now, does);
    if (other_site) {
        const struct access elsewhere = at_site(other, other_site);
        hazard_with(&hazard, &elsewhere, other_does);
    }
    return hazard;
}

void watch_arrive(unsigned line, const void *site) {
    settle_doubt();
    struct access now = at_site(emulator_thread, site);
    state->arrivals[emulator_thread / LANES]++;
    if (!state->first_line) {
        state->first_line = line;
        state->first_arrival = now;
    } else if (state->first_line != line) {
        struct hazard hazard = hazard_at(HAZARD_BARRIER_DIVERGENCE, &now, "waits");
        hazard_with(&hazard, &state->first_arrival, "waits");
        hazard_note(&hazard, "these two barriers open as if they were one");
        hazard_tell(&hazard);
    }
}

/* Threads that have returned are not waited for, since Volta. But a warp whose lanes have met at a
 * barrier must not come to the next with a part of those left: that is in a branch, or a loop. */
void watch_returns(void) {
    unsigned char *before = &state->before[emulator_thread / LANES];
    *before -= *before > 0;
}

void watch_barrier(void) {
    for (size_t w = 0; w < EMULATOR_MAX_THREADS / LANES; w++) {
        if (!state->arrivals[w] || state->arrivals[w] >= state->before[w])
            continue;
        struct hazard hazard = hazard_at(HAZARD_BARRIER_DIVERGENCE, &state->first_arrival, "waits");
        hazard_note(&hazard,
                    "%u of the %u lanes of warp %zu that came to the last barrier " NOTE_ENDED,
                    state->before[w] - state->arrivals[w], state->before[w], w);
        hazard_tell(&hazard);
        break;
    }
    memcpy(state->before, state->arrivals, sizeof state->before);
    memset(state->arrivals, 0, sizeof state->arrivals);
    state->first_line = 0;
    order_barrier();
}

void watch_warp_barrier(unsigned warp, unsigned lanes) {
    settle_doubt();
    order_warp_barrier(warp, lanes);
}

void watch_fence(int device_wide, const void *site) {
    (void)site;
    if (!emulator_stack_bytes)
        return;
    settle_doubt();
    if (device_wide)
        fenced_launch = order_now.number;
    order_fence(emulator_thread, device_wide);
}

void watch_mask(unsigned thread, const void *site, unsigned other, const void *other_site,
                unsigned mask, const char *what) {
    struct hazard hazard =
        at_sites(HAZARD_MASK, thread, site, "gives the mask", other, other_site, "is elsewhere");
    hazard_note(&hazard, "mask 0x%08x: %s", mask, what);
    hazard_tell(&hazard);
    mask_told = true;
}

void watch_deadlock(unsigned thread, const void *site, unsigned other, const void *other_site) {
    struct hazard hazard = at_sites(HAZARD_BARRIER_DIVERGENCE, thread, site, "waits", other,
                                    other_site, "waits elsewhere");
    hazard_note(&hazard, "none of the threads can go on");
    settle_candidates();
    if (!mask_told) /* else that is why */
        hazard_tell(&hazard);
}

/* ---- the host --------------------------------------------------------------------------- */

void watch_allocated(const void *begin, size_t size, enum emulator_memory kind) {
    static const struct {
        enum region_kind kind;
        const char *name;
    } kinds[] = {
        [EMULATOR_DEVICE_MEMORY] = {REGION_DEVICE, "memory of cudaMalloc"},
        [EMULATOR_MANAGED_MEMORY] = {REGION_MANAGED, "memory of cudaMallocManaged"},
        [EMULATOR_PINNED_MEMORY] = {REGION_PINNED, "memory of cudaMallocHost"},
        [EMULATOR_HEAP_MEMORY] = {REGION_DEVICE, "memory of malloc in a kernel"},
        [EMULATOR_REGISTERED_MEMORY] = {REGION_PINNED, "memory of cudaHostRegister"},
    };
    const char *name = named ? named : kinds[kind].name;
    named = NULL;
    if (!size)
        return;
    memory_start();
    struct region *region =
        memory_add((uintptr_t)begin, size, kinds[kind].kind, name, memory_caller());
    region->allocated = true;
    region->in_call = call.active;
    /* The host fills its own memory where nobody sees it. */
    if (kinds[kind].kind != REGION_DEVICE)
        shadow_set_written(&region->shadow, 0, size, true);
}

void watch_freed(const void *begin) { memory_forget((uintptr_t)begin, memory_caller()); }
void watch_unregistered(const void *begin) { memory_remove((uintptr_t)begin); }

int watch_may_register(const void *begin, size_t size) {
    memory_start();
    return !memory_of_harness((uintptr_t)begin, size) && !memory_overlaps((uintptr_t)begin, size);
}

/* Bytes that the host's operations use are looked at word by word up to here. */
enum { LOOKED_AT = 256 * 1024 };

/* Of large copies the first words. */
static void note_copied(const struct use *use, const char *values) {
    enum { WORD = 4, MOST_BYTES = 4096 };
    const struct base base = base_of(use->region);
    if (!call.active || base.begin == call.input || use->address - base.begin >= base.size)
        return;
    for (size_t i = 0; i + WORD <= use->size && i < MOST_BYTES; i += WORD) {
        uint32_t value;
        memcpy(&value, values + i, sizeof value);
        reads_stored = value;
        note_use_of(use->region, use->address + i, WORD, values + i, &use->now);
    }
    reads_stored = 0;
    reads_unsettled = NULL; /* the copy is yet to be made */
}

/* The host's memset, or one side of a memcpy. */
static void host_uses(const void *pointer, size_t size, bool write, bool look, const void *copied) {
    struct region *region = memory_find((uintptr_t)pointer);
    if (!region || region->kind == REGION_FREED ||
        (uintptr_t)pointer + size > region->begin + region->size)
        return;
    if (write)
        region->nothing_pc = size ? 0 : memory_caller();
    const struct use use = {.now = {.pc = memory_caller(),
                                    .launch = order_now.number,
                                    .block = NO_BLOCK,
                                    .flags = write ? ACCESS_WRITE : 0},
                            .address = (uintptr_t)pointer,
                            .size = size,
                            .region = region,
                            .shadow = &region->shadow,
                            .offset = (uintptr_t)pointer - region->begin};
    if (!write && call.active && use.address >= call.input && use.address < call.input_end)
        reads_note(use.address - call.input, size, &use.now);
    if (copied)
        note_copied(&use, copied);
    if (look)
        use_range(&use);
    else if (write)
        shadow_set_written(&region->shadow, use.offset, size, true);
}

static void use_both_sides(void *to, const void *from, size_t size) {
    if (from)
        host_uses(from, size, false, size <= LOOKED_AT, from);
    host_uses(to, size, true, size <= LOOKED_AT, from);
}

void watch_copy(void *to, const void *from, size_t size, cudaStream_t stream, int waits) {
    memory_start();
    order_begin_operation(stream, NULL);
    use_both_sides(to, from, size);
    if (waits)
        watch_host_waits(stream ? stream : cudaStreamLegacy, NULL);
}

void watch_row(void *to, const void *from, size_t size) { use_both_sides(to, from, size); }

static void library_uses(const struct emulator_use *use) {
    const char *at = use->begin;
    size_t bytes = use->bytes, count = use->count;
    if (use->pitch == (ptrdiff_t)bytes) {
        bytes *= count;
        count = 1;
    }
    bool look = bytes * count <= LOOKED_AT;
    for (size_t i = 0; i < count; i++, at += use->pitch)
        host_uses(at, bytes, use->writes, look, NULL);
}

void watch_library(cudaStream_t stream, const struct emulator_use *uses, unsigned count,
                   int waits) {
    memory_start();
    order_begin_operation(stream, NULL);
    for (unsigned i = 0; i < count; i++)
        library_uses(&uses[i]);
    if (waits)
        watch_host_waits(stream ? stream : cudaStreamLegacy, NULL);
}

void watch_library_astray(const struct emulator_use *use, const char *function) {
    memory_start();
    uintptr_t address = (uintptr_t)use->begin;
    struct region *region = memory_find(address);
    struct access now = {.pc = memory_caller(), .block = NO_BLOCK};
    struct hazard hazard = hazard_at(region ? region->kind == REGION_FREED ? HAZARD_USE_AFTER_FREE
                                                                           : HAZARD_OUT_OF_BOUNDS
                                            : HAZARD_DEVICE_TOUCHES_HOST,
                                     &now, use->writes ? "writes" : "reads");
    name_memory(&hazard, region, address, 1);
    if (!region)
        hazard_note(&hazard, "%s was given memory of the host", function);
    hazard.indexed = 0;
    hazard_tell(&hazard);
}

void watch_dependency_wait(void) {
    settle_doubt();
    order_dependency_wait(emulator_thread);
}

void watch_begin_call(const void *input, size_t input_bytes, void *output, size_t output_bytes) {
    struct region *region = memory_find((uintptr_t)output);
    call.active = true;
    order_begin_call();
    call.input = (uintptr_t)input;
    call.input_end = call.input + input_bytes;
    call.output = (uintptr_t)output;
    call.output_end = call.output + output_bytes;
    reads_begin(input_bytes);
    if (region)
        shadow_set_written(&region->shadow, call.output - region->begin, output_bytes, false);
}

void watch_end_call(void) {
    const struct access now = {.block = NO_BLOCK, .pc = order_unjoined()};
    const struct hazard hazard = hazard_at(HAZARD_UNJOINED, &now, "makes the stream");
    call.active = false;
    if (now.pc)
        hazard_tell(&hazard);
}
void watch_begin_step(void) { memory_owner(true); }

static void tell_leak(struct region *region, bool of_call) {
    if (!region->of_step || region->in_call != of_call || region->kind == REGION_FREED ||
        region->kind == REGION_VARIABLE || !region->allocated_pc)
        return;
    struct access now = {.block = NO_BLOCK, .pc = region->allocated_pc};
    struct hazard hazard = hazard_at(HAZARD_LEAK, &now, "allocates it");
    snprintf(hazard.array, sizeof hazard.array, "%s", region->name);
    hazard_note(&hazard, "%zu bytes%s", region->size, of_call ? NOTE_IN_CALL : "");
    hazard_tell(&hazard);
}
static void tell_leak_of_call(struct region *region) { tell_leak(region, true); }
static void tell_leak_of_set_up(struct region *region) { tell_leak(region, false); }

void watch_end_step(void) {
    settle_candidates(); /* of what came after the last launch */
    memory_owner(false);
    /* Those of calls first: they may have taken the place of the set-up's. */
    memory_each(tell_leak_of_call);
    memory_each(tell_leak_of_set_up);
}
