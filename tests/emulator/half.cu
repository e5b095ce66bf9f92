/* Half precision and bfloat16: conversions and arithmetic against exact ones. */
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>

enum { N = 2048 };

/* A positive number by its bits, exactly. */
static double value_of(unsigned bits, int fraction_bits) {
    int exponent = (int)(bits >> fraction_bits), bias = (1 << (14 - fraction_bits)) - 1;
    double fraction = bits & ((1u << fraction_bits) - 1), one = 1u << fraction_bits;
    return exponent ? ldexp(1 + fraction / one, exponent - bias) : ldexp(fraction / one, 1 - bias);
}

/* ---- conversions: between two neighbours, in the middle, and beside it -------------------- */

__global__ void to_half(const float *from, unsigned short *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    to[2 * i] = __half_as_ushort(__float2half(from[i]));
    to[2 * i + 1] = __bfloat16_as_ushort(__float2bfloat16(from[i]));
}

static void conversions() {
    float *from;
    unsigned short *to;
    CALL(cudaMallocManaged(&from, 3 * N * sizeof *from));
    CALL(cudaMallocManaged(&to, 6 * N * sizeof *to));
    for (int i = 0; i < N; i++) {
        unsigned bits = (unsigned)i * 31 % 0x7bff;
        float middle = (float)((value_of(bits, 10) + value_of(bits + 1, 10)) / 2);
        from[3 * i] = middle;
        from[3 * i + 1] = nextafterf(middle, 0);
        from[3 * i + 2] = nextafterf(middle, INFINITY);
    }
    to_half<<<(3 * N + 255) / 256, 256>>>(from, to, 3 * N);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 3 * N; i++) {
        unsigned bits = (unsigned)(i / 3) * 31 % 0x7bff;
        unsigned nearest = i % 3 == 1 ? bits : i % 3 == 2 ? bits + 1 : bits + (bits & 1);
        CHECK(to[2 * i] == nearest);
        unsigned wide;
        memcpy(&wide, &from[i], sizeof wide);
        unsigned rest = wide & 0xffff, cut = wide >> 16;
        CHECK(to[2 * i + 1] == cut + (rest > 0x8000 || (rest == 0x8000 && (cut & 1))));
    }
    CALL(cudaFree(from));
    CALL(cudaFree(to));
}

/* ---- arithmetic --------------------------------------------------------------------------- */

__device__ unsigned short bits_of(__half h) { return __half_as_ushort(h); }
__device__ unsigned short bits_of(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }

template <typename H> __global__ void compute(const H *in, unsigned short *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    H a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    out[5 * i] = bits_of(a + b);
    out[5 * i + 1] = bits_of(a - c);
    out[5 * i + 2] = bits_of(a * b);
    out[5 * i + 3] = bits_of(__hfma(a, b, c));
    out[5 * i + 4] = bits_of(a / b);
}

/* Is this the number of 16 bits that is nearest to the integer `exact` in units of 2^-scale? */
static bool is_nearest(unsigned short bits, __int128 exact, int fraction_bits, int scale) {
    bool negative = exact < 0;
    unsigned magnitude = bits & 0x7fff, infinity = 0x7fffu >> fraction_bits << fraction_bits;
    if (exact == 0)
        return magnitude == 0;
    if (negative != (bits >> 15))
        return false;
    __int128 wanted = negative ? -exact : exact;
    if (magnitude == infinity)
        return (double)wanted >=
               ldexp(2 - ldexp(1, -fraction_bits - 1), (1 << (14 - fraction_bits)) - 1 + scale);
    __int128 below = 0, above,
             here = (__int128)ldexp(value_of(magnitude, fraction_bits), scale + 1);
    above = magnitude + 1 < infinity
                ? (__int128)ldexp(value_of(magnitude + 1, fraction_bits), scale + 1)
                : 4 * here;
    below = magnitude ? (__int128)ldexp(value_of(magnitude - 1, fraction_bits), scale + 1) : -here;
    __int128 off = 2 * wanted - here, half_up = (above - here) / 2, half_down = (here - below) / 2;
    return off >= 0 ? off < half_up || (off == half_up && !(magnitude & 1))
                    : -off < half_down || (-off == half_down && !(magnitude & 1));
}

