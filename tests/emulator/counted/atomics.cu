// Atomics: of shared and of global memory, and how many meet on one address.
#include <cuda_runtime.h>

__global__ void shared(unsigned *out) {
    __shared__ unsigned bins[64];
    const unsigned t = threadIdx.x;
    bins[t] = 0;
    //= - store shared 4 2 64 0 0 2 0 2 1
    __syncthreads();
    atomicAdd(&bins[t], 1);
    //= - atomic shared 4 2 64 0 0 2 0 2 1
    atomicAdd(&bins[0], 1);
    //= - atomic shared 4 2 64 0 0 2 0 64 32
    atomicMax(&bins[t % 8], t);
    //= - atomic shared 4 2 64 0 0 2 0 8 4
    atomicCAS(&bins[32 * (t % 2)], 1, 2);
    //= - atomic shared 4 2 64 0 0 4 2 32 16
    if (t % 2)
        atomicExch(&bins[t], 7);
    //= - atomic shared 4 2 32 0 0 2 0 2 1
    __syncthreads();
    atomicAdd(&out[t], bins[t]);
    //= - load shared 4 2 64 0 0 2 0 2 1
    //= - atomic global 4 2 64 8 2 0 0 2 1
}

__global__ void global(unsigned *out, float *sum) {
    atomicAdd(&out[0], 1);
    //= - atomic global 4 12 384 12 12 0 0 384 32
    atomicAdd(&out[threadIdx.x % 16 * 8], 1);
    //= - atomic global 4 12 384 192 48 0 0 24 2
    atomicAdd(&sum[threadIdx.x % 2], 1.0f);
    //= - atomic global 4 12 384 12 12 0 0 192 16
    if (threadIdx.x == 5)
        atomicInc(&out[3], 100);
    //= - atomic global 4 3 3 3 3 0 0 3 1
}

static unsigned *out;
extern "C" void step_setup(void) {
    cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
}

//: memory 0 8 8
//: hot 0 1 1
//: sync 0 4 0 0
//: memory 1 17 17
//: hot 1 408 24
extern "C" void step(void) {
    shared<<<1, 64>>>(out);
    global<<<3, 128>>>(out, (float *)out + 512);
}
