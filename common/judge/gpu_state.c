#include "gpu_state.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

/* The few of NVML's functions and numbers that are needed, so that no header of it is. All of them
 * return 0 for success, and have kept their meaning since driver 455. */
typedef void *nvml_device;
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };

static struct {
    int (*init)(void);
    int (*device)(unsigned, nvml_device *);
    int (*clock)(nvml_device, int, unsigned *);
    int (*reasons)(nvml_device, unsigned long long *);
    int (*processes)(nvml_device, unsigned *, void *);
} nvml;

static const struct {
    unsigned long long bit;
    const char *name;
} slowdowns[] = {
    {0x04, "power cap"},        {0x08, "hardware slowdown"}, {0x20, "thermal slowdown"},
    {0x40, "thermal slowdown"}, {0x80, "power brake"},
};

static bool load(void) {
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    *(void **)&nvml.init = dlsym(library, "nvmlInit_v2");
    *(void **)&nvml.device = dlsym(library, "nvmlDeviceGetHandleByIndex_v2");
    *(void **)&nvml.clock = dlsym(library, "nvmlDeviceGetClockInfo");
    *(void **)&nvml.reasons = dlsym(library, "nvmlDeviceGetCurrentClocksThrottleReasons");
    *(void **)&nvml.processes = dlsym(library, "nvmlDeviceGetComputeRunningProcesses_v3");
    return nvml.init && nvml.device && nvml.clock && nvml.init() == 0;
}

static nvml_device first_device(void) {
    nvml_device device = NULL;
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    unsigned index = visible ? (unsigned)strtoul(visible, NULL, 10) : 0;
    return nvml.device(index, &device) == 0 ? device : NULL;
}

struct gpu_state gpu_state(void) {
    static int loaded = -1;
    static nvml_device device;
    struct gpu_state state = {0};
    if (loaded < 0) {
        loaded = load();
        device = loaded ? first_device() : NULL;
    }
    if (!device)
        return state;

    state.known = nvml.clock(device, NVML_CLOCK_SM, &state.sm_mhz) == 0 &&
                  nvml.clock(device, NVML_CLOCK_MEMORY, &state.memory_mhz) == 0;
    unsigned long long reasons = 0;
    if (nvml.reasons && nvml.reasons(device, &reasons) == 0)
        for (size_t i = 0; i < sizeof slowdowns / sizeof slowdowns[0]; i++)
            if (reasons & slowdowns[i].bit)
                state.slowdown = slowdowns[i].name;

    /* Asked for no entries, NVML tells how many there are. */
    if (nvml.processes)
        nvml.processes(device, &state.processes, NULL);
    return state;
}
