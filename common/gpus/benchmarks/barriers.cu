/* What it costs to wait for each other: barriers, fences, locks. */
#include "bench.cuh"

#include <cooperative_groups.h>

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

__global__ void grid_barriers(Elapsed *elapsed) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    grid.sync();
    const Elapsed start = start_watch();
    for (int i = 0; i < ROUNDS; i++)
        grid.sync();
    stop_watch(start, elapsed);
}

static double grid_barrier_ns(int blocks) {
    return block_medians(blocks,
                         [=](Elapsed *elapsed) {
                             void *arguments[] = {&elapsed};
                             CHECK(cudaLaunchCooperativeKernel((const void *)grid_barriers,
                                                               dim3(blocks), dim3(256), arguments,
                                                               0, nullptr));
                         })
               .ns /
           ROUNDS;
}

/* One thread of each block adds to a word under a lock that all blocks spin on. */
__global__ void locked(int *lock, volatile unsigned *word, int turns) {
    for (int i = 0; i < turns; i++) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *word = *word + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

int main() {
    warm_up();
    const int all = multiprocessors();
    for (int threads : {32, 64, 128, 256, 512, 768, 1024})
        row("barrier_ns", threads,
            block_medians(1, [=](Elapsed *elapsed) { barriers<<<1, threads>>>(elapsed); }).ns /
                BARRIERS);
    unsigned *words = allocate<unsigned>(256 * all);
    for (int blocks : {1, 2, 4, 8})
        row("grid_barrier_ns", blocks, grid_barrier_ns(blocks * all));
    for (int blocks : {1, 8, all, 8 * all}) {
        const int turns = std::max(1, 1024 / blocks);
        const double ns = event_ns([=] { locked<<<blocks, 1>>>((int *)words, words + 64, turns); });
        row("lock_ns", blocks, ns / (blocks * turns));
    }
    key("fence_ns",
        block_medians(all, [=](Elapsed *elapsed) { fences<<<all, 256>>>(words, elapsed); }).ns /
            ROUNDS);
}
