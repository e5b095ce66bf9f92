/* __CUDA_ARCH__ is 900 in code for the device, and undefined in the host's functions. */
#include "check.h"

#if __CUDA_ARCH__ >= 900
#define NEW 1
__device__ int only_new() { return 1; }
#else
#define NEW 0
__device__ int only_new() { return 0; }
#endif
#define HAS_DEFAULT 256
#if __CUDA_ARCH__ >= 900
#undef HAS_DEFAULT
#define HAS_DEFAULT 512
#endif
#define IS_DEVICE (__CUDA_ARCH__ >= 900)
#define DEVICE_FUNCTION static __device__ __forceinline__

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *address, double value) { return *address + value; }
#endif

__global__ void ask(int *out) {
#if __CUDA_ARCH__ >= 900
    out[0] = 1;
#elif __CUDA_ARCH__ >= 800
    out[0] = 2;
#else
    out[0] = 3;
#endif
#ifdef __CUDA_ARCH__
    out[1] = __CUDA_ARCH__ / 10;
#endif
#if IS_DEVICE && NEW == 1 && HAS_DEFAULT == 512
    out[2] = 1;
#endif
    out[3] = only_new();
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 1000 && !(__CUDA_ARCH__ < 900))
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
    out[4] = 1;
#endif
}

struct box {
    int value;
    __host__ __device__ explicit box(int value) : value(value) {}
    __device__ int architecture() const {
#ifdef __CUDA_ARCH__
        return __CUDA_ARCH__;
#else
        return 0;
#endif
    }
    int on_host() const {
#ifdef __CUDA_ARCH__
        return 0;
#else
        return value;
#endif
    }
};
DEVICE_FUNCTION int by_macro() {
#ifdef __CUDA_ARCH__
    return 1;
#endif
    return 0;
}
__global__ void more(int *out) {
    out[5] = box(1).architecture();
    out[6] = by_macro();
}

/* what the emulator lacks, in each place where an #if can guard it */
__device__ int guarded(int x) {
#if __CUDA_ARCH__ >= 900
    asm volatile("add.s32 %0, %0, 1;" : "+r"(x));
    return x;
#elif __CUDA_ARCH__ >= 700
    asm volatile("add.s32 %0, %0, 1;" : "+r"(x));
    return x;
#else
    return x + 1;
#endif
}
__device__ int guarded_inside(int x) {
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ >= 800
    asm("add.s32 %0, %0, 1;" : "+r"(x));
    return x;
#else
    return x + 1;
#endif
#else
    return 0;
#endif
}
#ifndef __CUDA_ARCH__
__device__ int guarded_function(int x) { return x + 1; }
#else
#ifdef UNKNOWN
#endif
__device__ int guarded_function(int x) {
#if 1
    asm("add.s32 %0, %0, 1;" : "+r"(x));
#endif
    return x;
}
#endif
__device__ int old_guard(int x) {
#if __CUDA_ARCH__ >= 700
    return x + 1;
#else /* GPUs of long ago */
    asm("add.s32 %0, %0, 1;" : "+r"(x));
    return x;
#endif
}
__global__ void guards(int *out) {
    out[7] = guarded(out[7]);
    out[7] = guarded_inside(out[7]);
    out[7] = guarded_function(out[7]);
    out[7] = old_guard(out[7]);
}

/* braces that only one side of an #if opens */
#define ANYWHERE 1
#if ANYWHERE
static int on_host() {
#else
static int on_host(int a) {
#endif
#ifdef __CUDA_ARCH__
    return 0;
#else
    return __LINE__;
#endif
}

int main() {
    int *out;
    CALL(cudaMallocManaged(&out, 8 * sizeof *out));
    CALL(cudaMemset(out, 0, 8 * sizeof *out));
    ask<<<1, 1>>>(out);
    more<<<1, 1>>>(out);
    guards<<<1, 1>>>(out);
    CALL(cudaDeviceSynchronize());
    const int wanted[] = {1, 90, 1, 1, 1, 900, 1, 4};
    for (int i = 0; i < 8; i++)
        CHECK(out[i] == wanted[i]);
#ifdef __CUDA_ARCH__
    CHECK(!"in a host function");
#endif
#if __CUDA_ARCH__ >= 300
    CHECK(!"in a host function");
#endif
    CHECK(NEW == 0 && HAS_DEFAULT == 256);
    CHECK(box(5).on_host() == 5 && on_host() == 136);
    return finish();
}
