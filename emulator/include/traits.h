// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What the emulator's headers need to know of types. The C++ library says it too, but takes longer
 * to compile than a step. */
#ifndef EMULATOR_TRAITS_H
#define EMULATOR_TRAITS_H

#include <stddef.h>

namespace emulator {

/* ---- types ------------------------------------------------------------------------------ */

template <typename T>
struct unqualified {
    typedef T type;
};
template <typename T>
struct unqualified<const T> {
    typedef T type;
};
template <typename T>
struct unqualified<volatile T> {
    typedef T type;
};
template <typename T>
struct unqualified<const volatile T> {
    typedef T type;
};
template <typename T>
using without_const = typename unqualified<T>::type;

/* A parameter of this type is not deduced. */
template <typename T>
struct identity {
    typedef T type;
};
template <typename T>
using same = typename identity<T>::type;

template <typename T>
constexpr bool integer = false;
#define EMULATOR_INTEGER(T)                                                                        \
    template <>                                                                                    \
    constexpr bool integer<T> = true;
EMULATOR_INTEGER(bool)
EMULATOR_INTEGER(char)
EMULATOR_INTEGER(signed char)
EMULATOR_INTEGER(unsigned char)
EMULATOR_INTEGER(wchar_t)
EMULATOR_INTEGER(char16_t)
EMULATOR_INTEGER(char32_t)
EMULATOR_INTEGER(short)
EMULATOR_INTEGER(unsigned short)
EMULATOR_INTEGER(int)
EMULATOR_INTEGER(unsigned)
EMULATOR_INTEGER(long)
EMULATOR_INTEGER(unsigned long)
EMULATOR_INTEGER(long long)
EMULATOR_INTEGER(unsigned long long)
#undef EMULATOR_INTEGER

template <typename T>
constexpr bool floating = false;
template <>
constexpr bool floating<float> = true;
template <>
constexpr bool floating<double> = true;
template <>
constexpr bool floating<long double> = true;

template <typename T>
constexpr bool pointer = false;
template <typename T>
constexpr bool pointer<T *> = true;

template <typename T>
constexpr bool is_integer = integer<without_const<T>>;
template <typename T>
constexpr bool is_floating = floating<without_const<T>>;
template <typename T>
constexpr bool is_arithmetic = is_integer<T> || is_floating<T>;
template <typename T>
constexpr bool is_pointer = pointer<without_const<T>>;

/* The limits of an integer type, as two's complement has them. */
template <typename I>
constexpr I largest = (I)(~0ull >> (64 - 8 * sizeof(I) + ((I)-1 < (I)0)));
template <typename I>
constexpr I least = (I)~largest<I>;

/* ---- lists of arguments ----------------------------------------------------------------- */

/* The bytes of an object whose class has a copy constructor or a destructor of its own. CUDA copies
 * a kernel's parameters byte by byte all the same, and destroys none of them on the device (CUDA
 * C++ Programming Guide, "__global__ Function Argument Processing"). */
template <typename T>
struct raw {
    alignas(T) unsigned char bytes[sizeof(T)];
    raw(const T &value) { __builtin_memcpy(bytes, &value, sizeof bytes); }
};

/* How a parameter is kept until its kernel runs, and how it is then passed: by the C++ ABI of
 * Itanium, which gcc and clang follow, such an object is passed by the address of a copy. */
template <typename T, bool plain = __is_trivially_copyable(T)>
struct parameter {
    typedef T kept;
    typedef T passed;
};
template <typename T>
struct parameter<T, false> {
    typedef raw<T> kept;
    typedef raw<T> *passed;
};
template <typename T>
using kept = typename parameter<T>::kept;
template <typename T>
using passed = typename parameter<T>::passed;

/* What one call of the kernel gets. */
template <typename T>
const T &pass(const T &value) {
    return value;
}
template <typename T>
struct copy_of {
    raw<T> copy; /* each thread has its own */
    operator raw<T> *() { return &copy; }
};
template <typename T>
copy_of<T> pass(const raw<T> &value) {
    return {value};
}

template <typename... T>
struct values {};
template <typename First, typename... Rest>
struct values<First, Rest...> {
    First first;
    values<Rest...> rest;
    values(First first, Rest... rest) : first(first), rest(rest...) {}
};

/* function(arguments...), with the values of a list behind those that are taken from it. */
template <typename F, typename... Taken>
void apply(const F &function, const values<> &, const Taken &...taken) {
    function(emulator::pass(taken)...);
}
template <typename F, typename First, typename... Rest, typename... Taken>
void apply(const F &function, const values<First, Rest...> &list, const Taken &...taken) {
    emulator::apply(function, list.rest, taken..., list.first);
}

/* The place of a value in a list, and its size. */
inline void *place(values<> &, unsigned, size_t *) { return nullptr; }
template <typename First, typename... Rest>
void *place(values<First, Rest...> &list, unsigned number, size_t *size) {
    if (number)
        return emulator::place(list.rest, number - 1, size);
    *size = sizeof list.first;
    return &list.first;
}

/* The bytes that parameters take, each aligned as its type. */
template <typename... T>
constexpr size_t bytes_of_parameters() {
    size_t bytes = 0;
    ((bytes = (bytes + alignof(T) - 1) / alignof(T) * alignof(T) + sizeof(T)), ...);
    return bytes;
}

/* indices<0, 1, ..., n - 1> */
template <size_t...>
struct indices {};
template <size_t n, size_t... I>
struct indices_below : indices_below<n - 1, n - 1, I...> {};
template <size_t... I>
struct indices_below<0, I...> {
    typedef indices<I...> type;
};
template <size_t n>
using indices_for = typename indices_below<n>::type;

/* The type at a place of a list. */
template <size_t n, typename First, typename... Rest>
struct nth {
    typedef typename nth<n - 1, Rest...>::type type;
};
template <typename First, typename... Rest>
struct nth<0, First, Rest...> {
    typedef First type;
};
template <size_t n, typename... T>
using at = typename nth<n, T...>::type;

} // namespace emulator

#endif
