// Warps, blocks and grids; early ends; what a launch says.
#include <cuda_runtime.h>

__global__ void ends(const unsigned *in, unsigned *out) {
    if (threadIdx.x >= 40)
        return;
    unsigned sum = in[threadIdx.x];
    //= - load global 4 2 40 5 2 0 0 2 1
    if (threadIdx.x % 32 == 3 && sum == 0)
        return;
    __syncwarp(threadIdx.x < 32 ? 0xfffffff7 : 0xf7);
    sum += __shfl_xor_sync(threadIdx.x < 32 ? 0xfffffff7 : 0xf7, sum, 0);
    __threadfence();
    out[threadIdx.x] = sum;
    //= - store global 4 2 38 5 2 0 0 2 1
}

__global__ void planes(unsigned *out) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x,
                   y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * 32 + x] = 1;
    //= - store global 4 16 512 64 32 0 0 16 1
}

/* One thread, without end as far as a list is concerned. */
__global__ void alone(const unsigned *in, unsigned *out) {
    unsigned sum = 0;
    for (unsigned k = 0; k < 100000; k++)
        sum += in[k % 64];
    //= 1 load global 4 100000 100000 100000 100000 0 0 100000 1
    *out = sum;
    //= - store global 4 1 1 1 1 0 0 1 1
}

/* Every 4th block is counted, the first and the last among them, and the figures are scaled. */
__global__ void many(const unsigned *in, unsigned *out) {
    __shared__ unsigned part;
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x >= 16)
        return;
    const unsigned value = in[blockIdx.x * 32 + threadIdx.x];
    //= - load global 4 10000 319984 39998 10000 0 0 10000 1
    if (threadIdx.x == 0)
        part = value;
    //= - store shared 4 10000 10000 0 0 10000 0 10000 1
    __syncwarp();
    atomicAdd(out, part + value);
    //= - load shared 4 10000 319984 0 0 10000 0 319984 32
    //= - atomic global 4 10000 319984 10000 10000 0 0 10000 1
}

/* Block 3, which is not traced, does most: 50 loads, 50 turns that load nothing (all take 57), and
 * a store. */
__global__ void heavy(const unsigned *in, unsigned *out) {
    const unsigned turns = blockIdx.x == 3 ? 50 : 1;
    unsigned sum = 0;
    for (unsigned k = 0; k < turns; k++)
        sum += in[k * 32 + threadIdx.x];
    //= 1 load global 4 57 1824 228 57 0 0 57 1
    for (unsigned k = 0; k < turns; k++)
        sum = sum * 3 ^ sum >> 5;
    out[blockIdx.x * 32 + threadIdx.x] = sum;
    //= - store global 4 8 256 32 8 0 0 8 1
}

static unsigned *in, *out;
extern "C" void step_setup(void) {
    cudaMalloc(&in, 10000 * 32 * sizeof *in);
    cudaMalloc(&out, 4096 * sizeof *out);
    cudaMemset(in, 0, 10000 * 32 * sizeof *in);
}

//: op 0 memset 64
//: op 1 kernel @ 1 1 1 96 1 1 0 0 0 1 ends
//: sync 1 0 4 2
//: op 2 copy 128
//: op 3 kernel @ 2 4 1 16 4 1 0 0 0 8 planes
//: memory 3 0 64
//: op 4 kernel @ 1 1 1 1 1 1 0 0 0 1 alone
//: memory 4 8 1
//: op 5 kernel @ 10000 1 1 32 1 1 4 0 0 2001 many
//: memory 5 39999 1
//: hot 5 10000 10000 10000
//: most 5 4 0
//: trace 5 0 0
//: trace 5 626 0
//: trace 5 9376 0
//: most 6 101 57
extern "C" void step(void) {
    cudaMemset(out, 0, 64);
    ends<<<1, 96>>>(in, out);
    cudaMemcpyAsync(out, in, 128, cudaMemcpyDeviceToDevice);
    planes<<<dim3(2, 4), dim3(16, 4)>>>(out);
    alone<<<1, 1>>>(in, out);
    many<<<10000, 32>>>(in, out);
    heavy<<<8, 32>>>(in, out);
}
