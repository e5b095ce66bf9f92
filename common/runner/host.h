/* What the runner and the driver have in common: each is the process that a step lives in. host.c
 * also implements what lab.h gives every step. */
#ifndef HOST_H
#define HOST_H

#include <cuda_runtime.h>
#include <stddef.h>

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

#endif