/* `least` and `most` are the exponent fields of what takes part, so that all fits 126 bits. */
template <typename H>
static void arithmetic(int fraction_bits, unsigned least, unsigned most, int scale) {
    unsigned short *out, *in;
    CALL(cudaMallocManaged(&in, 3 * N * sizeof *in));
    CALL(cudaMallocManaged(&out, 5 * N * sizeof *out));
    unsigned random = 12345;
    for (int i = 0; i < 3 * N; i++) {
        random = random * 1664525 + 1013904223;
        unsigned exponent = least + (random >> 8) % (most - least + 1);
        in[i] = (unsigned short)((random >> 31) << 15 | exponent << fraction_bits |
                                 (random >> 16 & ((1u << fraction_bits) - 1)));
    }
    compute<H><<<N / 256, 256>>>(reinterpret_cast<H *>(in), out);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) {
        __int128 fixed[3];
        double value[3];
        for (int k = 0; k < 3; k++) {
            value[k] =
                value_of(in[3 * i + k] & 0x7fff, fraction_bits) * (in[3 * i + k] >> 15 ? -1 : 1);
            fixed[k] = (__int128)ldexp(value[k], scale / 2);
        }
        __int128 one = (__int128)1 << scale / 2, a = fixed[0], b = fixed[1], c = fixed[2];
        CHECK(is_nearest(out[5 * i], (a + b) * one, fraction_bits, scale));
        CHECK(is_nearest(out[5 * i + 1], (a - c) * one, fraction_bits, scale));
        CHECK(is_nearest(out[5 * i + 2], a * b, fraction_bits, scale));
        CHECK(is_nearest(out[5 * i + 3], a * b + c * one, fraction_bits, scale));
        if (value[1] != 0) { /* no quotient of two such numbers is near the middle of two others */
            double quotient = value[0] / value[1];
            CHECK(is_nearest(out[5 * i + 4], (__int128)ldexp(quotient, scale), fraction_bits,
                             scale) ||
                  fabs(quotient) < ldexp(1, 2 - scale / 2));
        }
    }
    CALL(cudaFree(in));
    CALL(cudaFree(out));
}

/* ---- known bits, pairs, lanes, atomics ----------------------------------------------------- */

__global__ void rest(int *wrong, __half *sum, __half2 *pair, __nv_bfloat16 *brain) {
    wrong += threadIdx.x;
    __half one = __float2half(1.0f), nan = __ushort_as_half(0x7e01);
    *wrong += __half_as_ushort(one) != 0x3c00 || __half_as_ushort(__float2half(-2.0f)) != 0xc000;
    *wrong += __half_as_ushort(__float2half(65519.0f)) != 0x7bff;
    *wrong += __half_as_ushort(__float2half(65520.0f)) != 0x7c00;
    *wrong += __half_as_ushort(__float2half(5.96046448e-8f)) != 1;
    *wrong += __half_as_ushort(__float2half(2.98023224e-8f)) != 0;
    *wrong += __half2float(__ushort_as_half(0x0001)) != 5.9604644775390625e-8f;
    *wrong += __half_as_ushort(__double2half(1 + 0x1p-11 + 0x1p-40)) != 0x3c01; /* rounded once */
    *wrong += __bfloat16_as_ushort(__float2bfloat16(3.14159274f)) != 0x4049;
    *wrong += __half2int_rn(__float2half(2.5f)) != 2 || __half2int_rz(__float2half(-2.5f)) != -2;
    *wrong += __half2int_ru(__float2half(2.25f)) != 3 || __half2uint_rz(__float2half(-1.0f)) != 0;
    *wrong += __half_as_ushort(__int2half_rn(2049)) != 0x6800 || (int)__float2half(7.9f) != 7;
    *wrong += __heq(nan, nan) || __hne(nan, one) || !__hneu(nan, one) || !__hisnan(nan);
    *wrong += __hisinf(__ushort_as_half(0xfc00)) != -1 || !(one < __float2half(1.5f));
    *wrong += __half2float(__hmax(nan, one)) != 1;
    *wrong += __half2float(hsqrt(__float2half(2.25f))) != 1.5f;
    *wrong += __half2float(__habs(-one)) != 1;
    __half2 p = __floats2half2_rn(1.5f, -2.0f), q = __half2half2(one);
    float2 r = __half22float2(__hfma2(p, p, q));
    *wrong += r.x != 3.25f || r.y != 5 || __low2float(p + q) != 2.5f || __high2float(p) != -2;
    *wrong += __hbgt2(p, q) || !__hbeq2(p, p) || __half2float(__hgt2(p, q).x) != 1;
    *wrong += __half2float(__low2half(__lowhigh2highlow(p))) != -2;
    __half lane = __int2half_rn(threadIdx.x);
    *wrong += __half2float(__shfl_xor_sync(0xffffffff, lane, 1)) != (threadIdx.x ^ 1);
    *wrong += __low2float(__shfl_sync(0xffffffff, __half2half2(lane), 5)) != 5;
    atomicAdd(sum, one);
    atomicAdd(pair, __floats2half2_rn(1, 2));
    atomicAdd(brain, __float2bfloat16(1));
}

static void others() {
    struct result {
        int wrong[32];
        __half2 pair;
        __half sum;
        __nv_bfloat16 brain;
    } * r;
    CALL(cudaMallocManaged(&r, sizeof *r));
    memset(static_cast<void *>(r), 0, sizeof *r);
    rest<<<1, 32>>>(r->wrong, &r->sum, &r->pair, &r->brain);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        CHECK(r->wrong[i] == 0);
    CHECK(__half2float(r->sum) == 32 && __bfloat162float(r->brain) == 32);
    CHECK(__low2float(r->pair) == 32 && __high2float(r->pair) == 64);
    CALL(cudaFree(r));
}

int main() {
    conversions();
    arithmetic<__half>(10, 0, 30, 48);
    arithmetic<__nv_bfloat16>(7, 112, 142, 48);
    others();
    return finish();
}
