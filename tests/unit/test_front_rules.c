// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Tests of emulator/front/rules.c: which text a step needs of the C++ library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../emulator/front/rules.h"
#include "../../emulator/front/unused.h"

/* What becomes of labs/x/x.cu with this line, where the text is lean. */
static enum rules rules_of(const char *line) {
    const struct step step = {"labs/x", "labs/x/x.cu", "/tree", true};
    struct text text = {0}, out = {0}, notes = {0}, flags = {0};
    text_print(&text, "# 1 \"labs/x/x.cu\"\n%s\n", line);
    enum rules rules = keep_rules(&step, &text, &out, &notes, &flags);
    text_free(&text);
    text_free(&out);
    text_free(&notes);
    text_free(&flags);
    return rules;
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

/* Functions that nobody names go, and those that only such a one names; lines stay. */
static void unused_functions(void **state) {
    struct text text = {0}, out = {0};
    (void)state;
    text_put(&text, "# 1 \"emulator/include/x.h\" 1\n"
                    "namespace n { static inline int f(int i)\n{ return i; }\n"
                    "template <int N> inline int g(int i) { return f(i); } }\n"
                    "extern int h (int) __attribute__ ((pure)); using std::k;\n"
                    "static inline int l(int i = k()) { return h(i); }\n"
                    "inline bool operator<(n::x, n::y) { return m(); }\n"
                    "int v(1), w(2); extern int m();\n"
                    "# 1 \"labs/x/x.cu\" 2\nstatic int o(int i) { return l(i); }\n");
    leave_out_unused(&text, &out);
    assert_string_equal(out.at, "# 1 \"emulator/include/x.h\" 1\n"
                                "namespace n { \n\n"
                                " }\n"
                                "extern int h (int) __attribute__ ((pure)); using std::k;\n"
                                "static inline int l(int i = k()) { return h(i); }\n"
                                "inline bool operator<(n::x, n::y) { return m(); }\n"
                                "int v(1), w(2); extern int m();\n"
                                "# 1 \"labs/x/x.cu\" 2\nstatic int o(int i) { return l(i); }\n");
    text_free(&text);
    text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_mathematics),
        cmocka_unit_test(names_of_the_library),
        cmocka_unit_test(other_names),
        cmocka_unit_test(unused_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
