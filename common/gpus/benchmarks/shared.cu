/* Shared memory without atomics: what a wavefront costs, by the conflicts of a request. */
#include "bench.cuh"

enum { ROUNDS = 64, LOADS = 16 };

/* Lanes below `ways` read words of one bank, the others words of banks of their own. */
__device__ unsigned conflicting(unsigned ways) {
    const unsigned lane = threadIdx.x % 32;
    return lane < ways ? lane * 32 : lane;
}

/* `zero` is 0, which the compiler does not know: it drops no load and no store. */
template <bool STORE>
__global__ void conflicts(unsigned ways, unsigned zero, Elapsed *elapsed) {
    __shared__ unsigned words[1024];
    const unsigned first = (unsigned)__cvta_generic_to_shared(&words[conflicting(ways)]);
    unsigned sum = 0;
    const Elapsed start = start_watch();
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const unsigned at = first + (round * LOADS + k) * zero;
            unsigned value = 0;
            if (STORE)
                asm volatile("st.shared.u32 [%0], %0;" ::"r"(at) : "memory");
            else
                asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
            sum += value;
        }
    keep(sum);
    stop_watch(start, elapsed);
}

/* Neighbouring lanes read neighbouring 8 or 16 bytes. */
template <int BYTES>
__global__ void wide(unsigned zero, Elapsed *elapsed) {
    __shared__ uint4 quads[1024];
    unsigned sum = 0;
    const unsigned first =
        (unsigned)__cvta_generic_to_shared(quads) + threadIdx.x % 32 * (unsigned)BYTES;
    const Elapsed start = start_watch();
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const unsigned at = first + (round * LOADS + k) * zero;
            unsigned x, y, z = 0, w = 0;
            if (BYTES == 8)
                asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(at));
            else
                asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                             : "r"(at));
            sum += x + y + z + w;
        }
    keep(sum);
    stop_watch(start, elapsed);
}

/* Cycles of the multiprocessor for each request, with 32 warps. */
template <typename Kernel>
static double cycles_per_request(Kernel kernel) {
    return block_medians(1, kernel).cycles / (32.0 * ROUNDS * LOADS);
}

int main() {
    warm_up();
    for (unsigned ways : {1, 2, 4, 8, 16, 32}) {
        const double cycles = cycles_per_request(
            [=](Elapsed *elapsed) { conflicts<false><<<1, 1024>>>(ways, 0, elapsed); });
        row("shared_load", ways, cycles);
        if (ways == 32)
            key("shared_wavefront_cycles", cycles / 32);
    }
    for (unsigned ways : {1, 2, 4, 8, 16, 32})
        row("shared_store", ways, cycles_per_request([=](Elapsed *elapsed) {
                conflicts<true><<<1, 1024>>>(ways, 0, elapsed);
            }));
    row("shared_load_wide", 8,
        cycles_per_request([](Elapsed *elapsed) { wide<8><<<1, 1024>>>(0, elapsed); }));
    row("shared_load_wide", 16,
        cycles_per_request([](Elapsed *elapsed) { wide<16><<<1, 1024>>>(0, elapsed); }));
}
