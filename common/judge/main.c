/* The judge: grades one step, or times the CPU's solutions, and writes records. See usage. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "clock.h"
#include "fault.h"
#include "random.h"
#include "read.h"
#include "record.h"
#include "stats.h"
#include "strip.h"
#include "trial.h"

static const char usage[] =
    "usage: judge-%s --device FILE --record FILE [OPTION...]\n"
    "\n"
    "Grades one step and adds one record to a file. Usually called by grade.sh.\n"
    "\n"
    "What is graded (one of these):\n"
    "  --runner FILE          the step's runner\n"
    "  --read FILE            a streaming read's runner: its time is a roof\n"
    "  --reference            the CPU's solutions: a record each\n"
    "  --verdict WORD         nothing runs: the record gets this verdict, and the first line\n"
    "                         of --log that names an error\n"
    "On what:\n"
    "  --input NAME           %s\n"
    "  --image FILE           a file in place of a drawn input\n"
    "  --size ROWSxCOLUMNS    default %zux%zu, on the cpu device %zux%zu\n"
    "  --seed N               default: one that nobody has seen\n"
    "How:\n"
    "  --iterations N         calls that the seconds stand for (1000)\n"
    "  --samples N            timed samples (10); on the cpu device one, untimed\n"
    "  --budget SECONDS       for the samples of a slow step (6)\n"
    "  --timeout SECONDS      for each answer of the runner (60)\n"
    "  --check-runner FILE    runner for the check that comes first (the same)\n"
    "What the record says besides:\n"
    "  --step NAME  --submission NAME  --kind NAME  --source-sha256 HASH\n"
    "  --reference-seconds S  --roof-gbps X\n"
    "  --intended VERDICT     what the step is there to show (pass): also a success\n"
    "Files:\n"
    "  --device FILE          what the program `device` printed\n"
    "  --record FILE          the record is added here\n"
    "  --log FILE             what the step printed goes here\n"
    "\n"
    "Exit status: 0 passed, 1 not passed, 2 wrong usage, 3 the harness failed.\n";

struct options {
    const char *runner, *check_runner, *image, *device, *record, *log;
    bool read, reference, sized;
    struct source source; /* of the graded trial */
    struct shape shape;
    size_t iterations, samples;
    double budget_s, timeout_s;
};

enum option_key {
    OPTION_RUNNER = 256,
    OPTION_READ,
    OPTION_REFERENCE,
    OPTION_VERDICT,
    OPTION_INTENDED,
    OPTION_INPUT,
    OPTION_IMAGE,
    OPTION_SIZE,
    OPTION_SEED,
    OPTION_ITERATIONS,
    OPTION_SAMPLES,
    OPTION_BUDGET,
    OPTION_TIMEOUT,
    OPTION_CHECK_RUNNER,
    OPTION_STEP,
    OPTION_SUBMISSION,
    OPTION_KIND,
    OPTION_SOURCE_SHA256,
    OPTION_REFERENCE_SECONDS,
    OPTION_ROOF_GBPS,
    OPTION_DEVICE,
    OPTION_RECORD,
    OPTION_LOG,
    OPTION_HELP,
};

static const struct option long_options[] = {
    {"runner", required_argument, NULL, OPTION_RUNNER},
    {"read", required_argument, NULL, OPTION_READ},
    {"reference", no_argument, NULL, OPTION_REFERENCE},
    {"verdict", required_argument, NULL, OPTION_VERDICT},
    {"intended", required_argument, NULL, OPTION_INTENDED},
    {"input", required_argument, NULL, OPTION_INPUT},
    {"image", required_argument, NULL, OPTION_IMAGE},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"iterations", required_argument, NULL, OPTION_ITERATIONS},
    {"samples", required_argument, NULL, OPTION_SAMPLES},
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"check-runner", required_argument, NULL, OPTION_CHECK_RUNNER},
    {"step", required_argument, NULL, OPTION_STEP},
    {"submission", required_argument, NULL, OPTION_SUBMISSION},
    {"kind", required_argument, NULL, OPTION_KIND},
    {"source-sha256", required_argument, NULL, OPTION_SOURCE_SHA256},
    {"reference-seconds", required_argument, NULL, OPTION_REFERENCE_SECONDS},
    {"roof-gbps", required_argument, NULL, OPTION_ROOF_GBPS},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"log", required_argument, NULL, OPTION_LOG},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static void print_usage(void) {
    char names[256] = "";
    for (const struct input *input = problem.inputs; input->name; input++) {
        strcat(names, input == problem.inputs ? "" : "|");
        strcat(names, input->name);
    }
    printf(usage, problem.function, names, problem.shape.rows, problem.shape.columns,
           problem.cpu_shape.rows, problem.cpu_shape.columns);
}

static uint64_t whole_number(const char *option, const char *text, uint64_t least, uint64_t most) {
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (end == text || *end || text[0] == '-' || errno || value < least || value > most)
        usage_error("--%s takes a whole number from %llu to %llu, not '%s'", option,
                    (unsigned long long)least, (unsigned long long)most, text);
    return value;
}

