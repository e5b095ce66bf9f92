/* Atomics on shared memory: throughput of a multiprocessor by how a warp's lanes meet, and the
 * latency of dependent ones. */
#include "bench.cuh"

#include <string>

/* Turing has room for 1024 threads on a multiprocessor, the others for 1536 or 2048. */
#if defined __CUDA_ARCH__ &&                                                                       \
    (__CUDA_ARCH__ == 750 || __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 ||                       \
     __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
#define MORE_THAN_ONE_BLOCK 1
#else
#define MORE_THAN_ONE_BLOCK 2
#endif

enum { WORDS = 8192, PATTERN = 8, ROUNDS = 32 };

/* What is added, and whether the result is used: the compiler has an instruction for each. */
enum Kind { ONE, ANY, USED, WIDE, MAXIMUM, KINDS };
static const char *const suffix[KINDS] = {"", "_any", "_used", "_wide", "_max"};

/* Where the lanes of a request meet. */
enum Place { BANK, SAME, RANDOM };

/* The k-th address of this thread. BANK: `n` lanes at different words of one bank; SAME: `n` lanes
 * at one word; the others have banks of their own. RANDOM: anywhere among `n` words. */
__device__ unsigned word_of(Place place, unsigned n, unsigned k) {
    const unsigned lane = threadIdx.x % 32, rotated = (lane + k) % 32;
    if (place == RANDOM)
        return below(scramble((blockIdx.x * 1024 + threadIdx.x) * PATTERN + k), n);
    if (rotated >= n)
        return rotated + 32 * k;
    return place == BANK ? rotated * 32 : 0;
}

template <Kind KIND>
__device__ void update(unsigned *words, unsigned at, unsigned addend, unsigned *used) {
    if (KIND == ONE)
        atomicAdd(&words[at], 1u);
    else if (KIND == ANY)
        atomicAdd(&words[at], addend);
    else if (KIND == USED)
        *used += atomicAdd(&words[at], 1u);
    else if (KIND == WIDE)
        atomicAdd((unsigned long long *)words + at % (WORDS / 2), (unsigned long long)addend);
    else
        atomicMax(&words[at], addend);
}

template <Kind KIND>
__global__ void __launch_bounds__(1024, MORE_THAN_ONE_BLOCK)
    throughput(Place place, unsigned n, unsigned addend, Elapsed *elapsed) {
    __shared__ unsigned words[WORDS];
    unsigned at[PATTERN], used = 0;
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = 0;
    for (unsigned k = 0; k < PATTERN; k++)
        at[k] = word_of(place, n, k);
    const Elapsed start = start_watch();
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int k = 0; k < PATTERN; k++)
            update<KIND>(words, at[k], addend, &used);
    stop_watch(start, elapsed);
    keep(used);
    keep(words[threadIdx.x]);
}

/* Cycles of a multiprocessor for each warp request; 64 warps are two blocks on it. */
template <Kind KIND>
static double cycles(Place place, unsigned n, int warps) {
    const int blocks = warps == 64 ? 2 * multiprocessors() : 1;
    const int threads = std::min(warps, 32) * 32;
    /* As much shared memory as there is: else the driver may leave room for one block only. */
    CHECK(cudaFuncSetAttribute(throughput<KIND>, cudaFuncAttributePreferredSharedMemoryCarveout,
                               cudaSharedmemCarveoutMaxShared));
    const Medians took = block_medians(
        blocks,
        [=](Elapsed *elapsed) { throughput<KIND><<<blocks, threads>>>(place, n, 3, elapsed); }, 3);
    return took.slower_cycles / ((double)warps * ROUNDS * PATTERN);
}

template <Kind KIND>
static void tables(int warps) {
    const std::string end = std::string(suffix[KIND]) + (warps == 64 ? "_64" : "");
    for (unsigned n : {1, 2, 4, 8, 16, 32})
        row(("shared_atomic_bank" + end).c_str(), n, cycles<KIND>(BANK, n, warps));
    for (unsigned n : {1, 2, 4, 8, 16, 32})
        row(("shared_atomic_same" + end).c_str(), n, cycles<KIND>(SAME, n, warps));
    for (unsigned n : {1, 2, 4, 7, 16, 26, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192})
        row(("shared_atomic_random" + end).c_str(), n, cycles<KIND>(RANDOM, n, warps));
}

/* ---- latency: one warp, each lane in a bank of its own ----------------------------------- */

/* Each address depends on the result before; `zero` is 0, which the compiler does not know. */
__global__ void dependent(unsigned zero, unsigned hops, Elapsed *elapsed) {
    __shared__ unsigned words[1024];
    words[threadIdx.x] = 0;
    unsigned at = threadIdx.x;
    const Elapsed start = start_watch();
    for (unsigned i = 0; i < hops; i++)
        at += atomicAdd(&words[at], zero);
    keep(at);
    stop_watch(start, elapsed);
}

/* A load, a branch that depends on it, and an add; the next load waits for the add. */
__global__ void check_then_add(unsigned zero, unsigned hops, Elapsed *elapsed) {
    __shared__ unsigned words[1024];
    volatile unsigned *const looked_at = words;
    words[threadIdx.x] = 0;
    unsigned at = threadIdx.x;
    const Elapsed start = start_watch();
    for (unsigned i = 0; i < hops; i++) {
        const unsigned value = looked_at[at];
        if (value < 255)
            atomicAdd(&words[at], zero);
        at += value;
    }
    keep(at);
    stop_watch(start, elapsed);
}

/* Adds of one warp with nothing between them. */
__global__ void alone(unsigned addend, unsigned hops, Elapsed *elapsed) {
    __shared__ unsigned words[1024];
    words[threadIdx.x] = 0;
    const Elapsed start = start_watch();
#pragma unroll 8
    for (unsigned i = 0; i < hops; i++)
        atomicAdd(&words[threadIdx.x], addend);
    stop_watch(start, elapsed);
    keep(words[threadIdx.x]);
}

static void latencies() {
    const unsigned hops = 1 << 14;
    key("shared_atomic_ns",
        block_medians(1, [=](Elapsed *elapsed) { dependent<<<1, 32>>>(0, hops, elapsed); }).ns /
            hops);
    key("shared_check_ns",
        block_medians(1, [=](Elapsed *elapsed) { check_then_add<<<1, 32>>>(0, hops, elapsed); })
                .ns /
            hops);
    key("shared_atomic_alone_ns",
        block_medians(1, [=](Elapsed *elapsed) { alone<<<1, 32>>>(3, hops, elapsed); }).ns / hops);
}

int main() {
    warm_up();
    latencies();
    tables<ONE>(32);
    tables<ANY>(32);
    tables<USED>(32);
    tables<WIDE>(32);
    tables<MAXIMUM>(32);
    if (device().maxThreadsPerMultiProcessor >= 2048) {
        tables<ONE>(64);
        tables<USED>(64);
    }
}
