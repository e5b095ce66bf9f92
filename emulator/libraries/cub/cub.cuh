/* What programs use most of CUB, written for the emulator: collectives of warps and blocks, and
 * functions for the whole device. These run as a kernel of one thread on their stream, so that the
 * analysis sees what they read and write. A class or function of CUB that is not here does not
 * compile. Which algorithm a template names makes no difference. */
#pragma once
#include "../../include/cuda_runtime.h"

#include <iterator>
#include <type_traits>

namespace cub {
/* ---- operators -------------------------------------------------------------------------- */

struct Sum {
    template <typename A, typename B> auto operator()(const A &a, const B &b) const {
        return a + b;
    }
};
struct Max {
    template <typename T> T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
    template <typename T> T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
#define EMULATOR_TRANSFERS(Name, NAME)                                                             \
    enum Block##Name##Algorithm{                                                                   \
        BLOCK_##NAME##_DIRECT,         BLOCK_##NAME##_STRIPED,                                     \
        BLOCK_##NAME##_VECTORIZE,      BLOCK_##NAME##_TRANSPOSE,                                   \
        BLOCK_##NAME##_WARP_TRANSPOSE, BLOCK_##NAME##_WARP_TRANSPOSE_TIMESLICED};
EMULATOR_TRANSFERS(Load, LOAD)
EMULATOR_TRANSFERS(Store, STORE)

namespace emulated {
inline unsigned thread() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* The first of n values with the others, in their order. */
template <typename T, typename I, typename Op>
__forceinline__ T fold(T first, const I &values, int n, Op op) {
    for (int i = 1; i < n; i++)
        first = op(first, (T)values[i]);
    return first;
}

/* Who takes part in a collective: the threads of a block, which must not use the storage again
 * before a barrier of their own, as with CUB; or so many lanes, all of them. */
template <int Threads> struct of_block {
    static constexpr int threads = Threads;
    static int rank() { return (int)thread(); }
    static void sync(unsigned line = __builtin_LINE()) { __syncthreads(line); }
    static void end() {}
};
template <int Width> struct of_warp {
    static constexpr int threads = Width;
    static int rank() { return (int)(thread() % Width); }
    static void sync() {
        __syncwarp((unsigned)(((1ull << Width) - 1) << thread() % 32 / Width * Width));
    }
    static void end() { sync(); }
};

/* Each thread leaves its part in the storage that the program gives, so that values may be of any
 * type, and puts them together in their order. */
template <typename T, typename Group> struct collective {
    struct TempStorage {
        alignas(T) unsigned char parts[Group::threads * sizeof(T)];
    };
    explicit collective(TempStorage &storage) : parts(reinterpret_cast<T *>(storage.parts)) {}

  protected:
    T *parts;
};

/* The result is thread 0's. */
template <typename T, typename Group> struct reduction : collective<T, Group> {
    using collective<T, Group>::collective;

    template <typename Op> T Reduce(T input, Op op, int valid = Group::threads) {
        this->parts[Group::rank()] = input;
        Group::sync();
        T result = Group::rank() == 0 ? fold(input, this->parts, valid, op) : input;
        Group::end();
        return result;
    }
    template <int N, typename Op> T Reduce(T (&input)[N], Op op) {
        return Reduce(fold(input[0], input, N, op), op);
    }
    T Sum(T input, int valid = Group::threads) { return Reduce(input, cub::Sum(), valid); }
    template <int N> T Sum(T (&input)[N]) { return Reduce(input, cub::Sum()); }
};

template <typename T, typename Group> class prefixes : public collective<T, Group> {
  public:
    using collective<T, Group>::collective;

    template <int N, typename Op> void InclusiveScan(T (&input)[N], T (&output)[N], Op op, T &all) {
        scan(input, output, nullptr, op, true, all);
    }
    template <int N, typename Op>
    void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op, T &all) {
        scan(input, output, &initial, op, false, all);
    }
    template <typename Op> void InclusiveScan(T input, T &output, Op op, T &all) {
        scan<1>({input}, reinterpret_cast<T(&)[1]>(output), nullptr, op, true, all);
    }
    template <typename Op> void ExclusiveScan(T input, T &output, T initial, Op op, T &all) {
        scan<1>({input}, reinterpret_cast<T(&)[1]>(output), &initial, op, false, all);
    }
    template <typename In, typename Out, typename Op>
    void InclusiveScan(In &&input, Out &output, Op op) {
        T all;
        InclusiveScan(input, output, op, all);
    }
    template <typename In, typename Out, typename Op>
    void ExclusiveScan(In &&input, Out &output, T initial, Op op) {
        T all;
        ExclusiveScan(input, output, initial, op, all);
    }
    template <typename In, typename Out, typename... All>
    void InclusiveSum(In &&input, Out &output, All &...all) {
        InclusiveScan(input, output, cub::Sum(), all...);
    }
    template <typename In, typename Out, typename... All>
    void ExclusiveSum(In &&input, Out &output, All &...all) {
        ExclusiveScan(input, output, T(), cub::Sum(), all...);
    }

