// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Counters and predicted times in words. */
#ifndef REPORT_COUNTERS_H
#define REPORT_COUNTERS_H

#include "rows.h"

/* "34.1 us a call (90 %: 29 to 40)", from microseconds. */
const char *predicted_in_words(double us, double low, double high);

/* The unit of predicted_limit. */
const char *limit_in_words(const char *unit);

/* "~34.1 us a call (90 %: 29 to 40), limited by DRAM bandwidth" */
const char *predicted_of_row(const struct row *row);

/* The size that a predicted time is of, which may not be the size that was checked: "4096 x 3984".
 */
const char *predicted_size(const struct row *row);

/* "an H200", from h200; a counts file has NVIDIA_H200. */
const char *a_gpu(const char *name);

#endif
