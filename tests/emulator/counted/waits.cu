/* Who waits for another warp of its block lets that run, also in blocks that are not counted. */
#include <cuda_runtime.h>

__global__ void hand_over(unsigned *sum) {
    __shared__ unsigned turn;
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    for (unsigned i = 0; i < 2 && threadIdx.x % 32 == 0; i++) {
        while (atomicAdd(&turn, 0) != 2 * i + threadIdx.x / 32) {
        }
        atomicAdd(&turn, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        sum[blockIdx.x] = turn;
}

static unsigned *out;
extern "C" void step_setup(void) { cudaMalloc(&out, 4096 * sizeof *out); }

//: memory 0 0 512
extern "C" void step(void) { hand_over<<<4096, 64>>>(out); }