static double positive_number(const char *option, const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0) || !isfinite(value))
        usage_error("--%s takes a number above 0, not '%s'", option, text);
    return value;
}

/* "4096x3984", or for a plain array "1000000". */
static struct shape shape_of(const char *text) {
    char rows[24] = "", columns[24] = "1", rest;
    int fields = sscanf(text, "%20[0-9]x%20[0-9]%c", rows, columns, &rest);
    struct shape shape = {0};
    if (fields < 1 || fields > 2 || (fields == 1 && strlen(rows) != strlen(text)))
        usage_error("--size takes ROWSxCOLUMNS, such as 4096x3984, not '%s'", text);
    shape.rows = whole_number("size", rows, 0, (uint64_t)1 << 32);
    shape.columns = whole_number("size", columns, 0, (uint64_t)1 << 32);
    if (shape.columns && shape.rows > ((uint64_t)1 << 32) / shape.columns)
        usage_error("--size %s is too large: at most 2^32 elements", text);
    return shape;
}

static enum verdict_kind verdict_named(const char *word) {
    enum verdict_kind kind = verdict_of_word(word);
    if (kind == VERDICT_KINDS)
        usage_error("there is no verdict '%s'", word);
    return kind;
}

static const struct input *input_named(const char *name) {
    for (const struct input *input = problem.inputs; input->name; input++)
        if (strcmp(input->name, name) == 0)
            return input;
    usage_error("%s has no input '%s': see --help", problem.function, name);
}

