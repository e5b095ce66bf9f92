#define _GNU_SOURCE
#include "trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "fault.h"
#include "random.h"
#include "strip.h"

enum { SLOT_ALIGNMENT = 128 }; /* bytes: as lab.h promises */

static bool settle(struct trial *trial, enum verdict_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool settle(struct trial *trial, enum verdict_kind kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    trial->verdict.kind = kind;
    vsnprintf(trial->verdict.detail, sizeof trial->verdict.detail, format, arguments);
    va_end(arguments);
    return false;
}

/* Every region of the strip is the same window. */
static void copy_elements(struct strip *strip, const void *elements) {
    char *region = strip->elements;
    for (size_t i = 0; i < strip->regions; i++) {
        memcpy(region, elements, strip_window_bytes(strip));
        region += strip->region_rows * strip_row_bytes(strip);
    }
}

void trial_prepare(struct trial *trial, const struct problem *problem, struct strip layout,
                   const struct source *source) {
    trial->problem = problem;
    trial->strip = layout;
    trial->shape = layout.window;
    trial->shared.strip =
        shared_memory("input strip", strip_bytes(&layout), &trial->strip.elements);
    if (source->elements)
        copy_elements(&trial->strip, source->elements);
    else
        source->input->fill(&trial->strip, source->seed);
    trial->index = problem->prepare(&trial->strip);
    if (!trial->index)
        fault("cannot allocate the index of the expected outputs");

    trial->slot_bytes =
        (problem->output_bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
    trial->shared.windows =
        shared_memory("window list", trial->max_calls * sizeof(uint64_t), (void **)&trial->windows);
    trial->shared.outputs =
        shared_memory("outputs", trial->max_calls * trial->slot_bytes, (void **)&trial->outputs);
    trial->verdict.kind = VERDICT_PASS;
    trial->verdict.detail[0] = '\0';
    trial->error = -1;
    trial->rechecked = false;
}

/* The runner answered with FAILED. */
static bool settle_failed(struct trial *trial, const struct message *message) {
    static const char *const doing[] = {
        [STAGE_HARNESS] = "the harness could not prepare the device",
        [STAGE_SETUP] = "in the set-up",
        [STAGE_CALLS] = "in a call",
        [STAGE_TEARDOWN] = "in the tear-down",
    };
    unsigned stage = message->stage <= STAGE_TEARDOWN ? message->stage : STAGE_HARNESS;
    enum verdict_kind kind =
        stage == STAGE_HARNESS ? VERDICT_HARNESS_ERROR : verdict_of_cuda_error(message->cuda_error);
    return settle(trial, kind, "%s: %s", doing[stage], message->text);
}

/* Wait for a message of that kind; anything else settles the verdict. */
static bool expect_message(struct trial *trial, enum message_kind kind, struct message *message,
                           const char *doing) {
    switch (process_receive(&trial->process, message, trial->timeout_s)) {
    case ANSWER_TIMED_OUT:
        return settle(trial, VERDICT_TIMED_OUT, "no answer within %g s while %s", trial->timeout_s,
                      doing);
    case ANSWER_DIED:
        return settle(trial, VERDICT_CRASHED, "the step's process ended while %s", doing);
    case ANSWER_MESSAGE:
        break;
    }
    if (message->kind == MESSAGE_FAILED)
        return settle_failed(trial, message);
    if (message->kind != kind)
        return settle(trial, VERDICT_CRASHED, "the step's process broke the protocol while %s",
                      doing);
    return true;
}

bool trial_start(struct trial *trial, const char *runner) {
    process_start(&trial->process, runner, &trial->shared);
    struct message message = {
        .kind = MESSAGE_JOB,
        .rows = trial->shape.rows,
        .columns = trial->shape.columns,
        .row_bytes = strip_row_bytes(&trial->strip),
        .window_bytes = strip_window_bytes(&trial->strip),
        .strip_bytes = strip_bytes(&trial->strip),
        .output_bytes = trial->problem->output_bytes,
        .slot_bytes = trial->slot_bytes,
        .max_calls = trial->max_calls,
    };
    process_send(&trial->process, &message);
    return expect_message(trial, MESSAGE_READY, &message, "setting up");
}

/* The outputs of a sample are compared in private memory, where the runner cannot change them. */
static char *take_outputs(const struct trial *trial, size_t calls) {
    char *outputs = allocate(calls * trial->slot_bytes);
    memcpy(outputs, trial->outputs, calls * trial->slot_bytes);
    return outputs;
}

static bool all_poison(const char *output, size_t bytes, unsigned char poison) {
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)output[i] != poison)
            return false;
    return true;
}

struct mismatch {
    size_t wrong, first; /* number of wrong calls, and the first of them */
    char why[256];       /* how the first differs */
};

double trial_worst_error(const struct problem *problem, double worst, const void *expected,
                         const void *got) {
    if (!problem->error)
        return worst;
    double error = problem->error(expected, got);
    return error <= worst ? worst : error;
}

