/* What code calls that gcc or clang has compiled with -fsanitize=thread: libtsan's functions, for
 * the checked and for the counted build. Who includes this has defined, of the caller CALLER:
 *
 *   TSAN_HOOK                              attributes of each function
 *   TSAN_ONE(p, n, writes, ordered, whole) an access; ordered: volatile; whole: known to be aligned
 *   TSAN_RANGE(p, n, writes)               one of any size
 *   TSAN_COPY(to, from, n)                 the library's; false: it is not made now
 *   TSAN_LOAD, TSAN_STORE, TSAN_UPDATE(p, n, order), TSAN_ADD(p, n, order, value): before atomics
 *   TSAN_SWAP(p, n, order, fits, value, caller), TSAN_SWAPPED(p, n, done, seen, value,
 *   caller): around a comparison of what is there */
#pragma once

#define CALLER __builtin_return_address(0)

#define TSAN_ACCESSES(name, n, ordered, whole)                                                     \
    TSAN_HOOK void __tsan_##name##read##n(void *p) { TSAN_ONE(p, n, 0, ordered, whole); }          \
    TSAN_HOOK void __tsan_##name##write##n(void *p) { TSAN_ONE(p, n, 1, ordered, whole); }
#define TSAN_PLAIN(n)                                                                              \
    TSAN_ACCESSES(, n, 0, 1)                                                                       \
    TSAN_ACCESSES(unaligned_, n, 0, 0)                                                             \
    TSAN_ACCESSES(volatile_, n, 1, 1)                                                              \
    TSAN_ACCESSES(unaligned_volatile_, n, 1, 0)
TSAN_PLAIN(1)
TSAN_PLAIN(2)
TSAN_PLAIN(4)
TSAN_PLAIN(8)
TSAN_PLAIN(16)

TSAN_HOOK void __tsan_read_range(void *p, size_t size) { TSAN_RANGE(p, size, 0); }
TSAN_HOOK void __tsan_write_range(void *p, size_t size) { TSAN_RANGE(p, size, 1); }
TSAN_HOOK void __tsan_vptr_update(void **p, void *value) {
    (void)value;
    TSAN_ONE(p, sizeof *p, 1, 0, 1);
}
TSAN_HOOK void __tsan_vptr_read(void **p) { TSAN_ONE(p, sizeof *p, 0, 0, 1); }
void __tsan_init(void) {}

/* front/builds.c has the step's calls of memcpy and the like come here. */
TSAN_HOOK void *__tsan_memcpy(void *to, const void *from, size_t size) {
    return TSAN_COPY(to, from, size) ? memcpy(to, from, size) : to;
}
TSAN_HOOK void *__tsan_memmove(void *to, const void *from, size_t size) {
    return TSAN_COPY(to, from, size) ? memmove(to, from, size) : to;
}
TSAN_HOOK void *__tsan_memset(void *to, int value, size_t size) {
    TSAN_RANGE(to, size, 1);
    return memset(to, value, size);
}

/* The functions of mathematics that a kernel may call and that store. */
#define TSAN_STORING(type, name, parameters, arguments)                                            \
    TSAN_HOOK type __tsan_##name parameters {                                                      \
        TSAN_ONE(to, sizeof *to, 1, 0, 1);                                                         \
        return name arguments;                                                                     \
    }
#define TSAN_MATHEMATICS(type, f)                                                                  \
    TSAN_STORING(type, frexp##f, (type x, int *to), (x, to))                                       \
    TSAN_STORING(type, modf##f, (type x, type * to), (x, to))                                      \
    TSAN_STORING(type, remquo##f, (type x, type y, int *to), (x, y, to))                           \
    TSAN_HOOK void __tsan_sincos##f(type x, type *sine, type *cosine) {                            \
        TSAN_ONE(sine, sizeof *sine, 1, 0, 1);                                                     \
        TSAN_ONE(cosine, sizeof *cosine, 1, 0, 1);                                                 \
        sincos##f(x, sine, cosine);                                                                \
    }
TSAN_MATHEMATICS(double, )
TSAN_MATHEMATICS(float, f)

/* ---- atomics: done as asked, in one piece ------------------------------------------------- */

#define TSAN_SWAPPING(bits, strength)                                                              \
    TSAN_HOOK int __tsan_atomic##bits##_compare_exchange_##strength(                               \
        volatile u##bits *p, u##bits *expected, u##bits value, int order, int failed) {            \
        (void)failed;                                                                              \
        return try_##bits(p, expected, value, order, CALLER);                                      \
    }
#define TSAN_FETCH(bits, name, builtin)                                                            \
    TSAN_HOOK u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits value,             \
                                                   int order) {                                    \
        TSAN_UPDATE(p, bits / 8, order);                                                           \
        return builtin(p, value, __ATOMIC_SEQ_CST);                                                \
    }
#define TSAN_ATOMIC(bits)                                                                          \
    typedef uint##bits##_t u##bits;                                                                \
    TSAN_HOOK u##bits __tsan_atomic##bits##_load(const volatile u##bits *p, int order) {           \
        TSAN_LOAD(p, bits / 8, order);                                                             \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    }                                                                                              \
    TSAN_HOOK void __tsan_atomic##bits##_store(volatile u##bits *p, u##bits value, int order) {    \
        TSAN_STORE(p, bits / 8, order);                                                            \
        __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    static int try_##bits(volatile u##bits *p, u##bits *expected, u##bits value, int order,        \
                          const void *caller) {                                                    \
        TSAN_SWAP(p, bits / 8, order, *p == *expected, value, caller);                             \
        int done = __atomic_compare_exchange_n(p, expected, value, 0, __ATOMIC_SEQ_CST,            \
                                               __ATOMIC_SEQ_CST);                                  \
        TSAN_SWAPPED(p, bits / 8, done, *expected, value, caller);                                 \
        return done;                                                                               \
    }                                                                                              \
    TSAN_SWAPPING(bits, strong)                                                                    \
    TSAN_SWAPPING(bits, weak)                                                                      \
    TSAN_HOOK u##bits __tsan_atomic##bits##_compare_exchange_val(                                  \
        volatile u##bits *p, u##bits expected, u##bits value, int order, int failed) {             \
        (void)failed;                                                                              \
        try_##bits(p, &expected, value, order, CALLER);                                            \
        return expected;                                                                           \
    }                                                                                              \
    TSAN_HOOK u##bits __tsan_atomic##bits##_fetch_add(volatile u##bits *p, u##bits value,          \
                                                      int order) {                                 \
        TSAN_ADD(p, bits / 8, order, value);                                                       \
        return __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST);                                     \
    }                                                                                              \
    TSAN_FETCH(bits, exchange, __atomic_exchange_n)                                                \
    TSAN_FETCH(bits, fetch_sub, __atomic_fetch_sub)                                                \
    TSAN_FETCH(bits, fetch_and, __atomic_fetch_and)                                                \
    TSAN_FETCH(bits, fetch_or, __atomic_fetch_or)                                                  \
    TSAN_FETCH(bits, fetch_xor, __atomic_fetch_xor)                                                \
    TSAN_FETCH(bits, fetch_nand, __atomic_fetch_nand)
TSAN_ATOMIC(8)
TSAN_ATOMIC(16)
TSAN_ATOMIC(32)
TSAN_ATOMIC(64)

void __tsan_atomic_thread_fence(int order) {
    (void)order;
    emulator_fence(1);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }
