/* The runner: the process that one step lives in.
 *
 * It is told what to do by the judge (protocol.h), owns the device memory of inputs and outputs,
 * and calls the step. It knows neither the right answers nor what it is timed for.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host.h"
#include "lab.h"
#include "protocol.h"
#include "watch.h"

static char *strip;             /* in device memory */
static const char *source;      /* the strip, shared with the judge */
static char *slots;             /* in device memory: one output for each call of a sample */
static const uint64_t *windows; /* shared with the judge */
static char *outputs;           /* shared with the judge */
static char *counts;            /* shared with the judge; NULL: nothing is counted */
static char *reads;             /* the same memory, of a checked build */
static void *in_the_way;        /* in device memory; nobody uses it */
static cudaEvent_t start[MOST_PATCHES + 1], stop[MOST_PATCHES + 1]; /* of each stretch of calls */

static void send_message(const struct message *message) {
    if (send(CONTROL_FD, message, sizeof *message, MSG_NOSIGNAL) != sizeof *message)
        _exit(1); /* the judge is gone: nobody is left to tell */
}

static struct message receive(void) {
    struct message message;
    if (recv(CONTROL_FD, &message, sizeof message, 0) != sizeof message)
        _exit(1);
    return message;
}

static void reply(enum message_kind kind) {
    struct message message = {.kind = kind};
    send_message(&message);
}

/* At once: the step may crash or hang because of it. */
static void tell_hazard(const struct hazard *hazard) {
    struct message message = {.kind = MESSAGE_HAZARD, .hazard = *hazard};
    send_message(&message);
}

/* In a signal's handler. How the process ends is evidence, too, so it goes on if nobody listens. */
static void tell_crash(const struct crash *crash) {
    struct message message = {.kind = MESSAGE_CRASHED, .crash = *crash};
    send(CONTROL_FD, &message, sizeof message, MSG_NOSIGNAL);
}

/* As above. */
static void tell_where(const struct where *where) {
    struct message message = {.kind = MESSAGE_WHERE, .where = *where};
    send(CONTROL_FD, &message, sizeof message, MSG_NOSIGNAL);
}

static void send_reached(const struct reached *reached) {
    struct message message = {.kind = MESSAGE_REACHED, .reached = *reached};
    send_message(&message);
}

static void watch_time(const struct message *job) {
    if (EMULATED)
        emulator_watch_time(job->where_s, tell_where);
}

/* A name for what is printed from here on. */
static void mark(const struct message *job, const char *name) {
    if (!EMULATED || !job->marked)
        return;
    fflush(stdout);
    dprintf(STDOUT_FILENO, "%c%s\n", PRINTED_MARK, name);
}

/* Calls are many, and whoever prints in all of them needs no more names. */
static void mark_call(const struct message *job, const struct message *sample, uint64_t i) {
    enum { NAMED = 64 };
    char name[32] = "later calls";
    if (i < NAMED)
        snprintf(name, sizeof name, "call %u%s", (unsigned)i, sample->again ? " again" : "");
    if (i <= NAMED)
        mark(job, name);
}

void host_failed(int cuda_error, const char *text) {
    struct message message = {.kind = MESSAGE_FAILED, .cuda_error = cuda_error};
    snprintf(message.text, sizeof message.text, "%s", text);
    fflush(stdout);
    send_message(&message);
    _exit(1);
}

