#include "idea.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "steps.h"

/* What was counted of the call that is looked at. */
struct call {
    struct record_objects launches, accesses;
    const char *gpu;
    double input_bytes;
    double line; /* of the access that decides a figure; NAN where none does */
};

typedef const struct launches_fields *launch_of_call; /* NULL: of the whole call */

static bool is_of(const struct accesses_fields *access, launch_of_call launch, const char *kind,
                  const char *space) {
    return (!launch || access->op == launch->op) && (!*kind || same(access->kind, kind)) &&
           same(access->space, space);
}

/* The sum of a field over accesses; call->line is that of the largest. */
static double sum_of(struct call *call, launch_of_call launch, size_t field, const char *kind,
                     const char *space) {
    double sum = 0, most = 0;
    foreach_object (accesses, access, call->accesses) {
        double value = *(const double *)((const char *)access + field);
        if (!is_of(access, launch, kind, space) || isnan(value))
            continue;
        sum += value;
        if (value > most) {
            most = value;
            call->line = access->line;
        }
    }
    return sum;
}
#define SUM(call, launch, field, kind, space)                                                      \
    sum_of(call, launch, offsetof(struct accesses_fields, field), kind, space)

static double overlapping_launches(const struct call *call) {
    double count = 0;
    foreach_object (launches, launch, call->launches) {
        if (launch->overlaps == RECORD_UNKNOWN)
            return NAN;
        count += launch->overlaps == RECORD_TRUE;
    }
    return count;
}

/* Operations of the stream are counted from 0. A clearing or a copy after the last kernel does not
 * show. */
static double operations_of_call(const struct call *call) {
    double most = NAN;
    foreach_object (launches, launch, call->launches)
        most = fmax(most, launch->op);
    return most + 1;
}

/* Of the loads that move at least half as much as the one that moves most: one of them reads the
 * input. Where several move about as much, the best counts: `more` says that more is better. */
static double figure_of_loads(struct call *call, launch_of_call launch, const char *name,
                              bool more) {
    double most = NAN, best = NAN;
    foreach_object (accesses, access, call->accesses)
        if (is_of(access, launch, "load", "global"))
            most = fmax(most, access->lanes * access->bytes);
    foreach_object (accesses, access, call->accesses) {
        double bytes = access->lanes * access->bytes;
        if (!is_of(access, launch, "load", "global") || bytes < most / 2)
            continue;
        double value =
            same(name, "bytes-a-load") ? access->bytes : ratio_of(bytes, access->sectors);
        if (isnan(best) || (more ? value > best : value < best)) {
            best = value;
            call->line = access->line;
        }
    }
    return best;
}

/* Of a launch, or of the whole call. Requests are those of a kind, or of all, to a space. */
/* clang-format off */
enum figure_is {
    BLOCKS, THREADS, WAVES, BARRIERS, WRITTEN_A_BLOCK, REQUESTS, REQUESTS_A_BLOCK, LANES_A_THREAD,
    LANES_A_REQUEST, OF_LOADS, CONFLICTS, OVERLAPPING, OPERATIONS
};

static const struct figure {
    const char *name;
    enum figure_is is;
    bool of_call;
    const char *kind, *space;
} figures[] = {
    {"blocks", BLOCKS, false, "", ""},
    {"threads", THREADS, false, "", ""},
    {"waves", WAVES, false, "", ""},
    {"barriers", BARRIERS, false, "", ""},
    {"loads-a-thread", LANES_A_THREAD, false, "load", "global"},
    {"bytes-a-load", OF_LOADS, false, "load", "global"},
    {"bytes-used-a-sector", OF_LOADS, false, "load", "global"},
    {"lanes-a-shared-access", LANES_A_REQUEST, false, "", "shared"},
    {"bank-conflicts", CONFLICTS, false, "", "shared"},
    {"shared-accesses", REQUESTS, false, "", "shared"},
    {"shared-atomics", REQUESTS, false, "atomic", "shared"},
    {"shared-atomics-a-thread", LANES_A_THREAD, false, "atomic", "shared"},
    {"shared-loads-a-thread", LANES_A_THREAD, false, "load", "shared"},
    {"global-atomics-a-block", REQUESTS_A_BLOCK, false, "atomic", "global"},
    {"written-bytes-a-block", WRITTEN_A_BLOCK, false, "", ""},
    {"global-atomics", REQUESTS, true, "atomic", "global"},
    {"overlapping-launches", OVERLAPPING, true, "", ""},
    {"operations", OPERATIONS, true, "", ""},
};
/* clang-format on */

