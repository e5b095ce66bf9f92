// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Names that are near to what somebody typed. */
#ifndef REPORT_NEAREST_H
#define REPORT_NEAREST_H

#include <stddef.h>

/* The letters to insert, delete or replace to turn one into the other (Levenshtein, 1966). */
size_t distance(const char *a, const char *b);

/* Of the names those nearest to the word: "; did you mean a or b?", "" where none is near. */
const char *did_you_mean(const char *word, const char *const *name, size_t count);

#endif
