/* What the runner and the driver have in common: each is the process that a step lives in. host.c
 * also implements what lab.h gives every step. */
#pragma once

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>

#include "emulator.h"

/* On a GPU the emulator's functions are not there, and nothing calls them. */
#ifdef __HISTOLAB_EMULATOR__
enum { EMULATED = 1 };
#else
enum { EMULATED = 0 };
#endif

/* The program's own: a CUDA call failed. Says so, and ends the process. */
_Noreturn void host_failed(int cuda_error, const char *text);

/* An error of the step's kernels shows in whatever call comes next, so the message says what the
 * step was doing, and not which call noticed. */
void host_check_step(cudaError_t status, const char *doing);

/* Device memory; no bytes are one. Ends the process where there is none. */
void *host_allocate(size_t bytes);

/* Have the step set up, or torn down, and wait until the device has finished. */
void host_set_up(size_t rows, size_t columns);
void host_tear_down(void);

/* One call of the step: `window`, rows x columns elements, and `output` are in device memory. */
struct host_call {
    const void *window;
    size_t rows, columns, window_bytes;
    void *output;
    size_t output_bytes;
};

/* Have the step make it. It may not be finished on the device when this returns the number of
 * kernels that were launched. */
unsigned long long host_call_step(const struct host_call *call);

/* Where an instruction lies in the program's file, as addr2line counts. */
uint64_t host_offset(const void *instruction);