static void parse(int argc, char **argv, struct options *options, struct record *record) {
    int key;
    while ((key = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        switch (key) {
        case OPTION_READ:
            options->read = true;
            options->runner = optarg;
            break;
        case OPTION_RUNNER:
            options->runner = optarg;
            break;
        case OPTION_REFERENCE:
            options->reference = true;
            break;
        case OPTION_VERDICT:
            record->verdict.kind = verdict_named(optarg);
            break;
        case OPTION_INTENDED:
            record->intended = verdict_named(optarg);
            break;
        case OPTION_INPUT:
            options->source.input = input_named(optarg);
            break;
        case OPTION_IMAGE:
            options->image = optarg;
            break;
        case OPTION_SIZE:
            options->shape = shape_of(optarg);
            options->sized = true;
            break;
        case OPTION_SEED:
            options->source.seed = whole_number("seed", optarg, 0, UINT64_MAX);
            break;
        case OPTION_ITERATIONS:
            options->iterations = whole_number("iterations", optarg, 1, 1000000);
            break;
        case OPTION_SAMPLES:
            options->samples = whole_number("samples", optarg, 1, MOST_SAMPLES);
            break;
        case OPTION_BUDGET:
            options->budget_s = positive_number("budget", optarg);
            break;
        case OPTION_TIMEOUT:
            options->timeout_s = positive_number("timeout", optarg);
            break;
        case OPTION_CHECK_RUNNER:
            options->check_runner = optarg;
            break;
        case OPTION_STEP:
            record->step = optarg;
            break;
        case OPTION_SUBMISSION:
            record->submission = optarg;
            break;
        case OPTION_KIND:
            record->kind = optarg;
            break;
        case OPTION_SOURCE_SHA256:
            record->source_sha256 = optarg;
            break;
        case OPTION_REFERENCE_SECONDS:
            record->reference_s = positive_number("reference-seconds", optarg);
            break;
        case OPTION_ROOF_GBPS:
            record->roof_gbps = positive_number("roof-gbps", optarg);
            break;
        case OPTION_DEVICE:
            options->device = optarg;
            break;
        case OPTION_RECORD:
            options->record = optarg;
            break;
        case OPTION_LOG:
            options->log = optarg;
            break;
        case OPTION_HELP:
            print_usage();
            exit(EXIT_PASS);
        default:
            exit(EXIT_USAGE); /* getopt_long has said why */
        }
    }
    if (optind < argc)
        usage_error("unexpected argument '%s'", argv[optind]);
    if (!options->device || !options->record)
        usage_error("--device and --record are needed: see --help");
    if (!options->runner && !options->reference && record->verdict.kind == VERDICT_PASS)
        usage_error("one of --runner, --read, --reference and --verdict is needed: see --help");
}

/* The strip of the graded trial: cold on a GPU, as small as it gets where nothing is timed. */
static struct strip graded_layout(const struct problem *graded, const struct options *options,
                                  const struct device *device) {
    struct strip window = {.window = options->shape, .element_bytes = graded->element_bytes};
    size_t slide = options->source.elements ? 0 : options->source.input->slide;
    size_t regions = device_timed(device)
                         ? strip_cold_regions(strip_window_bytes(&window), device->l2_bytes)
                         : 1;
    return strip_plan(graded, options->shape, regions, options->iterations, slide);
}

/* Time enough for clocks to rise from idle, found by measurement on an H200. */
static const double WARM_UP_S = 0.3;

/* Calls made while warming up grow fourfold from 1, and tell how many fit a sample: fewer than
 * `iterations` only where those would overrun the budget. */
static bool warm_up(struct trial *trial, const struct options *options, size_t *calls) {
    struct sample sample = {.calls = 1};
    for (double spent_s = 0;; sample.calls *= 4) {
        if (sample.calls > options->iterations)
            sample.calls = options->iterations;
        if (!trial_sample(trial, &sample))
            return false;
        spent_s += sample.audit_s;
        if (spent_s >= WARM_UP_S)
            break;
    }
    double fit = options->budget_s / options->samples / (sample.audit_s / sample.calls);
    *calls = fit >= options->iterations ? options->iterations : fit < 1 ? 1 : (size_t)fit;
    return true;
}

static void time_step(struct trial *trial, const struct options *options, struct record *record) {
    if (!warm_up(trial, options, &record->calls))
        return;
    struct sample sample = {.calls = record->calls};
    double scale = (double)options->iterations / record->calls;
    for (size_t i = 0; i < options->samples; i++) {
        if (!trial_sample(trial, &sample))
            return;
        record->samples_s[i] = sample.event_s * scale;
        record->audit_s[i] = sample.audit_s * scale;
    }
    sample.synced = true;
    if (!trial_sample(trial, &sample))
        return;
    record->synced_s = sample.audit_s * scale;
    record->samples = options->samples;
}

/* One call first: a step that hangs or is wrong shows before all the others are made. */
static void verify_step(struct trial *trial, const struct options *options, struct record *record) {
    struct sample sample = {.calls = 1};
    record->calls = options->iterations;
    if (trial_sample(trial, &sample)) {
        sample.calls = options->iterations;
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
    if (options->log)
        write_log(options->log, &trial->process);
    free(trial->process.printed);
    return trial->verdict.kind == VERDICT_PASS;
}

/* Small, of awkward size and content: before the long run, since it settles most mistakes at once.
 */
static bool check(const struct options *options, uint64_t *random, struct record *record) {
    enum { CALLS = 8 };
    struct source source = {.input = input_named(problem.check_input), .seed = random_next(random)};
    struct trial trial = {.random = random, .max_calls = CALLS, .timeout_s = options->timeout_s};
    struct strip layout =
        strip_plan(&problem, problem.check_shape, CALLS, CALLS, source.input->slide);
    trial_prepare(&trial, &problem, layout, &source);

    struct sample sample = {.calls = CALLS};
    if (trial_start(&trial, options->check_runner))
        trial_sample(&trial, &sample);
    if (conclude(&trial, options, record))
        return true;

    char detail[sizeof record->verdict.detail];
    snprintf(detail, sizeof detail, "check (%s, %zu x %zu): %.500s", source.input->name,
             problem.check_shape.rows, problem.check_shape.columns, record->verdict.detail);
    memcpy(record->verdict.detail, detail, sizeof detail);
    return false;
}

static void grade(const struct options *options, struct record *record) {
    uint64_t random = options->source.seed;
    struct problem graded = options->read ? read_problem(&problem) : problem;
    if (!options->read && !check(options, &random, record))
        return;

    struct trial trial = {
        .random = &random, .max_calls = options->iterations, .timeout_s = options->timeout_s};
    trial_prepare(&trial, &graded, graded_layout(&graded, options, &record->device),
                  &options->source);
    if (options->read)
        trial.shape = read_shape(&trial.strip);
    if (trial_start(&trial, options->runner)) {
        if (device_timed(&record->device))
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
        if (problem.error) {
            double error = problem.error(expected, got);
            if (!(error <= record->error))
                record->error = error;
        }
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
                              .budget_s = 6,
                              .timeout_s = 60};
    if (getrandom(&options.source.seed, sizeof options.source.seed, 0) < 0)
        fault("cannot get a random seed");
    struct record record = {
        .submission = "", .step = "", .kind = "step", .source_sha256 = "", .error = -1};
    parse(argc, argv, &options, &record);
    if (!options.check_runner)
        options.check_runner = options.runner;

    record.device = device_read(options.device);
    if (!options.sized)
        options.shape = device_timed(&record.device) ? problem.shape : problem.cpu_shape;

    char error[512];
    void *elements = NULL;
    if (options.image) {
        if (!problem.load)
            usage_error("%s reads no files: leave --image out", problem.function);
        if (!problem.load(options.image, &options.shape, &elements, error, sizeof error))
            usage_error("%s", error);
        options.source.elements = elements;
    }

    record.problem = problem.function;
    record.input = options.image ? "image" : options.source.input->name;
    record.shape = options.shape;
    record.iterations = options.iterations;
    record.calls = options.iterations;
    record.bytes = (double)options.shape.rows * options.shape.columns * problem.element_bytes;
    record.seed = options.source.seed;

    if (options.reference) {
        time_solutions(&options, &record);
        free(elements);
        return EXIT_PASS;
    }
    if (record.verdict.kind == VERDICT_PASS)
        grade(&options, &record);
    else if (options.log)
        first_error(options.log, &record.verdict);
    record_append(&record, options.record);
    free(elements);
    return record.verdict.kind == VERDICT_HARNESS_ERROR ? EXIT_HARNESS
           : record.verdict.kind == VERDICT_PASS || record.verdict.kind == record.intended
               ? EXIT_PASS
               : EXIT_NOT_PASSED;
}
