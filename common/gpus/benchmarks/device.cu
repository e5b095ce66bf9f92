/* What the GPU is: limits from the driver, its clock under load. */
#include "bench.cuh"

static int attribute(cudaDeviceAttr which) {
    int value;
    CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

__global__ void read(const uint4 *data, size_t count, Elapsed *elapsed) {
    const Elapsed start = start_watch();
    unsigned sum = 0;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += data[i].x;
    keep(sum);
    stop_watch(start, elapsed);
}

/* Cycles of a multiprocessor per microsecond, while all of them read memory. */
static double clock_mhz() {
    const size_t count = (size_t)1 << 26; /* 1 GiB */
    uint4 *data = allocate<uint4>(count);
    const int blocks = 2 * multiprocessors();
    const Medians took = block_medians(
        blocks, [=](Elapsed *elapsed) { read<<<blocks, 1024>>>(data, count, elapsed); }, 15);
    CHECK(cudaFree(data));
    return 1e3 * took.cycles / took.ns;
}

int main() {
    warm_up();
    const cudaDeviceProp &gpu = device();
    printf("name %s\n", gpu.name);
    printf("compute_capability %d.%d\n", gpu.major, gpu.minor);
    key("multiprocessors", gpu.multiProcessorCount);
    key("clock_mhz", clock_mhz());
    key("schedulers", 4); /* of a multiprocessor, in all architectures from Volta on */
    key("registers", gpu.regsPerMultiprocessor);
    printf("shared_bytes %zu\n", gpu.sharedMemPerMultiprocessor);
    printf("shared_block_bytes %zu\n", gpu.sharedMemPerBlockOptin);
    key("threads", gpu.maxThreadsPerMultiProcessor);
    key("blocks", attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
    printf("l2_bytes %d\n", gpu.l2CacheSize);
}
