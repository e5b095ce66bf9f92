/* Atomics on shared memory: throughput of a multiprocessor by how a warp's lanes meet, and the
 * latency of dependent ones. */
#include "bench.cuh"

enum { WORDS = 8192, PATTERN = 8, ROUNDS = 32 };

/* What is added: the compiler has an instruction for each. */
enum Kind { ONE, ANY };

/* Where the lanes of a request meet. */
enum Place { BANK, SAME };

/* The k-th address of this thread. BANK: `n` lanes at different words of one bank; SAME: `n` lanes
 * at one word; the others have banks of their own. */
__device__ unsigned word_of(Place place, unsigned n, unsigned k) {
    const unsigned lane = threadIdx.x % 32, rotated = (lane + k) % 32;
    if (rotated >= n)
        return rotated + 32 * k;
    return place == BANK ? rotated * 32 : 0;
}

template <Kind KIND>
__global__ void __launch_bounds__(1024)
    throughput(Place place, unsigned n, unsigned addend, Elapsed *elapsed) {
    __shared__ unsigned words[WORDS];
    unsigned at[PATTERN];
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = 0;
    for (unsigned k = 0; k < PATTERN; k++)
        at[k] = word_of(place, n, k);
    const Elapsed start = start_watch();
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int k = 0; k < PATTERN; k++)
            atomicAdd(&words[at[k]], KIND == ONE ? 1u : addend);
    stop_watch(start, elapsed);
    keep(words[threadIdx.x]);
}

/* Cycles of a multiprocessor for each request of 32 warps. */
template <Kind KIND> static double cycles(Place place, unsigned n) {
    const Medians took = block_medians(
        1, [=](Elapsed *elapsed) { throughput<KIND><<<1, 1024>>>(place, n, 3, elapsed); }, 3);
    return took.cycles / (32.0 * ROUNDS * PATTERN);
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

int main() {
    warm_up();
    const unsigned hops = 1 << 14;
    key("shared_atomic_ns",
        block_medians(1, [=](Elapsed *elapsed) { dependent<<<1, 32>>>(0, hops, elapsed); }).ns /
            hops);
    for (unsigned n : {1, 2, 4, 8, 16, 32}) {
        row("shared_atomic_bank", n, cycles<ONE>(BANK, n));
        row("shared_atomic_same", n, cycles<ONE>(SAME, n));
        row("shared_atomic_bank_any", n, cycles<ANY>(BANK, n));
        row("shared_atomic_same_any", n, cycles<ANY>(SAME, n));
    }
}
