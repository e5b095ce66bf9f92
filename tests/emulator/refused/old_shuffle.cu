// CUDA 13 has no __shfl_down: use __shfl_down_sync
__global__ void k(int *p) { *p = __shfl_down(*p, 1); }
