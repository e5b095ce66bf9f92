/* Tests of common/judge/options.c: the run file and the command line. Files are
 * made in a new directory under TMPDIR or /tmp, and removed again. */
#define _GNU_SOURCE
#include "unit.h"

#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/fault.h"
#include "judge/options.h"

static char directory[PATH_MAX], path[PATH_MAX + 16];

static int make_directory(void **state) {
    const char *parent = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%s/test_options.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/run", directory);
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void put_run(const char *text) {
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct options read_run(const char *text) {
    struct options options = options_default();

    put_run(text);
    options_read_run(path, &options);
    return options;
}

/* ---- the run file ----------------------------------------------------------------------- */

static void an_empty_run_file_leaves_the_defaults(void **state) {
    struct options options = read_run("");

    (void)state;
    assert_int_equal(options.iterations, 1000);
    assert_int_equal(options.samples, 10);
    assert_true(options.budget_s == 3 && options.timeout_s == 60);
    assert_true(options.shape.rows == SIZE_MAX);
    assert_null(options.device);
    assert_string_equal(options.histolab, "");
    assert_string_equal(options.harness, "");
    assert_true(options.reference_s == 0 && options.roof_gbps == 0 && options.overhead_s == 0);
    free(options.run_text);
}

static void all_that_a_run_file_has_is_taken(void **state) {
    struct options options = read_run("# a comment\n"
                                      "\n"
                                      "device a path/with blanks.txt\n"
                                      "histolab 1.0.0+g02d75a0\n"
                                      "harness 02d75a0-dirty\n"
                                      "input uniform\n"
                                      "image data/camera.pgm\n"
                                      "size 512x3984\n"
                                      "seed 18446744073709551615\n"
                                      "warm\n"
                                      "iterations   7\n"
                                      "samples 100\n"
                                      "budget 0.5\n"
                                      "timeout 1e2\n"
                                      "isolate class/isolate\n"
                                      "reference-seconds 12.5\n"
                                      "roof-gbps 3800.25\n"
                                      "overhead-seconds 1.5e-05"); /* no line break at the end */

    (void)state;
    assert_string_equal(options.device, "a path/with blanks.txt");
    assert_string_equal(options.histolab, "1.0.0+g02d75a0");
    assert_string_equal(options.harness, "02d75a0-dirty");
    assert_string_equal(options.source.input->name, "uniform");
    assert_string_equal(options.image, "data/camera.pgm");
    assert_true(options.shape.rows == 512 && options.shape.columns == 3984);
    assert_true(options.source.seed == UINT64_MAX);
    assert_true(options.warm);
    assert_int_equal(options.iterations, 7);
    assert_int_equal(options.samples, 100);
    assert_true(options.budget_s == 0.5 && options.timeout_s == 100);
    assert_string_equal(options.isolate, "class/isolate");
    assert_true(options.reference_s == 12.5 && options.roof_gbps == 3800.25);
    assert_true(options.overhead_s == 1.5e-5);
    free(options.run_text);
}

static void the_later_line_counts(void **state) {
    struct options options = read_run("roof-gbps 100\niterations 5\nroof-gbps 200\n");

    (void)state;
    assert_true(options.roof_gbps == 200);
    free(options.run_text);
}

static void a_plain_size_is_one_column(void **state) {
    struct options options = read_run("size 4097\n");

    (void)state;
    assert_true(options.shape.rows == 4097 && options.shape.columns == 1);
    free(options.run_text);
}

static void the_graded_size_has_a_name(void **state) {
    (void)state;
    struct options options = read_run("size graded\n");
    assert_int_equal(options.shape.rows, problem.shape.rows);
    assert_int_equal(options.shape.columns, problem.shape.columns);
    free(options.run_text);
}

/* ---- what is wrong ---------------------------------------------------------------------- */

static char *arguments[16];

static void read_it(void) {
    static struct options options; /* a child's, which ends without freeing them */
    options = options_default();
    options_read_run(path, &options);
}

static int argument_count;

static void parse_it(void) {
    static struct options options;
    options = options_default();
    options_parse(argument_count, arguments, &options);
}

/* Run in a child, which must end with that status; what it said. */
static const char *said_by(void (*function)(void), int expected_status) {
    static char text[PATH_MAX + 1024];
    int ends[2], status;

    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        function();
        fflush(NULL);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
        length += got;
    text[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != expected_status)
        fail_msg("exit status %d: %s", WEXITSTATUS(status), text);
    return text;
}

static void check_one_line(const char *text) {
    const char *end = strchr(text, '\n');
    if (!end || end[1])
        fail_msg("not one line: %s", text);
}

static void wrong_lines_are_told_with_file_and_line(void **state) {
    static const char *const cases[][2] = {
        {"iterations 0\n", ":1: iterations takes a whole number from 1 to 1000000, not '0'"},
        {"warm\n\nsamples 101\n", ":3: samples takes a whole number from 1 to 100, not '101'"},
        {"seed -1\n", ":1: seed takes a whole number"},
        {"seed 18446744073709551616\n", ":1: seed takes a whole number"},
        {"# x\nseed 5 6\n", ":2: seed takes a whole number"},
        {"budget 0\n", ":1: budget takes a number above 0, not '0'"},
        {"timeout nan\n", ":1: timeout takes a number above 0"},
        {"roof-gbps 3 GB/s\n", ":1: roof-gbps takes a number above 0"},
        {"size 12y5\n", ":1: size takes ROWSxCOLUMNS, such as 4096x3984, or graded, not '12y5'"},
        {"size 4294967296x2\n", ":1: size 4294967296x2 is too large"},
        {"input walks\n", ":1: input: opt_2dhisto has no input 'walks': it has walk, course, "},
        {"device\n", ":1: device needs a value: FILE"},
        {"device \n", ":1: device needs a value: FILE"},
        {"warm yes\n", ":1: warm takes no value, not 'yes'"},
        {"iteration 5\n", ":1: a run file has no 'iteration'"},
        {"Iterations 5\n", ":1: a run file has no 'Iterations'"},
        {" iterations 5\n", ":1: a run file has no ''"},
        {"--iterations 5\n", ":1: a run file has no '--iterations'"},
        /* what is graded is no matter of a run */
        {"step opt05\n", ":1: a run file has no 'step'"},
        {"verdict pass\n", ":1: a run file has no 'verdict'"},
        {"record x\n", ":1: a run file has no 'record'"},
        {"dry-run\n", ":1: a run file has no 'dry-run'"},
    };
    char expected[PATH_MAX + 256];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        put_run(cases[i][0]);
        const char *text = said_by(read_it, EXIT_USAGE);
        check_one_line(text);
        snprintf(expected, sizeof expected, "judge: %s%s", path, cases[i][1]);
        if (strncmp(text, expected, strlen(expected)) != 0)
            fail_msg("'%s' gave: %s", cases[i][0], text);
    }
}

static void a_run_file_that_cannot_be_read_is_wrong_usage(void **state) {
    (void)state;
    unlink(path);
    const char *text = said_by(read_it, EXIT_USAGE);
    check_one_line(text);
    assert_non_null(strstr(text, "cannot read the run file"));
    assert_non_null(strstr(text, "No such file"));
    put_run("");
    assert_int_equal(truncate(path, 1), 0);
    assert_non_null(strstr(said_by(read_it, EXIT_USAGE), "zero byte"));
    unlink(path);
    snprintf(path, sizeof path, "%s", directory);
    assert_non_null(strstr(said_by(read_it, EXIT_USAGE), "Is a directory"));
    snprintf(path, sizeof path, "%s/run", directory);
}

/* ---- what baselines add ----------------------------------------------------------------- */

static void what_was_appended_is_read(void **state) {
    (void)state;
    put_run("iterations 5");
    options_append_run(path, "reference-seconds", 0.123456789);
    options_append_run(path, "roof-gbps", 100);
    options_append_run(path, "roof-gbps", 3812.34567);
    options_append_run(path, "overhead-seconds", 1.7e-5);

    struct options options = options_default();
    options_read_run(path, &options);
    assert_int_equal(options.iterations, 5);
    assert_true(options.reference_s == 0.123456789);
    assert_true(options.roof_gbps == 3812.34567);
    assert_true(options.overhead_s == 1.7e-5);
    free(options.run_text);
}

static void append_a_hundred(void) {
    for (int i = 1; i <= 100; i++)
        options_append_run(path, "roof-gbps", i * 1000.125);
}

/* A line that was torn apart or mixed with another would be wrong usage. */
static void processes_side_by_side_append_whole_lines(void **state) {
    enum { PROCESSES = 8 };
    pid_t pids[PROCESSES];

    (void)state;
    put_run("iterations 5\n");
    fflush(NULL);
    for (int i = 0; i < PROCESSES; i++)
        if ((pids[i] = fork()) == 0) {
            append_a_hundred();
            _exit(0);
        }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    struct options options = options_default();
    options_read_run(path, &options);
    assert_true(options.roof_gbps == 100 * 1000.125);
    free(options.run_text);

    FILE *file = fopen(path, "r");
    int lines = 0;
    assert_non_null(file);
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    assert_int_equal(lines, 1 + PROCESSES * 100);
}

static void append_to_nowhere(void) { options_append_run("/no/such/run", "roof-gbps", 1); }

static void a_run_file_that_cannot_be_added_to_is_a_fault(void **state) {
    (void)state;
    assert_non_null(strstr(said_by(append_to_nowhere, EXIT_HARNESS), "/no/such/run"));
}

/* ---- the command line ------------------------------------------------------------------- */

static void command(const char *first, ...) {
    va_list rest;
    int count = 0;

    arguments[count++] = "judge";
    va_start(rest, first);
    for (const char *argument = first; argument; argument = va_arg(rest, const char *))
        arguments[count++] = (char *)argument;
    va_end(rest);
    arguments[count] = NULL;
    argument_count = count;
}

static void what_baselines_showed_has_a_file_of_its_own(void **state) {
    struct options options = options_default();
    char told[sizeof path + 16], run[2 * sizeof path];

    (void)state;
    snprintf(told, sizeof told, "%s.told", path);
    fclose(fopen(told, "w"));
    options_tell(&options, "roof-gbps", 4000); /* nobody hears it */
    options.told = told;
    options_tell(&options, "roof-gbps", 3000);
    snprintf(run, sizeof run, "device gpu.txt\nroof-gbps 1\ntold %s\n", told);
    put_run(run);
    command(path, "--dry-run", NULL);
    options_parse(argument_count, arguments, &options);
    assert_string_equal(options.device, "gpu.txt");
    assert_true(options.roof_gbps == 3000);
    unlink(told);
    free(options.run_text);
    free(options.told_text);
}

static void the_command_line_goes_before_the_run_file(void **state) {
    struct options options = options_default();

    (void)state;
    put_run("device gpu.txt\niterations 5\ntimeout 60\nseed 3\n");
    command(path, "build/cpu/labs/x", "--timeout", "3", "--record", "r.jsonl", "--step", "x",
            "--kind", "read", "--intended", "wrong", "--warm", NULL);
    options_parse(argument_count, arguments, &options);
    assert_string_equal(options.run, path);
    assert_string_equal(options.built, "build/cpu/labs/x");
    assert_string_equal(options.record, "r.jsonl");
    assert_true(options.timeout_s == 3 && options.iterations == 5 && options.source.seed == 3);
    assert_int_equal(options.kind, KIND_READ);
    assert_int_equal(options.intended, VERDICT_WRONG);
    assert_true(options.warm);
    free(options.run_text);
}

static void check_refused(const char *expected) {
    const char *text = said_by(parse_it, EXIT_USAGE);
    check_one_line(text);
    if (!strstr(text, expected))
        fail_msg("expected '%s', got: %s", expected, text);
}

static void wrong_options_are_told_in_one_line(void **state) {
    (void)state;
    put_run("device gpu.txt\n");
    command("--dry-run", "--iterations", "0", NULL);
    check_refused("judge: --iterations takes a whole number from 1 to 1000000, not '0'");
    command("--dry-run", "--iter", "5", NULL);
    check_refused("unknown option '--iter'");
    command("--dry-run", "--", NULL);
    check_refused("unknown option '--'");
    command("--dry-run", "-", NULL);
    check_refused("unknown option '-'");
    command("--dry-run", "-x", NULL);
    check_refused("unknown option '-x'");
    command("--dry-run", "--seed", NULL);
    check_refused("--seed needs a value: N");
    command("--dry-run", "--kind", "steps", NULL);
    check_refused("--kind is step, baseline, read, empty or reference, not 'steps'");
    command("--dry-run", "--verdict", "right", NULL);
    check_refused("there is no verdict 'right'");
    command(path, "built", "third", NULL);
    check_refused("unknown option 'third'");
    command("--dry-run", "--timeout", "1e300", NULL);
    check_refused("--timeout takes at most 1000000, not '1e300'");
    command("--dry-run", "--budget", "inf", NULL);
    check_refused("--budget takes a number above 0, not 'inf'");
    command("--record", "r", NULL);
    check_refused("a run file, --device and --record are needed");
    command(path, "built", NULL);
    check_refused("a run file, --device and --record are needed");
    command(path, "--record", "r", NULL);
    check_refused("the directory of what was built is needed");
    command("no-such-run", "built", NULL);
    check_refused("cannot read the run file no-such-run");
}

#define TOGETHER "--image cannot be given together with --size or --input"

static void a_file_as_input_goes_with_no_size_and_no_other_input(void **state) {
    (void)state;
    command("--dry-run", "--image", "x.pgm", "--size", "4x4", NULL);
    check_refused(TOGETHER);
    command("--dry-run", "--input", "walk", "--image", "x.pgm", NULL); /* the default one, too */
    check_refused(TOGETHER);
    put_run("size 4x4\nimage x.pgm\n");
    command(path, "--dry-run", NULL);
    check_refused(TOGETHER);
    put_run("input edges\n");
    command(path, "--dry-run", "--image", "x.pgm", NULL);
    check_refused(TOGETHER);
    command("--dry-run", "--image", "x.pgm", "--warm", "--seed", "1", NULL);
    said_by(parse_it, 0);
}

static void what_needs_nothing_built(void **state) {
    (void)state;
    put_run("device gpu.txt\n");
    command("--dry-run", "--seed", "1", NULL);
    said_by(parse_it, 0);
    command(path, "--record", "r", "--kind", "reference", NULL);
    said_by(parse_it, 0);
    command(path, "--record", "r", "--verdict", "missing", NULL);
    said_by(parse_it, 0);
    command("--inputs", NULL);
    const char *text = said_by(parse_it, 0);
    assert_int_equal(strncmp(text, "walk\n", 5), 0);
    assert_non_null(strstr(text, "\nedges\n"));
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(an_empty_run_file_leaves_the_defaults),
        IN_DIRECTORY(all_that_a_run_file_has_is_taken),
        IN_DIRECTORY(the_later_line_counts),
        IN_DIRECTORY(a_plain_size_is_one_column),
        IN_DIRECTORY(the_graded_size_has_a_name),
        IN_DIRECTORY(wrong_lines_are_told_with_file_and_line),
        IN_DIRECTORY(a_run_file_that_cannot_be_read_is_wrong_usage),
        IN_DIRECTORY(what_was_appended_is_read),
        IN_DIRECTORY(processes_side_by_side_append_whole_lines),
        cmocka_unit_test(a_run_file_that_cannot_be_added_to_is_a_fault),
        IN_DIRECTORY(what_baselines_showed_has_a_file_of_its_own),
        IN_DIRECTORY(the_command_line_goes_before_the_run_file),
        IN_DIRECTORY(wrong_options_are_told_in_one_line),
        IN_DIRECTORY(a_file_as_input_goes_with_no_size_and_no_other_input),
        IN_DIRECTORY(what_needs_nothing_built),
    };

    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
