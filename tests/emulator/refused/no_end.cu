// no_end.cu:3: error: this <<< has no >>>(arguments)
__global__ void k() {}
void f() { k<<<1, 2>>; }
