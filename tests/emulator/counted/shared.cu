// Shared memory: wavefronts and conflicts.
#include <cuda_runtime.h>

__global__ void words(unsigned *out) {
    __shared__ unsigned a[2048];
    const unsigned t = threadIdx.x;
    a[t] = t;
    //= - store shared 4 2 64 0 0 2 0 2 1
    __syncthreads();
    unsigned sum = a[2 * t];
    //= - load shared 4 2 64 0 0 4 2 2 1
    sum += a[32 * (t % 32)];
    //= - load shared 4 2 64 0 0 64 62 2 1
    sum += a[33 * (t % 32)];
    //= - load shared 4 2 64 0 0 2 0 2 1
    sum += a[0];
    //= - load shared 4 2 64 0 0 2 0 64 32
    sum += a[t % 32 / 2];
    //= - load shared 4 2 64 0 0 2 0 4 2
    sum += a[64 * (t % 2)];
    //= - load shared 4 2 64 0 0 4 2 32 16
    a[t / 16] = sum;
    //= - store shared 4 2 64 0 0 2 0 32 16
    out[t] = sum;
    //= - store global 4 2 64 8 2 0 0 2 1
}

__global__ void wide(uint4 *out) {
    __shared__ uint2 pairs[256];
    __shared__ uint4 quads[256];
    __shared__ unsigned char bytes[256];
    const unsigned t = threadIdx.x;
    pairs[t] = make_uint2(t, t);
    //= - store shared 8 1 32 0 0 2 0 1 1
    quads[t] = make_uint4(t, t, t, t);
    //= - store shared 16 1 32 0 0 4 0 1 1
    bytes[t] = t;
    //= - store shared 1 1 32 0 0 1 0 1 1
    __syncwarp();
    const uint2 far = pairs[2 * t];
    //= - load shared 8 1 32 0 0 4 2 1 1
    const uint4 same = quads[t / 8];
    //= - load shared 16 1 32 0 0 2 0 8 8
    uint4 some = quads[8 * (t % 4)];
    //= - load shared 16 1 32 0 0 16 12 8 8
    if (t < 8)
        some.x += quads[t].x + bytes[4 * t];
    //= - load shared 4 1 8 0 0 1 0 1 1
    //= - load shared 1 1 8 0 0 1 0 1 1
    some.y += far.x + same.x;
    out[t] = some;
    //= - store global 16 1 32 16 4 0 0 1 1
}

__global__ void dynamic(unsigned *out) {
    extern __shared__ unsigned d[];
    d[threadIdx.x + 40000] = threadIdx.x;
    //= - store shared 4 1 32 0 0 1 0 1 1
    out[threadIdx.x] = d[(threadIdx.x ^ 1) + 40000];
    //= - load shared 4 1 32 0 0 1 0 1 1
    //= - store global 4 1 32 4 1 0 0 1 1
}

static uint4 *out;
extern "C" void step_setup(void) {
    cudaMalloc(&out, 4096);
    cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
}

//: op 0 kernel @ 1 1 1 64 1 1 8192 0 0 1 words
//: sync 0 2 0 0
//: op 1 kernel @ 1 1 1 32 1 1 6400 0 0 1 wide
//: sync 1 0 1 0
//: op 2 kernel @ 1 1 1 32 1 1 0 200000 0 1 dynamic
extern "C" void step(void) {
    words<<<1, 64>>>((unsigned *)out);
    wide<<<1, 32>>>(out);
    dynamic<<<1, 32, 200000>>>((unsigned *)out);
}
