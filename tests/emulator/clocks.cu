/* clock() in a kernel counts what clock64() counts; on the host it is the C library's. */
#include "check.h"
#include <time.h>
__global__ void wait_for(long long *took, clock_t clocks) {
    clock_t begin = clock();
    long long begin64 = clock64();
    while (clock() - begin < clocks)
        ;
    *took = clock64() - begin64;
}
int main() {
    long long *took;
    CALL(cudaMallocManaged(&took, sizeof *took));
    wait_for<<<1, 1>>>(took, 100000);
    CALL(cudaDeviceSynchronize());
    CHECK(*took > 50000);
    CHECK(clock() >= 0 && clock() < (clock_t)CLOCKS_PER_SEC * 1000);
    return finish();
}
