/* Kernels that each fit into 48 KiB of static shared memory, but not together. */
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
template <int N>
__global__ void two(int *out) {
    __shared__ int part[N];
    part[*out] = 1;
    *out += part[*out] + helper(*out);
}
__global__ void all(int *out) {
    __shared__ char part[48 * 1024];
    part[*out] = 1;
    *out += part[*out];
}

int main() {
    int *out;
    CALL(cudaMallocManaged(&out, sizeof *out));
    *out = 0;
    one<<<1, 1>>>(out);
    two<6000><<<1, 1>>>(out);
    all<<<1, 1>>>(out);
    CALL(cudaDeviceSynchronize());
    CHECK(*out == 2 + 1 + 2 + 1);
    return finish();
}
