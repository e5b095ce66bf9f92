#include "predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "gpu.h"
#include "order.h"
#include "reuse.h"
#include "simulate.h"
#include "text.h"

/* Calls that run one after another where launches overlap: enough for a steady state. */
enum { CALLS = 8, LONGEST_CHAIN = 64 };
enum { SECTOR = 32, GPU_BYTES = 1 << 20 };
/* Shared memory that the system takes of each block, from compute capability 8.0 on (CUDA C
 * Programming Guide), and the unit of registers for a warp. */
enum { RESERVED_SHARED = 1024, REGISTER_UNIT = 256, LEAST_L1 = 16384 };
/* Below this share no unit is called the limit. */
static const double LIMITS_FROM = 0.6;
/* From this share of what can be reached DRAM is the limit rather than the L2, through which all of
 * it goes: 0.6 of what its pins could do, of which benchmarks reach 83 to 93 %. */
static const double DRAM_FROM = 0.7;

const char *predict_unit_name(enum predict_unit unit) {
    static const char *const names[PREDICT_UNITS] = {
        "dram",           "l2",          "issue",    "shared",   "shared-atomics",
        "global-atomics", "one-address", "barriers", "launches", "latency"};
    return names[unit];
}

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

/* ---- what may be perturbed ---------------------------------------------------------------- */

struct assumptions {
    struct order_assumptions order;
    struct simulate_assumptions simulate;
    unsigned registers;    /* of a thread, where there is no machine code */
    double first_touch_ns; /* that a kernel waits where it begins to read the input */
};

static const struct assumptions usual_assumptions = {
    .order = {.loads_in_flight = 1}, .simulate = {.apart = 1}, .registers = 32};

/* ---- a call, and its kernels ---------------------------------------------------------------- */

struct call {
    const struct counts *counts;
    const struct code *code;
    struct reuse reuse;
    struct reuse_shares *shares; /* of each operation */
};

/* A kernel's warps, in the order of their blocks. */
struct kernel {
    struct order *orders;
    struct simulate_block *blocks;
    size_t order_count, block_count;
    bool has_last;          /* the last of blocks is the one that ends last */
    double share;           /* as in struct simulate_kernel */
    double longest, others; /* over a block of the grid: the longest traced one; and that one over
                               a traced one */
    /* The traced block with the warp that did most, and what one of any block did over that. */
    const struct simulate_block *heaviest;
    double heavier;
};

static void kernel_free(struct kernel *kernel) {
    for (size_t i = 0; i < kernel->order_count; i++)
        order_free(&kernel->orders[i]);
    free(kernel->orders);
    free(kernel->blocks);
}

/* A block that another multiprocessor would run was traced because it ends last. */
static bool is_last(const struct counts *counts, const struct counts_warp *warp) {
    return warp->block % counts->multiprocessors != 0;
}

enum { ALL_WORK = -1 };

/* What so many traced warps from `first` on did: requests of one site, or (ALL_WORK) those of all
 * and turns of loops without. */
static double work_of(const struct counts *counts, const struct counts_warp *first, size_t warps,
                      int site) {
    double sum = 0;
    for (size_t w = 0; w < warps; w++) {
        double weight = 1;
        for (size_t j = first[w].first; j < first[w].end; j++) {
            const struct counts_item *item = &counts->items[j];
            if (item->what == 's')
                weight = item->weight;
            if (item->what == 'r' && (site == ALL_WORK || item->site == (uint32_t)site))
                sum += weight;
            else if (item->what == 'l' && site == ALL_WORK)
                sum += weight * (double)item->turn;
        }
    }
    return sum;
}

static bool make_orders(const struct call *call, const struct order_rules *rules,
                        struct kernel *kernel) {
    const struct counts_op *op = rules->op;
    double heaviest = 0;
    kernel->orders = calloc(op->warp_count + 1, sizeof *kernel->orders);
    kernel->blocks = calloc(op->warp_count + 1, sizeof *kernel->blocks);
    if (!kernel->orders || !kernel->blocks)
        return false;
    for (size_t i = 0; i < op->warp_count; i++) {
        const struct counts_warp *warp = &op->warps[i];
        if (!order_make(rules, warp, &kernel->orders[i]))
            return false;
        kernel->order_count++;
        if (i == 0 || warp->block != warp[-1].block)
            kernel->blocks[kernel->block_count++].orders = &kernel->orders[i];
        struct simulate_block *block = &kernel->blocks[kernel->block_count - 1];
        if (block->warps < counts_warps(op))
            block->warps++;
        double work = work_of(call->counts, warp, 1, ALL_WORK);
        if (work > heaviest) {
            heaviest = work;
            kernel->heaviest = block;
            kernel->heavier = (double)op->most_work / work;
        }
    }
    kernel->has_last =
        kernel->block_count > 1 && is_last(call->counts, &op->warps[op->warp_count - 1]);
    return true;
}

/* ---- what blocks that run one after another do not show --------------------------------------- */

/* Blocks that fetch their work from a counter share it evenly, but the emulator's first block takes
 * all. It then stands for all blocks, each with its share of what all did. Else those that were
 * traced may do more than most, or less. */
static void find_shares(const struct call *call, const struct counts_op *op,
                        struct kernel *kernel) {
    static const double UNEVEN = 4;
    double blocks = (double)counts_blocks(op), all = (double)op->empty_turns;
    double traced = 0, longest = 0;
    double own = work_of(call->counts, op->warps, kernel->blocks[0].warps, ALL_WORK);
    bool uneven = false;
    size_t count = kernel->block_count - kernel->has_last, warps = 0;
    for (size_t i = 0; i < op->site_count; i++) {
        const struct counts_site *site = &op->sites[i];
        all += site->space == COUNTS_LOCAL ? 0 : (double)site->requests;
        bool asked = (double)site->requests >= blocks; /* by each: the others found nothing left */
        if (asked && site->kind == COUNTS_ATOMIC && site->space == COUNTS_GLOBAL)
            uneven = uneven || work_of(call->counts, op->warps, kernel->blocks[0].warps, (int)i) >
                                   UNEVEN * ((double)site->requests / blocks + 1);
    }
    if (blocks > 1 && uneven && own * blocks >= UNEVEN * all) {
        kernel->share = all / (own * blocks);
        kernel->block_count = 1;
        kernel->has_last = false;
        kernel->heaviest = NULL; /* the emulator's first block, not the GPU's */
        return;
    }
    for (size_t b = 0; b < count; warps += kernel->blocks[b++].warps) {
        double of_block =
            work_of(call->counts, &op->warps[warps], kernel->blocks[b].warps, ALL_WORK);
        longest = most(longest, of_block);
        traced += of_block;
    }
    if (all <= 0 || traced <= 0)
        return;
    kernel->longest = longest * blocks / all;
    kernel->others = all * (double)count / (traced * blocks);
}

/* How many other memory instructions the loop around instruction i has, or only the atomics. */
static size_t beside(const struct code_kernel *code, size_t i, bool atomics) {
    size_t others = 0;
    for (size_t j = 0; j < code->memory_count; j++)
        others += j != i && code->memory[j].loop == code->memory[i].loop &&
                  (!atomics || code->memory[j].kind == COUNTS_ATOMIC);
    return others;
}

