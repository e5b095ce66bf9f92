/* Memory of the host that kernels use, copies in three dimensions, pools, advice. */
#include "check.h"

#include <vector>

__global__ void add_one(int *values, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] += 1;
}

static void mapped_and_registered() {
    const int count = 100;
    int *host, *device;
    CALL(cudaHostAlloc(&host, count * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
    for (int i = 0; i < count; i++)
        host[i] = i;
    CALL(cudaHostGetDevicePointer(&device, host, 0));
    add_one<<<4, 32>>>(device, count);
    CALL(cudaDeviceSynchronize());
    CHECK(host[0] == 1 && host[99] == 100);

    std::vector<int> own(count, 7);
    int *registered;
    CALL(cudaHostRegister(own.data(), count * sizeof(int), cudaHostRegisterMapped));
    CHECK(cudaHostRegister(own.data(), 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
    CHECK(cudaHostRegister((char *)own.data() - 1, 2, 0) == cudaErrorHostMemoryAlreadyRegistered);
    CALL(cudaHostGetDevicePointer((void **)&registered, own.data(), 0));
    add_one<<<4, 32>>>(registered, count);
    CALL(cudaDeviceSynchronize());
    CHECK(own[0] == 8 && own[99] == 8);
    cudaPointerAttributes attributes;
    CALL(cudaPointerGetAttributes(&attributes, own.data() + 3));
    CHECK(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == own.data() + 3);
    CALL(cudaHostUnregister(own.data()));
    CHECK(cudaHostUnregister(own.data()) == cudaErrorHostMemoryNotRegistered);
    own[0] = 5; /* the host's alone again */
    CALL(cudaPointerGetAttributes(&attributes, own.data()));
    CHECK(attributes.type == cudaMemoryTypeUnregistered);
    CHECK(cudaHostGetDevicePointer((void **)&registered, own.data(), 0) == cudaErrorInvalidValue);
    cudaGetLastError();
    CALL(cudaPointerGetAttributes(&attributes, host));
    CHECK(attributes.type == cudaMemoryTypeHost && attributes.devicePointer == device);
    CALL(cudaFreeHost(host));
}

static void pitched() {
    int *wide, rows[3][4];
    size_t pitch;
    CALL(cudaMallocPitch(&wide, &pitch, 4 * sizeof(int), 3));
    CALL(cudaMemset2D(wide, pitch, 1, 4 * sizeof(int), 3));
    CALL(cudaMemset2DAsync(wide, pitch, 2, sizeof(int), 2));
    CALL(cudaMemcpy2D(rows, 16, wide, pitch, 16, 3, cudaMemcpyDeviceToHost));
    CHECK(rows[0][0] == 0x02020202 && rows[1][1] == 0x01010101 && rows[2][0] == 0x01010101);
    CALL(cudaFree(wide));
}

static void pools() {
    cudaStream_t stream;
    cudaMemPool_t pool;
    unsigned long long threshold = ~0ull;
    int *values, sum = 0;
    CALL(cudaStreamCreate(&stream));
    CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
    CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CALL(cudaMallocAsync(&values, 64 * sizeof(int), stream));
    CALL(cudaMemsetAsync(values, 0, 64 * sizeof(int), stream));
    add_one<<<1, 64, 0, stream>>>(values, 64);
    CALL(cudaMemcpyAsync(&sum, values + 63, sizeof(int), cudaMemcpyDeviceToHost, stream));
    CALL(cudaFreeAsync(values, stream));
    CALL(cudaStreamSynchronize(stream));
    CHECK(sum == 1);
    CALL(cudaMemPoolTrimTo(pool, 0));
    CALL(cudaStreamDestroy(stream));
}

static void advice() {
    int *managed;
    CALL(cudaMallocManaged(&managed, 4096));
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
    CALL(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, device));
    CALL(cudaMemPrefetchAsync(managed, 4096, device, 0));
    managed[0] = 1;
    add_one<<<1, 1>>>(managed, 1);
    CALL(cudaDeviceSynchronize());
    CHECK(managed[0] == 2);
    CALL(cudaFree(managed));
}

int main() {
    mapped_and_registered();
    pitched();
    pools();
    advice();
    return finish();
}