  private:
    /* The aggregate has no initial value in it. */
    template <int N, typename Op>
    void scan(const T (&input)[N], T (&output)[N], const T *initial, Op op, bool inclusive,
              T &all) {
        const int self = Group::rank();
        const T *parts = this->parts;
        this->parts[self] = fold(input[0], input, N, op);
        Group::sync();
        bool any = initial != nullptr;
        T before = any ? *initial : T();
        for (int i = 0; i < self; i++, any = true)
            before = any ? op(before, parts[i]) : parts[i];
        const T total = fold(parts[0], parts, Group::threads, op);
        for (int i = 0; i < N; i++, any = true) {
            T next = any ? op(before, input[i]) : input[i];
            output[i] = inclusive ? next : before;
            before = next;
        }
        all = total;
        Group::end();
    }
};

/* Where a thread's i-th item of N stands. */
template <int N, bool striped> int place(int i, int threads) {
    int self = (int)thread();
    return striped ? i * threads + self : self * N + i;
}
} // namespace emulated

/* ---- blocks and warps ------------------------------------------------------------------- */

template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1, int = 0>
using BlockReduce = emulated::reduction<T, emulated::of_block<X * Y * Z>>;

template <typename T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
using BlockScan = emulated::prefixes<T, emulated::of_block<X * Y * Z>>;

template <typename T, int Width = 32, int = 0>
using WarpReduce = emulated::reduction<T, emulated::of_warp<Width>>;

template <typename T, int Width = 32, int = 0>
using WarpScan = emulated::prefixes<T, emulated::of_warp<Width>>;

template <typename T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int = 0>
class BlockLoad {
  public:
    struct TempStorage {};
    BlockLoad() = default;
    explicit BlockLoad(TempStorage &) {}

    template <typename I> void Load(I from, T (&items)[N], int valid = X * Y * Z * N) {
        for (int i = 0; i < N; i++) {
            int place = emulated::place<N, A == BLOCK_LOAD_STRIPED>(i, X * Y * Z);
            if (place < valid)
                items[i] = from[place];
        }
    }
    template <typename I, typename Other>
    void Load(I from, T (&items)[N], int valid, Other otherwise) {
        for (int i = 0; i < N; i++)
            items[i] = otherwise;
        Load(from, items, valid);
    }
};

template <typename T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1, int = 0>
class BlockStore {
  public:
    struct TempStorage {};
    BlockStore() = default;
    explicit BlockStore(TempStorage &) {}

