/* Tests of common/record.def and of what goes by it: common/record/read.c and write.c. */
#define _GNU_SOURCE
#include "unit.h"

#include <glob.h>
#include <math.h>

#include "record/fields.h"

static struct record_fields record;
static const char *why;
static char *written;

static int forget(void **state) {
    (void)state;
    free(written);
    written = NULL;
    return 0;
}

static bool read_record(const char *text) {
    struct json_error error;
    const struct json *root = json_read(text, strlen(text), &error);
    if (!root)
        fail_msg("%s: %s (byte %zu)", text, error.why, error.at);
    why = record_read(root, &record);
    return !*why;
}

static const char *write_it(void) {
    size_t size;
    free(written);
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    record_write(out, &record);
    fclose(out);
    return written;
}

/* Of version 1, with every field that is always there. */
static const char plain[] =
    "{\"schema\":1,\"submission\":\"\",\"step\":\"opt05_multiblock\",\"kind\":\"step\",\"problem\":\"opt_2dhisto\","
    "\"input\":\"walk\",\"rows\":64,\"columns\":64,\"verdict\":\"pass\",\"intended\":\"pass\",\"outcome\":null,"
    "\"error\":null,\"detail\":\"\",\"diagnosis\":null,\"hazards\":[],\"more_hazards\":null,\"device\":{"
    "\"kind\":\"cpu\",\"name\":\"x\",\"driver\":\"none\",\"sms\":8,\"l2_bytes\":524288,\"spec_gbps\":null},"
    "\"iterations\":1000,\"calls\":1000,\"scaled\":false,\"samples_asked\":null,\"budget_s\":null,"
    "\"samples_s\":null,\"audit_s\":null,\"median_s\":null,\"ci95_s\":null,\"overhead_s\":null,"
    "\"synced_s\":null,\"whole_s\":null,\"sm_mhz\":null,\"memory_mhz\":null,\"notes\":\"\",\"reference_s\":null,"
    "\"speedup\":null,\"bytes\":16384,\"dram_bytes\":null,\"gbps\":null,\"roof_gbps\":null,\"roof_fraction\":null,"
    "\"seed\":\"18446744073709551615\",\"source_sha256\":\"\",\"harness\":\"\",\"timing\":null,\"build\":{"
    "\"toolkit\":null,\"compiler\":null,\"flags\":null,\"cub\":null},\"machine\":\"1 x y\",\"when\":\"2026-01-31T23:59:59Z\"}\n";

/* The plain one, with `to` in place of `from`. */
static const char *changed(const char *from, const char *to) {
    static char text[4096];
    const char *at = strstr(plain, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - plain), plain, to, at + strlen(from));
    return text;
}

static void a_record_is_read(void **state) {
    (void)state;
    if (!read_record(plain))
        fail_msg("%s", why);
    assert_true(record.schema == RECORD_VERSION);
    assert_string_equal(record.step, "opt05_multiblock");
    assert_string_equal(record.submission, "");
    assert_string_equal(record.outcome, "");
    assert_true(record.rows == 64);
    assert_true(isnan(record.median_s) && isnan(record.ci95_s[0]) && isnan(record.error));
    assert_null(record.samples_s.item);
    assert_int_equal(record.hazards.count, 0);
    assert_int_equal(record.scaled, RECORD_FALSE);
    assert_string_equal(record.device->name, "x");
    assert_true(record.device->sms == 8);
    assert_false(record.has_energy || record.has_counted || record.has_written_bytes);
    assert_string_equal(write_it(), plain);
}

/* A record is written again as it stood, byte for byte; energy, which was measured apart, stands
 * first in recorded ones, and where it belongs afterwards. */
static void check_written(const char *line, size_t size) {
    size_t length = strlen(write_it());
    assert_int_equal(length, size);
    if (strncmp(line, "{\"energy\"", 9) != 0)
        assert_memory_equal(written, line, length);
}

static size_t round_trip(const char *path) {
    char command[512];
    snprintf(command, sizeof command, "gzip -cdf %s", path); /* whether it is compressed or not */
    FILE *file = popen(command, "r");
    char *line = NULL;
    size_t count = 0, room = 0;
    ssize_t length;
    assert_non_null(file);
    for (; (length = getline(&line, &room, file)) > 0; count++) {
        if (!read_record(line))
            fail_msg("%s:%zu: %s", path, count + 1, why);
        if (record.schema == RECORD_VERSION)
            check_written(line, length);
    }
    assert_int_equal(pclose(file), 0);
    free(line);
    return count;
}

