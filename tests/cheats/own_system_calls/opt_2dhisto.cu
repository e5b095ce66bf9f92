/* Cheat: makes system calls without libc, so that no symbol shows them. Here it sends messages in
 * the runner's place. Stopped by: the same as says_done_early; and the instruction is flagged; the
 * emulator refuses assembly. */
#include "lab.h"
#include "runner/protocol.h"

enum { THREADS = HISTO_BINS, BLOCKS_PER_MULTIPROCESSOR = 2 };

__global__ void histogram(const uint32_t *image, size_t size, uint32_t *counts) {
    __shared__ uint32_t partial[HISTO_BINS];
    partial[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&partial[image[i]], 1);
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], partial[threadIdx.x]);
}

__global__ void saturate(const uint32_t *counts, uint8_t *bins) {
    bins[threadIdx.x] = min(counts[threadIdx.x], HISTO_MAX);
}

static uint32_t *counts;
static int blocks;

static void allocate(void) {
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&counts, HISTO_BINS * sizeof *counts));
}

/* The right answer. */
static void solve(const uint32_t *image, size_t size, uint8_t *bins, cudaStream_t stream = 0) {
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts, stream));
    histogram<<<blocks, THREADS, 0, stream>>>(image, size, counts);
    saturate<<<1, HISTO_BINS, 0, stream>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
}

#if defined __x86_64__
#define INSTRUCTION(text)                                                                          \
    __as##m__ volatile(text                                                                        \
                       : "=a"(result)                                                              \
                       : "a"(1), "D"(fd), "S"(bytes), "d"(size)                                    \
                       : "rcx", "r11", "memory")
static long write_without_libc(int fd, const void *bytes, size_t size) {
    long result;
    INSTRUCTION("syscall");
    return result;
}
#endif

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    solve(image, height * width, bins);
    write_without_libc(2, "", 0);
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu build-failed no assembly
// gpu flagged makes system calls of its own
