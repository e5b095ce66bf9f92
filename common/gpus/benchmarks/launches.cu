/* Launches: what one kernel after another costs, plain, overlapped, and with memsets between. */
#include "bench.cuh"

#include <chrono>

enum { CHAIN = 200 };

__global__ void nothing() {}

__global__ void nothing_overlapped() {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
}

/* Works for so many cycles, after the kernel before has ended. */
__global__ void work(long long cycles) {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
    const long long end = clock64() + cycles;
    while (clock64() < end) {
    }
}

/* When each kernel's first and last instruction ran. */
__global__ void stamp(long long *begins, long long *ends, int number) {
    const long long now = global_ns();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        begins[number] = now;
        ends[number] = global_ns();
    }
}

/* ns for each of CHAIN turns of `enqueue`. The device is kept busy until all are in the queue, so
 * that the host's speed does not matter. */
template <typename Enqueue>
static double queued_ns(Enqueue enqueue) {
    static cudaEvent_t before, after;
    if (!before) {
        CHECK(cudaEventCreate(&before));
        CHECK(cudaEventCreate(&after));
    }
    std::vector<double> times;
    for (int i = 0; i <= REPETITIONS; i++) {
        spin<<<1, 1>>>(4 * 1000 * 1000);
        CHECK(cudaEventRecord(before));
        for (int k = 0; k < CHAIN; k++)
            enqueue();
        CHECK(cudaEventRecord(after));
        CHECK(cudaDeviceSynchronize());
        float milliseconds;
        CHECK(cudaEventElapsedTime(&milliseconds, before, after));
        if (i)
            times.push_back(1e6 * milliseconds / CHAIN);
    }
    return median(times);
}

template <typename... Parameters, typename... Arguments>
static void launch(bool overlapped, int blocks, int threads, void (*kernel)(Parameters...),
                   Arguments... arguments) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.attrs = &attribute;
    config.numAttrs = overlapped;
    CHECK(cudaLaunchKernelEx(&config, kernel, (Parameters)arguments...));
}

/* What a kernel that works takes longer than its work: of kernels that work for C and for 2 C
 * cycles, twice the first time less the second. */
static double gap_ns(bool overlapped, int blocks, int threads) {
    const long long cycles = 20000;
    const double once = queued_ns([=] { launch(overlapped, blocks, threads, work, cycles); });
    const double twice = queued_ns([=] { launch(overlapped, blocks, threads, work, 2 * cycles); });
    return 2 * once - twice;
}

static void one_after_another() {
    const int all = 2 * multiprocessors();
    key("launch_ns", queued_ns([] { nothing<<<1, 32>>>(); }));
    key("launch_wide_ns", queued_ns([=] { nothing<<<all, 1024>>>(); }));
    key("gap_ns", gap_ns(false, multiprocessors(), 1024));
    if (device().major < 9)
        return;
    key("launch_overlapped_ns", queued_ns([] { launch(true, 1, 32, nothing_overlapped); }));
    key("launch_overlapped_wide_ns",
        queued_ns([=] { launch(true, all, 1024, nothing_overlapped); }));
    key("gap_overlapped_ns", gap_ns(true, multiprocessors(), 1024));
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
    key("memset_1mb_ns", queued_ns([=] { CHECK(cudaMemsetAsync(memory, 0, 1 << 20)); }));
    key("kernel_and_memset_ns", pair_ns);
    key("change_ns", std::max(0.0, (pair_ns - launch_ns - memset_ns) / 2));
    const long long cycles = 20000;
    const double work_ns = queued_ns([=] { work<<<all / 2, 1024>>>(cycles); });
    key("memset_after_work_ns", queued_ns([=] {
                                    work<<<all / 2, 1024>>>(cycles);
                                    CHECK(cudaMemsetAsync(memory, 0, 4096));
                                }) - work_ns);
    CHECK(cudaFree(memory));
}

/* From a kernel's last instruction to the next one's first. */
static double between_ns() {
    long long *begins = allocate<long long>(CHAIN), *ends = allocate<long long>(CHAIN);
    int number = 0;
    queued_ns([&] { stamp<<<1, 32>>>(begins, ends, number++ % CHAIN); });
    std::vector<long long> begin(CHAIN), end(CHAIN);
    const size_t bytes = CHAIN * sizeof(long long);
    CHECK(cudaMemcpy(begin.data(), begins, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(end.data(), ends, bytes, cudaMemcpyDeviceToHost));
    std::vector<double> between;
    for (int i = 1; i < CHAIN; i++)
        between.push_back((double)(begin[i] - end[i - 1]));
    return median(between);
}

/* A host that launches empty kernels and waits for none. */
static double host_ns() {
    const int launches = 2000;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; i++)
        nothing<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    return took.count() / launches;
}

/* A multiprocessor's time for each block that does nothing, when a grid has many. */
static double block_ns(int blocks, int threads) {
    const double few = event_ns([=] { nothing<<<blocks / 4, threads>>>(); });
    const double many = event_ns([=] { nothing<<<blocks, threads>>>(); });
    return (many - few) / (blocks * 0.75) * multiprocessors();
}

/* The first `working` warps of each block work; the others end at once. */
__global__ void work_alone(long long cycles, int working) {
    const long long end = clock64() + cycles;
    while (threadIdx.x < working * 32 && clock64() < end) {
    }
}

enum { WAVES = 40 };

/* The time of as many blocks as fit on the multiprocessors at once, if they keep their places to
 * the end, of WAVES times as many. */
static double wave_ns(int threads, long long cycles, int working) {
    const int fit = std::min(32, device().maxThreadsPerMultiProcessor / threads);
    const int blocks = WAVES * fit * multiprocessors();
    return event_ns([=] { work_alone<<<blocks, threads>>>(cycles, working); }) / WAVES;
}

/* From a block's end to the first instruction of the one that takes its place, where blocks work
 * for C cycles: a wave's time for C twice, less that for 2 C. */
static double block_gap_ns(int threads) {
    return 2 * wave_ns(threads, 2000, 32) - wave_ns(threads, 4000, 32);
}

int main() {
    warm_up();
    one_after_another();
    memsets();
    key("between_kernels_ns", between_ns());
    key("kernel_ns", 0); /* launch_ns has it all */
    key("launch_host_ns", host_ns());
    key("block_ns", block_ns(400000, 256));
    for (int threads : {32, 128, 256, 512, 1024})
        row("block_threads_ns", threads, block_ns(400000, threads));
    for (int threads : {32, 128, 256, 512, 1024})
        row("block_gap_ns", threads, block_gap_ns(threads));
    for (int working : {1, 8}) {
        row("block_wave_2000_ns", working, wave_ns(256, 2000, working));
        row("block_wave_4000_ns", working, wave_ns(256, 4000, working));
    }
}