/* Whether an exchange, whose result decides, is made at the line of this site; retries: one that
 * compares, in a loop that has no other atomic. */
static bool is_swap(const struct code_kernel *code, const struct counts_site *site, bool retries) {
    for (size_t i = 0; i < code->memory_count; i++)
        if (code->memory[i].swaps && !code->memory[i].reduces &&
            (!retries || (code->memory[i].compares && !beside(code, i, true))) &&
            code->memory[i].line == site->line && site->kind == COUNTS_ATOMIC &&
            site->space == COUNTS_GLOBAL)
            return true;
    return false;
}

/* Whether a loop of the kernel does nothing to memory but ask for one word, with an atomic. */
static bool has_waiting_loop(const struct code_kernel *code) {
    for (size_t i = 0; i < code->memory_count; i++)
        if (code->memory[i].kind == COUNTS_ATOMIC && !code->memory[i].reduces &&
            code->memory[i].loop >= 0 && !beside(code, i, false))
            return true;
    return false;
}

/* Whether item j waits for what another block says: an atomic, and then a fence. The emulator,
 * which runs blocks in turn, asks once. */
static bool is_wait(const struct counts *counts, const struct counts_op *op, size_t j, size_t end) {
    const struct counts_item *item = &counts->items[j];
    return item->what == 'r' && item->line_count && j + 1 < end && item[1].what == 'f' &&
           op->sites[item->site].kind == COUNTS_ATOMIC;
}

/* How a lock was held. */
struct holding {
    double ns;
    uint64_t lock;                  /* its sector */
    const struct counts_site *back; /* where it was given back; NULL: it was none */
    bool writes;                    /* the warp stored something meanwhile */
};

/* A lock that a warp takes at `from`, by an exchange or by waiting for its ticket, and gives back
 * by an atomic or a store at the same place, elsewhere in the source. The benchmark's has a load
 * and two fences. */
static struct holding holding_of(const struct gpu *gpu, const struct call *call,
                                 const struct counts_op *op, size_t from, size_t end,
                                 double waiting) {
    const struct counts_item *items = call->counts->items, *taken = &items[from];
    const struct counts_line *lines = call->counts->lines;
    struct holding held = {.ns = gpu_at(&gpu->lock_ns, waiting) - gpu->l2_ns - 2 * gpu->fence_ns};
    double fences = 0;
    for (size_t j = from + 1; j < end; j++) {
        const struct counts_site *site = &op->sites[items[j].site];
        fences += items[j].what == 'f';
        if (items[j].what != 'r' || site->space != COUNTS_GLOBAL || !items[j].line_count)
            continue;
        if (site->kind != COUNTS_LOAD && items[j].site != taken->site &&
            items[j].mask == taken->mask &&
            lines[items[j].first_line].address == lines[taken->first_line].address && fences > 0 &&
            (site->kind == COUNTS_ATOMIC || items[j - 1].what == 'f')) {
            held.back = site;
            held.ns += most(2, fences) * gpu->fence_ns;
            return held;
        }
        held.ns += site->kind == COUNTS_LOAD     ? gpu->l2_ns
                   : site->kind == COUNTS_ATOMIC ? gpu->global_atomic_ns
                                                 : 0;
        held.writes = held.writes || site->kind == COUNTS_STORE;
    }
    return (struct holding){0};
}

/* The locks that traced warps take and give back; how many there are. Who waits for one asks more
 * often than it is given back. */
static size_t find_holdings(const struct gpu *gpu, const struct call *call,
                            const struct counts_op *op, const struct code_kernel *code,
                            struct holding *holdings, size_t room) {
    size_t count = 0;
    double waiting = least((double)counts_blocks(op), 8.0 * gpu->multiprocessors);
    bool waits = code && has_waiting_loop(code);
    for (size_t w = 0; code && w < op->warp_count; w++)
        for (size_t j = op->warps[w].first; j < op->warps[w].end && count < room; j++) {
            const struct counts_item *item = &call->counts->items[j];
            bool takes = item->what == 'r' && item->line_count &&
                         is_swap(code, &op->sites[item->site], false);
            if (!takes && !(waits && is_wait(call->counts, op, j, op->warps[w].end)))
                continue;
            struct holding held = holding_of(gpu, call, op, j, op->warps[w].end, waiting);
            const struct counts_line *line = &call->counts->lines[item->first_line];
            held.lock = line->address << 4 | line->sectors;
            if (held.back)
                holdings[count++] = held;
        }
    return count;
}

/* How long all warps together hold the lock that most of them take: as often as the word on which
 * most atomics meet, at most as the traced ones say, by the sectors of their locks. Those that
 * store nothing meanwhile do not exclude each other: between two that do they go together. */
static double locked_ns(const struct gpu *gpu, const struct call *call, const struct counts_op *op,
                        const struct code_kernel *code) {
    enum { HOLDINGS = 1000 };
    struct holding holdings[HOLDINGS];
    size_t count = find_holdings(gpu, call, op, code, holdings, HOLDINGS), most_same = 0;
    double ns = 0, writes = 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        for (size_t j = i; j < count; j++)
            same += holdings[j].lock == holdings[i].lock;
        most_same = same > most_same ? same : most_same;
        writes += holdings[i].writes;
    }
    for (size_t i = 0; i < count; i++) {
        const struct counts_site *back = holdings[i].back;
        double hot = (double)op->hot_requests / (back->kind == COUNTS_ATOMIC ? 2 : 1);
        double traced = (double)back->requests * (double)most_same / (double)count;
        ns = most(ns, holdings[i].ns * least(hot, traced));
    }
    return writes > 0 ? ns * least(1, 2 * writes / (double)count) : ns;
}

/* How long all warps together take for one word that each compares and swaps until nobody has
 * changed it meanwhile: one of them succeeds in the time from a try to the next, and as many do as
 * are first tries. 0: there is no such word. */
static double retried_ns(const struct gpu *gpu, const struct call *call, const struct counts_op *op,
                         const struct code_kernel *code) {
    const struct counts_line *word = NULL;
    double one = 0, ns = 0, first = 0, tries = 0, lanes = 0;
    for (size_t w = 0; code && w < op->warp_count; w++)
        for (size_t j = op->warps[w].first; j < op->warps[w].end; j++) {
            const struct counts_item *item = &call->counts->items[j];
            ns += item->what == 'f' ? gpu->fence_ns : 0;
            if (item->what != 'r' || !item->line_count) /* of shared memory */
                continue;
            const struct counts_site *site = &op->sites[item->site];
            const struct counts_line *line = &call->counts->lines[item->first_line];
            ns += site->kind == COUNTS_LOAD ? gpu->l2_ns : 0;
            if (!is_swap(code, site, true))
                continue;
            word = word ? word : line;
            if (item->line_count > 1 || line->address != word->address)
                return 0;
            one = item->turn ? most(one, ns) : one;
            first += item->turn == 0;
            tries++;
            lanes = least((double)op->hot_adds, (double)site->lanes);
            ns = gpu->global_atomic_ns;
        }
    return tries > 0 ? one * lanes * first / tries : 0;
}

