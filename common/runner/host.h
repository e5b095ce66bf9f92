/* What the runner and the driver have in common: each is the process that a step lives in. host.c
 * also implements what lab.h gives every step. */
#pragma once

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>

#include "hazard.h"

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

/* The emulator is to be the GPU that this text describes, a file of common/gpus. Before any memory
 * is allocated. On a GPU both of these do nothing. */
void host_emulate(const char *gpu);

/* Have the counted build (emulator/counted) count the next call, and write the counts file,
 * ended by a zero byte, to `file` when the call ends. Where it does not fit in `size` bytes, or
 * there is another reason why there are no counts, it writes one line that says why. */
void host_count_next_call(char *file, size_t size);

/* Have the checked build count how often each element of the next call's input is read. */
struct reads;
void host_count_reads(struct reads *reads, size_t element_bytes);

/* Have the checked build only note which accesses are reached. */
void host_only_reach(void);

/* Have no kernel run: only whether it can be launched is asked. */
void host_only_launch(void);

/* Have the checked build analyse these launches of each call alone: bit 0 is the first. And which
 * of them had more than one block so far. */
void host_check_only(unsigned long long launches);
unsigned long long host_launches_of_blocks(void);

/* How often threads met in the last call: emulator_meetings. */
unsigned long long host_meetings(void);

/* Have the checked build run threads as it does in a new process; or in the order in which the
 * plain one does, where `one_by_one` with blocks one by one, as it does on one core. */
void host_run_threads(bool in_order, bool one_by_one);

/* Where an instruction lies in the program's file, as addr2line counts. */
uint64_t host_offset(const void *instruction);

/* From now on `tell` gets each hazard (hazard.h) as soon as it is seen, on any OS thread, one at a
 * time. On a GPU nothing looks for them. */
void host_on_hazard(void (*tell)(const struct hazard *hazard));
