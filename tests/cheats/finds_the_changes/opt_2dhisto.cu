/* Cheat: keeps tables of the whole strip, finds the changes of a sample on the runner's stack, and
 * updates the tables: every answer is right, and no input is read. Stopped by: that is faster than
 * the memory, which is flagged. The emulator, where nothing is timed, lets it pass. With a pause
 * that makes it as slow as an honest step it would pass on a GPU too: no clock can tell, only a
 * person who reads the source. */
#include "lab.h"
#include "runner/protocol.h"

#include <array>
#include <string.h>
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

static uint8_t answers[1024][HISTO_BINS];
static std::vector<uint32_t> pixels; /* of the strip, as they are in device memory */
static struct message known;         /* the last GO */

/* The judge's message lies in a frame of the runner's, further up the stack. */
static const struct message *find_go(void) {
    const char *frame = (const char *)__builtin_frame_address(0);
    for (size_t offset = 0; offset < 16 * 1024; offset += 8) {
        const struct message *message = (const struct message *)(frame + offset);
        if (message->kind == MESSAGE_GO && message->patches <= MOST_PATCHES && !message->rows)
            return message;
    }
    return NULL;
}

static void change(const struct patch &patch, size_t width) {
    uint32_t bin;
    memcpy(&bin, patch.value, sizeof bin);
    for (size_t row = patch.element / width + 1; row <= strip_rows; row++) {
        counts_before[row][pixels[patch.element]]--;
        counts_before[row][bin]++;
    }
    pixels[patch.element] = bin;
}

void opt_2dhisto_setup(size_t height, size_t width) {
    (void)height;
    open_strip(width);
    count_rows(width);
    pixels.assign(strip, strip + strip_rows * width);
}

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    static const uint8_t *first_output;
    static uint32_t patched;
    static size_t call;
    (void)image;
    if (!first_output)
        first_output = bins;
    if (bins == first_output) {
        call = patched = 0;
        const struct message *go = find_go();
        known.patches = 0;
        if (go)
            known = *go;
    }
    for (; patched < known.patches && known.patch[patched].call <= call; patched++)
        change(known.patch[patched], width);
    look_up(windows[call], height, answers[call % 1024]);
    CUDA_CHECK(cudaMemcpyAsync(bins, answers[call % 1024], HISTO_BINS, cudaMemcpyHostToDevice));
    call++;
}

void opt_2dhisto_teardown(void) {}

// cpu no-kernel
// gpu no-kernel
