/* What only the emulator promises: its two multiprocessors, and that a deadlock ends. */
#include "check.h"

__global__ void stuck() {
    if (threadIdx.x < 31)
        __shfl_sync(0xffffffff, 1, 0);
    else
        __syncthreads();
}
template <typename T> __global__ void put(T *p, T value) { *p = value; }

int main() {
    cudaDeviceProp p;
    int blocks, *data, got = 0;
    CALL(cudaGetDeviceProperties(&p, 0));
    CHECK(p.multiProcessorCount == 2 && p.major == 9 && p.minor == 0 &&
          strcmp(p.name, "histolab emulator") == 0);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stuck, 256, 0));
    CHECK(blocks == 8);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stuck, 32, 16 * 1024));
    CHECK(blocks == 6);
    CALL(cudaMalloc(&data, 100 * sizeof *data));
    CALL(cudaMemcpy(&got, data, sizeof got, cudaMemcpyDeviceToHost));
    CHECK((uintptr_t)data % 256 == 0 && got != 0);
    CHECK(cudaMemset(data, 0, 401) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(data, &p, 4, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);

    fflush(stdout);
    if (!freopen("/dev/null", "w", stderr))
        return 1;
    stuck<<<4, 32>>>();
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    CHECK(cudaMemset(data, 0, 400) == cudaErrorLaunchTimeout); /* as on a device, until the reset */
    CALL(cudaDeviceReset());
    put<<<1, 1>>>(data, 5);
    CALL(cudaDeviceSynchronize());
    CALL(cudaMemcpy(&got, data, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == 5);
    return finish();
}
