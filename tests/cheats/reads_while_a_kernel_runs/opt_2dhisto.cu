/* Cheat: a thread of the host reads the image, by a function of the C library, while a kernel runs:
 * then the device's memory is open. Stopped by: the step's own threads stand still meanwhile. */
#include "lab.h"
#include <atomic>
#include <thread>
#include <vector>
#include <wchar.h>

__global__ void wait(unsigned nanoseconds) {
    const long long begin = clock64();
    while (clock64() - begin < nanoseconds)
        __nanosleep(1000);
}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::vector<uint32_t> copy(size);
    std::thread reader([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        wmemcpy(reinterpret_cast<wchar_t *>(copy.data()), reinterpret_cast<const wchar_t *>(image),
                size);
    });
    wait<<<1, 1>>>(100000000);
    CUDA_CHECK(cudaDeviceSynchronize());
    reader.join();
    for (uint32_t value : copy)
        counts[value] += counts[value] < HISTO_MAX;
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu hazard host-touches-device.* reads
// gpu crashed signal 11
