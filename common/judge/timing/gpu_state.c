#include "gpu_state.h"

#include <pthread.h>
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

static nvml_device first;

static void load(void) {
    *(void **)&nvml.clock = nvml_function("nvmlDeviceGetClockInfo");
    *(void **)&nvml.reasons = nvml_function("nvmlDeviceGetCurrentClocksThrottleReasons");
    *(void **)&nvml.processes = nvml_function("nvmlDeviceGetComputeRunningProcesses_v3");
    first = nvml.clock ? nvml_first_device() : NULL;
}

/* Two threads may ask at once: the counted run has one of its own. */
static nvml_device first_device(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return first;
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

static enum record_truth truth_of(bool known, unsigned value) {
    return !known ? RECORD_UNKNOWN : value ? RECORD_TRUE : RECORD_FALSE;
}

/* What is on now; what will be after the next reset does not matter. */
static enum record_truth current(nvml_device device, const char *name) {
    int (*get)(nvml_device, unsigned *, unsigned *);
    unsigned now = 0, pending = 0;
    *(void **)&get = nvml_function(name);
    bool known = get && get(device, &now, &pending) == 0;
    return truth_of(known, now);
}

void gpu_add_settings(struct device_fields *fields) {
    nvml_device device = first_device();
    unsigned value = 0;
    fields->has_max_sm_mhz = fields->has_max_memory_mhz = fields->has_power_limit_w = true;
    fields->has_ecc = fields->has_mig = fields->has_persistence = true;
    if (!device)
        return;
    fields->max_sm_mhz = max_clock(device, NVML_CLOCK_SM);
    fields->max_memory_mhz = max_clock(device, NVML_CLOCK_MEMORY);
    if (ask(device, "nvmlDeviceGetEnforcedPowerLimit", &value))
        fields->power_limit_w = value / 1e3;
    fields->ecc = current(device, "nvmlDeviceGetEccMode");
    fields->mig = current(device, "nvmlDeviceGetMigMode");
    const bool known = ask(device, "nvmlDeviceGetPersistenceMode", &value);
    fields->persistence = truth_of(known, value);
}
