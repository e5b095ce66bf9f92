#define _GNU_SOURCE
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "counting/counted.h"
#include "diagnosis/diagnosis.h"
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

/* The same at the check's size, for all calls of a sample. It is not the time that passes: a busy
 * machine ends nothing. No call of labs/ or tests/honest/ takes a twentieth of it. */
static double check_call_cpu_s(const struct options *options) {
    enum { LEAST_S = 4, SHARES = 15 };
    return options->call_cpu_s ? options->call_cpu_s : fmax(LEAST_S, options->timeout_s / SHARES);
}

static bool is_slow(const struct record *record) {
    return record->verdict.kind == VERDICT_TIMED_OUT;
}

void check_tell_slow(struct shape right, struct shape slow, struct record *record) {
    struct verdict *verdict = &record->verdict;
    char before[sizeof verdict->detail];
    if (verdict->endless)
        return;
    memcpy(before, verdict->detail, sizeof before);
    snprintf(verdict->detail, sizeof verdict->detail, "too slow to check here: %.480s", before);
    snprintf(
        record->diagnosis, sizeof record->diagnosis,
        "It was right with %zu x %zu %ss, and with %zu x %zu it takes too long, so it may be "
        "slow and not endless. Does every thread go through the whole input, where each should "
        "have a part of it? Is it launched with few threads in a block, or with far more than there "
        "are %ss?",
        right.rows, right.columns, problem.element, slow.rows, slow.columns, problem.element);
}

double check_graded_cpu_s(const struct options *options) {
    enum { SHARES = 10, MOST_WORKERS = 16 };
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double workers = fmin(fmax((double)cores, 1), MOST_WORKERS);
    return (options->call_cpu_s ? options->call_cpu_s : options->timeout_s / SHARES) * workers;
}

/* What was found may not be the step's fault. */
static bool forgive(struct record *record) {
    record->verdict = (struct verdict){.kind = VERDICT_PASS};
    record->diagnosis[0] = '\0';
    return true;
}

/* A trial before the graded one. */
struct check {
    const struct input *input;
    struct shape shape;
    const char *runner;
    bool checked;               /* it tells of hazards */
    bool in_order;              /* with threads in the order of the plain build */
    size_t calls, again;        /* after a second set-up: 0 for none */
    struct reach *reach;        /* or NULL */
    uint64_t check_only;        /* launches of a call; 0: all */
    double cpu_s;               /* for all calls of a sample */
    bool silent;                /* what is printed there matters only where it is not right */
    const char *gpu;            /* on which it runs: text of a GPU file; or NULL */
    struct launch_size *widest; /* where to tell of its launches; or NULL */
};

static void tell_check(const struct check *check, bool second_time, struct record *record) {
    char detail[sizeof record->verdict.detail], gpu[40] = "";
    if (check->gpu)
        snprintf(gpu, sizeof gpu, ", %ld multiprocessors",
                 strtol(check->gpu + strlen("multiprocessors"), NULL, 10));
    snprintf(detail, sizeof detail, "check (%s, %zu x %zu%s%s): %.480s", check->input->name,
             check->shape.rows, check->shape.columns, gpu,
             second_time ? ", set up a second time" : "", record->verdict.detail);
    memcpy(record->verdict.detail, detail, sizeof detail);
}

static size_t elements(struct shape shape) { return shape.rows * shape.columns; }

/* Where the checked build is right each time, and so has seen no race. */
static void tell_unordered(struct record *record) {
    if (record->verdict.kind == VERDICT_NONDETERMINISTIC &&
        (!record->diagnosis[0] || strstr(record->diagnosis, "race")))
        snprintf(record->diagnosis, sizeof record->diagnosis, "%s", diagnosis_unordered);
}

static struct trial check_trial(const struct check *check, const struct check_run *run) {
    return (struct trial){.random = run->random,
                          .max_calls = check->calls,
                          .checked = check->checked,
                          .in_order = check->in_order,
                          .reach = check->reach,
                          .check_only = check->check_only,
                          .gpu = check->gpu,
                          .timeout_s = run->options->timeout_s,
                          .where_s = check->cpu_s,
                          .where_ends = true,
                          .patient = check->again > 0, /* other sizes may be left out */
                          .deadline = run->deadline};
}

/* `second_time`: whether it is not right once it was set up again. */
static bool make_calls(const struct check *check, const struct check_run *run, struct trial *trial,
                       bool *second_time) {
    struct source source = {.input = check->input, .seed = random_next(run->random)};
    struct strip layout =
        strip_plan(&problem, check->shape, check->calls, check->calls, source.input->slide);
    struct sample sample = {.calls = check->calls}, again = {.calls = check->again};
    const bool goes_on = trial->running;
    if (!goes_on)
        trial_prepare(trial, &problem, layout, &source);
    bool right =
        (goes_on ? trial_renew(trial, layout, &source) : trial_start(trial, check->runner)) &&
        trial_sample(trial, &sample);
    if (right && check->again && trial_tear_down(trial))
        *second_time = !(trial_set_up_again(trial) && trial_sample(trial, &again));
    if (check->widest)
        *check->widest = sample.widest;
    if (check->reach)
        check->reach->of_blocks |= sample.of_blocks;
    return right;
}