/* NAN where nobody knows it. */
static double figure_of(struct call *call, const struct demand *demand, launch_of_call launch) {
    const struct figure *figure = demand->figure;
    const char *kind = figure->kind, *space = figure->space;
    launch = figure->of_call ? NULL : launch;
    switch (figure->is) {
    case BLOCKS:
        return launch->blocks;
    case THREADS:
        return launch->threads;
    case WAVES:
        return launch->waves;
    case BARRIERS:
        return ratio_of(launch->barriers, launch->blocks * floor((launch->threads + 31) / 32));
    case WRITTEN_A_BLOCK:
        return ratio_of(launch->written_bytes, launch->blocks);
    case REQUESTS:
        return SUM(call, launch, requests, kind, space);
    case REQUESTS_A_BLOCK:
        return ratio_of(SUM(call, launch, requests, kind, space), launch->blocks);
    case LANES_A_THREAD:
        return ratio_of(SUM(call, launch, lanes, kind, space), launch->blocks * launch->threads);
    case LANES_A_REQUEST:
        return ratio_of(SUM(call, launch, lanes, kind, space),
                        SUM(call, launch, requests, kind, space));
    case OF_LOADS:
        return figure_of_loads(call, launch, figure->name, demand->op[0] == '>');
    case CONFLICTS: {
        double conflicts = SUM(call, launch, conflicts, kind, space);
        return 100 * ratio_of(conflicts, SUM(call, launch, wavefronts, kind, space));
    }
    case OVERLAPPING:
        return overlapping_launches(call);
    case OPERATIONS:
        return operations_of_call(call);
    }
    return NAN;
}

/* ---- demands ---------------------------------------------------------------------------------- */

#define NUMBER "[0-9]+([.][0-9]+)?"

static bool is_value(const char *text, const struct figure *figure) {
    return matches(text, figure->is == CONFLICTS ? "^" NUMBER " ?%$"
                                                 : "^(" NUMBER "|(" NUMBER
                                                   " [*] )?multiprocessors)$");
}

bool parse_demand(const char *text, struct demand *demand) {
    struct words words = words_of(text);
    const char *value = joined(&words, 2, words.count);
    *demand = (struct demand){.op = word_of(&words, 1),
                              .value = *value >= '0' && *value <= '9' ? atof(value) : 1,
                              .multiple = strstr(value, "multiprocessors")};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (same(figures[i].name, word_of(&words, 0)))
            demand->figure = &figures[i];
    return demand->figure && is_one_of(demand->op, ">= <= > < =") &&
           is_value(value, demand->figure);
}

static const char *demanded_number(double value) {
    return say(value == floor(value) ? "%.0f" : "%.3g", value);
}

static const char *with_percent(const struct demand *demand, double value) {
    return say("%s%s", demanded_number(value), demand->figure->is == CONFLICTS ? " %" : "");
}

/* "loads a thread" -> "load a thread"; "launches" -> "launch" */
static const char *singular(const char *name) {
    const char *a = strstr(name, " a ");
    size_t noun = a ? (size_t)(a - name) : strlen(name);
    size_t plural = strncmp(name + noun - 4, "ches", 4) == 0 ? 2 : 1;
    return say("%.*s%s", (int)(noun - plural), name, name + noun);
}

