/* The device that steps run on, and what harness and steps were built with for it. */
#pragma once

#include <stdbool.h>

#include "record/fields.h"

struct device {
    char kind[16], name[128], driver[64], uuid[64];
    long sms, l2_bytes;
    double spec_gbps;    /* 0: unknown, or none */
    double memory_bytes; /* that are free in it; 0: unknown */
    bool exclusive;      /* it takes one process at a time */

    /* What built for it; empty: unknown, or none. */
    char toolkit[32], compiler[128], flags[512], cub[32];
};

/* Read a device's `key value` lines, as the program `device` prints them. Ends the judge with a
 * usage error where the file cannot be read or says no kind. */
struct device device_read(const char *path);
bool device_timed(const struct device *device); /* a GPU: times mean something */

/* What a record says of it, with the GPU's settings as they are now; and of the build. The texts
 * are the device's. */
struct device_fields device_fields(const struct device *device);
struct build_fields device_build(const struct device *device);