static void log_check(const struct check *check, const struct check_run *run, struct trial *trial) {
    char name[128];
    snprintf(name, sizeof name, "check (%s, %zu x %zu)", check->input->name, check->shape.rows,
             check->shape.columns);
    printed_log(run->options->log, name, &trial->process);
}

static bool conclude_check(const struct check *check, const struct check_run *run,
                           struct trial *trial, bool second_time) {
    bool right = conclude(trial, run->record);
    if (!right || !check->silent)
        log_check(check, run, trial);
    free(trial->process.printed);
    if (right)
        return true;
    tell_check(check, second_time, run->record);
    return false;
}

static bool make_check(const struct check *check, const struct check_run *run) {
    struct trial trial = check_trial(check, run);
    bool second_time = false;
    make_calls(check, run, &trial, &second_time);
    return conclude_check(check, run, &trial, second_time);
}

/* What else is found was told before. */
static bool is_right_apart(const struct check *check, const struct check_run *run) {
    static struct record tried; /* large */
    tried = *run->record;
    forgive(&tried);
    struct options quiet = *run->options;
    struct check_run own = *run;
    quiet.log = NULL;
    own.options = &quiet;
    own.record = &tried;
    return make_check(check, &own);
}

/* ---- checks that share a process ---------------------------------------------------------- */

/* For all that follow the first: pages that nobody uses are none. */
static const struct room shared_room = {64 << 20, 4096, 1 << 20};

static void end_shared(struct trial *shared) {
    if (!shared->running)
        return;
    trial_end(shared);
    free(shared->process.printed);
}

/* The trial whose process it may share, or begin; or NULL. */
static struct trial *others_of(const struct check *check, const struct check_run *run) {
    struct trial *shared = check->checked ? run->checked : run->plain;
    bool begins = shared && !shared->problem;
    return begins || (shared && shared->running && shared->gpu == check->gpu) ? shared : NULL;
}

static bool is_right(const struct trial *trial) {
    return trial->verdict.kind == VERDICT_PASS && !trial->hazards.of[HAZARD_FAULT].count;
}

static size_t remarks_of(const struct trial *trial) {
    const struct hazard_list *remarks = &trial->hazards.of[HAZARD_REMARK];
    return remarks->count + remarks->more;
}

static bool is_timed_out(const struct trial *trial) {
    return trial->verdict.kind == VERDICT_TIMED_OUT;
}

/* In the process of those before, since a process in a sandbox, of the checked build, or on a GPU,
 * takes longer than most of the checks. What is not right there, or has a new remark, is no
 * verdict, if it has ended: it is made once more by itself, as all that follow are. */
static bool is_right_after_others(const struct check *check, const struct check_run *run,
                                  struct trial *shared) {
    bool second_time;
    if (!shared->problem) {
        *shared = check_trial(check, run);
        shared->room = shared_room;
    }
    const size_t remarks = remarks_of(shared);
    shared->max_calls = check->calls;
    shared->in_order = check->in_order;
    const bool right = make_calls(check, run, shared, &second_time) && trial_tear_down(shared) &&
                       is_right(shared) && remarks_of(shared) == remarks;
    if (right && !check->silent)
        log_check(check, run, shared);
    if (!right && !is_timed_out(shared))
        end_shared(shared);
    return right;
}

/* The first in a process, whose memory has at least so much room: what it shows is the verdict. */
static bool make_first_check(const struct check *check, const struct check_run *run,
                             struct trial *shared, struct room room) {
    bool second_time = false;
    *shared = check_trial(check, run);
    shared->room = room;
    if (!make_calls(check, run, shared, &second_time) || !is_right(shared) ||
        !trial_tear_down(shared) || !is_right(shared))
        return conclude_check(check, run, shared, second_time);
    struct hazards remarks = shared->hazards;
    hazards_find_places(&remarks, shared->runner);
    hazards_add_all(&run->record->hazards, &remarks);
    log_check(check, run, shared);
    return true;
}

static bool make_further_check(const struct check *check, const struct check_run *run) {
    struct trial *shared = others_of(check, run);
    const uint64_t random = *run->random;
    if (shared && is_right_after_others(check, run, shared))
        return true;
    if (shared && shared->running && is_timed_out(shared))
        return conclude_check(check, run, shared, false);
    *run->random = random; /* with the same input: another may be right by chance */
    return make_check(check, run);
}

