#include "requests.h"
#include "../scheduler/scheduler.h"

#include <stdlib.h>
#include <string.h>

enum { BANKS = 32, BANK_BYTES = 4 };

/* ---- shared memory ---------------------------------------------------------------------- */

/* The most different words in one bank, of what these lanes access: lanes with the same word are
 * served together, by a broadcast or because one store wins. (CUDA C++ Programming Guide, section
 * "Shared Memory" of compute capability 5.x and later.) `meet`: the most of them on one word. */
static inline __attribute__((always_inline)) unsigned
passes_of(const struct request *request, uint32_t lanes, unsigned words, unsigned *meet) {
    static __thread uint8_t *on_word; /* of all shared memory; zeros from one request to the next */
    uint8_t count[BANKS] = {0};       /* words of each bank */
    unsigned most = 0;
    if (!on_word)
        on_word = emulator_need(calloc(emulator_shared_bytes / BANK_BYTES + WARP, 1));
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t first = request->address[__builtin_ctz(rest)] / BANK_BYTES;
        for (uint64_t word = first; word < first + words; word++) {
            unsigned there = ++on_word[word], bank = word % BANKS;
            count[bank] = (uint8_t)(count[bank] + (there == 1));
            most = count[bank] > most ? count[bank] : most;
            *meet = there > *meet ? there : *meet;
        }
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        memset(&on_word[request->address[__builtin_ctz(rest)] / BANK_BYTES], 0, words);
    return most;
}

/* One word each is usual, and then there is no loop of words. */
static unsigned passes(const struct request *request, uint32_t lanes, unsigned *meet) {
    return request->bytes <= BANK_BYTES
               ? passes_of(request, lanes, 1, meet)
               : passes_of(request, lanes, request->bytes / BANK_BYTES, meet);
}

/* The most lanes in one bank. */
static unsigned most_in_one_bank(const struct request *request, uint32_t lanes) {
    unsigned count[BANKS] = {0}, most = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned bank = request->address[__builtin_ctz(rest)] / BANK_BYTES % BANKS;
        if (++count[bank] > most)
            most = count[bank];
    }
    return most;
}

/* One lane of each bank. */
static uint32_t one_a_bank(const struct request *request, uint32_t lanes) {
    uint32_t chosen = 0, banks = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t bank = 1u << request->address[lane] / BANK_BYTES % BANKS;
        if (!(banks & bank))
            chosen |= 1u << lane;
        banks |= bank;
    }
    return chosen;
}

static void count_passes(struct measure *measure, unsigned wavefronts, unsigned conflicts) {
    measure->wavefronts += wavefronts;
    measure->conflicts += conflicts;
}

/* The lanes of one part of a warp: all, a half or a quarter. */
static uint32_t part_of_warp(unsigned part, unsigned parts) {
    return ~0u >> (WARP - WARP / parts) << part * (WARP / parts);
}

/* 8-byte accesses go by half warps, 16-byte ones by quarters. */
static unsigned parts_for(unsigned bytes) { return bytes <= 4 ? 1 : bytes <= 8 ? 2 : 4; }

/* Each lane has the address of the lane whose number differs in this bit, if both take part. */
static bool pairs_share(const struct request *request, uint32_t lanes, unsigned bit) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest), other = lane ^ bit;
        if (lanes >> other & 1 && request->address[lane] != request->address[other])
            return false;
    }
    return true;
}

/* Two parts load together if pairs of lanes share what they load. */
static unsigned parts_of_load(const struct request *request, uint32_t lanes) {
    unsigned parts = parts_for(request->bytes);
    if (parts > 1 && (pairs_share(request, lanes, 1) || pairs_share(request, lanes, 2)))
        parts /= 2;
    return parts;
}

/* Lanes on one word are served together. Returns the most lanes that meet on one word in a part. */
static unsigned load_or_store(const struct request *request, uint32_t lanes, bool loads,
                              struct measure *measure) {
    unsigned meet = 0, parts = loads ? parts_of_load(request, lanes) : parts_for(request->bytes);
    for (unsigned part = 0; part < parts; part++) {
        unsigned all = passes(request, lanes & part_of_warp(part, parts), &meet);
        count_passes(measure, all, all ? all - 1 : 0);
    }
    return meet;
}

