// called_template.cu:7
namespace mine {
template <int N, typename T>
__global__ void fill(T *p, T value = N) {}
} // namespace mine
void f(int *p) {
    mine::fill<4, int>(p);
}
