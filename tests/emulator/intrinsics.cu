/* Integer, bit and SIMD-in-a-word intrinsics against models that are written in a different way. */
#include "check.h"

enum { WORDS = 20, OUT = 160 };

/* Each line is one function of two words. The same list makes the kernel and the names. */
#define LIST(X)                                                                                    \
    X(__vadd4(a, b), each(4, 0, a, b, [](int x, int y) { return x + y; }))                         \
    X(__vadd2(a, b), each(2, 0, a, b, [](int x, int y) { return x + y; }))                         \
    X(__vsub4(a, b), each(4, 0, a, b, [](int x, int y) { return x - y; }))                         \
    X(__vsub2(a, b), each(2, 0, a, b, [](int x, int y) { return x - y; }))                         \
    X(__vaddus4(a, b), each(4, 0, a, b, [](int x, int y) { return clip(x + y, 0, 255); }))         \
    X(__vaddus2(a, b), each(2, 0, a, b, [](int x, int y) { return clip(x + y, 0, 65535); }))       \
    X(__vaddss4(a, b), each(4, 1, a, b, [](int x, int y) { return clip(x + y, -128, 127); }))      \
    X(__vaddss2(a, b), each(2, 1, a, b, [](int x, int y) { return clip(x + y, -32768, 32767); }))  \
    X(__vsubus4(a, b), each(4, 0, a, b, [](int x, int y) { return clip(x - y, 0, 255); }))         \
    X(__vsubus2(a, b), each(2, 0, a, b, [](int x, int y) { return clip(x - y, 0, 65535); }))       \
    X(__vsubss4(a, b), each(4, 1, a, b, [](int x, int y) { return clip(x - y, -128, 127); }))      \
    X(__vsubss2(a, b), each(2, 1, a, b, [](int x, int y) { return clip(x - y, -32768, 32767); }))  \
    X(__vminu4(a, b), each(4, 0, a, b, [](int x, int y) { return x < y ? x : y; }))                \
    X(__vmins2(a, b), each(2, 1, a, b, [](int x, int y) { return x < y ? x : y; }))                \
    X(__vmins4(a, b), each(4, 1, a, b, [](int x, int y) { return x < y ? x : y; }))                \
    X(__vmaxu2(a, b), each(2, 0, a, b, [](int x, int y) { return x < y ? y : x; }))                \
    X(__vmaxu4(a, b), each(4, 0, a, b, [](int x, int y) { return x < y ? y : x; }))                \
    X(__vmaxs4(a, b), each(4, 1, a, b, [](int x, int y) { return x < y ? y : x; }))                \
    X(__vabsdiffu4(a, b), each(4, 0, a, b, [](int x, int y) { return abs(x - y); }))               \
    X(__vabsdiffs4(a, b), each(4, 1, a, b, [](int x, int y) { return abs(x - y); }))               \
    X(__vabsdiffs2(a, b), each(2, 1, a, b, [](int x, int y) { return abs(x - y); }))               \
    X(__vcmpeq4(a, b), each(4, 0, a, b, [](int x, int y) { return -(x == y); }))                   \
    X(__vcmpne2(a, b), each(2, 0, a, b, [](int x, int y) { return -(x != y); }))                   \
    X(__vcmpgtu4(a, b), each(4, 0, a, b, [](int x, int y) { return -(x > y); }))                   \
    X(__vcmpgts4(a, b), each(4, 1, a, b, [](int x, int y) { return -(x > y); }))                   \
    X(__vcmpgeu2(a, b), each(2, 0, a, b, [](int x, int y) { return -(x >= y); }))                  \
    X(__vcmpges4(a, b), each(4, 1, a, b, [](int x, int y) { return -(x >= y); }))                  \
    X(__vcmpltu4(a, b), each(4, 0, a, b, [](int x, int y) { return -(x < y); }))                   \
    X(__vcmplts2(a, b), each(2, 1, a, b, [](int x, int y) { return -(x < y); }))                   \
    X(__vcmpleu4(a, b), each(4, 0, a, b, [](int x, int y) { return -(x <= y); }))                  \
    X(__vcmples4(a, b), each(4, 1, a, b, [](int x, int y) { return -(x <= y); }))                  \
    X(__vseteq4(a, b), each(4, 0, a, b, [](int x, int y) { return x == y; }))                      \
    X(__vsetne4(a, b), each(4, 0, a, b, [](int x, int y) { return x != y; }))                      \
    X(__vsetgtu2(a, b), each(2, 0, a, b, [](int x, int y) { return x > y; }))                      \
    X(__vsetles4(a, b), each(4, 1, a, b, [](int x, int y) { return x <= y; }))                     \
    X(__vsetltu4(a, b), each(4, 0, a, b, [](int x, int y) { return x < y; }))                      \
    X(__popc(a), bits(a))                                                                          \
    X(__popcll((unsigned long long)a << 32 | b), bits(a) + bits(b))                                \
    X(__clz((int)a), 32 - length(a))                                                               \
    X(__clzll((long long)a), 64 - length(a))                                                       \
    X(__ffs((int)a), lowest(a))                                                                    \
    X(__ffsll((long long)((unsigned long long)a << 32)), a ? lowest(a) + 32 : 0)                   \
    X(__brev(a), reversed(a))                                                                      \
    X(__brevll(a) >> 32, reversed(a))                                                              \
    X(__byte_perm(a, b, 0x3715),                                                                   \
      byte(a, 3) << 24 | byte(b, 3) << 16 | byte(a, 1) << 8 | byte(b, 1))                          \
    X(__byte_perm(a, b, 0x0c64),                                                                   \
      byte(a, 0) << 24 | byte(b, 0) << 16 | byte(b, 2) << 8 | byte(b, 0))                          \
    X(__funnelshift_l(a, b, 5), b << 5 | a >> 27)                                                  \
    X(__funnelshift_l(a, b, 32), b)                                                                \
    X(__funnelshift_lc(a, b, 40), a)                                                               \
    X(__funnelshift_r(a, b, 5), a >> 5 | b << 27)                                                  \
    X(__funnelshift_r(a, b, 33), a >> 1 | b << 31)                                                 \
    X(__funnelshift_rc(a, b, 32), b)                                                               \
    X(__umulhi(a, b), (unsigned)((unsigned long long)a * b >> 32))                                 \
    X(__mulhi((int)a, (int)b), (unsigned)((long long)(int)a * (int)b >> 32))                       \
    X(__umul64hi((unsigned long long)a << 32, (unsigned long long)b << 32),                        \
      (unsigned)((unsigned long long)a * b))                                                       \
    X(__umul24(a, b), (a & 0xffffff) * (b & 0xffffff))                                             \
    X(__usad(a, b, 7), (a > b ? a - b : b - a) + 7)                                                \
    X(__sad((int)a, (int)b, 7), ((int)a > (int)b ? a - b : b - a) + 7)                             \
    X(__dp4a(a, b, 9u), dot(0, a, b) + 9)                                                          \
    X((unsigned)__dp4a((int)a, (int)b, 9), dot(1, a, b) + 9)                                       \
    X(min((int)a, b), a < b ? a : b)                                                               \
    X(max((int)a, (int)b), (int)a > (int)b ? a : b)                                                \
    X(min(a, (int)b) == (unsigned)min((long long)a, (long long)b), 1)                              \
    X(max(-1, (int)(a & 1)), a & 1)                                                                \
    X(max(-1, a) == 0xffffffff, 1)                                                                 \
    X(__float_as_uint(__uint_as_float(a & 0x7f7fffff)), a & 0x7f7fffff)                            \
    X(__float2int_rn(2.5f) + __float2int_rz(-2.7f) * 16 + __float2int_ru(1.1f) * 256,              \
      2 - 32 + 512)                                                                                \
    X(__float2uint_rn(3e10f) + __float2uint_rz(-5.0f), 0xffffffff)                                 \
    X(__double2hiint(1.0) + __double2loint(1.0), 0x3ff00000)                                       \
    X(__fns(0x12345678, 0, 5), 9)

