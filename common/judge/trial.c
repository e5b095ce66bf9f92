#define _GNU_SOURCE
#include "trial.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "findings/crashes.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/facts.h"
#include "diagnosis/reading.h"
#include "fault.h"
#include "outputs.h"
#include "random.h"
#include "strip.h"
#include "findings/stuck.h"
#include "timing/locks.h"

enum { SLOT_ALIGNMENT = 128 }; /* bytes: as lab.h promises */

size_t trial_slot_bytes(size_t output_bytes) {
    return (output_bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
}

bool trial_settle(struct trial *trial, enum verdict_kind kind, const char *format, ...) {
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

void trial_draw(struct trial *trial) {
    if (trial->source.elements)
        copy_elements(&trial->strip, trial->source.elements);
    else
        trial->source.input->fill(&trial->strip, trial->source.seed);
    /* Drawn, for the generator's next state alone would give nearly the same numbers again. */
    trial->source.seed = random_next(&trial->source.seed);
    free(trial->index);
    trial->index = trial->problem->prepare(&trial->strip);
    if (!trial->index)
        fault("cannot allocate the index of the expected outputs");
}

static void *draw(void *trial) {
    trial_draw(trial);
    return NULL;
}

void trial_draw_ahead(struct trial *trial) {
    trial->drawing = true;
    if (pthread_create(&trial->drawer, NULL, draw, trial))
        fault("cannot start a thread");
}

static void await_drawn(struct trial *trial) {
    if (trial->drawing)
        pthread_join(trial->drawer, NULL);
    trial->drawing = false;
}

static void lay_out(struct trial *trial, struct strip layout, const struct source *source) {
    trial->source = *source;
    trial->patches.count = 0;
    layout.elements = trial->strip.elements;
    trial->strip = layout;
    trial->shape = layout.window;
    trial->output_bytes = outputs_bytes(trial->problem, layout.window);
    if (trial->slot_bytes < trial->output_bytes)
        trial->slot_bytes = trial->output_bytes;
    trial->slot_bytes = trial_slot_bytes(trial->slot_bytes);
}

/* Of the job at hand. */
static struct room room_for(const struct trial *trial, const struct strip *layout) {
    return (struct room){strip_bytes(layout), trial->max_calls * sizeof *trial->told,
                         trial->max_calls * trial->slot_bytes};
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

void trial_prepare(struct trial *trial, const struct problem *problem, struct strip layout,
                   const struct source *source) {
    struct room *room = &trial->room;
    trial->problem = problem;
    lay_out(trial, layout, source);
    const struct room needed = room_for(trial, &layout);
    *room = (struct room){larger(room->strip, needed.strip), larger(room->calls, needed.calls),
                          larger(room->outputs, needed.outputs)};
    trial->shared.strip = shared_memory("input strip", room->strip, &trial->strip.elements);
    trial->windows = allocate(room->calls);
    trial->shared.windows = shared_memory("window list", room->calls, (void **)&trial->told);
    trial->shared.outputs = shared_memory("outputs", room->outputs, (void **)&trial->outputs);
    if (trial->gpu || trial->checked)
        trial->shared.counts = shared_memory("counts", COUNTS_FD_BYTES, (void **)&trial->counts);
    trial->error = -1;
}

/* The runner answered with FAILED. */
static bool settle_failed(struct trial *trial, const struct message *message) {
    static const char *const doing[] = {
        [STAGE_HARNESS] = "the harness could not prepare the device",
        [STAGE_SETUP] = "in the set-up",
        [STAGE_CALLS] = "in a call",
        [STAGE_TEARDOWN] = "in the tear-down",
    };
    enum verdict_kind kind = trial->stage == STAGE_HARNESS
                                 ? VERDICT_HARNESS_ERROR
                                 : verdict_of_cuda_error(message->cuda_error);
    return trial_settle(trial, kind, "%s: %s", doing[trial->stage], message->text);
}

static void keep_where(struct trial *trial, const struct where *where) {
    const bool goes_on =
        where->launches != trial->where.launches || where->ended != trial->where.ended;
    trial->where = *where;
    trial->where.goes_on = trial->wheres++ && goes_on;
}

/* What a runner tells without being asked is kept. */
static bool keep(struct trial *trial, const struct message *message) {
    if (message->kind == MESSAGE_HAZARD)
        return hazards_add(&trial->hazards, &message->hazard);
    if (message->kind == MESSAGE_CRASHED)
        trial->crash = message->crash;
    if (message->kind == MESSAGE_WHERE)
        keep_where(trial, &message->where);
    if (message->kind == MESSAGE_REACHED && trial->reach)
        reach_add(trial->reach, &message->reached, trial->only_reach);
    return message->kind == MESSAGE_CRASHED || message->kind == MESSAGE_WHERE ||
           message->kind == MESSAGE_REACHED;
}

/* A slow machine gives a step that goes on more time. */
static bool has_no_end(const struct trial *trial) {
    enum { REPORTS = 2, GOES_ON_REPORTS = 4 };
    return trial->where_ends && stuck_known(&trial->where) &&
           trial->wheres >= (trial->patient && trial->where.goes_on ? GOES_ON_REPORTS : REPORTS);
}

/* The next answer. What is told before it gains the runner no time. */
static enum answer receive(struct trial *trial, struct message *message) {
    double seconds = trial->timeout_s, left_s = trial->deadline.end_s - locks_clock();
    if (trial->deadline.limit_s && seconds > left_s)
        seconds = left_s;
    const double deadline = clock_seconds() + seconds;
    enum answer answer;
    trial->where = (struct where){0};
    trial->wheres = 0;
    do
        answer = process_receive(&trial->process, message, deadline - clock_seconds());
    while (answer == ANSWER_MESSAGE && keep(trial, message) && !has_no_end(trial));
    return has_no_end(trial) ? ANSWER_TIMED_OUT : answer;
}

static bool settle_timed_out(struct trial *trial, const char *doing) {
    if (has_no_end(trial))
        return trial_settle(trial, VERDICT_TIMED_OUT,
                            "not finished after %g s of CPU time while %s",
                            trial->where_s * trial->wheres / 2, doing);
    if (trial->deadline.limit_s && locks_clock() >= trial->deadline.end_s)
        return trial_settle(trial, VERDICT_TIMED_OUT, "not finished after %g s in all, while %s",
                            trial->deadline.limit_s, doing);
    return trial_settle(trial, VERDICT_TIMED_OUT, "no answer within %g s while %s",
                        trial->timeout_s, doing);
}

/* Wait for a message of that kind; anything else settles the verdict. */
static bool expect_message(struct trial *trial, enum message_kind kind, struct message *message,
                           const char *doing) {
    switch (receive(trial, message)) {
    case ANSWER_TIMED_OUT:
        return settle_timed_out(trial, doing);
    case ANSWER_DIED:
        return trial_settle(trial, VERDICT_CRASHED, "the step's process ended while %s", doing);
    case ANSWER_PRINTS_ON:
        return trial_settle(
            trial, VERDICT_TIMED_OUT,
            "stopped while %s, because it prints too much: %.0f MB so far, %lld lines", doing,
            trial->process.all_bytes / 1e6, (long long)trial->process.all_lines);
    case ANSWER_MESSAGE:
        break;
    }
    if (message->kind == MESSAGE_FAILED)
        return settle_failed(trial, message);
    if (message->kind != kind)
        return trial_settle(trial, VERDICT_CRASHED,
                            "the step's process broke the protocol while %s", doing);
    return true;
}

/* Runners that are made, and may not use the GPU yet. */
static struct process *waiting[PROCESSES_MOST];
static size_t waiting_count;

static void let_begin(struct process *process) {
    process_send(process, &(struct message){.kind = MESSAGE_BEGIN});
}

/* The last thing before the GPU is used: sandboxes are made by now. */
static void let_all_begin(void) {
    locks_take();
    while (waiting_count)
        let_begin(waiting[--waiting_count]);
}

void trial_begin(struct trial *trial, const char *runner) {
    trial->runner = runner;
    if (trial->gpu)
        snprintf(trial->counts, COUNTS_FD_BYTES, "%s", trial->gpu);
    process_start(&trial->process, trial->runner, &trial->shared);
    if (locks_had())
        let_begin(&trial->process);
    else
        waiting[waiting_count++] = &trial->process;
    trial->process.prompt = trial->timed;
    trial->crash = (struct crash){0};
    trial->running = true;
    trial->stage = STAGE_HARNESS;
    trial->samples_made = 0;
}

/* The runner is calling the step's set-up. */
static bool expect_ready(struct trial *trial) {
    struct message message;
    trial->stage = STAGE_SETUP;
    if (!expect_message(trial, MESSAGE_READY, &message, "setting up"))
        return false;
    trial->stage = STAGE_CALLS;
    return true;
}

/* Have the runner prepare its memory, and set the step up. */
static bool set_up(struct trial *trial) {
    struct message message = {
        .kind = MESSAGE_JOB,
        .rows = trial->shape.rows,
        .columns = trial->shape.columns,
        .row_bytes = strip_row_bytes(&trial->strip),
        .window_bytes = strip_window_bytes(&trial->strip),
        .strip_bytes = strip_bytes(&trial->strip),
        .element_bytes = trial->strip.element_bytes,
        .output_bytes = trial->output_bytes,
        .slot_bytes = trial->slot_bytes,
        .max_calls = trial->max_calls,
        .counted = trial->gpu != NULL,
        .reads = trial->checked,
        .marked = !trial->timed,
        .where_s = trial->where_s / 2,
        .reach = trial->reach != NULL,
        .only_reach = trial->only_reach,
        .only_launch = trial->only_launch,
        .check_only = trial->check_only,
        .in_order = trial->in_order,
    };
    process_started(&trial->process);
    let_all_begin();
    process_send(&trial->process, &message);
    trial->loaded_bytes += strip_bytes(&trial->strip);
    return expect_message(trial, MESSAGE_PREPARED, &message, "preparing the device") &&
           expect_ready(trial);
}

bool trial_start(struct trial *trial, const char *runner) {
    if (!trial->running)
        trial_begin(trial, runner);
    await_drawn(trial);
    if (!trial->index)
        trial_draw(trial);
    return set_up(trial);
}

bool trial_tear_down(struct trial *trial) {
    struct message message = {.kind = MESSAGE_TEAR_DOWN};
    trial->stage = STAGE_TEARDOWN;
    process_send(&trial->process, &message);
    return expect_message(trial, MESSAGE_TORN_DOWN, &message, "tearing down");
}

bool trial_renew(struct trial *trial, struct strip layout, const struct source *source) {
    lay_out(trial, layout, source);
    const struct room needed = room_for(trial, &layout);
    if (needed.strip > trial->room.strip || needed.calls > trial->room.calls ||
        needed.outputs > trial->room.outputs)
        return false;
    trial->stage = STAGE_HARNESS;
    trial->samples_made = 0;
    trial->rechecked = false;
    process_forget_printed(&trial->process);
    trial_draw(trial);
    return set_up(trial);
}

bool trial_set_up_again(struct trial *trial) {
    /* By whole pages: the step's memory stays as well aligned as it was. */
    enum { PAGE_BYTES = 4096, MOST_PAGES = 64 };
    struct message message = {.kind = MESSAGE_SET_UP};
    message.shift_bytes = PAGE_BYTES * (1 + random_below(trial->random, MOST_PAGES));
    process_send(&trial->process, &message);
    return expect_ready(trial);
}

/* ---- patches: what changes in the strip while a sample runs ----------------------------- */

/* Patches before the first call make anything known from the set-up or from earlier samples false.
 * Patches between calls do the same to anything found out since. One of these takes 17 us of a
 * sample on an H200, more than a call, so a part of a sample has only one. */
enum { PATCHES_AT_START = 4, PATCHES_UNDER_WAY = 3, PATCHES_IN_A_PART = 1 };

_Static_assert(2 * (PATCHES_AT_START + PATCHES_UNDER_WAY) <= MOST_PATCHES,
               "a sample may have to be run again from where it began");

/* The next patch: it takes effect at a call, somewhere in the window of a call. */
static void add_patch(struct trial *trial, size_t call, size_t window_of) {
    const struct strip *strip = &trial->strip;
    struct patch *patch = &trial->patches.patch[trial->patches.count++];
    size_t size = strip->window.rows * strip->window.columns;
    patch->call = call;
    patch->element =
        trial->windows[window_of] * strip->window.columns + random_below(trial->random, size);
    trial->source.input->salt(strip, trial->random, patch->value);
}

static void draw_patches(struct trial *trial, const struct sample *sample) {
    trial->patches.count = 0;
    /* A whole call takes its window from the judge's own strip. */
    bool allowed = trial->source.input->salt && !sample->whole && sample->copied &&
                   strip_window_bytes(&trial->strip);
    if (!allowed)
        return;
    for (int i = 0; i < PATCHES_AT_START; i++)
        add_patch(trial, 0, random_below(trial->random, sample->copied));
    /* In the order of their calls: one from each stretch of the sample. */
    size_t under_way = sample->part ? PATCHES_IN_A_PART : PATCHES_UNDER_WAY;
    for (size_t i = 0; i < under_way; i++) {
        size_t first = sample->calls * i / under_way;
        size_t end = sample->calls * (i + 1) / under_way;
        if (first < end) {
            size_t call = first + random_below(trial->random, end - first);
            add_patch(trial, call, call);
        }
    }
}

/* Bring the judge's own strip to where it is at a call; `next` counts the patches made. */
static void apply_patches(struct trial *trial, size_t call, size_t *next) {
    struct patches *patches = &trial->patches;
    for (; *next < patches->count && patches->patch[*next].call <= call; (*next)++) {
        const struct patch *patch = &patches->patch[*next];
        size_t bytes = trial->strip.element_bytes;
        memcpy(patches->before[*next], (char *)trial->strip.elements + patch->element * bytes,
               bytes);
        trial->problem->change(&trial->strip, trial->index, patch->element, patch->value);
    }
}

/* The same patches again, after others that first take them back. */
static struct patches patches_again(const struct patches *patches) {
    struct patches again = {.count = 2 * patches->count};
    for (size_t i = 0; i < patches->count; i++) {
        size_t last = patches->count - 1 - i;
        again.patch[i] = patches->patch[last];
        again.patch[i].call = 0;
        memcpy(again.patch[i].value, patches->before[last], sizeof again.patch[i].value);
        again.patch[patches->count + i] = patches->patch[i];
    }
    return again;
}

/* ---- samples ---------------------------------------------------------------------------- */

static bool all_poison(const char *output, size_t bytes, unsigned char poison) {
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)output[i] != poison)
            return false;
    return true;
}

struct mismatch {
    size_t wrong, first; /* number of wrong calls, and the first of them */
    size_t outputs;      /* that are wrong in that one */
    char why[256];       /* how the first differs */
    bool ours;           /* the first is right by an index that is made anew */
};

double trial_worst_error(const struct trial *trial, double worst, const void *expected,
                         const void *got) {
    double error = outputs_error(trial->problem, trial->strip.window, expected, got);
    return error <= worst ? worst : error;
}

/* How many of a call's outputs are wrong. */
static size_t count_wrong(struct trial *trial, size_t call, const void *expected, const void *got,
                          char *why, size_t why_size) {
    const struct problem *problem = trial->problem;
    trial->error = trial_worst_error(trial, trial->error, expected, got);
    size_t wrong = outputs_wrong(problem, trial->strip.window, expected, got, why, why_size);
    if (wrong || !problem->recheck || trial->rechecked)
        return wrong;
    trial->rechecked = true;
    return !problem->recheck(strip_row(&trial->strip, trial->windows[call]), trial->strip.window,
                             got, why, why_size);
}

/* Before a student is told of a mistake: was it the index of the expected outputs that was wrong?
 */
static bool right_anew(const struct trial *trial, size_t call, const void *got) {
    const struct problem *problem = trial->problem;
    char why[256];
    void *expected = allocate(outputs_expected_bytes(problem, trial->strip.window));
    void *index = problem->prepare(&trial->strip);
    bool right = index != NULL;
    if (right) {
        problem->expect(&trial->strip, index, trial->windows[call], expected);
        right = !outputs_wrong(problem, trial->strip.window, expected, got, why, sizeof why);
    }
    free(index);
    free(expected);
    return right;
}

/* What the runner has counted of a call: it may say anything, and go on to write there, so this is
 * a copy. Of the uses only those that there are: where nobody wrote, a look makes pages of zeros.
 * NULL: it has not counted. */
static struct reads *take_reads(const struct trial *trial, size_t call) {
    size_t elements = trial->strip.window.rows * trial->strip.window.columns;
    size_t bytes = reads_bytes(elements);
    if (!trial->checked || call >= COUNTS_FD_BYTES / bytes)
        return NULL;
    const struct reads *shared = (const void *)(trial->counts + call * bytes);
    struct reads *reads = memcpy(allocate(bytes), shared, offsetof(struct reads, use));
    size_t uses = reads->uses < MOST_USES ? reads->uses : MOST_USES;
    if (!reads->counted) {
        free(reads);
        return NULL;
    }
    memcpy(reads->use, shared->use, uses * sizeof *reads->use);
    memcpy(reads->of, shared->of, elements * sizeof *reads->of);
    reads_clean(reads);
    return reads;
}

static struct mismatch compare(struct trial *trial, const char *outputs, size_t calls,
                               unsigned char poison, struct diagnosis *diagnosis) {
    const struct problem *problem = trial->problem;
    struct mismatch mismatch = {0};
    size_t patched = 0;
    for (size_t call = 0; call < calls; call++) {
        apply_patches(trial, call, &patched);
        const char *got = outputs + call * trial->slot_bytes;
        char why[sizeof mismatch.why];
        void *expected = diagnosis_expected(diagnosis, call);
        problem->expect(&trial->strip, trial->index, trial->windows[call], expected);
        const size_t wrong = count_wrong(trial, call, expected, got, why, sizeof why);
        if (!wrong)
            continue;
        if (!mismatch.wrong)
            diagnosis_reads(diagnosis, take_reads(trial, call), trial->runner);
        diagnosis_wrong(diagnosis, call, trial->windows[call], got);
        if (mismatch.wrong++)
            continue;
        mismatch.first = call;
        mismatch.outputs = wrong;
        mismatch.ours = right_anew(trial, call, got);
        if (all_poison(got, trial->output_bytes, poison))
            snprintf(why, sizeof why, "nothing was written to the output");
        memcpy(mismatch.why, why, sizeof why);
    }
    apply_patches(trial, SIZE_MAX, &patched); /* where no calls are made */
    return mismatch;
}

/* The runner says that all calls are done. Whatever its time is worth, it is a time. */
static bool expect_done(struct trial *trial, struct sample *sample) {
    struct message message;
    if (!expect_message(trial, MESSAGE_DONE, &message, "running the calls"))
        return false;
    if (!(message.event_s >= 0 && isfinite(message.event_s)))
        return trial_settle(trial, VERDICT_CRASHED,
                            "the step's process broke the protocol while running the calls: "
                            "it reported a time of %g s",
                            message.event_s);
    sample->event_s = message.event_s;
    sample->idle_calls = message.idle_calls;
    sample->host_calls = message.host_calls;
    sample->widest = message.widest;
    sample->of_blocks = message.of_blocks;
    trial->meetings = message.meetings;
    return true;
}

/* The runner may go on writing: what is taken ends where the copy does. */
static void take_counts(struct trial *trial) {
    size_t length = strnlen(trial->counts, COUNTS_FD_BYTES);
    free(trial->counted);
    trial->counted = allocate(length + 1);
    memcpy(trial->counted, trial->counts, length);
    trial->counted[length] = '\0';
}

/* One sample, uncompared. Its outputs go to `outputs`, private memory for `copied` of them: they
 * are taken while the clock runs, so that whoever changes the shared memory later comes too late,
 * and whoever does it earlier is paid no time for it. */
static bool run_calls(struct trial *trial, struct sample *sample, const struct patches *patches,
                      unsigned char poison, char *outputs) {
    struct message message = {.kind = MESSAGE_SAMPLE,
                              .calls = sample->calls,
                              .copied = sample->copied,
                              .synced = sample->synced,
                              .whole = sample->whole,
                              .again = sample->again,
                              .count = sample->count,
                              .poison = poison};
    process_send(&trial->process, &message);
    if (!expect_message(trial, MESSAGE_ARMED, &message, "preparing a sample"))
        return false;

    memcpy(trial->told, trial->windows, sample->calls * sizeof *trial->told);
    message = (struct message){.kind = MESSAGE_GO, .patches = patches->count};
    memcpy(message.patch, patches->patch, sizeof message.patch);
    double start_s = clock_seconds();
    process_send(&trial->process, &message);
    if (!expect_done(trial, sample))
        return false;
    trial->calls_made += sample->calls;
    sample->done_s = clock_seconds() - start_s;
    if (!expect_message(trial, MESSAGE_COPIED, &message, "copying the outputs"))
        return false;
    memcpy(outputs, trial->outputs, sample->copied * trial->slot_bytes);
    if (sample->count)
        take_counts(trial);
    sample->audit_s = clock_seconds() - start_s;
    trial->idle_since_s = clock_seconds();
    sample->gpu = gpu_state();
    return true;
}

/* Touched, so that no page faults are on the clock. */
static char *allocate_outputs(const struct trial *trial, const struct sample *sample) {
    size_t bytes = sample->copied * trial->slot_bytes;
    return memset(allocate(bytes), 0, bytes);
}

/* After a wrong sample: the outputs of the same calls made once more, or NULL. */
static char *make_again(struct trial *trial, const struct sample *sample, unsigned char poison) {
    struct sample again = {.calls = sample->calls,
                           .copied = sample->copied,
                           .synced = sample->synced,
                           .whole = sample->whole,
                           .again = true};
    struct patches patches = patches_again(&trial->patches);
    struct verdict verdict = trial->verdict;
    char *outputs = allocate_outputs(trial, sample);
    if (!run_calls(trial, &again, &patches, poison, outputs)) {
        free(outputs);
        outputs = NULL;
    }
    trial->verdict = verdict;
    return outputs;
}

static bool settle_wrong(struct trial *trial, const struct sample *sample, const char *outputs,
                         const struct mismatch *mismatch, unsigned char poison,
                         struct diagnosis *diagnosis) {
    char *again = make_again(trial, sample, poison);
    diagnosis_name(diagnosis, outputs, again, trial->slot_bytes, trial->diagnosis,
                   sizeof trial->diagnosis);
    trial->verdict.first_right = diagnosis_first_right(diagnosis);
    /* Where outputs are not exact, another order of the same additions is no fault. */
    bool same = trial->problem->error || !again ||
                memcmp(outputs, again, sample->calls * trial->slot_bytes) == 0;
    free(again);
    char of_call[80] = "";
    if (trial->problem->outputs)
        snprintf(of_call, sizeof of_call, "%zu of %zu outputs wrong, ", mismatch->outputs,
                 trial->problem->outputs(trial->strip.window));
    return trial_settle(trial, same ? VERDICT_WRONG : VERDICT_NONDETERMINISTIC,
                        "call %zu, %s (%s%zu of %zu calls wrong)%s", mismatch->first, mismatch->why,
                        of_call, mismatch->wrong, sample->calls,
                        same ? "" : "; the same calls made again gave other outputs");
}

/* Outputs that are right, but that no kernel can have computed. With no elements there is nothing
 * to launch a kernel for. */
static bool settle_idle(struct trial *trial, const struct sample *sample) {
    if (!strip_window_bytes(&trial->strip) || !(sample->idle_calls || sample->host_calls))
        return true;
    if (!sample->idle_calls)
        return trial_settle(trial, VERDICT_NO_KERNEL,
                            "far more came to the host than outputs take, in %zu of %zu "
                            "calls: the work was done there",
                            sample->host_calls, sample->calls);
    return trial_settle(trial, VERDICT_NO_KERNEL,
                        "no kernel was launched in %zu of %zu calls: the work was done elsewhere",
                        sample->idle_calls, sample->calls);
}

bool trial_sample(struct trial *trial, struct sample *sample) {
    /* Garbage as an integer of any width, and as a float: 6e19 or more, of either sign. 0xff is
     * what full bins have. */
    unsigned char poison = random_next(trial->random) | 0x60;
    if (poison == UCHAR_MAX)
        poison ^= 1;
    if (sample->calls)
        sample->copied = sample->calls;
    strip_windows(&trial->strip, trial->random, trial->windows, sample->copied);
    draw_patches(trial, sample);
    char *outputs = allocate_outputs(trial, sample);
    if (!run_calls(trial, sample, &trial->patches, poison, outputs)) {
        free(outputs);
        return false;
    }
    struct diagnosis *diagnosis = diagnosis_begin(trial->problem, &trial->strip, sample->calls,
                                                  poison, trial->samples_made++ == 0);
    if (trial->checked)
        diagnosis_races(diagnosis,
                        trial->hazards.of[HAZARD_FAULT].count ? RACES_OR_FAULTS : RACES_NONE);
    struct mismatch mismatch = compare(trial, outputs, sample->calls, poison, diagnosis);
    bool right =
        mismatch.ours    ? trial_settle(trial, VERDICT_HARNESS_ERROR,
                                        "the expected output of call %zu was wrong, and the step's is "
                                           "right: this is not its mistake; grade it again",
                                        mismatch.first)
        : mismatch.wrong ? settle_wrong(trial, sample, outputs, &mismatch, poison, diagnosis)
                         : settle_idle(trial, sample);
    diagnosis_end(diagnosis);
    free(outputs);
    return right;
}

static void free_shared(int fd, void *memory, size_t bytes) {
    munmap(memory, bytes ? bytes : 1);
    close(fd);
}

/* A loop without an end: `why`, where by the notes of the last call blocks wait for a word that
 * nobody sets; or a thread reads an element again. Of more launches than a note can number, it may
 * be that of another one. */
static bool say_endless(struct trial *trial, const char *why) {
    struct reads *reads = NULL;
    for (size_t call = trial->max_calls; !reads && call-- > 0;)
        reads = take_reads(trial, call);
    const struct wrong_call of = {
        .reads = reads, .problem = trial->problem, .program = trial->runner, .shape = trial->shape};
    bool known =
        stuck_on_blocks(&trial->where) && (reads ? totals_one_word(reads) : !trial->checked);
    if (known)
        snprintf(trial->diagnosis, sizeof trial->diagnosis, "%s", why);
    else if (reads && trial->where.launches <= UINT8_MAX)
        known = reading_begins_anew(&of, TEXT(trial->diagnosis));
    free(reads);
    return known;
}

/* Tear the step down if it passed so far, and end its process. */
static void end_runner(struct trial *trial) {
    if (!trial->running)
        return;
    trial->running = false;
    if (trial->verdict.kind == VERDICT_PASS && trial->stage != STAGE_HARNESS &&
        trial->stage != STAGE_TEARDOWN)
        trial_tear_down(trial);
    char end[80];
    process_stop(&trial->process, end, sizeof end);
    char place[320], why[sizeof trial->diagnosis];
    if (trial->verdict.kind == VERDICT_CRASHED) {
        crash_describe(&trial->crash, trial->runner, TEXT(place));
        text_add(TEXT(trial->verdict.detail), ": %s%s", end, place);
    } else if (trial->verdict.kind == VERDICT_TIMED_OUT && stuck_known(&trial->where)) {
        stuck_describe(&trial->where, trial->runner, TEXT(place), TEXT(why));
        text_add(TEXT(trial->verdict.detail), ": %s", place);
        trial->verdict.endless = say_endless(trial, why);
        if (trial->where_ends && !trial->verdict.endless)
            memcpy(trial->diagnosis, why, sizeof why);
    }
}

/* On a GPU the end of a process takes a tenth of a second, and the next one needs a quarter to find
 * its device: meanwhile the strip is drawn. All of it is over before anything is measured. */
bool trial_restart(struct trial *trial) {
    if (!trial_tear_down(trial)) {
        end_runner(trial);
        return false;
    }
    process_leave(&trial->process);
    free(trial->process.printed); /* what the last process prints is enough for a log */
    if (trial->exclusive)
        process_reap();
    trial_begin(trial, trial->runner);
    trial_draw(trial);
    process_reap();
    return set_up(trial);
}

void trial_end(struct trial *trial) {
    await_drawn(trial);
    end_runner(trial);
    if (trial->reach)
        reach_expect(trial->reach, trial->runner);
    hazards_find_places(&trial->hazards, trial->runner);
    hazards_settle(&trial->hazards, &trial->verdict, trial->diagnosis, sizeof trial->diagnosis);
    free_shared(trial->shared.strip, trial->strip.elements, trial->room.strip);
    free_shared(trial->shared.windows, trial->told, trial->room.calls);
    free_shared(trial->shared.outputs, trial->outputs, trial->room.outputs);
    if (trial->shared.counts)
        free_shared(trial->shared.counts, trial->counts, COUNTS_FD_BYTES);
    free(trial->windows);
    free(trial->index);
}