/* How many of its own times a kernel takes whose blocks hand their work on from one to the next:
 * each waits until the one before has done a part, does its own, and says so. 1: they do not. */
static double in_a_row(const struct call *call, const struct counts_op *op,
                       const struct code_kernel *code) {
    enum { FEW = 3 }; /* atomics on a word for each part; at a lock's all blocks meet */
    const struct counts_item *items = call->counts->items;
    bool waits = code && has_waiting_loop(code);
    double parts = 0;
    for (size_t w = 0; waits && w < op->warp_count; w++) {
        double own = 0;
        bool waited = false;
        for (size_t j = op->warps[w].first; j < op->warps[w].end; j++) {
            bool says = items[j].what == 'r' && items[j].line_count && j &&
                        items[j - 1].what == 'f' && op->sites[items[j].site].kind != COUNTS_LOAD;
            own += waited && says;
            waited = is_wait(call->counts, op, j, op->warps[w].end) || (waited && !says);
        }
        parts = most(parts, own);
    }
    bool chain = parts > 0 && (double)op->hot_adds <= FEW * parts;
    return chain ? 1 + ((double)counts_blocks(op) - 1) / parts : 1;
}

static bool kernel_make(const struct call *call, const struct counts_op *op,
                        const struct assumptions *assumptions, struct kernel *kernel) {
    struct order_rules rules;
    *kernel = (struct kernel){.share = 1, .others = 1};
    if (!order_rules_make(call->counts, op, code_kernel(call->code, op), &assumptions->order,
                          &rules))
        return false;
    bool good = make_orders(call, &rules, kernel);
    order_rules_free(&rules);
    if (good && kernel->block_count > kernel->has_last)
        find_shares(call, op, kernel);
    return good;
}

/* ---- caches between kernels ------------------------------------------------------------------ */

/* Room in the L2 for what lanes read anywhere, of which an eighth as much has to go as is read and
 * written in order beside it (an H200 reads any of 32 MiB at 131 words a ns, and at 119, 111 and 99
 * beside 32, 64 and 128 MiB; of 64 MiB at 73, 71, 67 and 61). */
static double gather_room(const struct counts_op *op) {
    double read = SECTOR * (double)op->read_sectors, ordered = 0;
    for (size_t i = 0; i < op->site_count; i++) {
        const struct counts_site *site = &op->sites[i];
        if (site->kind == COUNTS_LOAD && site->space == COUNTS_GLOBAL &&
            2 * SECTOR * site->sectors < 3 * site->lanes * site->bytes)
            ordered += SECTOR * (double)site->sectors;
    }
    ordered = ordered < read ? ordered : 0; /* else it reads them again */
    return read - ordered + (ordered + SECTOR * (double)op->written_sectors) / 8;
}

static void set_hits(const struct call *call, size_t index, struct memory_setting *setting) {
    const struct reuse_shares *shares = &call->shares[index];
    setting->input_first = call->reuse.input_first;
    setting->input_end = call->reuse.input_end;
    setting->again = call->reuse.ops[index].again;
    setting->first_line = call->reuse.first_line;
    setting->piece_lines = call->reuse.piece_lines;
    setting->pieces = call->reuse.pieces;
    setting->read = (double)call->counts->ops[index].read_sectors * SECTOR;
    setting->written = (double)call->counts->ops[index].written_sectors * SECTOR;
    setting->gather_room = gather_room(&call->counts->ops[index]);
    setting->room = call->reuse.ops[index].bytes;
    setting->written_stays = shares->written_stays;
    setting->other_hits = shares->other_hits;
    setting->input_hits = shares->input_hits;
}

/* ---- residency -------------------------------------------------------------------------- */

static unsigned resident_blocks(const struct gpu *gpu, const struct counts_op *op,
                                unsigned registers) {
    double warps = counts_warps(op);
    double of_warp = ceil(registers * 32.0 / REGISTER_UNIT) * REGISTER_UNIT;
    double shared = (double)(op->static_shared + op->dynamic_shared);
    double blocks = least(gpu->blocks, floor(gpu->threads / (32 * warps)));
    if (of_warp > 0)
        blocks = least(blocks, floor(gpu->registers / (of_warp * warps)));
    if (shared > 0)
        blocks = least(blocks, floor(gpu->shared_bytes / (shared + RESERVED_SHARED)));
    return blocks < 1 ? 1 : (unsigned)blocks;
}

static double l1_left(const struct gpu *gpu, const struct counts_op *op, double blocks) {
    double shared = (double)(op->static_shared + op->dynamic_shared);
    return most(LEAST_L1, gpu->l1_bytes - (shared > 0 ? blocks * (shared + RESERVED_SHARED) : 0));
}

/* ---- one operation ---------------------------------------------------------------------- */

/* How much longer the L2 takes for atomics of this kernel at one address than for those of
 * integers. Which type an atomic adds is in the machine code alone. */
struct atomic_factors {
    double address;
    bool swaps; /* compares and swaps, whose results are needed */
};

static struct atomic_factors atomic_factors(const struct gpu *gpu, const struct code_kernel *code) {
    struct atomic_factors factors = {1, false};
    for (size_t i = 0; code && i < code->memory_count; i++) {
        const struct code_memory *memory = &code->memory[i];
        if (memory->kind != COUNTS_ATOMIC || memory->space != COUNTS_GLOBAL)
            continue;
        factors.swaps = factors.swaps || (memory->swaps && !memory->reduces);
        if (!memory->bits)
            continue;
        double ns = gpu_at(memory->bits == 64 ? &gpu->global_atomic_same_double
                                              : &gpu->global_atomic_same_float,
                           1);
        factors.address = most(factors.address, ns / gpu_at(&gpu->global_atomic_same, 1));
    }
    return factors;
}

/* A unit of the L2 does one after the other what adds to one address, and the sectors that are sent
 * to one stretch of 512 bytes, each in the time of an add. */
static double chain_ns(const struct gpu *gpu, const struct counts_op *op,
                       struct atomic_factors factors) {
    return gpu_at(&gpu->global_atomic_same, 1) *
           most(factors.address * (double)op->hot_adds, (double)op->hot_near);
}

/* Sectors of atomics that the L2 takes each ns: the unit with the hottest stretch has its share of
 * all others too. The L2 keeps whole lines of what they change, as far as the operation writes. */
static void set_atomics(const struct gpu *gpu, const struct call *call, size_t index,
                        struct atomic_factors factors, struct memory_setting *setting) {
    enum { SPREAD = 1 << 16, SECTORS = 4 };
    const struct counts_op *op = &call->counts->ops[index];
    double sent = 0, lines = 0, changed = SECTOR * (double)op->written_sectors;
    for (size_t i = 0; i < op->site_count; i++)
        if (op->sites[i].kind == COUNTS_ATOMIC && op->sites[i].space == COUNTS_GLOBAL) {
            sent += (double)op->sites[i].sectors;
            lines += (double)op->sites[i].lines;
        }
    double whole = sent > 0 ? changed * least(SECTORS, SECTORS * lines / sent) : changed;
    double words =
        most(SPREAD, least(whole, most(changed, reuse_writes(&call->reuse, index))) / sizeof(int));
    sent = most(sent, (double)op->hot_near);
    double others = sent - (double)op->hot_near;
    double spread =
        others / gpu_at_log(factors.swaps ? &gpu->global_swap : &gpu->global_atomic, words);
    double ns = chain_ns(gpu, op, factors) + spread;
    setting->atomic_gops = ns > 0 ? sent / ns : 1;
    setting->atomic_l2_ns = ns > 0 ? spread / sent : 0;
}

