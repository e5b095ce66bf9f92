/* Cheat: the processor writes answers straight into the memory from which the judge reads the
 * outputs, and the device gets no work. Stopped by: the runner copies the outputs there from
 * device memory afterwards. */
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

static uint8_t *outputs;

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height;
    struct stat file;
    fstat(OUTPUTS_FD, &file);
    outputs =
        (uint8_t *)mmap(NULL, file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, OUTPUTS_FD, 0);
    open_strip(width);
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static const uint8_t *first_output;
    (void)image;
    if (!first_output)
        first_output = bins;
    uint8_t *answer = outputs + (bins - first_output);
    memset(answer, 0, HISTO_BINS);
    const size_t call = (bins - first_output) / HISTO_BINS;
    for (size_t i = 0; i < height * width; i++) {
        uint8_t &bin = answer[strip[windows[call] * width + i]];
        bin += bin < HISTO_MAX;
    }
}

void opt_2dhisto_teardown(void) {}

// cpu wrong nothing was written
// gpu wrong nothing was written
