// wrong_type.cu:4:
__global__ void k(int *) {}
void f(float *p) {
    k<<<1, 1>>>(p);
}
