// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Whether a step's source is the one that was measured. */
#ifndef REPORT_SOURCE_H
#define REPORT_SOURCE_H

#include <stdbool.h>

const char *sha256(const char *text); /* in 64 hexadecimal digits */

/* Whether the file has this sha256, as it is or without the lines that mark a solution
 * (common/build/markers.awk): those lines do not affect what is measured. */
bool is_source(const char *path, const char *sum);

#endif
