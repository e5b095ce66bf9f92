/* cuda::atomic, cuda::pipeline. */
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

/* An #if that asks for the architecture does not leave it out. */
__global__ void guarded(int *out) {
#if __CUDA_ARCH__ >= 700
    cuda::atomic_ref<int, cuda::thread_scope_device>(*out).fetch_add(1);
#endif
}

__global__ void atomics(cuda::atomic<int, cuda::thread_scope_device> *count, float *sum,
                        int *most) {
    count->fetch_add(2, cuda::std::memory_order_relaxed);
    (*count)++;
    cuda::atomic_ref<float, cuda::thread_scope_device>(*sum).fetch_add(0.5f);
    cuda::atomic_ref<int, cuda::thread_scope_device>(*most).fetch_max((int)threadIdx.x);
}

/* One block hands data to the other one. */
__global__ void handing(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42;
        flag->store(1, cuda::std::memory_order_release);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (flag->load(cuda::std::memory_order_acquire) == 0)
            ;
        *out = *data;
    }
}

__global__ void of_a_thread(const int *in, int *out) {
    __shared__ int values[64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&values[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x ^ 1];
    pipe.consumer_release();
}

struct results {
    cuda::atomic<int, cuda::thread_scope_device> count, flag;
    float sum;
    int most, data, handed, in[128], out[64];
};

int main() {
    results *a;
    CALL(cudaMallocManaged(&a, sizeof *a));
    memset(static_cast<void *>(a), 0, sizeof *a);
    for (int i = 0; i < 128; i++)
        a->in[i] = i * i;
    atomics<<<2, 64>>>(&a->count, &a->sum, &a->most);
    CALL(cudaDeviceSynchronize());
    CHECK(a->count.load() == 3 * 128 && a->sum == 64 && a->most == 63);
    handing<<<2, 32>>>(&a->data, &a->flag, &a->handed);
    CALL(cudaDeviceSynchronize());
    CHECK(a->handed == 42);
    of_a_thread<<<1, 64>>>(a->in, a->out);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        CHECK(a->out[i] == (i ^ 1) * (i ^ 1));
    guarded<<<1, 64>>>(&a->most);
    CALL(cudaDeviceSynchronize());
    CHECK(a->most == 63 + 64);
    CALL(cudaFree(a));
    return finish();
}
