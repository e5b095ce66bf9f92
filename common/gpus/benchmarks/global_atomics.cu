/* Atomics on global memory: adds of lanes each ns, by how many addresses there are. */
#include "bench.cuh"

enum { ADDS = 64, COUNTERS = 1 << 24 };

/* Each thread adds ADDS times at random places of `addresses`. */
template <typename T>
__global__ void add_anywhere(T *counters, unsigned addresses) {
    unsigned random = scramble(blockIdx.x * blockDim.x + threadIdx.x + 1);
    for (int i = 0; i < ADDS; i++) {
        random = random * 1664525u + 1013904223u;
        atomicAdd(&counters[below(random, addresses)], (T)1);
    }
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
template <typename T>
__global__ void add_same(T *counters, unsigned zero, unsigned lanes) {
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

template <typename Start>
static double gops(int blocks, int threads, Start start) {
    return (double)blocks * threads * ADDS / event_ns(start, 3);
}

static void by_addresses() {
    const int all = 2 * multiprocessors();
    for (unsigned n : {1, 2, 4, 7, 16, 26, 64, 256, 1024, 4096, 16384, 65536, 1 << 20, 1 << 24}) {
        row("global_atomic", n, gops(all, 1024, [=] { add_anywhere<<<all, 1024>>>(counters, n); }));
        row("sm_global_atomic", n, gops(1, 1024, [=] { add_anywhere<<<1, 1024>>>(counters, n); }));
    }
}

static void coalesced() {
    const int all = 2 * multiprocessors();
    for (unsigned lines : {1, 8, 32, 256, 2048, COUNTERS / 32}) {
        row("global_atomic_lines", lines,
            gops(all, 1024, [=] { add_coalesced<<<all, 1024>>>(counters, lines); }));
        row("sm_global_atomic_lines", lines,
            gops(1, 1024, [=] { add_coalesced<<<1, 1024>>>(counters, lines); }));
    }
}

/* ns for each request of a warp. */
template <typename T>
static double same_ns(unsigned lanes) {
    const int blocks = 2 * multiprocessors();
    const double ns = event_ns([=] { add_same<<<blocks, 1024>>>((T *)counters, 0, lanes); }, 3);
    return ns / (blocks * 32.0 * ADDS);
}

/* Adds of another type than integers: at one word, and at random ones of so many. */
template <typename T>
static void of_type(const char *same, const char *anywhere) {
    const int all = 2 * multiprocessors();
    for (unsigned lanes : {1, 2, 4, 8, 16, 32})
        row(same, lanes, same_ns<T>(lanes));
    for (unsigned n : {256, 1024, 4096, 65536})
        row(anywhere, n, gops(all, 1024, [=] { add_anywhere<<<all, 1024>>>((T *)counters, n); }));
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
    key("global_atomic_same_ns", same_ns<unsigned>(32));
    for (unsigned lanes : {1, 2, 4, 8, 16, 32})
        row("global_atomic_same", lanes, same_ns<unsigned>(lanes));
    by_addresses();
    coalesced();
    of_type<float>("global_atomic_same_float", "global_atomic_float");
    of_type<double>("global_atomic_same_double", "global_atomic_double");
}
