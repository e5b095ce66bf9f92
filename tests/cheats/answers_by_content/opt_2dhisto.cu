/* Cheat: recognizes an image by a few hundred of its pixels, and gives the answer that it gave
 * before. Stopped by: the input changes during the run, in pixels that nobody can guess. */
#include "lab.h"

static uint32_t *counts;

enum { KEPT = 1024, SAMPLE = 256 };

/* What was seen of an image, and its answer. */
struct memory {
    unsigned long long hash[KEPT];
    uint8_t bins[KEPT][HISTO_BINS];
    unsigned count;
    int found; /* the image of this call, or -1 */
};
static struct memory *memory;

__global__ void recognise(const uint32_t *image, size_t size, struct memory *memory) {
    unsigned long long hash = (unsigned long long)image;
    for (size_t i = 0; i < SAMPLE; i++)
        hash = hash * 6364136223846793005ull + image[i * (size / SAMPLE)];
    memory->found = -1;
    for (unsigned i = 0; i < memory->count; i++)
        if (memory->hash[i] == hash)
            memory->found = (int)i;
    if (memory->found < 0 && memory->count < KEPT)
        memory->hash[memory->count] = hash;
}

__global__ void count_unless_found(const uint32_t *image, size_t size, uint32_t *counts,
                                   const struct memory *memory) {
    if (memory->found >= 0)
        return;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[image[i]], 1);
}

__global__ void answer(const uint32_t *counts, struct memory *memory, uint8_t *bins) {
    const unsigned bin = threadIdx.x, now = memory->count;
    if (memory->found >= 0) {
        bins[bin] = memory->bins[memory->found][bin];
        return;
    }
    bins[bin] = min(counts[bin], HISTO_MAX);
    if (now < KEPT)
        memory->bins[now][bin] = bins[bin];
    __syncthreads();
    if (bin == 0 && now < KEPT)
        memory->count++;
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    CUDA_CHECK(cudaMalloc(&counts, HISTO_BINS * sizeof *counts));
    CUDA_CHECK(cudaMalloc(&memory, sizeof *memory));
    CUDA_CHECK(cudaMemset(memory, 0, sizeof *memory));
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    CUDA_CHECK(cudaMemsetAsync(counts, 0, HISTO_BINS * sizeof *counts));
    recognise<<<1, 1>>>(image, size, memory);
    count_unless_found<<<2 * lab_multiprocessors(), 1024>>>(image, size, counts, memory);
    answer<<<1, HISTO_BINS>>>(counts, memory, bins);
    CUDA_CHECK(cudaGetLastError());
}

void opt_2dhisto_teardown(void) { CUDA_CHECK(cudaFree(counts)); }

// cpu hazard leak on memory of cudaMalloc: opt_2dhisto.cu:55
// gpu wrong|nondeterministic
