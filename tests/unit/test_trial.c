/* Tests of common/judge/trial.c: hazards that a runner tells of before its answers, calls
 * without a kernel, crashes.
 *
 * This program is also the runners: it makes a link to itself for each, in a new directory under
 * TMPDIR or /tmp, and behaves as the name that it was called by says. They solve opt_2dhisto. */
#define _GNU_SOURCE
#include "unit.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "judge/clock.h"
#include "judge/strip.h"
#include "judge/timing/energy.h"
#include "judge/trial.h"

enum { PATIENT = 60, CALLS = 4, BINS = 1024 };

/* ---- the runners ------------------------------------------------------------------------ */

static struct message job;
static char *runner_strip, *runner_outputs;
static uint64_t *runner_windows;

static void say(struct message *message) {
    if (send(CONTROL_FD, message, sizeof *message, MSG_NOSIGNAL) != sizeof *message)
        _exit(90);
}

static void answer(enum message_kind kind) { say(&(struct message){.kind = kind}); }

static struct message hear(void) {
    struct message message;
    if (recv(CONTROL_FD, &message, sizeof message, 0) != sizeof message)
        _exit(91);
    return message;
}

static void tell(enum hazard_kind kind, uint64_t pc) {
    struct message message = {.kind = MESSAGE_HAZARD};
    message.hazard =
        (struct hazard){.kind = kind,
                        .places = 2,
                        .place = {{.line = pc, .does = "writes"}, {.line = 29, .does = "reads"}},
                        .array = "counts",
                        .indexed = 1,
                        .index = 17,
                        .bytes = 4};
    say(&message);
}

/* Private, so that patches can be made in it. */
static void *shared(int fd, size_t bytes, int flags) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
}

static void take_job(const struct message *told) {
    job = *told;
    runner_strip = shared(STRIP_FD, job.strip_bytes, MAP_PRIVATE);
    runner_outputs = shared(OUTPUTS_FD, job.max_calls * job.slot_bytes, MAP_SHARED);
    runner_windows = shared(WINDOWS_FD, job.max_calls * sizeof *runner_windows, MAP_PRIVATE);
    if (runner_strip == MAP_FAILED || runner_outputs == MAP_FAILED || runner_windows == MAP_FAILED)
        _exit(92);
    if (job.reach) /* which nobody has asked for */
        _exit(94);
    answer(MESSAGE_PREPARED);
}

static void set_up(void) {
    struct message begin = hear(), first = hear();
    if (begin.kind != MESSAGE_BEGIN)
        _exit(95);
    take_job(&first);
}

static void solve(const char *window, unsigned char *bins) {
    uint32_t pixel;
    memset(bins, 0, BINS);
    for (size_t i = 0; i < job.window_bytes; i += sizeof pixel) {
        memcpy(&pixel, window + i, sizeof pixel);
        bins[pixel] += bins[pixel] < 255;
    }
}

/* `off` is added to bin 0 of every output. */
static void make_sample(const struct message *sample, unsigned char off) {
    answer(MESSAGE_ARMED);
    struct message go = hear();
    uint64_t *windows = shared(WINDOWS_FD, job.max_calls * sizeof *windows, MAP_PRIVATE);
    uint32_t patched = 0;
    for (uint64_t call = 0; call < sample->calls; call++) {
        for (; patched < go.patches && go.patch[patched].call <= call; patched++)
            memcpy(runner_strip + go.patch[patched].element * job.element_bytes,
                   go.patch[patched].value, job.element_bytes);
        unsigned char *bins = (unsigned char *)runner_outputs + call * job.slot_bytes;
        solve(runner_strip + windows[call] * job.row_bytes, bins);
        bins[0] += off;
    }
    munmap(windows, job.max_calls * sizeof *windows);
}

