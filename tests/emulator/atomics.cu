/* Every atomic, on shared and on global memory, from many blocks at once. */
#include "check.h"

enum { BLOCKS = 64, THREADS = 256, N = BLOCKS * THREADS };

struct cells {
    int add, sub, min, max, exch, cas, bits_and, bits_or, bits_xor;
    unsigned uadd, usub, umin, umax, inc, dec, ucas;
    unsigned long long ladd, lmin, lmax, lcas, lxor;
    long long smin, smax;
    float fadd, fexch;
    double dadd;
    unsigned short half[2];
};

__device__ void update(cells *c, unsigned i) {
    atomicAdd(&c->add, -1);
    atomicSub(&c->sub, 2);
    atomicMin(&c->min, -(int)i);
    atomicMax(&c->max, (int)i);
    atomicExch(&c->exch, 17);
    atomicAnd(&c->bits_and, ~(1 << i % 31));
    atomicOr(&c->bits_or, 1 << i % 31);
    atomicXor(&c->bits_xor, 1 << i % 31);
    atomicAdd(&c->uadd, 3u);
    atomicSub(&c->usub, 1u);
    atomicMin(&c->umin, i + 5);
    atomicMax(&c->umax, 0x80000000u + i);
    atomicInc(&c->inc, 99u);
    atomicDec(&c->dec, 99u);
    atomicAdd(&c->ladd, 1ull << 32);
    atomicMin(&c->lmin, (unsigned long long)i + 7);
    atomicMax(&c->lmax, 1ull << 40 | i);
    atomicXor(&c->lxor, 1ull << 63 | 1);
    atomicMin(&c->smin, -(long long)i);
    atomicMax(&c->smax, (long long)i - 5);
    atomicAdd(&c->fadd, 0.5f);
    atomicExch(&c->fexch, 2.5f);
    atomicAdd(&c->dadd, 0.25);
    /* counters by compare-and-swap */
    int seen = c->cas, old;
    while ((old = atomicCAS(&c->cas, seen, seen + 1)) != seen)
        seen = old;
    unsigned useen = c->ucas, uold;
    while ((uold = atomicCAS(&c->ucas, useen, useen + 2)) != useen)
        useen = uold;
    unsigned long long lseen = c->lcas, lold;
    while ((lold = atomicCAS(&c->lcas, lseen, lseen + 3)) != lseen)
        lseen = lold;
    unsigned short hseen = c->half[1], hold;
    while ((hold = atomicCAS(&c->half[1], hseen, (unsigned short)(hseen + 1))) != hseen)
        hseen = hold;
}

__global__ void global(cells *c) { update(c, blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void shared(const cells *start, cells *c) {
    __shared__ cells local;
    if (threadIdx.x == 0)
        local = *start;
    __syncthreads();
    update(&local, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        c[blockIdx.x] = local;
}

/* Warps that hand a number to and fro: who waits asks with an addition of nothing. The second block
 * does it in global memory. */
__device__ int turn_of_all;
__global__ void hand_over(int *out) {
    __shared__ int turn_of_block, number;
    int warp = threadIdx.x / 32, *turn = blockIdx.x == 1 ? &turn_of_all : &turn_of_block;
    if (threadIdx.x == 0)
        *turn = number = 0;
    __syncthreads();
    for (int i = 0; i < 10 && threadIdx.x % 32 == 0; i++) {
        while (atomicAdd(turn, 0) != 2 * i + warp) {
        }
        __threadfence_block();
        number = 3 * number + warp;
        __threadfence_block();
        atomicAdd(turn, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = number;
}

__global__ void results(int *out) {
    __shared__ int x;
    __shared__ unsigned u;
    if (threadIdx.x == 0) {
        x = 10;
        u = 5;
        out[0] = atomicAdd(&x, 5);
        out[1] = atomicExch(&x, 3);
        out[2] = atomicCAS(&x, 3, 4);
        out[3] = atomicCAS(&x, 3, 9);
        out[4] = x;
        out[5] = (int)atomicInc(&u, 5);
        out[6] = (int)u;
        out[7] = (int)atomicDec(&u, 8);
        out[8] = (int)u;
        out[9] = atomicAdd_block(&x, 1);
        out[10] = atomicMax_system(&x, 100);
        out[11] = x;
    }
}

static void check(const cells *c, unsigned n) {
    int all = 0, odd = 0;
    for (unsigned i = 0; i < n; i++) {
        all |= 1 << i % 31;
        odd ^= 1 << i % 31;
    }
    CHECK(c->add == 1000 - (int)n && c->sub == 1000 - 2 * (int)n);
    CHECK(c->min == -(int)(n - 1) && c->max == (int)(n > 1001 ? n - 1 : 1000));
    CHECK(c->exch == 17 && c->bits_and == ~all && c->bits_or == all && c->bits_xor == odd);
    CHECK(c->uadd == 3 * n && c->usub == 0u - n && c->umin == 5 && c->umax == 0x80000000u + n - 1);
    CHECK(c->inc == n % 100 && c->dec == (100 - n % 100) % 100);
    CHECK(c->ladd == (unsigned long long)n << 32 && c->lmin == 7 &&
          c->lmax == (1ull << 40 | (n - 1)));
    CHECK(c->lxor == (n % 2 ? 1ull << 63 | 1 : 0));
    CHECK(c->smin == -(long long)(n - 1) && c->smax == (long long)n - 6);
    CHECK(c->fadd == 0.5f * n && c->fexch == 2.5f && c->dadd == 0.25 * n);
    CHECK(c->cas == (int)n && c->ucas == 2 * n && c->lcas == 3ull * n);
    CHECK(c->half[0] == 0xabcd && c->half[1] == (unsigned short)n);
}

int main() {
    cells *start, *c;
    int *out;
    CALL(cudaMallocManaged(&start, sizeof *start));
    CALL(cudaMallocManaged(&c, BLOCKS * sizeof *c));
    CALL(cudaMallocManaged(&out, 64));
    memset(start, 0, sizeof *start);
    start->add = start->sub = start->min = start->max = 1000;
    start->bits_and = -1;
    start->umin = 0xffffffff;
    start->lmin = ~0ull;
    start->smax = -1000;
    start->half[0] = 0xabcd;
    *c = *start;
    global<<<BLOCKS, THREADS>>>(c);
    CALL(cudaDeviceSynchronize());
    check(c, N);
    shared<<<BLOCKS, THREADS>>>(start, c);
    CALL(cudaDeviceSynchronize());
    for (int b = 0; b < BLOCKS; b++)
        check(&c[b], THREADS);
    results<<<1, 32>>>(out);
    CALL(cudaDeviceSynchronize());
    const int wanted[] = {10, 15, 3, 4, 4, 5, 0, 0, 8, 4, 5, 100};
    for (int i = 0; i < 12; i++)
        CHECK(out[i] == wanted[i]);
    hand_over<<<16, 64>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int b = 0; b < 16; b++)
        CHECK(out[b] == 435848050); /* (3^20 - 1) / 8 */
    return finish();
}
