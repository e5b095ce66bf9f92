/* What it costs to wait for each other: barriers and fences. */
#include "bench.cuh"

enum { BARRIERS = 2048, ROUNDS = 256 };

__global__ void barriers(Elapsed *elapsed) {
    const Elapsed start = start_watch();
#pragma unroll 8
    for (int i = 0; i < BARRIERS; i++)
        __syncthreads();
    stop_watch(start, elapsed);
}

/* A thread's fence, after a store of its own. */
__global__ void fences(unsigned *words, Elapsed *elapsed) {
    const Elapsed start = start_watch();
#pragma unroll 1
    for (int i = 0; i < ROUNDS; i++) {
        ((volatile unsigned *)words)[blockIdx.x * blockDim.x + threadIdx.x] = i;
        __threadfence();
    }
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
    unsigned *words = allocate<unsigned>(256 * all);
    key("fence_ns",
        block_medians(all, [=](Elapsed *elapsed) { fences<<<all, 256>>>(words, elapsed); }).ns /
            ROUNDS);
}
