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

static void three_dimensions() {
    const size_t width = 5, height = 4, depth = 3;
    cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
    cudaPitchedPtr device;
    CALL(cudaMalloc3D(&device, extent));
    CHECK(device.pitch >= extent.width && device.xsize == extent.width && device.ysize == height);
    CALL(cudaMemset3D(device, 0, extent));
    int in[depth][height][width], out[depth][height][width];
    for (size_t i = 0; i < width * height * depth; i++)
        in[i / (width * height)][i / width % height][i % width] = (int)i;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(in, width * sizeof(int), width, height);
    copy.dstPtr = device;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&copy));
    /* All but the first layer, row and column, to the beginning. */
    memset(out, 0, sizeof out);
    cudaMemcpy3DParms back = {};
    back.srcPtr = device;
    back.srcPos = make_cudaPos(sizeof(int), 1, 1);
    back.dstPtr = make_cudaPitchedPtr(out, width * sizeof(int), width, height);
    back.extent = make_cudaExtent((width - 1) * sizeof(int), height - 1, depth - 1);
    back.kind = cudaMemcpyDeviceToHost;
    CALL(cudaMemcpy3DAsync(&back));
    CALL(cudaDeviceSynchronize());
    CHECK(out[0][0][0] == in[1][1][1] && out[1][2][3] == in[2][3][4] && out[2][0][0] == 0);
    back.extent.depth = depth;
    CHECK(cudaMemcpy3D(&back) == cudaErrorInvalidValue);
    cudaGetLastError();
    CALL(cudaFree(device.ptr));

    int *pitched, rows[3][4];
    size_t pitch;
    CALL(cudaMallocPitch(&pitched, &pitch, 4 * sizeof(int), 3));
    CALL(cudaMemset2D(pitched, pitch, 1, 4 * sizeof(int), 3));
    CALL(cudaMemset2DAsync(pitched, pitch, 2, sizeof(int), 2));
    CALL(cudaMemcpy2D(rows, 16, pitched, pitch, 16, 3, cudaMemcpyDeviceToHost));
    CHECK(rows[0][0] == 0x02020202 && rows[1][1] == 0x01010101 && rows[2][0] == 0x01010101);
    CALL(cudaFree(pitched));
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
    three_dimensions();
    pools();
    advice();
    return finish();
}
