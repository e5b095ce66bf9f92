/* Cheat: the set-up never returns: it speaks to the judge in the runner's place, with answers that
 * the processor computed beforehand, and says that its calls took less than no time. Stopped by:
 * the input changes when the clock has started, and the judge's clock counts. */
#include "lab.h"
#include "runner/protocol.h"

#include <array>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
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

static struct message receive(void) {
    struct message message;
    if (read(CONTROL_FD, &message, sizeof message) != sizeof message)
        _exit(0);
    return message;
}

static void say(enum message_kind kind, double event_s = 0) {
    struct message message = {};
    message.kind = kind;
    message.event_s = event_s;
    (void)!write(CONTROL_FD, &message, sizeof message);
}

/* Speak to the judge in the runner's place, with answers that the processor has made beforehand. */
static void be_the_runner(const struct message &job) {
    uint8_t *outputs = (uint8_t *)mmap(NULL, job.max_calls * job.slot_bytes, PROT_READ | PROT_WRITE,
                                       MAP_SHARED, OUTPUTS_FD, 0);
    open_strip(job.columns);
    count_rows(job.columns);
    say(MESSAGE_READY);
    for (;;) {
        const struct message next = receive();
        if (next.kind == MESSAGE_SAMPLE) {
            say(MESSAGE_ARMED);
            receive();
            for (size_t call = 0; call < next.calls; call++)
                look_up(windows[call], job.rows, outputs + call * job.slot_bytes);
            say(MESSAGE_DONE, -1);
            say(MESSAGE_COPIED);
        } else {
            say(next.kind == MESSAGE_TEAR_DOWN ? MESSAGE_TORN_DOWN : MESSAGE_READY);
        }
    }
}

/* What the runner was told of the job, from what it shares. */
static struct message job_of(size_t height, size_t width) {
    struct stat windows_file;
    fstat(WINDOWS_FD, &windows_file);
    struct message job = {};
    job.rows = height;
    job.columns = width;
    job.max_calls = windows_file.st_size / sizeof(uint64_t);
    job.slot_bytes = HISTO_BINS;
    return job;
}

void opt_2dhisto_setup(size_t height, size_t width) { be_the_runner(job_of(height, width)); }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    (void)image, (void)height, (void)width, (void)bins;
}

void opt_2dhisto_teardown(void) {}

// cpu wrong|nondeterministic|crashed
// gpu wrong|nondeterministic|crashed
