/* Requests of a warp that are not coalesced: by the 128-byte lines that they touch, and threads
 * that each walk a stretch of their own. */
#include "stream.cuh"

enum { ROUNDS = 64, LOADS = 8, LINE_WORDS = 32, PLACES = 2048 };

/* The 32 lanes read 32 words of `lines` lines, as many of each. Where `step` is 0, all requests are
 * of the same lines, which then are in the L1; the compiler does not know that. Where it is 1, they
 * are of 8 MiB, which are in the L2 only. */
template <bool L1>
__global__ void by_lines(const unsigned *data, unsigned lines, unsigned step, Elapsed *elapsed) {
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, of_line = 32 / lines;
    const unsigned *const own = data + lane / of_line * LINE_WORDS + lane % of_line;
    unsigned sum = 0;
    const Elapsed start = start_watch();
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const unsigned place = ((round * LOADS + k) * 32 + warp) % PLACES * step;
            const unsigned *const at = own + place * 32 * LINE_WORDS;
            unsigned value;
            if (L1)
                asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at));
            else
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at));
            sum += value;
        }
    keep(sum);
    stop_watch(start, elapsed);
}

/* Cycles of a multiprocessor for each request, with 32 warps. */
template <bool L1>
static double cycles(const unsigned *data, unsigned lines) {
    const Medians took = block_medians(
        1, [=](Elapsed *elapsed) { by_lines<L1><<<1, 1024>>>(data, lines, !L1, elapsed); });
    return took.cycles / (32.0 * ROUNDS * LOADS);
}

/* Each thread sums its own stretch, word by word, UNROLL loads in flight. */
template <int UNROLL>
__global__ void stretches(const unsigned *data, unsigned words) {
    const unsigned *const own = data + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * words;
    unsigned sum = 0;
#pragma unroll UNROLL
    for (unsigned i = 0; i < words; i++)
        sum += own[i];
    keep(sum);
}

template <int UNROLL>
static double stretch_gbps(const unsigned *data, int blocks, unsigned words) {
    const double ns = event_ns([=] { stretches<UNROLL><<<blocks, 1024>>>(data, words); }, 3);
    return (double)blocks * 1024 * words * sizeof(unsigned) / ns;
}

/* Neighbouring lanes read 4 bytes each, `stride` words apart; 4 loads in flight. */
__global__ void strided(const unsigned *data, unsigned reads, unsigned stride) {
    const unsigned step = gridDim.x * blockDim.x;
    unsigned sum = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i + 3 * step < reads; i += 4 * step) {
        unsigned value[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            value[k] = __ldcg(&data[(size_t)(i + k * step) * stride]);
        sum += value[0] + value[1] + value[2] + value[3];
    }
    keep(sum);
}

/* What DRAM fetches for a lone sector: the time of a read that has 64 bytes to itself, in bytes of
 * a coalesced read. */
static void strides(const unsigned *data, size_t bytes) {
    const unsigned blocks = 2 * multiprocessors(), turn = blocks * 1024 * 4;
    double coalesced = 0;
    for (unsigned stride : {1, 2, 4, 8, 16, 32, 64}) {
        const unsigned reads = (unsigned)(bytes / 4 / stride) / turn * turn;
        const double ns = event_ns([=] { strided<<<blocks, 1024>>>(data, reads, stride); }, 3);
        row("strided_gbps", stride * 4, (double)reads * 4 / ns);
        if (stride == 1)
            coalesced = (double)reads * 4 / ns;
        if (stride == 16)
            key("dram_fetch_bytes", std::max(32.0, ns / reads * coalesced));
    }
}

int main() {
    warm_up();
    const size_t bytes = (size_t)1 << 30;
    unsigned *data = allocate<unsigned>(bytes / 4);
    for (unsigned lines : {1, 2, 4, 8, 16, 32})
        row("request_l1_cycles", lines, cycles<true>(data, lines));
    for (unsigned lines : {1, 2, 4, 8, 16, 32})
        row("request_l2_cycles", lines, cycles<false>(data, lines));
    const int all = multiprocessors();
    row("sm_stretch_gbps", 1, stretch_gbps<1>(data, 1, 4000));
    row("sm_stretch_gbps", 4, stretch_gbps<4>(data, 1, 4000));
    row("stretch_gbps", 1, stretch_gbps<1>(data, all, 1000));
    row("stretch_gbps", 4, stretch_gbps<4>(data, all, 1000));
    row("stretch_two_blocks_gbps", 1, stretch_gbps<1>(data, 2 * all, 500));
    row("stretch_two_blocks_gbps", 4, stretch_gbps<4>(data, 2 * all, 500));
    strides(data, bytes);
}