    template <typename I> void Store(I to, T (&items)[N], int valid = X * Y * Z * N) {
        for (int i = 0; i < N; i++) {
            int place = emulated::place<N, A == BLOCK_STORE_STRIPED>(i, X * Y * Z);
            if (place < valid)
                to[place] = items[i];
        }
    }
};

/* ---- the device ------------------------------------------------------------------------- */

namespace emulated {
/* Without storage the caller asks how much there must be. Otherwise `work` runs as a kernel. */
template <typename Work> void one_thread(Work work) { work(); }
template <typename Work>
cudaError_t device_wide(void *storage, size_t &bytes, cudaStream_t stream, const char *name,
                        Work work) {
    if (!storage) {
        bytes = 1;
        return cudaSuccess;
    }
    ::emulator::launcher(one_thread<Work>, ::emulator::config(1, 1, 0, stream), name,
                         __LINE__)(work);
    return cudaPeekAtLastError();
}

template <typename I> using value = typename std::iterator_traits<I>::value_type;
} // namespace emulated

struct DeviceReduce {
    template <typename In, typename Out, typename Op, typename T>
    static cudaError_t Reduce(void *storage, size_t &bytes, In in, Out out, int n, Op op, T initial,
                              cudaStream_t stream = 0) {
        return emulated::device_wide(storage, bytes, stream, "cub::DeviceReduce", [=] {
            T result = initial;
            for (int i = 0; i < n; i++)
                result = op(result, in[i]);
            *out = result;
        });
    }
    template <typename In, typename Out>
    static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, int n,
                           cudaStream_t stream = 0) {
        return Reduce(storage, bytes, in, out, n, cub::Sum(), emulated::value<In>(), stream);
    }
    template <typename In, typename Out>
    static cudaError_t Min(void *storage, size_t &bytes, In in, Out out, int n,
                           cudaStream_t stream = 0) {
        return first_of(storage, bytes, in, out, n, cub::Min(), stream);
    }
    template <typename In, typename Out>
    static cudaError_t Max(void *storage, size_t &bytes, In in, Out out, int n,
                           cudaStream_t stream = 0) {
        return first_of(storage, bytes, in, out, n, cub::Max(), stream);
    }

  private:
    template <typename In, typename Out, typename Op>
    static cudaError_t first_of(void *storage, size_t &bytes, In in, Out out, int n, Op op,
                                cudaStream_t stream) {
        return emulated::device_wide(storage, bytes, stream, "cub::DeviceReduce", [=] {
            if (n > 0)
                *out = emulated::fold((emulated::value<In>)in[0], in, n, op);
        });
    }
};

struct DeviceScan {
    template <typename In, typename Out, typename Op, typename T>
    static cudaError_t ExclusiveScan(void *storage, size_t &bytes, In in, Out out, Op op, T initial,
                                     int n, cudaStream_t stream = 0) {
        return emulated::device_wide(storage, bytes, stream, "cub::DeviceScan", [=] {
            T before = initial;
            for (int i = 0; i < n; i++) {
                T next = op(before, in[i]);
                out[i] = before;
                before = next;
            }
        });
    }
    template <typename In, typename Out, typename Op>
    static cudaError_t InclusiveScan(void *storage, size_t &bytes, In in, Out out, Op op, int n,
                                     cudaStream_t stream = 0) {
        return emulated::device_wide(storage, bytes, stream, "cub::DeviceScan", [=] {
            emulated::value<In> sum = {};
            for (int i = 0; i < n; i++) {
                sum = i ? op(sum, in[i]) : in[i];
                out[i] = sum;
            }
        });
    }
    template <typename In, typename Out>
    static cudaError_t ExclusiveSum(void *storage, size_t &bytes, In in, Out out, int n,
                                    cudaStream_t stream = 0) {
        return ExclusiveScan(storage, bytes, in, out, Sum(), emulated::value<In>(), n, stream);
    }
    template <typename In, typename Out>
    static cudaError_t InclusiveSum(void *storage, size_t &bytes, In in, Out out, int n,
                                    cudaStream_t stream = 0) {
        return InclusiveScan(storage, bytes, in, out, Sum(), n, stream);
    }
};

