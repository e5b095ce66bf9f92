// emulator: a kernel calls printf with %n, which CUDA does not have
#include "check.h"

__global__ void writes(int *count) { printf("%d%%n %-+8.3f %*s%n\n", 1, 2.0, 3, "", count); }

int main() {
    int *count;
    printf("100 %% nothing, %d%%n\n", 1);
    CALL(cudaMalloc(&count, sizeof *count));
    writes<<<1, 1>>>(count);
    CALL(cudaDeviceSynchronize());
    return finish();
}
