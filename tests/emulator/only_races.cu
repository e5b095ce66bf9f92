/* The checked build only: each wrong kernel must give a wrong result, each correct one a right one,
 * at every launch of the size of a check. */
#include "check.h"

enum { LAUNCHES = 2 };
enum { PIXELS = 20000, BINS = 1024 };

/* ---- wrong ------------------------------------------------------------------------------ */

__global__ void lost_in_shared(const unsigned *image, unsigned *bins) {
    __shared__ unsigned local[BINS];
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        local[image[i]]++;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], local[i]);
}

__global__ void lost_in_global(const unsigned *image, unsigned *bins) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        bins[image[i]] += 1;
}

/* Right within a block, but blocks overwrite each other's sums. */
__global__ void lost_between_blocks(const unsigned *image, unsigned *bins) {
    __shared__ unsigned local[BINS];
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[image[i]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        bins[i] += local[i];
}

__global__ void no_barrier_after_clearing(const unsigned *image, unsigned *bins) {
    __shared__ unsigned local[BINS];
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        local[i] = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[image[i]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], local[i]);
}

__global__ void no_barrier_before_reading(const unsigned *image, unsigned *bins) {
    __shared__ unsigned local[BINS];
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[image[i]], 1u);
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], local[i]);
}

/* Shared memory holds garbage at first. */
__global__ void never_cleared(const unsigned *image, unsigned *bins) {
    __shared__ unsigned local[BINS];
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[image[i]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], local[i]);
}

/* One block clears counts that the others are already adding to. */
__global__ void cleared_by_one_block(const unsigned *image, unsigned *bins) {
    if (blockIdx.x == 0)
        for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
            bins[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        atomicAdd(&bins[image[i]], 1u);
}

/* One update for each block, by one thread: few chances. */
__global__ void one_update_a_block(const unsigned *, unsigned *bins) {
    if (threadIdx.x == 0)
        bins[0] += PIXELS / gridDim.x;
    if (threadIdx.x == 0 && blockIdx.x == 0)
        bins[0] += PIXELS % gridDim.x;
}

/* The old habit: it assumes that a warp runs in lockstep. */
template <bool right> __global__ void warp_sum(const unsigned *, unsigned *bins) {
    __shared__ unsigned values[1024];
    unsigned t = threadIdx.x, lane = t % 32;
    values[t] = t;
    if (right)
        __syncwarp();
    for (unsigned step = 16; step > 0; step /= 2) {
        if (lane < step)
            values[t] += values[t + step];
        if (right)
            __syncwarp();
    }
    if (lane == 0)
        atomicAdd(&bins[0], values[t]);
}

__global__ void block_sum_without_barrier(const unsigned *, unsigned *bins) {
    __shared__ volatile unsigned values[1024];
    values[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (unsigned step = 512; step > 0; step /= 2)
        if (threadIdx.x < step)
            values[threadIdx.x] += values[threadIdx.x + step];
    if (threadIdx.x == 0)
        atomicAdd(&bins[0], values[0]);
}

/* ---- right ------------------------------------------------------------------------------ */

__global__ void correct(const unsigned *image, unsigned *bins) {
    __shared__ unsigned local[BINS];
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[image[i]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], local[i]);
}

/* A stale plain read only costs an unnecessary addition. */
__global__ void checked_first(const unsigned *image, unsigned *bins) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        if (bins[image[i]] < 1000000)
            atomicAdd(&bins[image[i]], 1u);
}