static struct trial one_call(const struct check_run *run) {
    return check_trial(&(struct check){.calls = 1, .cpu_s = check_call_cpu_s(run->options)}, run);
}

/* ---- launches of larger inputs ---------------------------------------------------------- */

/* No kernel runs, so it takes no time whatever the size, and whatever else fails is no fault: only
 * that a grid is refused. `whose`: whose size that is. `of_blocks`: the launches that have more
 * than one block; or NULL. */
static bool make_launch_check(const struct check_run *run, struct shape shape, const char *whose,
                              uint64_t *of_blocks) {
    uint64_t random = *run->random; /* what follows is as it were without this check */
    struct source source = {.input = problem.inputs, .seed = random};
    struct trial trial = one_call(run);
    trial.random = &random;
    trial.only_launch = true;
    struct sample sample = {.calls = 1};
    trial_prepare(&trial, &problem, strip_plan(&problem, problem.tiny_shape, 1, 1, 0), &source);
    trial.shape = shape; /* is told */
    if (trial_start(&trial, run->built->runner))
        trial_sample(&trial, &sample);
    if (of_blocks)
        *of_blocks = sample.of_blocks;
    const bool refused = trial.verdict.kind == VERDICT_LAUNCH_FAILED &&
                         strstr(trial.verdict.detail, "the launch asks for") &&
                         !strstr(trial.verdict.detail, "the launch asks for 0 ");
    if (refused) {
        conclude(&trial, run->record);
        snprintf(run->record->verdict.detail, sizeof run->record->verdict.detail,
                 "with %zu x %zu %ss%s: %.480s", shape.rows, shape.columns, problem.element, whose,
                 trial.verdict.detail);
    } else {
        trial_end(&trial);
    }
    free(trial.process.printed);
    return !refused;
}

/* On a GPU the graded input may be larger than any here: a grid may have a limit that only that
 * meets. */
static bool make_graded_launch_check(const struct check_run *run) {
    return elements(problem.shape) <= elements(run->options->shape) ||
           make_launch_check(run, problem.shape, ", the graded size on a GPU", NULL);
}

/* Where rows, or columns, are a block's, many blocks have little to do, and that takes too long
 * before a limit of the grid is met. Where places count, tiles of a grid with two dimensions are
 * what one writes, and nobody has so tall an image. */
static bool make_limit_checks(const struct check_run *run) {
    const size_t most = (size_t)1 << shape_most_bits();
    return problem.check_shape.columns <= 1 || !problem.counting ||
           (make_launch_check(run, (struct shape){most, 1}, "", NULL) &&
            make_launch_check(run, (struct shape){1, most}, "", NULL));
}

/* ---- sizes that a loop could be wrong for ------------------------------------------------ */

/* Launches of the small check, and of the tiny one. */
enum { SMALL, TINY, LAUNCHES };

static bool is_as_wide_as_input(const struct launch_size *launches) {
    return launch_threads(launches[SMALL]) != launch_threads(launches[TINY]);
}

/* Threads that go through the input side by side: of a launch, or where that is as wide as the
 * input, of a block. */
static size_t side_by_side(const struct launch_size *launches) {
    enum { MOST = 8192 };
    uint64_t threads =
        is_as_wide_as_input(launches) ? launches[SMALL].threads : launch_threads(launches[SMALL]);
    return threads < 1 || threads > MOST ? MOST : threads;
}

/* TURNS: a multiple of 1, 2, 3, 4, 6 and 12 loads a turn. */
enum { TURNS = 12, SIZES = 11, WIDE = 4, FEW = 7 };

/* So that a loop has all its turns exactly, one element less, or all that are left before one more
 * is full: by elements, and by 16 bytes. Rows are one, few or many; widths are odd, even, and
 * multiples of four. From number FEW on they are small: two threads of the second block have
 * something to do, the others of it nothing, and further blocks have none that do; and no thread
 * has where there is no element. */
static void choose_sizes(const struct launch_size *launches, struct shape *sizes) {
    enum { MOST_OF_BLOCK = 1024 };
    const size_t threads = side_by_side(launches), of_block = launches[SMALL].threads;
    const size_t block = of_block < MOST_OF_BLOCK ? of_block : MOST_OF_BLOCK;
    const size_t wide = 16 / problem.element_bytes, loads = wide * threads;
    const struct shape chosen[SIZES] = {
        {(TURNS - 1) * threads - 2, 1},
        {TURNS, threads},
        {1, TURNS * threads - 1},
        {1, 13 * wide},
        [WIDE] = {TURNS, loads},
        {TURNS * loads - 1, 1},
        {2, ((TURNS - 1) * loads - wide) / 2},
        [FEW] = {block + 2, 1},
        {wide * (block + 2), 1},
        {1, 1},
        {0, 1},
    };
    bool is_array = problem.check_shape.columns == 1;
    for (size_t i = 0; i < SIZES; i++)
        sizes[i] = is_array ? (struct shape){elements(chosen[i]), 1} : chosen[i];
}

