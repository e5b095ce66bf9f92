/* Launches: what one kernel after another costs, plain, overlapped, and with memsets between. */
#include "bench.cuh"

enum { CHAIN = 200 };

__global__ void nothing() {}

__global__ void nothing_overlapped() {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
}

/* ns for each of CHAIN turns of `enqueue`. The device is kept busy until all are in the queue, so
 * that the host's speed does not matter. */
template <typename Enqueue> static double queued_ns(Enqueue enqueue) {
    const auto chain = [=] {
        for (int k = 0; k < CHAIN; k++)
            enqueue();
    };
    return event_ns(chain, REPETITIONS, 4 * 1000 * 1000) / CHAIN;
}

static void launch_overlapped() {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 32;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, nothing_overlapped));
}

static void one_after_another() {
    const int all = 2 * multiprocessors();
    key("launch_ns", queued_ns([] { nothing<<<1, 32>>>(); }));
    key("launch_wide_ns", queued_ns([=] { nothing<<<all, 1024>>>(); }));
    key("host_launch_ns", event_ns([] {
                              for (int k = 0; k < CHAIN; k++)
                                  nothing<<<1, 32>>>();
                          }) / CHAIN);
    key("launch_overlapped_ns", device().major < 9 ? queued_ns([] { nothing<<<1, 32>>>(); })
                                                   : queued_ns(launch_overlapped));
}

static void memsets() {
    char *memory = allocate<char>(1 << 20);
    const int all = 2 * multiprocessors();
    const double launch_ns = queued_ns([=] { nothing<<<all, 1024>>>(); });
    const double memset_ns = queued_ns([=] { CHECK(cudaMemsetAsync(memory, 0, 4096)); });
    const double pair_ns = queued_ns([=] {
        nothing<<<all, 1024>>>();
        CHECK(cudaMemsetAsync(memory, 0, 4096));
    });
    key("memset_ns", memset_ns);
    key("change_ns", std::max(0.0, (pair_ns - launch_ns - memset_ns) / 2));
    CHECK(cudaFree(memory));
}

/* A multiprocessor's time for each block that does nothing, when a grid has many. */
static double block_ns(int blocks, int threads) {
    const double few = event_ns([=] { nothing<<<blocks / 4, threads>>>(); });
    const double many = event_ns([=] { nothing<<<blocks, threads>>>(); });
    return (many - few) / (blocks * 0.75) * multiprocessors();
}

__global__ void work(long long cycles) {
    const long long end = clock64() + cycles;
    while (clock64() < end) {
    }
}

enum { WAVES = 160 };

/* The time of as many blocks as fit on the multiprocessors at once, if they keep their places
 * to the end: of WAVES times as many, less that of a quarter of them, which has the launch. */
static double wave_ns(int threads, long long cycles) {
    const int fit = std::min(32, device().maxThreadsPerMultiProcessor / threads);
    const auto waves = [=](int count) {
        return event_ns([=] { work<<<count * fit * multiprocessors(), threads>>>(cycles); });
    };
    return (waves(WAVES) - waves(WAVES / 4)) / (WAVES - WAVES / 4);
}

/* From a block's end to the first instruction of the one that takes its place, where blocks
 * work for C cycles: a wave's time for C twice, less that for 2 C. */
static double block_gap_ns(int threads) {
    return 2 * wave_ns(threads, 2000) - wave_ns(threads, 4000);
}

int main() {
    warm_up();
    one_after_another();
    memsets();
    key("block_ns", block_ns(400000, 256));
    for (int threads : {32, 128, 256, 512, 1024})
        row("block_gap_ns", threads, block_gap_ns(threads));
}
