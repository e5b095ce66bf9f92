// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What a step of the counted build calls: the interface of gcc's and clang's -fsanitize=thread, and
 * the emulator's events. */
#define _GNU_SOURCE /* sincos */
#include "lanes.h"
#include "../scheduler/hooks.h"
#include "../scheduler/scheduler.h"

#include <math.h>
#include <string.h>

/* So that the headers let the hooks see each atomic. */
const char emulator_switches_threads[] = "counted";

/* No header declares these. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define CALLER __builtin_return_address(0)

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

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) {
    if (__builtin_expect(lanes_mode == COUNTING, 0))
        lanes_enter(caller);
}
void __tsan_func_exit(void) {
    if (__builtin_expect(lanes_mode == COUNTING, 0))
        lanes_leave();
}

#define PLAIN(n)                                                                                   \
    void __tsan_read##n(void *p) { access(p, n, LOAD, CALLER); }                                   \
    void __tsan_write##n(void *p) { access(p, n, STORE, CALLER); }                                 \
    void __tsan_volatile_read##n(void *p) { access(p, n, LOAD, CALLER); }                          \
    void __tsan_volatile_write##n(void *p) { access(p, n, STORE, CALLER); }                        \
    void __tsan_unaligned_read##n(void *p) { access_pieces(p, n, 1, LOAD, CALLER); }               \
    void __tsan_unaligned_write##n(void *p) { access_pieces(p, n, 1, STORE, CALLER); }             \
    void __tsan_unaligned_volatile_read##n(void *p) { access_pieces(p, n, 1, LOAD, CALLER); }      \
    void __tsan_unaligned_volatile_write##n(void *p) { access_pieces(p, n, 1, STORE, CALLER); }    \
    void __tsan_read_write##n(void *p) {                                                           \
        access(p, n, LOAD, CALLER);                                                                \
        access(p, n, STORE, CALLER);                                                               \
    }                                                                                              \
    void __tsan_unaligned_read_write##n(void *p) {                                                 \
        access_pieces(p, n, 1, LOAD, CALLER);                                                      \
        access_pieces(p, n, 1, STORE, CALLER);                                                     \
    }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

/* Structures that are copied, and the library's copies. */
static unsigned piece_of(uintptr_t both_ends, size_t size) {
    unsigned piece = 16;
    while ((both_ends | size) % piece)
        piece /= 2;
    return piece;
}

void __tsan_read_range(void *p, size_t size) {
    access_pieces(p, size, piece_of((uintptr_t)p, size), LOAD, CALLER);
}
void __tsan_write_range(void *p, size_t size) {
    access_pieces(p, size, piece_of((uintptr_t)p, size), STORE, CALLER);
}
void __tsan_vptr_update(void **p, void *value) {
    (void)value;
    access(p, sizeof *p, STORE, CALLER);
}
void __tsan_vptr_read(void **p) { access(p, sizeof *p, LOAD, CALLER); }
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}

void *__tsan_memcpy(void *to, const void *from, size_t size) {
    unsigned piece = piece_of((uintptr_t)from | (uintptr_t)to, size);
    access_pieces(from, size, piece, LOAD, CALLER);
    access_pieces(to, size, piece, STORE, CALLER);
    return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
    unsigned piece = piece_of((uintptr_t)from | (uintptr_t)to, size);
    access_pieces(from, size, piece, LOAD, CALLER);
    access_pieces(to, size, piece, STORE, CALLER);
    return memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size) {
    access_pieces(to, size, piece_of((uintptr_t)to, size), STORE, CALLER);
    return memset(to, value, size);
}

#define STORES(type, name, parameters, arguments, to)                                              \
    type __tsan_##name parameters {                                                                \
        access(to, sizeof *(to), STORE, CALLER);                                                   \
        return name arguments;                                                                     \
    }
#define OF_TYPE(type, f)                                                                           \
    EMULATOR_STORING(type, f, STORES)                                                              \
    void __tsan_sincos##f(type x, type *sine, type *cosine) {                                      \
        access(sine, sizeof *sine, STORE, CALLER);                                                 \
        access(cosine, sizeof *cosine, STORE, CALLER);                                             \
        sincos##f(x, sine, cosine);                                                                \
    }
OF_TYPE(double, )
OF_TYPE(float, f)

