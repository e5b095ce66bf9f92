/* The judge: grades one step, or times the CPU's solutions, and writes records. See options.c. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "clock.h"
#include "fault.h"
#include "hint.h"
#include "options.h"
#include "random.h"
#include "read.h"
#include "record.h"
#include "stats.h"
#include "strip.h"
#include "timing.h"
#include "trial.h"

/* The strip of the graded trial: cold on a GPU, as small as it gets where nothing is timed. */
static struct strip graded_layout(const struct problem *graded, const struct options *options,
                                  const struct device *device) {
    struct strip window = {.window = options->shape, .element_bytes = graded->element_bytes};
    size_t slide = options->warm || options->source.elements ? 0 : options->source.input->slide;
    size_t regions = device_timed(device) && !options->warm
                         ? strip_cold_regions(strip_window_bytes(&window), device->l2_bytes)
                         : 1;
    return strip_plan(graded, options->shape, regions, options->iterations, slide);
}

/* One call first: a step that hangs or is wrong shows before all the others are made. */
static void verify_step(struct trial *trial, const struct options *options, struct record *record) {
    struct sample sample = {.calls = 1};
    record->calls = options->iterations;
    if (trial_sample(trial, &sample)) {
        sample.calls = options->iterations;
        if (!trial_sample(trial, &sample))
            return;
        sample = (struct sample){.calls = 1, .whole = true};
        trial_sample(trial, &sample);
    }
}

static void write_log(const char *path, const struct process *process) {
    if (!process->printed_bytes)
        return;
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, process->printed, process->printed_bytes) < 0)
        fault("cannot write %s", path);
    close(fd);
}

/* Ends the trial and takes over its verdict. */
static bool conclude(struct trial *trial, const struct options *options, struct record *record) {
    trial_end(trial);
    record->verdict = trial->verdict;
    record->error = trial->error;
    memcpy(record->diagnosis, trial->diagnosis, sizeof record->diagnosis);
    if (options->log)
        write_log(options->log, &trial->process);
    free(trial->process.printed);
    return trial->verdict.kind == VERDICT_PASS;
}

/* Small, of awkward size and content: before the long run, since it settles most mistakes at once.
 * Then the step is set up a second time, as it will be again and again when it is timed. */
static bool check(const struct options *options, uint64_t *random, struct record *record) {
    enum { CALLS = 8, CALLS_AGAIN = 2 };
    struct source source = {.input = input_named(problem.check_input), .seed = random_next(random)};
    struct trial trial = {.random = random, .max_calls = CALLS, .timeout_s = options->timeout_s};
    struct strip layout =
        strip_plan(&problem, problem.check_shape, CALLS, CALLS, source.input->slide);
    trial_prepare(&trial, &problem, layout, &source);

    struct sample sample = {.calls = CALLS}, again = {.calls = CALLS_AGAIN};
    bool second_time = false;
    if (trial_start(&trial, options->check_runner) && trial_sample(&trial, &sample) &&
        trial_tear_down(&trial))
        second_time = !(trial_set_up_again(&trial) && trial_sample(&trial, &again));
    if (conclude(&trial, options, record))
        return true;

    char detail[sizeof record->verdict.detail];
    snprintf(detail, sizeof detail, "check (%s, %zu x %zu%s): %.480s", source.input->name,
             problem.check_shape.rows, problem.check_shape.columns,
             second_time ? ", set up a second time" : "", record->verdict.detail);
    memcpy(record->verdict.detail, detail, sizeof detail);
    return false;
}

static bool always_right(const void *expected, const void *got, char *why, size_t why_size) {
    (void)expected, (void)got, (void)why, (void)why_size;
    return true;
}

static void grade(const struct options *options, struct record *record) {
    uint64_t random = options->source.seed;
    struct problem graded = options->read ? read_problem(&problem) : problem;
    if (options->unchecked) {
        graded.right = always_right;
        graded.error = NULL;
        graded.recheck = NULL;
    } else if (!options->read && !check(options, &random, record))
        return;

    /* Reads copy as much as steps do: they tell what that costs. */
    struct trial trial = {.random = &random,
                          .max_calls = options->iterations,
                          .slot_bytes = problem.output_bytes,
                          .timeout_s = options->timeout_s,
                          .timed = device_timed(&record->device)};
    trial_prepare(&trial, &graded, graded_layout(&graded, options, &record->device),
                  &options->source);
    if (options->read || options->unchecked)
        trial.shape = read_shape(&trial.strip);
    if (trial_start(&trial, options->runner)) {
        if (trial.timed)
            time_step(&trial, options, record);
        else
            verify_step(&trial, options, record);
    }
    conclude(&trial, options, record);
}

/* One of the CPU's solutions on the windows of a strip, and, since they are there, against the
 * index that expected outputs come from. Only the reference has to be right. */