/* `idle` calls of a sample launch no kernel. */
static void serve_idle(unsigned char off, uint64_t idle) {
    for (;;) {
        struct message next = hear();
        if (next.kind == MESSAGE_SAMPLE) {
            make_sample(&next, off);
            say(&(struct message){.kind = MESSAGE_DONE, .idle_calls = idle});
            answer(MESSAGE_COPIED);
        } else if (next.kind == MESSAGE_JOB) {
            take_job(&next);
            answer(MESSAGE_READY);
        } else
            answer(next.kind == MESSAGE_TEAR_DOWN ? MESSAGE_TORN_DOWN : MESSAGE_READY);
    }
}

static void serve(unsigned char off) { serve_idle(off, 0); }

static void is_right(void) {
    set_up();
    answer(MESSAGE_READY);
    serve(0);
}

static void remarks(void) {
    set_up();
    tell(HAZARD_SAME_VALUE, 1);
    answer(MESSAGE_READY);
    serve(0);
}

static void floods(void) {
    set_up();
    for (uint64_t i = 0;; i++)
        tell(i % 2 ? HAZARD_RACE_IN_WARP : HAZARD_SAME_VALUE, i);
}

static void tells_many(void) {
    set_up();
    for (uint64_t i = 0; i < 100000; i++)
        tell(HAZARD_SAME_VALUE, i);
    answer(MESSAGE_READY);
    serve(0);
}

static void tells_of_no_kind(void) {
    set_up();
    tell(HAZARD_KINDS, 1);
    answer(MESSAGE_READY);
    serve(0);
}

static void is_right_by_luck(void) {
    set_up();
    answer(MESSAGE_READY);
    struct message sample = hear();
    make_sample(&sample, 0);
    tell(HAZARD_RACE_IN_BLOCK, 34);
    answer(MESSAGE_DONE);
    answer(MESSAGE_COPIED);
    serve(0);
}

static void races_and_is_wrong(void) {
    set_up();
    tell(HAZARD_RACE_IN_BLOCK, 34);
    answer(MESSAGE_READY);
    serve(1);
}

static void races_and_crashes(void) {
    set_up();
    answer(MESSAGE_READY);
    hear();
    tell(HAZARD_RACE_IN_BLOCK, 34);
    raise(SIGTERM);
}

static void races_and_hangs(void) {
    set_up();
    tell(HAZARD_RACE_IN_BLOCK, 34);
    for (;;)
        pause();
}

/* What is seen at the tear-down alone. */
static void leaks(void) {
    set_up();
    answer(MESSAGE_READY);
    struct message sample = hear();
    make_sample(&sample, 0);
    answer(MESSAGE_DONE);
    answer(MESSAGE_COPIED);
    hear();
    tell(HAZARD_LEAK, 34);
    answer(MESSAGE_TORN_DOWN);
}

static void give_up(const char *text) {
    struct message message = {.kind = MESSAGE_FAILED, .cuda_error = 2};
    snprintf(message.text, sizeof message.text, "%s", text);
    say(&message);
}

static void races_and_the_harness_fails(void) {
    tell(HAZARD_RACE_IN_BLOCK, 34);
    give_up("no memory");
}

static void fails_in_the_set_up(void) {
    set_up();
    give_up("no memory");
}

static void fails_in_a_call(void) {
    set_up();
    answer(MESSAGE_READY);
    hear();
    give_up("no memory");
}

static void fails_in_the_tear_down(void) {
    set_up();
    answer(MESSAGE_READY);
    struct message sample = hear();
    make_sample(&sample, 0);
    answer(MESSAGE_DONE);
    answer(MESSAGE_COPIED);
    hear();
    give_up("no memory");
}

static void serve_timed(double event_s) {
    set_up();
    answer(MESSAGE_READY);
    struct message sample = hear();
    make_sample(&sample, 0);
    say(&(struct message){.kind = MESSAGE_DONE, .event_s = event_s});
    answer(MESSAGE_COPIED);
    serve(0);
}

static void took_no_number(void) { serve_timed(NAN); }

static void took_for_ever(void) { serve_timed(INFINITY); }

static void took_less_than_nothing(void) { serve_timed(-1e-6); }

