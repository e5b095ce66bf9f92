/* Launches, shared memory and variables of the device in files that the step includes. */
#include "include/kernels.cuh"
#include "include/kernels.cuh"
#include "include/plain.h"
#include "include/variables.cuh"
#if 0
#include "include/kernels.cuh"
#include "include/nothing.cuh"
#endif

__global__ void more(int *out) { *out = on_device(); }

int main() {
    int *out;
    CALL(cudaMallocManaged(&out, sizeof *out));
    run(out);
    CALL(cudaDeviceSynchronize());
    CHECK(*out == 17 && FROM_PLAIN == 7);
    more<<<1, 1>>>(out);
    CALL(cudaDeviceSynchronize());
    CHECK(*out == 900);
    CHECK(on_host() == 9 && __LINE__ == 22);
    return finish();
}
