/* Tests of report/lib/words.h: what a student wrote in a step.md. */
#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "lib/words.h"

static const struct section *sections_of(const char *text, size_t *count) {
    char path[] = "/tmp/histolab-words-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    const struct section *section = read_sections(path, count);
    unlink(path);
    return section;
}

static void sections_begin_below_the_header(void **state) {
    size_t count;
    const struct section *section = sections_of("title: x\r\n\r\nfirst\r\n## Goal\n# deeper\n"
                                                "```\n## code\n```\n\n## Last\nend",
                                                &count);
    (void)state;
    assert_int_equal(count, 3);
    assert_string_equal(section[0].title, "");
    assert_string_equal(section[0].text, "first\n");
    assert_string_equal(section[1].title, "## Goal");
    assert_string_equal(section[1].text, "## deeper\n```\n## code\n```\n\n");
    assert_string_equal(section[2].title, "## Last");
    assert_string_equal(section[2].text, "end\n");
}

static void a_file_without_words_has_one_empty_section(void **state) {
    size_t count;
    const char *const files[] = {"", "title: x\n", "title: x\n\n"};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const struct section *section = sections_of(files[i], &count);
        assert_int_equal(count, 1);
        assert_string_equal(section[0].text, "");
    }
    sections_of("title: x\n\n## Empty", &count);
    assert_int_equal(count, 2);
    assert_string_equal(read_sections("/nowhere/step.md", &count)[0].text, "");
}

static void comments_and_what_is_to_be_replaced_are_no_words(void **state) {
    static const char *const none[] = {"", " \n\t", "<!-- a -- b -->", "(What you saw.)\n",
                                       " <!-- x\ny --> (a\nb) \n<!---->"};
    static const char *const some[] = {
        "x", "(a) b", "(a (b))", "(", "()x", "<!-- never closed", "(a) (b)"};
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(is_written(none[i]));
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_true(is_written(some[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_begin_below_the_header),
        cmocka_unit_test(a_file_without_words_has_one_empty_section),
        cmocka_unit_test(comments_and_what_is_to_be_replaced_are_no_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
