// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "timing/layout.h"
#include "findings/printed.h"
#include "random.h"
#include "strip.h"

static bool conclude(struct trial *trial, struct record *record) {
    trial_end(trial);
    record->verdict = trial->verdict;
    record->error = trial->error;
    memcpy(record->diagnosis, trial->diagnosis, sizeof record->diagnosis);
    hazards_add_all(&record->hazards, &trial->hazards);
    return trial->verdict.kind == VERDICT_PASS;
}

bool check_conclude(struct trial *trial, const struct options *options, const char *name,
                    struct record *record) {
    bool right = conclude(trial, record);
    printed_log(options->log, name, &trial->process);
    free(trial->process.printed);
    return right;
}

/* It is not the time that passes: a busy machine ends nothing. No call of labs/ or tests/honest/
 * takes a twentieth of it, and one that takes all of it could not make a sample's calls within the
 * timeout. */
double check_call_cpu_s(const struct options *options) {
    enum { LEAST_S = 4, SHARES = 15 };
    return options->call_cpu_s ? options->call_cpu_s : fmax(LEAST_S, options->timeout_s / SHARES);
}

static bool is_slow(const struct record *record) {
    return record->verdict.kind == VERDICT_TIMED_OUT;
}

void check_tell_slow(struct shape right, struct shape slow, struct record *record) {
    struct verdict *verdict = &record->verdict;
    char before[sizeof verdict->detail];
    memcpy(before, verdict->detail, sizeof before);
    snprintf(verdict->detail, sizeof verdict->detail, "too slow to check here: %.480s", before);
    snprintf(
        record->diagnosis, sizeof record->diagnosis,
        "It was right with %zu x %zu %ss, and with %zu x %zu it takes too long, so it may be "
        "slow and not endless. Does every thread go through the whole input, where each should "
        "have a part of it? Is it launched with few threads in a block?",
        right.rows, right.columns, problem.element, slow.rows, slow.columns);
}

double check_graded_cpu_s(const struct options *options) {
    enum { SHARES = 10, MOST_WORKERS = 16 };
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double workers = fmin(fmax((double)cores, 1), MOST_WORKERS);
    return (options->call_cpu_s ? options->call_cpu_s : options->timeout_s / SHARES) * workers;
}

/* A trial before the graded one. */
struct check {
    const struct input *input;
    struct shape shape;
    const char *runner;
    bool checked;        /* it tells of hazards */
    bool in_order;       /* with threads in the order of the plain build */
    size_t calls, again; /* after a second set-up: 0 for none */
    struct reach *reach; /* or NULL */
    double cpu_s;        /* for a call */
    bool silent;         /* what is printed there matters only where it is not right */
    bool hurried;        /* for all of a sample's calls: the verdict is known already */
};

static void tell_check(const struct check *check, bool second_time, struct record *record) {
    char detail[sizeof record->verdict.detail];
    snprintf(detail, sizeof detail, "check (%s, %zu x %zu%s): %.480s", check->input->name,
             check->shape.rows, check->shape.columns, second_time ? ", set up a second time" : "",
             record->verdict.detail);
    memcpy(record->verdict.detail, detail, sizeof detail);
}

static size_t elements(struct shape shape) { return shape.rows * shape.columns; }

static bool make_check(const struct check *check, const struct check_run *run) {
    struct source source = {.input = check->input, .seed = random_next(run->random)};
    struct trial trial = {.random = run->random,
                          .max_calls = check->calls,
                          .checked = check->checked,
                          .in_order = check->in_order,
                          .reach = check->reach,
                          .timeout_s = run->options->timeout_s,
                          .where_s = check->cpu_s,
                          .where_of_sample = check->hurried,
                          .where_ends = true,
                          .deadline = run->deadline};
    struct strip layout =
        strip_plan(&problem, check->shape, check->calls, check->calls, source.input->slide);
    trial_prepare(&trial, &problem, layout, &source);

    struct sample sample = {.calls = check->calls}, again = {.calls = check->again};
    bool second_time = false;
    double work = (double)elements(check->shape) * (check->calls + check->again);
    double start_s = clock_seconds();
    pace_tell(pace_expect(run->pace, check->checked, work), run->record->step);
    if (trial_start(&trial, check->runner) && trial_sample(&trial, &sample) && check->again &&
        trial_tear_down(&trial))
        second_time = !(trial_set_up_again(&trial) && trial_sample(&trial, &again));
    pace_note(run->pace, check->checked, work, clock_seconds() - start_s);
    char name[128];
    snprintf(name, sizeof name, "check (%s, %zu x %zu)", source.input->name, check->shape.rows,
             check->shape.columns);
    bool right = conclude(&trial, run->record);
    if (!right || !check->silent)
        printed_log(run->options->log, name, &trial.process);
    free(trial.process.printed);
    if (right)
        return true;
    tell_check(check, second_time, run->record);
    return false;
}

/* ---- what the checks have not reached --------------------------------------------------- */

