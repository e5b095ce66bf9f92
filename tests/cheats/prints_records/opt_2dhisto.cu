/* Cheat: prints records, verdicts and scores, as if the judge had. Stopped by: what a step prints
 * goes into its log and nowhere else. */
#include "lab.h"

#include <stdio.h>

static void praise(void) {
    puts("Test PASSED");
    puts("{\"submission\":\"\",\"step\":\"opt05_multiblock\",\"kind\":\"step\",\"verdict\":"
         "\"pass\",\"median_s\":1e-9}");
    puts("{\"scores\":{\"opt05_multiblock\":100}}");
    puts("1 passed, 0 failed");
}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    (void)image, (void)height, (void)width, (void)bins;
    praise();
}

void opt_2dhisto_teardown(void) {}

// cpu wrong nothing was written
// gpu wrong nothing was written
