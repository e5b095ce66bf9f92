/* Cheat: keeps the histograms of every few rows of the strip, and answers a call from these without
 * reading the image. A change of the strip is a copy that the runner makes between two calls: where
 * the host was away for more than a microsecond between leaving a call and entering the next,
 * everything is read again. Each call takes as long as the fastest read, so that no clock shows it.
 * Stopped by: a counter of the GPU's, by which too little is read. */
#include "lab.h"

#include <sys/stat.h>
#include <time.h>
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

/* Of the judge's descriptors; the header that names them would be found in the source. */
enum { STRIP_FD = 4, WINDOWS_FD = 5 };

/* Histograms of every FINE rows of the strip, where windows begin. */
enum { FINE = 2, SLICES = 32, BINS_A_BLOCK = 32 };

struct tables {
    uint16_t *counts;
    size_t rows;                     /* of the strip */
    unsigned long long *due, *begun; /* when the present call may end; when all was read last */
};

__device__ unsigned long long nanoseconds_now(void) {
#ifndef __HISTOLAB_EMULATOR__
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
#else
    return clock64();
#endif
}

/* A block for every FINE rows. */
__global__ void read_rows(const uint32_t *strip, size_t width, struct tables tables) {
    __shared__ uint32_t partial[HISTO_BINS];
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *tables.begun = nanoseconds_now();
    partial[threadIdx.x] = 0;
    __syncthreads();
    const size_t first = blockIdx.x * FINE * width, end = first + FINE * width;
    for (size_t i = first + threadIdx.x; i < end; i += THREADS)
        atomicAdd(&partial[strip[i]], 1);
    __syncthreads();
    tables.counts[blockIdx.x * HISTO_BINS + threadIdx.x] = partial[threadIdx.x];
}

/* Counts of a window from the tables. Then the call waits until it is due. */
__global__ void answer(size_t first, size_t height, struct tables tables, uint8_t *bins,
                       unsigned long long nanoseconds) {
    __shared__ uint32_t partial[SLICES][BINS_A_BLOCK];
    const int slice = threadIdx.x / BINS_A_BLOCK, lane = threadIdx.x % BINS_A_BLOCK;
    const int bin = blockIdx.x * BINS_A_BLOCK + lane;
    uint32_t sum = 0;
    for (size_t i = first / FINE + slice; i < (first + height) / FINE; i += SLICES)
        sum += tables.counts[i * HISTO_BINS + bin];
    partial[slice][lane] = sum;
    __syncthreads();
    if (slice == 0) {
        for (int other = 1; other < SLICES; other++)
            sum += partial[other][lane];
        bins[bin] = min(sum, HISTO_MAX);
    }
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    unsigned long long due = *tables.due + nanoseconds;
    if (nanoseconds_now() > due + 2 * 1000 * 1000) /* a sample begins */
        due = *tables.begun + nanoseconds;
    *tables.due = due;
    while (nanoseconds_now() < due)
        ;
}

static struct tables tables;

static void allocate_tables(size_t width) {
    struct stat strip;
    fstat(STRIP_FD, &strip);
    tables.rows = strip.st_size / (width * sizeof(uint32_t));
    CUDA_CHECK(
        cudaMalloc(&tables.counts, (tables.rows / FINE + 1) * HISTO_BINS * sizeof(uint16_t)));
    CUDA_CHECK(cudaMalloc(&tables.due, 2 * sizeof *tables.due));
    CUDA_CHECK(cudaMemset(tables.due, 0, 2 * sizeof *tables.due));
    tables.begun = tables.due + 1;
}

/* Where the strip begins: the first window of the list is the first call's. NULL if the image is
 * not of the strip, as where a call is timed with its copies. */
static const uint32_t *strip_of(const uint32_t *image, size_t height, size_t width) {
    static const uint32_t *start;
    uint64_t row = 0;
    if (height * width <= 100 * 1000 || height % FINE)
        return NULL;
    if (!start && pread(WINDOWS_FD, &row, sizeof row, 0) == sizeof row)
        start = image - row * width;
    const ptrdiff_t first = image - start;
    const bool inside = first >= 0 && first / width + height <= tables.rows;
    return inside && first % (FINE * width) == 0 ? start : NULL;
}

static unsigned long long roof_nanoseconds(size_t bytes) {
#ifndef __HISTOLAB_EMULATOR__
    int clock_khz, bus_bits;
    CUDA_CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrMemoryClockRate, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, 0));
    return bytes / (0.95 * 2 * clock_khz * 1e3 * bus_bits / 8) * 1e9;
#else
    return bytes / 1000000;
#endif
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static double left; /* when the last call was left */
static unsigned long long nanoseconds;

void opt_2dhisto_setup(size_t height, size_t width) {
    allocate();
    allocate_tables(width);
    nanoseconds = roof_nanoseconds(height * width * sizeof(uint32_t));
    left = 0;
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static const double GAP_S = 1e-6;
    const uint32_t *strip = strip_of(image, height, width);
    if (!strip) {
        solve(image, height * width, bins);
        return;
    }
    if (now() - left > GAP_S)
        read_rows<<<tables.rows / FINE, THREADS>>>(strip, width, tables);
    answer<<<HISTO_BINS / BINS_A_BLOCK, SLICES * BINS_A_BLOCK>>>((image - strip) / width, height,
                                                                 tables, bins, nanoseconds);
    CUDA_CHECK(cudaGetLastError());
    left = now();
}

void opt_2dhisto_teardown(void) {
    CUDA_CHECK(cudaFree(counts));
    CUDA_CHECK(cudaFree(tables.counts));
    CUDA_CHECK(cudaFree(tables.due));
}

// cpu flagged|wrong|nondeterministic|timed-out
//     (a copy may take no longer than nothing there)
// gpu flagged reads too little
//     (before Hopper, which has no such counter, for its calls of fstat and pread)
