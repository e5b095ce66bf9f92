/* What CUDA's runtime API can be asked and told, and the emulator's answers. */
#include "check.h"

__global__ void add(int *p, int value) { *p += value; }

static int at(const int *p) {
    int value;
    CALL(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static void devices() {
    int count, can, least, greatest, runtime, driver;
    size_t heap;
    CALL(cudaGetDeviceCount(&count));
    CALL(cudaDeviceCanAccessPeer(&can, 0, 0));
    CHECK(count == 1 && can == 0);
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrPerformanceRank, 0, 0) ==
          cudaErrorInvalidDevice);
    CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
    CALL(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
    CALL(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    CHECK(heap == 1 << 20);
    CHECK(cudaDeviceSetLimit((cudaLimit)99, 1) == cudaErrorUnsupportedLimit);
    CALL(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    CALL(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
    CALL(cudaCtxResetPersistingL2Cache());
    CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest == -5);
    CALL(cudaRuntimeGetVersion(&runtime));
    CALL(cudaDriverGetVersion(&driver));
    CHECK(runtime == CUDART_VERSION && driver == CUDART_VERSION);
}

static void streams(int *managed) {
    cudaStream_t stream;
    cudaEvent_t event;
    int priority;
    cudaStreamAttrValue value = {};
    CALL(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -9));
    CALL(cudaStreamGetPriority(stream, &priority));
    CHECK(priority == -5);
    value.priority = -1;
    CALL(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &value));
    CALL(cudaStreamGetPriority(stream, &priority));
    CHECK(priority == -1);
    CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeIgnore, &value) ==
          cudaErrorInvalidValue);
    CALL(cudaStreamAttachMemAsync(stream, managed));
    CHECK(cudaStreamAttachMemAsync(0, managed) == cudaErrorInvalidValue);
    CHECK(cudaStreamAttachMemAsync(stream, &priority) == cudaErrorInvalidValue);
    CALL(cudaStreamQuery(stream));
    CALL(cudaEventCreate(&event));
    CALL(cudaEventRecord(event, stream));
    CALL(cudaEventQuery(event));
    CHECK(cudaEventQuery(nullptr) == cudaErrorInvalidResourceHandle);
    CALL(cudaEventDestroy(event));
    CALL(cudaStreamDestroy(stream));
}

static void pools() {
    cudaMemPool_t pool, current;
    int off = 0;
    CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
    CALL(cudaDeviceGetMemPool(&current, 0));
    CHECK(current == pool);
    CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &off));
    CHECK(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)0, &off) == cudaErrorInvalidValue);
    cudaGetLastError();
}

static void copies(int *p, int *q) {
    const int rows[2][2] = {{1, 2}, {3, 4}};
    int back[2][2];
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
    CALL(cudaMemcpy2DAsync(p, 8, rows, 8, 8, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyPeerAsync(q, 0, p, 0, 8));
    CALL(cudaMemcpyPeer(q + 2, 0, p + 2, 0, 8));
    CHECK(cudaMemcpyPeer(q, 1, p, 0, 8) == cudaErrorInvalidDevice);
    CHECK(at(q) == 1 && at(q + 1) == 2 && at(q + 2) == 3 && at(q + 3) == 4);
    CALL(cudaMallocArray(&array, &desc, 2, 2));
    CALL(cudaMemcpy2DToArrayAsync(array, 0, 0, rows, 8, 8, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpyToArray(array, 0, 1, rows, 8, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2DFromArrayAsync(back, 8, array, 0, 0, 8, 2, cudaMemcpyDeviceToHost));
    CHECK(back[0][1] == 2 && back[1][0] == 1 && back[1][1] == 2);
    CHECK(cudaMemcpyToArray(array, 0, 2, rows, 8, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CALL(cudaFreeArray(array));
}

static void kernels(int *p) {
    int value = 5;
    void *arguments[] = {&p, &value};
    cudaLaunchConfig_t config = {};
    CALL(cudaFuncSetCacheConfig(add, cudaFuncCachePreferShared));
    CALL(cudaFuncSetSharedMemConfig(add, cudaSharedMemBankSizeFourByte));
    config.gridDim = config.blockDim = 1;
    CALL(cudaMemset(p, 0, 4));
    CALL(cudaLaunchKernelExC(&config, (void *)add, arguments));
    CHECK(at(p) == 5);
    CHECK(cudaLaunchKernelExC(nullptr, (const void *)nullptr, arguments) == cudaErrorInvalidValue);
}

__global__ void stuck() {
    if (threadIdx.x % 2)
        __syncthreads();
    else
        __syncwarp(3u << threadIdx.x % 32);
}

__global__ void count_threads(int *p) {
    __syncthreads();
    atomicAdd(p, 1);
}

/* What a block that cannot continue has left is no hindrance to a full block after it. */
static void after_a_deadlock() {
    int *p, value;
    stuck<<<1, 1024>>>();
    CHECK(cudaDeviceSynchronize() != cudaSuccess);
    CALL(cudaDeviceReset());
    CALL(cudaMalloc(&p, 4));
    CALL(cudaMemset(p, 0, 4));
    count_threads<<<1, 1024>>>(p);
    CALL(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost));
    CHECK(value == 1024);
    CALL(cudaFree(p));
}

int main() {
    int *p, *q, *managed;
    CALL(cudaMalloc(&p, 64));
    CALL(cudaMalloc(&q, 64));
    CALL(cudaMallocManaged(&managed, 64));
    devices();
    streams(managed);
    pools();
    copies(p, q);
    kernels(p);
    CALL(cudaFree(p));
    CALL(cudaFree(q));
    CALL(cudaFree(managed));
    after_a_deadlock();
    return finish();
}
