#include "requests.h"

#include <string.h>

enum { BANKS = 32, BANK_BYTES = 4 };

/* ---- shared memory ---------------------------------------------------------------------- */

/* The most different words in one bank, of what these lanes access: lanes with the same word are
 * served together, by a broadcast or because one store wins. (CUDA C++ Programming Guide, section
 * "Shared Memory" of compute capability 5.x and later.) */
static unsigned passes(const struct request *request, uint32_t lanes) {
    uint32_t word[BANKS][WARP * 4];
    uint8_t count[BANKS];
    unsigned most = 0, words = request->bytes <= BANK_BYTES ? 1 : request->bytes / BANK_BYTES;
    memset(count, 0, sizeof count);
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        uint64_t first = request->address[__builtin_ctz(rest)] / BANK_BYTES;
        for (unsigned w = 0; w < words; w++) {
            unsigned bank = (unsigned)(first + w) % BANKS, i = 0;
            while (i < count[bank] && word[bank][i] != (uint32_t)(first + w))
                i++;
            if (i < count[bank])
                continue;
            word[bank][i] = (uint32_t)(first + w);
            count[bank]++;
            most = i + 1 > most ? i + 1 : most;
        }
    }
    return most;
}

/* Passes through shared memory, as Nsight Compute counts them
 * (l1tex__data_pipe_lsu_wavefronts_mem_shared): a warp's 4-byte accesses are one pass where no two
 * words of a bank differ; 8-byte accesses go by half warps, 16-byte ones by quarters.
 *
 * Atomics count like loads: the profile of opt05 in report/recorded/evidence has one pass for each
 * atomic request, and lanes that meet on one address add none to the passes. What they cost in time
 * is known by `multiplicity`. */
static void measure_shared(const struct request *request, struct measure *measure) {
    unsigned parts = request->bytes <= 4 ? 1 : request->bytes <= 8 ? 2 : 4, least = 0;
    for (unsigned part = 0; part < parts; part++) {
        uint32_t lanes = request->mask;
        if (parts > 1)
            lanes &= ((1u << WARP / parts) - 1) << part * (WARP / parts);
        measure->wavefronts += passes(request, lanes);
        least += lanes != 0;
    }
    measure->conflicts = measure->wavefronts - least;
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

static void measure_global(const struct request *request, struct measure *measure) {
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        uint64_t first = request->address[__builtin_ctz(rest)];
        uint64_t last = first + request->bytes - 1;
        for (uint64_t sector = first / SECTOR; sector <= last / SECTOR; sector++)
            use_sectors(measure, sector * SECTOR / LINE, 1u << sector % (LINE / SECTOR));
    }
    for (unsigned i = 0; i < measure->line_count; i++)
        measure->sectors += (unsigned)__builtin_popcount(measure->used[i]);
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

void request_measure(const struct request *request, struct measure *measure) {
    measure->wavefronts = measure->conflicts = measure->sectors = measure->line_count = 0;
    measure->multiplicity = most_on_one_address(request);
    if (request->space == SHARED)
        measure_shared(request, measure);
    else
        measure_global(request, measure);
}

void request_touch(const struct request *request, const struct measure *measure) {
    for (unsigned i = 0; i < measure->line_count; i++) {
        if (request->kind != STORE)
            region_touch(measure->line[i] * LINE, measure->used[i], false);
        if (request->kind != LOAD)
            region_touch(measure->line[i] * LINE, measure->used[i], true);
    }
}

/* ---- sums ------------------------------------------------------------------------------- */

static bool same_counter(const struct counter *a, const struct counter *b) {
    return a->site == b->site && a->loop == b->loop && a->kind == b->kind && a->space == b->space &&
           a->bytes == b->bytes;
}

/* The counter of that place; one that nobody reads where the table is full. */
static struct counter *find_counter(struct tally *tally, const struct counter *wanted) {
    static __thread struct counter nobody;
    unsigned at = (wanted->site * 2654435761u ^ wanted->loop * 40503u ^ wanted->space) % COUNTERS;
    while (tally->counters[at].requests && !same_counter(&tally->counters[at], wanted))
        at = (at + 1) % COUNTERS;
    struct counter *found = &tally->counters[at];
    if (found->requests)
        return found;
    if (tally->counter_count > COUNTERS * 3 / 4) {
        tally->overflow = true;
        return &nobody;
    }
    tally->counter_count++;
    *found = (struct counter){.site = wanted->site,
                              .loop = wanted->loop,
                              .kind = wanted->kind,
                              .space = wanted->space,
                              .bytes = wanted->bytes};
    return found;
}

/* Where a step adds to more addresses than there is room for, none of those that come late is hot.
 */
static void add_hot(struct tally *tally, uint64_t address, uint64_t adds, uint64_t requests) {
    unsigned at = (unsigned)(address * 0x9E3779B97F4A7C15u >> 40) % HOT_ADDRESSES;
    while (tally->hot[at].requests && tally->hot[at].address != address)
        at = (at + 1) % HOT_ADDRESSES;
    struct hot *hot = &tally->hot[at];
    if (!hot->requests) {
        if (tally->hot_count > HOT_ADDRESSES * 3 / 4)
            return;
        tally->hot_count++;
        *hot = (struct hot){.address = address};
    }
    hot->adds += adds;
    hot->requests += requests;
}

static void note_hot(struct tally *tally, const struct request *request) {
    struct groups groups;
    group_by_address(request, &groups);
    for (unsigned i = 0; i < groups.count; i++)
        add_hot(tally, groups.address[i], groups.lanes[i], 1);
}

void tally_add(struct tally *tally, const struct request *request, const struct measure *measure) {
    struct counter wanted = {.site = request->site,
                             .loop = request->loop,
                             .kind = request->kind,
                             .space = request->space,
                             .bytes = request->bytes};
    struct counter *counter = find_counter(tally, &wanted);
    counter->requests++;
    counter->lanes += (unsigned)__builtin_popcount(request->mask);
    counter->sectors += measure->sectors;
    counter->lines += measure->line_count;
    counter->wavefronts += measure->wavefronts;
    counter->conflicts += measure->conflicts;
    counter->same += measure->multiplicity;
    if (measure->multiplicity > counter->most)
        counter->most = measure->multiplicity;
    if (request->kind == ATOMIC && request->space == GLOBAL)
        note_hot(tally, request);
}

void tally_merge(struct tally *into, struct tally *from) {
    for (unsigned i = 0; i < COUNTERS && from->counter_count; i++) {
        const struct counter *add = &from->counters[i];
        if (!add->requests)
            continue;
        struct counter *sum = find_counter(into, add);
        sum->requests += add->requests;
        sum->lanes += add->lanes;
        sum->sectors += add->sectors;
        sum->lines += add->lines;
        sum->wavefronts += add->wavefronts;
        sum->conflicts += add->conflicts;
        sum->same += add->same;
        sum->most = add->most > sum->most ? add->most : sum->most;
    }
    for (unsigned i = 0; i < HOT_ADDRESSES && from->hot_count; i++)
        if (from->hot[i].requests)
            add_hot(into, from->hot[i].address, from->hot[i].adds, from->hot[i].requests);
    into->barriers += from->barriers;
    into->warp_operations += from->warp_operations;
    into->fences += from->fences;
    into->overflow |= from->overflow;
    memset(from, 0, sizeof *from);
}
