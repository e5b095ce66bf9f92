/* The device that steps run on, and what harness and steps were built with for it. */
#pragma once

#include <stdbool.h>

#include "record/fields.h"

struct device {
    struct device_fields is;
    struct build_fields build; /* what built for it */
    size_t l2_bytes;           /* as `is` has it */
    double memory_bytes;       /* that are free in it; 0: unknown */
    double exclusive;          /* 1: it takes one process at a time */
};

/* Read a device's `key value` lines, as the program `device` prints them. Ends the judge with a
 * usage error where the file cannot be read or says no kind. Its texts are there until the next is
 * read. */
struct device device_read(const char *path);
bool device_timed(const struct device *device); /* a GPU: times mean something */

/* What a record says of it, with the GPU's settings as they are now. */
struct device_fields device_fields(const struct device *device);
