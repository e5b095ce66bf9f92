/* Tests of report/lib/page.h and text.h: one page in each format, and texts that somebody else
 * wrote. */
#include "unit.h"

#include <math.h>

#include "lib/page.h"
#include "lib/text.h"

static char *written;

static int forget(void **state) {
    (void)state;
    free(written);
    written = NULL;
    return 0;
}

static const char *write_as(const struct page *page, enum format format) {
    size_t size;
    free(written);
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    write_page(page, format, out);
    fclose(out);
    return written;
}

static struct page *a_page(void) {
    struct page *page = new_page();
    struct table *table = new_table();
    page->margin = " ";
    page->styles[0] = NULL;
    heading(page, 1, "A <b>");
    paragraph(page,
              say("See %s and %s, \033[31mopt05_multiblock _x_", code("a|b"), strong("*this*")));
    item(page, "one");
    item(page, "two & three");
    table_column(table, "step", LEFT);
    table_column_of(table, "us", RIGHT, 6, 0);
    table_column(table, "x|y", RIGHT);
    row(table), put(table, code("größer")), put(table, "1.5"), put(table, "<i>");
    row(table), put(table, "b"), put_over(table, "not measured", 2), row_note(table, "because");
    put_table(page, table);
    preformatted(page, "a < b\n  c");
    return page;
}

static void text_shows_what_was_said(void **state) {
    (void)state;
    assert_string_equal(
        write_as(a_page(), TEXT_PAGE),
        " A <b>\n See a|b and *this*, [31mopt05_multiblock _x_\n one\n two & three\n"
        " step        us  x|y\n größer     1.5  <i>\n b       not measured\n"
        "     because\n a < b\n   c\n");
}

static void markdown_escapes_what_it_would_take_for_markup(void **state) {
    (void)state;
    assert_string_equal(
        write_as(a_page(), MARKDOWN),
        "# A &lt;b&gt;\n\nSee `a\\|b` and **\\*this\\***,  \\[31mopt05_multiblock \\_x\\_\n\n"
        "- one\n- two &amp; three\n\n| step | us | x\\|y |\n|---|--:|--:|\n"
        "| `größer` | 1.5 | &lt;i&gt; |\n| b | not measured |  |\n| because | | |\n\n"
        "<pre>\na &lt; b\n  c\n</pre>\n\n");
}

static void html_escapes_all(void **state) {
    (void)state;
    const char *page = write_as(a_page(), HTML);
    static const char *const parts[] = {"<h1>A &lt;b&gt;</h1>",
                                        "<code>a|b</code> and <b>*this*</b>",
                                        "<ul>\n<li>one</li>\n<li>two &amp; three</li>\n</ul>\n",
                                        ">step</th>",
                                        "<td class=\"right\" colspan=\"2\">not measured</td>",
                                        "<td class=\"note\" colspan=\"3\">because</td>",
                                        "<pre>\na &lt; b\n  c\n</pre>",
                                        "</body>\n</html>\n"};
    for (size_t i = 0; i < COUNT(parts); i++)
        if (!strstr(page, parts[i]))
            fail_msg("no %s in %s", parts[i], page);
}

static void a_row_may_end_early(void **state) {
    (void)state;
    struct page *page = new_page();
    struct table *table = new_table();
    table_column(table, "a", LEFT), table_column(table, "b", LEFT), table_column(table, "c", LEFT);
    row(table), put(table, "one");
    put_table(page, table);
    assert_non_null(strstr(write_as(page, MARKDOWN), "\n| one |  |  |\n"));
}

static void a_page_of_text_may_say_less(void **state) {
    (void)state;
    struct page *page = new_page();
    struct table *table = new_table();
    table_column_of(table, "name", LEFT, 0, 5);
    row(table), put(table, "größer als groß");
    put_table(page, table);
    image(page, "a.svg", "what <it> shows");
    paragraph(page, linked("opt05", "#opt05", ""));
    assert_string_equal(write_as(page, TEXT_PAGE), "name\ngröß~\nopt05\n");
    assert_non_null(strstr(write_as(page, HTML), "alt=\"what &lt;it&gt; shows\""));
    assert_non_null(strstr(written, "<a href=\"#opt05\">opt05</a>"));
}

static void items_of_a_list_stand_together(void **state) {
    (void)state;
    struct page *page = new_page();
    page->spaced = true;
    paragraph(page, "before");
    item(page, "one"), item(page, "two");
    paragraph(page, "after");
    assert_string_equal(write_as(page, TEXT_PAGE), "before\n\none\ntwo\n\nafter\n");
}

