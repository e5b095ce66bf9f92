// Loads and stores of global memory: sectors and lines of each shape.
#include <cuda_runtime.h>

enum { THREADS = 64, WORDS = 1 << 16 };

__global__ void plain(const unsigned *in, unsigned *out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned value = in[i];
    //= - load global 4 4 128 16 4 0 0 4 1
    out[i] = value;
    //= - store global 4 4 128 16 4 0 0 4 1
}

__global__ void strided(const unsigned *in, unsigned *out) {
    unsigned sum = in[2 * threadIdx.x];
    //= - load global 4 2 64 16 4 0 0 2 1
    sum += in[8 * threadIdx.x];
    //= - load global 4 2 64 64 16 0 0 2 1
    sum += in[32 * threadIdx.x];
    //= - load global 4 2 64 64 64 0 0 2 1
    out[threadIdx.x] = sum;
    //= - store global 4 2 64 8 2 0 0 2 1
}

__global__ void misaligned(const unsigned *in, unsigned *out) {
    unsigned sum = in[threadIdx.x + 1];
    //= - load global 4 2 64 10 4 0 0 2 1
    sum += in[threadIdx.x + 8];
    //= - load global 4 2 64 8 4 0 0 2 1
    out[threadIdx.x] = sum;
    //= - store global 4 2 64 8 2 0 0 2 1
}

__global__ void broadcast(const unsigned *in, unsigned *out) {
    unsigned sum = in[0];
    //= - load global 4 2 64 2 2 0 0 64 32
    sum += in[threadIdx.x / 8];
    //= - load global 4 2 64 2 2 0 0 16 8
    sum += in[threadIdx.x ^ 1];
    //= - load global 4 2 64 8 2 0 0 2 1
    out[threadIdx.x % 2] = sum;
    //= - store global 4 2 64 2 2 0 0 32 16
}

__global__ void vectors(const uint4 *in, uint2 *out, unsigned char *bytes) {
    const uint4 quad = in[threadIdx.x];
    //= - load global 16 2 64 32 8 0 0 2 1
    const uint4 past = __ldcs(&in[threadIdx.x + 64]);
    //= - load global 16 2 64 32 8 0 0 2 1
    out[threadIdx.x] = make_uint2(quad.x + quad.z + past.x, quad.y + quad.w);
    //= - store global 8 2 64 16 4 0 0 2 1
    bytes[threadIdx.x] = quad.x;
    //= - store global 1 2 64 2 2 0 0 2 1
}

__global__ void hints(const unsigned *in, const volatile unsigned *flag, unsigned *out) {
    unsigned sum = __ldg(&in[threadIdx.x]);
    //= - load global 4 1 32 4 1 0 0 1 1
    sum += __ldcg(&in[threadIdx.x + 32]);
    //= - load global 4 1 32 4 1 0 0 1 1
    sum += *flag;
    //= - load global 4 1 32 1 1 0 0 32 32
    __stcs(&out[threadIdx.x], sum);
    //= - store global 4 1 32 4 1 0 0 1 1
}

/* Constants and kernel parameters make no request. */
__constant__ unsigned table[4] = {1, 2, 3, 4};
__device__ unsigned variable;

struct pair {
    unsigned a, b;
};

__global__ void unseen(struct pair parameter, unsigned *out) {
    unsigned mine[8];
    for (unsigned k = 0; k < 8; k++)
        mine[(k + threadIdx.x) % 8] = table[k % 4] + parameter.b;
    //= 1 store local 4 8 256 256 64 0 0 8 1
    out[threadIdx.x] = mine[threadIdx.x % 5];
    //= - store global 4 1 32 4 1 0 0 1 1
    if (threadIdx.x == 0)
        variable = mine[0];
    //= - store global 4 1 1 1 1 0 0 1 1
}

/* An addition of 0 looks, again and again until it changes. */
__global__ void asks(unsigned *out) {
    for (unsigned turn = 0; turn < 5; turn++)
        atomicAdd(&out[threadIdx.x], 0);
    //= 1 atomic global 4 1 32 4 1 0 0 1 1
}

__constant__ unsigned constants[64];

/* Four values, four masks, and eight words of constants. A shuffle takes all masks together. */
__global__ void in_passes(unsigned *out) {
    const unsigned t = threadIdx.x, mine = __match_any_sync(~0u, t % 4);
    const unsigned sum = __reduce_add_sync(mine, t) + __shfl_sync(mine, t, t);
    out[t] = sum + constants[t % 8];
    //= - store global 4 1 32 4 1 0 0 1 1
}

static unsigned *in, *out;
extern "C" void step_setup(void) {
    cudaMalloc(&in, WORDS * sizeof *in);
    cudaMalloc(&out, WORDS * sizeof *out);
    cudaMemset(in, 0, WORDS * sizeof *in);
}

//: gpu small 2
//: op 0 kernel @ 2 1 1 64 1 1 0 0 0 2 plain
//: memory 0 16 16
//: op 2 kernel @ 1 1 1 64 1 1 0 0 0 1 misaligned
//: memory 2 9 8
//: memory 6 0 5
//: sync 8 0 3 0
//: passes 8 4 4 8 29
extern "C" void step(void) {
    plain<<<2, THREADS>>>(in, out);
    strided<<<1, THREADS>>>(in, out);
    misaligned<<<1, THREADS>>>(in, out);
    broadcast<<<1, THREADS>>>(in, out);
    vectors<<<1, THREADS>>>((const uint4 *)in, (uint2 *)out, (unsigned char *)in + 4 * 4096);
    hints<<<1, 32>>>(in, in, out);
    unseen<<<1, 32>>>({1, 2}, out);
    asks<<<1, 32>>>(out);
    in_passes<<<1, 32>>>(out);
}
