// sized_shared.cu:3: error: dynamic shared memory must be one array without a size
__global__ void k() {
    extern __shared__ int a[5];
}
