// Atomics: of shared and of global memory, and how many meet on one address.
#include <cuda_runtime.h>

__global__ void shared(unsigned *out) {
    __shared__ unsigned bins[64];
    const unsigned t = threadIdx.x;
    bins[t] = 0;
    //= - store shared 4 2 64 0 0 2 0 2 1
    __syncthreads();
    atomicAdd(&bins[t], 1);
    //= - atomic shared 4 2 64 0 0 2 0 2 1
    atomicAdd(&bins[0], 1);
    //= - atomic shared 4 2 64 0 0 2 0 2 1
    atomicMax(&bins[t % 8], t);
    //= - atomic shared 4 2 64 0 0 8 6 8 4
    atomicCAS(&bins[32 * (t % 2)], 1, 2);
    //= - atomic shared 4 2 64 0 0 128 62 32 16
    if (t % 2)
        atomicExch(&bins[t], 7);
    //= - atomic shared 4 2 32 0 0 2 0 2 1
    __syncthreads();
    atomicAdd(&out[t], bins[t]);
    //= - load shared 4 2 64 0 0 2 0 2 1
    //= - atomic global 4 2 64 8 2 0 0 2 1
}

__global__ void global(unsigned *out, float *sum) {
    atomicAdd(&out[0], 1);
    //= - atomic global 4 12 384 12 12 0 0 12 1
    atomicAdd(&out[threadIdx.x % 16 * 8], 1);
    //= - atomic global 4 12 384 384 48 0 0 24 2
    atomicAdd(&sum[threadIdx.x % 2], 1.0f);
    //= - atomic global 4 12 384 192 12 0 0 192 16
    if (threadIdx.x == 5)
        atomicInc(&out[3], 100);
    //= - atomic global 4 3 3 3 3 0 0 3 1
}

// One warp. Loops of a load and a swap; lanes that meet on words that nvcc sees to be one, or not.
__global__ void loops(unsigned *out) {
    __shared__ float sums[64];
    __shared__ unsigned long long wide[64];
    __shared__ unsigned words[64];
    const unsigned t = threadIdx.x;
    atomicAdd(&sums[t], 1.0f); // a load and a swap of two passes
    //= - atomic shared 4 1 32 0 0 3 0 1 1
    atomicAdd(&sums[t % 16], 1.0f); // twice
    //= - atomic shared 4 1 32 0 0 6 0 2 2
    atomicAdd(&sums[t % 2 * 32], 1.0f); // 32 times; 31 of them load two words of a bank
    //= - atomic shared 4 1 32 0 0 127 31 16 16
    atomicAdd(&wide[t], 1ull); // by halves
    //= - atomic shared 8 1 32 0 0 6 0 1 1
    atomicAdd(&wide[0], 1ull); // one load a turn, and swaps of both halves for the first 16
    //= - atomic shared 8 1 32 0 0 128 0 32 32
    atomicAdd(&words[t % 2 * 32], t);
    //= - atomic shared 4 1 32 0 0 32 31 16 16
    atomicAdd(&words[0], t); // one lane adds for its warp
    //= - atomic shared 4 1 32 0 0 1 0 1 1
    atomicExch(&words[t % 16], t);
    //= - atomic shared 4 1 32 0 0 2 1 2 2
    const float sum = sums[t] + wide[t] + words[t];
    //= - load shared 4 2 64 0 0 2 0 2 1
    //= - load shared 8 1 32 0 0 2 0 1 1
    if (sum == 12345)
        *out = 1;
}

/* All lanes look before the first adds. */
__global__ void check_first(unsigned *out) {
    if (out[threadIdx.x % 2] < 1)
        //= - load global 4 1 32 1 1 0 0 16 16
        atomicAdd(&out[threadIdx.x % 2], 1);
    //= - atomic global 4 1 32 16 1 0 0 16 16
}

// Of 64 bits nvcc lets one lane add what it knows.
__global__ void known(unsigned long long *wide) {
    atomicAdd(wide, 1ull);
    //= - atomic global 8 1 32 1 1 0 0 1 1
    atomicAdd(wide + 1, threadIdx.x + 0ull);
    //= - atomic global 8 1 32 32 1 0 0 32 32
}