static void every_recorded_result_is_read_and_written_as_it_was(void **state) {
    glob_t found;

    (void)state;
    assert_int_equal(glob("report/recorded/*.jsonl.gz", 0, NULL, &found), 0);
    assert_int_equal(glob("report/recorded/*/*.jsonl.gz", GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        assert_true(round_trip(found.gl_pathv[i]) > 0);
    globfree(&found);
}

static void what_an_older_record_lacks_is_null(void **state) {
    static const char *const lost[] = {"\"schema\":1,", "\"outcome\":null,", "\"diagnosis\":null,",
                                       "\"hazards\":[],\"more_hazards\":null,", "\"timing\":null,"};
    char text[sizeof plain];

    (void)state;
    strcpy(text, plain);
    for (size_t i = 0; i < COUNT(lost); i++) {
        char *at = strstr(text, lost[i]);
        assert_non_null(at);
        memmove(at, at + strlen(lost[i]), strlen(at + strlen(lost[i])) + 1);
        assert_int_equal(read_record(text), true);
        assert_true(isnan(record.schema)); /* the first that is lost */
    }
    assert_string_equal(record.outcome, "");
    assert_int_equal(record.hazards.count, 0);
    assert_true(isnan(record.more_hazards));
    assert_string_equal(record.step, "opt05_multiblock");
}

static void check_newer(const char *from, const char *by) {
    char expected[512];
    assert_false(read_record(changed("\"schema\":1,", from)));
    snprintf(expected, sizeof expected,
             "it is a record of version %d, written by histolab %s, and this histolab reads those "
             "up to version %d. To do: read it with a histolab that is as new",
             RECORD_VERSION + 1, by, RECORD_VERSION);
    assert_string_equal(why, expected);
}

static void a_newer_record_is_refused_with_what_to_do(void **state) {
    char text[128];

    (void)state;
    snprintf(text, sizeof text, "\"schema\":%d,\"histolab\":\"0.10.0+g2b83530\",",
             RECORD_VERSION + 1);
    check_newer(text, "0.10.0+g2b83530");
    snprintf(text, sizeof text, "\"schema\":%d,\"histolab\":\"\\u001b[31m\",", RECORD_VERSION + 1);
    check_newer(text, "?");
    /* Whatever else is in it. */
    snprintf(text, sizeof text, "{\"schema\":%d}", RECORD_VERSION + 1);
    assert_false(read_record(text));
    assert_non_null(strstr(why, "To do: "));
}

static void a_field_that_nobody_knows_is_passed_over(void **state) {
    (void)state;
    assert_true(read_record(changed("\"step\"", "\"more\":[{\"a\":1}],\"step\"")));
    assert_string_equal(write_it(), plain);
}

/* What is changed in the plain one, to what, and what is then said of it. */
static const char *const misfits[][3] = {
    {"\"schema\":1", "\"schema\":0", "\"schema\" of \"record\" is not a whole number"},
    {"\"schema\":1", "\"schema\":\"1\"", "\"schema\" of \"record\" is not a whole number"},
    {"\"schema\":1", "\"schema\":1.5", "\"schema\" of \"record\" is not a whole number"},
    {"\"verdict\":\"pass\"", "\"verdict\":1", "\"verdict\" of \"record\" is not a text"},
    {"\"verdict\":\"pass\"", "\"verdict\":\"pass\\u0000\"",
     "\"verdict\" of \"record\" is not a text"},
    {"\"rows\":64", "\"rows\":\"64\"", "\"rows\" of \"record\" is not a whole number"},
    {"\"rows\":64", "\"rows\":-64", "\"rows\" of \"record\" is not a whole number"},
    {"\"rows\":64", "\"rows\":9007199254740993", "\"rows\" of \"record\" is not a whole number"},
    {"\"rows\":64", "\"rows\":6.4", "\"rows\" of \"record\" is not a whole number"},
    {"\"median_s\":null", "\"median_s\":-1",
     "\"median_s\" of \"record\" is not a number from 0 on"},
    {"\"scaled\":false", "\"scaled\":0", "\"scaled\" of \"record\" is not true or false"},
    {"\"samples_s\":null", "\"samples_s\":1", "\"samples_s\" of \"record\" is not an array"},
    {"\"samples_s\":null", "\"samples_s\":[1,null]", "\"samples_s\" of \"record\" is not an array"},
    {"\"ci95_s\":null", "\"ci95_s\":[1]", "\"ci95_s\" of \"record\" is not an array of two"},
    {"\"ci95_s\":null", "\"ci95_s\":[1,-2]", "\"ci95_s\" of \"record\" is not an array of two"},
    {"\"hazards\":[]", "\"hazards\":{}", "\"hazards\" of \"record\" is not an array"},
    {"\"hazards\":[]", "\"hazards\":[1]", "\"hazards\" of \"record\" is not an array"},
    {"\"sms\":8", "\"ecc\":1,\"sms\":8", "\"ecc\" of \"device\" is not true or false"},
    {"\"build\":{", "\"build\":7,\"x\":{", "\"build\" of \"record\" is not an object"},
    {"\"seed\"", "\"energy\":{\"calls\":1},\"seed\"",
     "\"calls\" of \"energy\" is not a whole number"},
    {"\"seed\"", "\"predicted_shares\":{\"dram\":-1},\"seed\"",
     "\"predicted_shares\" of \"record\" is not"},
    {"\"seed\"", "\"predicted_shares\":{\"disk\":1},\"seed\"",
     "\"predicted_shares\" of \"record\" is not"},
    {"\"seed\"", "\"predicted_shares\":{\"dram\\u0000\":1},\"seed\"",
     "\"predicted_shares\" of \"record\" is not"},
};

static void what_is_no_record_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(misfits); i++) {
        if (read_record(changed(misfits[i][0], misfits[i][1])))
            fail_msg("%s is read", misfits[i][1]);
        if (!strstr(why, misfits[i][2]))
            fail_msg("%s: %s", misfits[i][1], why);
    }
    assert_false(read_record("[]"));
    assert_string_equal(why, "it is no object");
}