/* Bytes of the sectors that stores leave in part, which the L2 reads from DRAM before it writes
 * them there (an H200 moves 618 MB where a kernel stores 8 bytes to each 32 of 320 MB). What the
 * operation reads may be the same sectors, and what atomics change is read by them. */
static double filled_bytes(const struct counts_op *op) {
    double missing = SECTOR * (double)op->written_sectors;
    unsigned least_bytes = SECTOR;
    for (size_t i = 0; i < op->site_count; i++) {
        const struct counts_site *site = &op->sites[i];
        if (site->space != COUNTS_GLOBAL || site->kind == COUNTS_LOAD)
            continue;
        if (site->kind == COUNTS_ATOMIC)
            return 0;
        missing -= (double)site->lanes * site->bytes;
        least_bytes = site->bytes < least_bytes ? site->bytes : least_bytes;
    }
    double parts = least_bytes < SECTOR ? missing / (SECTOR - least_bytes) : 0;
    return SECTOR * most(0, parts - (double)op->read_sectors);
}

/* Bytes that must come from DRAM. */
static double cold_bytes(const struct call *call, size_t index) {
    const struct reuse_shares *shares = &call->shares[index];
    return shares->input_bytes * (1 - shares->input_hits) +
           shares->other_bytes * (1 - shares->other_hits);
}

static double written_bytes(const struct memory_setting *setting) {
    return setting->written * (1 - setting->written_stays);
}

/* Reading and writing in turn is slower than either: bytes per ns of both together, by the share
 * that is written, from the benchmarks that write none, a half, and all. */
static double mixed_gbps(const struct gpu *gpu, double read, double written) {
    struct gpu_table table = {.count = 3,
                              .x = {0, 0.5, 1},
                              .y = {gpu->dram_gbps, gpu->dram_copy_gbps, gpu->dram_write_gbps}};
    return read + written > 0 ? gpu_at(&table, written / (read + written)) : gpu->dram_gbps;
}

/* Of one multiprocessor for what all warps do group by group, and for the words of constants that
 * they read one after the other: units of their own. */
static double passes_ns(const struct gpu *gpu, const struct counts_op *op) {
    double groups =
        (double)op->match_passes * gpu->match_cycles + (double)op->group_passes * gpu->group_cycles;
    double words =
        (double)op->constant_passes * gpu_at_log(&gpu->constant_cycles, (double)op->constant_bytes);
    return most(groups, words) * 1e3 / gpu->clock_mhz;
}

/* What a multiprocessor's warps need in turn, its schedulers and its path to shared memory and the
 * L1, hold each other up where both are nearly always busy. Of ways to add them up this one needs
 * no figure; README.md says what it is worth. */
static double in_turn_ns(const struct simulate_result *result) {
    return hypot(result->issue_ns, result->use.lsu_ns);
}

struct op_time {
    double ns, units[PREDICT_UNITS]; /* that each unit alone needs */
};

static void account(const struct gpu *gpu, const struct counts_op *op,
                    const struct simulate_kernel *kernel, const struct simulate_result *result,
                    double cold, double chain, struct op_time *time) {
    const struct memory_setting *setting = &kernel->memory;
    time->units[PREDICT_DRAM] = (cold + written_bytes(setting)) / setting->dram_gbps;
    time->units[PREDICT_L2] = result->use.l2_bytes * setting->active / gpu->l2_gbps;
    /* Where few multiprocessors work, their units are not what limits the GPU. */
    double working = setting->active / gpu->multiprocessors;
    time->units[PREDICT_ISSUE] = working * result->issue_ns;
    time->units[PREDICT_SHARED] =
        working * (result->use.lsu_ns + result->use.shuffle_ns - result->use.shared_atomics_ns);
    time->units[PREDICT_SHARED_ATOMICS] = working * result->use.shared_atomics_ns;
    time->units[PREDICT_GLOBAL_ATOMICS] = result->use.global_atomics_ns;
    time->units[PREDICT_ONE_ADDRESS] = chain;
    time->units[PREDICT_BARRIERS] = result->barriers_ns;
    double passes = passes_ns(gpu, op) / setting->active;
    time->units[PREDICT_ISSUE] = most(time->units[PREDICT_ISSUE], working * passes);
    double ns = most(result->ns, passes);
    ns = most(ns, most(in_turn_ns(result), result->use.global_atomics_ns));
    ns = most(ns, time->units[PREDICT_DRAM]);
    ns = most(ns, time->units[PREDICT_ONE_ADDRESS]);
    time->ns += ns;
    /* Busy it is also with what is fetched twice, and with the other half of what it fetches. */
    double fetched = result->use.dram_bytes * setting->active / setting->dram_gbps;
    time->units[PREDICT_DRAM] = most(time->units[PREDICT_DRAM], least(ns, fetched));
}

/* The share of this multiprocessor's first reads that find in the L2 what another one has read: all
 * of them together fetch more than there is, and what is read again is near in time. Not so what
 * lies anywhere. Where blocks are unequal, all do not fetch as much as this one does. */
static double shared_hits(const struct counts_op *op, const struct simulate_kernel *kernel,
                          const struct simulate_result *result, double there) {
    double active = kernel->memory.active, asked = 0;
    for (size_t i = 0; i < op->site_count; i++)
        if (op->sites[i].kind == COUNTS_LOAD && op->sites[i].space == COUNTS_GLOBAL)
            asked += SECTOR * (double)op->sites[i].sectors;
    double first = result->use.dram_bytes - result->use.gathered_bytes - result->use.again_bytes;
    double fetched = least(first * active, asked);
    there = most(0, there - result->use.gathered_bytes * active);
    return there > 0 && fetched > 1.1 * there ? 1 - there / fetched : 0;
}

/* The launch of operation `index`, with what comes before it in a row of calls. */
static double launch_ns(const struct gpu *gpu, const struct counts *counts, size_t index) {
    const struct counts_op *op = &counts->ops[index];
    const struct counts_op *before = &counts->ops[index ? index - 1 : counts->op_count - 1];
    double share = least(1, (double)counts_blocks(op) / gpu->multiprocessors);
    bool kernel = op->what == COUNTS_KERNEL, kernel_before = before->what == COUNTS_KERNEL;
    double ns = !kernel                         ? gpu->memset_ns
                : op->overlaps && kernel_before ? gpu->launch_overlapped_ns
                                                : gpu->launch_ns;
    if (kernel) /* a grid on all multiprocessors takes longer to begin and end than one block */
        ns += (gpu->launch_wide_ns - gpu->launch_ns - gpu->block_ns) * share;
    return ns + (kernel != kernel_before ? gpu->change_ns : 0);
}

