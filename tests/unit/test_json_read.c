/* Tests of common/json_read.c. Every text is read from a block of exactly its size and the NUL
 * behind it, so that AddressSanitizer sees a byte that is read beyond it. */
#define _GNU_SOURCE
#include "unit.h"

#include <math.h>

#include "json_read.h"

static struct json_error error;

static const struct json *read_bytes(const char *text, size_t length) {
    char *bytes = calloc(1, length + 1);
    assert_non_null(bytes);
    memcpy(bytes, text, length);
    const struct json *root = json_read(bytes, length, &error);
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
    if (read_bytes(text, strlen(text)))
        fail_msg("%s is read", text);
    if (error.at != at || !strstr(error.why, why))
        fail_msg("%s: %s (byte %zu)", text, error.why, error.at);
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
    assert_int_equal(json_kind_of(json_item(list, 2)), JSON_TRUTH);
    assert_true(json_item(list, 2)->truth);
    assert_false(json_item(list, 3)->truth);
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

    (void)state;
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_null(json_member(others[i], "a"));
        assert_true(json_get_number(others[i], -3) == -3);
    }
    assert_null(json_item(NULL, 0));
    assert_null(json_item(json_item(root, 0), 0));
    assert_int_equal(json_kind_of(NULL), JSON_NONE);
    assert_int_equal(json_count(NULL), 0);
    assert_int_equal(json_count(json_item(root, 0)), 0);
    assert_string_equal(json_get_text(NULL, "none"), "none");
    assert_string_equal(json_get_text(json_item(root, 1), "none"), "none");
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

static void an_object_has_1000_members_at_the_most(void **state) {
    char text[20000] = "{";

    (void)state;
    for (int i = 0; i <= JSON_MOST_MEMBERS; i++)
        sprintf(text + strlen(text), "%s\"k%d\":1", i ? "," : "", i);
    strcat(text, "}");
    check_refused(text, strlen(text) - 2, "more than 1000 members");
    strcpy(strrchr(text, ','), "}");
    assert_int_equal(json_count(read_it(text)), JSON_MOST_MEMBERS);
}

static void a_tree_stays(void **state) {
    const struct json *first = read_it("{\"a\":[1,2,3]}");

    (void)state;
    check_refused("[\"a\",\"b\",[1,2,3],", 17, "it ends");
    read_it("[\"x\"]");
    assert_true(json_get_number(json_item(json_member(first, "a"), 2), 0) == 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(members_are_found_and_keep_their_order),
        cmocka_unit_test(what_is_not_there_is_taken),
        cmocka_unit_test(escapes_become_characters),
        cmocka_unit_test(a_text_with_a_nul_is_no_text_of_c),
        cmocka_unit_test(texts_that_are_none_are_refused),
        cmocka_unit_test(what_is_no_utf8_is_refused),
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(what_is_no_list_is_refused),
        cmocka_unit_test(nothing_may_follow),
        cmocka_unit_test(a_key_stands_once),
        cmocka_unit_test(lists_are_nested_64_deep_at_the_most),
        cmocka_unit_test(an_object_has_1000_members_at_the_most),
        cmocka_unit_test(a_tree_stays),
    };

    return cmocka_run_group_tests_name("json_read", tests, NULL, NULL);
}
