/* What the GPU's board draws, by its own counter of energy, which no step can reach (NVML's
 * nvmlDeviceGetTotalEnergyConsumption; Volta and later). */
#pragma once

#include <stddef.h>

/* The counter has been renewed. */
struct renewal {
    double at_s; /* when that was seen, on clock_seconds() */
    double joules;
    unsigned temperature_c, sm_mhz; /* at that moment; 0: unknown */
};

/* Room for half a minute, were it renewed each time somebody looks. */
enum { MOST_RENEWALS = 8192 };

struct power_log {
    size_t count;
    struct renewal renewal[MOST_RENEWALS];
};

/* Log the counter's renewals from now on, in a thread of its own. Where the GPU has no such
 * counter, nothing is logged. */
void power_begin(void);

/* The log, which holds until the next power_begin. */
const struct power_log *power_end(void);

/* Over a stretch of time on clock_seconds(). */
struct power {
    double watts;              /* 0: the counter was renewed too seldom to tell */
    unsigned temperature_c[2]; /* at its start and its end */
    unsigned sm_mhz;           /* the mean */
};

/* From the first renewal in that stretch to the last. */
struct power power_between(const struct power_log *log, double from_s, double until_s);
