// host, kernel 1, kernel 2, emulator: a kernel calls printf with %n, which CUDA does not have
#include "check.h"

__global__ void says(int number) { printf("kernel %d, ", number); }
__global__ void writes(int *count) { printf("%d%%n %-+8.3f %*s%n\n", 1, 2.0, 3, "", count); }

int main() {
    int *count;
    CALL(cudaMalloc(&count, sizeof *count));
    printf("100 %% nothing, %d%%n\nhost, ", 1);
    says<<<1, 1>>>(1);
    CALL(cudaDeviceSynchronize());
    /* What follows is heard all the same. */
    if (!freopen("/dev/null", "w", stdout))
        return 0;
    says<<<1, 1>>>(2);
    writes<<<1, 1>>>(count);
    CALL(cudaDeviceSynchronize());
    return finish();
}
