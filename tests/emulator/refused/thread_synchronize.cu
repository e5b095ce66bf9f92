// CUDA 13 has no cudaThreadSynchronize: use cudaDeviceSynchronize
void f() { cudaThreadSynchronize(); }
