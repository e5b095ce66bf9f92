/* The library of NVIDIA's driver that tells of a GPU (NVML), loaded where it is installed. The few
 * of its functions, structures and numbers that are needed are declared where they are used, so
 * that no header of it is. */
#pragma once

typedef void *nvml_device;

/* A function of it, or NULL. */
void *nvml_function(const char *name);

/* The GPU that is device 0 of the runner: the first of CUDA_VISIBLE_DEVICES where that is a number
 * or a whole UUID; NULL where there is no NVML, or no such GPU. */
nvml_device nvml_first_device(void);
