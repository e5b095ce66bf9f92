/* Loads of 4 bytes, 2 to 32 words apart; threads that each walk a stretch of their own. */
#include "lab.h"

enum { BLOCKS = 264, THREADS = 256 };

static uint32_t *scratch;

__global__ void strided(const uint32_t *words, size_t count, unsigned stride, uint32_t *result) {
    uint32_t sum = 0;
    const size_t first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (size_t i = first * stride; i < count; i += step * stride)
        sum += words[i];
    if (sum == 12345)
        *result = sum;
}

__global__ void stretches(const uint32_t *words, unsigned length, uint32_t *result) {
    uint32_t sum = 0;
    const uint32_t *own = words + (blockIdx.x * blockDim.x + threadIdx.x) * length;
    for (unsigned i = 0; i < length; i++)
        sum += own[i];
    if (sum == 12345)
        *result = sum;
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)histo;
    const uint32_t *words = (const uint32_t *)buffer;
    const unsigned strides[] = {1, 2, 3, 4, 7, 8, 16, 32, 33};
    for (unsigned stride : strides) {
        strided<<<BLOCKS, THREADS>>>(words, size / 4, stride, scratch);
        CUDA_CHECK(cudaGetLastError());
    }
    stretches<<<BLOCKS / 2, THREADS>>>(words, (unsigned)(size / 4 / (BLOCKS / 2 * THREADS)),
                                       scratch);
    CUDA_CHECK(cudaGetLastError());
    stretches<<<1, 1024>>>(words, 64, scratch);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