static const struct input *extreme_input(void) {
    const struct input *input = problem.inputs;
    if (problem.summing)
        return problem.summing->extreme;
    while (input->name && !input->extreme)
        input++;
    return input->name ? input : NULL;
}

/* A GPU with so many times the multiprocessors that the emulator has otherwise: for a fixed number
 * of blocks, or memory for so many. */
enum { MANY_TIMES = 66 };
static const char many[] = "multiprocessors 132\n";

/* Where it is seen why something is wrong there, not more may happen than is noted. Blocks of 18
 * multiprocessors are no power of two either, as one of nine. */
static const struct {
    const char *gpu;
    size_t shares; /* of the input that is enough for `many` */
} fewer[] = {{"multiprocessors 18\n", 7}, {many, 4}, {many, 1}};

/* In the plain build, which takes a tenth of the time. What is wrong there is run once more where
 * it is seen why; and again, with other inputs, where that depends on an order. */
static bool make_size_check(const struct check *plain, const struct check_run *run) {
    const struct check *small = run->small;
    enum { MOST_TRIES = 4 };
    static struct record told; /* large */
    struct check checked = *plain;
    const uint64_t random = *run->random;
    if (make_further_check(plain, run))
        return true;
    if (is_slow(run->record)) {
        check_tell_slow(small->shape, plain->shape, run->record);
        make_limit_checks(run);
        return false;
    }
    told = *run->record;
    checked.runner = small->runner;
    checked.checked = small->checked;
    const bool is_large = plain->gpu == many;
    const size_t tries = is_large ? sizeof fewer / sizeof *fewer : MOST_TRIES;
    for (size_t i = 0; i < tries; i++) {
        if (is_large || i == 0)
            *run->random = random; /* the input that is wrong */
        if (is_large) {
            checked.gpu = fewer[i].gpu;
            checked.shape.rows = plain->shape.rows / fewer[i].shares;
        }
        if (!make_check(&checked, run) && !is_slow(run->record))
            return false;
        *run->record = told;
    }
    if (checked.checked)
        tell_unordered(run->record);
    return false;
}

/* Where so many blocks are resident at once, what fails may be the emulator, which has no stacks
 * for all of their threads, or not the time. */
static bool is_proven(const struct record *record) {
    enum verdict_kind kind = record->verdict.kind;
    return kind == VERDICT_WRONG || kind == VERDICT_NONDETERMINISTIC || kind == VERDICT_HAZARD;
}

static bool make_analysed_check(struct check check, const struct check_run *run,
                                struct shape shape) {
    check.shape = shape;
    check.calls = 1;
    check.again = 0;
    check.widest = NULL;
    return make_further_check(&check, run);
}

/* CPU time of all runs so far. */
static double runs_cpu_s(void) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Of a step that is right and slow the first sizes cost enough. What is left out is told. */
static bool is_dear(double begin_s, size_t tried, struct record *record) {
    enum { MOST_S = 10 };
    if (runs_cpu_s() - begin_s < MOST_S)
        return false;
    record_note(record,
                "the step is slow on the emulator: only the first %zu of %d sizes are checked",
                tried, SIZES);
    return true;
}

/* A check of size number i. By chance there is nothing to be seen in one call of a small one; and
 * what goes wrong only after some calls is seen where they cost least. */
static struct check size_check(const struct check_run *run, const struct shape *sizes, size_t i) {
    enum { MANY_CALLS = 16 };
    return (struct check){.input = i < FEW ? run->small->input : problem.inputs,
                          .shape = sizes[i],
                          .runner = run->built->runner,
                          .calls = i < FEW ? 1 : MANY_CALLS,
                          .cpu_s = run->small->cpu_s,
                          .silent = true};
}

/* What counts in few bits may be wrong only for many elements in one block: up to the graded size,
 * or what takes no time. At last so many that 16 bits are left with a count below every limit. */
static bool make_extreme_checks(struct check *check, const struct check_run *run) {
    enum { GROWTH = 4, MOST = 1 << 21, OF_16_BITS = 1 << 16, LEFT = 128 };
    const size_t graded = elements(run->options->shape);
    size_t most = graded < MOST ? graded : MOST;
    if (most > OF_16_BITS)
        most = most / OF_16_BITS * OF_16_BITS + LEFT;
    bool right = make_size_check(check, run);
    while (right && check->shape.rows < most) {
        check->shape.rows *= GROWTH;
        if (check->shape.rows > most)
            check->shape.rows = most;
        right = make_size_check(check, run);
    }
    return right;
}

/* So many that each thread is left with 0 in 8 bits, and a few blocks in 16; without the elements
 * of other values that are strewn in, which end a run whose length is counted; and a call for each
 * place in a word, since what spills out of the last is seen where nothing is left. */
