/* The access map of a call, for people: which elements of the input and the output the first warp
 * of each kernel accesses, line by line, in the file that HISTOLAB_ACCESS names. */
#pragma once

#include "counts.h"

/* A counted call begins. The arrays are the host's addresses of memory of the device. */
void access_begin_call(const void *input, size_t input_bytes, size_t elements, const void *output,
                       size_t output_bytes);
void access_begin_launch(const char *name, uint64_t blocks, unsigned threads);
/* A request of block 0's first warp to global memory, in so many sectors. */
void access_request(const struct request *request, unsigned sectors);
/* Ends the process with a message where the file cannot be written. */
void access_end_call(void);