static void an_empty_file_has_a_text(void **state) {
    (void)state;
    assert_string_equal(file_text("/dev/null"), "");
    assert_int_equal(count_lines(lines_of_file("/dev/null")), 0);
}

static void what_stands_between_backticks_is_code(void **state) {
    (void)state;
    assert_string_equal(with_marks("a `b` `c"), say("a %s `c", code("b")));
}

static void colours_are_for_terminals(void **state) {
    (void)state;
    struct page *page = new_page();
    page->columns = 20;
    page->colour = true;
    paragraph(page,
              say("a paragraph that is wider than größere zwanzig %s", coloured("wrong", RED)));
    assert_string_equal(write_as(page, TEXT_PAGE),
                        "a paragraph that is\nwider than größere\nzwanzig \033[31mwrong\033[0m\n");
}

static void csv_holds_no_formula(void **state) {
    (void)state;
    assert_string_equal(csv_text("=cmd()|x"), "\"'=cmd()|x\"");
    assert_string_equal(csv_text(" \n\xe3\x80\x80\xef\xbc\x9d"
                                 "1"),
                        "\"' \n\xe3\x80\x80\xef\xbc\x9d"
                        "1\"");
    assert_string_equal(csv_text("-"), "\"-\"");
    assert_string_equal(csv_text("Zoë,\t\"Z\""), "\"Zoë, \"\"Z\"\"\"");
    assert_string_equal(csv_text(""), "\"\"");
}

static size_t tags_with(const char *text) {
    struct page *page = new_page();
    struct table *table = new_table();
    size_t tags = 0;
    page->styles[0] = NULL;
    table_column(table, "x", LEFT);
    row(table), put(table, printable(text)), row_note(table, text);
    put_table(page, table);
    paragraph(page, printable(text));
    preformatted(page, text);
    for (text = write_as(page, HTML); (text = strchr(text, '<')); text++)
        tags++;
    return tags;
}

/* Whatever a text holds, it opens no element and no cell. */
static void no_text_is_markup(void **state) {
    (void)state;
    static const char *const texts[] = {
        "\"><script>",   "a|b\nc", "\001\002<i>\007x\010\"y\010<z>\006",
        "\xff\xfe<\x80", "`<b>`",  "\xe2\x80\xae<b>",
        "1. x",          "<!--",   "]]>"};
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_int_equal(tags_with(texts[i]), tags_with("x"));
}

static void a_number_has_its_digits(void **state) {
    (void)state;
    assert_string_equal(significant(0.0154, 4), "0.01540");
    assert_string_equal(significant(7720, 3), "7720");
    assert_string_equal(significant(NAN, 3), "-");
    assert_string_equal(percent(0.001234), "0.12");
    assert_string_equal(percent(0.5), "50.0");
    assert_true(isnan(ratio_of(1, 0)));
    assert_true(quantile((double[]){1, 2, 4}, 3, 0.5) == 2);
}

static void what_nobody_sees_is_shown(void **state) {
    (void)state;
    assert_string_equal(printable("a\033[31m\x7f\nb"), "a [31m b");
    assert_string_equal(printable("\xff\xfe x \xe2\x80\xae größer"), "? x ? größer");
    assert_string_equal(printable_lines("a\tb\n"), "a\tb\n");
    assert_string_equal(wrapped("one two three", "  ", 7), "  one two\n  three");
    assert_string_equal(wrapped("größergrößer", "", 7), "größerg\nrößer");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(text_shows_what_was_said, forget),
        cmocka_unit_test_teardown(markdown_escapes_what_it_would_take_for_markup, forget),
        cmocka_unit_test_teardown(html_escapes_all, forget),
        cmocka_unit_test_teardown(a_page_of_text_may_say_less, forget),
        cmocka_unit_test_teardown(items_of_a_list_stand_together, forget),
        cmocka_unit_test(an_empty_file_has_a_text),
        cmocka_unit_test(what_stands_between_backticks_is_code),
        cmocka_unit_test_teardown(colours_are_for_terminals, forget),
        cmocka_unit_test_teardown(csv_holds_no_formula, forget),
        cmocka_unit_test_teardown(no_text_is_markup, forget),
        cmocka_unit_test_teardown(a_row_may_end_early, forget),
        cmocka_unit_test(a_number_has_its_digits),
        cmocka_unit_test(what_nobody_sees_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