static bool make_alike_check(struct check check, const struct check_run *run, size_t threads) {
    enum { OF_8_BITS = 1 << 8, PLACES = 4, FEW_BINS = 8 };
    const size_t bins = problem.counting ? problem.counting->bins : 0;
    static struct input alike;
    alike = *check.input;
    alike.salt = NULL;
    check.input = &alike;
    check.shape.rows = OF_8_BITS * threads;
    check.calls = bins && bins < FEW_BINS ? bins : PLACES;
    return make_size_check(&check, run);
}

/* The first size beyond `few` elements where threads meet more often than they do there, if they do
 * in the last check, which had `many`: one thread has a turn of a loop in which they meet, every 15
 * turns, say. Where the others of its block have not, they meet elsewhere. */
static bool find_meeting(const struct check_run *run, size_t few, size_t many,
                         struct shape *found) {
    struct check check = size_check(run, found, 0);
    const uint64_t *meetings = &run->plain->meetings, of_many = *meetings;
    check.shape = (struct shape){few, 1};
    if (!make_size_check(&check, run))
        return false;
    const uint64_t of_few = *meetings;
    if (of_many <= of_few)
        return true;
    while (many - few > 1) {
        check.shape.rows = few + (many - few) / 2;
        if (!make_size_check(&check, run))
            return false;
        *(*meetings > of_few ? &many : &few) = check.shape.rows;
    }
    *found = (struct shape){many, 1};
    return true;
}

static bool make_many_check(const struct check *check, const struct check_run *run) {
    return make_size_check(check, run) || (!is_proven(run->record) && forgive(run->record));
}

/* The length times a block's number, say, no longer fits 32 bits there; of a step that is slow it
 * tells nothing. */
static bool make_large_check(struct check check, const struct check_run *run) {
    enum { LARGE = 1 << 24 };
    const size_t before = check.shape.rows;
    check.shape.rows = LARGE;
    if (elements(problem.shape) < LARGE || make_further_check(&check, run))
        return true;
    if (!is_proven(run->record))
        return forgive(run->record);
    snprintf(run->record->diagnosis, sizeof run->record->diagnosis,
             "With %zu %ss and as many blocks it is right. Where the length is multiplied, with a "
             "block's or a thread's number, say, 32 bits may no longer be enough.",
             before, problem.element);
    return false;
}

/* A length that was a float has lost its last bits there: where all threads have a part each, one
 * more element is nobody's. Elements that are floats themselves tell nothing of lengths. */
static bool make_float_check(struct check check, const struct check_run *run, size_t threads) {
    const size_t limit = (size_t)1 << FLT_MANT_DIG, above = (limit / threads + 1) * threads + 1;
    const char *built = run->built->directory;
    if (problem.summing || elements(problem.shape) < limit ||
        !(built_uses(built, "float") || built_uses(built, "ceilf") || built_uses(built, "floorf") ||
          built_uses(built, "fminf")))
        return true;
    check.shape = (struct shape){above, 1};
    if (make_further_check(&check, run))
        return true;
    check.shape.rows -= 2 * threads;
    if (run->record->verdict.kind == VERDICT_WRONG && is_right_apart(&check, run))
        snprintf(
            run->record->diagnosis, sizeof run->record->diagnosis,
            "From 2^24 on a float no longer has every whole number: a length or an index that the "
            "step computes in float loses its last bits. With %zu %ss it is right. In integers "
            "(a + b - 1) / b rounds up.",
            check.shape.rows, problem.element);
    return false;
}

/* A float that takes a number from each warp rounds too much away of 2^27 elements: the error grows
 * with the root of the additions. Of so few one call of two is beyond the tolerance; of more the
 * graded calls are. */
static bool make_rounding_check(struct check check, const struct check_run *run) {
    enum { CALLS = 8, MANY = 1 << 22 };
    if (!problem.summing || elements(run->options->shape) > MANY ||
        !built_uses(run->built->directory, "atomicAdd"))
        return true;
    check.input = run->small->input;
    check.shape = (struct shape){MANY, 1};
    check.calls = CALLS;
    check.cpu_s *= CALLS;
    return make_further_check(&check, run);
}

/* One of them is analysed: some threads have a turn of a loop, and others none, so that a loop
 * which reads too far leaves the input. */