static unsigned registers_of(const struct call *call, const struct counts_op *op,
                             const struct assumptions *assumptions) {
    const struct code_kernel *code = code_kernel(call->code, op);
    return code ? code->registers : assumptions->registers;
}

/* The L2 takes half as much as it gives. Where lanes store to different words of their arrays, as
 * counted, it takes them as other scattered stores. */
static double local_store_bytes(const struct gpu *gpu, const struct counts_op *op) {
    enum { FEW_LINES = 8 };
    double stores = 0, bytes = 0;
    for (size_t i = op->site_count; i < op->site_count + op->local_count; i++) {
        const struct counts_site *site = &op->sites[i];
        bool few = site->lines <= FEW_LINES * site->requests;
        double scattered = most(64, gpu->l2_gbps / gpu->scattered_store_gops.y[0]);
        bytes += (double)site->sectors * (few ? 64 : scattered);
        stores += (double)site->requests;
    }
    return stores > 0 ? bytes / stores : 256;
}

/* How long all blocks take if they do nothing: those that do more than the traced ones need no more
 * time for that. */
static double idle_ns(const struct gpu *gpu, const struct assumptions *assumptions,
                      const struct simulate_kernel *simulated) {
    static const struct order nothing[32];
    struct simulate_block block = {.orders = nothing, .warps = counts_warps(simulated->op)};
    struct simulate_kernel idle = *simulated;
    struct simulate_result result;
    idle.blocks = &block;
    idle.block_count = 1;
    idle.last = NULL;
    return simulate(gpu, &idle, &assumptions->simulate, &result) ? result.ns / idle.share : 0;
}

/* Once more where others have fetched what this multiprocessor reads. */
static bool simulate_all(const struct gpu *gpu, const struct assumptions *assumptions,
                         const struct kernel *kernel, double cold,
                         struct simulate_kernel *simulated, struct simulate_result *result) {
    if (!simulate(gpu, simulated, &assumptions->simulate, result))
        return false;
    simulated->memory.shared_hits = shared_hits(simulated->op, simulated, result, cold);
    if (simulated->memory.shared_hits > 0 &&
        !simulate(gpu, simulated, &assumptions->simulate, result))
        return false;
    if (simulated->share != kernel->share)
        result->ns -= (kernel->others - 1) * idle_ns(gpu, assumptions, simulated);
    return true;
}

/* How long the block with the warp that does most takes alone, if none like it was traced: by how
 * much more it does than the traced one that does most. */
static double heaviest_ns(const struct gpu *gpu, const struct assumptions *assumptions,
                          const struct kernel *kernel, const struct simulate_kernel *simulated) {
    struct simulate_kernel alone = *simulated;
    struct simulate_result result;
    if (!kernel->heaviest || kernel->heavier <= 1 || alone.calls > 1)
        return 0;
    alone.blocks = kernel->heaviest;
    alone.last = NULL;
    alone.block_count = alone.run = alone.resident = 1;
    alone.share = 1;
    return simulate(gpu, &alone, &assumptions->simulate, &result) ? result.ns * kernel->heavier : 0;
}

static bool kernel_time(const struct gpu *gpu, const struct call *call, size_t index,
                        const struct assumptions *assumptions, const struct kernel *kernel,
                        struct op_time *time) {
    const struct counts_op *op = &call->counts->ops[index];
    double blocks = (double)counts_blocks(op), all = gpu->multiprocessors;
    struct simulate_kernel simulated = {.counts = call->counts, .op = op, .calls = 1, .at_once = 1};
    struct simulate_result result;
    simulated.blocks = kernel->blocks;
    simulated.block_count = kernel->block_count - kernel->has_last;
    simulated.share = kernel->share;
    simulated.run = (uint64_t)ceil(blocks / all);
    const struct simulate_block *last = &kernel->blocks[kernel->block_count - 1];
    /* Where each multiprocessor has one block, the one that does more decides. */
    if (kernel->has_last && (simulated.run > 1 || kernel->heaviest == last))
        simulated.last = last;
    simulated.resident = resident_blocks(gpu, op, registers_of(call, op, assumptions));
    /* Unless one block takes as long as all that come one after the other. */
    if (kernel->longest * simulated.resident < (double)simulated.run)
        simulated.share *= kernel->others;
    bool chain = op->overlaps && call->counts->op_count == 1 && simulated.run <= LONGEST_CHAIN;
    if (chain) {
        simulated.calls = CALLS;
        simulated.at_once = most(1, floor(all / blocks));
    }
    simulated.memory.active = least(simulated.at_once * blocks, all);
    simulated.memory.l1_bytes =
        l1_left(gpu, op, least(simulated.resident, (double)simulated.run * simulated.calls));
    const struct code_kernel *code = code_kernel(call->code, op);
    simulated.memory.local = (code ? code->local : 0) * 32.0 * counts_warps(op) *
                             least(simulated.resident, (double)simulated.run);
    simulated.memory.local_store = local_store_bytes(gpu, op);
    struct atomic_factors factors = atomic_factors(gpu, code);
    set_atomics(gpu, call, index, factors, &simulated.memory);
    set_hits(call, index, &simulated.memory);
    double cold = cold_bytes(call, index);
    double filled = filled_bytes(op) * (1 - simulated.memory.written_stays);
    simulated.memory.dram_gbps = mixed_gbps(gpu, cold + filled, written_bytes(&simulated.memory));
    if (!kernel->block_count || !simulated.block_count)
        return true; /* nothing was traced: only its launch is known */
    if (!simulate_all(gpu, assumptions, kernel, cold, &simulated, &result))
        return false;
    account(gpu, op, &simulated, &result, cold + filled, chain_ns(gpu, op, factors), time);
    time->ns = most(time->ns, heaviest_ns(gpu, assumptions, kernel, &simulated));
    double retried = retried_ns(gpu, call, op, code);
    time->ns = most(time->ns, retried > 0 ? retried : locked_ns(gpu, call, op, code));
    if (simulated.run <= simulated.resident)
        time->ns *= in_a_row(call, op, code);
    if (chain)
        time->ns = most(time->ns, time->units[PREDICT_LAUNCHES]);
    else
        time->ns += time->units[PREDICT_LAUNCHES];
    if (!chain && reuse_reads_input(&call->reuse, index))
        time->ns += assumptions->first_touch_ns;
    return true;
}

static bool op_time(const struct gpu *gpu, const struct call *call, size_t index,
                    const struct assumptions *assumptions, const struct kernel *kernel,
                    struct op_time *time) {
    const struct counts_op *op = &call->counts->ops[index];
    memset(time, 0, sizeof *time);
    time->units[PREDICT_LAUNCHES] = launch_ns(gpu, call->counts, index);
    if (op->what == COUNTS_KERNEL && kernel->block_count)
        return kernel_time(gpu, call, index, assumptions, kernel, time);
    bool copies = op->what == COUNTS_COPY; /* which reads as much as it writes */
    double bytes = op->what == COUNTS_KERNEL ? 0 : (copies ? 2.0 : 1.0) * (double)op->bytes;
    time->units[PREDICT_DRAM] = bytes / (reuse_still_there(gpu, bytes) > 0 ? gpu->l2_gbps
                                         : copies                          ? gpu->dram_copy_gbps
                                                                           : gpu->dram_write_gbps);
    time->ns = time->units[PREDICT_LAUNCHES] + time->units[PREDICT_DRAM];
    return true;
}

