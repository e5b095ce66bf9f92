/* Kernels that each fit into 48 KiB of static shared memory, but not together; and where else its
 * word stands. */
#include "check.h"

__shared__ int outside[6000];

__device__ __noinline__ int helper(int x) {
    __shared__ int part[6000];
    part[x] = x;
    return part[x];
}
__global__ void one(int *out) {
    __shared__ int part[6000];
    part[*out] = outside[*out] = 1;
    *out += part[*out] + outside[*out];
}
template <int N> __global__ void two(int *out) {
    __shared__ int part[N];
    part[*out] = 1;
    *out += part[*out] + helper(*out);
}
__global__ void all(int *out) {
    __shared__ char part[48 * 1024];
    part[*out] = 1;
    *out += part[*out];
}

/* The body, and with it the declaration, is what a macro is given; and of a parameter the word says
 * nothing. */
#define KERNEL(name, ...)                                                                          \
    __global__ void name(int *out) { __VA_ARGS__; }
__device__ int sum(__shared__ int *p, __shared__ int *q) { return p[0] + q[1]; }
KERNEL(given, __shared__ int both[2]; both[threadIdx.x] = 1; __syncthreads();
       if (threadIdx.x == 0) *out += sum(both, both))

int main() {
    int *out;
    CALL(cudaMallocManaged(&out, sizeof *out));
    *out = 0;
    one<<<1, 1>>>(out);
    two<6000><<<1, 1>>>(out);
    all<<<1, 1>>>(out);
    given<<<1, 2>>>(out);
    CALL(cudaDeviceSynchronize());
    CHECK(*out == 2 + 1 + 2 + 1 + 2);
    return finish();
}
