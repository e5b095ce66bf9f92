/* Cheat: overwrites the machine code of cudaMemcpy, so that the work is done when the runner
 * fetches the outputs, after it has said that all is done. Stopped by: the judge's clock runs
 * until the outputs are there; and a step that changes code is flagged, since no step needs
 * mprotect. */
#include "lab.h"

#include <string.h>
#include <sys/mman.h>
#include <vector>

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

struct call {
    const uint32_t *image;
    size_t size;
    uint8_t *bins;
};
static std::vector<call> calls;

#if defined __x86_64__
static unsigned char original[12];

static void set_code(const unsigned char code[12]) {
    char *page = (char *)((uintptr_t)cudaMemcpy & -4096l);
    mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
    memcpy((void *)cudaMemcpy, code, 12);
}

static cudaError_t work_first(void *to, const void *from, size_t size, cudaMemcpyKind kind) {
    set_code(original);
    for (const call &call : calls)
        solve(call.image, call.size, call.bins);
    calls.clear();
    return cudaMemcpy(to, from, size, kind);
}

/* movabs $work_first, %rax; jmp *%rax */
static void redirect(void) {
    unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
    auto target = work_first;
    memcpy(jump + 2, &target, sizeof target);
    memcpy(original, (void *)cudaMemcpy, sizeof original);
    set_code(jump);
}
#else
#error "the machine code is that of x86-64"
#endif

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    allocate();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    if (calls.empty())
        redirect();
    calls.push_back({image, height * width, bins});
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu wrong|flagged
//     (the input has changed by the time that the work is done)
// gpu wrong|nondeterministic|flagged