/* All of it. Nor is the descriptor left to the step, whose streams could write there. */
static void *map_shared(int fd, int protection) {
    off_t bytes = lseek(fd, 0, SEEK_END);
    void *memory = mmap(NULL, bytes ? (size_t)bytes : 1, protection, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        host_failed(0, "runner: cannot map the memory shared with the judge");
    close(fd);
    return memory;
}

/* Takes a tenth of a second and more on a GPU, so it comes before the judge is listened to. */
static void find_device(void) {
    /* A spinning wait notices the end of short kernels soonest. Set before the context exists. */
    CUDA_CHECK(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    CUDA_CHECK(cudaFree(NULL)); /* makes the context */
    for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
        CUDA_CHECK(cudaEventCreate(&start[i]));
        CUDA_CHECK(cudaEventCreate(&stop[i]));
    }
}

static void prepare(const struct message *job) {
    if (job->counted && !counts) {
        counts = reads ? reads : map_shared(COUNTS_FD, PROT_READ | PROT_WRITE);
        if (EMULATED)
            emulator_emulate(counts);
    }
    if (job->reads && !reads)
        reads = counts ? counts : map_shared(COUNTS_FD, PROT_READ | PROT_WRITE);
    if (EMULATED && job->only_reach)
        EMULATOR_WATCH(emulator_only_reach);
    if (EMULATED && job->only_launch)
        emulator_only_launch = 1;
    if (EMULATED && job->check_only)
        EMULATOR_WATCH(emulator_check_only, job->check_only);
    strip = host_allocate(job->strip_bytes);
    slots = host_allocate(job->max_calls * job->slot_bytes);
    if (!source) { /* those of later jobs are no larger */
        windows = map_shared(WINDOWS_FD, PROT_READ);
        outputs = map_shared(OUTPUTS_FD, PROT_READ | PROT_WRITE);
        source = map_shared(STRIP_FD, PROT_READ);
    }
    CUDA_CHECK(cudaMemcpy(strip, source, job->strip_bytes, cudaMemcpyHostToDevice));
}

/* Those of calls that are made again are known. */
static void count_reads(const struct message *job, const struct message *sample, uint64_t i) {
    size_t bytes = reads_bytes(job->window_bytes / job->element_bytes);
    bool counts_them = reads && !sample->again && i < COUNTS_FD_BYTES / bytes;
    if (EMULATED)
        EMULATOR_WATCH(emulator_count_reads,
                       counts_them ? (struct reads *)(reads + i * bytes) : NULL,
                       job->element_bytes);
}

/* Call i of a sample. What it launched is added up in `done`. */
static void call_once(const struct message *job, const void *window, uint64_t i,
                      struct message *done) {
    struct host_call call = {.window = window,
                             .rows = job->rows,
                             .columns = job->columns,
                             .window_bytes = job->window_bytes,
                             .output = slots + i * job->slot_bytes,
                             .output_bytes = job->output_bytes};
    unsigned long long launches = host_call_step(&call);
    done->launches += launches;
    done->idle_calls += launches == 0;
    done->widest = watch_widest();
}

/* Everything between an input in host memory and its output there. */
static void call_whole(const struct message *job, uint64_t i, struct message *done) {
    char *window = host_allocate(job->window_bytes);
    CUDA_CHECK(cudaMemcpy(window, source + windows[i] * job->row_bytes, job->window_bytes,
                          cudaMemcpyHostToDevice));
    call_once(job, window, i, done);
    host_check_step(cudaMemcpy(outputs + i * job->slot_bytes, slots + i * job->slot_bytes,
                               job->output_bytes, cudaMemcpyDeviceToHost),
                    "running the step's kernels");
    watch_own_copy(job->output_bytes);
    CUDA_CHECK(cudaFree(window));
}

/* Make the changes that are due before a call; `next` counts those made. */
static void apply_patches(const struct message *job, const struct message *go, uint64_t call,
                          uint32_t *next) {
    for (; *next < go->patches && go->patch[*next].call <= call; (*next)++) {
        const struct patch *patch = &go->patch[*next];
        CUDA_CHECK(cudaMemcpyAsync(strip + patch->element * job->element_bytes, patch->value,
                                   job->element_bytes, cudaMemcpyHostToDevice, 0));
    }
}

/* A stretch of calls ends here, the harness changes the input, and the next one begins: what the
 * harness does is not on the device's clock. Returns that stretch. */
static size_t next_stretch(const struct message *job, const struct message *go, uint64_t call,
                           uint32_t *patched, size_t stretch) {
    if (*patched == go->patches || go->patch[*patched].call > call)
        return stretch;
    CUDA_CHECK(cudaEventRecord(stop[stretch], 0));
    apply_patches(job, go, call, patched);
    CUDA_CHECK(cudaEventRecord(start[stretch + 1], 0));
    return stretch + 1;
}

static double seconds_of(size_t stretches) {
    double seconds = 0;
    for (size_t i = 0; i < stretches; i++) {
        float milliseconds;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start[i], stop[i]));
        seconds += milliseconds / 1e3;
    }
    return seconds;
}

