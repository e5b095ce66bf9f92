// ptx.cu:6:
__global__ void k(int *p) {
#ifdef __CUDA_ARCH__
    asm volatile("fine, because it is not compiled");
#endif
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(*p));
}
