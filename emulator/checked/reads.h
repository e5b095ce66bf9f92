/* Counts how often each element of the input is read, and notes uses (emulator_count_reads). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory.h"

/* A call begins, with so much input. */
void reads_begin(size_t input_bytes);

/* Somebody reads, `offset` bytes from the input's begin. */
void reads_note(size_t offset, size_t bytes, const struct access *now);

/* Whether an atomic addition is under way, and what it adds; else 0. */
extern __thread bool reads_adds;
extern __thread uint64_t reads_amount;

/* What an atomic exchange that is under way stores; else 0. */
extern __thread uint64_t reads_stored;

/* Where a thread of this OS thread has stored something that is not noted yet: by the next of its
 * uses it is there, and reads_settle notes it. NULL: nowhere. */
extern __thread const void *reads_unsettled;

void reads_settle(void);

enum { USED_OF_BLOCK = 1, USED_ALLOCATED };

/* A thread uses an array that is none of the input's, at that place. `key` is the array's alone;
 * of: 0, USED_OF_BLOCK or USED_ALLOCATED. */
void reads_note_use(uintptr_t key, const char *name, size_t array_bytes, size_t offset,
                    size_t bytes, const void *place, uint8_t of, const struct access *now);
