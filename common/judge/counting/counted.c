#define _GNU_SOURCE
#include "counted.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "judge/check.h"
#include "judge/fault.h"
#include "judge/timing/layout.h"
#include "judge/timing/locks.h"
#include "model/code.h"
#include "judge/findings/printed.h"
#include "random.h"
#include "judge/record.h"
#include "judge/strip.h"

struct counted_gpu counted_gpu(const struct options *options) {
    enum { MOST_BYTES = 1 << 20 };
    struct counted_gpu gpu = {0};
    char error[256];
    size_t size;
    if (!options->gpu)
        return gpu;
    gpu.text = file_bytes(options->gpu, MOST_BYTES, &size);
    if (!gpu.text)
        usage_error("cannot read the GPU file %s, or it has over 1 MB", options->gpu);
    if (!gpu_parse(gpu.text, size, options->gpu, &gpu.gpu, error, sizeof error))
        usage_error("%s", error);
    const char *slash = strrchr(options->gpu, '/'), *name = slash ? slash + 1 : options->gpu;
    snprintf(gpu.name, sizeof gpu.name, "%.*s", (int)strcspn(name, "."), name);
    return gpu;
}

/* ---- trials ----------------------------------------------------------------------------- */

/* How many calls a counted run makes; the last is counted. The first call may set something up, so
 * the second one stands for the rest. Where a call takes long, one has to do. */
static size_t calls_for(const struct options *options) {
    enum { LARGE_ELEMENTS = 1 << 25 };
    return options->shape.rows * options->shape.columns > LARGE_ELEMENTS ? 1 : 2;
}

/* What does not start a process or wait for its end: that is the main thread's alone. */
static void *make_calls(void *argument) {
    struct count_run *counting = argument;
    struct trial *trial = &counting->trial;
    struct sample sample = {.calls = trial->max_calls, .count = trial->max_calls};
    if (trial_start(trial, counting->built->counted_runner))
        trial_sample(trial, &sample);
    return NULL;
}

/* Calls at the size that was graded. No other trial has had this input. */
static void prepare_calls(struct count_run *counting) {
    const struct options *options = counting->options;
    struct options few_calls = *options;
    struct device device = {.is.kind = "cpu"};
    counting->random = ~options->source.seed;
    few_calls.iterations = calls_for(options);
    few_calls.source.seed = random_next(&counting->random);
    counting->trial =
        (struct trial){.random = &counting->random,
                       .max_calls = few_calls.iterations,
                       .timeout_s = options->timeout_s,
                       .deadline = {options->limit_s, locks_clock() + options->limit_s},
                       .gpu = counting->gpu->text};
    trial_prepare(&counting->trial, counting->graded,
                  layout_graded(counting->graded, &few_calls, &device), &few_calls.source);
}

void count_ahead(struct count_run *counting) {
    if (counting->begun || !counting->gpu->text || !kind_counts(counting->options->kind) ||
        !counting->built->counted_runner[0])
        return;
    prepare_calls(counting);
    trial_begin(&counting->trial, counting->built->counted_runner);
    if (pthread_create(&counting->thread, NULL, make_calls, counting))
        fault("cannot start a thread");
    counting->begun = true;
}

bool count_stands_in(struct count_run *counting, size_t calls) {
    counting->stands_in = counting->begun && calls <= counting->trial.max_calls;
    return counting->stands_in;
}

/* The caller frees what was counted, if it was: trial.counted. */
static void await_calls(struct count_run *counting) {
    struct trial *trial = &counting->trial;
    pthread_join(counting->thread, NULL);
    trial_end(trial);
    if (trial->verdict.kind != VERDICT_PASS)
        printed_log(counting->options->log, "counted", &trial->process);
    free(trial->process.printed);
}

/* Nobody wants to know. Its thread hears no more of the runner, which is only killed when that has
 * seen its sandbox made: until then its end would be a fault of the harness. */
static void drop_calls(struct count_run *counting) {
    struct trial *trial = &counting->trial;
    shutdown(trial->process.control, SHUT_RDWR);
    pthread_join(counting->thread, NULL);
    kill(-trial->process.pid, SIGKILL);
    trial_end(trial);
    free(trial->process.printed);
    free(trial->counted);
}

/* ---- what was counted ------------------------------------------------------------------- */

/* The code file for the GPU's architecture, where the build made one: its text, or NULL. */
static char *read_code(const struct gpu *gpu, const struct built *built) {
    char path[PATH_MAX];
    size_t size;
    unsigned major = 0, minor = 0;
    sscanf(gpu->compute_capability, "%u.%u", &major, &minor);
    if (snprintf(path, sizeof path, "%s/sm_%u%u.code", built->directory, major, minor) >= PATH_MAX)
        return NULL;
    return file_bytes(path, CODE_BYTES, &size);
}

