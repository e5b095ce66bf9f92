// Lanes are one request in the same turn of the same loop, however they got there.
#include <cuda_runtime.h>

/* Lane l takes l % 4 + 1 turns: 32, 24, 16 and 8 lanes. What follows the loop is one request. */
__global__ void uneven(const unsigned *in, unsigned *out) {
    unsigned sum = 0;
    for (unsigned k = 0; k <= threadIdx.x % 4; k++)
        sum += in[32 * k + threadIdx.x];
    //= 1 load global 4 4 80 16 4 0 0 4 1
    out[threadIdx.x] = sum;
    //= - store global 4 1 32 4 1 0 0 1 1
}

/* Half of the lanes are in one branch, half in the other. */
__global__ void branches(const unsigned *in, unsigned *out) {
    unsigned sum = 0;
    if (threadIdx.x < 16) {
        for (unsigned k = 0; k < 3; k++)
            sum += in[threadIdx.x + k];
        //= 1 load global 4 3 48 8 3 0 0 3 1
    } else {
        sum += in[threadIdx.x];
        //= - load global 4 1 16 2 1 0 0 1 1
    }
    sum += in[threadIdx.x];
    //= - load global 4 1 32 4 1 0 0 1 1
    out[threadIdx.x] = sum;
    //= - store global 4 1 32 4 1 0 0 1 1
}

/* Turns of an inner loop in different turns of the outer one are different requests. */
__global__ void nested(const unsigned *in, unsigned *out) {
    unsigned sum = 0;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned j = 0; j < (threadIdx.x & 1) + 1; j++)
            sum += in[threadIdx.x + 32 * (k + j)];
    //= 1 load global 4 6 144 24 6 0 0 6 1
    unsigned n = 0;
    while (n < 2) {
        do {
            sum += in[threadIdx.x + 32 * n];
            //= 1 load global 4 2 64 8 2 0 0 2 1
        } while (sum == 12345 || n++ < 1);
        n++;
    }
    out[threadIdx.x] = sum;
    //= - store global 4 1 32 4 1 0 0 1 1
}

/* Left early, and turns cut short. */
__device__ unsigned find(const unsigned *in, unsigned wanted) {
    for (unsigned k = 0; k < 8; k++) {
        if (in[k] > 1000)
            //= 1 load global 4 4 80 4 4 0 0 80 32
            continue;
        if (k == wanted)
            return k;
    }
    return 8;
}

__global__ void leaves(const unsigned *in, unsigned *out) {
    unsigned sum = find(in, threadIdx.x % 4);
    for (unsigned k = 0;; k++) {
        sum += in[threadIdx.x];
        //= 1 load global 4 2 48 8 2 0 0 2 1
        if (k == threadIdx.x % 2)
            break;
    }
    out[threadIdx.x] = sum;
    //= - store global 4 1 32 4 1 0 0 1 1
}

/* Loops without braces, in a macro, over a range, with an empty head, with a declaration. */
#define ADD_UP(n)                                                                                  \
    for (unsigned j = 0; j < (n); j++)                                                             \
    sum += in[j]

__global__ void shapes(const unsigned *in, unsigned *out) {
    unsigned sum = 0, left = threadIdx.x % 2 + 1;
    if (sum == 0)
        for (unsigned k : {3u, 4u})
            if (k > threadIdx.x % 2)
                sum += in[k];
            //= 2 load global 4 2 64 2 2 0 0 64 32
            else
                sum += 1;
    else
        sum = 7;
    ADD_UP(threadIdx.x % 2 + 1);
    //= 0 load global 4 2 48 2 2 0 0 48 32
#pragma unroll
    for (;;)
        if (sum += in[left], --left == 0)
            //= 1 load global 4 2 48 2 2 0 0 32 16
            break;
    unsigned rounds = 2;
    while (unsigned now = rounds--)
        sum += in[now];
    //= 1 load global 4 2 64 2 2 0 0 64 32
    out[threadIdx.x] = sum;
    //= - store global 4 1 32 4 1 0 0 1 1
}

/* A loop that a goto leads into is not marked, and neither is one at compile time. */
__host__ __device__ constexpr unsigned power(unsigned n) {
    unsigned p = 1;
    for (unsigned i = 0; i < n; i++)
        p *= 2;
    return p;
}

__global__ void odd(const unsigned *in, unsigned *out) {
    unsigned sum = 0, k = 0;
    static_assert(power(3) == 8, "");
    if (threadIdx.x < 32)
        goto middle;
    while (k < 2) {
    middle:
        sum += in[k++];
        //= - load global 4 2 64 2 2 0 0 64 32
    }
    out[threadIdx.x] = sum;
    //= - store global 4 1 32 4 1 0 0 1 1
}

static unsigned *in, *out;
extern "C" void step_setup(void) {
    cudaMalloc(&in, 4096 * sizeof *in);
    cudaMalloc(&out, 4096 * sizeof *out);
    cudaMemset(in, 0, 4096 * sizeof *in);
}

extern "C" void step(void) {
    uneven<<<1, 32>>>(in, out);
    branches<<<1, 32>>>(in, out);
    nested<<<1, 32>>>(in, out);
    leaves<<<1, 32>>>(in, out);
    shapes<<<1, 32>>>(in, out);
    odd<<<1, 32>>>(in, out);
}
