// Traces: which blocks, in which order, and what is left out of long ones.
#include <cuda_runtime.h>

/* Blocks 0 and 2 are multiprocessor 0's; block 3 does more than others, as a last block does. */
__global__ void steps(const unsigned *in, unsigned *out) {
    __shared__ unsigned part[32];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned k = 0; k <= (threadIdx.x < 8); k++)
        part[threadIdx.x] += in[32 * k + threadIdx.x];
    __syncwarp();
    __threadfence();
    __syncthreads();
    atomicAdd(&out[threadIdx.x / 16], part[threadIdx.x ^ 1]);
    if (blockIdx.x == 3)
        out[64 + threadIdx.x] = 1;
}

/* 20 000 turns of three requests: a sample, whose weights add up to all. */
__global__ void turns(const unsigned *in, unsigned *out) {
    __shared__ unsigned part[64];
    for (unsigned k = 0; k < 20000; k++)
        part[threadIdx.x] += in[(k + threadIdx.x) % 64];
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x ^ 1];
}

/* Half warps load one after the other, though both read the same 4 places, each in the same banks.
 */
__global__ void wide(const uint2 *in, unsigned *out) {
    const uint2 pair = in[threadIdx.x % 4 * 16];
    out[threadIdx.x] = pair.x + pair.y;
}

/* Each of 8 lanes reads a line of its own, 4 of them one word of it and 4 the next. */
__global__ void apart(const unsigned *in, unsigned *out) {
    if (threadIdx.x < 8)
        out[threadIdx.x] = in[threadIdx.x * 32 + threadIdx.x % 2];
}

static unsigned *in, *out;
extern "C" void step_setup(void) {
    cudaMalloc(&in, 4096 * sizeof *in);
    cudaMalloc(&out, 4096 * sizeof *out);
    cudaMemset(in, 0, 4096 * sizeof *in);
}

//: trace 0 0 0
//: r 0 0 ffffffff 1 1
//: b
//: r 2 0 ffffffff 1 1
//: r 1 0 ffffffff 0 1 4000:f
//: r 3 0 ffffffff 1 1
//: r 2 1 ff 1 1
//: r 1 1 ff 0 1 4001:1
//: r 3 1 ff 1 1
//: w
//: f
//: b
//: r 4 0 ffffffff 1 1
//: r 5 0 ffffffff 0 16 8000:1
//: e
//: trace 0 2 0
//: trace 0 3 0
//: trace 1 0 0
//: trace 1 0 1
//: trace 2 0 0
//: r 0 0 ffffffff 8 8 4000:1 4001:1 4002:1 4003:1
//: r 1 0 ffffffff 0 1 8000:f
//: e
//: trace 3 0 0
//: r 0 0 ff 4 1 4000:1 4001:1 4002:1 4003:1 4004:1 4005:1 4006:1 4007:1
//: r 1 0 ff 0 1 8000:1
//: e
//# 60002 trace 1 0 0
//# 60002 trace 1 0 1
extern "C" void step(void) {
    steps<<<4, 32>>>(in, out);
    turns<<<1, 64>>>(in, out);
    wide<<<1, 32>>>((const uint2 *)in, out);
    apart<<<1, 32>>>(in, out);
}
