// clamped is a function of the host, which the device cannot call: declare it __device__
static inline int clamped(int x);
__global__ void k(int *p) { *p = clamped(*p); }
int clamped(int x) { return x > 255 ? 255 : x; }
