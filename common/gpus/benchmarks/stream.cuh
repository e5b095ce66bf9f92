/* Streaming reads: every thread loads LOADS values of type T, then uses them. */
#pragma once

#include "bench.cuh"

__device__ inline unsigned word(unsigned x) { return x; }
__device__ inline unsigned word(uint2 x) { return x.x + x.y; }
__device__ inline unsigned word(uint4 x) { return x.x + x.y + x.z + x.w; }

/* Past the L1, so that nothing but loads in flight matters. */
template <typename T, int LOADS> __global__ void stream(const T *data, size_t count) {
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i + (LOADS - 1) * stride < count;
         i += LOADS * stride) {
        T value[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            value[k] = __ldcg(&data[i + k * stride]);
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum += word(value[k]);
    }
    keep(sum);
}

/* GB/s that `blocks` blocks of so many threads get, with LOADS loads of T in flight for each. */
template <typename T, int LOADS>
double stream_gbps(const void *data, size_t bytes, int blocks, int threads, int repetitions = 5) {
    const size_t count = bytes / sizeof(T);
    const double ns = event_ns(
        [=] { stream<T, LOADS><<<blocks, threads>>>((const T *)data, count); }, repetitions);
    const size_t turn = (size_t)blocks * threads * LOADS;
    return (double)(count / turn * turn * sizeof(T)) / ns;
}