static void time_solution(const struct solution *solution, struct trial *trial,
                          const struct options *options, struct record *record) {
    enum { LEAST_CALLS = 3, MOST_CALLS = 100 };
    uint64_t windows[MOST_CALLS];
    strip_windows(&trial->strip, trial->random, windows, MOST_CALLS);

    void *expected = allocate(problem.expected_bytes), *got = allocate(problem.output_bytes);
    double seconds[MOST_CALLS], spent_s = 0;
    size_t calls = 0;
    record->verdict = (struct verdict){VERDICT_PASS, ""};
    record->error = -1;
    while (calls < LEAST_CALLS || (spent_s < 1 && calls < MOST_CALLS)) {
        double start_s = clock_seconds();
        solution->solve(strip_row(&trial->strip, windows[calls]), trial->strip.window, got);
        spent_s += seconds[calls] = clock_seconds() - start_s;

        char why[256];
        problem.expect(&trial->strip, trial->index, windows[calls], expected);
        record->error = trial_worst_error(&problem, record->error, expected, got);
        if (!problem.right(expected, got, why, sizeof why)) {
            record->verdict.kind = VERDICT_WRONG;
            snprintf(record->verdict.detail, sizeof record->verdict.detail, "%s", why);
        }
        calls++;
    }
    record->step = solution->name;
    record->calls = calls;
    record->samples = 1;
    record->samples_s[0] = stats_median(seconds, calls) * options->iterations;
    free(expected);
    free(got);
}

/* All of the CPU's solutions, the reference first: a record each. */
static void time_solutions(const struct options *options, struct record *record) {
    uint64_t random = options->source.seed;
    struct trial trial = {.random = &random, .max_calls = 1};
    trial_prepare(&trial, &problem, graded_layout(&problem, options, &record->device),
                  &options->source);
    for (const struct solution *solution = problem.solutions; solution->name; solution++) {
        time_solution(solution, &trial, options, record);
        if (solution == problem.solutions) {
            record->reference_s = record->samples_s[0];
            if (record->verdict.kind != VERDICT_PASS)
                fault("reference and expected outputs differ: %s", record->verdict.detail);
        }
        record_append(record, options->record);
    }
}

/* A right answer, but not one to be paid before a person has looked at the evidence. */
static void flag(struct verdict *verdict, const char *evidence) {
    verdict->kind = VERDICT_FLAGGED;
    snprintf(verdict->detail, sizeof verdict->detail, "%s", evidence);
}

/* The compiler's first error, for the detail of a failed build. */
static void first_error(const char *path, struct verdict *verdict) {
    FILE *log = fopen(path, "r");
    char line[512];
    while (log && fgets(line, sizeof line, log)) {
        if (!strstr(line, "error") && !strstr(line, "undefined reference"))
            continue;
        line[strcspn(line, "\r\n")] = '\0';
        snprintf(verdict->detail, sizeof verdict->detail, "%s", line);
        break;
    }
    if (log)
        fclose(log);
}

int main(int argc, char **argv) {
    struct options options = {.source.input = problem.inputs,
                              .iterations = 1000,
                              .samples = 10,
                              .budget_s = 3,
                              .timeout_s = 60};
    if (getrandom(&options.source.seed, sizeof options.source.seed, 0) < 0)
        fault("cannot get a random seed");
    struct record record = {.submission = "",
                            .step = "",
                            .kind = "step",
                            .source_sha256 = "",
                            .harness = "",
                            .error = -1};
    options_parse(argc, argv, &options, &record);
    /* If grade.sh is stopped, so is the judge, and with it the runner (process.c). */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char error[512];
    void *elements = NULL;
    if (options.image) {
        if (!problem.load)
            usage_error("%s reads no files: leave --image out", problem.function);
        if (!problem.load(options.image, &options.shape, &elements, error, sizeof error))
            usage_error("%s", error);
        options.source.elements = elements;
    }
    if (options.dry_run) {
        free(elements);
        return EXIT_PASS;
    }

    record.device = device_read(options.device);
    if (options.isolate)
        process_isolate(options.isolate, record.device.kind);
    if (!options.sized && !options.image)
        options.shape = device_timed(&record.device) ? problem.shape : problem.cpu_shape;
    if (!options.check_runner)
        options.check_runner = options.runner;
    record.problem = problem.function;
    char input[64];
    snprintf(input, sizeof input, "%s%s", options.image ? "image" : options.source.input->name,
             options.warm ? ", warm" : "");
    record.input = input;
    record.shape = options.shape;
    record.iterations = options.iterations;
    record.calls = options.iterations;
    if (!options.unchecked)
        record.bytes = (double)options.shape.rows * options.shape.columns * problem.element_bytes;
    record.seed = options.source.seed;

    if (options.reference) {
        time_solutions(&options, &record);
        free(elements);
        return EXIT_PASS;
    }
    if (record.verdict.kind == VERDICT_PASS)
        grade(&options, &record);
    else if (options.detail)
        snprintf(record.verdict.detail, sizeof record.verdict.detail, "%s", options.detail);
    else if (options.log)
        first_error(options.log, &record.verdict);
    if (record.verdict.kind == VERDICT_PASS && options.evidence && *options.evidence)
        flag(&record.verdict, options.evidence);
    if (!record.diagnosis[0])
        hint(&record.verdict, record.diagnosis, sizeof record.diagnosis);
    record_append(&record, options.record);
    free(elements);
    return record.verdict.kind == VERDICT_HARNESS_ERROR ? EXIT_HARNESS
           : record.verdict.kind == VERDICT_PASS || record.verdict.kind == record.intended
               ? EXIT_PASS
               : EXIT_NOT_PASSED;
}
