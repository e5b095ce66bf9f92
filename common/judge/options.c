#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "fault.h"
#include "option_table.h"

/* ---- help ------------------------------------------------------------------------------- */

static void print_options(bool in_run) {
    for (const struct option *option = options_known; option->name; option++) {
        if (option->in_run != in_run)
            continue;
        char head[64];
        snprintf(head, sizeof head, "%s%s%s%s", in_run ? "" : "--", option->name,
                 option->value ? " " : "", option->value ? option->value : "");
        const char *line = option->help;
        for (size_t length; *line; line += length + (line[length] == '\n'), head[0] = '\0') {
            length = strcspn(line, "\n");
            printf("  %-24s %.*s\n", head, (int)length, line);
        }
    }
}

static void print_help(void) {
    printf(
        "usage: judge-%s RUN [BUILT] --record FILE [OPTION...]\n"
        "\n"
        "Grades one step and adds one record to a file. Usually called by grade.sh.\n"
        "\n"
        "BUILT is the directory of what was built of the step: runner, runner-checked (which runs the\n"
        "check that comes first, where it is there; on the cpu device it must be), runner-counted (which counts,\n"
        "with --gpu) and sm_90.code (its machine code, where nvcc is), build.log,\n"
        "whose first error is shown where a runner is missing, and evidence, what was found in the step's\n"
        "object file: what is flagged there is for a person to judge, if the step would pass.\n"
        "\n"
        "RUN is a file that says how a grading runs, a line `name value` for each of these. Where one\n"
        "stands twice, the later counts. Lines that are empty or begin with # are passed over. What\n"
        "the reference and reads show on a GPU is added to it. Each of these may also be an option of\n"
        "the command line (--timeout 3), which then counts:\n",
        problem.function);
    print_options(true);
    printf("Options of the command line only:\n");
    print_options(false);
    printf("\nInputs: %s.\nSize: by default %zux%zu, on the cpu device %zux%zu.\n"
           "Exit status: 0 passed, 1 not passed, 2 wrong usage, 3 the harness failed.\n",
           input_names(", "), problem.shape.rows, problem.shape.columns, problem.cpu_shape.rows,
           problem.cpu_shape.columns);
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
        usage_error("%s:%zu: a run file has no '%.*s': judge-%s --help tells what it has", path,
                    number, (int)length, line, problem.function);
    char where[PATH_MAX + 64];
    snprintf(where, sizeof where, "%s:%zu: %s", path, number, option->name);
    option_set(option, *value ? value : NULL, options, where);
}

void options_read_run(const char *path, struct options *options) {
    FILE *file = fopen(path, "re");
    size_t size = 0;
    if (file)
        flock(fileno(file), LOCK_SH); /* no line is half written */
    ssize_t length = file ? getdelim(&options->run_text, &size, '\0', file) : -1;
    if (!file || ferror(file))
        usage_error("cannot read the run file %s: %s", path, strerror(errno));
    if (!feof(file))
        usage_error("%s is no run file: it holds a zero byte", path);
    fclose(file);
    char *line = length < 0 ? NULL : options->run_text; /* an empty file has no lines */
    for (size_t number = 1; line; number++) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        read_line(line, path, number, options);
        line = next;
    }
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
                            .source.input = problem.inputs,
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

/* `--name value` or `--name=value`. Returns how many arguments it took. */
static int parse_option(char **argument, struct options *options) {
    if (strncmp(argument[0], "--", 2) != 0)
        usage_error("unexpected argument '%s': see --help", argument[0]);
    const char *name = argument[0] + 2;
    size_t length = strcspn(name, "=");
    const struct option *option = option_named(name, length);
    if (!option)
        usage_error("unknown option '%s': see --help", argument[0]);
    char where[64];
    snprintf(where, sizeof where, "--%s", option->name);
    bool joined = name[length] == '=', next = option->value && !joined;
    option_set(option, joined ? name + length + 1 : next ? argument[1] : NULL, options, where);
    return next ? 2 : 1;
}

static void check_complete(const struct options *options) {
    if (!options->run)
        usage_error("a run file is needed first: see --help");
    if (!options->device || !options->record)
        usage_error("--device and --record are needed: see --help");
    if (!options->built && options->kind != KIND_REFERENCE && options->verdict == VERDICT_PASS)
        usage_error("the directory of what was built is needed: see --help");
}

/* What one of them says, the other would have to leave unsaid. */
static void check_together(const struct options *options) {
    static const char *const beside_image[] = {"size", "input", NULL};
    for (const char *const *other = beside_image; options->image && *other; other++)
        if (option_given(options, *other))
            usage_error("--image and --%s cannot be given together, for the file is the input and "
                        "has its own size: leave one of them out%s%s",
                        *other, options->run ? ", here or in the run file " : "",
                        options->run ? options->run : "");
}

void options_parse(int argc, char **argv, struct options *options) {
    int i = 1;
    if (i < argc && argv[i][0] != '-')
        options->run = argv[i++];
    if (i < argc && argv[i][0] != '-')
        options->built = argv[i++];
    if (options->run)
        options_read_run(options->run, options);
    while (i < argc)
        i += parse_option(argv + i, options);
    if (options->show_help)
        print_help();
    if (options->show_inputs)
        puts(input_names("\n"));
    if (options->show_help || options->show_inputs)
        exit(EXIT_PASS);
    check_together(options);
    if (!options->dry_run)
        check_complete(options);
}
