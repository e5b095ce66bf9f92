/* The checked build: makes races visible.
 *
 * A step compiled with -fsanitize=thread calls a function before every load and store. The
 * functions here replace libtsan's. They let other threads of the block, and other blocks, run in
 * between, and then tell the analysis (analysis.h) of the access. Run sequentially, `bins[v]++`
 * always looks right; with another thread between its load and its store it is as wrong as on a
 * device. CUDA allows every order that this produces, so a correct kernel stays correct.
 *
 * How long a thread runs is pseudo-random. Mostly it runs for one access only, which separates
 * reads from writes. Sometimes it runs for a few accesses, and sometimes all the way to the next
 * barrier: where a __syncthreads() is missing, it then enters the next phase of the kernel before
 * others have finished the last one. HISTOLAB_SEED chooses another sequence. */
#define _GNU_SOURCE /* sincos */
#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"
#include "analysis.h"
#include "budget.h"
#include "reach.h"
#include "reads.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    A_PHASE = 8192, /* more accesses than there are between two barriers; not endless, because the
                       thread may be waiting for a lock that another one holds */
    NO_LOCK = 1 << 24, /* for a thread that does not */
};

const char emulator_switches_threads[] = "checked";

static __thread uint64_t random_state = 1;
static __thread unsigned accesses_left;                  /* until the thread lets others run */
static __thread unsigned global_stores, repeats;         /* of the block so far */
static __thread uintptr_t updated[EMULATOR_MAX_THREADS]; /* by each thread's last atomic */
static uint64_t seed, launches;
static bool in_order;   /* as the plain build runs threads: from one barrier to the next */
static bool one_by_one; /* and blocks too, as on one core; else mixed, as on several */

void emulator_run_threads(enum emulator_order order) {
    in_order = order != EMULATOR_MIXED;
    one_by_one = order == EMULATOR_ONE_BY_ONE;
    launches = 0;
}

static uint64_t next_random(void) { /* xorshift64* */
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545F4914F6CDD1Du;
}

void racy_begin_block(uint64_t number) {
    if (number == 0)
        launches++;
    random_state =
        (seed + 1) * 0x9E3779B97F4A7C15u ^ (launches << 32 | (number + 1)) * 0xD6E8FEB86659FD93u;
    if (!random_state)
        random_state = 1;
    global_stores = repeats = 0;
    memset(updated, 0, blockDim.x * blockDim.y * blockDim.z * sizeof *updated);
}

void racy_resume(void) {
    unsigned r = (unsigned)(next_random() >> 32);
    /* With few threads a larger share must run ahead for as many to do so. */
    bool few = blockDim.x * blockDim.y * blockDim.z <= 128;
    unsigned kind = r & (few ? 7 : 31);
    accesses_left = in_order                                     ? NO_LOCK
                    : reach_only || budget_is_spent || kind == 0 ? A_PHASE
                    : kind < 4                                   ? 4 + (r >> 8) % 64
                                                                 : 1;
}

__attribute__((constructor)) static void start(void) {
    const char *wanted = getenv("HISTOLAB_SEED");
    seed = wanted ? strtoull(wanted, NULL, 10) : 0;
}

/* An update of another block would be lost at a store to global memory; and it may come between two
 * atomics, above all of one thread to one place, or two looks at what others write. So let another
 * block run there: often at first, then seldom, because each change costs microseconds. */
static bool changes_block(uintptr_t p, unsigned flags) {
    enum { REPEATS = 8 };
    unsigned one_in = 2048;
    if (flags & ACCESS_ATOMIC) {
        if (updated[emulator_thread] == p && repeats++ < REPEATS)
            return true;
        updated[emulator_thread] = p;
    }
    if (flags) {
        unsigned n = global_stores++;
        one_in = n < 8 ? 2 : n < 64 ? 16 : 128;
    }
    return (next_random() >> 33) % one_in == 0;
}

