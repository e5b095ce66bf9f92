/* The host's half of the header must be good C. */
#include <cuda_runtime.h>

int main(void) {
    void *p;
    cudaEvent_t event;
    dim3 size = {1, 1, 1};
    uint4 v = make_uint4(1, 2, 3, 4);
    return cudaMalloc(&p, size.x + v.x) != cudaSuccess || cudaEventCreate(&event) != cudaSuccess;
}
