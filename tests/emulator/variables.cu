/* Variables of the device, in each form that nvcc takes: they are known by their sections. */
#include "check.h"

__device__ int plain;
__device__ int set = 5, also[3] = {1, 2, 3};
static __device__ float table[2][3];
__device__ const int fixed = 6;
__device__ __align__(16) unsigned char aligned[5];
__align__(32) __device__ double first_aligned;
__device__ struct { int a, b; } nameless;
__device__ struct named { int a; } with_name = {7};
__device__ int (*function)(int);
__device__ int *const pointer = &plain;
__device__ const int *to_constant = &fixed;
__device__ volatile unsigned turn;
#ifdef EMULATOR_H /* nvcc wants -rdc=true for it */
extern __device__ int later;
#endif
__device__ int later = 8;
__device__ int with_brackets(9);
__constant__ int factors[4] = {1, 2, 3, 4};
static __constant__ __device__ double scale;
const __constant__ short small[2] = {1, 2};
__device__ __constant__ constexpr int primes[3] = {2, 3, 5};
__managed__ int shared_with_host = 10;
__device__ __managed__ int *list;
template <typename T> __device__ T of_type = T(11);
static inline __device__ int in_line = 12;
template <typename T, int N = (3 > 2)> struct holder {
    __device__ int times(int x) const { return x * N; }
    __device__ holder() {}
};
namespace {
namespace inner {
__device__ int hidden = 14;
}
} // namespace
typedef int (*operation)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ operation operations[] = {twice, nullptr};
__device__ __forceinline__ int declared(int);
__device__ __forceinline__ int declared(int x) {
    static __device__ int calls;
    return x + calls;
}
static int on_host = 15;

/* Which section holds it: d, c, m, r, or - for none. */
static char section_of(const void *p) {
    const char *c = static_cast<const char *>(p);
#ifdef EMULATOR_H
#define IN(space)                                                                                  \
    if (__start_emulator_##space <= c && c < __stop_emulator_##space)                              \
    return #space[0]
    IN(device);
    IN(constant);
    IN(managed);
    IN(readonly);
#endif
    (void)c;
    return '-';
}

__global__ void sum(int *out) {
    plain = set + also[2] + (int)table[1][2] + fixed + aligned[4] + (int)first_aligned;
    plain += nameless.b + with_name.a + *to_constant + (int)turn + later + with_brackets;
    plain += factors[3] + (int)scale + small[1] + primes[2] + shared_with_host + (list != nullptr);
    plain += of_type<int> + (int)of_type<float> + in_line;
    plain += inner::hidden + holder<int>().times(2) + declared(1);
    function = operations[0];
    *out = function(*pointer);
}

int main() {
    int *out;
    CALL(cudaMallocManaged(&out, sizeof *out));
    sum<<<1, 1>>>(out);
    CALL(cudaDeviceSynchronize());
    CHECK(*out == 2 * (5 + 3 + 6 + 7 + 6 + 8 + 9 + 4 + 2 + 5 + 10 + 11 + 11 + 12 + 14 + 2 + 1));
#ifdef EMULATOR_H
    /* clang-format off */
    const void *const variables[] = {
        &plain, &set, also + 2, &table[1][2], &aligned[4], &first_aligned, &nameless.b, &with_name,
        (const void *)&function, &to_constant, (const void *)&turn, &later, &with_brackets, &in_line,
        &inner::hidden, operations};
    /* clang-format on */
    for (const void *p : variables)
        CHECK(section_of(p) == 'd');
#ifdef __clang__ /* gcc 12 forgets the section of a template's variables */
    CHECK(section_of(&of_type<int>) == 'd' && section_of(&of_type<float>) == 'd');
#endif
    CHECK(section_of(&fixed) == 'r' && section_of(&pointer) == 'r' && section_of(small) == 'r' &&
          section_of(primes) == 'r');
    CHECK(section_of(factors) == 'c' && section_of(&scale) == 'c');
    CHECK(section_of(&shared_with_host) == 'm' && section_of(&list) == 'm');
    CHECK(section_of(out) == '-' && section_of(&out) == '-');
#endif
    CHECK(section_of(&on_host) == '-');
    return finish();
}
