// this_cluster
// Without an #else the kernel would be empty.
#include <cooperative_groups.h>
__global__ void f(unsigned *out) {
#if __CUDA_ARCH__ >= 900
    *out = cooperative_groups::this_cluster().num_blocks();
#endif
}
