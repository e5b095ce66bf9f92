/* How fast all multiprocessors, and one alone, read and write DRAM, L2 and L1. */
#include "stream.cuh"

static const size_t GIBIBYTE = (size_t)1 << 30;

__global__ void write(uint4 *data, size_t count) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        data[i] = make_uint4(1, 2, 3, 4);
}

__global__ void copy(uint4 *to, const uint4 *from, size_t count) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}

/* Bytes read and written, of `quads` in all. */
static double copy_gbps(uint4 *data, size_t quads) {
    const size_t count = quads / 2;
    double best = 0;
    for (int blocks : {2, 8, 64})
        best =
            std::max(best, 2 * count * sizeof(uint4) / event_ns([=] {
                               copy<<<blocks * multiprocessors(), 512>>>(data, data + count, count);
                           }));
    return best;
}

/* Each block reads the region `rounds` times from the L2, beginning at a place of its own. */
__global__ void read_l2(const uint4 *data, unsigned count, int rounds) {
    unsigned sum = 0;
    for (int round = 0; round < rounds; round++) {
        const unsigned first = (blockIdx.x + round * 37u) * 4096u % count + threadIdx.x;
#pragma unroll
        for (unsigned i = 0; i < 4096; i += 1024) {
            const unsigned at = first + i;
            sum += word(__ldcg(&data[at < count ? at : at - count]));
        }
    }
    keep(sum);
}

__global__ void write_words(unsigned *words, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        words[i] = i;
}

/* One block reads all of it once, 4 words a thread in flight. */
__global__ void read_once(const unsigned *words, unsigned count, Elapsed *elapsed) {
    unsigned sum = 0;
    const Elapsed start = start_watch();
    for (unsigned i = threadIdx.x; i + 3 * blockDim.x < count; i += 4 * blockDim.x)
        sum += words[i] + words[i + blockDim.x] + words[i + 2 * blockDim.x] +
               words[i + 3 * blockDim.x];
    keep(sum);
    stop_watch(start, elapsed);
}

/* 1 MiB that all multiprocessors have just written. */
static double first_read_gbps(unsigned *words, int threads) {
    const unsigned count = 1 << 18;
    const Medians took = block_medians(1, [=](Elapsed *elapsed) {
        write_words<<<multiprocessors(), 1024>>>(words, count);
        read_once<<<1, threads>>>(words, count, elapsed);
    });
    return count * sizeof(unsigned) / took.ns;
}

static double best_read(const void *data, size_t bytes) {
    const int all = multiprocessors();
    return std::max({stream_gbps<uint4, 1>(data, bytes, 2 * all, 1024),
                     stream_gbps<uint4, 2>(data, bytes, 2 * all, 1024),
                     stream_gbps<uint4, 4>(data, bytes, 2 * all, 512),
                     stream_gbps<uint4, 8>(data, bytes, 2 * all, 512),
                     stream_gbps<uint4, 8>(data, bytes, 2 * all, 256),
                     stream_gbps<uint4, 4>(data, bytes, 32 * all, 512),
                     stream_gbps<uint4, 1>(data, bytes, 256 * all, 256)});
}

static double best_alone(const void *data, size_t bytes) {
    return std::max(
        {stream_gbps<uint4, 1>(data, bytes, 1, 1024), stream_gbps<uint4, 2>(data, bytes, 1, 1024),
         stream_gbps<uint4, 4>(data, bytes, 1, 1024), stream_gbps<uint4, 8>(data, bytes, 1, 1024),
         stream_gbps<unsigned, 8>(data, bytes, 1, 1024)});
}

static double write_gbps(uint4 *data, size_t bytes) {
    const size_t count = bytes / sizeof(uint4);
    double best = 0;
    for (int blocks : {2, 8, 64})
        for (int threads : {256, 512})
            best = std::max(best, bytes / event_ns([=] {
                                      write<<<blocks * multiprocessors(), threads>>>(data, count);
                                  }));
    return best;
}

static double l2_gbps(const uint4 *data, size_t bytes) {
    const int blocks = 2 * multiprocessors(), rounds = 256;
    const double ns = event_ns(
        [=] { read_l2<<<blocks, 1024>>>(data, (unsigned)(bytes / sizeof(uint4)), rounds); });
    return blocks * (double)rounds * 4096 * sizeof(uint4) / ns;
}

int main() {
    warm_up();
    uint4 *data = allocate<uint4>(2 * GIBIBYTE / sizeof(uint4));
    key("dram_gbps", best_read(data, 2 * GIBIBYTE));
    key("dram_write_gbps", write_gbps(data, 2 * GIBIBYTE));
    key("dram_copy_gbps", copy_gbps(data, 2 * GIBIBYTE / sizeof(uint4)));
    key("l2_gbps", l2_gbps(data, (size_t)8 << 20));
    key("sm_dram_gbps", best_alone(data, GIBIBYTE / 2));
    event_ns([=] { stream<uint4, 1><<<multiprocessors(), 1024>>>(data, (16 << 20) / 16); });
    key("sm_l2_gbps", best_alone(data, (size_t)16 << 20));
    for (int threads : {128, 256, 512, 1024})
        row("sm_l2_first_gbps", threads, first_read_gbps((unsigned *)data, threads));
}
