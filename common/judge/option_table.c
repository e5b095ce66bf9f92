#include "option_table.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "record.h"
#include "text.h"

/* ---- values ----------------------------------------------------------------------------- */

static void set_text(const struct given *given) { *(const char **)given->place = given->value; }

static void set_flag(const struct given *given) { *(bool *)given->place = true; }

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "set_whole sets both");

static void set_whole(const struct given *given) {
    const struct option *option = given->option;
    char *end;
    errno = 0;
    uint64_t number = strtoull(given->value, &end, 10);
    if (!isdigit((unsigned char)given->value[0]) || *end || errno || number < option->least ||
        number > option->most)
        usage_error("%s takes a whole number from %llu to %llu, not '%s'", given->where,
                    (unsigned long long)option->least, (unsigned long long)option->most,
                    given->value);
    *(uint64_t *)given->place = number;
}

static void set_positive(const struct given *given) {
    char *end;
    double number = strtod(given->value, &end);
    if (end == given->value || *end || !(number > 0) || !isfinite(number))
        usage_error("%s takes a number above 0, not '%s'", given->where, given->value);
    if (number > given->option->most)
        usage_error("%s takes at most %llu, not '%s'", given->where,
                    (unsigned long long)given->option->most, given->value);
    *(double *)given->place = number;
}

bool shape_read(const char *text, struct shape *shape) {
    char rows[24] = "", columns[24] = "1", rest;
    int fields = sscanf(text, "%20[0-9]x%20[0-9]%c", rows, columns, &rest);
    if (fields < 1 || fields > 2 || (fields == 1 && strlen(rows) != strlen(text)))
        return false;
    *shape = (struct shape){strtoull(rows, NULL, 10), strtoull(columns, NULL, 10)};
    return true;
}

int shape_most_bits(void) {
    int bits = 0;
    while ((size_t)1 << bits < problem.shape.rows * problem.shape.columns)
        bits++;
    return bits;
}

bool shape_small_enough(struct shape shape) {
    const size_t most = (size_t)1 << shape_most_bits();
    return shape.rows <= most && shape.columns <= most &&
           (!shape.columns || shape.rows <= most / shape.columns);
}

static void set_shape(const struct given *given) {
    struct shape shape = problem.shape;
    if (strcmp(given->value, "graded") != 0 && !shape_read(given->value, &shape))
        usage_error("%s takes ROWSxCOLUMNS, such as 4096x3984, or graded, not '%s'", given->where,
                    given->value);
    if (!shape_small_enough(shape))
        usage_error("%s %s is too large: at most 2^%d elements", given->where, given->value,
                    shape_most_bits());
    *(struct shape *)given->place = shape;
}

const struct input *input_named(const char *name) {
    for (const struct input *input = problem.inputs; input->name; input++)
        if (strcmp(input->name, name) == 0)
            return input;
    return NULL;
}

const char *input_names(const char *between) {
    static char names[1000];
    names[0] = '\0';
    for (const struct input *input = problem.inputs; input->name; input++)
        text_add(TEXT(names), "%s%s", input == problem.inputs ? "" : between, input->name);
    return names;
}

static void set_input(const struct given *given) {
    const struct input *input = input_named(given->value);
    if (!input)
        usage_error("%s: %s has no input '%s': it has %s", given->where, problem.function,
                    given->value, input_names(", "));
    *(const struct input **)given->place = input;
}

static void set_verdict(const struct given *given) {
    enum verdict_kind kind = verdict_of_word(given->value);
    if (kind == VERDICT_KINDS)
        usage_error("%s: there is no verdict '%s'", given->where, given->value);
    *(enum verdict_kind *)given->place = kind;
}

static const char *const kinds[] = {
    [KIND_STEP] = "step",   [KIND_BASELINE] = "baseline",   [KIND_READ] = "read",
    [KIND_EMPTY] = "empty", [KIND_REFERENCE] = "reference", [KIND_KERNEL] = "kernel",
};

const char *kind_word(enum kind kind) { return kinds[kind]; }

static void set_kind(const struct given *given) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(given->value, kinds[i]) == 0) {
            *(enum kind *)given->place = i;
            return;
        }
    usage_error("%s is step, baseline, read, empty or reference, not '%s'", given->where,
                given->value);
}

