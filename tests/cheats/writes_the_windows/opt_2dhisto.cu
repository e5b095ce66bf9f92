/* Cheat: makes all windows of a sample the same in the memory that it shares with the judge, and
 * computes one answer. Stopped by: that memory is sealed, and the judge compares by its own list.
 */
#include "lab.h"
#include "runner/protocol.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void overwrite(int fd) {
    char path[64];
    struct stat file;
    fstat(fd, &file);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (int turn = 0; turn < 2; turn++) { /* as it is, then opened anew */
        const int writable = turn ? open(path, O_RDWR) : fd;
        void *memory = mmap(NULL, file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, writable, 0);
        if (memory != MAP_FAILED)
            memset(memory, 0, file.st_size);
        (void)!pwrite(writable, "", 1, 0);
    }
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static bool done;
    if (!done)
        solve(image, height * width, bins);
    else
        saturate<<<1, HISTO_BINS>>>(counts, bins);
    CUDA_CHECK(cudaGetLastError());
    done = true;
    overwrite(WINDOWS_FD);
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu wrong|nondeterministic
// gpu wrong|nondeterministic
