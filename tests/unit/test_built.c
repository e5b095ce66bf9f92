/* Tests of common/judge/built.c: the directory of what was built of a step. It is made under TMPDIR
 * or /tmp, and removed again. And of printed.c: what a step printed, in the log. */
#define _GNU_SOURCE
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "judge/built.h"
#include "judge/findings/printed.h"

static char directory[PATH_MAX], log_file[PATH_MAX + 16];
static const char *const names[] = {
    "runner", "runner-counted", "runner-checked", "build.log", "evidence", "log", "step.ii"};

static int make_directory(void **state) {
    const char *parent = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%s/test_built.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(directory))
        return -1;
    snprintf(log_file, sizeof log_file, "%s/log", directory);
    return 0;
}

static int remove_directory(void **state) {
    char path[PATH_MAX + 32];

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        unlink(path);
    }
    return rmdir(directory);
}

static void put(const char *name, const char *text, mode_t mode) {
    char path[PATH_MAX + 32];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static const char *logged(void) {
    static char text[8192];
    FILE *file = fopen(log_file, "r");

    text[0] = '\0';
    if (file) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    return text;
}

static struct built built;

static void runners_are_found(void **state) {
    (void)state;
    assert_false(built_find(&built, directory, false));
    put("runner", "", 0644); /* what cannot be executed is none */
    assert_false(built_find(&built, directory, false));
    put("runner", "", 0755);
    assert_true(built_find(&built, directory, false));
    assert_string_equal(built.check_runner, built.runner);
    assert_false(built_find(&built, directory, true));
    put("runner-checked", "", 0755);
    assert_true(built_find(&built, directory, true));
    assert_string_not_equal(built.check_runner, built.runner);
    /* A GPU has one runner; where there is another, it is for the check. */
    assert_true(built_find(&built, directory, false));
    assert_string_not_equal(built.check_runner, built.runner);
}

/* Nothing depends on it. */
static void a_counted_runner_may_be_there(void **state) {
    (void)state;
    put("runner", "", 0755);
    assert_true(built_find(&built, directory, false));
    assert_string_equal(built.counted_runner, "");
    put("runner-counted", "", 0755);
    assert_true(built_find(&built, directory, false));
    assert_non_null(strstr(built.counted_runner, "/runner-counted"));
}

static void a_failed_build_is_explained_by_its_first_error(void **state) {
    struct verdict verdict = {.kind = VERDICT_BUILD_FAILED};
    const char *log = "a.cu:1: warning: unused\na.cu:2: error: one\r\na.cu:3: error: two\n";

    (void)state;
    put("build.log", log, 0644);
    built_explain(directory, log_file, &verdict);
    assert_string_equal(verdict.detail, "a.cu:2: error: one");
    assert_string_equal(logged(), log);
    built_explain(directory, NULL, &verdict); /* no log is asked for */
    assert_string_equal(logged(), log);

    put("build.log", "ld: undefined reference to `opt_2dhisto_setup'", 0644);
    built_explain(directory, NULL, &verdict);
    assert_string_equal(verdict.detail, "ld: undefined reference to `opt_2dhisto_setup'");
}

static void a_failed_build_without_an_error_has_no_detail(void **state) {
    struct verdict verdict = {.kind = VERDICT_BUILD_FAILED};

    (void)state;
    built_explain(directory, log_file, &verdict);
    assert_string_equal(verdict.detail, "");
    put("build.log", "all is well\n", 0644);
    built_explain(directory, log_file, &verdict);
    assert_string_equal(verdict.detail, "");
}

static void evidence_is_logged_and_what_is_grave_flags(void **state) {
    char flagged[64] = "of a step before";

    (void)state;
    built_evidence(directory, log_file, flagged, sizeof flagged);
    assert_string_equal(flagged, "");
    assert_string_equal(logged(), "");

    put("evidence", "note: it calls malloc\nflag: it calls fork: twice\nflag: it defines send\n",
        0644);
    built_evidence(directory, log_file, flagged, sizeof flagged);
    assert_string_equal(flagged, "it calls fork: twice;it defines send");
    assert_string_equal(logged(), "evidence: it calls malloc\nevidence: it calls fork: twice\n"
                                  "evidence: it defines send\n");
}

static void much_evidence_is_cut(void **state) {
    char flagged[16];

    (void)state;
    put("evidence", "flag: 0123456789\nflag: 0123456789\nflag: 0123456789\n", 0644);
    built_evidence(directory, NULL, flagged, sizeof flagged);
    assert_string_equal(flagged, "0123456789;0123");
}

#define OF_TOOLKIT "# 1 \"emulator/include/cuda_runtime.h\" 1\nfloat cosf(float);\n"

static void a_step_computes_in_float_if_its_own_text_does(void **state) {
    (void)state;
    assert_false(built_uses(directory, "float"));
    put("step.ii", OF_TOOLKIT "# 3 \"labs/a/b.cu\" 2\nint n, afloat, floats, float2;\n", 0600);
    assert_false(built_uses(directory, "float"));
    put("step.ii", OF_TOOLKIT "# 3 \"labs/a/b.cu\" 2\nint m, n = afloat(m) / (float)m;\n", 0600);
    assert_true(built_uses(directory, "float"));
}

static void log_printed(char *printed, uint64_t all_bytes, uint64_t all_lines) {
    struct process process = {.printed = printed,
                              .printed_bytes = strlen(printed),
                              .all_bytes = all_bytes ? all_bytes : strlen(printed),
                              .all_lines = all_lines};

    unlink(log_file);
    printed_log(log_file, "check", &process);
    printed_log(NULL, "check", &process);
}

static void what_is_printed_has_headings(void **state) {
    (void)state;
    log_printed("early\n\036set-up\n\036call 0\na\nb\036call 1\n\036tear-down\nend\n", 0, 3);
    assert_string_equal(logged(), "--- check\nearly\n--- call 0\na\nb\n--- tear-down\nend\n");
    log_printed("\036call 0\na\nb", 500, 12);
    assert_string_equal(logged(), "--- check\n--- call 0\na\nb\n"
                                  "--- 11 more lines were printed, and not kept\n");
    log_printed("\036call", 0, 0);
    log_printed("\036set-up\n\036tear-down\n", 0, 0);
    assert_int_equal(access(log_file, F_OK), -1); /* it printed nothing */
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(runners_are_found),
        IN_DIRECTORY(a_counted_runner_may_be_there),
        IN_DIRECTORY(a_failed_build_is_explained_by_its_first_error),
        IN_DIRECTORY(a_failed_build_without_an_error_has_no_detail),
        IN_DIRECTORY(evidence_is_logged_and_what_is_grave_flags),
        IN_DIRECTORY(much_evidence_is_cut),
        IN_DIRECTORY(a_step_computes_in_float_if_its_own_text_does),
        IN_DIRECTORY(what_is_printed_has_headings),
    };

    return cmocka_run_group_tests_name("built", tests, NULL, NULL);
}
