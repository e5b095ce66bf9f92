/* Tests of emulator/front/: which text a step needs of the C++ library, and what it may not say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../emulator/front/calls.h"
#include "../../emulator/front/rules.h"

/* The front end gives nothing back (text.h). */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

/* What becomes of labs/x/x.cu with this line, where the text is lean; what is said of it goes to
 * `notes`. */
static enum rules read_line(const char *line, struct text *notes) {
    const struct step step = {"labs/x", "labs/x/x.cu", "/tree", true};
    struct text text = {0}, out = {0}, flags = {0};
    text_print(&text, "# 1 \"labs/x/x.cu\"\n%s\n", line);
    return keep_rules(&step, &text, &out, notes, &flags);
}

static enum rules rules_of(const char *line) {
    struct text notes = {0};
    return read_line(line, &notes);
}

static bool needs_library(const char *name) {
    char line[256];
    snprintf(line, sizeof line, "float y = %.200s;", name);
    return rules_of(line) == WANT_LIBRARY;
}

/* All that <cmath> brings. abs is also in <stdlib.h>, for every type. */
static void names_of_mathematics(void **state) {
    char name[256];
    unsigned count = 0;
    FILE *names = popen("echo '#include <cmath>' | g++ -std=c++17 -x c++ -E - | "
                        "sed -n 's/^ *using ::\\([a-z0-9_]*\\);$/\\1/p'",
                        "r");
    (void)state;
    assert_non_null(names);
    for (; fscanf(names, "%255s", name) == 1; count++)
        if (strcmp(name, "abs") != 0 && !needs_library(name))
            fail_msg("%s is not known", name);
    pclose(names);
    assert_true(count >= 100);
}

static void names_of_the_library(void **state) {
    static const char *const names[] = {"std", "M_PI", "NAN", "INFINITY", "isfinite", "fpclassify"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(needs_library(names[i]));
    assert_int_equal(rules_of("# 1 \"/usr/include/c++/12/algorithm\" 1 3"), WANT_LIBRARY);
}

/* The step's own file is not there, which is an error, and tells that it was read to its end. */
static void other_names(void **state) {
    (void)state;
    assert_int_equal(rules_of("int y = min(printf(\"std\") + standard, 3);"), BROKEN);
    assert_int_equal(rules_of("# 1 \"/usr/lib/gcc/include/stddef.h\" 1 3"), BROKEN);
}

static void expect_said(const char *line, const char *said) {
    struct text notes = {0};
    read_line(line, &notes);
    if (said ? !strstr(notes.at, said) : strstr(notes.at, "x.cu:1:") != NULL)
        fail_msg("of `%s` it says: %s", line, notes.at);
}

/* Builtins that no hook watches are refused, whichever a compiler has. */
static void builtins(void **state) {
    static const char *const unseen[] = {"va_copy",    "va_start",      "setjmp",
                                         "ms_va_copy", "stack_restore", "init_dwarf_reg_size_table",
                                         "strcpy"},
                             *const seen[] = {"popcountll", "expect", "memcpy", "inff",
                                              "mul_overflow"};
    char line[128];
    (void)state;
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        snprintf(line, sizeof line, "__builtin_%s(a, b);", unseen[i]);
        expect_said(line, "in a way that the analysis cannot see");
    }
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        snprintf(line, sizeof line, "__builtin_%s(a, b);", seen[i]);
        expect_said(line, NULL);
    }
}

/* Assembly is refused, even without an instruction: its operands could store, unseen. */
static void assembly(void **state) {
    (void)state;
    expect_said("asm volatile(\"\" : \"+r\"(p[1]) : : \"memory\");", "no assembly");
    expect_said("int f() __asm__(\"g\");", "no assembly");
}

static bool dump_goes_by_value(const char *statement) {
    char dump[1024];
    snprintf(dump, sizeof dump,
             ";; Function f (_Z1fv, decl_uid=9)\n\nvoidD.48 fD.9 (uint32_tD.3 vD.7)\n{\n"
             "  struct bigD.5 bD.6;\n  static struct bigD.5 sD.8;\n\n  <bb 2> [local count: 1]:\n"
             "  %s\n}\n",
             statement);
    return goes_by_value(dump);
}

/* Of a call's operands it is known what they are, or they are memory. */
static void calls_by_value(void **state) {
    static const char
        *const memory[] = {"(*_1)[v_3(D)] = gD.4 (v_3(D)); [return slot optimization]",
                           "*_1 = gD.4 (_2);",
                           "p_2(D)->xD.5[0] = gD.4 ();",
                           "sD.8 = gD.4 ();",
                           "tableD.77[_2] = F::operator()D.4 (&bD.6, _2);",
                           "VIEW_CONVERT_EXPR<struct bigD.5>(_1) = gD.4 ();",
                           "gD.4 (_1, *_2);",
                           "gD.4 (\"(\", (*_1)[_2]);"},
               *const values[] = {"bD.6 = gD.4 (_2, v_3(D));",
                                  "_1 = gD.4 (&tableD.77[_2], \"a, (b\", -1, 1.0e+0, 0B);",
                                  "gD.4 (bD.6, arguments#1_22(D), {});",
                                  "<retval> = gD.4 (vD.7); [tail call]"};
    (void)state;
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (!dump_goes_by_value(memory[i]))
            fail_msg("memory: %s", memory[i]);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (dump_goes_by_value(values[i]))
            fail_msg("no memory: %s", values[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_mathematics),
        cmocka_unit_test(names_of_the_library),
        cmocka_unit_test(other_names),
        cmocka_unit_test(builtins),
        cmocka_unit_test(assembly),
        cmocka_unit_test(calls_by_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
