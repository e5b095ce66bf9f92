/* Atomics on global memory: adds of lanes each ns, by how many addresses there are. */
#include "bench.cuh"

enum { ADDS = 64, COUNTERS = 1 << 28 };

/* Each thread adds ADDS times at random places of `addresses`. */
__global__ void add_anywhere(unsigned *counters, unsigned addresses) {
    unsigned random = scramble(blockIdx.x * blockDim.x + threadIdx.x + 1);
    for (int i = 0; i < ADDS; i++) {
        random = random * 1664525u + 1013904223u;
        atomicAdd(&counters[below(random, addresses)], 1u);
    }
}

/* The same by compare-and-swap, whose results are used; where all words are 0, each swaps. */
__global__ void swap_anywhere(unsigned *counters, unsigned addresses) {
    unsigned random = scramble(blockIdx.x * blockDim.x + threadIdx.x + 1), sum = 0;
    for (int i = 0; i < ADDS; i++) {
        random = random * 1664525u + 1013904223u;
        sum += atomicCAS(&counters[below(random, addresses)], 0u, sum);
    }
    keep(sum);
}

/* The lanes of a warp add at 32 neighbouring words, which lie anywhere. */
__global__ void add_coalesced(unsigned *counters, unsigned lines) {
    unsigned random = scramble((blockIdx.x * blockDim.x + threadIdx.x) / 32 + 1);
    for (int i = 0; i < ADDS; i++) {
        random = random * 1664525u + 1013904223u;
        atomicAdd(&counters[below(random, lines) * 32 + threadIdx.x % 32], 1u);
    }
}

/* All lanes add at one word; the compiler does not know that (`zero`), and so merges no adds. Only
 * so many lanes of each warp take part. */
template <typename T> __global__ void add_same(T *counters, unsigned zero, unsigned lanes) {
    if (threadIdx.x % 32 < lanes)
        for (int i = 0; i < ADDS; i++)
            atomicAdd(&counters[threadIdx.x * zero], (T)1);
}

__global__ void dependent(unsigned *counters, unsigned zero, unsigned hops, Elapsed *elapsed) {
    unsigned at = threadIdx.x;
    const Elapsed start = start_watch();
    for (unsigned i = 0; i < hops; i++)
        at += atomicAdd(&counters[at], zero);
    keep(at);
    stop_watch(start, elapsed);
}

static unsigned *counters;

template <typename Start> static double gops(int blocks, int threads, Start start) {
    return (double)blocks * threads * ADDS / event_ns(start, 3);
}

static void spread() {
    const unsigned sizes[] = {1 << 16, 1 << 20, 1 << 24, 1 << 25, 1 << 26, 1 << 28};
    const int all = 2 * multiprocessors();
    for (unsigned n : sizes)
        row("global_swap", n, gops(all, 1024, [=] { swap_anywhere<<<all, 1024>>>(counters, n); }));
    for (unsigned n : sizes)
        row("global_atomic", n, gops(all, 1024, [=] { add_anywhere<<<all, 1024>>>(counters, n); }));
    row("sm_global_atomic", 1, gops(1, 1024, [] { add_anywhere<<<1, 1024>>>(counters, 1); }));
    row("sm_global_atomic_lines", 1,
        gops(1, 1024, [] { add_coalesced<<<1, 1024>>>(counters, 1); }));
}

/* ns for each request of a warp. */
template <typename T> static double same_ns(unsigned lanes) {
    const int blocks = 2 * multiprocessors();
    const double ns = event_ns([=] { add_same<<<blocks, 1024>>>((T *)counters, 0, lanes); }, 3);
    return ns / (blocks * 32.0 * ADDS);
}

int main() {
    warm_up();
    counters = allocate<unsigned>(COUNTERS);
    const unsigned hops = 1 << 12;
    key("global_atomic_ns", block_medians(
                                1,
                                [=](Elapsed *elapsed) {
                                    dependent<<<1, 32>>>(counters, 0, hops, elapsed);
                                }).ns /
                                hops);
    row("global_atomic_same", 1, same_ns<unsigned>(1));
    row("global_atomic_same_float", 1, same_ns<float>(1));
    row("global_atomic_same_double", 1, same_ns<double>(1));
    spread();
}