/* Each lane of a bank is served by itself. */
static void lane_by_lane(const struct request *request, unsigned passes_each,
                         struct measure *measure) {
    unsigned parts = parts_for(request->bytes);
    for (unsigned part = 0; part < parts; part++) {
        unsigned all = most_in_one_bank(request, request->mask & part_of_warp(part, parts));
        count_passes(measure, passes_each * all, all ? all - 1 : 0);
    }
}

/* The lanes whose swaps succeed: in each part one a bank, unless the last changed its word. */
static uint32_t swapped(const struct request *request, uint32_t lanes) {
    unsigned parts = parts_for(request->bytes);
    uint32_t done = 0, first = 0;
    for (unsigned part = 0; part < parts; part++) {
        uint32_t chosen = one_a_bank(request, lanes & part_of_warp(part, parts));
        for (uint32_t rest = chosen; first && rest; rest &= rest - 1)
            for (uint32_t other = first; other; other &= other - 1)
                if (request->address[__builtin_ctz(rest)] == request->address[__builtin_ctz(other)])
                    chosen &= ~(rest & -rest);
        first = chosen;
        done |= chosen;
    }
    return done;
}

/* A loop of a load and a compare-and-swap: one that meets a conflict fails, and is repeated. */
static void loop_of_swaps(const struct request *request, struct measure *measure) {
    unsigned parts = parts_for(request->bytes);
    for (uint32_t lanes = request->mask; lanes; lanes &= ~swapped(request, lanes)) {
        load_or_store(request, lanes, true, measure);
        for (unsigned part = 0; part < parts; part++)
            count_passes(measure, lanes & part_of_warp(part, parts) ? 2 : 0, 0);
    }
}

/* ---- global memory ---------------------------------------------------------------------- */

static void use_sectors(struct measure *measure, uint64_t line, unsigned sectors) {
    unsigned i = measure->line_count;
    while (i > 0 && measure->line[i - 1] != line)
        i--;
    if (i == 0) {
        i = ++measure->line_count;
        measure->line[i - 1] = line;
        measure->used[i - 1] = 0;
    }
    measure->used[i - 1] |= (uint8_t)sectors;
}

/* Most often a lane's sector is that of the lane before it. */
static void measure_global(const struct request *request, struct measure *measure) {
    unsigned bytes = request->space == LOCAL && request->bytes > 4 ? 4 : request->bytes;
    uint64_t before = UINT64_MAX;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint64_t first = request->address[__builtin_ctz(rest)];
        uint64_t last = first + bytes - 1;
        for (uint64_t sector = first / SECTOR; sector <= last / SECTOR; sector++)
            if (sector != before)
                use_sectors(measure, sector * SECTOR / LINE, 1u << sector % (LINE / SECTOR));
        before = last / SECTOR;
    }
    for (unsigned i = 0; i < measure->line_count; i++)
        measure->sectors += (unsigned)__builtin_popcount(measure->used[i]);
}

/* The most different words in a bank of the L1 that these lanes load: those of one go together. */
static unsigned l1_passes_of(const struct request *request, uint32_t lanes) {
    unsigned count[BANKS] = {0}, most = 0;
    unsigned words = request->bytes < BANK_BYTES ? 1 : request->bytes / BANK_BYTES;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t first = request->address[__builtin_ctz(rest)] / BANK_BYTES;
        uint32_t before = lanes & ((rest & -rest) - 1);
        while (before && request->address[__builtin_ctz(before)] / BANK_BYTES != first)
            before &= before - 1;
        for (unsigned word = 0; !before && word < words; word++) {
            unsigned bank = (first + word) % BANKS;
            most = ++count[bank] > most ? count[bank] : most;
        }
    }
    return most;
}

/* Half warps and quarters go one after the other, as it is documented of shared memory; no
 * benchmark shows it here, but one kernel does (k438 of tests/unseen.sources). Of few lines, such
 * as a row's that is not aligned, sectors tell it better than words (k335). */
