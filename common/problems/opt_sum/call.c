#include "runner/call.h"
#include "lab.h"

void call_setup(size_t rows, size_t columns) { opt_sum_setup(rows * columns); }

void call_step(const void *window, size_t rows, size_t columns, void *output) {
    opt_sum(window, rows * columns, output);
}

void call_teardown(void) { opt_sum_teardown(); }
