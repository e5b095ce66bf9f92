// fill is a kernel, and only a launch runs it on the device: fill<<<grid, block>>>(...)
__global__ void fill(int *p);
template <typename T>
int check(T);
void f(int *p) {
    if (p)
        ::fill(p);
}
