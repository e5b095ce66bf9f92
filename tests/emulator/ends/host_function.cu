// a kernel calls cudaMemcpy: calling a __host__ function from a __global__ function is not allowed
/* The host's API in device code, by a pointer: what it writes there, the analysis would not see. */
#include "check.h"

typedef cudaError_t copier(void *, const void *, size_t, cudaMemcpyKind);
__global__ void copies(copier *copy, int *to, const int *from) {
    copy(to, from, sizeof *to, cudaMemcpyDefault);
}

int main() {
    int *numbers;
    CALL(cudaMalloc(&numbers, 2 * sizeof *numbers));
    copies<<<1, 32>>>(cudaMemcpy, numbers, numbers + 1);
    CALL(cudaDeviceSynchronize());
    return finish();
}
