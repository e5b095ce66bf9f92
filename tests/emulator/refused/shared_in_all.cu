// kernel mine::large(int*) uses too much shared data: 84000 bytes of __shared__ arrays, 49152 max
__shared__ int outside[4000];
__device__ __noinline__ void helper(int *p) {
    __shared__ int part[9000];
    part[*p] = 1;
    *p = part[*p + 1];
}
namespace mine {
__global__ void large(int *p) {
    __shared__ int part[8000];
    outside[*p] = part[*p] = 3;
    helper(p);
    *p = part[1] + outside[2];
}
} // namespace mine
void f(int *p) { mine::large<<<1, 1>>>(p); }