static void a_record_of_others_may_lack_fields_and_have_other_words(void **state) {
    static const char *const taken[][2] = {
        {"\"verdict\":\"pass\",", ""}, {"\"verdict\":\"pass\"", "\"verdict\":null"},
        {"\"cub\":null", "\"x\":1"},   {"\"kind\":\"step\"", "\"kind\":\"stepp\""},
        {"23:59:59Z", "23:59"},        {"\"hazards\":[]", "\"hazards\":[{}]"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(taken); i++)
        if (!read_record(changed(taken[i][0], taken[i][1])))
            fail_msg("%s: %s", taken[i][1], why);
}

static void only_so_many_hazards_are_read(void **state) {
    static const char one[] =
        "{\"kind\":\"leak\",\"severity\":\"fault\",\"array\":\"\",\"index\":-3,\"bytes\":null,\"note\":\"\","
        "\"places\":[]}";
    char list[4096] = "\"hazards\":[";

    (void)state;
    for (int i = 0; i < 17; i++) {
        strcat(strcat(list, i ? "," : ""), one);
        size_t length = strlen(list);
        strcpy(list + length, "]");
        assert_int_equal(read_record(changed("\"hazards\":[]", list)), i < 16);
        if (i == 15) {
            const struct hazards_fields *hazard = record.hazards.item;
            assert_int_equal(record.hazards.count, 16);
            assert_string_equal(hazard[15].kind, "leak");
            assert_true(hazard[15].index == -3 && isnan(hazard[15].bytes));
        }
        list[length] = '\0';
    }
}

/* A time of 0 was not measured; an error, or an index, of 0 is one. */
static void zero_is_null_where_it_says_so(void **state) {
    (void)state;
    assert_true(read_record(changed("\"median_s\":null", "\"median_s\":0")));
    assert_true(isnan(record.median_s));
    assert_true(read_record(changed("\"error\":null", "\"error\":0")));
    assert_true(record.error == 0);
    assert_non_null(strstr(write_it(), "\"error\":0,"));
    record.median_s = 0;
    record.budget_s = INFINITY;
    record.diagnosis = "";
    record.submission = NULL;
    write_it();
    assert_non_null(strstr(written, "\"median_s\":null,"));
    assert_non_null(strstr(written, "\"budget_s\":null,"));
    assert_non_null(strstr(written, "\"diagnosis\":null,"));
    assert_non_null(strstr(written, "\"submission\":\"\","));
}

static void a_field_that_may_be_there_says_whether_it_is(void **state) {
    (void)state;
    assert_true(read_record(changed("\"seed\"", "\"energy\":null,\"seed\"")));
    assert_true(record.has_energy);
    assert_null(record.energy);
    assert_non_null(strstr(write_it(), "\"roof_fraction\":null,\"energy\":null,\"seed\""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_record_is_read, forget),
        cmocka_unit_test_teardown(every_recorded_result_is_read_and_written_as_it_was, forget),
        cmocka_unit_test_teardown(what_an_older_record_lacks_is_null, forget),
        cmocka_unit_test_teardown(a_newer_record_is_refused_with_what_to_do, forget),
        cmocka_unit_test_teardown(a_field_that_nobody_knows_is_passed_over, forget),
        cmocka_unit_test_teardown(what_is_no_record_is_refused, forget),
        cmocka_unit_test_teardown(a_record_of_others_may_lack_fields_and_have_other_words, forget),
        cmocka_unit_test_teardown(only_so_many_hazards_are_read, forget),
        cmocka_unit_test_teardown(zero_is_null_where_it_says_so, forget),
        cmocka_unit_test_teardown(a_field_that_may_be_there_says_whether_it_is, forget),
    };

    return cmocka_run_group_tests_name("record_fields", tests, NULL, NULL);
}
