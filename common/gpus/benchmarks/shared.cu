/* Shared memory without atomics: what a wavefront costs. */
#include "bench.cuh"

enum { ROUNDS = 64, LOADS = 16 };

/* The 32 lanes read words of one bank. `zero` is 0, which the compiler does not know: it drops no
 * load. */
__global__ void conflicts(unsigned zero, Elapsed *elapsed) {
    __shared__ unsigned words[1024];
    const unsigned first = (unsigned)__cvta_generic_to_shared(&words[threadIdx.x % 32 * 32]);
    unsigned sum = 0;
    const Elapsed start = start_watch();
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const unsigned at = first + (round * LOADS + k) * zero;
            unsigned value;
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(at) : "memory");
            sum += value;
        }
    keep(sum);
    stop_watch(start, elapsed);
}

int main() {
    warm_up();
    const Medians took =
        block_medians(1, [](Elapsed *elapsed) { conflicts<<<1, 1024>>>(0, elapsed); });
    key("shared_wavefront_cycles", took.cycles / (32.0 * ROUNDS * LOADS) / 32);
}
