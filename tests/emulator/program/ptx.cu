/* Inline PTX: special registers, fences and barrier 0. */
#include "check.h"

#define EXPECT(wanted)                                                                             \
    wrong[threadIdx.x] +=                                                                          \
        got != (uint32_t)(wanted) ? (printf("line %d: %x\n", __LINE__, got), 1) : 0

__device__ __forceinline__ uint32_t lane_id() {
    uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

/* In a macro, over several lines. */
#define BLOCK(to)                                                                                  \
    asm volatile("mov.u32 %0, %%ctaid.x; "                                                         \
                 : "=r"(to)                                                                        \
                 : /* nothing (goes) in */                                                         \
                 : "memory")

__global__ void registers(int *wrong) {
    __shared__ uint32_t shared[64];
    uint32_t got, several[2];
    unsigned long long before, after;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(before));
    asm volatile("mov.u32 %0, %laneid;" : "=r"(got));
    EXPECT(threadIdx.x % 32);
    got = lane_id();
    EXPECT(threadIdx.x % 32);
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(several[min(1, 2)]));
    got = several[1];
    EXPECT((1u << threadIdx.x % 32) - 1);
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(got));
    EXPECT(~0u << threadIdx.x % 32);
    if (threadIdx.x == 0)
        asm("mov.u32 %0, %ntid.x;" : "=r"(got));
    else
        BLOCK(got);
    EXPECT(threadIdx.x == 0 ? 64 : 0);
    shared[threadIdx.x] = threadIdx.x;
    asm volatile("membar.cta;\n\t" ::: "memory");
    asm volatile("bar.sync 0;");
    got = shared[63 - threadIdx.x];
    EXPECT(63 - threadIdx.x);
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(after));
    got = after >= before;
    EXPECT(1);
    asm volatile("" ::: "memory");
}

int main() {
    int *wrong;
    CALL(cudaMallocManaged(&wrong, 64 * sizeof *wrong));
    memset(wrong, 0, 64 * sizeof *wrong);
    registers<<<1, 64>>>(wrong);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        CHECK(wrong[i] == 0);
    CALL(cudaFree(wrong));
    return finish();
}
