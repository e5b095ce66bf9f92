/* A kernel's name is no call, and not every call of a kernel's name is one of the kernel. */
#include "check.h"

__global__ void step(int *out);
__global__ void step(int *out) { *out += 1; }
template <typename T> __global__ void fill(T *out, T value) { *out += value; }
/* an overload: the usual wrapper around the kernel */
static void step(int *out, int times) {
    for (int i = 0; i < times; i++)
        step<<<1, 1>>>(out);
}
namespace other {
void step(int *out) { *out += 100; }
void twice(int *out) {
    step(out);
    other::step(out);
}
namespace inner {
__global__ void hidden(int *out) { *out += 3; }
} // namespace inner
} // namespace other
void hidden(int *out) { *out += 1000; }
struct machine {
    int steps = 0;
    void step(int *) { steps++; }
    void fill(int *out, int) { step(out); }
    static void put(int *) {}
    void both(int *out) {
        step(out);
        this->step(out);
        fill(out, 3);
    }
};
__global__ void launch(int *out) { *out += 5; }
#define launch(...) launch<<<1, 1>>>(__VA_ARGS__)
__global__ void put(int *out) { *out += 7; }
__global__ void __launch_bounds__(64) bounded(int *out, int more = 1) { *out += more; }

static void call(void (*put)(int *), int *out) { put(out); }
template <typename F> static void apply(F bounded, int *out) { bounded(out, 2); }
static void host_put(int *out) { *out += 10000; }
template __global__ void fill<short>(short *, short);

/* What the device may call, although the host has something of the name. */
static int both(int x) { return x; }
static __device__ int both(int x, int y) { return x + y; }
#define INLINE_DEVICE __device__ inline
INLINE_DEVICE int by_macro(int x) { return x; }
static int size(int x) { return x; }
struct vector {
    int n;
    __device__ int size(int x) const { return n + x; }
    __device__ int twice(int x) const { return 2 * size(x); }
};
static int local(int x) { return x; }
static int unused(int x) { return x; }
__host__ __device__ int either(int x);
int either(int x) { return x; }
#ifdef __CUDA_ARCH__
__device__ int chosen(int x) { return x; }
#else
int chosen(int x) { return x; }
#endif
__global__ void calls(int *out) {
    auto local = [](int x) { return x; };
    int numbers[2] = {both(1, 2), by_macro(3)};
    vector v = {4};
    *out = numbers[0] + numbers[1] + v.size(1) + v.twice(2) + local(5) + either(6) + chosen(7) +
           (int)sizeof(unused(8));
#if 0
    unused(9);
#endif
}

int main() {
    int *out;
    machine m, *p = &m;
    cudaFuncAttributes attributes;
    CALL(cudaMallocManaged(&out, sizeof *out));
    *out = 0;
    step(out, 2);
    m.step(out);
    p->step(out);
    p->both(out);
    m.both(out);
    machine::put(out);
    other::step(out);
    other::twice(out);
    hidden(out);
    call(host_put, out);
    apply([](int *a, int b) { *a += b; }, out);
    CHECK(m.steps == 8);
    CHECK(*out == 2 + 300 + 1000 + 10000 + 2);
    {
        auto bounded = [&](int *a) { *a += 20000; };
        bounded(out);
    }
    CALL(cudaFuncGetAttributes(&attributes, bounded));
    CALL(cudaFuncSetAttribute(fill<int>, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    CALL(cudaFuncSetAttribute((const void *)bounded, cudaFuncAttributePreferredSharedMemoryCarveout,
                              50));
    void (*kernel)(int *) = put, (*same)(int *) = &put;
    CHECK(kernel == same && *kernel == put);
    kernel<<<1, 1>>>(out);
    void *arguments[] = {&out};
    CALL(cudaLaunchKernel((void *)put, 1, 1, arguments, 0, 0));
    launch(out);
    bounded<<<1, 1>>>(out, 3);
    bounded<<<1, 1>>>(out); /* with its default */
    other::inner::hidden<<<1, 1>>>(out);
    fill<<<1, 1>>>(out, 6);
    fill<int><<<1, 1>>>(out, 6);
    CALL(cudaDeviceSynchronize());
    CHECK(*out == 11304 + 20000 + 14 + 5 + 4 + 3 + 12);
    calls<<<1, 1>>>(out);
    CALL(cudaDeviceSynchronize());
    CHECK(*out == 3 + 3 + 5 + 12 + 5 + 6 + 7 + 4);
    CHECK(both(1) + size(1) + local(1) + unused(1) + chosen(1) == 5);
    return finish();
}
