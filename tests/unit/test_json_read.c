/* Tests of common/json_read.c. Every text is read from a block of exactly its size, so that
 * AddressSanitizer sees a byte that is read beyond it. */
#define _GNU_SOURCE
#include "unit.h"

#include <math.h>

#include "json_read.h"

static struct json_arena arena;
static struct json_error error;

static int make_arena(void **state) {
    (void)state;
    arena = (struct json_arena){.most = 1 << 20};
    return 0;
}

static int free_arena(void **state) {
    (void)state;
    json_free(&arena);
    return arena.held == 0 && !arena.last ? 0 : -1;
}

static const struct json *read_bytes(const char *text, size_t length) {
    char *bytes = malloc(length ? length : 1);
    assert_non_null(bytes);
    memcpy(bytes, text, length);
    const struct json *root = json_read(&arena, bytes, length, &error);
    memset(bytes, 'x', length); /* nothing may point into it */
    free(bytes);
    return root;
}

static const struct json *read_it(const char *text) {
    const struct json *root = read_bytes(text, strlen(text));
    if (!root)
        fail_msg("%s: %s (byte %zu)", text, error.why, error.at);
    return root;
}

static void check_refused(const char *text, size_t at, const char *why) {
    size_t held = arena.held;
    if (read_bytes(text, strlen(text)))
        fail_msg("%s is read", text);
    if (error.at != at || !strstr(error.why, why))
        fail_msg("%s: %s (byte %zu)", text, error.why, error.at);
    assert_int_equal(arena.held, held);
}

static void every_kind_is_read(void **state) {
    const struct json *root = read_it(" {\"a\": [1, \"two\", true, false, null, {}, []],\r\n"
                                      "\t\"b\": {\"c\": -2.5e-3}} ");
    const struct json *list = json_member(root, "a");

    (void)state;
    assert_int_equal(json_kind_of(root), JSON_OBJECT);
    assert_int_equal(json_count(root), 2);
    assert_int_equal(json_count(list), 7);
    assert_true(json_get_number(json_item(list, 0), 0) == 1);
    assert_string_equal(json_get_text(json_item(list, 1), ""), "two");
    assert_true(json_get_truth(json_item(list, 2), false));
    assert_false(json_get_truth(json_item(list, 3), true));
    assert_int_equal(json_kind_of(json_item(list, 4)), JSON_NULL);
    assert_int_equal(json_kind_of(json_item(list, 5)), JSON_OBJECT);
    assert_int_equal(json_count(json_item(list, 5)), 0);
    assert_int_equal(json_kind_of(json_item(list, 6)), JSON_ARRAY);
    assert_null(json_item(list, 7));
    assert_true(json_get_number(json_member(json_member(root, "b"), "c"), 0) == -2.5e-3);
    assert_int_equal(list->at, 7);
}

static void members_are_found_and_keep_their_order(void **state) {
    char text[8192] = "{", key[16];

    (void)state;
    for (int i = 0; i < 500; i++)
        sprintf(text + strlen(text), "%s\"k%d\":%d", i ? "," : "", i * 7919 % 500, i);
    const struct json *root = read_it(strcat(text, "}"));
    assert_int_equal(json_count(root), 500);
    for (int i = 0; i < 500; i++) {
        sprintf(key, "k%d", i * 7919 % 500);
        assert_string_equal(json_item(root, i)->key, key);
        assert_ptr_equal(json_member(root, key), json_item(root, i));
        assert_true(json_get_number(json_member(root, key), -1) == i);
    }
    assert_null(json_member(root, "k500"));
    assert_null(json_member(root, ""));
    assert_null(json_member(read_it("{}"), "a"));
}

static void what_is_not_there_is_taken(void **state) {
    const struct json *root = read_it("[\"1\", 2.5, {\"a\": 1}]");
    const struct json *const others[] = {NULL, json_item(root, 0), json_item(root, 9), root};
    int64_t value = 7;

    (void)state;
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_null(json_member(others[i], "a"));
        assert_true(json_get_number(others[i], -3) == -3);
        assert_true(json_get_truth(others[i], true));
        assert_false(json_get_whole(others[i], &value));
    }
    assert_null(json_item(NULL, 0));
    assert_null(json_item(json_item(root, 0), 0));
    assert_null(json_member(json_item(root, 2), NULL));
    assert_int_equal(json_kind_of(NULL), JSON_NONE);
    assert_int_equal(json_count(NULL), 0);
    assert_int_equal(json_count(json_item(root, 0)), 0);
    assert_string_equal(json_get_text(NULL, "none"), "none");
    assert_string_equal(json_get_text(json_item(root, 1), "none"), "none");
    assert_false(json_get_whole(json_item(root, 1), &value));
    assert_int_equal(value, 7);
}

