// The calls that a lane is in tell requests apart, as loops do.
#include <cuda_runtime.h>

/* Lanes that come from two places do not meet. */
__device__ __noinline__ unsigned read(const unsigned *in, unsigned i) {
    return in[i];
    //= - load global 4 2 32 4 2 0 0 2 1
}

__global__ void two_places(const unsigned *in, unsigned *out) {
    unsigned sum;
    if (threadIdx.x < 16)
        sum = read(in, threadIdx.x) + 1;
    else
        sum = read(in, threadIdx.x) + 2;
    out[threadIdx.x] = sum;
    //= - store global 4 1 32 4 1 0 0 1 1
}

__device__ __noinline__ unsigned deep(const unsigned *in, unsigned depth) {
    return in[threadIdx.x] + (depth ? deep(in, depth - 1) : 0);
    //= - load global 4 4 80 16 4 0 0 4 1
}

__global__ void recursion(const unsigned *in, unsigned *out) {
    out[threadIdx.x] = deep(in, threadIdx.x % 4);
    //= - store global 4 1 32 4 1 0 0 1 1
}

template <typename T, int N> __device__ T sum_of(const T *in) {
    T sum = 0;
    for (int k = 0; k < N; k++)
        sum += in[k * 32 + threadIdx.x];
    //= 1 load global 4 2 64 8 2 0 0 2 1
    //= 1 load global 8 3 96 24 6 0 0 3 1
    return sum;
}

__global__ void templates(const unsigned *in, unsigned *out) {
    out[threadIdx.x] = sum_of<unsigned, 2>(in) +
                       //= - store global 4 1 32 4 1 0 0 1 1
                       (unsigned)sum_of<unsigned long long, 3>((const unsigned long long *)in);
}

__global__ void lambdas(const unsigned *in, unsigned *out) {
    auto each = [&](auto f) {
        for (unsigned k = 0; k < 2; k++)
            f(k);
    };
    unsigned sum = 0;
    each([&](unsigned k) { sum += in[32 * k + threadIdx.x]; });
    //= 4 load global 4 2 64 8 2 0 0 2 1
    out[threadIdx.x] = sum;
    //= - store global 4 1 32 4 1 0 0 1 1
}

__global__ void by_the_library(float *out) {
    modff(threadIdx.x + 0.5f, &out[threadIdx.x]);
    //= - store global 4 1 32 4 1 0 0 1 1
}

static unsigned *in, *out;
extern "C" void step_setup(void) {
    cudaMalloc(&in, 4096 * sizeof *in);
    cudaMalloc(&out, 4096 * sizeof *out);
    cudaMemset(in, 0, 4096 * sizeof *in);
}

//: op 1 kernel @ 1 1 1 32 1 1 0 0 0 1 recursion
extern "C" void step(void) {
    two_places<<<1, 32>>>(in, out);
    recursion<<<1, 32>>>(in, out);
    templates<<<1, 32>>>(in, out);
    by_the_library<<<1, 32>>>((float *)out);
    lambdas<<<1, 32>>>(in, out);
}