/* ---- the table -------------------------------------------------------------------------- */

#define PLACE(member) offsetof(struct options, member)
#define IN_RUN true
#define MOST_SECONDS 1000000 /* some days; a clock's arithmetic has room for far more */
#define MOST_GBPS 1000000000

/* clang-format off */
const struct option options_known[] = {
    {"device", "FILE", IN_RUN, set_text, PLACE(device), 0, 0,
     "what the program `device` printed"},
    {"histolab", "VERSION", IN_RUN, set_text, PLACE(histolab), 0, 0,
     "for the record: what grade.sh --version says"},
    {"harness", "VERSION", IN_RUN, set_text, PLACE(harness), 0, 0,
     "for the record"},
    {"timing", "VERSION", IN_RUN, set_text, PLACE(timing), 0, 0,
     "of the code that times, for the record"},
    {"input", "NAME", IN_RUN, set_input, PLACE(source.input), 0, 0,
     "what steps run on: see below"},
    {"image", "FILE", IN_RUN, set_text, PLACE(image), 0, 0,
     "a file to use as the input; it leaves no room for input and size"},
    {"size", "ROWSxCOLUMNS", IN_RUN, set_shape, PLACE(shape), 0, 0,
     "of the input, or graded: see below"},
    {"seed", "N", IN_RUN, set_whole, PLACE(source.seed), 0, UINT64_MAX,
     "of the input (default: one that nobody has seen). A secret one belongs in the run file:\n"
     "every process can read a command line"},
    {"warm", NULL, IN_RUN, set_flag, PLACE(warm), 0, 0,
     "one window for all calls, so that caches help"},
    {"shares", NULL, IN_RUN, set_flag, PLACE(shares), 0, 0,
     "of a submission that is wrong: make every check, and tell how many are right"},
    {"iterations", "N", IN_RUN, set_whole, PLACE(iterations), 1, 1000000,
     "calls that the seconds stand for (1000)"},
    {"samples", "N", IN_RUN, set_whole, PLACE(samples), 1, MOST_SAMPLES,
     "timed samples (10), up to three times as many while their median is uncertain by over 1 %;\n"
     "fewer where a call takes so long that they would take three times the budget; on the cpu\n"
     "device one, untimed"},
    {"processes", "N", IN_RUN, set_whole, PLACE(processes), 1, MOST_PROCESSES,
     "that the parts of a sample are spread over (4). From one to the next a time jumps by up to\n"
     "1.5 %, and each takes half a second to start: with fewer, the median may be uncertain by 3 %"},
    {"budget", "SECONDS", IN_RUN, set_positive, PLACE(budget_s), 0, MOST_SECONDS,
     "for the samples of a slow step (3)"},
    {"timeout", "SECONDS", IN_RUN, set_positive, PLACE(timeout_s), 0, MOST_SECONDS,
     "for each answer of the runner (60)"},
    {"call-cpu", "SECONDS", IN_RUN, set_positive, PLACE(call_cpu_s), 0, MOST_SECONDS,
     "on the cpu device: CPU time that the calls of a sample, a set-up or a tear-down of the check\n"
     "may use before they count as an endless loop (4, or a fifteenth of a longer timeout)"},
    {"limit", "SECONDS", IN_RUN, set_positive, PLACE(limit_s), 0, MOST_SECONDS,
     "for all that a step does, from its check to its last sample (600)"},
    {"energy", "SECONDS", IN_RUN, set_positive, PLACE(energy_s), 0, 60,
     "on a GPU: after the samples make calls for so long, and tell the energy of one (not at all)"},
    {"gpu", "FILE", IN_RUN, set_text, PLACE(gpu), 0, 0,
     "on the cpu device: count what this GPU (a file of common/gpus) would do, and predict its time"},
    {"isolate", "PROGRAM", IN_RUN, set_text, PLACE(isolate), 0, 0,
     "starts the runners, as class/isolate does"},
    {"reference-seconds", "S", IN_RUN, set_positive, PLACE(reference_s), 0, MOST_SECONDS,
     "what the CPU's reference took"},
    {"roof-gbps", "X", IN_RUN, set_positive, PLACE(roof_gbps), 0, MOST_GBPS,
     "what the fastest read reached"},
    {"overhead-seconds", "S", IN_RUN, set_positive, PLACE(overhead_s), 0, MOST_SECONDS,
     "what it costs to start a sample in its parts and to copy its outputs, as a read showed;\n"
     "without it the judge relies on what the step's own process shows"},
    {"part-overhead-seconds", "S", IN_RUN, set_positive, PLACE(part_overhead_s), 0, MOST_SECONDS,
     "the same of one part that copies one output"},
    {"counted-share", "X", IN_RUN, set_positive, PLACE(counted_share), 0, 1000,
     "of what a read has read, what the GPU's own counter showed: of all reads the least"},
    {"idle-watts", "W", IN_RUN, set_positive, PLACE(idle_watts), 0, 100000,
     "what the GPU draws while a process of its own is idle, as the first baseline showed"},

    {"record", "FILE", false, set_text, PLACE(record), 0, 0,
     "the record is added to this file"},
    {"log", "FILE", false, set_text, PLACE(log), 0, 0,
     "what the compiler or the step printed is added to this file"},
    {"emulated", "DIRECTORY", false, set_text, PLACE(emulated), 0, 0,
     "on a GPU: what was built of the step for the cpu device. The emulator's checks of it tell why it\n"
     "is wrong, or that it was right by luck"},
    {"locks", "FD,FD", false, set_text, PLACE(locks), 0, 0,
     "descriptors of locks on the GPU: taken before it is used, and given back as soon as a right step\n"
     "has been measured"},
    {"place", "FD", false, set_text, PLACE(place), 0, 0,
     "the descriptor of a lock that is held: given back once --locks are had"},
    {"counting-lock", "FILE", false, set_text, PLACE(counting_lock), 0, 0,
     "locked from a step's samples until the GPU's counter has shown what they moved"},
    {"step", "NAME", false, set_text, PLACE(step), 0, 0,
     "for the record"},
    {"submission", "NAME", false, set_text, PLACE(submission), 0, 0,
     "for the record"},
    {"source-sha256", "HASH", false, set_text, PLACE(source_sha256), 0, 0,
     "for the record"},
    {"kind", "KIND", false, set_kind, PLACE(kind), 0, 0,
     "step (the default), baseline (a library), read (a streaming read: its time is a roof),\n"
     "empty (an empty kernel), kernel (anything: its outputs are not looked at, only its time) or\n"
     "reference (the CPU's solutions, a record each)"},
    {"intended", "VERDICT", false, set_verdict, PLACE(intended), 0, 0,
     "what the step is there to show (pass): also a success"},
    {"verdict", "VERDICT", false, set_verdict, PLACE(verdict), 0, 0,
     "nothing runs: this is the verdict, and --detail says why"},
    {"detail", "TEXT", false, set_text, PLACE(detail), 0, 0,
     "of a verdict given, or of a build that failed"},
    {"dry-run", NULL, false, set_flag, PLACE(dry_run), 0, 0,
     "check these options, and do nothing"},
    {"inputs", NULL, false, set_flag, PLACE(show_inputs), 0, 0,
     "print the names of the inputs, and nothing else"},
    {"help", NULL, false, set_flag, PLACE(show_help), 0, 0,
     "print this, and nothing else"},
    {NULL, NULL, false, NULL, 0, 0, 0, NULL},
};
/* clang-format on */

const struct option *option_named(const char *name, size_t length) {
    for (const struct option *option = options_known; option->name; option++)
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

_Static_assert(sizeof options_known / sizeof *options_known <= 64, "a bit for each");

static uint64_t bit_of(const struct option *option) {
    return (uint64_t)1 << (option - options_known);
}

void option_set(const struct option *option, const char *value, struct options *options,
                const char *where) {
    if (option->value && !value)
        usage_error("%s needs a value: %s", where, option->value);
    if (!option->value && value)
        usage_error("%s takes no value, not '%s'", where, value);
    option->set(&(struct given){option, value, where, (char *)options + option->place});
    options->given |= bit_of(option);
}

bool option_given(const struct options *options, const char *name) {
    const struct option *option = option_named(name, strlen(name));
    return option && options->given & bit_of(option);
}