static void escapes_become_characters(void **state) {
    const struct json *root = read_it(
        "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20AC\\uD83d\\ude00\","
        "\"\xc3\xa9\xf0\x9f\x98\x80\", \"\", \"\\u007f\\u07ff\\u0800\\uffff\\ud800\\udc00\\udbff\\udfff\"]");

    (void)state;
    assert_string_equal(json_get_text(json_item(root, 0), ""), "\"\\/\b\f\n\r\t");
    assert_string_equal(json_get_text(json_item(root, 1), ""),
                        "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    assert_string_equal(json_get_text(json_item(root, 2), ""), "\xc3\xa9\xf0\x9f\x98\x80");
    assert_string_equal(json_get_text(json_item(root, 3), "x"), "");
    assert_string_equal(json_get_text(json_item(root, 4), ""),
                        "\x7f\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
}

/* C would take it to end there, so "pass\u0000" would be a pass. */
static void a_text_with_a_nul_is_no_text_of_c(void **state) {
    const struct json *root = read_it("{\"pass\\u0000more\": \"pass\\u0000more\"}");

    (void)state;
    assert_null(json_member(root, "pass"));
    assert_string_equal(json_get_text(json_item(root, 0), "none"), "none");
    assert_int_equal(json_item(root, 0)->count, 9);
    assert_memory_equal(json_item(root, 0)->text, "pass\0more", 10);
    assert_null(read_bytes("\"a\0b\"", 5));
    assert_int_equal(error.at, 2);
}

static void texts_that_are_none_are_refused(void **state) {
    (void)state;
    check_refused("\"a", 2, "it ends");
    check_refused("\"a\\", 3, "it ends");
    check_refused("\"\\u12", 5, "it ends");
    check_refused("\"\\u12g4\"", 5, "four hexadecimal digits");
    check_refused("\"a\\x\"", 3, "no such escape");
    check_refused("\"a\nb\"", 2, "control character");
    check_refused("\"a\x1f\"", 2, "control character");
    check_refused("'a'", 0, "expected a value");
    check_refused("[\"\\ud83d\"]", 2, "half of a surrogate pair");
    check_refused("[\"\\ud83d\\u0041\"]", 2, "half of a surrogate pair");
    check_refused("[\"\\ud83d\\n\"]", 2, "half of a surrogate pair");
    check_refused("[\"\\ude00\\ud83d\"]", 2, "half of a surrogate pair");
    check_refused("[\"\\ud83d\\udbff\"]", 2, "half of a surrogate pair");
    check_refused("[\"\\ud83d\\ue000\"]", 2, "half of a surrogate pair");
}

static void what_is_no_utf8_is_refused(void **state) {
    static const char *const cases[] = {
        "\"a\xff\"",     "\"a\x80\"",         "\"a\xc0\x80\"",         "\"a\xe0\x80\x80\"",
        "\"a\xc3\"",     "\"a\xed\xa0\x80\"", "\"a\xf0\x80\x80\x80\"", "\"a\xf4\x90\x80\x80\"",
        "\"a\xe2\x82\"", "\"a\xf0\x9f\x98",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        check_refused(cases[i], 2, "no UTF-8");
    check_refused("\xef\xbb\xbf{}", 0, "expected a value"); /* a byte order mark */
}

static void numbers_are_read(void **state) {
    static const struct {
        const char *text;
        double number;
    } cases[] = {
        {"0", 0},           {"-0", 0},
        {"-17", -17},       {"0.5", 0.5},
        {"1e3", 1000},      {"1E+03", 1000},
        {"25e-1", 2.5},     {"1.7976931348623157e308", 1.7976931348623157e308},
        {"5e-324", 5e-324}, {"0e999", 0},
        {"0.1", 0.1},       {"123456789012345678901234567890", 123456789012345678901234567890.}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_true(json_get_number(read_it(cases[i].text), NAN) == cases[i].number);
}

static void numbers_that_are_none_are_refused(void **state) {
    char many[JSON_LONGEST_NUMBER + 2];

    (void)state;
    check_refused("01", 1, "does not begin with a 0");
    check_refused("-01", 2, "does not begin with a 0");
    check_refused("[1.]", 3, "expected a digit");
    check_refused("[-]", 2, "expected a digit");
    check_refused("[1e]", 3, "expected a digit");
    check_refused("[1e+]", 4, "expected a digit");
    check_refused("1e", 2, "it ends");
    check_refused("+1", 0, "expected a value");
    check_refused(".5", 0, "expected a value");
    check_refused("NaN", 0, "expected a value");
    check_refused("-Infinity", 1, "expected a digit");
    check_refused("0x10", 1, "something follows");
    check_refused("[1e309]", 1, "larger than a double");
    check_refused("[-1e309]", 1, "larger than a double");
    check_refused("[1e-400]", 1, "so small");
    memset(many, '1', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    check_refused(many, 0, "more than 1000 letters");
    many[1] = '.';
    many[sizeof many - 2] = '\0';
    assert_true(json_get_number(read_it(many), 0) == 1.1111111111111112);
}

static void whole_numbers_are_exact_to_2_to_the_53(void **state) {
    static const struct {
        const char *text;
        int64_t value;
    } whole[] = {{"0", 0},
                 {"-0", 0},
                 {"0.000", 0},
                 {"0e7", 0},
                 {"4096", 4096},
                 {"-17", -17},
                 {"1e9", 1000000000},
                 {"1.5e1", 15},
                 {"1.50e1", 15},
                 {"1500e-2", 15},
                 {"100.000", 100},
                 {"9007199254740991", 9007199254740991},
                 {"9007199254740992", 9007199254740992},
                 {"-9007199254740992", -9007199254740992},
                 {"90071992547409920e-1", 9007199254740992}};
    static const char *const others[] = {"9007199254740993",
                                         "-9007199254740993",
                                         "9007199254740994",
                                         "1e16",
                                         "1e300",
                                         "0.5",
                                         "1.00000000000000000001",
                                         "1501e-2",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "1e-3"};
    int64_t value;

    (void)state;
    for (size_t i = 0; i < COUNT(whole); i++) {
        if (!json_get_whole(read_it(whole[i].text), &value))
            fail_msg("%s is not whole", whole[i].text);
        assert_true(value == whole[i].value);
    }
    for (size_t i = 0; i < COUNT(others); i++)
        if (json_get_whole(read_it(others[i]), &value))
            fail_msg("%s is taken for %lld", others[i], (long long)value);
}

static void what_is_no_list_is_refused(void **state) {
    (void)state;
    check_refused("", 0, "it ends");
    check_refused("  ", 2, "it ends");
    check_refused("[1,]", 3, "expected a value");
    check_refused("[,1]", 1, "expected a value");
    check_refused("[1 2]", 3, "expected , or ]");
    check_refused("[1", 2, "it ends");
    check_refused("[1}", 2, "expected , or ]");
    check_refused("{\"a\":1,}", 7, "expected a key");
    check_refused("{a:1}", 1, "expected a key");
    check_refused("{\"a\" 1}", 5, "expected : after a key");
    check_refused("{\"a\":}", 5, "expected a value");
    check_refused("{\"a\":1 \"b\":2}", 7, "expected , or }");
    check_refused("{\"a\":1", 6, "it ends");
    check_refused("// no\n1", 0, "expected a value");
    check_refused("nul", 0, "expected a value");
    check_refused("True", 0, "expected a value");
}

static void nothing_may_follow(void **state) {
    (void)state;
    check_refused("{} {}", 3, "something follows");
    check_refused("1,", 1, "something follows");
    check_refused("truefalse", 4, "something follows");
    assert_null(read_bytes("1\0", 2));
    assert_string_equal(error.why, "something follows the value");
    read_it("1 \t\r\n");
}

static void a_key_stands_once(void **state) {
    (void)state;
    check_refused("{\"a\":1,\"b\":2,\"a\":3}", 17, "its key stood");
    check_refused("{\"a\":1,\"b\":2,\"b\":3}", 17, "its key stood");
    check_refused("[{\"\\u0061\": 1, \"x\": 1, \"a\": 1}]", 28, "its key stood");
    read_it("{\"a\":{\"a\":1},\"A\":[{\"a\":1},{\"a\":1}],\"a\\u0000\":1,\"\":1}");
}

static void lists_are_nested_64_deep_at_the_most(void **state) {
    char text[200001];

    (void)state;
    memset(text, '[', 200000);
    text[200000] = '\0';
    check_refused(text, JSON_MOST_DEPTH, "nested more than 64 deep");
    strcpy(text + JSON_MOST_DEPTH, "1");
    memset(text + strlen(text), ']', JSON_MOST_DEPTH);
    text[2 * JSON_MOST_DEPTH + 1] = '\0';
    const struct json *node = read_it(text);
    for (int i = 0; i < JSON_MOST_DEPTH; i++)
        node = json_item(node, 0);
    assert_true(json_get_number(node, 0) == 1);
}

/* Whatever the limit is: the arena never holds more, and what fits is read as without one. */
static void memory_is_bounded(void **state) {
    char text[40000] = "[0";
    size_t least = 0;

    (void)state;
    for (int i = 1; i < 500; i++)
        sprintf(text + strlen(text), ",{\"n\":\"%d\"}", i);
    strcat(text, "]");
    for (size_t most = 0; most < 1 << 18; most += 1013) {
        arena.most = most;
        const struct json *root = read_bytes(text, strlen(text));
        assert_true(arena.held <= most);
        assert_true(root || !least); /* more is never worse */
        if (root) {
            least = least ? least : most;
            assert_int_equal(json_count(root), 500);
            assert_string_equal(json_get_text(json_member(json_item(root, 499), "n"), ""), "499");
        } else {
            assert_string_equal(error.why, "it takes more memory than it may have");
            assert_int_equal(arena.held, 0);
        }
        json_free(&arena);
    }
    assert_true(least > 0);
    memset(text, 'x', sizeof text); /* one text that is as long as all that it may have */
    text[0] = text[sizeof text - 2] = '"';
    text[sizeof text - 1] = '\0';
    arena.most = sizeof text;
    check_refused(text, 0, "more memory");
    arena.most = 2 * sizeof text;
    read_it(text);
}

static void an_arena_holds_several_texts(void **state) {
    const struct json *first = read_it("{\"a\":[1,2,3]}");

    (void)state;
    check_refused("[\"a\",\"b\",[1,2,3],", 17, "it ends");
    const struct json *second = read_it("[\"x\"]");
    assert_true(json_get_number(json_item(json_member(first, "a"), 2), 0) == 3);
    assert_string_equal(json_get_text(json_item(second, 0), ""), "x");
    json_free(&arena);
    assert_int_equal(arena.held, 0);
    read_it("[]");
}

/* ---- JSON lines ------------------------------------------------------------------------------ */

static struct json_lines lines;

static void open_lines(const char *text, size_t length, size_t most) {
    static char copy[4096]; /* fmemopen() reads from it */
    assert_true(length <= sizeof copy);
    memcpy(copy, text, length);
    lines = (struct json_lines){.file = length ? fmemopen(copy, length, "r") : tmpfile(),
                                .arena = {.most = most}};
    assert_non_null(lines.file);
}

static void close_lines(void) {
    assert_int_equal(json_next_line(&lines), JSON_LINES_END); /* however often one asks */
    fclose(lines.file);
    json_lines_free(&lines);
    assert_null(lines.text);
}

static void check_error(size_t number, const char *why, size_t at) {
    assert_int_equal(lines.number, number);
    assert_string_equal(lines.error.why, why);
    assert_int_equal(lines.error.at, at);
}

static void check_number(size_t number, double value) {
    assert_int_equal(json_next_line(&lines), JSON_LINE);
    assert_int_equal(lines.number, number);
    assert_true(json_get_number(lines.root, NAN) == value);
}

static void a_line_after_the_other(void **state) {
    const char text[] = "1\n\n \t\r\n2\r\n3\n";

    (void)state;
    open_lines(text, sizeof text - 1, 1 << 16);
    check_number(1, 1);
    check_number(4, 2);
    check_number(5, 3);
    assert_int_equal(json_next_line(&lines), JSON_LINES_END);
    close_lines();
    open_lines("", 0, 1 << 16);
    close_lines();
    open_lines("\n\n ", 3, 1 << 16); /* blank, without a line break */
    close_lines();
}

static void a_torn_line_is_dropped_and_told(void **state) {
    (void)state;
    open_lines("1\n{\"a\":2", 8, 1 << 16);
    check_number(1, 1);
    assert_int_equal(json_next_line(&lines), JSON_LINE_TORN);
    assert_null(lines.root);
    check_error(2, "it has no line break", 6);
    close_lines();
    open_lines("12\n34", 5, 1 << 16); /* of 345, perhaps */
    check_number(1, 12);
    assert_int_equal(json_next_line(&lines), JSON_LINE_TORN);
    close_lines();
}

static void a_bad_line_costs_itself_alone(void **state) {
    const char text[] = "1\n{\"a\":}\n2\n[1\n\0\n\"\xff\"\n3\n";

    (void)state;
    open_lines(text, sizeof text - 1, 1 << 16);
    check_number(1, 1);
    assert_int_equal(json_next_line(&lines), JSON_LINE_BAD);
    assert_null(lines.root);
    check_error(2, "expected a value", 5);
    check_number(3, 2);
    for (size_t i = 4; i <= 6; i++) {
        assert_int_equal(json_next_line(&lines), JSON_LINE_BAD);
        assert_int_equal(lines.number, i);
    }
    check_error(6, "it holds bytes that are no UTF-8", 1);
    check_number(7, 3);
    close_lines();
}

static void a_line_that_is_too_long_costs_itself_alone(void **state) {
    char text[3000] = "1\n";

    (void)state;
    memset(text + 2, '0', 2000);
    strcpy(text + 2002, "\n[2,3]\n4\n");
    memset(text + strlen(text), '7', 800);
    open_lines(text, strlen(text), 700);
    check_number(1, 1);
    assert_int_equal(json_next_line(&lines), JSON_LINE_BAD);
    assert_int_equal(lines.number, 2);
    assert_true(lines.room <= 700);
    check_error(2, "it takes more memory than it may have", 700);
    assert_int_equal(json_next_line(&lines),
                     JSON_LINE_BAD); /* its tree is too large, for 64 on the stack */
    check_number(4, 4);
    assert_int_equal(json_next_line(&lines), JSON_LINE_TORN);
    close_lines();
}

static void a_file_that_cannot_be_read_is_told(void **state) {
    (void)state;
    lines = (struct json_lines){.file = fopen("/", "r"), .arena = {.most = 1 << 16}};
    assert_non_null(lines.file);
    assert_int_equal(json_next_line(&lines), JSON_LINE_UNREAD);
    check_error(1, "the file cannot be read", 0);
    close_lines();
}

#define IN_ARENA(test) cmocka_unit_test_setup_teardown(test, make_arena, free_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_ARENA(every_kind_is_read),
        IN_ARENA(members_are_found_and_keep_their_order),
        IN_ARENA(what_is_not_there_is_taken),
        IN_ARENA(escapes_become_characters),
        IN_ARENA(a_text_with_a_nul_is_no_text_of_c),
        IN_ARENA(texts_that_are_none_are_refused),
        IN_ARENA(what_is_no_utf8_is_refused),
        IN_ARENA(numbers_are_read),
        IN_ARENA(numbers_that_are_none_are_refused),
        IN_ARENA(whole_numbers_are_exact_to_2_to_the_53),
        IN_ARENA(what_is_no_list_is_refused),
        IN_ARENA(nothing_may_follow),
        IN_ARENA(a_key_stands_once),
        IN_ARENA(lists_are_nested_64_deep_at_the_most),
        IN_ARENA(memory_is_bounded),
        IN_ARENA(an_arena_holds_several_texts),
        cmocka_unit_test(a_line_after_the_other),
        cmocka_unit_test(a_torn_line_is_dropped_and_told),
        cmocka_unit_test(a_bad_line_costs_itself_alone),
        cmocka_unit_test(a_line_that_is_too_long_costs_itself_alone),
        cmocka_unit_test(a_file_that_cannot_be_read_is_told),
    };

    return cmocka_run_group_tests_name("json_read", tests, NULL, NULL);
}
