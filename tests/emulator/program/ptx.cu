/* Inline PTX: what it gives, against C++. */
#include "check.h"

struct values {
    uint32_t a, b, c;
    float f, g;
};

#define EXPECT(wanted)                                                                             \
    wrong[threadIdx.x] +=                                                                          \
        got != (uint32_t)(wanted) ? (printf("line %d: %x\n", __LINE__, got), 1) : 0

__device__ __forceinline__ uint32_t lane_id() {
    uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* In a macro, over several lines. */
#define ADD_TWICE(to, x) asm("add.u32 %0, %1, %1; /* once */" : "=r"(to) : "r"(x))

__global__ void registers(int *wrong) {
    uint32_t got;
    asm volatile("mov.u32 %0, %laneid;" : "=r"(got));
    EXPECT(threadIdx.x % 32);
    got = lane_id();
    EXPECT(threadIdx.x % 32);
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(got));
    EXPECT((1u << threadIdx.x % 32) - 1);
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(got));
    EXPECT(~0u << threadIdx.x % 32);
    asm("mov.u32 %0, %ctaid.x;" : "=r"(got));
    EXPECT(blockIdx.x);
    asm("mov.u32 %0, %ntid.x;" : "=r"(got));
    EXPECT(blockDim.x);
    if (threadIdx.x == 0)
        asm("mov.u32 %0, %tid.x;" : "=r"(got));
    else
        ADD_TWICE(got, threadIdx.x);
    EXPECT(2 * threadIdx.x);
}

__global__ void integers(const values *v, int *wrong) {
    uint32_t a = v->a, b = v->b, c = v->c, got, high;
    uint64_t wide;
    asm("add.u32 %0, %1, %2;" : "=r"(got) : "r"(a), "r"(b));
    EXPECT(a + b);
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(got) : "r"(a), "r"(b), "r"(c));
    EXPECT(a * b + c);
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(got) : "r"(a), "r"(b));
    EXPECT(__mulhi((int)a, (int)b));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
    got = (uint32_t)(wide >> 32);
    EXPECT(__umulhi(a, b));
    asm("bfe.u32 %0, %1, 5, 9;" : "=r"(got) : "r"(a));
    EXPECT(a >> 5 & 511);
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(got) : "r"(a), "r"(28), "r"(8));
    EXPECT((int)a >> 28);
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(got) : "r"(b), "r"(a));
    EXPECT((a & ~0xf00u) | (b & 15) << 8);
    asm("bfind.u32 %0, %1;" : "=r"(got) : "r"(c));
    EXPECT(31 - __clz((int)c));
    asm("bfind.u32 %0, %1;" : "=r"(got) : "r"(0));
    EXPECT(0xffffffff);
    asm("prmt.b32 %0, %1, %2, 0x7520;" : "=r"(got) : "r"(a), "r"(b));
    EXPECT(__byte_perm(a, b, 0x7520));
    asm("prmt.b32 %0, %1, %2, 0x000b;" : "=r"(got) : "r"(a), "r"(b));
    EXPECT((a >> 31 ? 0xffu : 0u) | (a & 0xff) << 8 | (a & 0xff) << 16 | (a & 0xff) << 24);
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(got) : "r"(a), "r"(b), "r"(7));
    EXPECT(b << 7 | a >> 25);
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(got) : "r"(a), "r"(b), "r"(c));
    EXPECT(a ^ b ^ c);
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(got) : "r"(a), "r"(b), "r"(c));
    EXPECT((a & b) | (a & c) | (b & c));
    asm("shl.b32 %0, %1, 32;" : "=r"(got) : "r"(a));
    EXPECT(0);
    asm("shr.s32 %0, %1, 40;" : "=r"(got) : "r"(a));
    EXPECT((int)a >> 31);
    asm("popc.b32 %0, %1;" : "=r"(got) : "r"(a));
    EXPECT(__popc(a));
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(got) : "r"(a), "r"(b), "r"(c));
    EXPECT(__vsadu4(a, b) + c);
    /* a 64-bit sum of 32-bit halves */
    asm("add.cc.u32 %0, %2, %4;\n\t"
        "addc.u32 %1, %3, %5;"
        : "=r"(got), "=r"(high)
        : "r"(a), "r"(b), "r"(b), "r"(a));
    EXPECT(a + b);
    got = high;
    EXPECT(b + a + (a + b < a));
    asm("{ .reg .pred p; .reg .u32 t;\n\t"
        "  setp.lt.u32 p, %1, %2;\n\t"
        "  selp.b32 t, 7, 9, p;\n\t"
        "  @!p add.u32 t, t, 100;\n\t"
        "  mov.u32 %0, t; }"
        : "=r"(got)
        : "r"(b), "r"(a));
    EXPECT(b < a ? 7 : 109);
    asm("{.reg .b32 lo, hi; mov.b32 lo, %1; not.b32 hi, lo; xor.b32 %0, hi, -1;}"
        : "=r"(got)
        : "r"(c));
    EXPECT(c);
    asm volatile("" ::: "memory");
}

