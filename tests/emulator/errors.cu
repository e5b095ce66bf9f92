/* What a device refuses, and with which error. */
#include "check.h"

__global__ void nothing() {}
__global__ void dynamic(int *out) {
    extern __shared__ int values[];
    values[threadIdx.x] = 3;
    *out = values[threadIdx.x];
}

#define REFUSED(error)                                                                             \
    CHECK(cudaPeekAtLastError() == (error));                                                       \
    CHECK(cudaGetLastError() == (error));                                                          \
    CHECK(cudaGetLastError() == cudaSuccess)

int main() {
    int *p, limit, device;
    float ms;
    nothing<<<0, 1>>>();
    REFUSED(cudaErrorInvalidValue);
    nothing<<<1, 0>>>();
    REFUSED(cudaErrorInvalidValue);
    nothing<<<1, 1025>>>();
    REFUSED(cudaErrorInvalidValue);
    nothing<<<1, dim3(1, 1, 65)>>>();
    REFUSED(cudaErrorInvalidValue);
    nothing<<<dim3(1, 65536), 1>>>();
    REFUSED(cudaErrorInvalidValue);
    nothing<<<1, dim3(32, 32, 2)>>>();
    REFUSED(cudaErrorInvalidValue);
    nothing<<<1, 1024>>>();
    CALL(cudaGetLastError());

    CALL(cudaMalloc(&p, 1000));
    dynamic<<<1, 32, 48 * 1024>>>(p);
    CALL(cudaGetLastError());
    CALL(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    dynamic<<<1, 32, limit>>>(p);
    REFUSED(cudaErrorInvalidValue);
    CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, limit));
    CALL(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
    dynamic<<<1, 32, limit>>>(p);
    CALL(cudaGetLastError());
    CHECK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, limit + 1) ==
          cudaErrorInvalidValue);
    REFUSED(cudaErrorInvalidValue);
    CALL(cudaDeviceSynchronize());

    CHECK(cudaFree((char *)p + 256) == cudaErrorInvalidValue);
    REFUSED(cudaErrorInvalidValue);
    CHECK(cudaMemset(p, 0, 4096) == cudaErrorInvalidValue || limit > 96 * 1024);
    cudaGetLastError();
    int host = 0;
    CHECK(cudaMemcpy(&host, p, 4, (cudaMemcpyKind)77) == cudaErrorInvalidMemcpyDirection);
    REFUSED(cudaErrorInvalidMemcpyDirection);
    CHECK(cudaSetDevice(1000) == cudaErrorInvalidDevice);
    REFUSED(cudaErrorInvalidDevice);
    CHECK(cudaMalloc(&p, (size_t)1 << 50) == cudaErrorMemoryAllocation);
    REFUSED(cudaErrorMemoryAllocation);
    cudaEvent_t a, b;
    CALL(cudaEventCreate(&a));
    CALL(cudaEventCreate(&b));
    CHECK(cudaEventElapsedTime(&ms, a, b) == cudaErrorInvalidResourceHandle);
    REFUSED(cudaErrorInvalidResourceHandle);
    CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    CALL(cudaGetDevice(&device));
    CHECK(device == 0);
    return finish();
}