/* Let others run before an access of device code. */
static void let_others_run(uintptr_t p, unsigned flags, const void *caller) {
    if (!emulator_stack_bytes || p - emulator_stack_begin < emulator_stack_bytes)
        return; /* the host's code, or a thread's own variable */
    __builtin_prefetch((const void *)p);
    /* threadIdx and so on: they are read so often that other accesses would hardly count */
    if (!flags && emulator_is_builtin(p))
        return;
    bool shared = p - emulator_shared_begin < emulator_shared_bytes;
    if (!shared && !reach_only && !one_by_one && changes_block(p, flags))
        emulator_pass_turn(caller);
    if (--accesses_left == 0) {
        emulator_yield_at(caller);
        if (accesses_left == 0) /* nobody else could run */
            racy_resume();
    }
}

static void analyse(const volatile void *address, size_t size, unsigned flags, const void *caller) {
    reach_mark(caller);
    if (!reach_only && !(budget_is_spent && emulator_stack_bytes))
        analysis_access((uintptr_t)address, size, flags, (uintptr_t)caller - 1);
}

/* Where nothing is analysed a thread goes on: who waits for a write must not wait for ever. */
static void goes_on(const void *caller) {
    if (--accesses_left)
        return;
    accesses_left = A_PHASE;
    emulator_pass_turn(caller);
    emulator_yield_at(caller);
    accesses_left = A_PHASE;
}

static void before_access(const volatile void *address, size_t size, unsigned flags,
                          const void *caller) {
    if (!emulator_stack_bytes && --budget_host_accesses < 0)
        return;
    if (flags & ACCESS_VOLATILE && emulator_lock_step && emulator_stack_bytes)
        emulator_warp(EMULATOR_SYNC, emulator_lanes_at(caller), 0, 0, 32);
    if (budget_is_spent && emulator_stack_bytes) {
        goes_on(caller);
        return;
    }
    let_others_run((uintptr_t)address, flags, caller);
    analyse(address, size, flags, caller);
}

static bool copies_now(void *to, const void *from, size_t size, const void *caller) {
    if (later_copies(to, from, size, caller)) {
        reach_mark(caller);
        return false;
    }
    before_access(from, size, 0, caller);
    before_access(to, size, ACCESS_WRITE, caller);
    return true;
}

void watch_texel(const void *address, size_t size, const void *site) {
    before_access(address, size, 0, site);
}

/* ---- atomics: others may run first --------------------------------------------------------- */

/* The headers tell by the order which atomics are the block's alone: see EMULATOR_BLOCK_SCOPE. */
static unsigned atomic_flags(int order, unsigned flags) {
    return ACCESS_ATOMIC | flags | (order == EMULATOR_BLOCK_SCOPE ? ACCESS_BLOCK_SCOPE : 0u);
}

static void analyse_atomic(const volatile void *p, size_t size, unsigned flags,
                           const void *caller) {
    if (emulator_stack_bytes && (uintptr_t)p % size) {
        analysis_misaligned((uintptr_t)p, (unsigned)size, "updates it atomically",
                            (uintptr_t)caller - 1);
        abort();
    }
    analyse(p, size, flags, caller);
}

static void before_atomic(const volatile void *p, size_t size, unsigned flags, int order,
                          const void *caller) {
    let_others_run((uintptr_t)p, ACCESS_ATOMIC, caller);
    analyse_atomic(p, size, atomic_flags(order, flags), caller);
}

static __thread uintptr_t looked_at; /* by the load before */

/* An atomic operation's own load; or one past the L1 cache, by EMULATOR_PAST_L1, which is none. */
static void before_load(const volatile void *p, size_t size, int order, const void *caller) {
    let_others_run((uintptr_t)p, ACCESS_VOLATILE, caller);
    looked_at = order == EMULATOR_PAST_L1 ? 0 : (uintptr_t)p;
    unsigned flags = order == EMULATOR_PAST_L1 ? ACCESS_PAST_L1 : atomic_flags(order, 0);
    analyse_atomic(p, size, flags, caller);
}

/* What is added or stored is noted, too. */
static void before_addition(const volatile void *p, size_t size, uint64_t amount, int order,
                            const void *caller) {
    let_others_run((uintptr_t)p, ACCESS_ATOMIC, caller);
    reads_adds = true;
    reads_amount = amount;
    analyse_atomic(p, size, atomic_flags(order, ACCESS_WRITE), caller);
    reads_adds = false;
    reads_amount = 0;
}

