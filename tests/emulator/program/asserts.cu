/* A kernel's assertion that fails is an error of CUDA's, which stays until the device is reset. */
#include "check.h"

#include <assert.h>

__global__ void at_most(int limit) {
    assert(threadIdx.x < (unsigned)limit);
    __syncthreads();
}

int main() {
    at_most<<<4, 64>>>(64);
    CALL(cudaDeviceSynchronize());
    at_most<<<4, 64>>>(60);
    CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
    CHECK(cudaGetLastError() == cudaErrorAssert);
    at_most<<<1, 1>>>(1);
    CHECK(cudaPeekAtLastError() == cudaErrorAssert);
    CALL(cudaDeviceReset());
    at_most<<<1, 1>>>(1);
    CALL(cudaDeviceSynchronize());
    return finish();
}