/* "at least 132 blocks"; a demand of `> 0` is of any, one of `= 0` of none. */
static const char *demand_in_words(const struct demand *demand, double value) {
    const char *op = demand->op, *name = replaced(demand->figure->name, "-", " ");
    const char *words = same(op, ">=")   ? "at least "
                        : same(op, "<=") ? "at most "
                        : same(op, ">")  ? "more than "
                        : same(op, "<")  ? "fewer than "
                                         : "";
    if (value == 0)
        return say("%s%s", same(op, ">") ? "" : "no ", name);
    return say("%s%s %s", words, with_percent(demand, value), value == 1 ? singular(name) : name);
}

static bool fulfils(double found, const char *op, double value) {
    return same(op, ">=")   ? found >= value
           : same(op, "<=") ? found <= value
           : same(op, ">")  ? found > value
           : same(op, "<")  ? found < value
                            : found == value;
}

/* ---- the idea --------------------------------------------------------------------------------- */

const char *launch_name(const char *kernel) {
    static const char anonymous[] = "(anonymous namespace)::";
    kernel = begins_with(kernel, "void ") ? kernel + strlen("void ") : kernel;
    kernel = replaced(kernel, anonymous, "");
    return say("%.*s", (int)strcspn(kernel, "("), kernel);
}

/* The first launch that reads half of the input or more; if none does, the one that reads most. */
static launch_of_call input_launch(const struct call *call) {
    launch_of_call most = NULL;
    foreach_object (launches, launch, call->launches) {
        if (launch->read_bytes >= call->input_bytes / 2)
            return launch;
        if (!most || launch->read_bytes > most->read_bytes)
            most = launch;
    }
    return most;
}

static const char unknown[] = "unknown";

static const char *found_in_words(const struct call *call, const struct demand *demand,
                                  launch_of_call launch, double found) {
    const char *who = demand->figure->of_call ? "a call" : printable(launch_name(launch->kernel));
    const char *number = found == 0 ? "none" : with_percent(demand, found);
    return say("%s has %s%s", who, number, call->line > 0 ? say(" (line %.0f)", call->line) : "");
}

/* What is missing of one demand; "" for nothing. */
static const char *missing_of(struct call *call, const struct demand *demand) {
    double value = demand->value;
    if (demand->multiple)
        value *= gpu_fact(call->gpu, "multiprocessors");
    if (!(value >= 0) || (demand->multiple && !(gpu_fact(call->gpu, "multiprocessors") > 0)))
        return unknown;
    /* Older GPUs have no programmatic dependent launch. */
    if (demand->figure->is == OVERLAPPING && !(gpu_fact(call->gpu, "compute_capability") > 8.9))
        return unknown;
    launch_of_call launch = input_launch(call);
    if (!launch)
        return unknown;
    call->line = demand->figure->of_call ? NAN : launch->line;
    double found = figure_of(call, demand, launch);
    if (isnan(found))
        return unknown;
    if (fulfils(found, demand->op, value))
        return "";
    return say("asks for %s, but %s", demand_in_words(demand, value),
               found_in_words(call, demand, launch, found));
}

static const char *missing_in(struct call *call, const char *demands) {
    bool any = false;
    for (const char **line = lines_in(demands); *line; line++) {
        struct demand demand;
        if (!parse_demand(*line, &demand))
            continue; /* the tests look for those */
        const char *missing = missing_of(call, &demand);
        if (*missing && missing != unknown)
            return missing;
        any = any || !*missing;
    }
    return any ? "there" : "";
}

const char *idea_of(const struct row *row) {
    const struct counted_fields *counted = row->r.counted;
    double elements = counted->rows * counted->columns;
    struct call call = {.launches = row->r.launches,
                        .accesses = row->r.accesses,
                        .gpu = counted->gpu,
                        .input_bytes =
                            ratio_of(row->r.bytes - known(row->r.written_bytes), row->elements) *
                            elements};
    return missing_in(&call, step_header(row->r.step, "counters"));
}
