/* More local variables than a thread's stack holds. */
__global__ void deep(int *p) {
    volatile int local[30000];
    for (int i = 29999; i >= 0; i--)
        local[i] = i;
    __syncthreads();
    *p = local[5];
}
int main() {
    int *p;
    cudaMalloc(&p, 200);
    deep<<<1, 64>>>(p);
    return 0;
}
