/* The access map of a call: which thread reads which element of the input, and writes which byte of
 * the output, in the file that HISTOLAB_ACCESS names. files.md describes it, desk/inside/access
 * draws it. Every block is counted then, to find every element that is missed. */
#pragma once

#include "counts.h"

/* A counted call begins. The arrays are the host's addresses of memory of the device. */
void access_begin_call(const void *input, size_t rows, size_t columns, size_t input_bytes,
                       const void *output, size_t output_bytes);
/* Whether it is drawn; then access_request wants the requests of all blocks. */
bool access_wanted(void);
/* Kernel `op` begins, of so many blocks and threads. */
void access_begin_launch(unsigned op, uint64_t blocks, unsigned threads);
/* A request that has addresses, of this block of the kernel. A block stays on one OS thread. */
void access_request(uint64_t block, unsigned warp, const struct request *request, unsigned sectors);
void access_end_launch(const char *name);
/* Write the file. Ends the process with a message where that is impossible. */
void access_end_call(void);
