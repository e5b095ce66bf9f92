/* CUDA 12.8's built-in functions for atomics, as the CUDA C++ Programming Guide has them: an order
 * and a scope are numbers. As in cuda::atomic, the atomic itself is relaxed, with fences around it.
 */
#pragma once

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

EMULATOR_INLINE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (order != __NV_ATOMIC_RELAXED && scope != __NV_THREAD_SCOPE_THREAD)
        emulator_fence(scope != __NV_THREAD_SCOPE_BLOCK);
}

namespace emulator {
/* What comes before an atomic of this order, and what after it. */
EMULATOR_INLINE void before_atomic(int order, int scope) {
    if (order >= __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(order, scope);
}
EMULATOR_INLINE void after_atomic(int order, int scope) {
    if (order != __NV_ATOMIC_RELEASE)
        __nv_atomic_thread_fence(order, scope);
}
} // namespace emulator

template <typename T>
EMULATOR_INLINE T __nv_atomic_load_n(T *from, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    T value;
    __atomic_load(from, &value, __ATOMIC_RELAXED);
    if (!emulator_switches_threads && emulator_in_kernel())
        emulator_yield(); /* it may be in a loop that waits for another thread */
    ::emulator::after_atomic(order, scope);
    return value;
}

template <typename T>
EMULATOR_INLINE void __nv_atomic_store_n(T *to, T value, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
    ::emulator::before_atomic(order, scope);
    *(volatile T *)to = value;
    if (order == __NV_ATOMIC_SEQ_CST)
        __nv_atomic_thread_fence(order, scope);
}

#define EMULATOR_FETCH(name, wanted)                                                               \
    template <typename T>                                                                          \
    EMULATOR_INLINE T __nv_atomic_##name(T *at, T value, int order,                                \
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {                   \
        ::emulator::before_atomic(order, scope);                                                   \
        T old, made;                                                                               \
        __atomic_load(at, &old, __ATOMIC_RELAXED);                                                 \
        do                                                                                         \
            made = (T)(wanted);                                                                    \
        while (!__atomic_compare_exchange(at, &old, &made, true, __ATOMIC_RELAXED,                 \
                                          __ATOMIC_RELAXED));                                      \
        ::emulator::after_atomic(order, scope);                                                    \
        return old;                                                                                \
    }
EMULATOR_FETCH(exchange_n, value)
EMULATOR_FETCH(fetch_add, old + value)
EMULATOR_FETCH(fetch_sub, old - value)
EMULATOR_FETCH(fetch_and, old &value)
EMULATOR_FETCH(fetch_or, old | value)
EMULATOR_FETCH(fetch_xor, old ^ value)
EMULATOR_FETCH(fetch_min, value < old ? value : old)
EMULATOR_FETCH(fetch_max, old < value ? value : old)
#undef EMULATOR_FETCH
