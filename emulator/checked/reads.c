// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "reads.h"
#include "../findings/emulator.h"

#include <string.h>

static struct reads *reads; /* of the call under way; or NULL */
static size_t element_bytes, elements;

void emulator_count_reads(struct reads *of_next_call, size_t bytes) {
    reads = of_next_call;
    element_bytes = bytes;
    elements = 0;
}

void reads_begin(size_t input_bytes) {
    if (!reads)
        return;
    elements = input_bytes / element_bytes;
    memset(reads, 0, reads_bytes(elements));
    reads->counted = 1;
}

/* An element counts where its first byte is read: it may be read byte by byte. */
void reads_note(size_t offset, size_t bytes, uint32_t pc) {
    if (!reads)
        return;
    size_t first = (offset + element_bytes - 1) / element_bytes;
    size_t end = (offset + bytes + element_bytes - 1) / element_bytes;
    for (size_t i = first; i < end && i < elements; i++)
        if (reads->of[i].times++ == 0)
            reads->of[i].pc = pc;
}
