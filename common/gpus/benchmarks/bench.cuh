/* What the small benchmarks share. Each benchmark is one program: it prints lines of a GPU file
 * (common/gpus/README.md says what each key means) and ends with status 0, or with 3 if a call of
 * CUDA failed. Nothing here knows of steps. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call) check((call), #call, __FILE__, __LINE__)

inline void check(cudaError_t status, const char *call, const char *file, int line) {
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
    exit(3);
}

inline const cudaDeviceProp &device() {
    static cudaDeviceProp properties;
    if (!properties.multiProcessorCount)
        CHECK(cudaGetDeviceProperties(&properties, 0));
    return properties;
}

inline int multiprocessors() { return device().multiProcessorCount; }

/* The lower of the two middle values if there are two. */
inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[(values.size() - 1) / 2];
}

inline void key(const char *name, double value) {
    printf("%s %.6g\n", name, value);
    fflush(stdout);
}

inline void row(const char *name, double at, double value) {
    printf("%s %.8g %.5g\n", name, at, value);
    fflush(stdout);
}

template <typename T> T *allocate(size_t count) {
    T *memory;
    CHECK(cudaMalloc(&memory, count * sizeof(T)));
    CHECK(cudaMemset(memory, 0, count * sizeof(T)));
    return memory;
}

/* ---- time ------------------------------------------------------------------------------- */

enum { REPETITIONS = 7 };

__device__ inline long long global_ns() {
    long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

__global__ void spin(long long nanoseconds) {
    const long long end = global_ns() + nanoseconds;
    while (global_ns() < end) {
    }
}

/* Nanoseconds between events on either side of what `start` puts on the default stream: the median
 * of REPETITIONS, after one that does not count. The device is busy for `busy_ns` before. */
template <typename Start>
double event_ns(Start start, int repetitions = REPETITIONS, long long busy_ns = 0) {
    static cudaEvent_t before, after;
    if (!before) {
        CHECK(cudaEventCreate(&before));
        CHECK(cudaEventCreate(&after));
    }
    std::vector<double> times;
    for (int i = 0; i <= repetitions; i++) {
        if (busy_ns)
            spin<<<1, 1>>>(busy_ns);
        CHECK(cudaEventRecord(before));
        start();
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(after));
        CHECK(cudaDeviceSynchronize());
        float milliseconds;
        CHECK(cudaEventElapsedTime(&milliseconds, before, after));
        if (i)
            times.push_back(1e6 * milliseconds);
    }
    return median(times);
}

/* What a block took, by the clock of its multiprocessor and by the GPU's timer. */
struct Elapsed {
    long long cycles, ns;
};

__device__ inline Elapsed start_watch() {
    __syncthreads();
    const Elapsed now = {clock64(), global_ns()};
    __syncthreads();
    return now;
}

__device__ inline void stop_watch(Elapsed start, Elapsed *elapsed) {
    __syncthreads();
    if (threadIdx.x == 0)
        elapsed[blockIdx.x] = {clock64() - start.cycles, global_ns() - start.ns};
}

/* Runs `start(elapsed)`, a kernel of so many blocks that puts its times there. The median over
 * blocks, and then over REPETITIONS after one that does not count. */
struct Medians {
    double cycles, ns;
};

template <typename Start>
Medians block_medians(int blocks, Start start, int repetitions = REPETITIONS) {
    Elapsed *elapsed = allocate<Elapsed>(blocks);
    std::vector<Elapsed> copy(blocks);
    std::vector<double> cycles, ns;
    for (int i = 0; i <= repetitions; i++) {
        start(elapsed);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(copy.data(), elapsed, blocks * sizeof(Elapsed), cudaMemcpyDeviceToHost));
        std::vector<double> block_cycles, block_ns;
        for (const Elapsed &block : copy) {
            block_cycles.push_back(block.cycles);
            block_ns.push_back(block.ns);
        }
        if (i) {
            cycles.push_back(median(block_cycles));
            ns.push_back(median(block_ns));
        }
    }
    CHECK(cudaFree(elapsed));
    return {median(cycles), median(ns)};
}

/* An idle GPU has low clocks: every program begins with 100 ms of work on all multiprocessors. */
inline void warm_up() {
    spin<<<multiprocessors(), 256>>>(100 * 1000 * 1000);
    CHECK(cudaDeviceSynchronize());
}

/* ---- what kernels share ----------------------------------------------------------------- */

__device__ unsigned sink; /* results go here, under a condition that never holds */

__device__ inline void keep(unsigned value) {
    if (value == 0x9e3779b9u)
        sink = value;
}

/* A pseudo-random number for each input (a finalizer of MurmurHash3). */
__host__ __device__ inline unsigned scramble(unsigned x) {
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* A pseudo-random number below `bound`. */
__host__ __device__ inline unsigned below(unsigned random, unsigned bound) {
    return (unsigned)((unsigned long long)random * bound >> 32);
}
