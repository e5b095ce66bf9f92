// Code with mistakes, which main.c calls.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <string.h>

namespace cg = cooperative_groups;

__global__ void beyond_own(unsigned *p, unsigned i) {
    unsigned own[4] = {i, 2, 3, 4};
    if (blockIdx.x == 1 && threadIdx.x == 3)
        p[0] = own[i];
}

// What is wrong is told where it comes first.
__global__ void look(const volatile unsigned *from, size_t i) {
    (void)from[i];
    (void)from[i];
}

__global__ void copy_pair(uint2 *to, const uint2 *from) { *to = *from; }

__global__ void set(unsigned *p, unsigned value) { p[threadIdx.x] = value; }

__global__ void take_left(unsigned *to) {
    extern __shared__ unsigned left[];
    *to = left[0];
}

__global__ void add(unsigned *to, unsigned amount) { atomicAdd(to, amount); }

// gcc notes in shared memory that it has constructed the array, which takes nothing.
struct number {
    unsigned x;
    number() = default;
    __device__ number(unsigned x) : x(x) {}
};
__global__ void mirror(unsigned *p) {
    __shared__ number numbers[32];
    numbers[threadIdx.x] = number(threadIdx.x);
    __syncthreads();
    p[threadIdx.x] = numbers[31 - threadIdx.x].x;
}

// Two warps that meet in a tile, or do not.
__global__ void exchange(unsigned *p, bool meet) {
    __shared__ cg::block_tile_memory<64> memory;
    __shared__ unsigned values[64];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
    values[threadIdx.x] = threadIdx.x;
    if (meet)
        tile.sync();
    p[threadIdx.x] = values[threadIdx.x ^ 32];
}

// The other block has ended.
__global__ void meet_nobody() {
    if (blockIdx.x == 0)
        cg::this_grid().sync();
}

#define SIXTEEN(x) x x x x x x x x x x x x x x x x
__global__ void many(volatile unsigned *p) { SIXTEEN(SIXTEEN(*p = 1;)) }

#define CHECK(call) (failed |= (call) != cudaSuccess, text = #call)

static cudaError_t allocate(unsigned **into, size_t bytes) { return cudaMalloc(into, bytes); }

extern "C" {
/* Each into a variable that is written in another way. */
bool allocate_all(unsigned **all, size_t bytes) {
    struct {
        unsigned *totals, *rows[2], *of_a_name_that_is_longer_than_a_hazard_can_say;
    } state, *s = &state;
    void *counts = nullptr;
    const char *text;
    bool failed = false;
    CHECK(cudaMalloc(&s->totals, bytes));
    failed |= strcmp(text, "cudaMalloc(&s->totals, bytes)") != 0;
    int last = 1;
    cudaMalloc((void **)&state.rows[last - 1], bytes);
    cudaMallocManaged(reinterpret_cast<void **>(&s->rows[last]), bytes);
    CHECK(cudaMallocAsync(&counts, bytes, 0));
    all[3] = (unsigned *)counts;
    {
        unsigned *counts;
        CHECK((cudaMallocHost((void **)(&counts), bytes)));
        all[4] = counts;
    }
    cudaMalloc(&state.of_a_name_that_is_longer_than_a_hazard_can_say, bytes);
    CHECK(cudaMalloc(&counts, 0));
    CHECK(allocate(&all[6], bytes));
    all[0] = s->totals, all[1] = s->rows[0], all[2] = s->rows[1];
    all[5] = state.of_a_name_that_is_longer_than_a_hazard_can_say;
    return !failed;
}

void read_beyond_own(unsigned *p) { beyond_own<<<2, 32>>>(p, 4); }

void mirror_numbers(unsigned *p) { mirror<<<1, 32>>>(p); }

void exchange_values(unsigned *p, bool meet) { exchange<<<1, 64>>>(p, meet); }

bool meets_nobody() {
    cudaLaunchCooperativeKernel((void *)meet_nobody, 2, 1, nullptr, 0, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}

void take_what_is_left(unsigned *to) { take_left<<<1, 1, sizeof *to>>>(to); }

void add_twice(unsigned *to, unsigned amount) { add<<<1, 2>>>(to, amount); }

void look_at(const unsigned *from, size_t i) { look<<<1, 1>>>(from, i); }

void copy_two(unsigned *to, const unsigned *from) {
    copy_pair<<<1, 1>>>((uint2 *)to, (const uint2 *)from);
}

unsigned on_the_host(const unsigned *p) { return *p; }

unsigned before_it_is_there() {
    unsigned *p;
    cudaMallocManaged(&p, sizeof *p);
    set<<<1, 1>>>(p, 7);
    return on_the_host(p);
}

void set_all(unsigned *p, unsigned count, cudaStream_t stream) {
    set<<<1, count, 0, stream>>>(p, 7);
}
}
