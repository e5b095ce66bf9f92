/* Warp operations against a model of each, for whole warps, parts of warps and ended lanes. */
#include "check.h"

template <typename T> __global__ void shuffles(T *out, int argument, int width) {
    T value = (T)(threadIdx.x * 3 + 1);
    T *mine = out + 4 * threadIdx.x;
    mine[0] = __shfl_sync(0xffffffff, value, argument, width);
    mine[1] = __shfl_up_sync(0xffffffff, value, (unsigned)argument, width);
    mine[2] = __shfl_down_sync(0xffffffff, value, (unsigned)argument, width);
    mine[3] = __shfl_xor_sync(0xffffffff, value, argument, width);
}

template <typename T> static void check_shuffles() {
    T *out;
    CALL(cudaMallocManaged(&out, 256 * sizeof *out));
    for (int width = 2; width <= 32; width *= 2)
        for (int n = 0; n < 32; n += n < 4 ? 1 : 5) {
            shuffles<T><<<1, 64>>>(out, n, width);
            CALL(cudaDeviceSynchronize());
            for (int t = 0; t < 64; t++) {
                int first = t / width * width, last = first + width - 1;
                int from[4] = {first + n % width, t - n >= first ? t - n : t,
                               t + n <= last ? t + n : t, (t ^ n) <= last ? t ^ n : t};
                for (int k = 0; k < 4; k++)
                    CHECK(out[4 * t + k] == (T)(from[k] * 3 + 1));
            }
        }
}

__global__ void votes(unsigned *out) {
    unsigned t = threadIdx.x, *mine = out + 16 * t, half = t % 32 < 16 ? 0xffff : 0xffff0000;
    int all;
    mine[0] = __ballot_sync(0xffffffff, t % 3 == 0);
    mine[1] = __any_sync(0xffffffff, t == 40) != 0;
    mine[2] = __all_sync(0xffffffff, t < 32) != 0;
    mine[3] = __match_any_sync(0xffffffff, t % 5);
    mine[4] = __match_all_sync(0xffffffff, t / 32, &all);
    mine[5] = (unsigned)all;
    mine[6] = __match_all_sync(0xffffffff, (double)t, &all);
    mine[7] = (unsigned)all;
    if (t % 32 < 16) /* two halves at once */
        mine[8] = __ballot_sync(0xffff, t & 1);
    else
        mine[8] = __ballot_sync(0xffff0000, t & 2);
    mine[9] = __reduce_add_sync(half, t);
    mine[10] = (unsigned)__reduce_min_sync(half, 5 - (int)t);
    mine[11] = __reduce_max_sync(half, t ^ 5);
    mine[12] = __reduce_or_sync(half, t);
    mine[13] = __reduce_xor_sync(half, t * t);
    mine[14] = __reduce_and_sync(half, t | 0x100);
    __syncwarp();
    mine[15] = __activemask();
}

/* Two calls at once. */
__global__ void who_is_here(unsigned *out) {
    if (threadIdx.x & 1) {
        __syncwarp(0xaaaaaaaa); /* else clang makes them one call */
        out[threadIdx.x] = __activemask();
    } else
        out[threadIdx.x] = ~__activemask();
}

/* An operation does not wait for lanes that have ended or never existed. */
__global__ void ended(unsigned *out) {
    if (threadIdx.x >= 20 && threadIdx.x < 30)
        return;
    out[threadIdx.x] = __ballot_sync(0xffffffff, 1);
}

__global__ void warp_sums(const int *in, int *out) {
    __shared__ int partial[32];
    int v = in[threadIdx.x];
    for (int n = 16; n > 0; n /= 2)
        v += __shfl_down_sync(0xffffffff, v, n);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
        for (int n = 16; n > 0; n /= 2)
            v += __shfl_xor_sync(0xffffffff, v, n);
        if (threadIdx.x == 0)
            *out = v;
    }
}

/* One addition for all lanes that are here with the same key. */
__global__ void aggregated(unsigned *bins, unsigned *old) {
    unsigned key = threadIdx.x % 7;
    if (key != 3) {
        unsigned here = __activemask();
        unsigned peers = __match_any_sync(here, key), lane = threadIdx.x % 32;
        unsigned leader = (unsigned)__ffs((int)peers) - 1, start = 0;
        if (lane == leader)
            start = atomicAdd(&bins[key], (unsigned)__popc(peers));
        start = __shfl_sync(peers, start, (int)leader);
        old[threadIdx.x] = start + (unsigned)__popc(peers & ((1u << lane) - 1));
    }
}

/* Match among values of all kinds: few, many, and far apart. */
__global__ void matches(const unsigned long long *values, unsigned *out) {
    unsigned mask = threadIdx.x % 32 < 24 ? 0x00ffffff : 0xff000000;
    out[2 * threadIdx.x] = __match_any_sync(mask, values[threadIdx.x]);
    out[2 * threadIdx.x + 1] = __match_any_sync(mask, (int)(values[threadIdx.x] % 3));
}

