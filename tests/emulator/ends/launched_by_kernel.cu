// emulator: line 6: a kernel launches child, but the emulator has no dynamic parallelism
/* Where the rewriter cannot see that a function of the host runs on the device. */
#include "check.h"

__global__ void child() {}
void start() { child<<<1, 1>>>(); }
__global__ void parent() { start(); }

int main() {
    parent<<<2, 32>>>();
    CALL(cudaDeviceSynchronize());
    return finish();
}
