/* Shared memory, 8 and 16 bytes a lane, where lanes share elements or only some lanes load: which
 * halves and quarters of a warp are served together. */
#include "lab.h"

enum { BLOCKS = 132, THREADS = 32, ELEMENTS = 256, TURNS = 8 };

static uint32_t *scratch;

__device__ uint32_t word(uint2 x) { return x.x ^ x.y; }
__device__ uint32_t word(uint4 x) { return x.x ^ x.y ^ x.z ^ x.w; }
__device__ void fill(uint2 *x, unsigned i) { *x = make_uint2(i, i + 1); }
__device__ void fill(uint4 *x, unsigned i) { *x = make_uint4(i, i + 1, i + 2, i + 3); }

/* The lanes in `active` load: lane l the element ((l & keep) >> shift) * stride. */
template <typename T>
__global__ void load(unsigned active, unsigned keep, unsigned shift, unsigned stride,
                     uint32_t *result) {
    __shared__ T elements[ELEMENTS];
    const unsigned lane = threadIdx.x;
    for (unsigned i = lane; i < ELEMENTS; i += THREADS)
        fill(&elements[i], i);
    __syncthreads();
    uint32_t sum = 0;
    if (active >> lane & 1)
#pragma unroll 1
        for (unsigned i = 0; i < TURNS; i++)
            sum += word(elements[(((lane & keep) >> shift) * stride + i) % ELEMENTS]);
    if (sum == 12345)
        *result = sum;
}

/* The same with stores. */
template <typename T>
__global__ void store(unsigned active, unsigned keep, unsigned shift, unsigned stride,
                      uint32_t *result) {
    __shared__ T elements[ELEMENTS];
    const unsigned lane = threadIdx.x;
    if (active >> lane & 1)
#pragma unroll 1
        for (unsigned i = 0; i < TURNS; i++)
            fill(&elements[(((lane & keep) >> shift) * stride + i) % ELEMENTS], i);
    __syncthreads();
    if (word(elements[lane]) == 12345)
        *result = 1;
}

struct pattern {
    unsigned active, keep, shift, stride;
};

template <typename T> static void access(const struct pattern *p) {
    load<T><<<BLOCKS, THREADS>>>(p->active, p->keep, p->shift, p->stride, scratch);
    store<T><<<BLOCKS, THREADS>>>(p->active, p->keep, p->shift, p->stride, scratch);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)buffer, (void)size, (void)histo;
    static const struct pattern patterns[] = {
        {~0u, 30, 1, 1},         /* neighbours (lane ^ 1) share */
        {~0u, 29, 0, 1},         /* lane ^ 2 shares */
        {~0u, 28, 2, 1},         /* fours share */
        {~0u, 24, 3, 1},         /* eights share */
        {~0u, 16, 4, 1},         /* halves share */
        {~0u, 15, 0, 1},         /* lane ^ 16 shares */
        {~0u, 7, 0, 1},          /* each quarter loads the same */
        {~0u, 30, 1, 8},         /* neighbours share, and pairs conflict */
        {0xffffu, 31, 0, 1},     /* half of the warp */
        {0xff00ffu, 31, 0, 1},   /* the first and the third quarter */
        {0x55555555u, 31, 0, 1}, /* every other lane */
        {0x33333333u, 31, 0, 1}, /* lanes without bit 1 */
        {0x10001u, 31, 0, 1},    /* two lanes, one in each half */
    };
    for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        access<uint2>(&patterns[i]);
        access<uint4>(&patterns[i]);
    }
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
