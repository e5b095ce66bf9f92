// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* How often each element of a call's input was read, as the checked build counts it: in memory that
 * whoever runs the code gives, and the code could write. Whoever reads it must not trust it. */
#ifndef READS_H
#define READS_H

#include <stddef.h>
#include <stdint.h>

struct element_reads {
    uint32_t pc; /* of the first read: offset in the program, as addr2line takes it */
    uint32_t times;
};

struct reads {
    uint64_t counted; /* not 0: somebody counted */
    struct element_reads of[];
};

static inline size_t reads_bytes(size_t elements) {
    return sizeof(struct reads) + elements * sizeof(struct element_reads);
}

#endif