/* again: not for the first time in this job. */
static void set_up(const struct message *job, bool again) {
    watch_time(job);
    mark(job, "set-up");
    if (EMULATED && (!again || job->in_order))
        EMULATOR_WATCH(emulator_run_threads, !job->in_order ? EMULATOR_MIXED
                                             : again        ? EMULATOR_ONE_BY_ONE
                                                            : EMULATOR_IN_ORDER);
    host_set_up(job->rows, job->columns);
    watch_too_much_to_host(); /* what it copied is of no call: kernels of it could know as much */
    reply(MESSAGE_READY);
}

static void take_job(struct message *job, const struct message *next) {
    if (strip) {
        CUDA_CHECK(cudaFree(strip));
        CUDA_CHECK(cudaFree(slots));
    }
    *job = *next;
    prepare(job);
    reply(MESSAGE_PREPARED);
    set_up(job, false);
}

static void tear_down(const struct message *job) {
    watch_time(job);
    mark(job, "tear-down");
    host_tear_down();
    if (EMULATED && job->reach)
        EMULATOR_WATCH(emulator_tell_reached, send_reached);
    reply(MESSAGE_TORN_DOWN);
}

static void set_up_elsewhere(const struct message *job, size_t shift_bytes) {
    void *before = in_the_way;
    CUDA_CHECK(cudaMalloc(&in_the_way, shift_bytes));
    set_up(job, true);
    CUDA_CHECK(cudaFree(before)); /* not earlier: the step's memory would take its place */
}

/* What the calls should not have done: not while they are timed. */
static void tell_remarks(void) {
    struct hazard remark;
    while (watch_remark(&remark))
        tell_hazard(&remark);
}

static void run_sample(const struct message *job, const struct message *sample) {
    CUDA_CHECK(cudaMemset(slots, (int)sample->poison, sample->copied * job->slot_bytes));
    CUDA_CHECK(cudaDeviceSynchronize());
    reply(MESSAGE_ARMED);
    struct message go = receive();
    if (go.kind != MESSAGE_GO)
        _exit(1);

    struct message done = {.kind = MESSAGE_DONE};
    uint32_t patched = 0;
    size_t stretch = 0;
    apply_patches(job, &go, 0, &patched);
    watch_time(job);
    CUDA_CHECK(cudaEventRecord(start[0], 0));
    for (uint64_t i = 0; i < sample->calls; i++) {
        stretch = next_stretch(job, &go, i, &patched, stretch);
        if (i) /* what came after the call before counts, too */
            done.host_calls += watch_too_much_to_host();
        mark_call(job, sample, i);
        count_reads(job, sample, i);
        if (EMULATED && counts && i + 1 == sample->count)
            EMULATOR_WATCH(counted_next_call, counts, COUNTS_FD_BYTES);
        if (sample->whole)
            call_whole(job, i, &done);
        else
            call_once(job, strip + windows[i] * job->row_bytes, i, &done);
        if (sample->synced)
            host_check_step(cudaDeviceSynchronize(), "running the step's kernels");
    }
    host_check_step(cudaGetLastError(), "launching the step's kernels");
    CUDA_CHECK(cudaEventRecord(stop[stretch], 0));
    host_check_step(cudaDeviceSynchronize(), "running the step's kernels");
    done.host_calls += sample->calls && watch_too_much_to_host();

    done.of_blocks = EMULATED ? emulator_of_blocks : 0;
    done.meetings = EMULATED ? emulator_meetings : 0;
    done.event_s = seconds_of(stretch + 1);
    send_message(&done);
    tell_remarks();

    CUDA_CHECK(
        cudaMemcpy(outputs, slots, sample->copied * job->slot_bytes, cudaMemcpyDeviceToHost));
    watch_own_copy(sample->copied * job->slot_bytes);
    reply(MESSAGE_COPIED);
}

int main(void) {
    /* What a step prints leaves at once, so that it is not lost if the step crashes, and not read
     * by it before (watch.c). */
    setvbuf(stdout, NULL, _IONBF, 0);
    if (EMULATED)
        emulator_on_hazard(tell_hazard);
    if (EMULATED)
        emulator_on_crash(tell_crash);
    for (struct message job = {0};;) {
        struct message next = receive();
        if (next.kind == MESSAGE_BEGIN)
            find_device();
        else if (next.kind == MESSAGE_JOB)
            take_job(&job, &next);
        else if (next.kind == MESSAGE_SAMPLE)
            run_sample(&job, &next);
        else if (next.kind == MESSAGE_TEAR_DOWN)
            tear_down(&job);
        else
            set_up_elsewhere(&job, next.shift_bytes);
    }
}
