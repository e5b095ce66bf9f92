/* Tests of common/judge/counting/counters.c: what is kept of a counts file,
 * and what a record says of it. */
#define _GNU_SOURCE
#include "unit.h"

#include <math.h>
#include <string.h>

#include "judge/counting/counters.h"
#include "judge/fault.h"

static const char head[] = "histolab-counts 1\ngpu h200 2\ncall 4 32 512 1024\n";

/* One warp of one block loads 128 bytes and adds to shared memory. */
static const char kernel[] = "op 0 memset 1024\n"
                             "op 1 kernel 30 2 3 1 32 1 1 1024 16 0 6 count<\"4\">\n"
                             "site 1 0 12 11 load global 4 6 192 24 6 0 0 6 1\n"
                             "site 1 1 13 11 atomic shared 4 6 192 0 0 60 54 192 32\n"
                             "memory 1 16 32\nhot 1 7 6 7\nsync 1 6 0 0\n"
                             "trace 1 0 0\nr 0 0 ffffffff 0 1 10:f\nr 1 0 ffffffff 10 32\nb\ne\n";

static struct counters *counters;
static char *json;
static size_t json_size;

static int forget(void **state) {
    (void)state;
    free(counters);
    free(json);
    counters = NULL;
    json = NULL;
    return 0;
}

static void count(const char *first, const char *second) {
    size_t size;
    char *text, *gpu = file_bytes("common/gpus/h200.gpu", 1 << 20, &size);
    assert_non_null(gpu);
    assert_true(asprintf(&text, "%s%s", first, second) >= 0);
    counters =
        counters_of(&(struct counters_texts){.counts = text, .gpu = gpu, .gpu_name = "made-up"});
    free(text);
    free(gpu);
}

static const char *recorded(void) {
    FILE *out = open_memstream(&json, &json_size);
    struct record_fields fields = {0};
    record_counters(counters, 10, &fields);
    record_write(out, &fields);
    fclose(out);
    return json;
}

static void assert_holds(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("no %s\nin %s", part, text);
}

static void launches_and_accesses_are_kept(void **state) {
    (void)state;
    count(head, kernel);
    if (!counters->there)
        fail_msg("%s", counters->error);
    assert_int_equal(counters->launches, 1);
    assert_int_equal(counters->accesses, 2);
    assert_string_equal(counters->access[0].kind, "atomic"); /* the costliest */
    assert_true(counters->predicted_s > 0);
    assert_true(counters->low_s <= counters->predicted_s);
    assert_true(counters->high_s >= counters->predicted_s);
    assert_false(counters->with_code);
}

static void a_record_has_them_in_its_own_words(void **state) {
    (void)state;
    count(head, kernel);
    recorded();
    assert_holds(json, ",\"counted\":{\"gpu\":\"made-up\",\"rows\":4,\"columns\":32,\"calls\":1},"
                       "\"launches\":[{\"op\":1,\"kernel\":\"count<\\\"4\\\">\",\"line\":30,"
                       "\"grid\":\"2x3\",\"block\":\"32\",\"blocks\":6,\"threads\":32,"
                       "\"registers\":null,\"shared_bytes\":1040,\"waves\":");
    assert_holds(
        json,
        ",\"counted_blocks\":6,\"barriers\":6,\"read_bytes\":512,"
        "\"written_bytes\":1024,\"hot_adds\":7,\"overlaps\":false}],\"accesses\":[{\"op\":1,");
    assert_holds(json, "\"line\":12,\"source\":\"\",\"kind\":\"load\",\"space\":\"global\","
                       "\"bytes\":4,\"requests\":6,\"lanes\":192,\"sectors\":24,\"lines\":6,"
                       "\"wavefronts\":0,\"conflicts\":0,\"same\":6,\"most\":1}],\"predicted_s\":");
    assert_holds(json, ",\"predicted_gpu\":\"made-up\",\"predicted_limit\":\"");
    assert_holds(json, ",\"predicted_shares\":{\"dram\":");
    assert_holds(json, "},\"predicted_with\":\"source\"");
}

/* The seconds stand for as many calls as the measured ones do. */
static void predicted_seconds_are_of_all_calls(void **state) {
    (void)state;
    count(head, kernel);
    counters->predicted_s = 0.25;
    counters->low_s = 0.125;
    counters->high_s = 0.5;
    assert_holds(recorded(), "\"predicted_s\":2.5,\"predicted_ci90_s\":[1.25,5],");
}

static void what_is_no_number_is_not_written(void **state) {
    (void)state;
    count(head, kernel);
    counters->launch[0].waves = NAN;
    counters->share[0].share = INFINITY;
    counters->predicted_s = NAN;
    recorded();
    assert_null(strstr(json, "nan"));
    assert_null(strstr(json, "inf"));
    assert_null(strstr(json, "predicted_s"));
}

static void what_is_no_counts_file_is_told(void **state) {
    static const char *const texts[] = {"", "name Made Up\n", "histolab-counts 2\n",
                                        "the counted run has no room for its counts\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        count(texts[i], "");
        assert_false(counters->there);
        assert_true(counters->error[0]);
        assert_null(strstr(recorded(), "counted"));
        assert_null(strstr(json, "launches"));
        forget(NULL);
    }
}

/* A step could write any file: a record stays as short as this. */
static void only_the_first_launches_and_the_costliest_accesses_are_kept(void **state) {
    enum { LAUNCHES = 100, SITES = 100 };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    fputs(head, out);
    for (int n = 0; n < LAUNCHES; n++) {
        fprintf(out, "op %d kernel 30 1 1 1 32 1 1 0 0 0 1 k\n", n);
        for (int i = 0; n == 0 && i < SITES; i++)
            fprintf(out, "site 0 %d %d 0 load global 4 1 32 %d 1 0 0 1 1\n", i, i + 1, i + 1);
        fprintf(out, "memory %d 1 1\nhot %d 0 0 0\nsync %d 0 0 0\n", n, n, n);
        fprintf(out, "trace %d 0 0\ne\n", n);
    }
    fclose(out);
    count(text, "");
    free(text);
    if (!counters->there)
        fail_msg("%s", counters->error);
    assert_int_equal(counters->launches, MOST_LAUNCHES);
    assert_int_equal(counters->launch[MOST_LAUNCHES - 1].op, MOST_LAUNCHES - 1);
    assert_int_equal(counters->accesses, MOST_ACCESSES);
    assert_int_equal(counters->access[0].sectors, SITES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(launches_and_accesses_are_kept, forget),
        cmocka_unit_test_teardown(a_record_has_them_in_its_own_words, forget),
        cmocka_unit_test_teardown(predicted_seconds_are_of_all_calls, forget),
        cmocka_unit_test_teardown(what_is_no_number_is_not_written, forget),
        cmocka_unit_test_teardown(what_is_no_counts_file_is_told, forget),
        cmocka_unit_test_teardown(only_the_first_launches_and_the_costliest_accesses_are_kept,
                                  forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