/* The bins are [lower, upper), cut into levels - 1 parts; what lies outside is not counted. */
struct DeviceHistogram {
    template <typename In, typename Counter, typename Level>
    static cudaError_t HistogramEven(void *storage, size_t &bytes, In in, Counter *counts,
                                     int levels, Level lower, Level upper, int n,
                                     cudaStream_t stream = 0) {
        return emulated::device_wide(storage, bytes, stream, "cub::DeviceHistogram", [=] {
            typedef std::conditional_t<std::is_floating_point_v<Level>, Level, long long> wide;
            for (int i = 0; i < levels - 1; i++)
                counts[i] = 0;
            for (int i = 0; i < n; i++) {
                Level sample = (Level)in[i];
                if (sample < lower || !(sample < upper))
                    continue;
                int bin = (int)(((wide)sample - (wide)lower) * (levels - 1) /
                                ((wide)upper - (wide)lower));
                counts[bin < levels - 1 ? bin : levels - 2]++;
            }
        });
    }
};

/* Two arrays, of which one holds what is current. */
template <typename T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector = 0;
    DoubleBuffer() : d_buffers{nullptr, nullptr} {}
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};

namespace emulated {
/* A key as a number whose order is the key's. -0 is 0. */
template <typename K> unsigned long long in_order(K key) {
    typedef typename ::emulator::word<sizeof(K)>::type word;
    word bits, top = (word)((word)1 << (8 * sizeof(K) - 1));
    if constexpr (std::is_floating_point_v<K>)
        key = key == 0 ? 0 : key;
    memcpy(&bits, &key, sizeof bits);
    if constexpr (std::is_floating_point_v<K>)
        return (word)(bits & top ? ~bits : bits | top);
    return std::is_signed_v<K> ? (word)(bits ^ top) : bits;
}

struct no_value {};

/* Stable, by digits of 8 bits. `spare` has room for the keys and the values. */
template <typename K, typename V>
void radix_sort(const K *keys_in, K *keys, const V *values_in, V *values, int n, bool descending,
                int begin, int end, char *spare) {
    K *keys_spare = reinterpret_cast<K *>(spare);
    V *values_spare = reinterpret_cast<V *>(spare + ((size_t)n * sizeof(K) + 15) / 16 * 16);
    for (int i = 0; i < n; i++) {
        keys[i] = keys_in[i];
        if (values)
            values[i] = values_in[i];
    }
    for (int bit = begin; bit < end; bit += 8) {
        const unsigned mask = (1u << (end - bit < 8 ? end - bit : 8)) - 1;
        int first[257] = {0};
        auto digit = [=](K key) {
            unsigned d = (unsigned)(in_order(key) >> bit) & mask;
            return descending ? mask - d : d;
        };
        for (int i = 0; i < n; i++)
            first[digit(keys[i]) + 1]++;
        for (int i = 0; i < 256; i++)
            first[i + 1] += first[i];
        for (int i = 0; i < n; i++) {
            int to = first[digit(keys[i])]++;
            keys_spare[to] = keys[i];
            if (values)
                values_spare[to] = values[i];
        }
        for (int i = 0; i < n; i++) {
            keys[i] = keys_spare[i];
            if (values)
                values[i] = values_spare[i];
        }
    }
}

template <typename K, typename V>
cudaError_t sort(void *storage, size_t &bytes, const K *keys_in, K *keys, const V *values_in,
                 V *values, int n, bool descending, int begin, int end, cudaStream_t stream) {
    static_assert(std::is_arithmetic_v<K>, "keys are numbers");
    cudaError_t status = device_wide(storage, bytes, stream, "cub::DeviceRadixSort", [=] {
        radix_sort(keys_in, keys, values_in, values, n, descending, begin, end,
                   static_cast<char *>(storage));
    });
    if (!storage)
        bytes = (size_t)n * (sizeof(K) + sizeof(V)) + 16;
    return status;
}
} // namespace emulated

