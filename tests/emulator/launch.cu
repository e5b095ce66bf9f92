/* Launches and indices: every thread of every block runs once, and knows where it is. */
#include "check.h"
#include <cuda.h> /* many programs do, and use nothing of it */

__global__ void mark(unsigned *seen, uint3 *where) {
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned i = block * blockDim.x * blockDim.y * blockDim.z + thread;
    atomicAdd(&seen[i], 1u);
    where[i] = make_uint3(threadIdx.x, threadIdx.y, blockIdx.z);
}

template <typename T, int N> __global__ void fill(T *out, T value, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = value + (T)N;
}

template <class T>
static __global__ void __launch_bounds__(256) scale(T *data, T factor, int count) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        data[i] *= factor;
}

struct pair {
    int a;
    double b;
};
__global__ void by_value(const pair p, pair *out, double widened) {
    if (threadIdx.x == 0) {
        out->a = p.a + 1;
        out->b = p.b + widened;
    }
}

#define LAUNCH(kernel, blocks, ...) kernel<<<(blocks), dim3(32, 2), 0, 0>>>(__VA_ARGS__)
__global__ void count_threads(unsigned *counter) { atomicAdd(counter, 1u); }

static int evaluations;
static unsigned *once(unsigned *p) {
    evaluations++;
    return p;
}

int main() {
    dim3 grid(3, 4, 5), block(8, 4, 3);
    const unsigned total = 60 * 96;
    unsigned *seen;
    uint3 *where;
    CALL(cudaMallocManaged(&seen, total * sizeof *seen));
    CALL(cudaMallocManaged(&where, total * sizeof *where));
    CALL(cudaMemset(seen, 0, total * sizeof *seen));
    mark<<<grid, block>>>(once(seen), where);
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
    CHECK(evaluations == 1);
    for (unsigned i = 0; i < total; i++) {
        CHECK(seen[i] == 1);
        unsigned t = i % 96;
        CHECK(where[i].x == t % 8 && where[i].y == t / 8 % 4 && where[i].z == i / 96 / 12);
    }

    float *floats;
    CALL(cudaMallocManaged(&floats, 1000 * sizeof *floats));
    fill<float, (7 >> 1)><<<4, 64>>>(floats, 2, 1000); /* int to float, as in any call */
    scale<<<1000 / 256 + 1, 256>>>(floats, 3.0f, 1000);
    scale<float><<<4, 256>>>(floats, 2, 1000);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 1000; i++)
        CHECK(floats[i] == 30);

    pair *out;
    CALL(cudaMallocManaged(&out, sizeof *out));
    by_value<<<1, 32>>>(pair{41, 0.5}, out, 1.0f);
    CALL(cudaDeviceSynchronize());
    CHECK(out->a == 42 && out->b == 1.5);

    *seen = 0;
    LAUNCH(count_threads, 5, seen);
    if (total > 1)
        count_threads<<<1, 1>>>(seen);
    else
        count_threads<<<1, 1024>>>(seen);
    void (*chosen[2])(unsigned *) = {count_threads, nullptr};
    chosen[0]<<<2, 3>>>(seen);
    ::count_threads<<<1, 1>>>(seen);
    void *arguments[] = {&seen};
    CALL(cudaLaunchKernel((void *)count_threads, dim3(2), dim3(5), arguments, 0, 0));
    CALL(cudaLaunchKernel((const void *)&count_threads, 2, 5, arguments));
    CALL(cudaDeviceSynchronize());
    CHECK(*seen == 320 + 1 + 6 + 1 + 10 + 10);
    CHECK(CUDA_VERSION >= 12000);
    return finish();
}
