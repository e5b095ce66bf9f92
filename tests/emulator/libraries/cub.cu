/* CUB: collectives of blocks and warps, functions of the whole device. */
#include "check.h"

#include <cub/cub.cuh>
#include <algorithm>
#include <vector>

enum { THREADS = 96, ITEMS = 4, TILE = THREADS * ITEMS };

__global__ void collectives(const int *in, int n, int *scanned, int *sums) {
    typedef cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
    typedef cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    typedef cub::BlockScan<int, THREADS> Scan;
    typedef cub::BlockReduce<int, THREADS> Reduce;
    typedef cub::WarpReduce<int> Warp;
    __shared__ typename Load::TempStorage load;
    __shared__ typename Store::TempStorage store;
    __shared__ typename Scan::TempStorage scan;
    __shared__ typename Reduce::TempStorage reduce;
    __shared__ typename Warp::TempStorage warp[THREADS / 32];
    int items[ITEMS], all, first = blockIdx.x * TILE;
    Load(load).Load(in + first, items, n - first, 0);
    int sum = Reduce(reduce).Sum(items);
    int of_warp = Warp(warp[threadIdx.x / 32]).Sum(items[0]);
    Scan(scan).ExclusiveSum(items, items, all);
    Store(store).Store(scanned + first, items, n - first);
    if (threadIdx.x == 0) {
        sums[3 * blockIdx.x] = sum;
        sums[3 * blockIdx.x + 1] = all;
        sums[3 * blockIdx.x + 2] = of_warp;
    }
}

static void blocks(const std::vector<int> &host, const int *in) {
    int n = (int)host.size(), count = (n + TILE - 1) / TILE, *scanned, *sums;
    std::vector<int> got(n), totals(3 * count);
    CALL(cudaMalloc((void **)&scanned, n * sizeof(int)));
    CALL(cudaMalloc((void **)&sums, 3 * count * sizeof(int)));
    collectives<<<count, THREADS>>>(in, n, scanned, sums);
    CALL(cudaMemcpy(got.data(), scanned, n * sizeof(int), cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(totals.data(), sums, totals.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int b = 0; b < count; b++) {
        int sum = 0, of_warp = 0;
        for (int i = b * TILE; i < n && i < (b + 1) * TILE; i++) {
            CHECK(got[i] == sum);
            sum += host[i];
            of_warp += (i - b * TILE) % ITEMS == 0 && i - b * TILE < 32 * ITEMS ? host[i] : 0;
        }
        CHECK(totals[3 * b] == sum && totals[3 * b + 1] == sum && totals[3 * b + 2] == of_warp);
    }
    CALL(cudaFree(scanned));
    CALL(cudaFree(sums));
}

/* Call it for the size of the storage, and then with the storage. */
#define DEVICE_WIDE(function, ...)                                                                 \
    do {                                                                                           \
        void *storage = NULL;                                                                      \
        size_t bytes = 0;                                                                          \
        CALL(function(storage, bytes, __VA_ARGS__));                                               \
        CALL(cudaMalloc(&storage, bytes));                                                         \
        CALL(function(storage, bytes, __VA_ARGS__));                                               \
        CALL(cudaFree(storage));                                                                   \
    } while (0)

template <typename T> static std::vector<T> taken(const T *p, size_t n) {
    std::vector<T> to(n);
    CALL(cudaMemcpy(to.data(), p, n * sizeof *p, cudaMemcpyDeviceToHost));
    return to;
}

struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

static void device(const std::vector<int> &host, int *in) {
    int n = (int)host.size(), *out, *more, *count;
    CALL(cudaMalloc((void **)&out, n * sizeof(int)));
    CALL(cudaMalloc((void **)&more, n * sizeof(int)));
    CALL(cudaMalloc((void **)&count, sizeof(int)));
    DEVICE_WIDE(cub::DeviceReduce::Sum, in, count, n);
    int sum = 0;
    for (int x : host)
        sum += x;
    CHECK(taken(count, 1)[0] == sum);
    DEVICE_WIDE(cub::DeviceReduce::Max, in, count, n);
    CHECK(taken(count, 1)[0] == *std::max_element(host.begin(), host.end()));
    DEVICE_WIDE(cub::DeviceScan::InclusiveSum, in, out, n);
    CHECK(taken(out, n)[n - 1] == sum && taken(out, n)[0] == host[0]);
    DEVICE_WIDE(cub::DeviceSelect::If, in, out, count, n, is_even());
    CHECK(taken(count, 1)[0] == std::count_if(host.begin(), host.end(), is_even()));
    DEVICE_WIDE(cub::DeviceHistogram::HistogramEven, in, out, 5, -50, 50, n);
    CHECK(taken(out, 4)[1] ==
          std::count_if(host.begin(), host.end(), [](int x) { return x >= -25 && x < 0; }));
    std::vector<int> sorted = host, values;
    std::stable_sort(sorted.begin(), sorted.end());
    DEVICE_WIDE(cub::DeviceRadixSort::SortKeys, in, out, n);
    CHECK(taken(out, n) == sorted);
    DEVICE_WIDE(cub::DeviceRadixSort::SortPairsDescending, in, out, in, more, n);
    std::reverse(sorted.begin(), sorted.end());
    CHECK(taken(out, n) == sorted && taken(more, n) == sorted);
    int *unique = in; /* the input is not needed any more */
    DEVICE_WIDE(cub::DeviceRunLengthEncode::Encode, out, unique, more, count, n);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    CHECK(taken(count, 1)[0] == (int)sorted.size() && taken(unique, sorted.size()) == sorted);
    CALL(cudaFree(out));
    CALL(cudaFree(more));
    CALL(cudaFree(count));
}

static void floats() {
    std::vector<float> host = {3, -1, 0, -7.5f, 1e30f, 2}, want = host;
    std::sort(want.begin(), want.end());
    float *in, *out;
    CALL(cudaMalloc((void **)&in, 6 * sizeof(float)));
    CALL(cudaMalloc((void **)&out, 6 * sizeof(float)));
    CALL(cudaMemcpy(in, host.data(), 6 * sizeof(float), cudaMemcpyHostToDevice));
    DEVICE_WIDE(cub::DeviceRadixSort::SortKeys, in, out, 6);
    CHECK(taken(out, 6) == want);
    CALL(cudaFree(in));
    CALL(cudaFree(out));
}

int main() {
    std::vector<int> host(900);
    for (size_t i = 0; i < host.size(); i++)
        host[i] = (int)(i * 7919 % 101) - 50;
    int *in;
    CALL(cudaMalloc((void **)&in, host.size() * sizeof(int)));
    CALL(cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
    blocks(host, in);
    device(host, in);
    floats();
    CALL(cudaFree(in));
    return finish();
}