/* ---- a call ----------------------------------------------------------------------------- */

static bool make_kernels(const struct call *call, const struct assumptions *assumptions,
                         struct kernel *kernels) {
    bool good = true;
    for (size_t i = 0; i < call->counts->op_count && good; i++)
        if (call->counts->ops[i].what == COUNTS_KERNEL)
            good = kernel_make(call, &call->counts->ops[i], assumptions, &kernels[i]);
    return good;
}

static void free_kernels(const struct counts *counts, struct kernel *kernels) {
    for (size_t i = 0; kernels && i < counts->op_count; i++)
        kernel_free(&kernels[i]);
    free(kernels);
}

/* The share of the GPU that an operation holds: of a unit, or of the places for its blocks. */
static double held(const struct gpu *gpu, const struct call *call, size_t index,
                   const struct assumptions *assumptions, const struct op_time *time) {
    const struct counts_op *op = &call->counts->ops[index];
    double share = 0;
    for (int unit = 0; unit <= PREDICT_ONE_ADDRESS; unit++)
        share = most(share, time->units[unit] / time->ns);
    if (op->what == COUNTS_KERNEL)
        share = most(share, (double)counts_blocks(op) / gpu->multiprocessors /
                                resident_blocks(gpu, op, registers_of(call, op, assumptions)));
    return least(1, share);
}

/* The time of a whole call; times: of each operation, or NULL. Negative: it cannot be simulated.
 * What no stream orders runs together, as far as all of it fits. */
static double call_ns(const struct gpu *gpu, const struct call *call,
                      const struct assumptions *assumptions, const struct kernel *kernels,
                      struct op_time *times) {
    double ends[64], end = 0, sum = 0;
    bool ordered = true;
    for (size_t i = 0; i < call->counts->op_count; i++) {
        uint64_t before = call->counts->ops[i].before;
        struct op_time time;
        double start = 0;
        if (!op_time(gpu, call, i, assumptions, &kernels[i], &time))
            return -1;
        if (times)
            times[i] = time;
        for (size_t j = 0; j < i && j < 64; j++)
            start = most(start, before >> j & 1 ? ends[j] : 0);
        start = before == UINT64_MAX ? end : start;
        ordered = ordered && before == UINT64_MAX;
        if (i < 64)
            ends[i] = start + time.ns;
        end = most(end, start + time.ns);
        sum += time.ns * held(gpu, call, i, assumptions, &time);
    }
    /* The host may be slower than short kernels are. */
    return most(ordered ? end : most(end, sum),
                gpu->host_launch_ns * (double)call->counts->op_count);
}

/* ---- the interval ----------------------------------------------------------------------- */

static void scale_rows(struct gpu_table *table, double factor) {
    for (size_t i = 0; i < table->count; i++)
        table->y[i] *= factor;
}

/* Longer latencies: less bandwidth where bytes in flight limit it, and the same at the most. */
static void slower_dram(struct gpu *gpu, struct assumptions *assumptions) {
    (void)assumptions;
    double highest = gpu->in_flight.y[gpu->in_flight.count - 1];
    gpu->dram_ns *= 1.1;
    for (size_t i = 0; i < gpu->in_flight.count; i++)
        if (gpu->in_flight.y[i] < 0.9 * highest)
            gpu->in_flight.y[i] /= 1.1;
}

static void narrower_dram(struct gpu *gpu, struct assumptions *assumptions) {
    (void)assumptions;
    gpu->dram_gbps /= 1.03;
    gpu->dram_write_gbps /= 1.05;
    gpu->dram_copy_gbps /= 1.05;
    scale_rows(&gpu->gather_gops, 1 / 1.1);
    for (size_t i = 0; i < gpu->in_flight.count; i++)
        gpu->in_flight.y[i] = least(gpu->in_flight.y[i], gpu->dram_gbps);
}

static void slower_l2(struct gpu *gpu, struct assumptions *assumptions) {
    (void)assumptions;
    gpu->l2_ns *= 1.1;
    gpu->l2_first_ns *= 1.1;
    gpu->l2_gbps /= 1.1;
    gpu->sm_l2_gbps /= 1.1;
}

static void slower_l1(struct gpu *gpu, struct assumptions *assumptions) {
    (void)assumptions;
    gpu->l1_ns *= 1.1;
    gpu->shared_ns *= 1.1;
    gpu->shared_wavefront_cycles *= 1.05;
}

static void slower_shared_atomics(struct gpu *gpu, struct assumptions *assumptions) {
    (void)assumptions;
    scale_rows(&gpu->shared_atomic_bank, 1.15);
    scale_rows(&gpu->shared_atomic_same, 1.15);
    scale_rows(&gpu->shared_atomic_bank_any, 1.15);
    scale_rows(&gpu->shared_atomic_same_any, 1.15);
    gpu->shared_atomic_ns *= 1.15;
}

static void slower_global_atomics(struct gpu *gpu, struct assumptions *assumptions) {
    (void)assumptions;
    scale_rows(&gpu->global_atomic, 1 / 1.15);
    scale_rows(&gpu->global_swap, 1 / 1.15);
    scale_rows(&gpu->sm_global_atomic, 1 / 1.15);
    scale_rows(&gpu->sm_global_atomic_lines, 1 / 1.15);
    scale_rows(&gpu->global_atomic_same, 1.15);
    scale_rows(&gpu->global_atomic_same_float, 1.15);
    scale_rows(&gpu->global_atomic_same_double, 1.15);
    gpu->global_atomic_ns *= 1.15;
}

static void slower_launches(struct gpu *gpu, struct assumptions *assumptions) {
    (void)assumptions;
    gpu->launch_ns *= 1.1;
    gpu->launch_wide_ns *= 1.1;
    gpu->launch_overlapped_ns *= 1.1;
    gpu->memset_ns *= 1.1;
    gpu->change_ns *= 1.1;
    gpu->block_ns *= 1.2;
    scale_rows(&gpu->block_gap_ns, 1.25);
}

/* Kernels of tests/counters that read memory take up to 1.5 us longer when nothing has been read
 * for a while than the model says, those that read none do not: pages have to be found, perhaps. */
static void slow_first_touch(struct gpu *gpu, struct assumptions *assumptions) {
    (void)gpu;
    assumptions->first_touch_ns = 800;
}

static void slower_barriers(struct gpu *gpu, struct assumptions *assumptions) {
    (void)assumptions;
    scale_rows(&gpu->barrier_ns, 1.2);
    gpu->fence_ns *= 1.2;
    gpu->warp_operation_cycles *= 1.1;
}