/* A right answer whose kernels read less than the whole input, although no answer is known before
 * all of it is read: on this device, which the step can tell from the one that it was checked on,
 * something else did the work. Of an input within one sector the answer may be known without: one
 * element has no pairs. */
static void check_reads(const struct counters *counters, const struct options *options,
                        struct record *record) {
    static const double LEAST_SHARE = 0.7, SECTOR = 32;
    if (record->verdict.kind != VERDICT_PASS || options->kind != KIND_STEP ||
        options->source.elements || options->source.input->early_exit ||
        record->fields.bytes <= SECTOR ||
        counters->read_bytes >= LEAST_SHARE * record->fields.bytes)
        return;
    record->verdict.kind = VERDICT_FLAGGED;
    snprintf(record->verdict.detail, sizeof record->verdict.detail,
             "reads too little when it is counted for the %s: its kernels read %.0f bytes, but "
             "the input of a call has %.0f",
             counters->gpu, counters->read_bytes, record->fields.bytes);
}

static void take_counters(const struct counted_gpu *gpu, const char *counts,
                          const struct options *options, const struct built *built,
                          struct record *record) {
    char *code = read_code(&gpu->gpu, built);
    struct counters_texts texts = {
        .counts = counts, .gpu = gpu->text, .gpu_name = gpu->name, .code = code};
    struct counters *counters = counters_of(&texts);
    free(code);
    if (counters->there) {
        counters_find_sources(counters, built->counted_runner);
        check_reads(counters, options, record);
    } else
        record_note(record, "not counted: %s", counters->error);
    record->counters = counters;
}

/* The graded input did not show it: the same calls by the plain build are wrong, too. */
static bool is_wrong_uncounted(struct count_run *counting, struct record *record) {
    const struct verdict before = record->verdict;
    struct trial *trial = &counting->trial;
    struct sample sample = {.calls = trial->max_calls};
    free(trial->counted);
    prepare_calls(counting);
    if (trial_start(trial, counting->built->runner))
        trial_sample(trial, &sample);
    if (!check_conclude(trial, counting->options, "as counted", record))
        return true;
    record->verdict = before;
    return false;
}

/* The counted build may be too slow, and what went wrong before the step's first function is no
 * fault of the step's. All else it did not do in the graded trial, on the same device. */
static void settle_uncounted(struct count_run *counting, struct record *record) {
    const struct verdict told = counting->trial.verdict, *verdict = &told;
    enum stage stage = counting->trial.stage;
    bool other = verdict->kind != VERDICT_PASS && verdict->kind != VERDICT_TIMED_OUT &&
                 verdict->kind != VERDICT_HARNESS_ERROR && stage != STAGE_HARNESS;
    other &= record->verdict.kind == VERDICT_PASS;
    if ((other || counting->stands_in) && is_wrong_uncounted(counting, record))
        return;
    if (!other) {
        record_note(record, "not counted: %.300s", verdict->detail);
        return;
    }
    record->verdict.kind = VERDICT_FLAGGED;
    snprintf(record->verdict.detail, sizeof record->verdict.detail,
             "passes, but not when it is counted for the %s: %s: %.400s", counting->gpu->name,
             verdict_word(verdict->kind), verdict->detail);
}

/* What is wrong shows no counters, and many mistakes do a hundred times the work at this size. A
 * step that is there to be wrong has counters like any other. */
static bool worth_counting(const struct record *record) {
    enum verdict_kind kind = record->verdict.kind;
    return kind == VERDICT_PASS || kind == VERDICT_FLAGGED ||
           (kind == VERDICT_WRONG && record->intended == kind);
}

void count_step(struct count_run *counting, struct record *record) {
    const struct built *built = counting->built;
    struct trial *trial = &counting->trial;
    if (!counting->gpu->text || device_timed(&record->device) ||
        !kind_counts(counting->options->kind))
        return;
    if (!worth_counting(record)) {
        if (counting->begun)
            drop_calls(counting);
        return;
    }
    if (!built->counted_runner[0]) {
        record_note(record, "not counted: the counted build failed (counted.log says why)");
        return;
    }
    count_ahead(counting);
    await_calls(counting);
    if (trial->counted &&
        (trial->verdict.kind == VERDICT_PASS || trial->verdict.kind == record->intended))
        take_counters(counting->gpu, trial->counted, counting->options, built, record);
    else
        settle_uncounted(counting, record);
    free(trial->counted);
}
