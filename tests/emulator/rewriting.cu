/* What the rewriter must read: launches in odd places, and text that only looks like a launch. */
#include "check.h"

#define TEXT "kernel<<<1, 1>>>(\"p\");" /* a string; don't launch */
#define SHAPE 1, dim3(1)
#define RUN(kernel, blocks, threads, ...)                                                          \
    do { /* a launch in a macro, over several lines */                                             \
        kernel<<<(blocks), (threads)>>>(__VA_ARGS__);                                              \
        CALL(cudaGetLastError());                                                                  \
    } while (0)
#if 0
It's prose, and isn't compiled.
kernel<<<1, 1>>>(p);
#endif
// a comment: kernel<<<1, 1>>>(); \
   and its second line <<<

static const char *const raw = R"x(kernel<<<1, 1>>>(")")x";
static const char quote = '"', apostrophe = '\'';

template <int A, int B = 3> struct sizes { static const int sum = A + B; };
template <typename T> struct box { T value; };

namespace deep {
namespace er {
template <typename T, template <typename> class Box, int N>
__global__ void put(Box<T> box, int *out) {
    atomicAdd(out, (int)box.value * N);
}
extern __shared__ int scratch[];
__global__ void from_scratch(int *out) {
    scratch[threadIdx.x] = 4;
    __syncthreads();
    atomicAdd(out, scratch[blockDim.x - 1 - threadIdx.x]);
}
} // namespace er
} // namespace deep

template <typename... T> __global__ void sum(int *out, T... values) {
    atomicAdd(out, (0 + ... + values));
}

struct object {
    template <typename T> static void launch(int *out, T value);
};
#define BOUNDS(threads, blocks)
template <typename T> __global__ void BOUNDS(64, 1) one(int *out, T value) {
    extern __shared__ __align__(alignof(T)) char bytes[];
    T *values = reinterpret_cast<T *>(bytes);
    values[threadIdx.x] = value;
    atomicAdd(out, (int)values[threadIdx.x]);
}
template <typename T> void object::launch(int *out, T value) {
    one<T><<<1, 2, 2 * sizeof(T)>>>(out, value);
}

static __global__ void rows(int *out) {
    extern __shared__ int table[][4];
    static __shared__ int more[2];
    table[threadIdx.x][threadIdx.y] = (int)(threadIdx.x * 4 + threadIdx.y);
    more[0] = 5;
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0)
        atomicAdd(out, table[7][3] + more[0]);
}

static bool less(int a, int b) { return a < b; }

int main() {
    int *out, wanted = 0, big = 1'000, zero = 0;
    CALL(cudaMallocManaged(&out, sizeof *out));
    *out = 0;
    deep::er::put<int, box, sizes<1, (2 > 1)>::sum><<<1, 1>>>(box<int>{7}, out);
    wanted += 14;
    deep::er::put<int, box, sizes<1>::sum><<<(big >> 3) / 125, dim3{1}>>>(box<int>{1}, out);
    wanted += 4;
    ::deep::er::from_scratch<<<2, 8, 8 * sizeof(int)>>>(out);
    wanted += 64;
    sum<<<1, 1>>>(out, 1, 2, 3);
    wanted += 6;
    sum<int, int><<<1, 1>>>(out, 10, 20);
    wanted += 30;
    object::launch(out, 2.5);
    wanted += 4;
    one<<<1, 1, sizeof(long long)>>>(out, 9ll);
    wanted += 9;
    rows<<<1, dim3(8, 4), 8 * sizeof(int[4])>>>(out);
    RUN((sum<int, int>), 2, dim3(1), out, 3, 4);
    wanted += 14;
    wanted += 36;
    CALL(cudaDeviceSynchronize());
    CHECK(*out == wanted);
    *out = 0;
    if (less(big, 1) || zero << 1 < 0)
        sum<<<1, 1>>>(out, 1);
    else
        sum<<<1, 1>>>(out, 2);
    for (int i = 0; i < 3; i++)
        sum<<<1, 1>>>(out, i), sum<<<1, 1>>>(out, 100);
    [&](auto n) { sum<<<n, 1>>>(out, 1000); }(2);
    void (*const kernels[])(int *, int) = {sum<int>, &sum<int>};
    if (zero)
        (*kernels[0])<<<1, 1>>>(out, 1);
    else
        (*kernels[1])<<<1, 1>>>(out, 5000);
    for (int i = 0; i < 2; i++)
        (kernels[i])<<<1, 1>>>(out, 10000);
    do
        (kernels[0])<<<SHAPE>>>(out, 30000);
    while (zero);
    CALL(cudaDeviceSynchronize());
    CHECK(*out == 2 + 3 + 300 + 2000 + 5000 + 20000 + 30000);
    CHECK(strlen(TEXT) == 22 && strlen(raw) == 20 && quote == 34 && apostrophe == 39);
    CHECK(__LINE__ == 114);
    return finish();
}
