/* Cheat: in the first call of a sample it answers all of them at once, with one pass over the
 * strip, and writes to the outputs of calls that are still to come. Stopped by: the input changes
 * between the calls. */
#include "lab.h"
#include "runner/protocol.h"

#include <array>
#include <sys/mman.h>
#include <sys/stat.h>
#include <vector>

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

/* counts_before[row][bin]: pixels of that bin above a row of the strip. */
static std::vector<std::array<uint32_t, HISTO_BINS>> counts_before;

static void count_rows(size_t width) {
    counts_before.resize(strip_rows + 1);
    for (size_t row = 0; row < strip_rows; row++) {
        counts_before[row + 1] = counts_before[row];
        for (size_t x = 0; x < width; x++)
            counts_before[row + 1][strip[row * width + x]]++;
    }
}

static void look_up(size_t row, size_t height, uint8_t *bins) {
    for (int bin = 0; bin < HISTO_BINS; bin++) {
        const uint32_t count = counts_before[row + height][bin] - counts_before[row][bin];
        bins[bin] = count < HISTO_MAX ? count : HISTO_MAX;
    }
}

static std::vector<uint8_t> answers;
static size_t slot_bytes = 1024; /* outputs stand one after the other */

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height;
    open_strip(width);
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static const uint8_t *first_output;
    static size_t calls_of_a_sample;
    (void)image;
    if (!first_output)
        first_output = bins;
    if (bins != first_output)
        return;
    struct stat file;
    fstat(WINDOWS_FD, &file);
    calls_of_a_sample = file.st_size / sizeof *windows;
    answers.resize(calls_of_a_sample * slot_bytes);
    count_rows(width);
    for (size_t call = 0; call < calls_of_a_sample; call++)
        look_up(windows[call], height, &answers[call * slot_bytes]);
    CUDA_CHECK(cudaMemcpy(bins, answers.data(), answers.size(), cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu wrong|nondeterministic
// gpu no-kernel|wrong|nondeterministic
