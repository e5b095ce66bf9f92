/* What can stand between <<< and >>>: shifts, comparisons, arrows, templates, lambdas. */
#include "check.h"

__global__ void count(int *out) { atomicAdd(out, 1); }
template <int A, typename T = int> __global__ void add(int *out, T value) {
    atomicAdd(out, (int)value * A);
}
template <int A, int B> struct sizes {
    static const int sum = A + B;
    int value = A;
};
template <int A, int B> int larger(int x) { return x > A ? x : B; }
struct plan {
    int blocks, threads;
    const plan *next;
    int rows[2];
    template <int N> int times() const { return blocks * N; }
};
struct dimensions {
    dim3 grid, block;
};

int main() {
    int *out, wanted = 0, n = 1000;
    plan second = {2, 32, nullptr, {3, 4}}, first = {3, 64, &second, {1, 2}}, *p = &first;
    dimensions d = {dim3(2, 2), dim3(4, 4)};
    CALL(cudaMallocManaged(&out, sizeof *out));
    *out = 0;
#define RAN(threads) wanted += (threads)
    /* clang-format off */
    count<<<n >> 8, 256>>>(out), RAN(3 * 256);
    count<<<(n + 255) >> 8, 256>>>(out), RAN(4 * 256);
    count<<<(n + 255) / 256, 1 << 8>>>(out), RAN(4 * 256);
    count<<<n>>8, n>>5>>>(out), RAN(3 * 31);
    count<<<p->blocks, 256>>>(out), RAN(3 * 256);
    count<<<p->next->blocks, p->threads>>>(out), RAN(2 * 64);
    count<<<p->rows[1], p->next->rows[n > 2]>>>(out), RAN(2 * 4);
    count<<<(*p).blocks, (&first)->threads>>>(out), RAN(3 * 64);
    count<<<p->blocks>2 ? 5 : 6, 7>>>(out), RAN(5 * 7);
    count<<<n < 4 ? 1 : 2, n > 4 ? 3 : 4>>>(out), RAN(2 * 3);
    count<<<(n < 4) + 1, (n > 4) + 1>>>(out), RAN(2);
    count<<<n >= 1000 && n < 2000 ? 2 : 1, n >> 9>>>(out), RAN(2);
    count<<<sizes<1, 2>::sum, sizes<3, 4>::sum>>>(out), RAN(3 * 7);
    count<<<sizes<1, (2 > 1)>::sum, sizes<sizes<1, 1>::sum, 2>::sum>>>(out), RAN(2 * 4);
    count<<<sizes<4, 5>().value, sizes<6, 7>{}.value>>>(out), RAN(4 * 6);
    count<<<larger<3, 4>(5), larger<(3 < 4), 9>(8)>>>(out), RAN(5 * 8);
    count<<<p->times<2>(), p->next->times<3>()>>>(out), RAN(6 * 6);
    count<<<dim3(n >> 8, 2), dim3(p->blocks, 2), p->blocks >> 1, 0>>>(out), RAN(6 * 6);
    count<<<d.grid, d.block>>>(out), RAN(4 * 16);
    count<<<[&] { return n >> 9; }(), [](int x) { return x > 1 ? x >> 1 : x; }(64)>>>(out), RAN(32);
    count<<<static_cast<int>(n * 0.002), static_cast<unsigned>(5)>>>(out), RAN(2 * 5);
    count<<<((n + 99) / 100 > 5 ? ((n + 99) / 100) : 5), ((n >> 3) & 31) + 1>>>(out), RAN(10 * 30);
    add<3><<<n >> 9, p->rows[1]>>>(out, 2), RAN(2 * 6);
    add<(5 > 4), float><<<p->blocks, 1>>>(out, 2.0f), RAN(6);
    add<sizes<1, 2>::sum><<<n >> 8, 1>>>(out, (n >> 3) > 1 ? 2 : 3), RAN(3 * 6);
    if (p->blocks > 2)
        count<<<p->blocks, 1>>>(out), RAN(3);
    for (int i = 0; i < n >> 8; i++)
        count<<<i + 1 > 2 ? 2 : 1, 1>>>(out), RAN(i > 1 ? 2 : 1);
    /* clang-format on */
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
    CHECK(*out == wanted);
    return finish();
}