static void slower_instructions(struct gpu *gpu, struct assumptions *assumptions) {
    gpu->issue_per_cycle /= 1.2;
    gpu->match_cycles *= 1.2;
    gpu->group_cycles *= 1.2;
    scale_rows(&gpu->constant_cycles, 1.3);
    assumptions->simulate.apart *= 1.3;
}

/* Only where there is no machine code. */
static void fewer_loads_in_flight(struct gpu *gpu, struct assumptions *assumptions) {
    (void)gpu;
    assumptions->order.loads_in_flight = 0.5;
}

static void more_loads_in_flight(struct gpu *gpu, struct assumptions *assumptions) {
    (void)gpu;
    assumptions->order.loads_in_flight = 2;
}

static void more_registers(struct gpu *gpu, struct assumptions *assumptions) {
    (void)gpu;
    assumptions->registers = 48;
}

static void more_instructions(struct gpu *gpu, struct assumptions *assumptions) {
    gpu->issue_per_cycle /= 1.5;
    assumptions->simulate.apart *= 1.5;
}

typedef void (*perturbation)(struct gpu *gpu, struct assumptions *assumptions);
static const perturbation always[] = {
    slower_dram,           narrower_dram,         slower_l2,       slower_l1,
    slower_shared_atomics, slower_global_atomics, slower_launches, slow_first_touch,
    slower_barriers,       slower_instructions};
static const perturbation without_code[] = {fewer_loads_in_flight, more_loads_in_flight,
                                            more_registers, more_instructions};
/* The first of these are about one thing that may go either way: each says one side. */
enum { ONE_SIDED = 2 };

/* What remains where no parameter is to blame, in kernels that have nothing of what left_out()
 * knows, by what limits the call: DRAM is measured best, and what waits least. README.md says what
 * these are from. */
static const double FLOOR[PREDICT_UNITS] = {
    [PREDICT_DRAM] = 0.25,           [PREDICT_L2] = 0.55,
    [PREDICT_ISSUE] = 0.5,           [PREDICT_SHARED] = 0.25,
    [PREDICT_SHARED_ATOMICS] = 0.25, [PREDICT_GLOBAL_ATOMICS] = 0.35,
    [PREDICT_ONE_ADDRESS] = 0.35,    [PREDICT_BARRIERS] = 0.3,
    [PREDICT_LAUNCHES] = 0.3,        [PREDICT_LATENCY] = 0.35};

/* The logarithm of how much longer the call takes with this perturbation. */
static double effect(const struct gpu *gpu, const struct call *call, const struct kernel *kernels,
                     perturbation perturb, double usual_ns) {
    struct gpu other = *gpu;
    struct assumptions assumptions = usual_assumptions;
    perturb(&other, &assumptions);
    struct kernel *remade = NULL;
    double ns = -1;
    if (assumptions.order.loads_in_flight != 1) {
        remade = calloc(call->counts->op_count, sizeof *remade);
        if (remade && make_kernels(call, &assumptions, remade))
            ns = call_ns(&other, call, &assumptions, remade, NULL);
        free_kernels(call->counts, remade);
    } else
        ns = call_ns(&other, call, &assumptions, kernels, NULL);
    return ns > 0 ? log(ns / usual_ns) : 0;
}

/* ---- what the model leaves out ---------------------------------------------------------- */

/* A loop or many branches between two accesses: how often they are taken is in no trace. */
static bool computes_unseen(const struct code_kernel *code) {
    enum { BRANCHES_BETWEEN = 8 };
    for (size_t l = 0; l < code->loop_count; l++) {
        bool paced = false;
        for (size_t m = 0; m < code->memory_count; m++)
            paced = paced || (code->memory[m].position >= code->loops[l].first &&
                              code->memory[m].position <= code->loops[l].last);
        if (!paced)
            return true;
    }
    for (size_t m = 1; m < code->memory_count; m++) {
        float units[CODE_UNITS] = {0};
        code_work(code, NULL, code->memory[m - 1].position, code->memory[m].position, units);
        if (units[CODE_BRANCHES] > BRANCHES_BETWEEN)
            return true;
    }
    return false;
}

/* Whether threads search, and change what they have found until that succeeds. How far they have to
 * search depends on what other blocks, which the emulator runs before or after them, do meanwhile.
 */
static bool searches(const struct code_kernel *code) {
    for (size_t i = 0; i < code->memory_count; i++) {
        const struct code_memory *tried = &code->memory[i];
        if (tried->kind != COUNTS_ATOMIC || tried->reduces || tried->loop < 0)
            continue;
        const struct code_loop *loop = &code->loops[tried->loop];
        for (size_t j = 0; j < code->memory_count; j++) {
            const struct code_memory *other = &code->memory[j];
            if (other->loop >= 0 && other->loop != tried->loop && other->use >= 0 &&
                other->position >= loop->first && other->position <= loop->last)
                return true;
        }
    }
    return false;
}

/* The logarithm of how far a kernel's time may be off for what README.md says is left out. */
static double left_out(const struct counts_op *op, const struct code_kernel *code,
                       const struct predict_op *described, unsigned multiprocessors) {
    static const double UNSEEN_TURNS = 0.6, ATOMICS = 0.4, CACHED = 0.4, SCATTERED = 0.5,
                        LOCAL = 0.4, SHORT = 0.6, FEW_BLOCKS = 0.5, SEARCHES = 1.5, READ_AGAIN = 4,
                        SCATTERED_LINES = 4;
    double asked = 0, stores = 0, store_lines = 0, squares = 0;
    for (size_t i = 0; i < op->site_count; i++) {
        const struct counts_site *site = &op->sites[i];
        if (site->space != COUNTS_GLOBAL)
            continue;
        if (site->kind == COUNTS_LOAD)
            asked += (double)site->lanes * site->bytes;
        if (site->kind == COUNTS_STORE)
            stores += (double)site->requests, store_lines += (double)site->lines;
    }
    if (code && computes_unseen(code))
        squares += pow(UNSEEN_TURNS, 2);
    if (code && searches(code))
        squares += pow(SEARCHES, 2);
    if (described->shares[PREDICT_GLOBAL_ATOMICS] > 0.5)
        squares += pow(ATOMICS, 2);
    if (asked > READ_AGAIN * (double)op->read_sectors * SECTOR)
        squares += pow(CACHED, 2);
    if (store_lines > SCATTERED_LINES * stores)
        squares += pow(SCATTERED, 2);
    if (code && code->local)
        squares += pow(LOCAL, 2);
    if (described->shares[PREDICT_LAUNCHES] > 0.5)
        squares += pow(SHORT, 2);
    else if (2 * counts_blocks(op) < multiprocessors)
        squares += pow(FEW_BLOCKS, 2);
    return sqrt(squares);
}