/* Not between an operation's own load and its swap: atomicMax and the like are one operation. */
static void let_others_swap(uintptr_t p, const void *caller) {
    if (looked_at != p)
        let_others_run(p, ACCESS_ATOMIC, caller);
    looked_at = 0;
}

/* It writes only where it finds what it expects. */
static void before_swap(const volatile void *p, size_t size, int order, bool fits, uint64_t value,
                        const void *caller) {
    reads_stored = value;
    analyse_atomic(p, size, atomic_flags(order, fits ? ACCESS_WRITE : 0), caller);
    reads_stored = 0;
}

static void after_swap(int done) {
    if (!done)
        accesses_left = 1; /* let the thread that has the lock continue */
}

/* ---- what the compilers call -------------------------------------------------------------- */

#define TSAN_HOOK REACH_HOOK
#define TSAN_ONE(p, n, writes, ordered, whole)                                                     \
    before_access(p, n, (writes ? ACCESS_WRITE : 0) | (ordered ? ACCESS_VOLATILE : 0), CALLER)
#define TSAN_RANGE(p, n, writes) before_access(p, n, writes ? ACCESS_WRITE : 0, CALLER)
#define TSAN_COPY(to, from, n) copies_now(to, from, n, CALLER)
#define TSAN_LOAD(p, n, order) before_load(p, n, order, CALLER)
#define TSAN_STORE(p, n, order) before_atomic(p, n, ACCESS_WRITE, order, CALLER)
#define TSAN_UPDATE TSAN_STORE
#define TSAN_ADD(p, n, order, value) before_addition(p, n, value, order, CALLER)
/* What is there is known when the others have run. */
#define TSAN_SWAP(p, n, order, fits, value, caller)                                                \
    (let_others_swap((uintptr_t)(p), caller), before_swap(p, n, order, fits, value, caller))
#define TSAN_SWAPPED(p, n, done, seen, value, caller) after_swap(done)
#include "../scheduler/tsan.h"

void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}

/* ---- what a device refuses and the CPU allows ------------------------------------------- */

/* What -fsanitize=shift-exponent calls. */
struct shift {
    const char *file;
    uint32_t line, column;
    const struct shifted {
        uint16_t kind, info; /* of a whole number: twice the logarithm of its bits, and its sign */
    } * value, *distance;
};

void __ubsan_handle_shift_out_of_bounds(const struct shift *at, uintptr_t value,
                                        uintptr_t distance) {
    const unsigned unused = 64 - (1u << (at->distance->info >> 1)); /* a wide one is in memory */
    (void)value;
    analysis_shift(unused < 64 ? (int64_t)((uint64_t)distance << unused) >> unused : 0,
                   1u << (at->value->info >> 1), (uintptr_t)__builtin_return_address(0) - 1);
}

/* What -fsanitize=alignment and -fsanitize=object-size call, with the layout of libubsan. */
struct mismatch {
    const char *file;
    uint32_t line, column;
    const void *type;
    unsigned char log_alignment, kind;
};

static const char *does_at(const struct mismatch *at) {
    static const char *const does[] = {"reads", "writes"}; /* the first of its kinds */
    return at->kind < 2 ? does[at->kind] : "reads or writes";
}

void __ubsan_handle_type_mismatch_v1_abort(struct mismatch *at, uintptr_t address) {
    analysis_misaligned(address, 1u << at->log_alignment, does_at(at),
                        (uintptr_t)__builtin_return_address(0) - 1);
    fprintf(stderr, "emulator: %s:%u: misaligned address: 0x%llx is not a multiple of %u\n",
            at->file, at->line, (unsigned long long)address, 1u << at->log_alignment);
    abort();
}

/* Of other memory each access is told. */
void __ubsan_handle_type_mismatch_v1(struct mismatch *at, uintptr_t address) {
    if (emulator_stack_bytes && address - emulator_stack_begin < emulator_stack_bytes)
        analysis_beyond_own(does_at(at), at->line, (uintptr_t)__builtin_return_address(0) - 1);
}
