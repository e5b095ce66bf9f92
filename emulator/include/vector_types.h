/* CUDA's short vectors: char1 … double4, and dim3. The same sizes and alignments as CUDA's. */
#pragma once

/* Around what is declared for C and C++. */
#ifdef __cplusplus
#define EMULATOR_MAKE static inline constexpr
#define EMULATOR_BEGIN_C extern "C" {
#define EMULATOR_END_C }
#else
#define EMULATOR_MAKE static inline
#define EMULATOR_BEGIN_C
#define EMULATOR_END_C
#endif

#define EMULATOR_VECTOR(name, alignment, fields, parameters, ...)                                  \
    typedef struct __attribute__((aligned(alignment))) name {                                      \
        fields;                                                                                    \
    } name;                                                                                        \
    EMULATOR_MAKE name make_##name parameters {                                                    \
        name v = {__VA_ARGS__};                                                                    \
        return v;                                                                                  \
    }
/* Vectors of 1 and 3 are aligned as their elements. Those of 2 and 4 are aligned as a whole, so
 * that one instruction can move them, but never beyond 16 bytes. */
#define EMULATOR_VECTORS(T, name, align2, align4)                                                  \
    EMULATOR_VECTOR(name##1, __alignof__(T), T x, (T x), x)                                        \
    EMULATOR_VECTOR(name##2, align2, T x; T y, (T x, T y), x, y)                                   \
    EMULATOR_VECTOR(name##3, __alignof__(T), T x; T y; T z, (T x, T y, T z), x, y, z)              \
    EMULATOR_VECTOR(name##4, align4, T x; T y; T z; T w, (T x, T y, T z, T w), x, y, z, w)

EMULATOR_VECTORS(signed char, char, 2, 4)
EMULATOR_VECTORS(unsigned char, uchar, 2, 4)
EMULATOR_VECTORS(short, short, 4, 8)
EMULATOR_VECTORS(unsigned short, ushort, 4, 8)
EMULATOR_VECTORS(int, int, 8, 16)
EMULATOR_VECTORS(unsigned int, uint, 8, 16)
EMULATOR_VECTORS(long, long, 16, 16)
EMULATOR_VECTORS(unsigned long, ulong, 16, 16)
EMULATOR_VECTORS(long long, longlong, 16, 16)
EMULATOR_VECTORS(unsigned long long, ulonglong, 16, 16)
EMULATOR_VECTORS(float, float, 8, 16)
EMULATOR_VECTORS(double, double, 16, 16)

/* A size of a grid or a block. In C++ missing sizes are 1. */
typedef struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return make_uint3(x, y, z); }
#endif
} dim3;
