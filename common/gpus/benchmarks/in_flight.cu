/* How much bandwidth of DRAM so many bytes in flight give, for all multiprocessors together and for
 * one alone: (warps on each multiprocessor) x (loads that a thread starts before it uses the first)
 * x (bytes of a load). */
#include "stream.cuh"

#include <map>

typedef std::map<int, double> Table; /* bytes in flight on a multiprocessor: GB/s, the best seen */

static uint4 *data;
static const size_t BYTES = (size_t)1 << 30;

/* Enough data for about half a millisecond, at a latency of 700 ns, and more than the L2 holds. */
static size_t enough(int bytes_in_flight, int blocks) {
    const double bytes = 5e5 * (bytes_in_flight * (double)blocks) / 700;
    return (size_t)std::min((double)BYTES, std::max(bytes, 2e6));
}

/* Other places each time, so that nothing is in the L2 from the time before. */
template <typename T, int LOADS> static double measure(int warps, int multiprocessors_used) {
    static size_t place;
    const int per_multiprocessor = warps > 32 ? 2 : 1, threads = warps * 32 / per_multiprocessor;
    const int blocks = multiprocessors_used * per_multiprocessor;
    const size_t bytes = enough(warps * 32 * LOADS * (int)sizeof(T), multiprocessors_used);
    const size_t count = bytes / sizeof(T), turn = (size_t)blocks * threads * LOADS;
    const double ns = event_ns(
        [=] {
            if (place + bytes > BYTES)
                place = 0;
            stream<T, LOADS><<<blocks, threads>>>((const T *)((const char *)data + place), count);
            place = (place + bytes + 4095) / 4096 * 4096;
        },
        5);
    return (double)(count / turn * turn * sizeof(T)) / ns;
}

template <typename T, int LOADS> static void add(Table *table, int used) {
    for (int warps : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}) {
        if (warps > 32 && (used == 1 || LOADS * sizeof(T) > 64 ||
                           32 * warps > device().maxThreadsPerMultiProcessor))
            continue; /* a second block would lie elsewhere, or its registers would not do */
        const int bytes = warps * 32 * LOADS * (int)sizeof(T);
        const double gbps = measure<T, LOADS>(warps, used);
        double &best = (*table)[bytes];
        best = std::max(best, gbps);
    }
}

template <typename T> static void all_loads(Table *table, int used) {
    add<T, 1>(table, used);
    add<T, 2>(table, used);
    add<T, 4>(table, used);
    add<T, 8>(table, used);
}

/* More in flight never gives less. */
static void measure_all(const char *name, int used) {
    Table table;
    all_loads<unsigned>(&table, used);
    all_loads<uint2>(&table, used);
    all_loads<uint4>(&table, used);
    double most = 0;
    for (auto &entry : table)
        row(name, entry.first, most = std::max(most, entry.second));
}

int main() {
    warm_up();
    data = allocate<uint4>(BYTES / sizeof(uint4));
    measure_all("in_flight", multiprocessors());
    measure_all("in_flight_alone", 1);
}
