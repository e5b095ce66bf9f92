/* The driver's functions, and the program's own kernels by its handles. */
#include "check.h"

#include <cuda.h>

__global__ void scale(float *to, const float *from, float by, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i] * by;
}

static float *to;

static void by_driver() {
    CUdevice device;
    CUdeviceptr place;
    cudaFunction_t function;
    int major = 0, count = 64;
    float by = 0.5f, last;
    CHECK(cuInit(0) == CUDA_SUCCESS);
    CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) ==
          CUDA_SUCCESS);
    CHECK(major > 0);
    CUmodule module;
    CHECK(cuModuleLoad(&module, "none.ptx") != CUDA_SUCCESS);
    CHECK(cuDeviceGet(&device, 1000) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(cudaGetLastError() == cudaSuccess); /* the driver's errors are not the runtime's */
    CHECK(cuMemAlloc(&place, 64 * sizeof(float)) == CUDA_SUCCESS);
    CHECK(cuMemsetD32(place, 0x40000000, 64) == CUDA_SUCCESS); /* 2.0f */
    CALL(cudaGetFuncBySymbol(&function, (const void *)scale));
    void *arguments[] = {&to, &place, &by, &count};
    CHECK(cuLaunchKernel(function, 2, 1, 1, 32, 1, 1, 0, 0, arguments, NULL) == CUDA_SUCCESS);
    CHECK(cuMemcpyDtoH(&last, (CUdeviceptr)(to + 63), sizeof last) == CUDA_SUCCESS);
    CHECK(last == 1);
    CHECK(cuMemFree(place) == CUDA_SUCCESS);
    const char *name;
    CHECK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &name) == CUDA_SUCCESS);
    CHECK(strcmp(name, "CUDA_ERROR_OUT_OF_MEMORY") == 0);
}

int main() {
    CUcontext context;
    size_t bytes;
    CHECK(cuMemGetInfo(&bytes, &bytes) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(cuInit(0) == CUDA_SUCCESS);
    CHECK(cuMemGetInfo(&bytes, &bytes) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
    CHECK(cuCtxSetCurrent(context) == CUDA_SUCCESS);
    CHECK(cuMemGetInfo(&bytes, &bytes) == CUDA_SUCCESS);
    CALL(cudaMalloc(&to, 64 * sizeof(float)));
    by_driver();
    return finish();
}
