/* Counts one call of a test's step(), and prints the counts file. */
#include <stdio.h>
#include <stdlib.h>

#include "cuda_runtime_api.h"
#include "emulator.h"

void step_setup(void);
void step(void);

int main(void) {
    enum { BYTES = 1 << 24 };
    char *counts = malloc(BYTES);
    emulator_emulate("name small\nmultiprocessors 2\nshared_block_bytes 200000\n");
    step_setup();
    emulator_begin_call(NULL, 0, NULL, 0);
    step(); /* not counted */
    emulator_end_call();
    counted_next_call(counts, BYTES);
    emulator_begin_call(NULL, 0, NULL, 0);
    step();
    emulator_end_call();
    fputs(counts, stdout);
    free(counts);
    return cudaGetLastError() != cudaSuccess;
}
