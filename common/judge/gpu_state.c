#include "gpu_state.h"

#include <stddef.h>

#include "nvml.h"

/* Numbers and meanings of NVML's that have not changed since driver 455. All functions return 0 for
 * success. */
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };

static struct {
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

static nvml_device load(void) {
    *(void **)&nvml.clock = nvml_function("nvmlDeviceGetClockInfo");
    *(void **)&nvml.reasons = nvml_function("nvmlDeviceGetCurrentClocksThrottleReasons");
    *(void **)&nvml.processes = nvml_function("nvmlDeviceGetComputeRunningProcesses_v3");
    return nvml.clock ? nvml_first_device() : NULL;
}

struct gpu_state gpu_state(void) {
    static bool loaded;
    static nvml_device device;
    struct gpu_state state = {0};
    if (!loaded)
        device = load();
    loaded = true;
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
