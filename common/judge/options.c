#define _GNU_SOURCE
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"

static const char usage[] =
    "usage: judge-%s --device FILE --record FILE [OPTION...]\n"
    "\n"
    "Grades one step and adds one record to a file. Usually called by grade.sh.\n"
    "\n"
    "What is graded (one of these):\n"
    "  --runner FILE          the step's runner\n"
    "  --read FILE            a streaming read's runner: its time is a roof\n"
    "  --unchecked FILE       an empty kernel's runner, called like a read: it has no output\n"
    "  --reference            the CPU's solutions: a record each\n"
    "  --verdict WORD         nothing runs: the record gets this verdict, and the first line\n"
    "                         of --log that names an error, or --detail TEXT\n"
    "On what:\n"
    "  --input NAME           %s\n"
    "  --image FILE           a file in place of a drawn input\n"
    "  --size ROWSxCOLUMNS    default %zux%zu, on the cpu device %zux%zu\n"
    "  --seed N               default: one that nobody has seen\n"
    "  --seed-file FILE       holds it: a command line can be read by every process\n"
    "  --warm                 one window for all calls, so that caches help\n"
    "How:\n"
    "  --iterations N         calls that the seconds stand for (1000)\n"
    "  --samples N            timed samples (10), up to three times as many while their median\n"
    "                         is uncertain by over 1 %%; on the cpu device one, untimed\n"
    "  --budget SECONDS       for the samples of a slow step (3)\n"
    "  --timeout SECONDS      for each answer of the runner (60)\n"
    "  --check-runner FILE    runner for the check that comes first (the same)\n"
    "  --isolate PROGRAM      runners are started by PROGRAM, as class/isolate does it\n"
    "What the record says besides:\n"
    "  --step NAME  --submission NAME  --kind NAME  --source-sha256 HASH\n"
    "  --harness VERSION  --reference-seconds S  --roof-gbps X\n"
    "  --overhead-seconds S   what starting a sample and copying its outputs costs, as a trusted\n"
    "                         runner showed; without it the step's own word is taken for it\n"
    "  --intended VERDICT     what the step is there to show (pass): also a success\n"
    "  --evidence TEXT        what was found in the step's object file: if the step would pass,\n"
    "                         it is flagged, and a person decides\n"
    "Files:\n"
    "  --device FILE          what the program `device` printed\n"
    "  --record FILE          the record is added here\n"
    "  --log FILE             what the step printed goes here\n"
    "\n"
    "  --dry-run              check these options, and do nothing\n"
    "  --inputs               print the names of the inputs, and nothing else\n"
    "\n"
    "Exit status: 0 passed, 1 not passed, 2 wrong usage, 3 the harness failed.\n";

enum option_key {
    OPTION_RUNNER = 256,
    OPTION_READ,
    OPTION_UNCHECKED,
    OPTION_REFERENCE,
    OPTION_VERDICT,
    OPTION_DETAIL,
    OPTION_INTENDED,
    OPTION_EVIDENCE,
    OPTION_INPUT,
    OPTION_IMAGE,
    OPTION_SIZE,
    OPTION_SEED,
    OPTION_SEED_FILE,
    OPTION_WARM,
    OPTION_ITERATIONS,
    OPTION_SAMPLES,
    OPTION_BUDGET,
    OPTION_TIMEOUT,
    OPTION_CHECK_RUNNER,
    OPTION_ISOLATE,
    OPTION_STEP,
    OPTION_SUBMISSION,
    OPTION_KIND,
    OPTION_SOURCE_SHA256,
    OPTION_HARNESS,
    OPTION_REFERENCE_SECONDS,
    OPTION_ROOF_GBPS,
    OPTION_OVERHEAD_SECONDS,
    OPTION_DEVICE,
    OPTION_RECORD,
    OPTION_LOG,
    OPTION_DRY_RUN,
    OPTION_INPUTS,
    OPTION_HELP,
};