/* The last block to finish does the rest. */
__device__ unsigned partial[16][BINS];
__device__ unsigned ticket;
__global__ void last_block_sums(const unsigned *image, unsigned *bins) {
    __shared__ unsigned local[BINS];
    __shared__ bool last;
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        local[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < PIXELS;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[image[i]], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        partial[blockIdx.x][i] = local[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x) {
        unsigned sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            sum += partial[b][i];
        bins[i] = sum;
    }
}

/* A lock, and blocks that wait for the previous one. Many threads that wait for a lock take all the
 * time, and test no more than a few do. */
static const unsigned most_waiting = 256;
__device__ unsigned lock;
__device__ volatile unsigned turn;
__global__ void ordered(const unsigned *, unsigned *bins) {
    __shared__ unsigned count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        while (turn != blockIdx.x)
            ;
        __threadfence();
        bins[0] += count;
        __threadfence();
        turn = blockIdx.x + 1 == gridDim.x ? 0 : blockIdx.x + 1;
    }
    if (threadIdx.x % 32 == 0 && threadIdx.x < most_waiting) {
        while (atomicCAS(&lock, 0u, 1u) != 0)
            ;
        __threadfence();
        bins[1] = bins[1] + 1;
        __threadfence();
        atomicExch(&lock, 0u);
    }
}

typedef void kernel(const unsigned *, unsigned *);

static unsigned *image, *bins, expected[BINS];

/* How many of the launches gave a result other than `first`, `second` … for bins 0, 1 …, or than
 * the histogram if `first` is 0. */
static int wrong(kernel *k, unsigned blocks, unsigned threads, unsigned first, unsigned second) {
    int count = 0;
    for (int i = 0; i < LAUNCHES; i++) {
        CALL(cudaMemset(bins, 0, BINS * sizeof *bins));
        k<<<blocks, threads>>>(image, bins);
        CALL(cudaDeviceSynchronize());
        bool same = first ? bins[0] == first && (!second || bins[1] == second)
                          : memcmp(bins, expected, sizeof expected) == 0;
        count += !same;
    }
    return count;
}

#define MUST_FAIL(...) CHECK(wrong(__VA_ARGS__) == LAUNCHES)
#define MUST_PASS(...) CHECK(wrong(__VA_ARGS__) == 0)

int main() {
    unsigned state = 7;
    CALL(cudaMallocManaged(&image, PIXELS * sizeof *image));
    CALL(cudaMallocManaged(&bins, BINS * sizeof *bins));
    for (int i = 0; i < PIXELS; i++) {
        state = state * 1664525 + 1013904223;
        image[i] = state >> 22;
        expected[image[i]]++;
    }
    for (unsigned threads = 64; threads <= 1024; threads *= 4) {
        MUST_FAIL(lost_in_shared, 16, threads, 0, 0);
        MUST_FAIL(lost_in_shared, 1, threads, 0, 0);
        MUST_FAIL(lost_in_global, 16, threads, 0, 0);
        MUST_FAIL(lost_between_blocks, 16, threads, 0, 0);
        MUST_FAIL(no_barrier_after_clearing, 16, threads, 0, 0);
        MUST_FAIL(no_barrier_after_clearing, 1, threads, 0, 0);
        MUST_FAIL(no_barrier_before_reading, 16, threads, 0, 0);
        MUST_FAIL(no_barrier_before_reading, 1, threads, 0, 0);
        MUST_FAIL(cleared_by_one_block, 16, threads, 0, 0);
        MUST_FAIL(never_cleared, 1, threads, 0, 0);
        MUST_PASS(correct, 16, threads, 0, 0);
        MUST_PASS(correct, 1, threads, 0, 0);
        MUST_PASS(checked_first, 16, threads, 0, 0);
        MUST_PASS(last_block_sums, 16, threads, 0, 0);
        MUST_PASS(ordered, 16, threads, 16 * (threads * (threads - 1) / 2),
                  16 * (threads < most_waiting ? threads : most_waiting) / 32);
    }
    MUST_FAIL(lost_in_global, 1000, 1, 0, 0);
    MUST_FAIL(one_update_a_block, 16, 32, PIXELS, 0);
    MUST_FAIL(warp_sum<false>, 1, 1024, 1024 * 1023 / 2, 0);
    /* A single warp may be right now and then by chance. */
    CHECK(wrong(warp_sum<false>, 1, 32, 32 * 31 / 2, 0) > LAUNCHES / 2);
    MUST_PASS(warp_sum<true>, 4, 1024, 4 * 1024 * 1023 / 2, 0);
    MUST_FAIL(block_sum_without_barrier, 1, 1024, 1024 * 1023 / 2, 0);
    return finish();
}