/* Each answer comes in time. */
static void is_slow(void) {
    set_up();
    answer(MESSAGE_READY);
    for (;;) {
        struct message next = hear();
        usleep(400 * 1000);
        if (next.kind == MESSAGE_SAMPLE) {
            make_sample(&next, 0);
            answer(MESSAGE_DONE);
            answer(MESSAGE_COPIED);
        } else
            answer(next.kind == MESSAGE_TEAR_DOWN ? MESSAGE_TORN_DOWN : MESSAGE_READY);
    }
}

/* So that the next process could not write its outputs. */
static void seals_the_outputs(void) {
    set_up();
    fcntl(OUTPUTS_FD, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
    answer(MESSAGE_READY);
    serve(0);
}

static void is_idle(void) {
    set_up();
    answer(MESSAGE_READY);
    serve_idle(0, 1);
}

static void counts_on_the_host(void) {
    set_up();
    answer(MESSAGE_READY);
    struct message sample = hear();
    make_sample(&sample, 0);
    say(&(struct message){.kind = MESSAGE_DONE, .launches = CALLS, .host_calls = CALLS});
    answer(MESSAGE_COPIED);
    serve(0);
}

static void is_idle_and_wrong(void) {
    set_up();
    answer(MESSAGE_READY);
    serve_idle(1, 1);
}

static void crashes(void) {
    set_up();
    say(&(struct message){.kind = MESSAGE_CRASHED,
                          .crash = {.signal = SIGSEGV, .thread = {7, 0, 0}}});
    signal(SIGSEGV, SIG_DFL); /* a sanitizer's handler would end it otherwise */
    raise(SIGSEGV);
}

/* Returns the shared counts, which hold the GPU file until the call that is to be counted. */
static char *counts_of_job(void) {
    char *counts = mmap(NULL, COUNTS_FD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, COUNTS_FD, 0);
    if (counts == MAP_FAILED || !job.counted || strcmp(counts, "gpu") != 0)
        _exit(93);
    return counts;
}

static void serve_counted(size_t bytes, char last) {
    set_up();
    char *counts = counts_of_job();
    answer(MESSAGE_READY);
    struct message sample = hear();
    make_sample(&sample, 0);
    if (sample.count != 2)
        _exit(94);
    memset(counts, 'x', bytes);
    counts[bytes] = last;
    answer(MESSAGE_DONE);
    answer(MESSAGE_COPIED);
    serve(0);
}

static void counts(void) { serve_counted(4, '\0'); }

static void counts_without_an_end(void) { serve_counted(COUNTS_FD_BYTES - 1, 'x'); }

static void says_that_it_crashes(void) {
    set_up();
    say(&(struct message){.kind = MESSAGE_CRASHED, .crash = {.signal = SIGSEGV}});
    answer(MESSAGE_READY);
    serve(0);
}

/* In its first sample it tells so often where it is, each time `step` blocks further. */
static void tells_where(unsigned times, uint64_t step) {
    set_up();
    answer(MESSAGE_READY);
    struct message sample = hear();
    for (unsigned i = 1; i <= times; i++)
        say(&(struct message){.kind = MESSAGE_WHERE,
                              .where = {.cpu_s = i, .launches = 1, .grid = 9, .ended = i * step}});
    make_sample(&sample, 0);
    answer(MESSAGE_DONE);
    answer(MESSAGE_COPIED);
    serve(0);
}

static void stays_there(void) { tells_where(2, 0); }

static void goes_on(void) { tells_where(3, 1); }

static void goes_on_for_long(void) { tells_where(4, 1); }

static const struct {
    const char *name;
    void (*run)(void);
} runners[] = {
    {"is_right", is_right},
    {"remarks", remarks},
    {"floods", floods},
    {"tells_many", tells_many},
    {"tells_of_no_kind", tells_of_no_kind},
    {"is_right_by_luck", is_right_by_luck},
    {"races_and_is_wrong", races_and_is_wrong},
    {"races_and_crashes", races_and_crashes},
    {"races_and_hangs", races_and_hangs},
    {"leaks", leaks},
    {"races_and_the_harness_fails", races_and_the_harness_fails},
    {"fails_in_the_set_up", fails_in_the_set_up},
    {"fails_in_a_call", fails_in_a_call},
    {"fails_in_the_tear_down", fails_in_the_tear_down},
    {"took_no_number", took_no_number},
    {"took_for_ever", took_for_ever},
    {"took_less_than_nothing", took_less_than_nothing},
    {"is_slow", is_slow},
    {"seals_the_outputs", seals_the_outputs},
    {"is_idle", is_idle},
    {"is_idle_and_wrong", is_idle_and_wrong},
    {"counts_on_the_host", counts_on_the_host},
    {"crashes", crashes},
    {"says_that_it_crashes", says_that_it_crashes},
    {"counts", counts},
    {"counts_without_an_end", counts_without_an_end},
    {"stays_there", stays_there},
    {"goes_on", goes_on},
    {"goes_on_for_long", goes_on_for_long},
};

static void run_if_runner(const char *called) {
    const char *name = strrchr(called, '/') ? strrchr(called, '/') + 1 : called;
    for (size_t i = 0; i < COUNT(runners); i++)
        if (strcmp(runners[i].name, name) == 0) {
            runners[i].run();
            _exit(0);
        }
}

/* ---- the tests -------------------------------------------------------------------------- */

static char directory[PATH_MAX], path[PATH_MAX + 64];
static struct trial trial;
static uint64_t randomness;
static bool overlapping; /* windows of a trial; else each has a region of its own */

static int make_runners(void **state) {
    const char *parent = getenv("TMPDIR");
    char self[PATH_MAX] = {0};

    (void)state;
    snprintf(directory, sizeof directory, "%s/test_trial.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(directory) || readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return -1;
    for (size_t i = 0; i < COUNT(runners); i++) {
        snprintf(path, sizeof path, "%s/%s", directory, runners[i].name);
        if (symlink(self, path) < 0)
            return -1;
    }
    return 0;
}

static int remove_runners(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(runners); i++) {
        snprintf(path, sizeof path, "%s/%s", directory, runners[i].name);
        unlink(path);
    }
    return rmdir(directory);
}

static void begin_trial(const struct problem *tried, const char *gpu, const char *name,
                        double timeout_s, struct deadline deadline) {
    struct source source = {.input = &problem.inputs[0], .seed = 1};
    struct strip layout = overlapping ? strip_plan(&problem, (struct shape){40, 1024}, 1, CALLS, 1)
                                      : strip_plan(&problem, problem.check_shape, CALLS, CALLS, 0);

    randomness = 2;
    trial = (struct trial){.random = &randomness,
                           .max_calls = CALLS,
                           .timeout_s = timeout_s,
                           .deadline = deadline,
                           .gpu = gpu};
    trial_prepare(&trial, tried, layout, &source);
    snprintf(path, sizeof path, "%s/%s", directory, name);
}

/* A whole trial: a sample, then, if `again`, one in another process, the tear-down, the end. */
static void try_problem(const struct problem *tried, const char *gpu, const char *name,
                        double timeout_s, struct deadline deadline, bool again) {
    struct sample sample = {.calls = CALLS, .count = gpu ? 2 : 0};

    begin_trial(tried, gpu, name, timeout_s, deadline);
    if (trial_start(&trial, path) && trial_sample(&trial, &sample) && again &&
        trial_restart(&trial))
        trial_sample(&trial, &sample);
    trial_end(&trial);
    free(trial.process.printed);
}

static void try_on(const char *gpu, const char *name, double timeout_s, struct deadline deadline,
                   bool again) {
    try_problem(&problem, gpu, name, timeout_s, deadline, again);
}

static void try_within(const char *name, double timeout_s, struct deadline deadline, bool again) {
    try_on(NULL, name, timeout_s, deadline, again);
}

static void try(const char *name, double timeout_s) {
    try_within(name, timeout_s, (struct deadline){0}, false);
}

static void assert_verdict(enum verdict_kind kind, const char *in_detail) {
    if (trial.verdict.kind != kind || !strstr(trial.verdict.detail, in_detail))
        fail_msg("%s: %s", verdict_word(trial.verdict.kind), trial.verdict.detail);
}

static void a_right_answer_passes(void **state) {
    (void)state;
    try("is_right", PATIENT);
    assert_verdict(VERDICT_PASS, "");
}

static void try_watched(const char *name) {
    struct sample sample = {.calls = CALLS};
    begin_trial(&problem, NULL, name, PATIENT, (struct deadline){0});
    trial.where_s = 3;
    trial.where_ends = trial.patient = true;
    if (trial_start(&trial, path))
        trial_sample(&trial, &sample);
    trial_end(&trial);
    free(trial.process.printed);
}

static void what_goes_on_has_twice_the_time(void **state) {
    (void)state;
    try_watched("stays_there");
    assert_verdict(VERDICT_TIMED_OUT, "not finished after 3 s of CPU time");
    assert_null(strstr(trial.diagnosis, "It goes on"));
    try_watched("goes_on");
    assert_verdict(VERDICT_PASS, "");
    try_watched("goes_on_for_long");
    assert_verdict(VERDICT_TIMED_OUT, "not finished after 6 s of CPU time");
    assert_non_null(strstr(trial.diagnosis, "It goes on, so it may be slow and not endless: of the "
                                            "9 blocks of the launch in line 0 4 have ended."));
}

/* What it was right with before is no excuse; and more than its memory it is not told. */
static void a_process_gets_another_job(void **state) {
    (void)state;
    struct source source = {.input = &problem.inputs[0], .seed = 3};
    struct sample sample = {.calls = CALLS}, one = {.calls = 1};
    begin_trial(&problem, NULL, "is_right", PATIENT, (struct deadline){0});
    assert_true(trial_start(&trial, path) && trial_sample(&trial, &sample) &&
                trial_tear_down(&trial));
    const pid_t process = trial.process.pid;
    trial.max_calls = 1;
    assert_true(trial_renew(&trial, strip_plan(&problem, (struct shape){5, 7}, 1, 1, 0), &source) &&
                trial_sample(&trial, &one) && trial_tear_down(&trial));
    assert_int_equal(trial.process.pid, process);
    assert_false(
        trial_renew(&trial, strip_plan(&problem, (struct shape){4096, 1301}, 1, 1, 0), &source));
    trial_end(&trial);
    free(trial.process.printed);
    assert_verdict(VERDICT_PASS, "");
}

/* Each process gets the GPU file anew, and what one counted outlives it. */
static void the_counts_are_taken(void **state) {
    (void)state;
    try_on("gpu", "counts", PATIENT, (struct deadline){0}, true);
    assert_verdict(VERDICT_PASS, "");
    assert_string_equal(trial.counted, "xxxx");
    free(trial.counted);
}

static void counts_without_an_end_are_cut(void **state) {
    (void)state;
    try_on("gpu", "counts_without_an_end", PATIENT, (struct deadline){0}, false);
    assert_verdict(VERDICT_PASS, "");
    assert_int_equal(strlen(trial.counted), COUNTS_FD_BYTES);
    free(trial.counted);
}

static void remarks_cost_nothing(void **state) {
    (void)state;
    try("remarks", PATIENT);
    assert_verdict(VERDICT_PASS, "");
    assert_int_equal(trial.hazards.of[HAZARD_REMARK].count, 1);
}

static void a_flood_gains_no_time(void **state) {
    (void)state;
    try("floods", 1);
    assert_int_equal(trial.hazards.of[HAZARD_FAULT].count, MOST_HAZARDS);
    assert_int_equal(trial.hazards.of[HAZARD_REMARK].count, MOST_HAZARDS);
    assert_true(trial.hazards.of[HAZARD_FAULT].more > 0);
    assert_verdict(VERDICT_HAZARD, "race-in-warp on counts[17]: opt_2dhisto.cu:1 writes, "
                                   "opt_2dhisto.cu:29 reads (and ");
    assert_verdict(VERDICT_HAZARD, "; then: no answer within 1 s while setting up");
}

static void many_do_not_keep_an_answer_back(void **state) {
    (void)state;
    try("tells_many", PATIENT);
    assert_verdict(VERDICT_PASS, "");
    assert_int_equal(trial.hazards.of[HAZARD_REMARK].count, MOST_HAZARDS);
    assert_int_equal(trial.hazards.of[HAZARD_REMARK].more, 100000 - MOST_HAZARDS);
}

static void an_unknown_kind_breaks_the_protocol(void **state) {
    (void)state;
    try("tells_of_no_kind", PATIENT);
    assert_verdict(VERDICT_CRASHED, "broke the protocol");
    assert_int_equal(trial.hazards.of[HAZARD_FAULT].count, 0);
}

#define RACE "race-in-block on counts[17]: opt_2dhisto.cu:34 writes, opt_2dhisto.cu:29 reads"

static void a_fault_is_the_verdict_of_a_right_answer(void **state) {
    (void)state;
    try("is_right_by_luck", PATIENT);
    assert_verdict(VERDICT_HAZARD, RACE);
    assert_string_equal(trial.verdict.detail, RACE);
}

static void a_fault_comes_before_what_came_of_it(void **state) {
    (void)state;
    try("races_and_is_wrong", PATIENT);
    assert_verdict(VERDICT_HAZARD, RACE "; and outputs were wrong: call 0, bin 0");
    assert_non_null(strstr(trial.diagnosis, "put __syncthreads();"));
    try("races_and_crashes", PATIENT);
    assert_verdict(VERDICT_HAZARD, RACE "; then: the step's process ended");
    assert_verdict(VERDICT_HAZARD, "signal 15");
    try("races_and_hangs", 1);
    assert_verdict(VERDICT_HAZARD, RACE "; then: no answer within 1 s");
}

static void a_leak_is_seen_at_the_end(void **state) {
    (void)state;
    try("leaks", PATIENT);
    assert_verdict(VERDICT_HAZARD, "leak on counts[17]");
}

static void the_harness_is_at_fault_before_the_step(void **state) {
    (void)state;
    try("races_and_the_harness_fails", PATIENT);
    assert_verdict(VERDICT_HARNESS_ERROR, "no memory");
}

/* The first index is of another strip than the one that is there. */
static void *prepare_wrongly(const struct strip *strip) {
    static int times;
    struct strip other = *strip;
    if (times++ > 0)
        return problem.prepare(strip);
    other.elements = calloc(1, strip_bytes(strip));
    assert_non_null(other.elements);
    void *index = problem.prepare(&other);
    free(other.elements);
    return index;
}

static void a_wrong_index_is_the_harness_s_fault(void **state) {
    struct problem faulty = problem;
    (void)state;
    faulty.prepare = prepare_wrongly;
    try_problem(&faulty, NULL, "is_right", PATIENT, (struct deadline){0}, false);
    assert_verdict(VERDICT_HARNESS_ERROR, "not its mistake");
}

static void from_its_set_up_on_the_step_is_at_fault(void **state) {
    (void)state;
    try("fails_in_the_set_up", PATIENT);
    assert_verdict(VERDICT_LAUNCH_FAILED, "in the set-up: no memory");
    try("fails_in_a_call", PATIENT);
    assert_verdict(VERDICT_LAUNCH_FAILED, "in a call: no memory");
    try("fails_in_the_tear_down", PATIENT);
    assert_verdict(VERDICT_LAUNCH_FAILED, "in the tear-down: no memory");
    try_within("seals_the_outputs", PATIENT, (struct deadline){0}, true);
    assert_verdict(VERDICT_PASS, "");
}

static void a_time_is_a_number(void **state) {
    (void)state;
    try("took_no_number", PATIENT);
    assert_verdict(VERDICT_CRASHED, "broke the protocol");
    try("took_for_ever", PATIENT);
    assert_verdict(VERDICT_CRASHED, "broke the protocol");
    try("took_less_than_nothing", PATIENT);
    assert_verdict(VERDICT_CRASHED, "broke the protocol");
}

/* Not one answer is late. */
static void there_is_a_limit_to_all_answers_together(void **state) {
    (void)state;
    double limit_s = 0.2;
    try_within("is_slow", PATIENT, (struct deadline){limit_s, clock_seconds() + limit_s}, false);
    assert_verdict(VERDICT_TIMED_OUT, "not finished after 0.2 s in all, while ");
    limit_s = PATIENT;
    try_within("is_slow", PATIENT, (struct deadline){limit_s, clock_seconds() + limit_s}, false);
    assert_verdict(VERDICT_PASS, "");
}

static void a_call_without_a_kernel_is_not_paid(void **state) {
    (void)state;
    try("is_idle", PATIENT);
    assert_verdict(VERDICT_NO_KERNEL, "no kernel was launched in 1 of 4 calls");
    try("counts_on_the_host", PATIENT);
    assert_verdict(VERDICT_NO_KERNEL, "came to the host than outputs take, in 4 of 4 calls");
}

static void a_wrong_answer_says_more_than_that(void **state) {
    (void)state;
    try("is_idle_and_wrong", PATIENT);
    assert_verdict(VERDICT_WRONG, "bin 0");
}

/* The calls that are made again find the input as the first ones did: what changed since is taken
 * back, which windows that overlap show. */
static void a_wrong_answer_is_the_same_again(void **state) {
    (void)state;
    overlapping = true;
    try("is_idle_and_wrong", PATIENT);
    overlapping = false;
    assert_verdict(VERDICT_WRONG, "4 of 4 calls wrong");
}

static void a_crash_has_a_place(void **state) {
    (void)state;
    try("crashes", PATIENT);
    assert_verdict(VERDICT_CRASHED, "ended while setting up: signal 11 (Segmentation fault), "
                                    "thread (7,0,0) of block (0,0,0)");
}

static void to_tell_of_a_crash_is_none(void **state) {
    (void)state;
    try("says_that_it_crashes", PATIENT);
    assert_verdict(VERDICT_PASS, "");
}

static void without_a_counter_energy_is_a_note(void **state) {
    struct options options = options_default();
    options.source.input = problem.inputs;
    static struct record record;

    (void)state;
    options.idle_watts = 1;
    begin_trial(&problem, NULL, "is_right", 10, (struct deadline){0});
    assert_true(trial_start(&trial, path));
    energy_measure(&trial, &options, &record);
    trial_end(&trial);
    free(trial.process.printed);
    assert_string_equal(record.notes, "no energy: the GPU has no counter of it");
}

int main(int argc, char **argv) {
    (void)argc;
    run_if_runner(argv[0]);

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_on_has_twice_the_time),
        cmocka_unit_test(a_right_answer_passes),
        cmocka_unit_test(a_process_gets_another_job),
        cmocka_unit_test(the_counts_are_taken),
        cmocka_unit_test(counts_without_an_end_are_cut),
        cmocka_unit_test(remarks_cost_nothing),
        cmocka_unit_test(a_flood_gains_no_time),
        cmocka_unit_test(many_do_not_keep_an_answer_back),
        cmocka_unit_test(an_unknown_kind_breaks_the_protocol),
        cmocka_unit_test(a_fault_is_the_verdict_of_a_right_answer),
        cmocka_unit_test(a_fault_comes_before_what_came_of_it),
        cmocka_unit_test(a_leak_is_seen_at_the_end),
        cmocka_unit_test(the_harness_is_at_fault_before_the_step),
        cmocka_unit_test(a_wrong_index_is_the_harness_s_fault),
        cmocka_unit_test(from_its_set_up_on_the_step_is_at_fault),
        cmocka_unit_test(a_time_is_a_number),
        cmocka_unit_test(there_is_a_limit_to_all_answers_together),
        cmocka_unit_test(a_call_without_a_kernel_is_not_paid),
        cmocka_unit_test(a_wrong_answer_says_more_than_that),
        cmocka_unit_test(a_wrong_answer_is_the_same_again),
        cmocka_unit_test(a_crash_has_a_place),
        cmocka_unit_test(to_tell_of_a_crash_is_none),
        cmocka_unit_test(without_a_counter_energy_is_a_note),
    };

    return cmocka_run_group_tests_name("trial", tests, make_runners, remove_runners);
}
