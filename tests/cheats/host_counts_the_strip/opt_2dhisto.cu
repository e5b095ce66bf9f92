/* Cheat: the processor computes the answers, from the memory that the judge shares with the
 * process, and the GPU stays idle. Stopped by: the input changes in device memory alone, and a
 * processor is slower. */
#include "lab.h"
#include "runner/protocol.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* The strip as the judge shares it with this process, and the windows of a sample's calls. */
static const uint32_t *strip;
static const uint64_t *windows;
static size_t strip_rows;

static void open_strip(size_t width) {
    struct stat strip_file, windows_file;
    fstat(STRIP_FD, &strip_file);
    fstat(WINDOWS_FD, &windows_file);
    strip = (const uint32_t *)mmap(NULL, strip_file.st_size, PROT_READ, MAP_SHARED, STRIP_FD, 0);
    windows =
        (const uint64_t *)mmap(NULL, windows_file.st_size, PROT_READ, MAP_SHARED, WINDOWS_FD, 0);
    strip_rows = strip_file.st_size / (width * sizeof *strip);
}

static uint8_t answer[HISTO_BINS];

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height;
    open_strip(width);
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static size_t call;
    static const uint8_t *first_output;
    (void)image;
    if (!first_output)
        first_output = bins;
    if (bins == first_output)
        call = 0;
    memset(answer, 0, sizeof answer);
    for (size_t i = 0; i < height * width; i++) {
        uint8_t &bin = answer[strip[windows[call] * width + i]];
        bin += bin < HISTO_MAX;
    }
    call++;
    CUDA_CHECK(cudaMemcpy(bins, answer, HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu wrong|nondeterministic
// gpu no-kernel|wrong|nondeterministic
