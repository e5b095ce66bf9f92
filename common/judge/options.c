#define _GNU_SOURCE
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "fault.h"
#include "record.h"
#include "text.h"

/* ---- values ----------------------------------------------------------------------------- */

/* What an option was given. `where` is how an error begins: "--size" or "results/run:3: size". */
struct given {
    const struct option *option;
    const char *value, *where;
    void *place;
};

struct option {
    const char *name;
    const char *value; /* what an error calls it; NULL: the option is a flag and takes none */
    bool in_run;       /* the run file may have it, too */

    /* Checks a value and puts it in its place. Ends the judge where it is wrong. */
    void (*set)(const struct given *given);

    size_t place;         /* in struct options */
    uint64_t least, most; /* of a number; one that need not be whole has no least */
};

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

/* Valid until it is called again. */
static const char *input_names(const char *between) {
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
static const struct option known[] = {
    {"device", "FILE", IN_RUN, set_text, PLACE(device), 0, 0},
    {"told", "FILE", IN_RUN, set_text, PLACE(told), 0, 0},
    {"histolab", "VERSION", IN_RUN, set_text, PLACE(histolab), 0, 0},
    {"harness", "VERSION", IN_RUN, set_text, PLACE(harness), 0, 0},
    {"timing", "VERSION", IN_RUN, set_text, PLACE(timing), 0, 0},
    {"input", "NAME", IN_RUN, set_input, PLACE(source.input), 0, 0},
    {"image", "FILE", IN_RUN, set_text, PLACE(image), 0, 0},
    {"size", "ROWSxCOLUMNS", IN_RUN, set_shape, PLACE(shape), 0, 0},
    {"seed", "N", IN_RUN, set_whole, PLACE(source.seed), 0, UINT64_MAX},
    {"warm", NULL, IN_RUN, set_flag, PLACE(warm), 0, 0},
    {"shares", NULL, IN_RUN, set_flag, PLACE(shares), 0, 0},
    {"iterations", "N", IN_RUN, set_whole, PLACE(iterations), 1, 1000000},
    {"samples", "N", IN_RUN, set_whole, PLACE(samples), 1, MOST_SAMPLES},
    {"processes", "N", IN_RUN, set_whole, PLACE(processes), 1, MOST_PROCESSES},
    {"budget", "SECONDS", IN_RUN, set_positive, PLACE(budget_s), 0, MOST_SECONDS},
    {"timeout", "SECONDS", IN_RUN, set_positive, PLACE(timeout_s), 0, MOST_SECONDS},
    {"call-cpu", "SECONDS", IN_RUN, set_positive, PLACE(call_cpu_s), 0, MOST_SECONDS},
    {"limit", "SECONDS", IN_RUN, set_positive, PLACE(limit_s), 0, MOST_SECONDS},
    {"energy", "SECONDS", IN_RUN, set_positive, PLACE(energy_s), 0, 60},
    {"gpu", "FILE", IN_RUN, set_text, PLACE(gpu), 0, 0},
    {"isolate", "PROGRAM", IN_RUN, set_text, PLACE(isolate), 0, 0},
    {"reference-seconds", "S", IN_RUN, set_positive, PLACE(reference_s), 0, MOST_SECONDS},
    {"roof-gbps", "X", IN_RUN, set_positive, PLACE(roof_gbps), 0, MOST_GBPS},
    {"overhead-seconds", "S", IN_RUN, set_positive, PLACE(overhead_s), 0, MOST_SECONDS},
    {"part-overhead-seconds", "S", IN_RUN, set_positive, PLACE(part_overhead_s), 0, MOST_SECONDS},
    {"counted-share", "X", IN_RUN, set_positive, PLACE(counted_share), 0, 1000},
    {"idle-watts", "W", IN_RUN, set_positive, PLACE(idle_watts), 0, 100000},
    {"record", "FILE", false, set_text, PLACE(record), 0, 0},
    {"unsettled", "FILE", false, set_text, PLACE(unsettled), 0, 0},
    {"log", "FILE", false, set_text, PLACE(log), 0, 0},
    {"emulated", "DIRECTORY", false, set_text, PLACE(emulated), 0, 0},
    {"locks", "FD,FD", false, set_text, PLACE(locks), 0, 0},
    {"place", "FD", false, set_text, PLACE(place), 0, 0},
    {"counting-lock", "FILE", false, set_text, PLACE(counting_lock), 0, 0},
    {"step", "NAME", false, set_text, PLACE(step), 0, 0},
    {"submission", "NAME", false, set_text, PLACE(submission), 0, 0},
    {"source-sha256", "HASH", false, set_text, PLACE(source_sha256), 0, 0},
    {"kind", "KIND", false, set_kind, PLACE(kind), 0, 0},
    {"intended", "VERDICT", false, set_verdict, PLACE(intended), 0, 0},
    {"verdict", "VERDICT", false, set_verdict, PLACE(verdict), 0, 0},
    {"detail", "TEXT", false, set_text, PLACE(detail), 0, 0},
    {"dry-run", NULL, false, set_flag, PLACE(dry_run), 0, 0},
    {"inputs", NULL, false, set_flag, PLACE(show_inputs), 0, 0},
    {NULL, NULL, false, NULL, 0, 0, 0},
};
/* clang-format on */

static const struct option *option_named(const char *name, size_t length) {
    for (const struct option *option = known; option->name; option++)
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

/* Give it a value, NULL for none. The value has to live as long as the options. */
static void option_set(const struct option *option, const char *value, struct options *options,
                       const char *where) {
    if (option->value && !value)
        usage_error("%s needs a value: %s", where, option->value);
    if (!option->value && value)
        usage_error("%s takes no value, not '%s'", where, value);
    option->set(&(struct given){option, value, where, (char *)options + option->place});
}

/* ---- the run file ----------------------------------------------------------------------- */

/* One line, of which the value is kept. */
static void read_line(char *line, const char *path, size_t number, struct options *options) {
    if (line[0] == '\0' || line[0] == '#')
        return;
    size_t length = strcspn(line, " ");
    char *value = line + length + strspn(line + length, " ");
    const struct option *option = option_named(line, length);
    if (!option || !option->in_run)
        usage_error("%s:%zu: a run file has no '%.*s'", path, number, (int)length, line);
    char where[PATH_MAX + 64];
    snprintf(where, sizeof where, "%s:%zu: %s", path, number, option->name);
    option_set(option, *value ? value : NULL, options, where);
}

void options_read_run(const char *path, struct options *options) {
    char **text = options->run_text ? &options->told_text : &options->run_text;
    FILE *file = fopen(path, "re");
    size_t size = 0;
    if (file)
        flock(fileno(file), LOCK_SH); /* no line is half written */
    ssize_t length = file ? getdelim(text, &size, '\0', file) : -1;
    if (!file || ferror(file))
        usage_error("cannot read the run file %s: %s", path, strerror(errno));
    if (!feof(file))
        usage_error("%s is no run file: it holds a zero byte", path);
    fclose(file);
    char *line = length < 0 ? NULL : *text; /* an empty file has no lines */
    for (size_t number = 1; line; number++) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        read_line(line, path, number, options);
        line = next;
    }
}

void options_tell(const struct options *options, const char *name, double value) {
    if (options->told)
        options_append_run(options->told, name, value);
}

void options_append_run(const char *path, const char *name, double value) {
    int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (fd >= 0)
        flock(fd, LOCK_EX); /* until the file is closed */
    off_t end = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
    char last = '\n', line[128];
    if (end > 0 && pread(fd, &last, 1, end - 1) < 0)
        fault("cannot read the run file %s", path);
    int length = snprintf(line, sizeof line, "%s%s %.9g\n", last == '\n' ? "" : "\n", name, value);
    if (fd < 0 || write(fd, line, length) != length || close(fd) < 0)
        fault("cannot add to the run file %s", path);
}

/* ---- the command line ------------------------------------------------------------------- */

struct options options_default(void) {
    return (struct options){.histolab = "",
                            .harness = "",
                            .timing = "",
                            .shape.rows = SIZE_MAX,
                            .iterations = 1000,
                            .samples = 10,
                            .processes = MOST_PROCESSES,
                            .budget_s = 3,
                            .timeout_s = 60,
                            .limit_s = 600,
                            .step = "",
                            .submission = "",
                            .source_sha256 = ""};
}

/* `--name value`. Returns how many arguments it took. */
static int parse_option(char **argument, struct options *options) {
    const char *name = strncmp(argument[0], "--", 2) == 0 ? argument[0] + 2 : "";
    const struct option *option = option_named(name, strlen(name));
    if (!option)
        usage_error("unknown option '%s'", argument[0]);
    option_set(option, option->value ? argument[1] : NULL, options, argument[0]);
    return option->value ? 2 : 1;
}

static void check_complete(const struct options *options) {
    if (options->image && (options->shape.rows != SIZE_MAX || options->source.input))
        usage_error("--image cannot be given together with --size or --input: the file is the "
                    "input and has its own size");
    if (options->dry_run)
        return;
    if (!options->run || !options->device || !options->record)
        usage_error("a run file, --device and --record are needed");
    if (!options->built && options->kind != KIND_REFERENCE && options->verdict == VERDICT_PASS)
        usage_error("the directory of what was built is needed");
}

void options_parse(int argc, char **argv, struct options *options) {
    int i = 1;
    if (i < argc && argv[i][0] != '-')
        options->run = argv[i++];
    if (i < argc && argv[i][0] != '-')
        options->built = argv[i++];
    if (options->run)
        options_read_run(options->run, options);
    if (options->told)
        options_read_run(options->told, options);
    while (i < argc)
        i += parse_option(argv + i, options);
    if (options->show_inputs) {
        puts(input_names("\n"));
        exit(EXIT_PASS);
    }
    check_complete(options);
    if (!options->source.input)
        options->source.input = problem.inputs;
}
