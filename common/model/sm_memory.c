#include "sm_memory.h"

#include <stdlib.h>
#include <string.h>

#include "reuse.h"

enum { WARP = 32, LINE = 128, SECTOR = 32, SECTORS = 4, NONE = -1 };
/* How far the atomic units may fall behind before a warp that adds has to wait. */
static const double ATOMIC_QUEUE_NS = 1000;
/* The same for what stores have to move. */
static const double STORE_QUEUE_NS = 1000;
/* The same for the unit that loads, stores and shared memory have in common: a few requests of each
 * scheduler. */
static const double LSU_QUEUE_CYCLES = 64;

/* ---- L1: lines with sectors, the least recently used goes ------------------------------------
 */

struct l1_line {
    uint64_t key;
    double ready[SECTORS]; /* when the sector is there */
    unsigned sectors;      /* that are there, or on their way */
    int next;              /* in its chain of the hash table */
    int older, newer;      /* in order of use */
};

struct l1 {
    struct l1_line *lines;
    int *heads;
    size_t room, buckets;
    size_t used;
    int oldest, newest;
};

static uint64_t mixed(uint64_t x) { /* the finalizer of MurmurHash3 */
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

static bool l1_begin(struct l1 *l1, double bytes) {
    l1->room = bytes < LINE ? 1 : (size_t)(bytes / LINE);
    l1->buckets = 1;
    while (l1->buckets < 2 * l1->room)
        l1->buckets *= 2;
    l1->lines = calloc(l1->room, sizeof *l1->lines);
    l1->heads = malloc(l1->buckets * sizeof *l1->heads);
    l1->oldest = l1->newest = NONE;
    for (size_t i = 0; l1->heads && i < l1->buckets; i++)
        l1->heads[i] = NONE;
    return l1->lines && l1->heads;
}

static int *l1_head(struct l1 *l1, uint64_t key) {
    return &l1->heads[mixed(key) & (l1->buckets - 1)];
}

static int l1_find(struct l1 *l1, uint64_t key) {
    int i = *l1_head(l1, key);
    while (i != NONE && l1->lines[i].key != key)
        i = l1->lines[i].next;
    return i;
}

static void l1_unlink_use(struct l1 *l1, int i) {
    struct l1_line *line = &l1->lines[i];
    *(line->older == NONE ? &l1->oldest : &l1->lines[line->older].newer) = line->newer;
    *(line->newer == NONE ? &l1->newest : &l1->lines[line->newer].older) = line->older;
}

static void l1_make_newest(struct l1 *l1, int i) {
    struct l1_line *line = &l1->lines[i];
    line->older = l1->newest;
    line->newer = NONE;
    *(l1->newest == NONE ? &l1->oldest : &l1->lines[l1->newest].newer) = i;
    l1->newest = i;
}

static void l1_unlink_chain(struct l1 *l1, int i) {
    int *at = l1_head(l1, l1->lines[i].key);
    while (*at != i)
        at = &l1->lines[*at].next;
    *at = l1->lines[i].next;
}

/* The line, which is now the newest; it takes the oldest one's place if it was not there. */
static struct l1_line *l1_touch(struct l1 *l1, uint64_t key) {
    int i = l1_find(l1, key);
    if (i != NONE) {
        l1_unlink_use(l1, i);
        l1_make_newest(l1, i);
        return &l1->lines[i];
    }
    if (l1->used < l1->room)
        i = (int)l1->used++;
    else {
        i = l1->oldest;
        l1_unlink_use(l1, i);
        l1_unlink_chain(l1, i);
    }
    int *head = l1_head(l1, key);
    l1->lines[i] = (struct l1_line){.key = key, .next = *head};
    *head = i;
    l1_make_newest(l1, i);
    return &l1->lines[i];
}

/* An atomic changes the line in the L2: what the L1 has of it is no longer valid. */
static void l1_forget(struct l1 *l1, uint64_t key) {
    int i = l1_find(l1, key);
    if (i != NONE)
        l1->lines[i].sectors = 0;
}

static void l1_forget_all(struct l1 *l1) {
    for (size_t i = 0; i < l1->used; i++)
        l1->lines[i].sectors = 0;
}

/* ---- pieces of DRAM that were fetched, and when they are in the L2 --------------------------- */

struct fetched {
    uint64_t *keys; /* 0: free */
    double *ready;
    double *passed; /* bytes that went through the L2 before it was last used */
    size_t room, used;
};

static size_t fetched_find(struct fetched *fetched, uint64_t key, bool *found) {
    size_t i = mixed(key) & (fetched->room - 1);
    while (fetched->keys[i] && fetched->keys[i] != key)
        i = (i + 1) & (fetched->room - 1);
    *found = fetched->keys[i] == key;
    fetched->keys[i] = key;
    return i;
}

static bool fetched_begin(struct fetched *fetched, size_t room) {
    fetched->room = room;
    fetched->used = 0;
    fetched->keys = calloc(room, sizeof *fetched->keys);
    fetched->ready = malloc(room * sizeof *fetched->ready);
    fetched->passed = malloc(room * sizeof *fetched->passed);
    return fetched->keys && fetched->ready && fetched->passed;
}

/* Room for one more: twice as much when it is half full. Without memory all is forgotten. */
static void fetched_grow(struct fetched *fetched) {
    if (2 * ++fetched->used < fetched->room)
        return;
    struct fetched old = *fetched;
    if (!fetched_begin(fetched, 2 * old.room)) {
        free(fetched->keys);
        free(fetched->ready);
        free(fetched->passed);
        *fetched = old;
        memset(fetched->keys, 0, old.room * sizeof *old.keys);
        fetched->used = 0;
        return;
    }
    for (size_t i = 0; i < old.room; i++) {
        bool found;
        if (!old.keys[i])
            continue;
        size_t to = fetched_find(fetched, old.keys[i], &found);
        fetched->ready[to] = old.ready[i];
        fetched->passed[to] = old.passed[i];
        fetched->used++;
    }
    free(old.keys);
    free(old.ready);
    free(old.passed);
}

/* ---- what is on its way from DRAM: a heap by the time of arrival ----------------------------- */

struct arrival {
    double time, bytes;
};

struct in_flight {
    struct arrival *heap;
    size_t count, room;
    double bytes;
};

static void in_flight_add(struct in_flight *flight, double time, double bytes) {
    if (flight->count == flight->room) {
        size_t room = flight->room ? 2 * flight->room : 1024;
        struct arrival *moved = realloc(flight->heap, room * sizeof *moved);
        if (!moved)
            return;
        flight->heap = moved;
        flight->room = room;
    }
    size_t i = flight->count++;
    for (; i && flight->heap[(i - 1) / 2].time > time; i = (i - 1) / 2)
        flight->heap[i] = flight->heap[(i - 1) / 2];
    flight->heap[i] = (struct arrival){.time = time, .bytes = bytes};
    flight->bytes += bytes;
}

static void in_flight_until(struct in_flight *flight, double now) {
    while (flight->count && flight->heap[0].time <= now) {
        flight->bytes -= flight->heap[0].bytes;
        struct arrival last = flight->heap[--flight->count];
        size_t i = 0, child;
        while ((child = 2 * i + 1) < flight->count) {
            if (child + 1 < flight->count &&
                flight->heap[child + 1].time < flight->heap[child].time)
                child++;
            if (flight->heap[child].time >= last.time)
                break;
            flight->heap[i] = flight->heap[child];
            i = child;
        }
        if (flight->count)
            flight->heap[i] = last;
        else
            flight->bytes = 0;
    }
}

/* ---- the memory ------------------------------------------------------------------------- */

struct memory {
    const struct gpu *gpu;
    struct memory_setting setting;
    struct memory_use use;
    struct l1 l1;
    struct fetched fetched;
    struct in_flight flight;
    double cycle;
    double l2_gbps, dram_gbps; /* of this multiprocessor */
    double written;            /* bytes that its stores have sent to DRAM */
    double passed;             /* bytes of its blocks' own lines that went through the L2 */
    double lsu_free, l2_free, dram_free, atomics_free; /* when each is free again */
};

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

struct memory *sm_memory_new(const struct gpu *gpu, const struct memory_setting *setting) {
    struct memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    memory->gpu = gpu;
    memory->setting = *setting;
    memory->cycle = 1e3 / gpu->clock_mhz;
    memory->l2_gbps = least(gpu->l2_gbps / setting->active, gpu->sm_l2_gbps);
    memory->dram_gbps = least(setting->dram_gbps / setting->active, gpu->sm_dram_gbps);
    if (l1_begin(&memory->l1, setting->l1_bytes) && fetched_begin(&memory->fetched, 4096))
        return memory;
    sm_memory_free(memory);
    return NULL;
}

void sm_memory_free(struct memory *memory) {
    if (!memory)
        return;
    free(memory->l1.lines);
    free(memory->l1.heads);
    free(memory->fetched.keys);
    free(memory->fetched.ready);
    free(memory->fetched.passed);
    free(memory->flight.heap);
    free(memory);
}

const struct memory_use *sm_memory_used(const struct memory *memory) { return &memory->use; }

void sm_memory_fence(struct memory *memory) { l1_forget_all(&memory->l1); }

double sm_memory_drained(const struct memory *memory) {
    return most(most(memory->l2_free, memory->dram_free),
                most(memory->lsu_free, memory->atomics_free));
}

/* Cycles of the L1 for a request of so many bytes for each lane. It takes two lines in each cycle,
 * and the parts of different lines that lie in the same banks one after the other; banks are known
 * by sector only, but where the trace says how often a load of more than 4 bytes goes through it,
 * half warp by half warp. A warp's registers take 4 bytes for each lane in a cycle, also where all
 * lanes read one place (an H200: 4.02 cycles for 16 bytes). */
static double l1_cycles(const struct memory *memory, const struct counts *counts,
                        const struct counts_item *item, unsigned bytes) {
    unsigned in_place[SECTORS] = {0}, worst = 1;
    for (unsigned i = 0; i < item->line_count && !item->wavefronts; i++)
        for (int sector = 0; sector < SECTORS; sector++)
            if (counts->lines[item->first_line + i].sectors >> sector & 1)
                if (++in_place[sector] > worst)
                    worst = in_place[sector];
    double turns = most(most(worst, item->line_count / 2.0), most(item->wavefronts, bytes / 4.0));
    return gpu_at(&memory->gpu->request_l1_cycles, turns);
}

/* The unit that loads, stores and shared memory have in common, busy for so many cycles from now
 * on at the earliest. When it is through. */
static double lsu(struct memory *memory, double now, double cycles, double weight) {
    double took = cycles * memory->cycle;
    memory->lsu_free = most(now, memory->lsu_free) + took;
    memory->use.lsu_ns += took * weight;
    return memory->lsu_free;
}

double sm_memory_shuffle(struct memory *memory, double now, double count, double weight) {
    double took = count / memory->gpu->shuffle_per_cycle * memory->cycle;
    memory->lsu_free = most(now, memory->lsu_free) + took;
    memory->use.shuffle_ns += took * weight;
    return memory->lsu_free;
}

/* How long a load of DRAM takes while so many bytes are on their way: bytes in flight over what
 * they achieve (Little's law), as measured with all multiprocessors, and with one alone. Where DRAM
 * writes, too, a load waits for that, as long as it is busy with writing (the median of copies with
 * 2 to 8 KiB of loads in flight, which keep it less than three quarters busy: an H200 530 to 1000
 * ns, an H100 510 to 830). */
static double dram_latency(const struct memory *memory, double now, double bytes) {
    static const double WRITING_NS = 770;
    const struct gpu *gpu = memory->gpu;
    double together = bytes * memory->setting.active / gpu->multiprocessors;
    double written = memory->written * memory->setting.active / most(1, now);
    double latency = gpu->dram_ns;
    if (together >= gpu->in_flight.x[0])
        latency =
            most(latency, together * gpu->multiprocessors / gpu_at(&gpu->in_flight, together));
    if (bytes >= gpu->in_flight_alone.x[0])
        latency = most(latency, bytes / gpu_at(&gpu->in_flight_alone, bytes));
    return latency + WRITING_NS * least(1, written / gpu->dram_write_gbps);
}

static double from_dram(struct memory *memory, double now, double bytes, double weight) {
    in_flight_until(&memory->flight, now);
    double start = most(now, memory->dram_free);
    memory->dram_free = start + bytes / memory->dram_gbps;
    double arrival = most(start + memory->gpu->dram_ns,
                          now + dram_latency(memory, now, memory->flight.bytes + bytes));
    in_flight_add(&memory->flight, arrival, bytes);
    memory->use.dram_bytes += bytes * weight;
    return arrival;
}

static double from_l2(struct memory *memory, double now, double bytes, double weight) {
    double start = most(now, memory->l2_free);
    memory->l2_free = start + bytes / memory->l2_gbps;
    memory->use.l2_bytes += bytes * weight;
    return start + memory->gpu->l2_ns;
}

/* Warps go through local memory again and again: where it is more than the L1 holds, what was used
 * longest ago is what comes next, and the L1 has none of it. */
static bool local_misses(const struct memory *memory) {
    return memory->setting.local > memory->setting.l1_bytes;
}

double sm_memory_local_ns(const struct memory *memory) {
    return local_misses(memory) ? memory->gpu->l2_ns : memory->gpu->l1_ns;
}

/* Stores go through to the L2. */
double sm_memory_local(struct memory *memory, double now, double all, double stores,
                       double weight) {
    double lines = local_misses(memory) ? all : stores;
    double cold =
        1 - reuse_still_there(memory->gpu, memory->setting.local * memory->setting.active);
    from_l2(memory, now, LINE * (lines - stores) + memory->setting.local_store * stores, weight);
    memory->dram_free = most(now, memory->dram_free) + LINE * lines * cold / memory->dram_gbps;
    memory->use.dram_bytes += LINE * lines * cold * weight;
    return most(now, most(memory->l2_free, memory->dram_free) - STORE_QUEUE_NS);
}

static bool holds(double share, uint64_t key) {
    return (double)(mixed(key) >> 11) < share * 9007199254740992.0; /* 2^53 */
}

static bool is_input(const struct memory *memory, uint64_t address) {
    return address >= memory->setting.input_first && address < memory->setting.input_end;
}

/* Whether each block has lines of its own there: no two of those that were traced have the same. */
static bool is_own(const struct memory *memory, uint64_t address) {
    static const double SHARED_FROM = 1.5;
    const struct memory_setting *setting = &memory->setting;
    uint64_t piece = setting->again && address >= setting->first_line
                         ? (address - setting->first_line) / setting->piece_lines
                         : setting->pieces;
    return piece < setting->pieces && setting->again[piece] < SHARED_FROM;
}

/* What of a request is fetched. Of its places, which are no neighbours, some are slower than
 * others: so many so far, and so many of them in DRAM. */
struct fetch {
    bool input, gathers, spread; /* spread: a line of its own for each lane */
    bool own;                    /* no other block has it */
    unsigned places, cold, cold_until;
    double weight;
};

/* What is read anywhere takes DRAM's time for so many bytes; what is written lies in the L2 too. If
 * a share of it is known to be in the L2, all others are not; else the L2 may have some. */
static double gathered_bytes(const struct memory *memory, double share) {
    const struct gpu_table *gops = &memory->gpu->gather_gops;
    return memory->setting.dram_gbps /
           (share > 0 ? gops->y[gops->count - 1] : gpu_at_log(gops, memory->setting.gather_room));
}

/* What the L2 has of it takes the L2's time for so many, if the table begins with what the L2
 * holds.
 */
static double gathered_from_l2(const struct gpu *gpu) {
    const struct gpu_table *gops = &gpu->gather_gops;
    return gops->x[0] <= gpu->l2_bytes / 2 ? most(SECTOR, gpu->l2_gbps / gops->y[0]) : SECTOR;
}

/* The share of what is read anywhere that the L2 lacks, by the rates of what it holds and of what
 * it does not. */
static double gather_misses(const struct memory *memory, double gops) {
    const struct gpu_table *table = &memory->gpu->gather_gops;
    double hit = 1 / table->y[0], miss = 1 / table->y[table->count - 1];
    return miss > hit ? most(0, (1 / gops - hit) / (miss - hit)) : 1;
}

/* The same as gathered_bytes(), when it is there; DRAM has `lone` bytes of it where the L2 has
 * none. Busy meanwhile, by a GPU's counters, are the L2's slices. */
static double gather(struct memory *memory, double now, double share, double lone, double weight) {
    double bytes = gathered_bytes(memory, share), ns = bytes / memory->setting.dram_gbps;
    double misses = gather_misses(memory, 1 / ns);
    double arrival = from_dram(memory, now, bytes, weight);
    memory->use.dram_bytes += (misses * lone - bytes) * weight;
    memory->use.l2_bytes += ns * memory->gpu->l2_gbps * weight;
    return arrival;
}

/* How much later the slowest of so many places is there than one. */
static double slowest(const struct gpu_table *lines_ns, unsigned places) {
    return gpu_at(lines_ns, places) - lines_ns->y[0];
}

/* Whether the L2 has lost what was read when so many bytes had passed, since all multiprocessors
 * send as much through it as this one; no more than the kernel reads and writes. */
static bool is_gone(const struct memory *memory, double passed, uint64_t piece) {
    const struct memory_setting *setting = &memory->setting;
    double all = setting->read + setting->written;
    double between = least((memory->passed - passed) * setting->active, all);
    return !holds(reuse_still_there(memory->gpu, between), piece);
}

/* One sector that the L1 lacks: when it arrives. key: of its line, unlike those of other copies. */
static double fetch_sector(struct memory *memory, double now, uint64_t key, int sector,
                           struct fetch *fetch) {
    const struct gpu *gpu = memory->gpu;
    double share = fetch->input ? memory->setting.input_hits : memory->setting.other_hits;
    if (fetch->gathers && share > 0) /* a sweep keeps less of it than reads in any order do */
        share = most(
            share, 1 - gather_misses(memory, gpu_at_log(&gpu->gather_gops, memory->setting.room)));
    uint64_t pieces = LINE / (uint64_t)least(gpu->dram_fetch_bytes, LINE);
    uint64_t piece = key * pieces + (uint64_t)sector * pieces / SECTORS + 1;
    bool found;
    size_t at = fetched_find(&memory->fetched, piece, &found);
    double *ready = &memory->fetched.ready[at];
    bool again = found && fetch->own && !fetch->gathers &&
                 is_gone(memory, memory->fetched.passed[at], piece);
    bool cold = again || (!found && share < 1 && !holds(share, piece));
    memory->passed += fetch->own ? SECTOR * fetch->weight : 0;
    memory->fetched.passed[at] = memory->passed;
    double bytes = fetch->spread && !(fetch->gathers && cold) ? gathered_from_l2(gpu) : SECTOR;
    double in_l2 = from_l2(memory, now, bytes, fetch->weight);
    double later = slowest(&gpu->l2_lines_ns, fetch->places);
    if (found && !again)
        return most(in_l2 + later, *ready);
    double arrival = in_l2 + later + gpu->l2_first_ns - gpu->l2_ns;
    if (cold) {
        fetch->cold += fetch->cold_until < fetch->places;
        fetch->cold_until = fetch->places;
        double lone = LINE / (double)pieces;
        memory->use.again_bytes += again ? lone * fetch->weight : 0;
        bool shared = !again && !fetch->gathers && holds(memory->setting.shared_hits, ~piece);
        arrival = slowest(&gpu->dram_lines_ns, fetch->cold) +
                  (shared           ? in_l2 + gpu->dram_ns - gpu->l2_ns
                   : fetch->gathers ? gather(memory, now, share, lone, fetch->weight)
                                    : from_dram(memory, now, lone, fetch->weight));
    }
    *ready = arrival;
    if (!found)
        fetched_grow(&memory->fetched);
    return most(in_l2, arrival);
}

static unsigned lanes_of(const struct counts_item *item) {
    unsigned lanes = 0;
    for (uint32_t mask = item->mask; mask; mask &= mask - 1)
        lanes++;
    return lanes;
}

/* Whether each lane has a line of its own, over more than so many bytes. */
static bool is_over(const struct counts *counts, const struct counts_item *item, double bytes) {
    uint64_t first = UINT64_MAX, last = 0;
    for (unsigned i = 0; i < item->line_count; i++) {
        uint64_t address = counts->lines[item->first_line + i].address;
        first = address < first ? address : first;
        last = address > last ? address : last;
    }
    return item->line_count == lanes_of(item) && (double)(last - first) * LINE > bytes;
}

/* The same anywhere in the memory that the kernel uses, of so many bytes. */
static bool is_anywhere(const struct counts *counts, const struct counts_item *item, double bytes) {
    enum { PART = 8 };
    return is_over(counts, item, bytes / PART);
}

/* Those of the warp's places in DRAM that this load adds to. What lies beside its last one is no
 * other place. */
static unsigned new_places(const struct counts *counts, const struct counts_item *item,
                           struct memory_warp *warp) {
    enum { BESIDE_LINES = 32 };
    uint64_t line = item->line_count ? counts->lines[item->first_line].address : 0;
    bool beside = line + BESIDE_LINES > warp->loaded && line < warp->loaded + BESIDE_LINES;
    warp->loaded = line;
    return warp->cold - (beside && warp->cold ? 1 : 0);
}

static double load_global(struct memory *memory, double now, const struct counts *counts,
                          const struct counts_item *item, unsigned copy,
                          const struct order_step *step, struct memory_warp *warp, double weight) {
    const struct gpu *gpu = memory->gpu;
    double at = lsu(memory, now, l1_cycles(memory, counts, item, step->bytes), weight);
    double ready = at + gpu->l1_ns;
    double fetched = memory->use.dram_bytes;
    bool gathers = is_anywhere(counts, item, memory->setting.read);
    struct fetch fetch = {.gathers = gathers,
                          .spread = gathers || is_over(counts, item, 0),
                          .cold = new_places(counts, item, warp),
                          .weight = weight};
    for (unsigned i = 0; i < item->line_count; i++) {
        const struct counts_line *line = &counts->lines[item->first_line + i];
        uint64_t key = line->address;
        fetch.input = is_input(memory, line->address);
        fetch.own = is_own(memory, line->address);
        if (fetch.input || fetch.own)
            key ^= (uint64_t)copy << 48;
        struct l1_line none = {0};
        struct l1_line *cached = step->past_l1 ? &none : l1_touch(&memory->l1, key);
        fetch.places +=
            (line->sectors & ~cached->sectors) && (!i || line->address != line[-1].address + 1);
        for (int sector = 0; sector < SECTORS; sector++) {
            if (!(line->sectors >> sector & 1))
                continue;
            if (!(cached->sectors >> sector & 1)) {
                cached->sectors |= 1u << sector;
                cached->ready[sector] = fetch_sector(memory, at, key, sector, &fetch);
            }
            ready = most(ready, cached->ready[sector]);
        }
    }
    warp->cold = fetch.cold > warp->cold ? fetch.cold : warp->cold;
    if (fetch.gathers)
        memory->use.gathered_bytes += memory->use.dram_bytes - fetched;
    return ready;
}

static unsigned sectors_of(const struct counts *counts, const struct counts_item *item) {
    unsigned sectors = 0;
    for (unsigned i = 0; i < item->line_count; i++)
        for (unsigned bits = counts->lines[item->first_line + i].sectors; bits; bits &= bits - 1)
            sectors++;
    return sectors;
}

/* The time of all that the L2 needs for a sector that is stored. Up to so many lines, side by side,
 * cost no more than one, from four times as many on each costs as much as if it lay anywhere (an
 * H200 takes 114 sectors a ns from structs of 8 words that are stored word by word, 92 from those
 * of 16 and 64 of 32). Lines that are far apart are anywhere in what the kernel writes; others meet
 * with their neighbours in the L2. The benchmark of a sector's bytes stores words; whole sectors,
 * 16 bytes of each lane, take no longer than where such stores of all multiprocessors fill DRAM. */
static double stored_ns(const struct memory *memory, const struct counts *counts,
                        const struct counts_item *item, unsigned bytes, double sectors) {
    enum { FEW_LINES = 8, WIDEST = 16 };
    const struct gpu *gpu = memory->gpu;
    double few = 1 / gpu_at(&gpu->store_sector_gops, lanes_of(item) * bytes / sectors);
    if (bytes == WIDEST && memory->setting.active >= gpu->multiprocessors &&
        lanes_of(item) * bytes >= SECTOR * sectors)
        few = least(few, SECTOR / gpu->dram_write_gbps);
    if (item->line_count <= FEW_LINES)
        return few;
    const struct counts_line *line = &counts->lines[item->first_line];
    bool anywhere = is_anywhere(counts, item, memory->setting.written);
    if (line[item->line_count - 1].address - line->address >= item->line_count)
        return 1 / gpu_at_log(&gpu->scattered_store_gops, anywhere ? memory->setting.written : 0);
    struct gpu_table table = {
        .count = 2, .x = {FEW_LINES, WARP}, .y = {few, 1 / gpu->scattered_store_gops.y[0]}};
    return gpu_at_log(&table, item->line_count);
}

/* What fills up sectors of up to so many lines leaves together, and of so many on its own. */
enum { TOGETHER_LINES = 4, ALONE_LINES = 8 };

/* Whether a store is of the same lines' sectors as the warp's last one. */
static bool is_beside(const struct counts *counts, const struct counts_item *item,
                      const struct counts_item *last) {
    bool same = last && last->mask == item->mask && last->line_count == item->line_count;
    for (unsigned i = 0; same && i < item->line_count; i++) {
        const struct counts_line *line = &counts->lines[item->first_line + i];
        const struct counts_line *other = &counts->lines[last->first_line + i];
        same = line->address == other->address && line->sectors == other->sectors;
    }
    return same;
}

/* Whether it fills up sectors that those before have begun. */
static bool fills_up(const struct counts *counts, const struct counts_item *item, unsigned bytes,
                     struct memory_warp *warp) {
    double own = (double)lanes_of(item) * bytes, room = (double)SECTOR * sectors_of(counts, item);
    double filled = own + (is_beside(counts, item, warp->stored) ? warp->filled : room);
    bool fills = filled <= room;
    warp->filled = fills ? filled : own;
    warp->stored = item;
    return fills;
}

/* The share of its sectors that it then sends by itself: those of few lines leave the
 * multiprocessor together, as Nsight Compute's sectors show (k465; an H200 takes 356 sectors a ns
 * from structs of 3 words, which are stored word by word, 337 from those of 4 and 114 of 8). */
static double sent_alone(const struct counts_item *item) {
    double beyond = most(item->line_count, TOGETHER_LINES) - TOGETHER_LINES;
    return least(1, beyond / (ALONE_LINES - TOGETHER_LINES));
}

static double store_global(struct memory *memory, double now, const struct counts *counts,
                           const struct counts_item *item, unsigned bytes_each,
                           struct memory_warp *warp, double weight) {
    double at = lsu(memory, now, l1_cycles(memory, counts, item, bytes_each), weight);
    bool fills = fills_up(counts, item, bytes_each, warp);
    double alone = fills ? sent_alone(item) : 1;
    if (alone <= 0)
        return most(now, at - LSU_QUEUE_CYCLES * memory->cycle);
    double sectors = alone * most(1, sectors_of(counts, item)), bytes = SECTOR * sectors;
    memory->passed += bytes * weight;
    double took = sectors * stored_ns(memory, counts, item, bytes_each, sectors / alone) *
                  memory->gpu->l2_gbps;
    took = most(bytes, took); /* as long as so many bytes that are read */
    from_l2(memory, at, took, weight);
    /* What the L2 cannot hold waits for DRAM, and neither is busy by a GPU's counters. */
    double busy = sectors / memory->gpu->scattered_store_gops.y[0] * memory->gpu->l2_gbps;
    double idle = most(0, took - busy);
    memory->use.l2_bytes -= idle * weight;
    double leaves = fills ? 0 : bytes * (1 - memory->setting.written_stays);
    memory->written += leaves;
    if (leaves > 0)
        memory->dram_free = most(at, memory->dram_free) + leaves / memory->dram_gbps;
    return most(now, most(at - LSU_QUEUE_CYCLES * memory->cycle,
                          most(memory->l2_free, memory->dram_free) - STORE_QUEUE_NS));
}

/* How long this multiprocessor, or its share of the units that all share, need for an atomic's
 * request, by the sectors that it sends and by its lanes. */
static double atomic_ns(const struct memory *memory, unsigned lanes, double sent) {
    const struct gpu *gpu = memory->gpu;
    double one = most(sent / gpu_at(&gpu->sm_global_atomic, 1),
                      lanes / gpu_at(&gpu->sm_global_atomic_lines, 1));
    return most(one, sent / memory->setting.atomic_gops * memory->setting.active);
}

static double atomic_global(struct memory *memory, double now, const struct counts *counts,
                            const struct counts_site *site, const struct counts_item *item,
                            bool returns, double weight) {
    unsigned lanes = lanes_of(item), sectors = sectors_of(counts, item);
    double at = lsu(memory, now, l1_cycles(memory, counts, item, site->bytes), weight);
    /* The trace does not tell how often each sector is sent: as in other requests there. */
    double sent = site->requests ? (double)site->sectors / (double)site->requests : sectors;
    double took = atomic_ns(memory, lanes, sent);
    double start = most(at, memory->atomics_free);
    memory->atomics_free = start + took;
    memory->use.global_atomics_ns += took * weight;
    /* What else the L2 does waits for them. */
    double held = sent * memory->setting.atomic_l2_ns * memory->gpu->l2_gbps;
    from_l2(memory, at, most(SECTOR * (double)sectors, held), weight);
    memory->atomics_free = most(memory->atomics_free, memory->l2_free);
    for (unsigned i = 0; i < item->line_count; i++)
        l1_forget(&memory->l1, counts->lines[item->first_line + i].address);
    if (returns)
        return memory->atomics_free + memory->gpu->global_atomic_ns;
    return most(at, memory->atomics_free - ATOMIC_QUEUE_NS);
}

/* Cycles of a multiprocessor for a shared atomic of one warp. */
static double shared_atomic_cycles(const struct gpu *gpu, unsigned wavefronts,
                                   unsigned multiplicity, bool separate) {
    const struct gpu_table *bank =
        separate ? &gpu->shared_atomic_bank_any : &gpu->shared_atomic_bank;
    const struct gpu_table *same =
        separate ? &gpu->shared_atomic_same_any : &gpu->shared_atomic_same;
    /* A loop of them, such as for floats, may have more than one for each lane. */
    double requests = most(1, (double)wavefronts / WARP);
    double by_bank = requests * gpu_at(bank, wavefronts ? wavefronts / requests : 1);
    double by_address = gpu_at(same, multiplicity ? multiplicity : 1);
    return most(by_bank, by_address);
}

/* A wide load of one place takes half as long as one in which each lane has its own (an H200: 2.03
 * cycles for 16 bytes, 1.03 for 8). */
static double request_shared(struct memory *memory, double now, const struct counts_site *site,
                             const struct counts_item *item, const struct order_step *step,
                             double weight) {
    const struct gpu *gpu = memory->gpu;
    bool atomic = site->kind == COUNTS_ATOMIC;
    unsigned wavefronts = item->wavefronts ? item->wavefronts : 1;
    double cycles = atomic
                        ? shared_atomic_cycles(gpu, wavefronts, item->multiplicity, step->separate)
                        : most(wavefronts, step->bytes / 8) * gpu->shared_wavefront_cycles;
    double at = lsu(memory, now, cycles, weight);
    if (atomic)
        memory->use.shared_atomics_ns += cycles * memory->cycle * weight;
    if (!step->returns)
        return most(now, at - LSU_QUEUE_CYCLES * memory->cycle);
    return at + (atomic ? gpu->shared_atomic_ns : gpu->shared_ns);
}

double sm_memory_request(struct memory *memory, double now, const struct counts *counts,
                         const struct counts_site *site, const struct counts_item *item,
                         unsigned copy, const struct order_step *step, struct memory_warp *warp,
                         double weight) {
    if (site->space == COUNTS_SHARED)
        return request_shared(memory, now, site, item, step, weight);
    if (site->kind == COUNTS_ATOMIC)
        return atomic_global(memory, now, counts, site, item, step->returns, weight);
    if (site->kind == COUNTS_STORE)
        return store_global(memory, now, counts, item, step->bytes, warp, weight);
    return load_global(memory, now, counts, item, copy, step, warp, weight);
}
