/* Cheat: a kernel hands the image, part by part, to a thread of the host that polls a little
 * registered memory, and counts. Stopped by: threads of the host stand still while a kernel runs on
 * the emulator, so that the kernel waits for ever. On a GPU nobody sees it; it is far slower than
 * any kernel. */
#include "lab.h"

#include <stdlib.h>
#include <thread>
#include <vector>
#include <wchar.h>

enum { PART = 1000 }; /* pixels */

struct post {
    volatile unsigned sent, taken;
    uint32_t part[PART];
};

static post *shared;

__global__ void send(const uint32_t *image, size_t size, post *shared) {
    for (size_t begin = 0; begin < size; begin += PART) {
        for (size_t i = begin; i < size && i < begin + PART; i++)
            shared->part[i - begin] = image[i];
        __threadfence_system();
        shared->sent = shared->sent + 1;
        while (shared->taken != shared->sent)
            ;
    }
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height, (void)width;
    shared = static_cast<post *>(calloc(1, sizeof *shared));
    CUDA_CHECK(cudaHostRegister(shared, sizeof *shared, cudaHostRegisterMapped));
}

/* wmemcpy, because the checked build does not watch it. */
static void receive(size_t size, uint8_t *counts) {
    uint32_t part[PART], sent;
    for (size_t left = size; left;) {
        const size_t here = left < PART ? left : PART;
        do
            wmemcpy((wchar_t *)&sent, (const wchar_t *)&shared->sent, 1);
        while (sent == shared->taken);
        wmemcpy((wchar_t *)part, (const wchar_t *)shared->part, here);
        for (size_t i = 0; i < here; i++)
            counts[part[i]] += counts[part[i]] < HISTO_MAX;
        left -= here;
        wmemcpy((wchar_t *)&shared->taken, (const wchar_t *)&sent, 1);
    }
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    std::thread receiver(receive, size, counts.data());
    send<<<1, 1>>>(image, size, shared);
    CUDA_CHECK(cudaDeviceSynchronize());
    receiver.join();
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {
    CUDA_CHECK(cudaHostUnregister(shared));
    free(shared);
}

// cpu timed-out 3 x 37
// gpu pass
//     (it is right, and gains nothing but that)