#define EXPRESSION(expression, model) out[n++] = (unsigned)(expression);
__global__ void compute(const unsigned *words, unsigned *results) {
    unsigned a = words[threadIdx.x], b = words[blockIdx.x], n = 0;
    unsigned *out = results + (blockIdx.x * blockDim.x + threadIdx.x) * OUT;
    LIST(EXPRESSION)
}

static int clip(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static unsigned byte(unsigned x, int i) { return x >> 8 * i & 0xff; }
static int lane(unsigned x, int lanes, int i, int is_signed) {
    int value = lanes == 4 ? (int)byte(x, i) : (int)(x >> 16 * i & 0xffff);
    int half = lanes == 4 ? 128 : 32768;
    return is_signed && value >= half ? value - 2 * half : value;
}
template <typename F> static unsigned each(int lanes, int is_signed, unsigned a, unsigned b, F f) {
    unsigned result = 0, mask = lanes == 4 ? 0xff : 0xffff;
    for (int i = 0; i < lanes; i++)
        result |= ((unsigned)f(lane(a, lanes, i, is_signed), lane(b, lanes, i, is_signed)) & mask)
                  << 32 / lanes * i;
    return result;
}
static unsigned dot(int is_signed, unsigned a, unsigned b) {
    unsigned sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (unsigned)(lane(a, 4, i, is_signed) * lane(b, 4, i, is_signed));
    return sum;
}
static unsigned bits(unsigned x) { return x ? (x & 1) + bits(x / 2) : 0; }
static unsigned length(unsigned x) { return x ? 1 + length(x / 2) : 0; }
static unsigned lowest(unsigned x) { return x == 0 ? 0 : x & 1 ? 1 : 1 + lowest(x / 2); }
static unsigned reversed(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

static unsigned results_wrong;
static void compare(const char *name, unsigned a, unsigned b, unsigned got, unsigned wanted) {
    if (got != wanted && results_wrong++ < 20)
        printf("FAIL %s with a=%08x b=%08x: %08x, not %08x\n", name, a, b, got, wanted);
}

int main() {
    unsigned *words, *results;
    CALL(cudaMallocManaged(&words, WORDS * sizeof *words));
    CALL(cudaMallocManaged(&results, WORDS * WORDS * OUT * sizeof *results));
    const unsigned some[] = {0,          1,          0xffffffff, 0x80000000,
                             0x7fffffff, 0x80808080, 0x7f7f7f7f, 0x80008000,
                             0x7fff7fff, 0x00ff00ff, 0xff00ff01, 0x01020304};
    unsigned state = 12345;
    for (unsigned i = 0; i < WORDS; i++) {
        state = state * 1664525 + 1013904223;
        words[i] = i < sizeof some / sizeof *some ? some[i] : state ^ state >> 15;
    }
    compute<<<WORDS, WORDS>>>(words, results);
    CALL(cudaDeviceSynchronize());
    for (unsigned i = 0; i < WORDS; i++)
        for (unsigned j = 0; j < WORDS; j++) {
            unsigned a = words[j], b = words[i], n = 0;
            const unsigned *got = results + (i * WORDS + j) * OUT;
#define COMPARE(expression, model) compare(#expression, a, b, got[n++], (unsigned)(model));
            LIST(COMPARE)
            CHECK(n <= OUT);
        }
    CHECK(results_wrong == 0);
    /* CUDA's header brings these without <algorithm> and <cmath>. */
    CHECK(std::min(2, 3) == 2 && std::max(2, 3) == 3 && std::sqrt(9.0) == 3 &&
          std::abs(-2.5) == 2.5);
    return finish();
}
