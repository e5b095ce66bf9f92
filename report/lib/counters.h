/* Times in words, and what limits predicted ones. */
#pragma once

#include "rows.h"

/* "34.1 us a call (90 %: 29 to 40)", from microseconds. */
const char *predicted_in_words(double us, double low, double high);

/* "40.00 us a call (between 39.90 and 40.10), 25.0 % of the roof, 500 times as fast ...", and
 * "latency: 42.20 us, 63.7 % of its roof, 330 times as fast". */
const char *measured_in_words(const struct row *row, bool brief);
const char *latency_in_words(const struct row *row);

/* A word of predicted_limit: in words, and what to try. */
struct unit {
    const char *name, *words, *advice;
};
struct unit unit_of(const char *name); /* one that nobody knows has its name alone */

/* How near the roof it would be: the time that DRAM takes for the bytes that have to move, of the
 * predicted one. */
double predicted_roof(const struct row *row);

/* "34.1 us a call (90 %: 29 to 40), 42 % of the roof"; and with ", limited by latency" */
const char *predicted_briefly(const struct row *row);
const char *predicted_of_row(const struct row *row);

/* The size that a predicted time is of, which may not be the checked one: "4096 x 3984". */
const char *predicted_size(const struct row *row);
const char *size_in_words(double rows, double columns); /* "4.00 million elements" */
const char *many(double number); /* 8448, "510.0 thousand", "16.32 million" */

/* "an H200", from h200; a counts file has NVIDIA_H200. */
const char *a_gpu(const char *name);
