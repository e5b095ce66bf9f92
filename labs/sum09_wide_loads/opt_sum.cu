/* sum09: as many blocks as fit, each thread walks the array in loads of four floats. */
#include "lab.h"

enum { THREADS = 512, BLOCKS_PER_MULTIPROCESSOR = 4, UNROLL = 4 };

/* BEGIN SOLUTION: functions of your own that the kernel uses */
/* What this thread has to add: quads a stride apart, UNROLL in flight, and the elements left over.
 */
__device__ float add_thread(const float *data, size_t count) {
    const float4 *quads = (const float4 *)data;
    const size_t quad_count = count / 4;
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = gridDim.x * blockDim.x;

    float sum[UNROLL] = {};
    size_t i = first;
    for (; i + (UNROLL - 1) * stride < quad_count; i += UNROLL * stride) {
        float4 quad[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            quad[k] = __ldcs(&quads[i + k * stride]);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum[k] += (quad[k].x + quad[k].y) + (quad[k].z + quad[k].w);
    }
    for (; i < quad_count; i += stride) {
        const float4 quad = __ldcs(&quads[i]);
        sum[0] += (quad.x + quad.y) + (quad.z + quad.w);
    }
    if (first < count % 4)
        sum[0] += data[4 * quad_count + first];
    for (int k = 1; k < UNROLL; k++)
        sum[0] += sum[k];
    return sum[0];
}

/* The sum of a warp's values, in its first lane. */
__device__ float add_warp(float sum) {
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(~0u, sum, offset);
    return sum;
}

/* The sum of the block's values, in its first thread. */
__device__ float add_block(float sum) {
    __shared__ float warps[THREADS / 32];
    sum = add_warp(sum);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return 0;
    return add_warp(threadIdx.x < THREADS / 32 ? warps[threadIdx.x] : 0);
}
/* END SOLUTION */

__global__ void __launch_bounds__(THREADS)
    add_blocks(const float *data, size_t count, float *sums) {
    /* BEGIN SOLUTION: add up this block's elements */
    const float sum = add_block(add_thread(data, count));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
    /* END SOLUTION */
}

static float *sums; /* one for each block */
static int blocks;

void opt_sum_setup(size_t count) {
    (void)count; /* the scratch memory has the size of the launch */
    blocks = BLOCKS_PER_MULTIPROCESSOR * lab_multiprocessors();
    CUDA_CHECK(cudaMalloc(&sums, blocks * sizeof *sums));
}

void opt_sum(const float *data, size_t count, float *result) {
    /* BEGIN SOLUTION: launch the kernel twice */
    add_blocks<<<blocks, THREADS>>>(data, count, sums);
    add_blocks<<<1, THREADS>>>(sums, blocks, result);
    CUDA_CHECK(cudaGetLastError());
    /* END SOLUTION */
}

void opt_sum_teardown(void) { CUDA_CHECK(cudaFree(sums)); }
