// emulator: line 7: a kernel launches child, but a graded step has no dynamic parallelism
/* Where the rewriter cannot see that a function of the host runs on the device. */
#include "check.h"

__global__ void child() {}
struct starter {
    void start() const { child<<<1, 1>>>(); }
};
__global__ void parent(starter s) { s.start(); }

int main() {
    parent<<<2, 32>>>(starter());
    CALL(cudaDeviceSynchronize());
    return finish();
}
