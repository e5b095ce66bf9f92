/* Why opt08 to opt12 take 1 % longer in every other sample of a process. A call of theirs is two
 * kernels, of which the second is one block (of opt10 and opt11) or few. This program makes such
 * calls as the runner makes a sample, and shows each sample's time and on which multiprocessors
 * the one block ran, with 0, 1, 2 or 3 empty kernels before each sample (a memset of the runner's
 * is one such kernel). It showed that an odd number of kernels between samples makes every other
 * sample slower, and that the one block is on the same multiprocessor all the same:
 * report/recorded/README.md has the times.
 *
 *     nvcc -O3 -arch=native -o build/every-other-sample tests/every-other-sample.cu
 *     build/every-other-sample
 *
 * Prints for each number of empty kernels: samples in us a call, and of odd and of even samples
 * the multiprocessor that the block ran on most often, and how often. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = 4096 * 3984, IMAGES = 5, BINS = 1024, CALLS = 1000, SAMPLES = 12, MOST_SMS = 1024 };

static void check(cudaError_t status) {
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "every-other-sample: %s\n", cudaGetErrorString(status));
    exit(1);
}

__device__ static unsigned this_multiprocessor(void) {
    unsigned number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

/* As opt10's. */
__global__ void histogram(const uint32_t *image, uint32_t *counts) {
    __shared__ uint32_t partial[BINS];
    partial[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * BINS + threadIdx.x; i < PIXELS; i += gridDim.x * BINS)
        atomicAdd(&partial[image[i] % BINS], 1);
    __syncthreads();
    counts[blockIdx.x * BINS + threadIdx.x] = partial[threadIdx.x];
}

/* One block; it also tells where it runs. */
__global__ void add_up(const uint32_t *counts, int blocks, uint8_t *bins, uint32_t *ran_on) {
    uint32_t total = 0;
    for (int block = 0; block < blocks; block++)
        total += counts[block * BINS + threadIdx.x];
    bins[threadIdx.x] = min(total, 255);
    if (threadIdx.x == 0)
        *ran_on = this_multiprocessor();
}

__global__ void empty(void) {}

__global__ void fill(uint32_t *pixels, size_t count) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        pixels[i] = (uint32_t)(i / 7 * 2654435761u >> 22);
}

struct memory {
    uint32_t *images, *counts, *ran_on;
    uint8_t *bins;
    int blocks;
};

/* Microseconds a call. */
static float take_sample(const struct memory *memory, int empties) {
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    for (int i = 0; i < empties; i++)
        empty<<<1, 32>>>();
    check(cudaDeviceSynchronize());
    check(cudaEventRecord(start));
    for (int call = 0; call < CALLS; call++) {
        histogram<<<memory->blocks, BINS>>>(memory->images + (size_t)(call % IMAGES) * PIXELS,
                                            memory->counts);
        add_up<<<1, BINS>>>(memory->counts, memory->blocks, memory->bins, memory->ran_on + call);
    }
    check(cudaEventRecord(stop));
    check(cudaDeviceSynchronize());
    float milliseconds;
    check(cudaEventElapsedTime(&milliseconds, start, stop));
    check(cudaEventDestroy(start));
    check(cudaEventDestroy(stop));
    return milliseconds;
}

static void add_places(const struct memory *memory, int *often) {
    static uint32_t ran_on[CALLS];
    check(cudaMemcpy(ran_on, memory->ran_on, sizeof ran_on, cudaMemcpyDeviceToHost));
    for (int call = 0; call < CALLS; call++)
        often[ran_on[call] % MOST_SMS]++;
}

static void print_places(const char *which, const int *often) {
    int most = 0, places = 0, all = 0;
    for (int i = 0; i < MOST_SMS; i++) {
        most = often[i] > often[most] ? i : most;
        places += often[i] > 0;
        all += often[i];
    }
    printf("  %s samples: %d of %d calls on multiprocessor %d; on %d in all\n", which, often[most],
           all, most, places);
}

static void try_empties(const struct memory *memory, int empties) {
    int often[2][MOST_SMS];
    memset(often, 0, sizeof often);
    printf("%d empty kernels before each sample:", empties);
    for (int sample = 0; sample < SAMPLES; sample++) {
        printf(" %.2f", take_sample(memory, empties));
        add_places(memory, often[sample % 2]);
    }
    putchar('\n');
    print_places("even", often[0]);
    print_places("odd", often[1]);
}

int main(void) {
    struct memory memory;
    struct cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0));
    memory.blocks = 2 * properties.multiProcessorCount;
    check(cudaMalloc(&memory.images, sizeof(uint32_t) * PIXELS * IMAGES));
    check(cudaMalloc(&memory.counts, sizeof(uint32_t) * BINS * memory.blocks));
    check(cudaMalloc(&memory.ran_on, sizeof(uint32_t) * CALLS));
    check(cudaMalloc(&memory.bins, BINS));
    fill<<<memory.blocks, BINS>>>(memory.images, (size_t)PIXELS * IMAGES);
    take_sample(&memory, 0); /* warms up */
    printf("%s, us a call\n", properties.name);
    for (int round = 0; round < 2; round++)
        for (int empties = 0; empties < 4; empties++)
            try_empties(&memory, empties);
    return 0;
}
