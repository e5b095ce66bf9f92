/* What it costs to wait for each other: barriers, fences, a last-block ticket. */
#include "bench.cuh"

enum { BARRIERS = 2048, ROUNDS = 256 };

__global__ void barriers(Elapsed *elapsed) {
    const Elapsed start = start_watch();
#pragma unroll 8
    for (int i = 0; i < BARRIERS; i++)
        __syncthreads();
    stop_watch(start, elapsed);
}

/* A thread's fence, after a store of its own if STORE. */
template <bool STORE>
__global__ void fences(unsigned *words, Elapsed *elapsed) {
    const Elapsed start = start_watch();
#pragma unroll 1
    for (int i = 0; i < ROUNDS; i++) {
        if (STORE)
            ((volatile unsigned *)words)[blockIdx.x * blockDim.x + threadIdx.x] = i;
        __threadfence();
    }
    stop_watch(start, elapsed);
}

/* What the last block to finish is found by: a store, a fence and a ticket by thread 0, a barrier.
 */
__global__ void tickets(unsigned *words, unsigned *counter, Elapsed *elapsed) {
    __shared__ unsigned ticket;
    unsigned sum = 0;
    const Elapsed start = start_watch();
    for (int i = 0; i < ROUNDS; i++) {
        if (threadIdx.x == 0) {
            words[blockIdx.x] = i;
            __threadfence();
            ticket = atomicInc(counter, gridDim.x - 1);
        }
        __syncthreads();
        sum += ticket;
        __syncthreads();
    }
    keep(sum);
    stop_watch(start, elapsed);
}

int main() {
    warm_up();
    const int all = multiprocessors();
    for (int threads : {32, 64, 128, 256, 512, 768, 1024})
        row("barrier_ns", threads,
            block_medians(1, [=](Elapsed *elapsed) { barriers<<<1, threads>>>(elapsed); }).ns /
                BARRIERS);
    for (int threads : {32, 64, 128, 256, 512, 768, 1024})
        if (2 * threads <= device().maxThreadsPerMultiProcessor)
            row("barrier_two_blocks_ns", threads,
                block_medians(
                    2 * all,
                    [=](Elapsed *elapsed) {
                        barriers<<<2 * all, threads>>>(elapsed);
                    }).ns /
                    BARRIERS);
    unsigned *words = allocate<unsigned>(2048 * all), *counter = allocate<unsigned>(1);
    key("fence_ns",
        block_medians(all, [=](Elapsed *elapsed) { fences<true><<<all, 256>>>(words, elapsed); })
                .ns /
            ROUNDS);
    key("fence_one_thread_ns",
        block_medians(1, [=](Elapsed *elapsed) { fences<true><<<1, 1>>>(words, elapsed); }).ns /
            ROUNDS);
    key("fence_nothing_ns",
        block_medians(all, [=](Elapsed *elapsed) { fences<false><<<all, 256>>>(words, elapsed); })
                .ns /
            ROUNDS);
    key("ticket_ns",
        block_medians(1, [=](Elapsed *elapsed) { tickets<<<1, 256>>>(words, counter, elapsed); })
                .ns /
            ROUNDS);
    key("ticket_all_ns", block_medians(
                             2 * all,
                             [=](Elapsed *elapsed) {
                                 tickets<<<2 * all, 256>>>(words, counter, elapsed);
                             }).ns /
                             ROUNDS);
}