static void check_matches() {
    unsigned long long *values;
    unsigned *out;
    CALL(cudaMallocManaged(&values, 64 * sizeof *values));
    CALL(cudaMallocManaged(&out, 128 * sizeof *out));
    for (int round = 0; round < 20; round++) {
        unsigned long long step = round % 2 ? 1 : 1ull << 58;
        for (unsigned t = 0; t < 64; t++)
            values[t] = (t * 7 + (unsigned)round) % (2 + 2 * (unsigned)round) * step;
        matches<<<1, 64>>>(values, out);
        CALL(cudaDeviceSynchronize());
        for (unsigned t = 0; t < 64; t++) {
            unsigned same = 0, third = 0;
            for (unsigned u = t / 32 * 32; u < t / 32 * 32 + 32; u++) {
                if ((u % 32 < 24) != (t % 32 < 24))
                    continue;
                same |= (unsigned)(values[u] == values[t]) << u % 32;
                third |= (unsigned)(values[u] % 3 == values[t] % 3) << u % 32;
            }
            CHECK(out[2 * t] == same && out[2 * t + 1] == third);
        }
    }
}

/* A warp that meets again and again until another warp has done its part. */
__global__ void patient(volatile unsigned *flag, unsigned *out) {
    __syncthreads(); /* from here on all have started */
    if (threadIdx.x < 32)
        while (!*flag)
            __syncwarp();
    else if (threadIdx.x == 32)
        *flag = 1;
    out[threadIdx.x] = *flag;
}

int main() {
    check_matches();
    check_shuffles<int>();
    check_shuffles<unsigned>();
    check_shuffles<float>();
    check_shuffles<double>();
    check_shuffles<long long>();
    check_shuffles<unsigned long long>();
    unsigned *out;
    CALL(cudaMallocManaged(&out, 4096 * sizeof *out));
    votes<<<1, 64>>>(out);
    CALL(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 64; t++) {
        const unsigned *mine = out + 16 * t;
        unsigned first = t / 32 * 32, half = t / 16 * 16;
        unsigned ballot = 0, match = 0, sum = 0, max = 0, bits = 0, parity = 0, both = ~0u;
        for (unsigned i = 0; i < 32; i++) {
            ballot |= (unsigned)((first + i) % 3 == 0) << i;
            match |= (unsigned)((first + i) % 5 == t % 5) << i;
        }
        for (unsigned u = half; u < half + 16; u++) {
            sum += u;
            max = max > (u ^ 5) ? max : (u ^ 5);
            bits |= u;
            parity ^= u * u;
            both &= u | 0x100;
        }
        CHECK(mine[0] == ballot && mine[1] == (t >= 32) && mine[2] == (t < 32));
        CHECK(mine[3] == match && mine[4] == 0xffffffff && mine[5] == 1);
        CHECK(mine[6] == 0 && mine[7] == 0);
        CHECK(mine[8] == (t % 32 < 16 ? 0xaaaa : 0xcccc0000));
        CHECK(mine[9] == sum && (int)mine[10] == 5 - (int)(half + 15) && mine[11] == max);
        CHECK(mine[12] == bits && mine[13] == parity && mine[14] == both);
        CHECK(mine[15] == 0xffffffff);
    }
    CALL(cudaMemset(out, 0, 4));
    patient<<<1, 64>>>(out, out + 1);
    CALL(cudaDeviceSynchronize());
    CHECK(out[1] == 1);
    who_is_here<<<1, 32>>>(out);
    CALL(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 32; t++)
        CHECK(out[t] == 0xaaaaaaaa);
    ended<<<1, 40>>>(out);
    CALL(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 40; t++)
        if (t < 20 || t >= 30)
            CHECK(out[t] == (t < 32 ? 0xc00fffff : 0xffu));
    int *in = (int *)out, *sum = in + 2000;
    for (int threads = 32; threads <= 1024; threads *= 2) {
        int wanted = 0;
        for (int i = 0; i < threads; i++)
            wanted += in[i] = i * i % 77 - 30;
        warp_sums<<<1, threads>>>(in, sum);
        CALL(cudaDeviceSynchronize());
        CHECK(*sum == wanted);
    }
    CALL(cudaMemset(out, 0, 4096 * sizeof *out));
    aggregated<<<1, 1000>>>(out, out + 10);
    CALL(cudaDeviceSynchronize());
    for (unsigned key = 0; key < 7; key++) {
        unsigned count = 0, missing = 0;
        for (unsigned t = key; t < 1000; t += 7)
            count++;
        CHECK(out[key] == (key == 3 ? 0 : count));
        for (unsigned n = 0; n < count && key != 3; n++) { /* each position once */
            unsigned found = 0;
            for (unsigned t = key; t < 1000; t += 7)
                found += out[10 + t] == n;
            missing += found != 1;
        }
        CHECK(missing == 0);
    }
    return finish();
}
