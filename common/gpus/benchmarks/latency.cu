/* Latencies of dependent loads: one thread follows a chain of pointers through every line of a
 * region once, in random order. */
#include "bench.cuh"

#include <algorithm>
#include <random>

enum { LINE = 128 };

typedef unsigned long long Pointer;

__global__ void link_lines(char *region, const unsigned *order, unsigned lines) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += gridDim.x * blockDim.x)
        *(Pointer *)(region + (size_t)order[i] * LINE) =
            (Pointer)(region + (size_t)order[(i + 1) % lines] * LINE);
}

template <bool L1> __device__ Pointer follow(Pointer at) {
    Pointer next;
    if (L1)
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
    else
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(at) : "memory");
    return next;
}

template <bool L1>
__global__ void chase(Pointer start, unsigned unseen_hops, unsigned hops, Elapsed *elapsed) {
    Pointer at = start;
    for (unsigned i = 0; i < unseen_hops; i++)
        at = follow<L1>(at);
    const Elapsed begin = start_watch();
#pragma unroll 16
    for (unsigned i = 0; i < hops; i++)
        at = follow<L1>(at);
    keep((unsigned)at);
    stop_watch(begin, elapsed);
}

__global__ void chase_shared(unsigned words, unsigned hops, Elapsed *elapsed) {
    __shared__ unsigned next[1024];
    const unsigned base = (unsigned)__cvta_generic_to_shared(next);
    for (unsigned i = 0; i < words; i++)
        next[i] = base + (i + 33) % words * 4;
    unsigned at = base;
    const Elapsed begin = start_watch();
#pragma unroll 16
    for (unsigned i = 0; i < hops; i++)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(at) : "memory");
    keep(at);
    stop_watch(begin, elapsed);
}

/* The numbers below `lines` in random order. */
static unsigned *random_order(unsigned lines) {
    std::vector<unsigned> order(lines);
    for (unsigned i = 0; i < lines; i++)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    unsigned *device_order = allocate<unsigned>(lines);
    CHECK(cudaMemcpy(device_order, order.data(), lines * sizeof(unsigned), cudaMemcpyHostToDevice));
    return device_order;
}

/* A region of `bytes`, linked in random order. */
static char *linked(size_t bytes) {
    const unsigned lines = (unsigned)(bytes / LINE);
    char *region = allocate<char>(bytes);
    unsigned *device_order = random_order(lines);
    link_lines<<<1024, 256>>>(region, device_order, lines);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(device_order));
    return region;
}

/* ns for each hop of `start(region, elapsed)`. cold: other memory has gone through the L2 since the
 * region was written or read. */
template <typename Start>
static double hop_ns(size_t bytes, unsigned hops, bool cold, Start start) {
    const size_t other_bytes = (size_t)512 << 20;
    char *region = linked(bytes), *other = cold ? allocate<char>(other_bytes) : NULL;
    const auto chase_once = [=](Elapsed *elapsed) {
        if (cold)
            CHECK(cudaMemset(other, 1, other_bytes));
        start(region, elapsed);
    };
    const Medians took = block_medians(1, chase_once, 3);
    CHECK(cudaFree(other));
    CHECK(cudaFree(region));
    return took.ns / hops;
}

/* The region has been read once when the time begins. */
template <bool L1> static double warm_ns(size_t bytes, unsigned hops) {
    return hop_ns(bytes, hops, false, [=](char *region, Elapsed *elapsed) {
        chase<L1><<<1, 1>>>((Pointer)region, (unsigned)(bytes / LINE), hops, elapsed);
    });
}

static double cold_ns(size_t bytes, unsigned hops) {
    return hop_ns(bytes, hops, true, [=](char *region, Elapsed *elapsed) {
        chase<false><<<1, 1>>>((Pointer)region, 0, hops, elapsed);
    });
}

/* The lanes of a warp follow the chain from so many places, and wait for each other. */
__global__ void chase_together(char *region, size_t apart, unsigned places, unsigned hops,
                               Elapsed *elapsed) {
    Pointer at = (Pointer)(region + threadIdx.x % places * apart);
    const Elapsed begin = start_watch();
#pragma unroll 4
    for (unsigned i = 0; i < hops; i++)
        at = follow<false>(at);
    keep((unsigned)at);
    stop_watch(begin, elapsed);
}

/* ns for each hop of a warp to as many lines as it has places: from the L2, or (cold) from DRAM. */
static double together_ns(size_t bytes, unsigned places, bool cold) {
    enum { HOPS = 1 << 10 };
    const size_t apart = bytes / 32 / LINE * LINE;
    return hop_ns(bytes, HOPS, cold, [=](char *region, Elapsed *elapsed) {
        chase_together<<<1, 32>>>(region, apart, places, HOPS, elapsed);
    });
}

/* All multiprocessors have just written the region; one of them reads it for the first time. */
static double first_ns(size_t bytes) {
    const unsigned lines = (unsigned)(bytes / LINE);
    char *region = allocate<char>(bytes);
    unsigned *order = random_order(lines);
    const Medians took = block_medians(1, [=](Elapsed *elapsed) {
        link_lines<<<multiprocessors(), 1024>>>(region, order, lines);
        chase<true><<<1, 1>>>((Pointer)region, 0, lines, elapsed);
    });
    CHECK(cudaFree(order));
    CHECK(cudaFree(region));
    return took.ns / lines;
}

/* The L1: its latency, and the largest region that is read at about that latency. */
static void l1() {
    double nearest = 0;
    size_t size = 0;
    for (size_t bytes = 16 << 10; bytes <= 256 << 10; bytes += 16 << 10) {
        const double ns = warm_ns<true>(bytes, 4096);
        if (!nearest)
            key("l1_ns", nearest = ns);
        if (ns < 1.3 * nearest)
            size = bytes;
    }
    printf("l1_bytes %zu\n", size);
}

int main() {
    warm_up();
    const Medians shared =
        block_medians(1, [](Elapsed *elapsed) { chase_shared<<<1, 1>>>(1024, 1 << 16, elapsed); });
    key("shared_ns", shared.ns / (1 << 16));
    l1();
    key("l2_first_ns", first_ns(1 << 20));
    key("l2_ns", warm_ns<false>(4 << 20, 1 << 14));
    key("dram_ns", cold_ns((size_t)32 << 20, 1 << 14));
    for (unsigned places : {1, 2, 4, 8, 16, 32})
        row("l2_lines_ns", places, together_ns(4 << 20, places, false));
    for (unsigned places : {1, 2, 4, 8, 16, 32})
        row("dram_lines_ns", places, together_ns((size_t)128 << 20, places, true));
}
