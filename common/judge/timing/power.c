#define _GNU_SOURCE
#include "power.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "judge/clock.h"
#include "nvml.h"

/* Numbers of NVML's. All functions return 0 for success. */
enum { NVML_CLOCK_SM = 1, NVML_TEMPERATURE_GPU = 0 };

static struct {
    int (*energy)(nvml_device, unsigned long long *millijoules);
    int (*temperature)(nvml_device, int, unsigned *);
    int (*clock)(nvml_device, int, unsigned *);
} nvml;

/* The counter is renewed every 20 to 100 ms, and between two renewals it says nothing new. So what
 * counts is when it is renewed; this is how well that is known. */
static const useconds_t LOOK_US = 4000;

/* Of a stretch of time the renewals have to cover so much. */
static const double COVERED_SHARE = 0.5;

static struct {
    bool running;
    pthread_t thread;
    atomic_bool stop;
    struct power_log log;
} power;

static struct renewal renewal_now(nvml_device device, double at_s, unsigned long long millijoules) {
    struct renewal renewal = {.at_s = at_s, .joules = millijoules / 1e3};
    if (nvml.temperature)
        nvml.temperature(device, NVML_TEMPERATURE_GPU, &renewal.temperature_c);
    if (nvml.clock)
        nvml.clock(device, NVML_CLOCK_SM, &renewal.sm_mhz);
    return renewal;
}

static void *watch(void *device) {
    unsigned long long before, now;
    if (nvml.energy(device, &before) != 0)
        return NULL;
    while (!power.stop && power.log.count < MOST_RENEWALS) {
        usleep(LOOK_US);
        double at_s = clock_seconds();
        if (nvml.energy(device, &now) != 0 || now == before)
            continue;
        power.log.renewal[power.log.count++] = renewal_now(device, at_s, now);
        before = now;
    }
    return NULL;
}

void power_begin(void) {
    nvml_device device = nvml_first_device();
    power.log.count = 0;
    *(void **)&nvml.energy = nvml_function("nvmlDeviceGetTotalEnergyConsumption");
    *(void **)&nvml.temperature = nvml_function("nvmlDeviceGetTemperature");
    *(void **)&nvml.clock = nvml_function("nvmlDeviceGetClockInfo");
    if (power.running || !device || !nvml.energy)
        return;
    power.stop = false;
    power.running = pthread_create(&power.thread, NULL, watch, device) == 0;
}

const struct power_log *power_end(void) {
    if (power.running) {
        power.stop = true;
        pthread_join(power.thread, NULL);
        power.running = false;
    }
    return &power.log;
}

struct power power_between(const struct power_log *log, double from_s, double until_s) {
    size_t first = 0, end;
    while (first < log->count && log->renewal[first].at_s < from_s)
        first++;
    double mhz = 0;
    for (end = first; end < log->count && log->renewal[end].at_s <= until_s; end++)
        mhz += log->renewal[end].sm_mhz;
    if (first == end)
        return (struct power){0};
    const struct renewal *a = &log->renewal[first], *b = &log->renewal[end - 1];
    double covered_s = b->at_s - a->at_s;
    if (!(covered_s > COVERED_SHARE * (until_s - from_s)))
        return (struct power){0};
    return (struct power){.watts = (b->joules - a->joules) / covered_s,
                          .temperature_c = {a->temperature_c, b->temperature_c},
                          .sm_mhz = mhz / (end - first) + 0.5};
}
