// two_shared.cu:3: error: declare one array
__global__ void k() {
    extern __shared__ int a[], b[];
}
