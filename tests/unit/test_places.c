/* Tests of common/judge/findings/places.c: from an offset in a program to the line of its source.
 * Programs are compiled in a new directory under TMPDIR or /tmp, which plays the tree's root. */
#define _GNU_SOURCE
#include "unit.h"

#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge/findings/places.h"

static char directory[PATH_MAX], before[PATH_MAX];

static void command(const char *format, ...) {
    char text[4 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (system(text) != 0)
        fail_msg("%s", text);
}

static int make_directory(void **state) {
    const char *parent = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%s/test_places.XXXXXX", parent ? parent : "/tmp");
    if (!getcwd(before, sizeof before) || !mkdtemp(directory) || chdir(directory) < 0)
        return -1;
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    if (chdir(before) < 0)
        return -1;
    command("rm -r '%s'", directory);
    return 0;
}

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Build the step in that directory from STEP.cpp, as the Makefile does. Returns the program's path.
 */
static const char *build(const char *step, const char *step_cpp) {
    static char program[PATH_MAX];
    char path[PATH_MAX];
    command("mkdir -p %s build/cpu/%s", step, step);
    snprintf(path, sizeof path, "build/cpu/%s/step.cpp", step);
    put(path, step_cpp);
    snprintf(program, sizeof program, "build/cpu/%s/runner-checked", step);
    command("cc -x c -gdwarf-4 -O1 -Iemulator/include -c %s -o step.o && cc step.o -o %s", path,
            program);
    return program;
}

static bool place_of(const char *program, uint64_t offset, struct place *place) {
    places_of(program, &offset, 1, place);
    return place->line > 0;
}

/* The offset of the symbol in the program. */
static uint64_t symbol(const char *program, const char *name) {
    char text[2 * PATH_MAX];
    unsigned long long offset = 0;
    snprintf(text, sizeof text, "nm %s | awk '$3 == \"%s\" { print \"0x\" $1 }'", program, name);
    FILE *pipe = popen(text, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%llx", &offset), 1);
    pclose(pipe);
    return offset;
}

/* The functions begin in lines 2, 3, and 7; the labels stand in lines that a header and a step
 * have. */
static const char step[] = "#include \"header.h\"\n"
                           "#line 1 \"labs/opt98_try/opt_2dhisto.cu\"\n"
                           "volatile int global;\n"
                           "__attribute__((noinline)) void writes(void) { global = 1; }\n"
                           "__attribute__((noinline)) void uses_header(void) {\n"
                           "    global = 2;\n"
                           "\t  in_header(); /* \302\265s */  \n"
                           "}\n"
                           "int main(void) { writes(); uses_header(); }\n";

static const char header[] = "extern volatile int global;\n"
                             "static inline __attribute__((always_inline)) void in_header(void) {\n"
                             "    __asm__ volatile(\".globl here\\nhere: nop\");\n"
                             "}\n";

static const char *build_step(const char *at) {
    char path[PATH_MAX];
    command("mkdir -p emulator/include %s", at);
    put("emulator/include/header.h", header);
    const char *program = build(at, step);
    snprintf(path, sizeof path, "%s/opt_2dhisto.cu", at);
    put(path, strstr(step, "volatile"));
    return program;
}

static void a_line_and_its_text(void **state) {
    struct place place;

    (void)state;
    const char *program = build_step("labs/opt98_try");
    assert_true(place_of(program, symbol(program, "writes"), &place));
    assert_string_equal(place.file, "labs/opt98_try/opt_2dhisto.cu");
    assert_string_equal(place_file_name(&place), "opt_2dhisto.cu");
    assert_int_equal(place.line, 2);
    assert_string_equal(place.text, "__attribute__((noinline)) void writes(void) { global = 1; }");
}

/* An atomicAdd stands where the step calls it. */
static void what_the_emulator_puts_in_is_the_step_s(void **state) {
    struct place place;

    (void)state;
    const char *program = build_step("labs/opt98_try");
    assert_true(place_of(program, symbol(program, "here"), &place));
    assert_string_equal(place.file, "labs/opt98_try/opt_2dhisto.cu");
    assert_int_equal(place.line, 5);
    assert_string_equal(place.text, "in_header(); /* \302\265s */");
}

static void one_process_finds_all(void **state) {
    struct place places[4];

    (void)state;
    const char *program = build_step("labs/opt98_try");
    uint64_t offsets[] = {symbol(program, "here"), 0, 1, symbol(program, "main")};
    mkdir("bin", 0777);
    put("bin/addr2line", "#!/bin/sh\necho >>calls\nPATH=${PATH#*:} exec addr2line \"$@\"\n");
    command("chmod +x bin/addr2line");
    char *path = strdup(getenv("PATH")), longer[2 * PATH_MAX];
    snprintf(longer, sizeof longer, "%s/bin:%s", directory, path);
    setenv("PATH", longer, 1);
    places_of(program, offsets, COUNT(offsets), places);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(places[0].line, 5);
    assert_int_equal(places[1].line, 0); /* no offset */
    assert_int_equal(places[2].line, 0); /* nothing is there */
    assert_string_equal(places[2].file, "");
    assert_int_equal(places[3].line, 7);
    command("test $(wc -l <calls) = 1");
}

/* As its author knows it, not as the class's grader has put it there. */
static void a_submission_s_file(void **state) {
    struct place place;

    (void)state;
    const char *program = build_step("build/class/0123456789ab/opt98_try/abcdef");
    command("sed -i 's|labs/opt98_try|build/class/0123456789ab/opt98_try/abcdef|' "
            "build/cpu/build/class/*/*/*/step.cpp");
    command(
        "cc -x c -gdwarf-4 -O1 -Iemulator/include -c build/cpu/build/class/*/*/*/step.cpp -o step.o && "
        "cc step.o -o %s",
        program);
    assert_true(place_of(program, symbol(program, "writes"), &place));
    assert_string_equal(place.file, "labs/opt98_try/opt_2dhisto.cu");
    assert_int_equal(place.line, 2);
    assert_non_null(strstr(place.text, "global = 1"));
}

/* A stranger's source may name any file: of those in its own directory alone a line is shown. */
static void no_other_file_is_read(void **state) {
    static const char *const files[] = {"labs/secret.cu", "labs/opt98_try/../secret.cu",
                                        "labs/opt98_try/link.cu"};
    char text[1024], absolute[PATH_MAX + 32];
    struct place place;

    (void)state;
    command("mkdir -p labs/opt98_try && echo secret >labs/secret.cu && "
            "ln -sf ../secret.cu labs/opt98_try/link.cu");
    for (size_t i = 0; i <= COUNT(files); i++) {
        snprintf(absolute, sizeof absolute, "%s/labs/secret.cu", directory);
        snprintf(text, sizeof text,
                 "#line 1 \"%.300s\"\nvolatile int g; int main(void) { g = 1; }\n",
                 i < COUNT(files) ? files[i] : absolute);
        const char *program = build("labs/opt98_try", text);
        place_of(program, symbol(program, "main"), &place);
        assert_string_equal(place.text, "");
    }
}

/* It reads what a stranger's compiler run has left: where there is a sandbox, it runs in there. */
static void a_sandbox_is_used(void **state) {
    struct place place;

    (void)state;
    const char *program = build_step("labs/opt98_try");
    uint64_t offset = symbol(program, "writes");
    put("isolate", "#!/bin/sh\necho \"$@\" >isolated\n"
                   "while [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n");
    command("chmod +x isolate");
    places_isolate("./isolate");
    bool found = place_of(program, offset, &place);
    places_isolate(NULL);
    assert_true(found);
    assert_int_equal(place.line, 2);
    command(
        "grep -q '^build --timeout 20 labs/opt98_try build/cpu/labs/opt98_try -- addr2line ' isolated");
}

static void long_lines_are_cut_where_a_character_ends(void **state) {
    char text[2000] = "";
    struct place place;

    (void)state;
    command("mkdir -p labs/opt98_try");
    for (int i = 0; i < 200; i++)
        strcat(text, i ? "\303\244" : "x");
    put("labs/opt98_try/opt_2dhisto.cu", text);
    place = place_at_line("build/cpu/labs/opt98_try/runner-checked", "opt_2dhisto.cu", 1);
    assert_string_equal(place.file, "labs/opt98_try/opt_2dhisto.cu");
    assert_int_equal(strlen(place.text), 119);
    assert_memory_equal(place.text, text, 119);
    place = place_at_line("build/cpu/labs/opt98_try/runner-checked", "opt_2dhisto.cu", 9);
    assert_int_equal(place.line, 9);
    assert_string_equal(place.text, "");
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(a_line_and_its_text),
        IN_DIRECTORY(what_the_emulator_puts_in_is_the_step_s),
        IN_DIRECTORY(one_process_finds_all),
        IN_DIRECTORY(a_submission_s_file),
        IN_DIRECTORY(no_other_file_is_read),
        IN_DIRECTORY(a_sandbox_is_used),
        IN_DIRECTORY(long_lines_are_cut_where_a_character_ends),
    };

    return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
