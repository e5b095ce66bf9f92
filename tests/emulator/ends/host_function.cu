// a kernel calls cudaMemcpy: calling a __host__ function from a __global__ function is not allowed
/* The host's API in device code: what it writes there, the analysis would not see. */
#include "check.h"

__global__ void copies(int *to, const int *from) {
    cudaMemcpy(to, from, sizeof *to, cudaMemcpyDefault);
}

int main() {
    int *numbers;
    CALL(cudaMalloc(&numbers, 2 * sizeof *numbers));
    copies<<<1, 32>>>(numbers, numbers + 1);
    CALL(cudaDeviceSynchronize());
    return finish();
}
