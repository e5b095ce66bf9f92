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

static nvml_device first_device(void) {
    static bool loaded;
    static nvml_device device;
    if (!loaded)
        device = load();
    loaded = true;
    return device;
}

struct gpu_state gpu_state(void) {
    nvml_device device = first_device();
    struct gpu_state state = {0};
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

/* A function may be missing in an old driver, or know nothing of this GPU. */
static bool ask(nvml_device device, const char *name, unsigned *value) {
    int (*get)(nvml_device, unsigned *);
    *(void **)&get = nvml_function(name);
    return get && get(device, value) == 0;
}

static unsigned max_clock(nvml_device device, int clock) {
    int (*get)(nvml_device, int, unsigned *);
    unsigned mhz = 0;
    *(void **)&get = nvml_function("nvmlDeviceGetMaxClockInfo");
    return get && get(device, clock, &mhz) == 0 ? mhz : 0;
}

static enum setting setting_of(bool known, unsigned value) {
    return !known ? SETTING_UNKNOWN : value ? SETTING_ON : SETTING_OFF;
}

/* What is on now; what will be after the next reset does not matter. */
static enum setting current(nvml_device device, const char *name) {
    int (*get)(nvml_device, unsigned *, unsigned *);
    unsigned now = 0, pending = 0;
    *(void **)&get = nvml_function(name);
    bool known = get && get(device, &now, &pending) == 0;
    return setting_of(known, now);
}

static enum setting persistence(nvml_device device) {
    unsigned mode = 0;
    const bool known = ask(device, "nvmlDeviceGetPersistenceMode", &mode);
    return setting_of(known, mode);
}

struct gpu_settings gpu_settings(void) {
    nvml_device device = first_device();
    unsigned limit_mw = 0;
    if (!device)
        return (struct gpu_settings){0};
    return (struct gpu_settings){
        .max_sm_mhz = max_clock(device, NVML_CLOCK_SM),
        .max_memory_mhz = max_clock(device, NVML_CLOCK_MEMORY),
        .power_limit_mw = ask(device, "nvmlDeviceGetEnforcedPowerLimit", &limit_mw) ? limit_mw : 0,
        .ecc = current(device, "nvmlDeviceGetEccMode"),
        .mig = current(device, "nvmlDeviceGetMigMode"),
        .persistence = persistence(device),
    };
}