struct DeviceRadixSort {
#define EMULATOR_SORTS(Order, descending)                                                          \
    template <typename K>                                                                          \
    static cudaError_t SortKeys##Order(void *storage, size_t &bytes, const K *in, K *out, int n,   \
                                       int begin = 0, int end = 8 * sizeof(K),                     \
                                       cudaStream_t stream = 0) {                                  \
        emulated::no_value *none = nullptr;                                                        \
        return emulated::sort(storage, bytes, in, out, none, none, n, descending, begin, end,      \
                              stream);                                                             \
    }                                                                                              \
    template <typename K>                                                                          \
    static cudaError_t SortKeys##Order(void *storage, size_t &bytes, DoubleBuffer<K> &keys, int n, \
                                       int begin = 0, int end = 8 * sizeof(K),                     \
                                       cudaStream_t stream = 0) {                                  \
        cudaError_t status = SortKeys##Order(storage, bytes, (const K *)keys.Current(),            \
                                             keys.Alternate(), n, begin, end, stream);             \
        keys.selector ^= storage != nullptr;                                                       \
        return status;                                                                             \
    }                                                                                              \
    template <typename K, typename V>                                                              \
    static cudaError_t SortPairs##Order(void *storage, size_t &bytes, const K *keys_in, K *keys,   \
                                        const V *values_in, V *values, int n, int begin = 0,       \
                                        int end = 8 * sizeof(K), cudaStream_t stream = 0) {        \
        return emulated::sort(storage, bytes, keys_in, keys, values_in, values, n, descending,     \
                              begin, end, stream);                                                 \
    }                                                                                              \
    template <typename K, typename V>                                                              \
    static cudaError_t SortPairs##Order(void *storage, size_t &bytes, DoubleBuffer<K> &keys,       \
                                        DoubleBuffer<V> &values, int n, int begin = 0,             \
                                        int end = 8 * sizeof(K), cudaStream_t stream = 0) {        \
        cudaError_t status = SortPairs##Order(storage, bytes, (const K *)keys.Current(),           \
                                              keys.Alternate(), (const V *)values.Current(),       \
                                              values.Alternate(), n, begin, end, stream);          \
        keys.selector ^= storage != nullptr;                                                       \
        values.selector ^= storage != nullptr;                                                     \
        return status;                                                                             \
    }
    EMULATOR_SORTS(, false)
    EMULATOR_SORTS(Descending, true)
};

struct DeviceSelect {
    template <typename In, typename Out, typename Count, typename Op>
    static cudaError_t If(void *storage, size_t &bytes, In in, Out out, Count count, int n, Op op,
                          cudaStream_t stream = 0) {
        return keep(storage, bytes, in, out, count, n, stream, [=](int i) { return op(in[i]); });
    }
    template <typename In, typename Flags, typename Out, typename Count>
    static cudaError_t Flagged(void *storage, size_t &bytes, In in, Flags flags, Out out,
                               Count count, int n, cudaStream_t stream = 0) {
        return keep(storage, bytes, in, out, count, n, stream, [=](int i) { return flags[i]; });
    }
    template <typename In, typename Out, typename Count>
    static cudaError_t Unique(void *storage, size_t &bytes, In in, Out out, Count count, int n,
                              cudaStream_t stream = 0) {
        return keep(storage, bytes, in, out, count, n, stream,
                    [=](int i) { return !i || !(in[i] == in[i - 1]); });
    }

  private:
    template <typename In, typename Out, typename Count, typename Keeps>
    static cudaError_t keep(void *storage, size_t &bytes, In in, Out out, Count count, int n,
                            cudaStream_t stream, Keeps keeps) {
        return emulated::device_wide(storage, bytes, stream, "cub::DeviceSelect", [=] {
            int kept = 0;
            for (int i = 0; i < n; i++)
                if (keeps(i))
                    out[kept++] = in[i];
            *count = kept;
        });
    }
};

struct DeviceRunLengthEncode {
    template <typename In, typename Unique, typename Lengths, typename Count>
    static cudaError_t Encode(void *storage, size_t &bytes, In in, Unique unique, Lengths lengths,
                              Count count, int n, cudaStream_t stream = 0) {
        return emulated::device_wide(storage, bytes, stream, "cub::DeviceRunLengthEncode", [=] {
            int runs = 0, begin = 0;
            for (int i = 1; i <= n; i++) {
                if (i < n && in[i] == in[i - 1])
                    continue;
                unique[runs] = in[begin];
                lengths[runs++] = i - begin;
                begin = i;
            }
            *count = runs;
        });
    }
};
} // namespace cub
