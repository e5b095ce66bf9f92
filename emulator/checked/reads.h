// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Counts how often each element of the input is read (emulator_count_reads). */
#ifndef READS_OF_INPUT_H
#define READS_OF_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* A call begins, with so much input. */
void reads_begin(size_t input_bytes);

/* Somebody reads, `offset` bytes from the input's begin. */
void reads_note(size_t offset, size_t bytes, uint32_t pc);

#endif
