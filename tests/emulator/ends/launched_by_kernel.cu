// emulator: line 6: a kernel launches child, but the emulator has no dynamic parallelism
/* Where the front end cannot see that a function of the host runs on the device. */
#include "check.h"

__global__ void child() {}
static void start() { child<<<1, 1>>>(); }
__global__ void parent(void (*starts)()) { starts(); }

int main() {
    parent<<<2, 32>>>(start);
    CALL(cudaDeviceSynchronize());
    return finish();
}