static void set_interval(const struct gpu *gpu, const struct call *call,
                         const struct kernel *kernels, struct predict *predict) {
    double ns = predict->seconds * 1e9, unknown = 0, all = 0;
    for (size_t i = 0; i < call->counts->op_count; i++)
        all += predict->ops[i].seconds;
    for (size_t i = 0; i < call->counts->op_count; i++)
        if (call->counts->ops[i].what == COUNTS_KERNEL)
            unknown +=
                predict->ops[i].seconds / most(all, predict->seconds) *
                left_out(&call->counts->ops[i], code_kernel(call->code, &call->counts->ops[i]),
                         &predict->ops[i], gpu->multiprocessors);
    double floor = hypot(FLOOR[predict->limit], unknown);
    double both = floor * floor;
    double up = 0, down = 0;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        both += pow(effect(gpu, call, kernels, always[i], ns), 2);
    for (size_t i = 0; !predict->with_code && i < sizeof without_code / sizeof *without_code; i++) {
        double change = effect(gpu, call, kernels, without_code[i], ns);
        *(i >= ONE_SIDED ? &both : change > 0 ? &up : &down) += change * change;
    }
    predict->low = predict->seconds * exp(-sqrt(both + down));
    predict->high = predict->seconds * exp(sqrt(both + up));
}

/* ---- the whole -------------------------------------------------------------------------- */

static enum predict_unit limit_of(const double shares[PREDICT_UNITS]) {
    enum predict_unit limit = PREDICT_DRAM;
    for (int unit = 0; unit < PREDICT_LATENCY; unit++)
        if (shares[unit] > shares[limit])
            limit = unit;
    if (shares[limit] < LIMITS_FROM)
        return PREDICT_LATENCY;
    if (limit != PREDICT_L2)
        return limit;
    if (shares[PREDICT_DRAM] >= DRAM_FROM)
        return PREDICT_DRAM;
    return 2 * shares[PREDICT_GLOBAL_ATOMICS] >= shares[limit] ? PREDICT_GLOBAL_ATOMICS : limit;
}

/* The limit of the kernel that takes longest, all its launches together. */
static enum predict_unit limit_of_call(const struct predict *predict) {
    const struct counts_op *ops = predict->counts.ops;
    double longest = 0, shares[PREDICT_UNITS] = {0};
    for (size_t i = 0; i < predict->counts.op_count; i++) {
        double seconds = 0, sums[PREDICT_UNITS] = {0};
        for (size_t j = 0; j < predict->counts.op_count; j++) {
            if (strcmp(ops[i].name, ops[j].name) != 0)
                continue;
            seconds += predict->ops[j].seconds;
            for (int unit = 0; unit < PREDICT_UNITS; unit++)
                sums[unit] += predict->ops[j].shares[unit] * predict->ops[j].seconds;
        }
        for (int unit = 0; unit < PREDICT_UNITS && seconds > longest; unit++)
            shares[unit] = sums[unit] / seconds;
        longest = seconds > longest ? seconds : longest;
    }
    return limit_of(shares);
}

static void describe(const struct gpu *gpu, const struct call *call, size_t index,
                     const struct assumptions *assumptions, const struct op_time *time,
                     struct predict_op *op) {
    const struct counts_op *counted = &call->counts->ops[index];
    op->seconds = time->ns * 1e-9;
    for (int unit = 0; unit < PREDICT_UNITS; unit++)
        op->shares[unit] = time->ns > 0 ? time->units[unit] / time->ns : 0;
    op->limit = limit_of(op->shares);
    op->registers = -1;
    if (counted->what != COUNTS_KERNEL)
        return;
    const struct code_kernel *code = code_kernel(call->code, counted);
    op->with_code = code != NULL;
    op->registers = code ? (int)code->registers : -1;
    op->resident = resident_blocks(gpu, counted, registers_of(call, counted, assumptions));
    op->waves = (double)counts_blocks(counted) / (op->resident * gpu->multiprocessors);
    op->occupancy = least(1, op->resident * 32.0 * counts_warps(counted) / gpu->threads);
}

static bool predict_call(const struct gpu *gpu, const struct code *code, struct predict *predict,
                         char *error, size_t error_size) {
    size_t ops = predict->counts.op_count;
    struct call call = {.counts = &predict->counts, .code = code};
    struct op_time *times = calloc(ops + 1, sizeof *times);
    struct kernel *kernels = calloc(ops + 1, sizeof *kernels);
    predict->ops = calloc(ops + 1, sizeof *predict->ops);
    call.shares = calloc(ops + 1, sizeof *call.shares);
    bool made = reuse_begin(call.counts, &call.reuse) && call.shares && times && kernels &&
                predict->ops && make_kernels(&call, &usual_assumptions, kernels);
    for (size_t i = 0; made && i < ops; i++)
        call.shares[i] = reuse_of(&call.reuse, gpu, i);
    double ns = made ? call_ns(gpu, &call, &usual_assumptions, kernels, times) : -1;
    if (made && ns >= 0) {
        predict->seconds = ns * 1e-9;
        predict->with_code = true;
        for (size_t i = 0; i < ops; i++) {
            describe(gpu, &call, i, &usual_assumptions, &times[i], &predict->ops[i]);
            if (predict->counts.ops[i].what == COUNTS_KERNEL && !predict->ops[i].with_code)
                predict->with_code = false;
            for (int unit = 0; unit < PREDICT_UNITS; unit++)
                predict->shares[unit] =
                    least(1, predict->shares[unit] + (ns > 0 ? times[i].units[unit] / ns : 0));
        }
        predict->limit = limit_of_call(predict);
        if (ns <= gpu->host_launch_ns * (double)ops) {
            predict->limit = PREDICT_LAUNCHES;
            predict->shares[PREDICT_LAUNCHES] = 1;
        }
        set_interval(gpu, &call, kernels, predict);
    } else
        snprintf(error, error_size, "%s",
                 made ? "the traces are too long to simulate" : "not enough memory to predict");
    free_kernels(&predict->counts, kernels);
    reuse_free(&call.reuse);
    free(call.shares);
    free(times);
    return made && ns >= 0;
}

bool predict(FILE *counts, FILE *gpu_file, FILE *code_file, const char *const names[3],
             struct predict *predict, char *error, size_t error_size) {
    static const char *const usual_names[3] = {"counts", "GPU file", "code"};
    struct gpu gpu;
    struct code code = {.kernels = NULL};
    size_t size;
    const char *const *name = names ? names : usual_names;
    memset(predict, 0, sizeof *predict);
    char *text = text_of(gpu_file, name[1], GPU_BYTES, &size, error, error_size);
    bool good = text && gpu_parse(text, size, name[1], &gpu, error, error_size);
    free(text);
    if (good && code_file) {
        text = text_of(code_file, name[2], CODE_BYTES, &size, error, error_size);
        good = text && code_parse(text, size, name[2], &code, error, error_size);
        free(text);
    }
    if (good) {
        text = text_of(counts, name[0], COUNTS_BYTES, &size, error, error_size);
        good = text && counts_parse(text, size, name[0], &predict->counts, error, error_size);
        free(text);
    }
    if (good)
        snprintf(predict->gpu, sizeof predict->gpu, "%s", gpu.name);
    good = good && predict_call(&gpu, code_file ? &code : NULL, predict, error, error_size);
    code_free(&code);
    if (!good)
        predict_free(predict);
    return good;
}

void predict_free(struct predict *predict) {
    counts_free(&predict->counts);
    free(predict->ops);
    memset(predict, 0, sizeof *predict);
}
