// a step has no driver API (cuMemAlloc): use the runtime API
#include <cuda.h>
void *f() {
    CUdeviceptr p;
    cuMemAlloc(&p, 4);
}
