/* Atomics in shared memory other than an addition of 1: so many lanes of a warp meet in a bank, or
 * on a word. */
#include "lab.h"

enum { BLOCKS = 132, THREADS = 32, WORDS = 2048, TURNS = 8 };

static uint32_t *scratch;

struct Add {
    typedef uint32_t Word;
    static __device__ void apply(Word *word, uint32_t value) { atomicAdd(word, value); }
};

struct Swap {
    typedef uint32_t Word;
    static __device__ void apply(Word *word, uint32_t value) { atomicCAS(word, value, 7u); }
};

struct AddWide {
    typedef unsigned long long Word;
    static __device__ void apply(Word *word, uint32_t value) { atomicAdd(word, (Word)value); }
};

struct AddFloat {
    typedef float Word;
    static __device__ void apply(Word *word, uint32_t value) { atomicAdd(word, (float)value); }
};

/* `meeting` lanes of a warp update words of one bank, `apart` words from each other (0: one word);
 * the others each in a bank of their own. One warp, so that nobody else is in its way. */
template <typename Kind>
__global__ void meet(unsigned meeting, unsigned apart, uint32_t value, uint32_t *result) {
    __shared__ typename Kind::Word words[WORDS];
    const unsigned lane = threadIdx.x;
    for (unsigned i = lane; i < WORDS; i += THREADS)
        words[i] = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned i = 0; i < TURNS; i++)
        Kind::apply(&words[lane < meeting ? lane * apart : lane + 32 * i], value);
    __syncthreads();
    if (words[lane] == 12345)
        *result = 1;
}

template <typename Kind> static void meet_all(void) {
    const unsigned lanes[] = {1, 2, 8, 32};
    for (unsigned meeting : lanes) {
        meet<Kind><<<BLOCKS, THREADS>>>(meeting, 32, 3, scratch);
        meet<Kind><<<BLOCKS, THREADS>>>(meeting, 0, 3, scratch);
    }
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)buffer, (void)size, (void)histo;
    meet_all<Add>();
    meet_all<Swap>();
    meet_all<AddWide>();
    meet_all<AddFloat>();
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
