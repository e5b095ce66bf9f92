/* Requests of a warp that are not coalesced: by the 128-byte lines that they touch. */
#include "stream.cuh"

enum { ROUNDS = 64, LOADS = 8, LINE_WORDS = 32 };

/* The 32 lanes read 32 words of `lines` lines, as many of each. All requests of a round are to
 * places of their own, which then are in the L1, and all rounds to the same ones (`zero` is 0,
 * which the compiler does not know). */
__global__ void by_lines(const unsigned *data, unsigned lines, unsigned zero, Elapsed *elapsed) {
    const unsigned lane = threadIdx.x % 32, of_line = 32 / lines;
    const unsigned *own = data + lane / of_line * LINE_WORDS + lane % of_line;
    unsigned sum = 0;
    const Elapsed start = start_watch();
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            unsigned value;
            asm volatile("ld.global.ca.u32 %0, [%1];"
                         : "=r"(value)
                         : "l"(own + k * 32 * LINE_WORDS));
            sum += value;
        }
        own += zero;
    }
    keep(sum);
    stop_watch(start, elapsed);
}

/* Cycles of a multiprocessor for each request, with 32 warps. */
static double cycles(const unsigned *data, unsigned lines) {
    const Medians took =
        block_medians(1, [=](Elapsed *elapsed) { by_lines<<<1, 1024>>>(data, lines, 0, elapsed); });
    return took.cycles / (32.0 * ROUNDS * LOADS);
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

/* ns for each read. What DRAM fetches for a lone sector: the time of a read that has 64 bytes to
 * itself, in bytes of a coalesced read. */
static double strided_ns(const unsigned *data, size_t bytes, unsigned stride) {
    const unsigned blocks = 2 * multiprocessors(), turn = blocks * 1024 * 4;
    const unsigned reads = (unsigned)(bytes / 4 / stride) / turn * turn;
    return event_ns([=] { strided<<<blocks, 1024>>>(data, reads, stride); }, 3) / reads;
}

/* Each lane reads words anywhere in `count`, LOADS of them at a time. */
__global__ void gather(const unsigned *data, unsigned count) {
    unsigned random = scramble(blockIdx.x * blockDim.x + threadIdx.x + 1), sum = 0;
    for (int round = 0; round < ROUNDS / LOADS; round++) {
        unsigned value[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            random = random * 1664525u + 1013904223u;
            value[k] = __ldcg(&data[below(random, count)]);
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum += value[k];
    }
    keep(sum);
}

int main() {
    warm_up();
    const size_t bytes = (size_t)1 << 30;
    unsigned *data = allocate<unsigned>(bytes / 4);
    for (unsigned lines : {1, 2, 4, 8, 16, 32})
        row("request_l1_cycles", lines, cycles(data, lines));
    const int blocks = 2 * multiprocessors();
    for (unsigned megabytes : {16, 32, 48, 64, 128, 256, 1024})
        row("gather_gops", megabytes * 1048576.0,
            blocks * 1024.0 * ROUNDS /
                event_ns([=] { gather<<<blocks, 1024>>>(data, megabytes << 18); }));
    key("dram_fetch_bytes",
        std::max(32.0, strided_ns(data, bytes, 16) * 4 / strided_ns(data, bytes, 1)));
}
