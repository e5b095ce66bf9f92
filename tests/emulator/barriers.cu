/* __syncthreads and its variants, with threads that leave early. */
#include "check.h"

/* A block's sum in shared memory: a wrong order anywhere shows. */
__global__ void tree(const int *in, int *out) {
    __shared__ int values[1024];
    unsigned t = threadIdx.x;
    values[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            values[t] += values[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = values[0];
}

__global__ void votes(int *out) {
    int t = (int)threadIdx.x;
    out[t] = __syncthreads_count(t % 3 == 0);
    out[t + 96] = __syncthreads_and(t < 95);
    out[t + 2 * 96] = __syncthreads_or(t == 95);
    out[t + 3 * 96] = __syncthreads_and(t < 96);
    out[t + 4 * 96] = __syncthreads_or(t > 95);
    out[t + 5 * 96] = __syncthreads_count(7);
}

/* A barrier does not wait for threads that have ended. */
__global__ void leave_early(int *out) {
    __shared__ int last;
    if (threadIdx.x >= 40 + 7 * (blockIdx.x % 4))
        return;
    if (threadIdx.x == 0)
        last = 0;
    for (unsigned i = 0; i < 40; i++) {
        __syncthreads();
        if (threadIdx.x == i)
            last++;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = last;
}

int main() {
    const int blocks = 50;
    int *in, *out;
    CALL(cudaMallocManaged(&in, blocks * 1024 * sizeof *in));
    CALL(cudaMallocManaged(&out, 1024 * sizeof *out));
    for (int threads = 1; threads <= 1024; threads *= 2) {
        for (int i = 0; i < blocks * threads; i++)
            in[i] = i * 7 % 1000;
        tree<<<blocks, threads>>>(in, out);
        CALL(cudaDeviceSynchronize());
        for (int b = 0; b < blocks; b++) {
            int sum = 0;
            for (int i = 0; i < threads; i++)
                sum += in[b * threads + i];
            CHECK(out[b] == sum);
        }
    }
    votes<<<1, 96>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int t = 0; t < 96; t++) {
        CHECK(out[t] == 32);
        CHECK(out[t + 96] == 0);
        CHECK(out[t + 2 * 96] != 0);
        CHECK(out[t + 3 * 96] != 0);
        CHECK(out[t + 4 * 96] == 0);
        CHECK(out[t + 5 * 96] == 96);
    }
    leave_early<<<20, 128>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int b = 0; b < 20; b++)
        CHECK(out[b] == 40);
    return finish();
}
