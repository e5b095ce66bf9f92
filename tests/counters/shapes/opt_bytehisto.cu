/* Blocks of two and three dimensions, warps that are not full, grids that end within a block. */
#include "lab.h"

enum { ROWS = 512, COLUMNS = 1000 };

static uint32_t *scratch;

__global__ void image(const uint32_t *words, uint32_t *result) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    uint32_t sum = 0;
    if (x < COLUMNS && y < ROWS)
        sum = words[y * COLUMNS + x];
    if (sum == 12345)
        *result = sum;
}

__global__ void volume(const uint32_t *words, uint32_t *result) {
    const unsigned x = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const uint32_t sum = words[x + blockIdx.x * 320] + words[threadIdx.z * 1024 + threadIdx.x];
    if (sum == 12345)
        *result = sum;
}

__global__ void line(const uint32_t *words, size_t count, uint32_t *result) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && words[i] == 12345)
        *result = 1;
}

void opt_bytehisto_setup(size_t size) {
    (void)size;
    CUDA_CHECK(cudaMalloc(&scratch, sizeof *scratch));
}

void opt_bytehisto(const uint8_t *buffer, size_t size, uint32_t *histo) {
    (void)size, (void)histo;
    const uint32_t *words = (const uint32_t *)buffer;
    image<<<dim3((COLUMNS + 15) / 16, ROWS / 16), dim3(16, 16)>>>(words, scratch);
    image<<<dim3((COLUMNS + 31) / 32, ROWS / 8), dim3(32, 8)>>>(words, scratch);
    image<<<dim3((COLUMNS + 7) / 8, ROWS / 4), dim3(8, 4)>>>(words, scratch);
    image<<<dim3((COLUMNS + 47) / 48, ROWS / 3), dim3(48, 3)>>>(words, scratch);
    volume<<<264, dim3(8, 4, 10)>>>(words, scratch);
    volume<<<264, dim3(5, 3, 7)>>>(words, scratch);
    line<<<1000, 33>>>(words, 32500, scratch);
    line<<<1000, 1>>>(words, 1000, scratch);
    line<<<300, 250>>>(words, 74321, scratch);
    CUDA_CHECK(cudaGetLastError());
}

void opt_bytehisto_teardown(void) { CUDA_CHECK(cudaFree(scratch)); }