/* What a call of the graded size reaches. It is right or wrong in the graded trial, not here. */
static void reach_graded(const struct check_run *run, struct reach *reach) {
    struct options one = *run->options;
    struct device cpu = {.kind = "cpu"};
    one.iterations = 1;
    one.source.seed = random_next(run->random);
    struct trial trial = {.random = run->random,
                          .max_calls = 1,
                          .reach = reach,
                          .only_reach = true,
                          .timeout_s = one.timeout_s,
                          .where_s = check_call_cpu_s(&one),
                          .where_ends = true,
                          .deadline = run->deadline};
    trial_prepare(&trial, &problem, layout_graded(&problem, &one, &cpu), &one.source);
    struct sample sample = {.calls = 1};
    if (trial_start(&trial, run->built->check_runner))
        trial_sample(&trial, &sample);
    trial_end(&trial);
    free(trial.process.printed);
}

/* Checks of growing size, as long as the graded size reaches what they have not. Where one takes
 * too long, the step may be right all the same. */
static bool make_larger_checks(const struct check *small, const struct check_run *run,
                               struct reach *reach) {
    enum { GROWTH = 4, CALLS = 2 };
    struct check larger = *small;
    larger.again = 0;
    larger.calls = CALLS;
    while (reach_wanted(reach)) {
        larger.shape.rows = GROWTH * larger.shape.rows + 1;
        if (elements(larger.shape) > elements(run->options->shape))
            break;
        if (make_check(&larger, run))
            continue;
        if (run->record->verdict.kind != VERDICT_TIMED_OUT)
            return false;
        run->record->verdict = (struct verdict){.kind = VERDICT_PASS};
        run->record->diagnosis[0] = '\0';
        break;
    }
    reach_lines(reach, small->runner, run->record->unchecked, sizeof run->record->unchecked);
    return true;
}

static bool check_the_rest(const struct check *small, const struct check_run *run,
                           struct reach *reach) {
    if (!reach_incomplete(reach, small->runner))
        return true;
    reach_graded(run, reach);
    return make_larger_checks(small, run, reach);
}

/* ---- the smallest -------------------------------------------------------------------------- */

/* The next check has more to say of what is wrong, unless it does not end. So only what has no end
 * here is told at once: here nothing takes long. */
static bool make_tiny_check(const struct check *small, const struct check_run *run,
                            struct record *tried) {
    enum { SHARES = 2 };
    struct check tiny = *small;
    uint64_t random = *run->random; /* what follows is as it were without this check */
    struct check_run own = *run;
    if (!problem.tiny_shape.rows)
        return true;
    *tried = *run->record;
    own.record = tried;
    own.random = &random;
    tiny.input = problem.inputs;
    tiny.shape = problem.tiny_shape;
    tiny.calls = 2;
    tiny.again = 0;
    tiny.silent = true;
    if (!run->options->call_cpu_s)
        tiny.cpu_s /= SHARES;
    return make_check(&tiny, &own);
}

/* The tiny check, and the small one. */
static bool make_first_checks(const struct check *small, const struct check_run *run) {
    static struct record tried; /* large */
    bool right = make_tiny_check(small, run, &tried);
    if (!right && is_slow(&tried)) {
        *run->record = tried;
        return false;
    }
    struct check next = *small;
    next.hurried = !right;
    bool small_right = make_check(&next, run);
    if (!right && (small_right || is_slow(run->record)))
        *run->record = tried;
    else if (is_slow(run->record) && problem.tiny_shape.rows)
        check_tell_slow(problem.tiny_shape, small->shape, run->record);
    return right && small_right;
}

/* ---- all of them ------------------------------------------------------------------------ */

/* Small, of awkward size and content: before the long run, since it settles most mistakes at once.
 * Then the step is set up a second time, as it will be again and again when it is timed. An input
 * follows whose windows only just allow an early exit, or only just do not, since neither the first
 * nor the graded input may come near one; then the first input again, with less than a turn for
 * some threads: a GPU has so many that the first check is one such. The last one is the first once
 * more, with threads in the order in which the plain build runs them: a step that behaves where its
 * threads are mixed up is seen where they are not. All but the first are for the cpu device alone,
 * since on a GPU the start of another process takes a second. */
bool check(const struct check_run *run) {
    static struct reach reach; /* large */
    const struct built *built = run->built;
    bool timed = device_timed(&run->record->device);
    struct check small = {.input = input_named(problem.check_input),
                          .shape = problem.check_shape,
                          .runner = built->check_runner,
                          .checked = strcmp(built->check_runner, built->runner) != 0,
                          .calls = 8,
                          .again = 2,
                          .reach = timed ? NULL : &reach,
                          .cpu_s = check_call_cpu_s(run->options)};
    struct check less = small;
    less.shape = problem.short_shape;
    less.calls = 4;
    less.again = 0;
    struct check ordered = small;
    ordered.in_order = true;
    ordered.calls = ordered.again = 2; /* blocks mixed; then, set up again, one by one */
    struct check exits = {.input = problem.exit_input,
                          .shape = problem.exit_shape,
                          .runner = built->runner,
                          .calls = 8,
                          .cpu_s = small.cpu_s};
    if (timed)
        return make_check(&small, run);
    return make_first_checks(&small, run) && (!exits.input || make_check(&exits, run)) &&
           (!less.shape.rows || make_check(&less, run)) && make_check(&ordered, run) &&
           check_the_rest(&small, run, &reach);
}
