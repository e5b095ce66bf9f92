#define _GNU_SOURCE
#include "traffic.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "judge/clock.h"
#include "nvml.h"

/* As nvml.h of the toolkit declares them; version 1 of both has not changed since driver 520. Every
 * metric has room: the driver takes its own size for the array. */
struct gpm_support {
    unsigned version, supported;
};
struct gpm_metric {
    unsigned id;
    int status;
    double value;
    const char *names[3];
};
struct gpm_metrics {
    unsigned version, count;
    void *earlier, *later;
    struct gpm_metric metric[1024];
};
enum { GPM_VERSION = 1, GPM_DRAM_BW_UTIL = 10 };

static struct {
    int (*support)(nvml_device, struct gpm_support *);
    int (*allocate)(void **sample);
    int (*release)(void *sample);
    int (*sample)(nvml_device, void *sample);
    int (*metrics)(struct gpm_metrics *);
} gpm;

/* The counter is renewed ten times a second, seen on an H200. Its share of an interval is exact;
 * how long the interval was is known as well as the moment of its renewal, so this looks often. */
static const useconds_t LOOK_US = 4000;

/* So long after the last work its bytes have been counted: two renewals, seen to take up to 0.25 s.
 */
static const double BEHIND_S = 0.3, PATIENCE_S = 1;

static struct {
    bool running;
    double spec_gbps;
    pthread_t thread;
    atomic_bool stop;
    double until_s;          /* set before stop is */
    double bytes, counted_s; /* until when, on clock_seconds() */
    bool gap;                /* the counter was silent for a while */
} traffic;

static bool load(nvml_device device) {
    *(void **)&gpm.support = nvml_function("nvmlGpmQueryDeviceSupport");
    *(void **)&gpm.allocate = nvml_function("nvmlGpmSampleAlloc");
    *(void **)&gpm.release = nvml_function("nvmlGpmSampleFree");
    *(void **)&gpm.sample = nvml_function("nvmlGpmSampleGet");
    *(void **)&gpm.metrics = nvml_function("nvmlGpmMetricsGet");
    struct gpm_support support = {.version = GPM_VERSION};
    return gpm.support && gpm.allocate && gpm.release && gpm.sample && gpm.metrics &&
           gpm.support(device, &support) == 0 && support.supported;
}

/* The share of the memory's speed that was used between two samples; not a number where the counter
 * has not been renewed between them. */
static double share_between(void *earlier, void *later) {
    static struct gpm_metrics metrics;
    metrics.version = GPM_VERSION;
    metrics.count = 1;
    metrics.earlier = earlier;
    metrics.later = later;
    metrics.metric[0] = (struct gpm_metric){.id = GPM_DRAM_BW_UTIL};
    bool known = gpm.metrics(&metrics) == 0 && metrics.metric[0].status == 0;
    return known ? metrics.metric[0].value / 100 : NAN;
}

/* Adds up the bytes of each interval between two renewals, until it is told to stop and the counter
 * has caught up. */
static void *count(void *device) {
    void *earlier, *later;
    if (gpm.allocate(&earlier) != 0 || gpm.allocate(&later) != 0)
        return NULL;
    bool any = gpm.sample(device, earlier) == 0;
    traffic.counted_s = clock_seconds();
    while (any && !(traffic.stop && (traffic.counted_s > traffic.until_s + BEHIND_S ||
                                     clock_seconds() > traffic.until_s + PATIENCE_S))) {
        usleep(LOOK_US);
        double share = gpm.sample(device, later) == 0 ? share_between(earlier, later) : NAN;
        if (!isfinite(share))
            continue;
        double now_s = clock_seconds();
        traffic.gap |= now_s - traffic.counted_s > PATIENCE_S;
        traffic.bytes += share * traffic.spec_gbps * 1e9 * (now_s - traffic.counted_s);
        traffic.counted_s = now_s;
        void *free_sample = earlier;
        earlier = later;
        later = free_sample;
    }
    gpm.release(earlier);
    gpm.release(later);
    return NULL;
}

void traffic_begin(double spec_gbps) {
    nvml_device device = nvml_first_device();
    if (traffic.running || !device || !(spec_gbps > 0) || !load(device))
        return;
    traffic.spec_gbps = spec_gbps;
    traffic.bytes = 0;
    traffic.stop = traffic.gap = false;
    traffic.running = pthread_create(&traffic.thread, NULL, count, device) == 0;
}

double traffic_end(double until_s) {
    if (!traffic.running)
        return -1;
    traffic.until_s = until_s;
    traffic.stop = true;
    pthread_join(traffic.thread, NULL);
    traffic.running = false;
    return traffic.counted_s < until_s || traffic.gap ? -1 : traffic.bytes;
}
