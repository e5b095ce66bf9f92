// next is a function of the host, which the device cannot call
constexpr int next(int x) { return x + 1; }
enum { ON_HOST = next(1) };
__global__ void k(int *p) { p[0] = next(3); }