static const struct option long_options[] = {
    {"runner", required_argument, NULL, OPTION_RUNNER},
    {"read", required_argument, NULL, OPTION_READ},
    {"unchecked", required_argument, NULL, OPTION_UNCHECKED},
    {"reference", no_argument, NULL, OPTION_REFERENCE},
    {"verdict", required_argument, NULL, OPTION_VERDICT},
    {"intended", required_argument, NULL, OPTION_INTENDED},
    {"detail", required_argument, NULL, OPTION_DETAIL},
    {"evidence", required_argument, NULL, OPTION_EVIDENCE},
    {"input", required_argument, NULL, OPTION_INPUT},
    {"image", required_argument, NULL, OPTION_IMAGE},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"seed-file", required_argument, NULL, OPTION_SEED_FILE},
    {"warm", no_argument, NULL, OPTION_WARM},
    {"iterations", required_argument, NULL, OPTION_ITERATIONS},
    {"samples", required_argument, NULL, OPTION_SAMPLES},
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"check-runner", required_argument, NULL, OPTION_CHECK_RUNNER},
    {"isolate", required_argument, NULL, OPTION_ISOLATE},
    {"step", required_argument, NULL, OPTION_STEP},
    {"submission", required_argument, NULL, OPTION_SUBMISSION},
    {"kind", required_argument, NULL, OPTION_KIND},
    {"source-sha256", required_argument, NULL, OPTION_SOURCE_SHA256},
    {"harness", required_argument, NULL, OPTION_HARNESS},
    {"reference-seconds", required_argument, NULL, OPTION_REFERENCE_SECONDS},
    {"roof-gbps", required_argument, NULL, OPTION_ROOF_GBPS},
    {"overhead-seconds", required_argument, NULL, OPTION_OVERHEAD_SECONDS},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"log", required_argument, NULL, OPTION_LOG},
    {"dry-run", no_argument, NULL, OPTION_DRY_RUN},
    {"inputs", no_argument, NULL, OPTION_INPUTS},
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
    if (!isdigit((unsigned char)text[0]) || *end || errno || value < least || value > most)
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

static uint64_t seed_in(const char *path) {
    char text[32] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        fault("cannot read the seed in %s", path);
    if (!fgets(text, sizeof text, file))
        text[0] = '\0';
    fclose(file);
    text[strcspn(text, "\n")] = '\0';
    return whole_number("seed", text, 0, UINT64_MAX);
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

const struct input *input_named(const char *name) {
    for (const struct input *input = problem.inputs; input->name; input++)
        if (strcmp(input->name, name) == 0)
            return input;
    usage_error("%s has no input '%s': see --help", problem.function, name);
}

void options_parse(int argc, char **argv, struct options *options, struct record *record) {
    int key;
    while ((key = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        switch (key) {
        case OPTION_READ:
            options->read = true;
            options->runner = optarg;
            break;
        case OPTION_UNCHECKED:
            options->unchecked = true;
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
        case OPTION_DETAIL:
            options->detail = optarg;
            break;
        case OPTION_EVIDENCE:
            options->evidence = optarg;
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
        case OPTION_SEED_FILE:
            options->source.seed = seed_in(optarg);
            break;
        case OPTION_WARM:
            options->warm = true;
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
        case OPTION_ISOLATE:
            options->isolate = optarg;
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
        case OPTION_HARNESS:
            record->harness = optarg;
            break;
        case OPTION_REFERENCE_SECONDS:
            record->reference_s = positive_number("reference-seconds", optarg);
            break;
        case OPTION_ROOF_GBPS:
            record->roof_gbps = positive_number("roof-gbps", optarg);
            break;
        case OPTION_OVERHEAD_SECONDS:
            options->overhead_s = positive_number("overhead-seconds", optarg);
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
        case OPTION_DRY_RUN:
            options->dry_run = true;
            break;
        case OPTION_INPUTS:
            for (const struct input *input = problem.inputs; input->name; input++)
                puts(input->name);
            exit(EXIT_PASS);
        case OPTION_HELP:
            print_usage();
            exit(EXIT_PASS);
        default:
            exit(EXIT_USAGE); /* getopt_long has said why */
        }
    }
    if (optind < argc)
        usage_error("unexpected argument '%s'", argv[optind]);
    if (options->dry_run)
        return;
    if (!options->device || !options->record)
        usage_error("--device and --record are needed: see --help");
    if (!options->runner && !options->reference && record->verdict.kind == VERDICT_PASS)
        usage_error("one of --runner, --read, --unchecked, --reference and --verdict is needed: "
                    "see --help");
}