static bool make_size_checks(const struct check_run *run) {
    const struct launch_size *launches = run->small->widest;
    const size_t threads = side_by_side(launches), wide = 16 / problem.element_bytes;
    struct check check;
    struct shape sizes[SIZES];
    const double begin_s = runs_cpu_s();
    choose_sizes(launches, sizes);
    for (size_t tried = 0; tried < SIZES; tried++) {
        const size_t i = (FEW + tried) % SIZES; /* the small ones first */
        if (is_dear(begin_s, tried, run->record))
            return true;
        check = size_check(run, sizes, i);
        if (!make_size_check(&check, run))
            return false;
    }
    if (is_dear(begin_s, SIZES, run->record))
        return true;
    check.calls = 1;
    check.input = extreme_input();
    check.shape = (struct shape){2 * TURNS * threads * wide, 1};
    if (check.input && !(make_extreme_checks(&check, run) &&
                         find_meeting(run, TURNS * threads, check.shape.rows, sizes) &&
                         make_alike_check(check, run, threads) &&
                         make_float_check(check, run, threads) && make_rounding_check(check, run)))
        return false;
    if (!make_analysed_check(*run->small, run, sizes[0]))
        return false;
    /* Else any GPU is the same to it. */
    if (is_as_wide_as_input(launches) || launches[SMALL].blocks < 2)
        return true;
    check.shape.rows = MANY_TIMES * threads * wide;
    check.input = run->small->input;
    check.gpu = many;
    end_shared(run->plain);
    *run->plain = (struct trial){0}; /* another GPU needs another process */
    if (!make_many_check(&check, run) || !make_large_check(check, run))
        return false;
    /* Fields of few bits may also be too narrow for what so many blocks add; but what spills out of
     * a word's last field is not seen. */
    check.input = extreme_input();
    check.calls = 3;
    return !check.input || make_many_check(&check, run);
}

/* ---- what the checks have not reached --------------------------------------------------- */

/* What a call of the graded size reaches. It is right or wrong in the graded trial, not here. Where
 * it does not end in time it may reach all that there is. */
static void reach_graded(const struct check_run *run) {
    struct reach *reach = run->small->reach;
    struct options one = *run->options;
    struct device cpu = {.is.kind = "cpu"};
    one.iterations = 1;
    one.source.seed = random_next(run->random);
    struct trial trial = one_call(run);
    trial.reach = reach;
    trial.only_reach = true;
    trial_prepare(&trial, &problem, layout_graded(&problem, &one, &cpu), &one.source);
    struct sample sample = {.calls = 1};
    if (trial_start(&trial, run->built->check_runner))
        trial_sample(&trial, &sample);
    trial_end(&trial);
    if (trial.verdict.kind == VERDICT_TIMED_OUT)
        reach_all_graded(reach);
    free(trial.process.printed);
}

/* Where that takes too long, the step may be right all the same. */
static bool make_reaching_check(const struct check *like, const struct check_run *run,
                                struct shape shape, bool *in_time) {
    *in_time = make_analysed_check(*like, run, shape);
    if (*in_time || !is_slow(run->record))
        return *in_time;
    return forgive(run->record);
}

/* A launch that in all checks had one block may have several at the graded size, which may race:
 * one more check, where it has, and nothing else is analysed. Of launches beyond the first ones
 * there are many like them. */
static bool check_more_blocks(const struct check_run *run) {
    enum { GROWTH = 4, FIRST = 0xf };
    struct check check = *run->small;
    const struct shape graded = run->options->shape;
    uint64_t wanted, has = 0;
    if (!make_launch_check(run, graded, "", &wanted))
        return forgive(run->record); /* the graded call tells it */
    wanted &= FIRST & ~check.reach->of_blocks;
    while (wanted & ~has && elements(check.shape) < elements(graded)) {
        check.shape.rows *= GROWTH;
        if (!make_launch_check(run, check.shape, "", &has))
            return forgive(run->record);
    }
    check.check_only = wanted;
    bool in_time;
    return !wanted || make_reaching_check(&check, run, check.shape, &in_time);
}

/* First an input that just allows an early exit, where threads that do not leave together are seen;
 * then the sizes that the plain build was tried with, since few of them reach most: beginning with
 * that in which a loop of several wide loads has its turns; then growing ones, as long as the
 * graded size reaches what they have not. */
static bool check_the_rest(const struct check_run *run) {
    enum { GROWTH = 4 };
    const struct check *small = run->small;
    struct reach *reach = small->reach;
    struct shape sizes[SIZES], shape = small->shape;
    struct check exits = *small;
    bool in_time = true;
    exits.input = problem.exit_inputs;
    if (exits.input && reach_incomplete(reach, small->runner) &&
        !make_reaching_check(&exits, run, problem.exit_shape, &in_time))
        return false;
    choose_sizes(small->widest, sizes);
    for (size_t i = 0; in_time && i < SIZES && reach_incomplete(reach, small->runner); i++)
        if (!make_reaching_check(small, run, sizes[(WIDE + i) % SIZES], &in_time))
            return false;
    if (!reach_incomplete(reach, small->runner))
        return true;
    reach_graded(run);
    while (in_time && reach_wanted(reach)) {
        shape.rows = GROWTH * shape.rows + 1;
        if (elements(shape) > elements(run->options->shape))
            break;
        if (!make_reaching_check(small, run, shape, &in_time))
            return false;
    }
    reach_lines(reach, small->runner, run->record->unchecked, sizeof run->record->unchecked);
    return true;
}

