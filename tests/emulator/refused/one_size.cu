// one_size.cu:3: error: a launch needs a grid and a block
__global__ void k() {}
void f() { k<<<1>>>(); }