static bool right(struct trial *trial, size_t call, const void *expected, const void *got,
                  char *why, size_t why_size) {
    const struct problem *problem = trial->problem;
    trial->error = trial_worst_error(problem, trial->error, expected, got);
    if (!problem->right(expected, got, why, why_size))
        return false;
    if (!problem->recheck || trial->rechecked)
        return true;
    trial->rechecked = true;
    return problem->recheck(strip_row(&trial->strip, trial->windows[call]), trial->strip.window,
                            got, why, why_size);
}

static struct mismatch compare(struct trial *trial, const char *outputs, size_t calls,
                               unsigned char poison) {
    const struct problem *problem = trial->problem;
    struct mismatch mismatch = {0};
    void *expected = allocate(problem->expected_bytes);
    for (size_t call = 0; call < calls; call++) {
        const char *got = outputs + call * trial->slot_bytes;
        char why[sizeof mismatch.why];
        problem->expect(&trial->strip, trial->index, trial->windows[call], expected);
        if (right(trial, call, expected, got, why, sizeof why))
            continue;
        if (mismatch.wrong++)
            continue;
        mismatch.first = call;
        if (all_poison(got, problem->output_bytes, poison))
            snprintf(why, sizeof why, "nothing was written to the output");
        memcpy(mismatch.why, why, sizeof why);
    }
    free(expected);
    return mismatch;
}

/* One sample, uncompared. */
static bool run_calls(struct trial *trial, struct sample *sample, unsigned char poison) {
    struct message message = {.kind = MESSAGE_SAMPLE,
                              .calls = sample->calls,
                              .synced = sample->synced,
                              .whole = sample->whole,
                              .poison = poison};
    process_send(&trial->process, &message);
    if (!expect_message(trial, MESSAGE_ARMED, &message, "preparing a sample"))
        return false;

    message = (struct message){.kind = MESSAGE_GO};
    double start_s = clock_seconds();
    process_send(&trial->process, &message);
    if (!expect_message(trial, MESSAGE_DONE, &message, "running the calls"))
        return false;
    sample->audit_s = clock_seconds() - start_s;
    sample->event_s = message.event_s;
    sample->gpu = gpu_state();
    return expect_message(trial, MESSAGE_COPIED, &message, "copying the outputs");
}

/* After a wrong sample: the same calls once more. Do they give the same outputs? */
static bool repeats(struct trial *trial, const struct sample *sample, const char *outputs,
                    unsigned char poison) {
    struct sample again = {
        .calls = sample->calls, .synced = sample->synced, .whole = sample->whole};
    struct verdict verdict = trial->verdict;
    bool same = !run_calls(trial, &again, poison) ||
                memcmp(outputs, trial->outputs, sample->calls * trial->slot_bytes) == 0;
    trial->verdict = verdict;
    return same;
}

static bool settle_wrong(struct trial *trial, const struct sample *sample, const char *outputs,
                         const struct mismatch *mismatch, unsigned char poison) {
    /* Where outputs are not exact, another order of the same additions is no fault. */
    bool same = trial->problem->error || repeats(trial, sample, outputs, poison);
    return settle(trial, same ? VERDICT_WRONG : VERDICT_NONDETERMINISTIC,
                  "call %zu, %s (%zu of %zu calls wrong)%s", mismatch->first, mismatch->why,
                  mismatch->wrong, sample->calls,
                  same ? "" : "; the same calls made again gave other outputs");
}

bool trial_sample(struct trial *trial, struct sample *sample) {
    /* Garbage as an integer of any width, and as a float: 6e19 or more, of either sign. */
    unsigned char poison = random_next(trial->random) | 0x60;
    strip_windows(&trial->strip, trial->random, trial->windows, sample->calls);
    if (!run_calls(trial, sample, poison))
        return false;

    char *outputs = take_outputs(trial, sample->calls);
    struct mismatch mismatch = compare(trial, outputs, sample->calls, poison);
    bool right = !mismatch.wrong || settle_wrong(trial, sample, outputs, &mismatch, poison);
    free(outputs);
    return right;
}

static void free_shared(int fd, void *memory, size_t bytes) {
    munmap(memory, bytes ? bytes : 1);
    close(fd);
}

void trial_end(struct trial *trial) {
    struct message message = {.kind = MESSAGE_FINISH};
    if (trial->verdict.kind == VERDICT_PASS) {
        process_send(&trial->process, &message);
        expect_message(trial, MESSAGE_FINISHED, &message, "tearing down");
    }
    char end[80];
    process_stop(&trial->process, end, sizeof end);
    if (trial->verdict.kind == VERDICT_CRASHED) {
        size_t length = strlen(trial->verdict.detail);
        snprintf(trial->verdict.detail + length, sizeof trial->verdict.detail - length, ": %s",
                 end);
    }
    free_shared(trial->shared.strip, trial->strip.elements, strip_bytes(&trial->strip));
    free_shared(trial->shared.windows, trial->windows, trial->max_calls * sizeof(uint64_t));
    free_shared(trial->shared.outputs, trial->outputs, trial->max_calls * trial->slot_bytes);
    free(trial->index);
}
