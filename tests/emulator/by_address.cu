/* Kernels launched by their addresses, and arguments that are no plain values. */
#include "check.h"

__global__ void scale(float *to, const float *from, float by, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i] * by;
}

template <typename T> __global__ void fill(T *to, T value) { to[threadIdx.x] = value; }

static cudaError_t launch(const void *kernel, void **arguments) {
    return cudaLaunchKernel(kernel, dim3(2), dim3(32), arguments, 0, 0);
}

static float *to, *from;

static void by_pointers() {
    float by = 3, first;
    int count = 64;
    void *arguments[] = {&to, &from, &by, &count};
    const void *kernel = (const void *)scale;
    CALL(launch(kernel, arguments));
    CALL(cudaMemcpy(&first, to, sizeof first, cudaMemcpyDeviceToHost));
    CHECK(first == 6);
    float value = 2;
    void *others[] = {&from, &value};
    void *table[] = {(void *)fill<float>, reinterpret_cast<void *>(&fill<int>)};
    CHECK(table[0] != table[1]);
    CALL(cudaLaunchKernel(table[0], dim3(1), dim3(64), others, 0, 0));
    void (*pointer)(float *, const float *, float, int) = scale;
    by = 4;
    CALL(cudaLaunchKernel((void *)pointer, dim3(2), dim3(32), arguments, 0, 0));
    CALL(cudaMemcpy(&first, to, sizeof first, cudaMemcpyDeviceToHost));
    CHECK(first == 8);
    CALL(cudaDeviceSynchronize());
}

/* ---- classes ---------------------------------------------------------------------------- */

static int destroyed;

struct counted {
    int value;
    counted(int value) : value(value) {}
    counted(const counted &other) : value(other.value + 100) {}
    ~counted() { destroyed++; }
};

/* A thread's parameter is its own, and nobody constructs or destroys it on the device. */
__global__ void use(counted parameter, int *sum, int by) {
    parameter.value += (int)threadIdx.x;
    atomicAdd(sum, parameter.value % 100 + by);
}

__global__ void with_default(int *sum, const int *none = 0, int by = 5, short more = 1) {
    atomicAdd(sum, by + more + (none != NULL));
}

struct large {
    char bytes[8000];
};
__global__ void first_of(large all, int *sum) { *sum = all.bytes[7999]; }

static void of_classes() {
    int *sum, result;
    CALL(cudaMallocManaged(&sum, sizeof *sum));
    *sum = 0;
    {
        counted object(7);
        use<<<2, 32>>>(object, sum, 1);
        CALL(cudaDeviceSynchronize());
        CHECK(destroyed >= 1 && destroyed < 10); /* the host's copies */
    }
    result = *sum;
    CHECK(result == 2 * (32 * 8 + 31 * 16));
    *sum = 0;
    with_default<<<1, 2>>>(sum);
    with_default<<<1, 2>>>(sum, nullptr, 10);
    with_default<<<1, 2>>>(sum, 0, 10, 2);
    CALL(cudaDeviceSynchronize());
    CHECK(*sum == 2 * (6 + 11 + 12));
    large all = {};
    all.bytes[7999] = 9;
    first_of<<<1, 1>>>(all, sum);
    CALL(cudaDeviceSynchronize());
    CHECK(*sum == 9);
    int value = 3;
    void *arguments[] = {&all, &sum};
    all.bytes[7999] = (char)value;
    CALL(cudaLaunchKernel((void *)first_of, dim3(1), dim3(1), arguments, 0, 0));
    CALL(cudaDeviceSynchronize());
    CHECK(*sum == 3);
    CALL(cudaFree(sum));
}

int main() {
    CALL(cudaMalloc(&to, 64 * sizeof(float)));
    CALL(cudaMalloc(&from, 64 * sizeof(float)));
    fill<<<1, 64>>>(from, 2.0f);
    by_pointers();
    of_classes();
    return finish();
}
