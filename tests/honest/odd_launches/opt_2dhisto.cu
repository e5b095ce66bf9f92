/* Honest: launches in every place where one can stand, among them after `else` and `if (…)` in
 * parentheses, and with a macro for grid and block; kernels declared in every way. */
#include "lab.h"
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

#include <tuple>
#include <utility>

#define min(a, b) ((a) < (b) ? (a) : (b))
#define GLOBAL __global__
#define SHARED __shared__
#define N 1024
#define SIZE (N)
#define PASTE(a, b) a##b
#define SHAPE 1, N
#define RUN(kernel, ...) kernel<<<SHAPE>>>(__VA_ARGS__)
typedef unsigned int uint;
typedef unsigned char uchar;
enum class way : int { first, second };
struct config {
    int grid, block;
};
static config launcher = {0, N};

static __global__ void count_first(const uint *image, size_t size, uint *counts);
__global__ static void count_second(const uint *, size_t, uint *);
template <way W, bool B = (2 > 1)> void __global__ clear(uint *counts, uint value = 0);
extern "C" __global__ void swap_nothing(uint *counts) {
    if (counts == nullptr)
        __trap();
}

template <> __global__ void clear<way::first, true>(uint *counts, uint value) {
    counts[threadIdx.x] = value;
}
template <> __global__ void clear<way::second, true>(uint *counts, uint value) {
    counts[threadIdx.x] = value;
}

[[maybe_unused]] static __device__ auto put(uint *at) noexcept -> uint { return atomicAdd(at, 1u); }

GLOBAL __launch_bounds__(N, 1) void count_first(const uint *image, size_t size, uint *counts) {
    SHARED uint own[SIZE], *pointer, spare[2][2];
    pointer = own;
    pointer[threadIdx.x] = 0;
    spare[threadIdx.x & 1][0] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        put(own + image[i]);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__global__ void count_second(const uint *image, size_t size, uint *counts) {
    extern __shared__ __align__(16) uchar memory[];
    uint *own = reinterpret_cast<uint *>(memory);
    own[threadIdx.x] = 0;
    __syncthreads();
    _Pragma("unroll 4") for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
                             i += gridDim.x * blockDim.x) put(own + image[i]);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

template <typename... Rest> __global__ void finish(uchar *bins, const uint *counts, Rest... rest) {
    const uint most = (HISTO_MAX + ... + rest);
    bins[threadIdx.x] = min(counts[threadIdx.x], most);
}
__global__ void finish_all(uchar *bins, const uint *counts, int) {
    bins[threadIdx.x] = min(counts[threadIdx.x], (uint)HISTO_MAX);
}

static uint *counts;
using counter = void (*)(const uint *, size_t, uint *);
static constexpr counter counters[] = {count_first, &count_second};

struct stepper {
    uint *const counts;
    void (*clearing)(uint *, uint) = clear<way::first>;
    template <int I> void go(const uint *image, size_t size) const {
        if constexpr (I == 0)
            counters[I]<<<launcher.grid, launcher.block>>>(image, size, counts);
        else
            (*counters[I])<<<dim3(launcher.grid), dim3(launcher.block, 1, 1), sizeof(uint[SIZE]),
                             (cudaStream_t)0>>>(image, size, counts);
    }
    void reset() const { this->clearing<<<1, N>>>(counts, 0u); }
};

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    launcher.grid = lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&counts, sizeof(uint[SIZE])));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static int turn;
    const stepper all{counts};
    auto [rows, columns] = std::make_pair(height, width);
    const auto clear_by = [&](auto how) {
        how ? clear<way::second><<<1, N>>>(counts, 0)
            : clear<way::first, (3 > 2)><<<1, N>>>(counts, 0);
    };
    if (turn++ % 2)
        clear_by(true);
    else
        all.reset();
    for (int i = 0; i < 1; i++)
        (swap_nothing)<<<SHAPE>>>(counts);
    for (int i = 0; i < 1; i++)
        PASTE(swap_, nothing)<<<1, 1>>>(counts), void();
    turn % 2 ? all.go<0>(image, rows * columns) : all.template go<1>(image, rows * columns);
    do
        RUN(finish_all, bins, counts, 0);
    while (false);
    finish<unsigned, unsigned><<<
        // the grid
        1, /* and the block */ N>>>(bins, counts, 0u, 0u);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown() { CUDA_CHECK(cudaFree(counts)); }

// cpu pass
// gpu pass
