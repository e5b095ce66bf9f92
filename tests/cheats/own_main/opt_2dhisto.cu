/* Cheat: a main of its own that says that all is well. Stopped by: what a step defines is local to
 * its object; the linker takes the runner's main. */
#include "lab.h"

#include <stdio.h>

int main() {
    puts("Test PASSED");
    return 0;
}

void opt_2dhisto_setup(size_t height, size_t width) { (void)height, (void)width; }

void opt_2dhisto(const uint32_t *image, size_t height, size_t width, uint8_t *bins) {
    (void)image, (void)height, (void)width, (void)bins;
}

void opt_2dhisto_teardown(void) {}

// cpu wrong nothing was written
// gpu wrong nothing was written