static unsigned l1_passes(const struct request *request, unsigned lines) {
    enum { FEW_LINES = 2 };
    unsigned passes = 0;
    if (request->kind != LOAD || (parts_for(request->bytes) == 1 && lines <= FEW_LINES))
        return 0;
    unsigned parts = parts_of_load(request, request->mask);
    for (unsigned part = 0; part < parts; part++)
        passes += l1_passes_of(request, request->mask & part_of_warp(part, parts));
    return passes;
}

/* An atomic sends a sector once for each lane that meets on one word of it: H200, kernels one_word
 * and anywhere of tests/counters/global_atomics. */
static void measure_global_atomic(const struct request *request, struct measure *measure) {
    uint64_t *sector = measure->part;
    uint8_t lanes[WARP][SECTOR / 4] = {{0}}, *most = measure->sent;
    unsigned count = 0;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint64_t address = request->address[__builtin_ctz(rest)];
        unsigned i = 0, word = address % SECTOR / 4;
        while (i < count && sector[i] != address / SECTOR)
            i++;
        if (i == count) {
            sector[count] = address / SECTOR;
            most[count++] = 0;
        }
        if (++lanes[i][word] > most[i])
            most[i] = lanes[i][word];
    }
    measure->parts = count;
    measure->sectors = 0;
    for (unsigned i = 0; i < count; i++)
        measure->sectors += most[i];
}

/* ---- lanes at one address --------------------------------------------------------------- */

struct groups {
    unsigned count;
    uint64_t address[WARP];
    unsigned lanes[WARP];
};

static void group_by_address(const struct request *request, struct groups *groups) {
    enum { SLOTS = 64, NOBODY = 255 };
    uint8_t slot[SLOTS];
    memset(slot, NOBODY, sizeof slot);
    groups->count = 0;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint64_t address = request->address[__builtin_ctz(rest)];
        unsigned s = address * 0x9E3779B97F4A7C15u >> 58;
        while (slot[s] != NOBODY && groups->address[slot[s]] != address)
            s = (s + 1) % SLOTS;
        if (slot[s] == NOBODY) {
            slot[s] = (uint8_t)groups->count;
            groups->address[groups->count] = address;
            groups->lanes[groups->count++] = 0;
        }
        groups->lanes[slot[s]]++;
    }
}

/* No two are equal, which is usual, and seen at once where addresses go up. */
static bool all_rise(const struct request *request) {
    uint64_t before = 0;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint64_t address = request->address[__builtin_ctz(rest)];
        if (address <= before)
            return false;
        before = address;
    }
    return true;
}

/* How many different addresses it has, or what takes their place; 0: all lanes the same. */
static unsigned addresses_of(const struct request *request) {
    struct groups groups;
    group_by_address(request, &groups);
    return groups.count > 1 ? groups.count : 0;
}

static unsigned most_on_one_address(const struct request *request) {
    struct groups groups;
    unsigned most = 1;
    if (all_rise(request))
        return most;
    group_by_address(request, &groups);
    for (unsigned i = 0; i < groups.count; i++)
        most = groups.lanes[i] > most ? groups.lanes[i] : most;
    return most;
}

/* Each lane accesses a whole word. */
static bool is_of_words(const struct request *request) {
    uint64_t bits = request->bytes;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1)
        bits |= request->address[__builtin_ctz(rest)];
    return request->bytes == BANK_BYTES && bits % BANK_BYTES == 0;
}

/* Wavefronts (passes through shared memory), as Nsight Compute counts them on an H200
 * (smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_*). With these rules, the small kernels
 * shared_* of tests/counters give the same counts as on that GPU: see
 * report/recorded/counters/README.md. */
static void measure_shared(const struct request *request, struct measure *measure) {
    unsigned meet = 0;
    if (request->kind != ATOMIC)
        meet = load_or_store(request, request->mask, request->kind == LOAD, measure);
    else if (request->atomic == EMULATOR_ATOMIC_ONE) /* adds up the lanes of a word first */
        meet = load_or_store(request, request->mask, false, measure);
    else if (request->atomic == EMULATOR_ATOMIC_LOOP || request->atomic == EMULATOR_ATOMIC_KNOWN)
        loop_of_swaps(request, measure);
    else
        lane_by_lane(request, request->atomic == EMULATOR_ATOMIC_SWAP ? 2 : 1, measure);
    measure->multiplicity = meet && is_of_words(request) ? meet : most_on_one_address(request);
}

