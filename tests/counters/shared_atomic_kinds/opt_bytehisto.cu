/* Atomics in shared memory other than an addition of 1: each kernel on words of banks of their own
 * (spread 1), and at places that the data tell (spread 0). */
#include "lab.h"

enum { BLOCKS = 132, THREADS = 256, WORDS = 1024, TURNS = 16 };

static uint32_t *scratch;

struct AddAny {
    typedef uint32_t Word;
    static __device__ Word apply(Word *word, uint32_t value) {
        atomicAdd(word, value);
        return 0;
    }
};

struct AddUsed {
    typedef uint32_t Word;
    static __device__ Word apply(Word *word, uint32_t value) { return atomicAdd(word, 1u) + value; }
};

struct AddWide {
    typedef unsigned long long Word;
    static __device__ Word apply(Word *word, uint32_t value) {
        atomicAdd(word, (Word)value);
        return 0;
    }
};

struct Maximum {
    typedef uint32_t Word;
    static __device__ Word apply(Word *word, uint32_t value) {
        atomicMax(word, value);
        return 0;
    }
};

struct Minimum {
    typedef int Word;
    static __device__ Word apply(Word *word, uint32_t value) {
        atomicMin(word, (int)value);
        return 0;
    }
};

struct Exchange {
    typedef uint32_t Word;
    static __device__ Word apply(Word *word, uint32_t value) { return atomicExch(word, value); }
};

struct CompareAndSwap {
    typedef uint32_t Word;
    static __device__ Word apply(Word *word, uint32_t value) { return atomicCAS(word, value, 7u); }
};

struct AddFloat {
    typedef float Word;
    static __device__ Word apply(Word *word, uint32_t value) {
        atomicAdd(word, (float)value);
        return 0;
    }
};

template <typename Kind>
__global__ void update(const uint32_t *data, int spread, uint32_t *result) {
    __shared__ typename Kind::Word words[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += THREADS)
        words[i] = 0;
    __syncthreads();
    typename Kind::Word sum = 0;
    for (unsigned i = 0; i < TURNS; i++) {
        const uint32_t value = data[(blockIdx.x * TURNS + i) * THREADS + threadIdx.x];
        const uint32_t place = spread ? threadIdx.x + i * 32 : value >> 4;
        sum += Kind::apply(&words[place % WORDS], value % 16);
    }
    __syncthreads();
    if (sum == 12345 || words[threadIdx.x] == 12345)
        *result = 1;
}

template <typename Kind> static void update_twice(const uint8_t *buffer) {
    update<Kind><<<BLOCKS, THREADS>>>((const uint32_t *)buffer, 1, scratch);
    CUDA_CHECK(cudaGetLastError());
    update<Kind><<<BLOCKS, THREADS>>>((const uint32_t *)buffer, 0, scratch);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)size, (void)histo;
    update_twice<AddAny>(buffer);
    update_twice<AddUsed>(buffer);
    update_twice<AddWide>(buffer);
    update_twice<Maximum>(buffer);
    update_twice<Minimum>(buffer);
    update_twice<Exchange>(buffer);
    update_twice<CompareAndSwap>(buffer);
    update_twice<AddFloat>(buffer);
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
