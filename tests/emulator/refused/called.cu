// called.cu:3
__global__ void fill(int *p) {}
void f(int *p) { fill(p); }
