/* What the driver says of the GPU while it is measured, through NVML (the NVIDIA Management
 * Library) where that is installed. Everything is best effort: without NVML nothing is known. */
#pragma once

#include <stdbool.h>

#include "record/fields.h"

struct gpu_state {
    bool known;
    unsigned sm_mhz, memory_mhz;
    const char *slowdown; /* why the clocks are held down now, or NULL */
    unsigned processes;   /* that compute on the GPU, the runner among them */
};

/* The GPU that is device 0 of the runner: the first of CUDA_VISIBLE_DEVICES, as nvml.h has it. */
struct gpu_state gpu_state(void);

/* Adds how that GPU is set up, which does not change while a step is measured. */
void gpu_add_settings(struct device_fields *fields);
