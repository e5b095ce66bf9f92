#include "runner/call.h"
#include "lab.h"

void call_setup(size_t rows, size_t columns) { opt_2dhisto_setup(rows, columns); }

void call_step(const void *window, size_t rows, size_t columns, void *output) {
    opt_2dhisto(window, rows, columns, output);
}

void call_teardown(void) { opt_2dhisto_teardown(); }
