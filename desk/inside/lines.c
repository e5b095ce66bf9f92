#include "lines.h"

#include <math.h>

#include "lib/idea.h"
#include "lib/steps.h"

/* ---- sums ------------------------------------------------------------------------------------- */

static void add_launch(struct counted *counted, const struct launches_fields *launch) {
    const char *name = launch_name(launch->kernel);
    struct kernel_sum *kernel = found(&counted->known, name, sizeof *kernel);
    if (!kernel->launches) {
        *kernel = (struct kernel_sum){.name = name, .largest = launch, .hot_adds = NAN};
        append(counted->kernel, counted->kernels, kernel);
    }
    kernel->launches++;
    kernel->hot_adds = fmax(kernel->hot_adds, launch->hot_adds);
    if (launch->blocks > kernel->largest->blocks)
        kernel->largest = launch;
}

/* Roughly how many cycles of one multiprocessor an access takes. Divided by the multiprocessors
 * that work at once, it decides what is shown first, and nothing else; the time is for the model to
 * predict (common/model). */
static double cost_of(const struct accesses_fields *access) {
    bool atomic = same(access->kind, "atomic");
    if (same(access->space, "shared"))
        return known(access->wavefronts) + (atomic ? known(access->same) / 4 : 0);
    if (atomic)
        return 2 * known(access->lanes);
    if (same(access->space, "local"))
        return known(access->lanes * access->bytes / 32);
    return 1.5 * known(access->sectors);
}

static struct line_sum *line_like(struct kernel_sum *kernel, const struct accesses_fields *access) {
    const char *key = say("%s %s %s %s", plain_number(access->line), access->kind, access->space,
                          plain_number(access->bytes));
    struct line_sum *line = found(&kernel->known, key, sizeof *line);
    if (!line->of) {
        *line = (struct line_sum){.of = kernel, .is = *access};
        line->is.requests = line->is.lanes = line->is.sectors = line->is.wavefronts = 0;
        line->is.conflicts = line->is.same = 0;
        append(kernel->line, kernel->lines, line);
    }
    return line;
}

static void add_access(struct kernel_sum *kernel, const struct accesses_fields *access,
                       double at_once) {
    struct line_sum *line = line_like(kernel, access);
    double cost = cost_of(access) / fmax(1, at_once);
    line->is.requests += known(access->requests);
    line->is.lanes += known(access->lanes);
    line->is.sectors += known(access->sectors);
    line->is.wavefronts += known(access->wavefronts);
    line->is.conflicts += known(access->conflicts);
    line->is.same += known(access->same);
    line->is.most = fmax(line->is.most, access->most);
    line->cost += cost;
    kernel->cost += cost;
}

int by_cost(const void *a, const void *b) {
    const double *one = a, *other = b;
    return *one < *other ? 1 : *one > *other ? -1 : 0;
}

struct counted sum_up(struct record_objects launches, struct record_objects accesses,
                      const char *gpu) {
    double multiprocessors = gpu_fact(gpu, "multiprocessors");
    struct counted counted = {0};
    foreach_object (launches, launch, launches)
        add_launch(&counted, launch);
    foreach_object (accesses, access, accesses) {
        struct kernel_sum *kernel = *find(&counted.known, launch_name(access->kernel));
        double at_once = NAN;
        foreach_object (launches, launch, launches)
            if (launch->op == access->op)
                at_once = fmin(launch->blocks, multiprocessors);
        if (kernel)
            add_access(kernel, access, at_once);
    }
    sort_stably(counted.kernel, counted.kernels, by_cost);
    for (size_t k = 0; k < counted.kernels; k++)
        sort_stably(counted.kernel[k]->line, counted.kernel[k]->lines, by_cost);
    return counted;
}

/* ---- words ------------------------------------------------------------------------------------ */

const char *bytes_in_words(double bytes) {
    return bytes >= 1e6   ? say("%.1f MB", bytes / 1e6)
           : bytes >= 1e4 ? say("%.1f kB", bytes / 1e3)
                          : plural(bytes, "byte");
}

static const char *a_request(const struct accesses_fields *line, double sum) {
    return say("%.1f", known(ratio_of(sum, line->requests)));
}

static const char *meeting_in_words(const struct accesses_fields *line) {
    return line->most > 1 ? say("%s lanes per address", a_request(line, line->same))
                          : "one lane per address";
}

/* The bytes that lanes asked for, against the 32 bytes of each sector that moves. */
static const char *coalescing_in_words(const struct accesses_fields *line) {
    double used = ratio_of(line->lanes * line->bytes, 32 * line->sectors);
    if (ratio_of(line->lanes, line->requests) < 16)
        return say("%s of 32 lanes take part", a_request(line, line->lanes));
    if (used > 1.5)
        return "lanes share what they read";
    if (used > 0.75 || !(ratio_of(line->sectors, line->requests) > 1.5))
        return "coalesced";
    return say("%s coalesced, %.1f of 32 bytes used", used > 0.4 ? "partly" : "not",
               known(32 * used));
}

static const char *shared_in_words(const struct accesses_fields *line) {
    double share = ratio_of(line->conflicts, line->wavefronts);
    const char *conflicts = share > 0.025 ? say(", %.0f %% conflicts", 100 * share) : "";
    bool atomic = same(line->kind, "atomic");
    return say("shared %ss, %s wavefronts a request%s%s%s", line->kind,
               a_request(line, line->wavefronts), conflicts, atomic ? ", " : "",
               atomic ? meeting_in_words(line) : "");
}

const char *line_in_words(const struct line_sum *sum) {
    const struct accesses_fields *line = &sum->is;
    if (same(line->space, "local"))
        return say("local memory, %s requests: registers that did not fit, or arrays with computed "
                   "indices",
                   many(line->requests));
    if (same(line->space, "shared"))
        return shared_in_words(line);
    if (same(line->kind, "atomic"))
        return say(
            "global atomics, %s requests, %s%s", many(line->requests), meeting_in_words(line),
            sum->of->hot_adds > 1 ? say(", %s adds on the busiest", many(sum->of->hot_adds)) : "");
    return say("%ss %s a lane, %s sectors a request: %s", line->kind, plural(line->bytes, "byte"),
               a_request(line, line->sectors), coalescing_in_words(line));
}