/* All lanes search before the first links: a chain, each turn a link of it, as on a GPU. */
__global__ void search(unsigned *next) {
    const unsigned t = threadIdx.x;
    unsigned end, old, at = t;
    next[t] = t;
    //= - store global 4 1 32 4 1 0 0 1 1
    __syncwarp();
    do {
        for (end = t ? t - 1 : 0; next[end] != end; end--)
            //= 0 load global 4 1 32 4 1 0 0 2 2
            ;
        old = atomicMin(&next[t], end);
        //= 4 atomic global 4 1 32 4 1 0 0 1 1
    } while (old < t);
    while (next[at] != at)
        //= 0 load global 4 31 498 76 31 0 0 31 1
        at--;
}

__device__ unsigned first_of(volatile unsigned *next, unsigned at) {
    unsigned from;
    do {
        from = at;
        at = next[from];
        //= 2 load global 4 16 510 71 23 0 0 16 1
    } while (at != from);
    return at;
}

__global__ void alone(unsigned *next) {
    next[blockIdx.x * 32 + threadIdx.x] = blockIdx.x * 32 + threadIdx.x;
    //= - store global 4 8 256 32 8 0 0 8 1
}

/* So do the threads of all blocks that are under way together: one chain of 256. */
__global__ void unite(unsigned *next) {
    const unsigned t = blockIdx.x * 32 + threadIdx.x;
    for (unsigned a = t, b = t ? t - 1 : t, old; a != b; a = old) {
        b = first_of(next, b);
        a = first_of(next, a);
        old = atomicMin(&next[a], b);
        //= 3 atomic global 4 8 255 32 8 0 0 8 1
        if (old == a)
            break;
    }
}

__global__ void walk(const unsigned *next) {
    for (unsigned at = blockIdx.x * 32 + threadIdx.x; next[at] != at; at--)
        //= 0 load global 4 1152 32896 5008 2020 0 0 1152 1
        ;
}

/* Who waits for a lock takes it once, however often he asks; an exchange too. */
__global__ void locked(unsigned *lock, unsigned *sum) {
    if (threadIdx.x % 32)
        return;
    while (atomicCAS(lock, 0, 1))
        //= 0 atomic global 4 4 4 4 4 0 0 4 1
        ;
    while (atomicExch(lock + 1, 1))
        //= 0 atomic global 4 4 4 4 4 0 0 4 1
        ;
    for (unsigned i = 0; i < 64; i++)
        atomicAdd(sum, i);
    //= 1 atomic global 4 256 256 256 256 0 0 256 1
    atomicExch(lock + 1, 0);
    //= - atomic global 4 4 4 4 4 0 0 4 1
    atomicExch(lock, 0);
    //= - atomic global 4 4 4 4 4 0 0 4 1
}

/* Who tries again with what he found works: of 32 lanes one is done in each turn. */
__global__ void retried(unsigned *sum) {
    unsigned old = *sum, seen;
    //= - load global 4 1 32 1 1 0 0 32 32
    do {
        seen = old;
        old = atomicCAS(sum, seen, seen + 1);
        //= 2 atomic global 4 32 528 528 32 0 0 528 32
    } while (old != seen);
}

static unsigned *out;
extern "C" void step_setup(void) {
    cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
}

//: memory 0 8 8
//: hot 0 1 1 8
//: sync 0 4 0 0
//: memory 1 17 17
//: hot 1 408 24 771
extern "C" void step(void) {
    shared<<<1, 64>>>(out);
    global<<<3, 128>>>(out, (float *)out + 512);
    loops<<<1, 32>>>(out);
    cudaMemset(out, 0, 8);
    check_first<<<1, 32>>>(out);
    known<<<1, 32>>>((unsigned long long *)out + 256);
    search<<<1, 32>>>(out);
    alone<<<8, 32>>>(out);
    unite<<<8, 32>>>(out);
    walk<<<8, 32>>>(out);
    cudaMemset(out, 0, 12);
    locked<<<1, 128>>>(out, out + 2);
    retried<<<1, 32>>>(out + 2);
}
