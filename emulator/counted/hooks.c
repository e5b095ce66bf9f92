/* What a step of the counted build calls, by -fsanitize=thread, and the emulator's events. */
#define _GNU_SOURCE /* sincos */
#include "lanes.h"
#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"

#include <math.h>
#include <string.h>

/* So that the headers let the hooks see each atomic. */
const char emulator_switches_threads[] = "counted";

static inline void access(const volatile void *address, unsigned size, enum kind kind,
                          const void *caller) {
    if (__builtin_expect(lanes_mode != IDLE, 0))
        lanes_access((uintptr_t)address, size, kind, caller);
}

/* An access that the compiler does not know to be aligned: nvcc splits it into bytes. Copies are
 * split too, into pieces as large as both ends allow. */
static void access_pieces(const volatile void *address, size_t size, unsigned piece, enum kind kind,
                          const void *caller) {
    for (size_t i = 0; lanes_mode != IDLE && i < size; i += piece)
        lanes_access((uintptr_t)address + i, piece, kind, caller);
}

/* Structures that are copied, and the library's copies. */
static unsigned piece_of(uintptr_t both_ends, size_t size) {
    unsigned piece = 16;
    while ((both_ends | size) % piece)
        piece /= 2;
    return piece;
}

static void copies(void *to, const void *from, size_t size, const void *caller) {
    unsigned piece = piece_of((uintptr_t)from | (uintptr_t)to, size);
    access_pieces(from, size, piece, LOAD, caller);
    access_pieces(to, size, piece, STORE, caller);
}

/* ---- atomics ---------------------------------------------------------------------------- */

static inline void before_atomic(const volatile void *address, bool decides, const void *caller) {
    bool looks = lanes_atomic == EMULATOR_ATOMIC_LOOK; /* who waits for another thread asks so */
    if (__builtin_expect(lanes_mode == COUNTING, 0))
        lanes_before_atomic((uintptr_t)address, decides || looks, caller);
    else if (looks)
        emulator_yield();
}

/* A load is the first half of an update that the headers make of two, unless it is past the L1. */
static inline void before_load(const volatile void *address, unsigned size, int order,
                               const void *caller) {
    if (order == EMULATOR_PAST_L1)
        access(address, size, LOAD, caller);
    else
        before_atomic(address,
                      lanes_atomic == EMULATOR_ATOMIC_PLAIN ||
                          lanes_atomic == EMULATOR_ATOMIC_EXCHANGE ||
                          lanes_atomic == EMULATOR_ATOMIC_SWAP,
                      caller);
}

/* A lock that is taken, or asked for. */
static void swapped(const volatile void *address, unsigned size, uint64_t seen, uint64_t value,
                    const void *caller) {
    bool asks = lanes_atomic == EMULATOR_ATOMIC_SWAP || lanes_atomic == EMULATOR_ATOMIC_EXCHANGE;
    if (lanes_mode != COUNTING || !asks || !lanes_ask_again((uintptr_t)address, seen, value))
        access(address, size, ATOMIC, caller);
}

#define TSAN_HOOK
#define TSAN_ONE(p, n, writes, ordered, whole)                                                     \
    whole ? access(p, n, writes ? STORE : LOAD, CALLER)                                            \
          : access_pieces(p, n, 1, writes ? STORE : LOAD, CALLER)
#define TSAN_RANGE(p, n, writes)                                                                   \
    access_pieces(p, n, piece_of((uintptr_t)p, n), writes ? STORE : LOAD, CALLER)
#define TSAN_COPY(to, from, n) (copies(to, from, n, CALLER), 1)
#define TSAN_LOAD(p, n, order) before_load(p, n, order, CALLER)
#define TSAN_STORE(p, n, order) ((void)order, access(p, n, ATOMIC, CALLER))
#define TSAN_UPDATE(p, n, order) (before_atomic(p, false, CALLER), TSAN_STORE(p, n, order))
#define TSAN_ADD(p, n, order, value) TSAN_UPDATE(p, n, order)
/* An exchange that fails, as another block was first, is tried again, and counted only then. */
#define TSAN_SWAP(p, n, order, fits, value, caller) ((void)order)
#define TSAN_SWAPPED(p, n, done, seen, value, caller)                                              \
    done ? swapped(p, n, seen, value, caller) : (void)0
#include "../scheduler/tsan.h"

void __tsan_func_entry(void *caller) {
    if (__builtin_expect(lanes_mode == COUNTING, 0))
        lanes_enter(caller);
}
void __tsan_func_exit(void) {
    if (__builtin_expect(lanes_mode == COUNTING, 0))
        lanes_leave();
}

/* ---- the emulator's events -------------------------------------------------------------- */

void watch_arrive(unsigned line, const void *site) {
    (void)line;
    lanes_do(BARRIER, 0, site);
}
/* Lanes of different masks come group by group (WARPSYNC.EXCLUSIVE), but to meet or shuffle. */
void counted_warp_operation(enum emulator_warp_operation operation, unsigned mask, uint64_t value,
                            const void *site) {
    bool together = operation <= EMULATOR_SHUFFLE_XOR || operation == EMULATOR_GATHER;
    bool matches = operation == EMULATOR_MATCH_ANY;
    lanes_do(matches ? MATCH : WARP_OPERATION, matches ? value : together ? 0 : mask, site);
}
void emulator_next_atomic(enum emulator_atomic instructions) { lanes_atomic = instructions; }
void counted_grid_barrier(const void *site) { lanes_do(GRID_BARRIER, 0, site); }
void watch_fence(int device_wide, const void *site) {
    (void)device_wide;
    lanes_do(FENCE, 0, site);
}
void counted_dependency(int waits, const void *site) {
    lanes_do(waits ? DEPENDENCY_WAIT : DEPENDENCY_TRIGGER, 0, site);
}
