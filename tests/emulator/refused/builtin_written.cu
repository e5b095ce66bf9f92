// builtin_written.cu:4:
#include <cuda_runtime.h>

__global__ void k() { gridDim.x = 3; }