/* ---- the smallest -------------------------------------------------------------------------- */

/* The next check has more to say of what is wrong, unless it does not end. So only what has no end
 * here is told at once: here nothing takes long. */
static bool make_tiny_check(const struct check_run *run, struct record *tried) {
    enum { SHARES = 2 };
    struct check tiny = *run->small;
    uint64_t random = *run->random; /* what follows is as it were without this check */
    struct check_run own = *run;
    if (!problem.tiny_shape.rows)
        return true;
    *tried = *run->record;
    own.record = tried;
    own.random = &random;
    tiny.input = problem.inputs;
    tiny.shape = problem.tiny_shape;
    tiny.calls = 5; /* odd: what alternates is not as it began when it is set up again */
    tiny.widest = &run->small->widest[TINY];
    tiny.silent = true;
    if (!run->options->call_cpu_s)
        tiny.cpu_s /= SHARES;
    return make_check(&tiny, &own);
}

/* What is made meanwhile of the graded trial. It begins early where somebody waits for this step:
 * one core has little to do. Where a class is graded all cores have other steps, and of a wrong one
 * nothing is made that is not needed. */
static void begin_graded(const struct check_run *run, bool early) {
    if (!run->next || run->next->drawing || (early && *run->options->submission))
        return;
    trial_draw_ahead(run->next);
    count_ahead(run->counting);
}

/* What race there is may be one between two arrays that are one: neither statement is wrong. */
static void tell_one_memory(const struct check_run *run) {
    struct record *record = run->record;
    char before[sizeof record->diagnosis];
    if (record->verdict.kind != VERDICT_HAZARD || !strstr(record->verdict.detail, "race-in-") ||
        !strstr(record->verdict.detail, " of dynamic shared memory") ||
        !built_uses(run->built->directory, "dynamic_shared_too"))
        return;
    memcpy(before, record->diagnosis, sizeof before);
    snprintf(record->diagnosis, sizeof record->diagnosis,
             "All extern __shared__ arrays of a kernel begin at the same address, so these are one "
             "memory: declare one, and let the other be a pointer behind its end. Else: %.700s",
             before);
}

/* The tiny check, and the small one. */
static bool make_first_checks(const struct check_run *run) {
    static struct record tried; /* large */
    const struct check *small = run->small;
    bool right = make_tiny_check(run, &tried);
    if (!right && is_slow(&tried)) {
        *run->record = tried;
        return false;
    }
    if (right)
        begin_graded(run, true);
    bool small_right = make_first_check(small, run, run->checked, shared_room);
    if (!right && (small_right || is_slow(run->record)))
        *run->record = tried;
    else if (is_slow(run->record) && problem.tiny_shape.rows) {
        check_tell_slow(problem.tiny_shape, small->shape, run->record);
        make_limit_checks(run);
    }
    return right && small_right;
}

/* Then once more, larger: a step may vote only after many turns of its loop. And where some of 8
 * blocks vote in every call. */
static bool make_exit_check(const struct check *exits, const struct check_run *run) {
    enum { LARGER = 3, FEW_CALLS = 4 };
    struct check larger = *exits, sided = *exits;
    if (!exits->input)
        return true;
    larger.shape.rows *= LARGER;
    larger.calls = sided.calls = FEW_CALLS;
    sided.input++;
    sided.gpu = "multiprocessors 8\n";
    return make_size_check(exits, run) && make_size_check(&larger, run) &&
           make_size_check(&sided, run);
}

static struct check small_check(const struct check_run *run, struct launch_size *launches) {
    return (struct check){.input = input_named(problem.check_input),
                          .shape = problem.check_shape,
                          .runner = run->built->runner,
                          .calls = 8,
                          .again = 2,
                          .cpu_s = check_call_cpu_s(run->options),
                          .widest = launches};
}

static struct check exit_check(const struct check_run *run) {
    return (struct check){.input = problem.exit_inputs,
                          .shape = problem.exit_shape,
                          .runner = run->built->runner,
                          .calls = 8,
                          .cpu_s = check_call_cpu_s(run->options)};
}

/* ---- what only the graded run has found -------------------------------------------------- */

/* Whether it is known why: all numbers that are told are of one run. */
static bool is_explained(const struct record *record) {
    return is_proven(record) && record->diagnosis[0];
}

