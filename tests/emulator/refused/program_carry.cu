// it does not know addc: a carry does not outlive its asm
__device__ unsigned add(unsigned a, unsigned b) {
    unsigned sum;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}
