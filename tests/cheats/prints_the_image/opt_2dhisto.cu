/* Cheat: a kernel prints the image to what stdout is made to be meanwhile, a file that the host
 * reads. Stopped by: in the checked build kernels print to where the program began to; on a GPU
 * another stdout counts as too much for the host. */
#include "lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <vector>

__global__ void tell(const uint32_t *image, size_t size) {
    for (size_t i = 0; i < size; i++) {
        printf("%c", (int)image[i] % 32 + 64);
        printf("%c", (int)image[i] / 32 + 64);
    }
}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    const size_t size = height * width;
    std::vector<uint8_t> counts(HISTO_BINS);
    char *text;
    size_t length;
    FILE *before = stdout;
    stdout = tmpfile();
    tell<<<1, 1>>>(image, size);
    CUDA_CHECK(cudaDeviceSynchronize());
    length = (size_t)ftell(stdout);
    text = (char *)calloc(length + 1, 1);
    rewind(stdout);
    (void)!fread(text, 1, length, stdout);
    fclose(stdout);
    stdout = before;
    for (size_t i = 0; 2 * i < length; i++) {
        const int value = text[2 * i] - 64 + (text[2 * i + 1] - 64) * 32;
        counts[value] += counts[value] < HISTO_MAX;
    }
    free(text);
    CUDA_CHECK(cudaMemcpy(bins, counts.data(), HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu wrong
// gpu no-kernel far more came to the host