/* What needs many elements is seen best where few of them are enough. */
bool check_explain(const struct check_run *run) {
    enum { FIRST_SHARE = 64, GROWTH = 4, MOST_S = 10 };
    static struct record graded; /* large */
    struct check small = small_check(run, NULL);
    struct check_run own = *run;
    const double begin_s = runs_cpu_s();
    own.small = &small;
    small.runner = run->built->check_runner;
    small.checked = strcmp(small.runner, run->built->runner) != 0;
    struct check plain = {.input = run->options->source.input,
                          .shape = run->options->shape,
                          .runner = run->built->runner,
                          .calls = 1,
                          .cpu_s = small.cpu_s,
                          .silent = true,
                          .gpu = many};
    const size_t rows = plain.shape.rows;
    graded = *run->record;
    for (size_t share = FIRST_SHARE; share && runs_cpu_s() - begin_s < MOST_S; share /= GROWTH) {
        plain.shape.rows = (rows + share - 1) / share;
        forgive(run->record);
        if (!make_size_check(&plain, &own) && is_explained(run->record))
            return true;
    }
    *run->record = graded;
    if (small.checked)
        tell_unordered(run->record);
    return false;
}

/* ---- how far a wrong step is right ------------------------------------------------------- */

static void tally(const struct check *check, const struct check_run *run) {
    run->record->fields.checks++;
    run->record->fields.checks_right += is_right_apart(check, run);
}

void check_share(const struct check_run *run) {
    struct launch_size launches[LAUNCHES] = {0};
    const struct check small = small_check(run, launches), exits = exit_check(run);
    struct check tiny = small;
    struct check_run own = *run;
    struct shape sizes[SIZES];
    own.small = &small;
    run->record->fields.checks = 1; /* which has given the verdict */
    run->record->fields.has_checks = run->record->fields.has_checks_right = true;
    tally(&small, run);
    tiny.input = problem.inputs;
    tiny.shape = problem.tiny_shape;
    tiny.again = 0;
    tiny.widest = &launches[TINY];
    if (tiny.shape.rows)
        tally(&tiny, run);
    if (exits.input)
        tally(&exits, run);
    choose_sizes(launches, sizes);
    for (size_t i = 0; i < SIZES; i++) {
        const struct check sized = size_check(&own, sizes, i);
        tally(&sized, run);
    }
}

/* ---- on a GPU ----------------------------------------------------------------------------- */

/* There the start of another process takes nearly half a second. Of an array the check has as many
 * elements at its end as fill no 16 bytes: more of them, more threads that have one. */
static bool check_on_gpu(struct check small, const struct check_run *run) {
    const size_t wide = 16 / problem.element_bytes;
    struct check none, extreme;
    if (small.shape.columns == 1)
        small.shape.rows += wide - 1 - small.shape.rows % wide;
    small.calls--;          /* odd, as in make_tiny_check */
    none = extreme = small; /* so neither takes more memory */
    none.shape = (struct shape){0, 1};
    none.again = 0;
    none.silent = true;
    extreme.input = problem.summing ? extreme_input() : NULL;
    extreme.silent = true;
    bool right = make_first_check(&small, run, run->plain, (struct room){0}) &&
                 make_further_check(&none, run) &&
                 (!extreme.input || make_further_check(&extreme, run));
    end_shared(run->plain);
    return right;
}

/* ---- all of them ------------------------------------------------------------------------ */

/* Small, of awkward size and content: before the long run, since it settles most mistakes at once.
 * Then the step is set up a second time, as it will be again and again when it is timed. An input
 * follows whose windows only just allow an early exit, or only just do not, since neither the first
 * nor the graded input may come near one; then the first once more, with threads in the order in
 * which the plain build runs them: a step that behaves where its threads are mixed up is seen where
 * they are not. Then launches of any size, other sizes, and what no check has reached. */
bool check(const struct check_run *run) {
    static struct reach reach; /* large */
    const struct built *built = run->built;
    bool timed = device_timed(&run->record->device);
    struct launch_size launches[LAUNCHES] = {0};
    struct trial plain = {0}, checked = {0};
    struct check_run sharing = *run;
    struct check small = small_check(run, launches);
    sharing.plain = &plain;
    sharing.checked = &checked;
    sharing.small = &small;
    small.runner = built->check_runner;
    small.checked = !timed && strcmp(built->check_runner, built->runner) != 0;
    small.reach = timed ? NULL : &reach;
    struct check ordered = small;
    ordered.in_order = true;
    ordered.calls = ordered.again = 2; /* blocks mixed; then, set up again, one by one */
    const struct check exits = exit_check(run);
    if (timed)
        return check_on_gpu(small, &sharing);
    bool right = make_first_checks(&sharing);
    tell_one_memory(run);
    if (right)
        begin_graded(run, false);
    right = right && make_exit_check(&exits, &sharing) && make_check(&ordered, run) &&
            make_graded_launch_check(run) && make_limit_checks(run) && make_size_checks(&sharing);
    end_shared(&plain);
    right = right && check_the_rest(&sharing);
    end_shared(&checked);
    return right && check_more_blocks(&sharing);
}
