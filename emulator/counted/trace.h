/* What a block's warps did, in order. Between barriers a long part is sampled: every k-th chunk. */
#pragma once

#include <stdio.h>

#include "requests.h"

struct warp_trace;

struct block_trace {
    uint64_t block, requests; /* its number, and how many requests it made */
    unsigned warps, budget;   /* about so many items are kept of each warp */
    struct warp_trace *warp;
};

void trace_begin(struct block_trace *trace, uint64_t block, unsigned warps, unsigned budget);
/* measure: of a request; NULL for what has no address. */
void trace_add(struct block_trace *trace, unsigned warp, const struct request *request,
               const struct measure *measure);
void trace_end(struct block_trace *trace);
void trace_free(struct block_trace *trace);

/* Write it as the counts file has it, of operation `op`, and return the number of items. id: of the
 * request's site, and whether nvcc has one lane add for the others there. */
size_t trace_write(const struct block_trace *trace, FILE *file, unsigned op,
                   unsigned (*id)(const struct request *request, bool *merged));