__global__ void floats(const values *v, int *wrong) {
    float f = v->f, g = v->g, h;
    uint32_t got;
    asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(h) : "f"(f), "f"(g));
    got = __float_as_uint(h);
    EXPECT(__float_as_uint(__fmaf_rn(f, g, 1)));
    asm("mov.b32 %0, %1;" : "=r"(got) : "f"(f));
    EXPECT(__float_as_uint(f));
    asm("max.f32 %0, %1, %2;" : "=f"(h) : "f"(f), "f"(g));
    got = h == f;
    EXPECT(1);
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(got) : "f"(-2.5f * f));
    EXPECT((int)(-2.5f * f));
    asm("cvt.rn.f32.u32 %0, %1;" : "=f"(h) : "r"(7));
    got = h == 7;
    EXPECT(1);
}

__global__ void memory(uint32_t *data, int *wrong) {
    __shared__ uint32_t block[64];
    uint32_t got, second, i = threadIdx.x;
    block[i] = 100 + i;
    asm volatile("bar.sync 0;");
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&block[i ^ 1]);
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(at));
    EXPECT(100 + (i ^ 1));
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
                 : "=r"(got), "=r"(second)
                 : "l"(data + i / 2 * 2));
    EXPECT(i / 2 * 2);
    got = second;
    EXPECT(i / 2 * 2 + 1);
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1+4];"
                 : "=r"(got)
                 : "l"(data + i / 2 * 2));
    EXPECT(i / 2 * 2 + 1);
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(data + 64), "r"(i) : "memory");
    asm volatile("atom.global.or.b32 %0, [%1], %2;" : "=r"(got) : "l"(data + 65), "r"(1u << i));
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(got) : "r"(i));
    EXPECT(i ^ 1);
    asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.sync.ballot.b32 %0, q, 0xffffffff; }"
                 : "=r"(got)
                 : "r"(i & 1));
    EXPECT(0xaaaaaaaa);
    uint32_t to = (uint32_t)__cvta_generic_to_shared(&block[32 + i]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(data + i));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    got = block[32 + i];
    EXPECT(i);
    asm volatile("membar.gl;");
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(data + i), "r"(3 * i) : "memory");
}

int main() {
    values *v;
    int *wrong;
    uint32_t *data;
    CALL(cudaMallocManaged(&v, sizeof *v));
    CALL(cudaMallocManaged(&wrong, 32 * sizeof *wrong));
    CALL(cudaMallocManaged(&data, 66 * sizeof *data));
    *v = {0x89abcdef, 0x12345678, 0x00f0f0f1, 3.25f, 1.1f};
    memset(wrong, 0, 32 * sizeof *wrong);
    for (int i = 0; i < 66; i++)
        data[i] = i < 64 ? i : 0;
    registers<<<1, 32>>>(wrong);
    CALL(cudaDeviceSynchronize());
    integers<<<1, 32>>>(v, wrong);
    floats<<<1, 32>>>(v, wrong);
    memory<<<1, 32>>>(data, wrong);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        CHECK(wrong[i] == 0 && data[i] == 3u * i);
    CHECK(data[64] == 31 * 16 && data[65] == 0xffffffff);
    CALL(cudaFree(v));
    CALL(cudaFree(wrong));
    CALL(cudaFree(data));
    return finish();
}
