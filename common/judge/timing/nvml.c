#include "nvml.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *nvml_function(const char *name) {
    static void *library;
    if (!library)
        library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

nvml_device nvml_first_device(void) {
    int (*init)(void);
    int (*by_index)(unsigned, nvml_device *);
    int (*by_uuid)(const char *, nvml_device *);
    *(void **)&init = nvml_function("nvmlInit_v2");
    *(void **)&by_index = nvml_function("nvmlDeviceGetHandleByIndex_v2");
    *(void **)&by_uuid = nvml_function("nvmlDeviceGetHandleByUUID");
    nvml_device device = NULL;
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    char uuid[64];
    bool found = init && init() == 0;
    if (visible && strncmp(visible, "GPU-", 4) == 0) {
        snprintf(uuid, sizeof uuid, "%.*s", (int)strcspn(visible, ","), visible);
        found = found && by_uuid && by_uuid(uuid, &device) == 0;
    } else {
        unsigned index = visible ? (unsigned)strtoul(visible, NULL, 10) : 0;
        found = found && by_index && by_index(index, &device) == 0;
    }
    return found ? device : NULL;
}