void request_measure(const struct request *request, struct measure *measure) {
    measure->wavefronts = measure->conflicts = measure->sectors = measure->line_count = 0;
    measure->l1_passes = 0;
    if (request->space == SHARED) {
        measure_shared(request, measure);
        return;
    }
    measure->multiplicity = most_on_one_address(request);
    measure_global(request, measure);
    measure->l1_passes = l1_passes(request, measure->line_count);
    if (request->kind == ATOMIC)
        measure_global_atomic(request, measure);
}

void request_touch(const struct request *request, const struct measure *measure) {
    for (unsigned i = 0; i < measure->line_count; i++)
        region_touch(measure->line[i] * LINE, measure->used[i], (enum kind)request->kind);
}

/* ---- sums ------------------------------------------------------------------------------- */

static bool same_counter(const struct counter *a, const struct counter *b) {
    return a->site == b->site && a->loop == b->loop && a->kind == b->kind && a->space == b->space &&
           a->bytes == b->bytes;
}

void counter_add(struct counter *sum, const struct counter *add) {
    for (enum figure f = REQUESTS; f < MOST; f++)
        sum->figure[f] += add->figure[f];
    if (add->figure[MOST] > sum->figure[MOST])
        sum->figure[MOST] = add->figure[MOST];
}

/* To the counter of that place; if the table is full, to none. */
static void add_counter(struct tally *tally, const struct counter *add) {
    unsigned at = (add->site * 2654435761u ^ add->loop * 40503u ^ add->space) % COUNTERS;
    while (tally->counters[at].figure[REQUESTS] && !same_counter(&tally->counters[at], add))
        at = (at + 1) % COUNTERS;
    struct counter *found = &tally->counters[at];
    if (found->figure[REQUESTS]) {
        counter_add(found, add);
    } else if (tally->counter_count > COUNTERS * 3 / 4) {
        tally->overflow = true;
    } else {
        tally->counter_count++;
        *found = *add;
    }
}

/* Whether nvcc lets one lane add for all. Of 64 bits it sums up only what it knows, and in shared
 * memory it makes a loop of the addition. */
static bool adds_up(unsigned atomic, unsigned space) {
    return atomic != EMULATOR_ATOMIC_SWAP && atomic != EMULATOR_ATOMIC_LOOP &&
           (atomic != EMULATOR_ATOMIC_KNOWN || space == GLOBAL);
}

/* If a step adds to more addresses than there is room for, the late ones are never the hottest. */
static void add_hot(struct hot_table *table, const struct hot *add) {
    uint64_t address = add->address;
    unsigned at = (unsigned)(address * 0x9E3779B97F4A7C15u >> 40) % HOT_ADDRESSES;
    while (table->hot[at].requests && table->hot[at].address != address)
        at = (at + 1) % HOT_ADDRESSES;
    struct hot *hot = &table->hot[at];
    if (!hot->requests) {
        if (table->count > HOT_ADDRESSES * 3 / 4)
            return;
        table->count++;
        *hot = (struct hot){.address = address, .merges = true};
    }
    hot->adds += add->adds;
    hot->requests += add->requests;
    hot->merges &= add->merges;
}

static void note_hot(struct tally *tally, const struct request *request,
                     const struct measure *measure) {
    struct groups groups;
    group_by_address(request, &groups);
    bool merges = groups.count == 1 && adds_up(request->atomic, GLOBAL);
    for (unsigned i = 0; i < groups.count; i++)
        add_hot(&tally->addresses, &(struct hot){groups.address[i], groups.lanes[i], 1, merges});
    for (unsigned i = 0; i < measure->parts; i++)
        add_hot(&tally->near,
                &(struct hot){measure->part[i] * SECTOR / NEAR, measure->sent[i], 1, merges});
}

