/* Instructions: how many a multiprocessor issues, and what warp operations cost. */
#include "bench.cuh"

enum { ROUNDS = 64, UNROLL = 16, GROUPS = 16 };

/* An operation gives x a new value, which depends on the old one. */
struct IntegerAdd {
    static __device__ void apply(unsigned &x, unsigned &y) {
        const unsigned sum = x + y; /* Fibonacci numbers: the compiler merges no two of these */
        y = x;
        x = sum;
    }
};

struct IntegerMultiply {
    static __device__ void apply(unsigned &x, unsigned &y) { x = x * y + y; }
};

struct FloatMultiply {
    static __device__ void apply(unsigned &x, unsigned &y) {
        x = __float_as_uint(__fmaf_rn(__uint_as_float(x), __uint_as_float(y), __uint_as_float(y)));
    }
};

struct Shuffle {
    static __device__ void apply(unsigned &x, unsigned &y) { x = __shfl_xor_sync(~0u, x, y & 31); }
};

/* CHAINS independent chains of dependent operations in each thread. */
template <typename Operation, int CHAINS> __global__ void chains(unsigned y, Elapsed *elapsed) {
    unsigned x[CHAINS], other[CHAINS], sum = 0;
    for (int k = 0; k < CHAINS; k++) {
        x[k] = threadIdx.x * 7 + k;
        other[k] = y;
    }
    const Elapsed start = start_watch();
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int i = 0; i < UNROLL; i++)
#pragma unroll
            for (int k = 0; k < CHAINS; k++)
                Operation::apply(x[k], other[k]);
    for (int k = 0; k < CHAINS; k++)
        sum += x[k];
    keep(sum);
    stop_watch(start, elapsed);
}

/* Floats and integers in turn: units of two kinds, so that only the schedulers limit. */
__global__ void mixed(unsigned y, Elapsed *elapsed) {
    unsigned a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3, of_a = y, of_d = y + 1;
    const Elapsed start = start_watch();
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int i = 0; i < UNROLL; i++) {
            IntegerAdd::apply(a, of_a);
            FloatMultiply::apply(b, y);
            FloatMultiply::apply(c, y);
            IntegerAdd::apply(d, of_d);
        }
    keep(a + b + c + d);
    stop_watch(start, elapsed);
}

/* 16 ifs a round; lanes with odd numbers have the bits of `odd`, the others those of `even`. What
 * stands in an if is an atomic on a word of the lane's own. */
__global__ void ifs(unsigned odd, unsigned even, unsigned addend, Elapsed *elapsed) {
    __shared__ unsigned words[1024];
    unsigned bits = threadIdx.x % 2 ? odd : even;
    words[threadIdx.x] = 0;
    const Elapsed start = start_watch();
#pragma unroll 1
    for (int round = 0; round < ROUNDS; round++) {
#pragma unroll
        for (int i = 0; i < 16; i++)
            if (bits >> i & 1)
                atomicAdd(&words[threadIdx.x], addend);
        bits = bits << 1 | bits >> 31;
    }
    stop_watch(start, elapsed);
    keep(words[threadIdx.x] + bits);
}

/* Operations of warps whose lanes form `groups`: which lanes have the same value; and a sum for
 * each group, one after the other. `zero` is 0, which the compiler does not know. */
__global__ void matches(unsigned groups, unsigned zero, Elapsed *elapsed) {
    unsigned value = threadIdx.x % groups, sum = 0;
    const Elapsed start = start_watch();
#pragma unroll UNROLL
    for (int i = 0; i < ROUNDS * UNROLL; i++) {
        sum += __match_any_sync(~0u, value);
        value += zero;
    }
    keep(sum);
    stop_watch(start, elapsed);
}

__global__ void group_sums(unsigned groups, unsigned zero, Elapsed *elapsed) {
    const unsigned mine = __match_any_sync(~0u, threadIdx.x % groups);
    unsigned value = threadIdx.x, sum = 0;
    const Elapsed start = start_watch();
#pragma unroll UNROLL
    for (int i = 0; i < ROUNDS * UNROLL; i++) {
        sum += __reduce_add_sync(mine, value);
        value += zero;
    }
    keep(sum);
    stop_watch(start, elapsed);
}

/* Each warp reads so many different words at a time, anywhere in a table of `words`. */
__constant__ unsigned constants[4096];
__global__ void lookups(unsigned different, unsigned words, Elapsed *elapsed) {
    const unsigned one = threadIdx.x % 32 % different, apart = words / 32;
    unsigned at = one * apart + scramble(one) % apart, sum = 0;
    const Elapsed start = start_watch();
#pragma unroll UNROLL
    for (int i = 0; i < ROUNDS * UNROLL; i++) {
        sum += constants[at];
        at = (at + 37) & (words - 1);
    }
    keep(sum);
    stop_watch(start, elapsed);
}

/* Operations of warps each cycle, of one multiprocessor with 32 warps. */
template <typename Kernel> static double per_cycle(int chains_in_thread, Kernel kernel) {
    const Medians took = block_medians(1, kernel);
    return 32.0 * ROUNDS * UNROLL * chains_in_thread / took.cycles;
}

template <typename Operation> static double throughput() {
    return per_cycle(4, [](Elapsed *elapsed) { chains<Operation, 4><<<1, 1024>>>(5, elapsed); });
}

/* Cycles of one operation after another, in one warp. */
template <typename Operation> static double latency() {
    const Medians took =
        block_medians(1, [](Elapsed *elapsed) { chains<Operation, 1><<<1, 32>>>(5, elapsed); });
    return took.cycles / (ROUNDS * UNROLL);
}

/* Cycles of a multiprocessor with 32 warps for each if of a warp. */
static double if_cycles(unsigned odd, unsigned even) {
    const Medians took =
        block_medians(1, [=](Elapsed *elapsed) { ifs<<<1, 1024>>>(odd, even, 3, elapsed); });
    return took.cycles / (32.0 * ROUNDS * 16);
}

/* Cycles of a multiprocessor with 32 warps for each of GROUPS that a warp's operation has. */
template <typename Kernel> static double cycles_each(Kernel kernel) {
    return 1 / per_cycle(1, kernel) / GROUPS;
}

int main() {
    warm_up();
    key("match_cycles",
        cycles_each([](Elapsed *elapsed) { matches<<<1, 1024>>>(GROUPS, 0, elapsed); }));
    key("group_cycles",
        cycles_each([](Elapsed *elapsed) { group_sums<<<1, 1024>>>(GROUPS, 0, elapsed); }));
    for (unsigned words : {256, 512, 1024, 4096})
        row("constant_cycles", 4 * words,
            cycles_each([=](Elapsed *elapsed) { lookups<<<1, 1024>>>(GROUPS, words, elapsed); }));
    key("if_half_cycles", if_cycles(~0u, 0));
    key("issue_per_cycle", per_cycle(4, [](Elapsed *elapsed) { mixed<<<1, 1024>>>(5, elapsed); }));
    key("integer_add_cycles", latency<IntegerAdd>());
    key("integer_multiply_per_cycle", throughput<IntegerMultiply>());
    key("shuffle_per_cycle", throughput<Shuffle>());
    key("warp_operation_cycles", latency<Shuffle>());
}
