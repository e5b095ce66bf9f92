/* Cheat: a thread of its own waits for the windows of the next sample, and computes all answers
 * before the judge's clock starts; the calls only copy them. Stopped by: the step learns the
 * windows when the clock starts, and the input changes after that. */
#include "lab.h"
#include "runner/protocol.h"

#include <array>
#include <chrono>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
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

enum { MOST = 1024 };
static uint8_t answers[MOST][HISTO_BINS];
static size_t window_count, rows_of_a_window;

/* Until the process ends: as soon as a window changes, its answer does. */
static void keep_watch(void) {
    std::vector<uint64_t> known(window_count, UINT64_MAX);
    for (;;) {
        for (size_t i = 0; i < window_count; i++)
            if (windows[i] != known[i])
                look_up(known[i] = windows[i], rows_of_a_window, answers[i]);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}

void opt_2dhisto_setup(size_t height, size_t width) {
    struct stat file;
    fstat(WINDOWS_FD, &file);
    window_count = file.st_size / sizeof *windows < MOST ? file.st_size / sizeof *windows : MOST;
    rows_of_a_window = height;
    open_strip(width);
    count_rows(width);
    std::thread(keep_watch).detach();
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static size_t call;
    static const uint8_t *first_output;
    (void)image, (void)height, (void)width;
    if (!first_output)
        first_output = bins;
    if (bins == first_output)
        call = 0;
    CUDA_CHECK(cudaMemcpyAsync(bins, answers[call++ % MOST], HISTO_BINS, cudaMemcpyHostToDevice));
}

void opt_2dhisto_teardown(void) {}

// cpu wrong|nondeterministic|no-kernel
// gpu wrong|nondeterministic
