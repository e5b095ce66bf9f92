/* Cheat: a destructor, which runs after main, prints a record of a pass and appends it to whatever
 * results it finds. Stopped by: the answer was wrong long before; records are the judge's. */
#include "lab.h"

#include <fcntl.h>
#include <unistd.h>

static const char record[] = "{\"submission\":\"\",\"step\":\"opt16_packed_flush\",\"kind\":"
                             "\"step\",\"verdict\":\"pass\"}\n";

__attribute__((destructor)) static void after_main(void) {
    int file = open("results.jsonl", O_WRONLY | O_APPEND);
    (void)!write(file, record, sizeof record - 1);
    (void)!write(STDOUT_FILENO, record, sizeof record - 1);
}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    (void)image, (void)height, (void)width, (void)bins;
}

void opt_2dhisto_teardown(void) {}

// cpu build-failed the attribute destructor
// gpu wrong nothing was written
