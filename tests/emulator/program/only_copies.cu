/* Asynchronous copies. What waits for them as CUDA asks is right in both builds. Of what does not
 * the checked build tells, by this kind of hazard or as a race. */
extern "C" {
#include "../../../emulator/findings/hazard.h"
void emulator_on_hazard(void (*tell)(const struct hazard *));
}
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

enum { N = 1024, T = 64, TURNS = N / T };

/* ---- right: each turns every T numbers round --------------------------------------------- */

__global__ void one_stage(int *in, int *out) {
    __shared__ int v[T];
    for (int k = 0; k < TURNS; k++) {
        __pipeline_memcpy_async(&v[threadIdx.x], &in[k * T + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        out[k * T + threadIdx.x] = v[T - 1 - threadIdx.x];
        __syncthreads();
    }
}

/* A batch may be empty. What a thread has copied itself it reads behind no barrier. */
__global__ void three_stages(int *in, int *out) {
    enum { STAGES = 3 };
    __shared__ int v[STAGES][T];
    for (int k = 0; k < STAGES - 1; k++) {
        __pipeline_memcpy_async(&v[k][threadIdx.x], &in[k * T + T - 1 - threadIdx.x], 4);
        __pipeline_commit();
    }
    for (int k = 0; k < TURNS; k++) {
        const int next = k + STAGES - 1;
        if (next < TURNS)
            __pipeline_memcpy_async(&v[next % STAGES][threadIdx.x],
                                    &in[next * T + T - 1 - threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(STAGES - 1);
        out[k * T + threadIdx.x] = v[k % STAGES][threadIdx.x];
    }
}

/* The last of four numbers is filled with zeros, and set later. All threads copy from one place. */
__global__ void with_zeros(int *in, int *out) {
    extern __shared__ int4 wide[];
    __pipeline_memcpy_async(&wide[threadIdx.x], in, 16, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    const int4 four = wide[threadIdx.x];
    for (int k = 0; k < TURNS; k++)
        out[k * T + threadIdx.x] = in[k * T + T - 1 - threadIdx.x] + four.w + four.x - in[0];
}

/* Threads that have no number of their own copy the first one once more. */
__global__ void the_same_twice(int *in, int *out) {
    __shared__ int v[T];
    for (int k = 0; k < TURNS; k++) {
        for (int i = threadIdx.x; i < 2 * T; i += T) {
            const int j = i < T ? i : 0;
            __pipeline_memcpy_async(&v[j], &in[k * T + j], 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        out[k * T + threadIdx.x] = v[T - 1 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void of_a_group(int *in, int *out) {
    __shared__ int v[2][T];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, v[0], in, sizeof v[0]);
    for (int k = 0; k < TURNS; k++) {
        if (k + 1 < TURNS) {
            cg::memcpy_async(block, (void *)v[(k + 1) % 2], (void *)(in + (k + 1) * T),
                             sizeof v[0]);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        out[k * T + threadIdx.x] = v[k % 2][T - 1 - threadIdx.x];
        block.sync();
    }
}

__global__ void of_a_thread(int *in, int *out) {
    __shared__ int v[2][T];
    auto pipe = cuda::make_pipeline();
    for (int next = 0, k = 0; k < TURNS; k++) {
        for (; next < TURNS && next < k + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&v[next % 2][threadIdx.x], &in[next * T + threadIdx.x], 4, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        __syncthreads();
        out[k * T + threadIdx.x] = v[k % 2][T - 1 - threadIdx.x];
        __syncthreads();
        pipe.consumer_release();
    }
}

/* ---- wrong ------------------------------------------------------------------------------ */

#define COPY __pipeline_memcpy_async(&v[threadIdx.x], &in[threadIdx.x], 4)
#define OTHERS out[threadIdx.x] = v[T - 1 - threadIdx.x]
#define OWN out[threadIdx.x] = v[threadIdx.x]
#define WRONG(name, ...)                                                                           \
    __global__ void name(int *in, int *out) {                                                      \
        __shared__ int v[T];                                                                       \
        __VA_ARGS__;                                                                               \
    }

WRONG(no_wait, COPY; __pipeline_commit(); __syncthreads(); OTHERS)
WRONG(no_commit, COPY; __pipeline_wait_prior(0); OWN)
WRONG(waits_for_less, COPY; __pipeline_commit(); __pipeline_wait_prior(1); OWN)
WRONG(barrier_first, COPY; __pipeline_commit(); __syncthreads(); __pipeline_wait_prior(0); OTHERS)
WRONG(new_source, COPY; __pipeline_commit(); in[threadIdx.x] = 7; __pipeline_wait_prior(0); OWN)
WRONG(new_target, COPY; __pipeline_commit(); v[threadIdx.x] = 7; __pipeline_wait_prior(0); OWN)
WRONG(adds_to_it, COPY; __pipeline_commit(); atomicAdd(&v[threadIdx.x], 1);
      __pipeline_wait_prior(0); OWN)
WRONG(twice, COPY; __pipeline_memcpy_async(&v[threadIdx.x], &in[T], 4); __pipeline_commit();
      __pipeline_wait_prior(0); OWN)
WRONG(reads_zeros, __pipeline_memcpy_async(&v[threadIdx.x], in, 4, 4); __pipeline_commit(); OWN)
WRONG(copier_is_gone, COPY; if (threadIdx.x < 32) return; __pipeline_commit();
      __pipeline_wait_prior(0); __syncthreads(); OTHERS)
WRONG(group_not_waited_for, cg::memcpy_async(cg::this_thread_block(), v, in, sizeof v);
      __syncthreads(); OTHERS)
WRONG(no_consumer, auto pipe = cuda::make_pipeline();
      cuda::memcpy_async(&v[threadIdx.x], &in[threadIdx.x], 4, pipe); pipe.producer_commit();
      __syncthreads(); OTHERS)
/* These two are races, too: they need a barrier, and not only a wait. */
WRONG(no_barrier, COPY; __pipeline_commit(); __pipeline_wait_prior(0); OTHERS)
WRONG(over_others, v[threadIdx.x] = 1; __syncthreads(); OTHERS; COPY; __pipeline_commit();
      __syncthreads(); __pipeline_wait_prior(0))

/* ---- both ------------------------------------------------------------------------------- */

static unsigned heard[HAZARD_KINDS];
/* The harness's memory, which the program does not look at. */
__attribute__((no_sanitize("thread"))) static void hear(const struct hazard *hazard) {
    heard[hazard->kind]++;
}

static int *in, *out;

typedef void (*kernel)(int *, int *);

static void run(kernel k, bool is_right, unsigned shared = 0) {
    memset(heard, 0, sizeof heard);
    CALL(cudaMemset(out, 0, N * sizeof *out));
    for (int i = 0; i < N; i++)
        in[i] = 3 * i + 1;
    k<<<1, T, shared>>>(in, out);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; is_right && i < N; i++)
        CHECK(out[i] == in[i / T * T + T - 1 - i % T]);
    for (int kind = 0; is_right && kind < HAZARD_SAME_VALUE; kind++)
        CHECK(heard[kind] == 0);
}

int main() {
    CALL(cudaMallocManaged(&in, N * sizeof *in));
    CALL(cudaMallocManaged(&out, N * sizeof *out));
    emulator_on_hazard(hear);
    for (kernel k : {one_stage, three_stages, the_same_twice, of_a_group, of_a_thread})
        run(k, true);
    run(with_zeros, true, T * sizeof(int4));
    for (kernel k :
         {no_wait, no_commit, waits_for_less, barrier_first, new_source, new_target, adds_to_it,
          twice, reads_zeros, copier_is_gone, group_not_waited_for, no_consumer}) {
        run(k, false);
        CHECK(!emulator_switches_threads || heard[HAZARD_UNFINISHED_COPY]);
    }
    for (kernel k : {no_barrier, over_others}) {
        run(k, false);
        CHECK(!emulator_switches_threads || heard[HAZARD_RACE_IN_BLOCK]);
    }
    emulator_on_hazard(NULL);
    CALL(cudaFree(in));
    CALL(cudaFree(out));
    return finish();
}