/* ---- atomics ---------------------------------------------------------------------------- */

static inline void before_atomic(const volatile void *address, const void *caller) {
    if (__builtin_expect(lanes_mode == COUNTING, 0))
        lanes_before_atomic((uintptr_t)address, caller);
}

/* A load is the first half of an update that the headers make of two, unless it is one past the L1
 * cache. An exchange that fails, because another block was there first, is tried again, and counted
 * only then. */
#define ATOMIC_HOOKS(bits)                                                                         \
    typedef uint##bits##_t u##bits;                                                                \
    u##bits __tsan_atomic##bits##_load(const volatile u##bits *p, int order) {                     \
        if (order == EMULATOR_PAST_L1)                                                             \
            access(p, bits / 8, LOAD, CALLER);                                                     \
        else                                                                                       \
            before_atomic(p, CALLER);                                                              \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile u##bits *p, u##bits value, int order) {              \
        (void)order;                                                                               \
        access(p, bits / 8, ATOMIC, CALLER);                                                       \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    static int try_##bits(volatile u##bits *p, u##bits *expected, u##bits value,                   \
                          const void *caller) {                                                    \
        int done = __atomic_compare_exchange_n(p, expected, value, 0, __ATOMIC_SEQ_CST,            \
                                               __ATOMIC_SEQ_CST);                                  \
        if (done)                                                                                  \
            access(p, bits / 8, ATOMIC, caller);                                                   \
        return done;                                                                               \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile u##bits *p, u##bits *expected,      \
                                                      u##bits value, int order, int failed) {      \
        (void)order, (void)failed;                                                                 \
        return try_##bits(p, expected, value, CALLER);                                             \
    }                                                                                              \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile u##bits *p, u##bits *expected,        \
                                                    u##bits value, int order, int failed) {        \
        (void)order, (void)failed;                                                                 \
        return try_##bits(p, expected, value, CALLER);                                             \
    }                                                                                              \
    u##bits __tsan_atomic##bits##_compare_exchange_val(volatile u##bits *p, u##bits expected,      \
                                                       u##bits value, int order, int failed) {     \
        (void)order, (void)failed;                                                                 \
        try_##bits(p, &expected, value, CALLER);                                                   \
        return expected;                                                                           \
    }
ATOMIC_HOOKS(8)
ATOMIC_HOOKS(16)
ATOMIC_HOOKS(32)
ATOMIC_HOOKS(64)

#define FETCH(bits, operation, builtin)                                                            \
    u##bits __tsan_atomic##bits##_##operation(volatile u##bits *p, u##bits value, int order) {     \
        (void)order;                                                                               \
        before_atomic(p, CALLER);                                                                  \
        access(p, bits / 8, ATOMIC, CALLER);                                                       \
        return builtin(p, value, __ATOMIC_SEQ_CST);                                                \
    }
#define FETCHES(bits)                                                                              \
    FETCH(bits, exchange, __atomic_exchange_n)                                                     \
    FETCH(bits, fetch_add, __atomic_fetch_add)                                                     \
    FETCH(bits, fetch_sub, __atomic_fetch_sub)                                                     \
    FETCH(bits, fetch_and, __atomic_fetch_and)                                                     \
    FETCH(bits, fetch_or, __atomic_fetch_or)                                                       \
    FETCH(bits, fetch_xor, __atomic_fetch_xor)                                                     \
    FETCH(bits, fetch_nand, __atomic_fetch_nand)
FETCHES(8)
FETCHES(16)
FETCHES(32)
FETCHES(64)

void __tsan_atomic_thread_fence(int order) {
    (void)order;
    emulator_fence(1);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

/* ---- the emulator's events -------------------------------------------------------------- */

void counted_barrier(const void *site) { lanes_do(BARRIER, site); }
void counted_warp_operation(const void *site) { lanes_do(WARP_OPERATION, site); }
void emulator_next_atomic(enum emulator_atomic instructions) { lanes_atomic = instructions; }
void counted_grid_barrier(const void *site) { lanes_do(GRID_BARRIER, site); }
void counted_fence(const void *site) { lanes_do(FENCE, site); }
void counted_dependency(int waits, const void *site) {
    lanes_do(waits ? DEPENDENCY_WAIT : DEPENDENCY_TRIGGER, site);
}
