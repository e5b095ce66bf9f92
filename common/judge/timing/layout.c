#define _GNU_SOURCE
#include "layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "judge/outputs.h"
#include "judge/strip.h"

struct strip layout_graded(const struct problem *graded, const struct options *options,
                           const struct device *device) {
    struct shape shape = shape_told(graded, options->shape);
    struct strip window = {.window = shape, .element_bytes = graded->element_bytes};
    size_t slide = options->warm || options->source.elements ? 0 : options->source.input->slide;
    size_t regions = device_timed(device) && !options->warm
                         ? strip_cold_regions(strip_window_bytes(&window), device->l2_bytes)
                         : 1;
    return strip_plan(graded, shape, regions, layout_calls(options), slide);
}

size_t layout_calls(const struct options *options) {
    return outputs_calls(&problem, shape_told(&problem, options->shape), options->iterations);
}

/* ---- what it takes ---------------------------------------------------------------------- */

enum { STEP_BYTES = 64 << 20 };

struct footprint layout_footprint(const struct options *options, const struct device *device) {
    struct strip strip = layout_graded(&problem, options, device);
    double whole = strip_bytes(&strip), window = strip_window_bytes(&strip);
    double calls = layout_calls(options);
    double slot = trial_slot_bytes(outputs_bytes(&problem, strip.window));
    double expected = outputs_expected_bytes(&problem, strip.window);

    /* The runner's: the strip, a slot for each call, the window of a call that copies it, and what
     * a step has always had room for beside them. */
    double runner = whole + calls * slot + window + STEP_BYTES;
    /* The judge's. Outputs are shared, copied, and of a wrong sample made again. Beside them are
     * what is expected, and whether a call was wrong; and each call's window is known twice. */
    double outputs = calls * (3 * slot + expected + 1 + 2 * sizeof(uint64_t));
    double judge = whole + problem.index_bytes(&strip) + outputs;
    if (options->source.elements)
        judge += window;
    if (device_timed(device))
        return (struct footprint){judge, runner};
    /* The emulator limits each allocation, not their sum. */
    return (struct footprint){judge + runner, fmax(whole, calls * slot)};
}

/* ---- what there is ---------------------------------------------------------------------- */

/* A field of /proc/meminfo in bytes; INFINITY where it is not known. */
static double read_meminfo(const char *field) {
    FILE *file = fopen("/proc/meminfo", "re");
    char line[256];
    double kib = INFINITY;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, field, strlen(field)) == 0 && line[strlen(field)] == ':')
            kib = strtod(line + strlen(field) + 1, NULL);
    if (file)
        fclose(file);
    return kib * 1024;
}

/* The number that a file holds; INFINITY where there is none, as in a control group without limit.
 */
static double read_limit(const char *path) {
    FILE *file = fopen(path, "re");
    double limit;
    bool known = file && fscanf(file, "%lf", &limit) == 1 && limit > 0;
    if (file)
        fclose(file);
    return known ? limit : INFINITY;
}

/* The least limit of a control group and of all above it. In a container the group's own path may
 * not be there, but its root is. */
static double limit_above(const char *root, char *group, const char *name) {
    double least = INFINITY;
    for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
        char path[4096];
        *end = '\0';
        snprintf(path, sizeof path, "%s%s/%s", root, group, name);
        least = fmin(least, read_limit(path));
    }
    return least;
}

/* Of this process's control groups, of version 2 or 1. */
static double read_group_limit(void) {
    FILE *file = fopen("/proc/self/cgroup", "re");
    char line[2048], controllers[256], group[1024];
    double least = INFINITY;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "0::%1023[^\n]", group) == 1)
            least = fmin(least, limit_above("/sys/fs/cgroup", group, "memory.max"));
        else if (sscanf(line, "%*u:%255[^:]:%1023[^\n]", controllers, group) == 2 &&
                 strcmp(controllers, "memory") == 0)
            least =
                fmin(least, limit_above("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
    if (file)
        fclose(file);
    return least;
}

static double read_memory(const char *field) {
    return fmin(read_meminfo(field), read_group_limit());
}

double memory_available(void) { return read_memory("MemAvailable"); }

static struct footprint memory_there(const struct options *options, const struct device *device) {
    return (struct footprint){read_memory(options->dry_run ? "MemAvailable" : "MemTotal"),
                              device->memory_bytes > 0 ? device->memory_bytes : INFINITY};
}

void layout_check_memory(const struct options *options, const struct device *device) {
    struct footprint needed = layout_footprint(options, device),
                     there = memory_there(options, device);
    bool host_lacks = needed.host > there.host;
    if (!host_lacks && needed.device <= there.device)
        return;
    usage_error("the input %zux%zu with %zu calls needs %.3f GB of memory, and %s has %.3f GB%s: "
                "use a smaller one, or fewer --iterations",
                options->shape.rows, options->shape.columns, options->iterations,
                (host_lacks ? needed.host : needed.device) / 1e9,
                host_lacks ? "this machine" : "the device",
                (host_lacks ? there.host : there.device) / 1e9, options->dry_run ? " free" : "");
}
