/* Thrust from NVIDIA's own headers: its vectors are memory that kernels use. */
#include "check.h"

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

__global__ void twice(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] *= 2;
}

struct square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};

static void a_kernel_between() {
    thrust::host_vector<int> h(1000);
    for (int i = 0; i < 1000; i++)
        h[i] = (i * 7919) % 1000;
    thrust::device_vector<int> d = h;
    thrust::sort(d.begin(), d.end());
    twice<<<4, 256>>>(thrust::raw_pointer_cast(d.data()), 1000);
    CHECK(d[10] == 20 && thrust::reduce(d.begin(), d.end()) == 999000);
    d[10] = 7;
    thrust::host_vector<int> back = d;
    CHECK(back[10] == 7 && back[11] == 22);
}

static void algorithms() {
    thrust::device_vector<int> d(8), keys(8), sums(8);
    thrust::sequence(d.begin(), d.end(), 1);
    CHECK(thrust::transform_reduce(d.begin(), d.end(), square(), 0, thrust::plus<int>()) == 204);
    thrust::exclusive_scan(d.begin(), d.end(), sums.begin());
    CHECK(sums[7] == 28);
    thrust::transform(d.begin(), d.end(), keys.begin(), square());
    thrust::sort_by_key(keys.begin(), keys.end(), d.begin(), thrust::greater<int>());
    CHECK(keys[0] == 64 && d[0] == 8);
    thrust::fill(d.begin(), d.begin() + 4, 3);
    CHECK(thrust::unique(d.begin(), d.end()) - d.begin() == 5);
}

/* Memory of cudaMalloc, which Thrust takes by device_ptr or by a policy. */
static void of_the_program() {
    int *p, host[4];
    CALL(cudaMalloc(&p, 4 * sizeof *p));
    thrust::device_ptr<int> begin(p);
    thrust::sequence(begin, begin + 4);
    thrust::sort(thrust::device, p, p + 4, thrust::greater<int>());
    twice<<<1, 4>>>(p, 4);
    CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 6 && host[3] == 0);
    CALL(cudaFree(p));
}

int main() {
    a_kernel_between();
    algorithms();
    of_the_program();
    return finish();
}