uint64_t hottest(const struct hot_table *table, uint64_t *requests) {
    const struct hot *hot = NULL;
    for (unsigned i = 0; i < HOT_ADDRESSES; i++) {
        const struct hot *h = &table->hot[i];
        if (h->requests &&
            (!hot || h->adds > hot->adds || (h->adds == hot->adds && h->address < hot->address)))
            hot = h;
    }
    *requests = hot ? hot->requests : 0;
    return !hot ? 0 : hot->merges ? hot->requests : hot->adds;
}

void tally_add(struct tally *tally, const struct request *request, const struct measure *measure) {
    add_counter(tally,
                &(struct counter){.site = request->site,
                                  .loop = request->loop,
                                  .kind = request->kind,
                                  .space = request->space,
                                  .bytes = request->bytes,
                                  .atomic = request->atomic,
                                  .figure[REQUESTS] = 1,
                                  .figure[LANES] = (unsigned)__builtin_popcount(request->mask),
                                  .figure[SECTORS] = measure->sectors,
                                  .figure[LINES] = measure->line_count,
                                  .figure[WAVEFRONTS] = measure->wavefronts,
                                  .figure[CONFLICTS] = measure->conflicts,
                                  .figure[SAME] = measure->multiplicity,
                                  .figure[MOST] = measure->multiplicity});
    if (request->kind == ATOMIC && request->space == GLOBAL)
        note_hot(tally, request, measure);
}

static void add_constants(struct tally *tally, uint64_t begin, uint64_t end) {
    if (begin && (!tally->constant_begin || begin < tally->constant_begin))
        tally->constant_begin = begin;
    if (end > tally->constant_end)
        tally->constant_end = end;
}

static void add_constant(struct tally *tally, const struct request *request) {
    tally->event[CONSTANTS] += addresses_of(request);
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint64_t address = request->address[__builtin_ctz(rest)];
        add_constants(tally, address, address + 1);
    }
}

void tally_event(struct tally *tally, const struct request *request) {
    tally->event[BARRIERS] += request->kind == BARRIER;
    tally->event[OPERATIONS] += request->kind == WARP_OPERATION || request->kind == MATCH;
    tally->event[FENCES] += request->kind == FENCE;
    tally->event[EMPTY_TURNS] += request->kind == TURNS ? request->turn : 0;
    if (request->kind == WARP_OPERATION)
        tally->event[GROUPS] += addresses_of(request);
    else if (request->kind == MATCH)
        tally->event[MATCHES] += addresses_of(request);
    else if (request->kind == CONSTANT)
        add_constant(tally, request);
}

/* If all lanes of every request share an address, nvcc saw that it is one, and makes one lane add
 * for its warp (one_word_seen of tests/counters/global_atomics, last_block of waiting). */
void counter_finish(struct counter *counter) {
    if (counter->kind != ATOMIC || !adds_up(counter->atomic, counter->space) ||
        counter->figure[SAME] != counter->figure[LANES])
        return;
    if (counter->space == GLOBAL)
        counter->figure[SECTORS] = counter->figure[REQUESTS];
    else
        counter->figure[WAVEFRONTS] = counter->figure[REQUESTS];
    counter->figure[CONFLICTS] = 0;
    counter->figure[SAME] = counter->figure[REQUESTS];
    counter->figure[MOST] = 1;
    counter->merged = true;
}

static void merge_hot(struct hot_table *into, const struct hot_table *from) {
    for (unsigned i = 0; i < HOT_ADDRESSES && from->count; i++)
        if (from->hot[i].requests)
            add_hot(into, &from->hot[i]);
}

void tally_merge(struct tally *into, struct tally *from) {
    for (unsigned i = 0; i < COUNTERS && from->counter_count; i++)
        if (from->counters[i].figure[REQUESTS])
            add_counter(into, &from->counters[i]);
    merge_hot(&into->addresses, &from->addresses);
    merge_hot(&into->near, &from->near);
    for (enum event e = BARRIERS; e < EVENTS; e++)
        into->event[e] += from->event[e];
    add_constants(into, from->constant_begin, from->constant_end);
    into->overflow |= from->overflow;
    memset(from, 0, sizeof *from);
}
