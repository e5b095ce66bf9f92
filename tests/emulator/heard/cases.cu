// Code with mistakes, which main.c calls.
#include <cuda_runtime.h>

__global__ void beyond_own(unsigned *p, unsigned i) {
    unsigned own[4] = {i, 2, 3, 4};
    if (blockIdx.x == 1 && threadIdx.x == 3)
        p[0] = own[i];
}

__global__ void look(const volatile unsigned *from, size_t i) { (void)from[i]; }

__global__ void copy_pair(uint2 *to, const uint2 *from) { *to = *from; }

__global__ void set(unsigned *p, unsigned value) { p[threadIdx.x] = value; }

#define SIXTEEN(x) x x x x x x x x x x x x x x x x
__global__ void many(volatile unsigned *p) { SIXTEEN(SIXTEEN(*p = 1;)) }

extern "C" {
void read_beyond_own(unsigned *p) { beyond_own<<<2, 32>>>(p, 4); }

void look_at(const unsigned *from, size_t i) { look<<<1, 1>>>(from, i); }

void copy_two(unsigned *to, const unsigned *from) {
    copy_pair<<<1, 1>>>((uint2 *)to, (const uint2 *)from);
}

unsigned on_the_host(const unsigned *p) { return *p; }

void set_all(unsigned *p, unsigned count, cudaStream_t stream) {
    set<<<1, count, 0, stream>>>(p, 7);
}
}
