/* Tests of common/judge/record.c. jq must read every record, and give back what was put in. Files
 * are made in a new directory under TMPDIR or /tmp, and removed again. */
#define _GNU_SOURCE
#include "unit.h"

#include <limits.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "judge/fault.h"
#include "judge/record.h"

static char directory[PATH_MAX], path[PATH_MAX + 16];

static int make_directory(void **state) {
    const char *parent = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%s/test_record.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/it", directory);
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void put_file(const char *text) {
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static struct record plain(void) {
    return (struct record){
        .fields.submission = "",
        .fields.step = "opt05_multiblock",
        .fields.kind = "step",
        .fields.problem = "opt_2dhisto",
        .fields.input = "walk",
        .fields.source_sha256 = "",
        .fields.histolab = "",
        .fields.harness = "",
        .fields.timing = "",
        .shape = {4096, 3984},
        .device.is = {.kind = "cpu", .name = "histolab emulator", .driver = "none", .sms = 8},
        .iterations = 1000,
        .calls = 1000,
        .fields.bytes = 65273856,
        .seed = UINT64_MAX,
    };
}

/* What `jq -j FILTER` prints of the file: it must succeed, so the file must be JSON. */
static const char *jq(const char *filter) {
    static char output[4096];
    char command[2 * PATH_MAX];

    snprintf(command, sizeof command, "jq -j '%s' %s", filter, path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
    if (pclose(pipe) != 0)
        fail_msg("jq cannot read the record");
    return output;
}

static void append(const struct record *record) {
    unlink(path);
    record_append(record, path);
}

static void what_was_not_measured_is_null(void **state) {
    static const char *const keys[] = {"samples_s", "audit_s",      "median_s", "ci95_s",
                                       "synced_s",  "speedup",      "gbps",     "reference_s",
                                       "roof_gbps", "roof_fraction"};
    struct record record = plain();
    char filter[80];

    (void)state;
    append(&record);
    for (size_t i = 0; i < COUNT(keys); i++) {
        snprintf(filter, sizeof filter, "has(\"%s\"), .%s", keys[i], keys[i]);
        assert_string_equal(jq(filter), "truenull");
    }
    assert_string_equal(jq(".device | has(\"spec_gbps\"), .spec_gbps"), "truenull");
    assert_string_equal(jq(".verdict, .detail, .scaled"), "passfalse");
    assert_string_equal(jq("has(\"diagnosis\"), .diagnosis"), "truenull");
}

static void energy_is_there_where_it_was_asked_for(void **state) {
    struct record record = plain();

    (void)state;
    append(&record);
    assert_string_equal(jq("has(\"energy\")"), "false");
    record.fields.has_energy = true;
    append(&record);
    assert_string_equal(jq("has(\"energy\"), .energy"), "truenull");
    record.energy = (struct energy_fields){.joules = 0.0075,
                                           .low = 0.0074,
                                           .high = 0.0076,
                                           .watts = 500,
                                           .idle_watts = 120,
                                           .calls = 300000,
                                           .call_s = 15e-6,
                                           .temperature_c = {41, 47}};
    append(&record);
    assert_string_equal(jq(".energy | tojson"),
                        "{\"calls\":300000,\"joules\":0.0075,\"low\":0.0074,\"high\":0.0076,"
                        "\"watts\":500,\"idle_watts\":120,\"call_s\":1.5e-05,"
                        "\"temperature_c\":[41,47],\"sm_mhz\":null,\"uuid\":\"\"}");
}

static void hazards_are_a_list(void **state) {
    struct record record = plain();
    struct hazard
        fault = {.kind = HAZARD_RACE_IN_BLOCK,
                 .places = 2,
                 .place = {{.line = 34, .block = {1, 0, 2}, .thread = {5, 6, 7}, .does = "writes"},
                           {.line = 0, .on_host = 1, .does = "reads"}},
                 .array = "a\"b",
                 .indexed = 1,
                 .index = -17,
                 .bytes = 4,
                 .note = "the array has 1024 elements"},
        remark = {.kind = HAZARD_ALLOCATES_IN_CALL};

    (void)state;
    append(&record);
    assert_string_equal(jq("[.hazards, .more_hazards, .outcome] | tojson"), "[[],null,null]");
    assert_true(hazards_add(&record.hazards, &remark));
    assert_true(hazards_add(&record.hazards, &fault));
    hazards_find_places(&record.hazards, "build/cpu/labs/opt98_try/runner-checked");
    record.hazards.of[HAZARD_REMARK].more = 7;
    hazards_settle(&record.hazards, &record.verdict, record.diagnosis, sizeof record.diagnosis);
    append(&record);
    assert_string_equal(
        jq(".hazards[0] | del(.places) | tojson"),
        "{\"kind\":\"race-in-block\",\"severity\":\"fault\",\"array\":\"a\\\"b\",\"index\":-17,"
        "\"bytes\":4,\"note\":\"the array has 1024 elements\"}");
    assert_string_equal(jq(".hazards[0].places | tojson"),
                        "[{\"file\":\"labs/opt98_try/opt_2dhisto.cu\",\"line\":34,\"source\":\"\","
                        "\"does\":\"writes\",\"block\":[1,0,2],\"thread\":[5,6,7],\"host\":false},"
                        "{\"file\":\"\",\"line\":null,\"source\":\"\",\"does\":\"reads\","
                        "\"block\":[0,0,0],\"thread\":[0,0,0],\"host\":true}]");
    assert_string_equal(jq(".hazards[1] | tojson"),
                        "{\"kind\":\"allocates-in-call\",\"severity\":\"remark\",\"array\":\"\","
                        "\"index\":null,\"bytes\":null,\"note\":\"\",\"places\":[]}");
    assert_string_equal(jq(".more_hazards"), "7");
    assert_string_equal(jq(".verdict, .outcome"), "hazardpass");
}

/* The CPU reference has samples, and no second clock. */
static void samples_without_an_audit(void **state) {
    struct record record = plain();

    (void)state;
    record.samples = 1;
    record.samples_s[0] = 1.5;
    append(&record);
    assert_string_equal(jq("[.samples_s, .audit_s] | tojson"), "[[1.5],null]");
}

static void figures_follow_from_the_samples(void **state) {
    struct record record = plain();

    (void)state;
    record.device.is.spec_gbps = 4917;
    record.samples = 10;
    for (size_t i = 0; i < record.samples; i++) {
        record.samples_s[i] = (double)(10 - i);
        record.audit_s[i] = (double)(20 - i);
    }
    record.fields.ci95_s[0] = 2;
    record.fields.ci95_s[1] = 9;
    record.fields.reference_s = 55;
    record.fields.synced_s = 7;
    record.fields.roof_gbps = 23.736;
    record.calls = 10;
    append(&record);
    assert_string_equal(jq(".samples_s | tojson"), "[10,9,8,7,6,5,4,3,2,1]");
    assert_string_equal(jq(".audit_s[0]"), "20");
    assert_string_equal(jq("[.median_s, .ci95_s, .synced_s, .speedup] | tojson"),
                        "[5.5,[2,9],7,10]");
    assert_string_equal(jq(".scaled, .iterations, .calls, .bytes"), "true10001065273856");
    /* 65273856 bytes a call, 1000 calls in 5.5 s */
    assert_string_equal(jq("(.gbps * 1000 | round), (.roof_fraction * 1000 | round)"), "11868500");
    assert_string_equal(jq(".device.spec_gbps"), "4917");
}

static void seeds_keep_64_bits(void **state) {
    struct record record = plain();

    (void)state;
    append(&record);
    assert_string_equal(jq(".seed"), "18446744073709551615");
    record.seed = 0;
    append(&record);
    assert_string_equal(jq(".seed"), "0");
}

static void a_diagnosis_is_a_text(void **state) {
    struct record record = plain();

    (void)state;
    record.verdict.kind = VERDICT_WRONG;
    snprintf(record.diagnosis, sizeof record.diagnosis, "`<=` in place of \"<\"");
    append(&record);
    assert_string_equal(jq(".diagnosis"), "`<=` in place of \"<\"");
}

static void check_detail(const char *detail, const char *expected) {
    struct record record = plain();

    record.verdict.kind = VERDICT_WRONG;
    snprintf(record.verdict.detail, sizeof record.verdict.detail, "%s", detail);
    append(&record);
    assert_string_equal(jq(".detail"), expected);
    assert_string_equal(jq(".verdict, .step, (keys | length > 20)"), "wrongopt05_multiblocktrue");
}

static void details_survive_as_they_are(void **state) {
    static const char *const details[] = {
        "bin 7: expected 254, got 255",
        "\"},{\"verdict\":\"pass\",\"x\":\"",
        "\\\",\\u0000 \\",
        "tab\tnew\nline\rbell\a escape\x1b[31m delete\x7f",
        "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf \xed\x9f\xbf",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(details); i++)
        check_detail(details[i], details[i]);
}

/* A step cannot write a second "verdict": that stands unescaped in the line. */
static void a_key_stands_only_where_the_key_is(void **state) {
    struct record record = plain();
    char line[4096];

    (void)state;
    record.verdict.kind = VERDICT_WRONG;
    strcpy(record.verdict.detail, "\",\"verdict\":\"pass\",\"");
    append(&record);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    const char *first = strstr(line, "\"verdict\":");
    assert_non_null(first);
    assert_null(strstr(first + 1, "\"verdict\":"));
    assert_int_equal(strncmp(first, "\"verdict\":\"wrong\"", 17), 0);
}

static void bytes_that_are_no_utf8_become_question_marks(void **state) {
    static const char *const cases[][2] = {
        {"a\xff\xfe z", "a?? z"},
        {"\x80\xbf", "??"},
        {"cut \xe2\x82", "cut ??"},
        {"cut \xf0\x9f\x98\" quote", "cut ???\" quote"},
        {"\xc0\x80 \xc1\xbf", "?? ??"},      /* overlong, two bytes */
        {"\xe0\x80\x80", "???"},             /* overlong, three */
        {"\xf0\x80\x80\x80", "????"},        /* overlong, four */
        {"\xed\xa0\x80", "???"},             /* half of a surrogate pair */
        {"\xf4\x90\x80\x80 \xf5", "???? ?"}, /* above the last character */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        check_detail(cases[i][0], cases[i][1]);
}

/* The file itself may be shown on a terminal. */
static void what_nobody_sees_is_escaped(void **state) {
    struct record record = plain();
    const char *odd = "\xc2\x85 \xc2\x9b \xe2\x80\xae \xe2\x81\xa6 \xd8\x9c \xe2\x80\xa8 "
                      "\xe2\x80\x8b \xef\xbb\xbf \xf3\xa0\x81\x81";
    const char *shown = "\xc3\xb6 \xe2\x80\x8d \xf0\x9f\x91\xa9";
    char line[4096];

    (void)state;
    check_detail(odd, odd);
    strcat(strcat(strcpy(record.verdict.detail, odd), " "), shown);
    append(&record);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) /* the last of them */
        ;
    fclose(file);
    assert_non_null(strstr(line, "\\u0085 \\u009b \\u202e \\u2066 \\u061c \\u2028 \\u200b \\ufeff "
                                 "\\udb40\\udc41 \xc3\xb6 \xe2\x80\x8d \xf0\x9f\x91\xa9\""));
}

static void numbers_that_are_not_finite_are_null(void **state) {
    struct record record = plain();

    (void)state;
    record.fields.synced_s = NAN;
    record.fields.whole_s = INFINITY;
    append(&record);
    assert_string_equal(jq("[.synced_s, .whole_s] | map(. == null) | all"), "true");
}

static void a_detail_may_be_full(void **state) {
    struct record record = plain();

    (void)state;
    memset(record.verdict.detail, '"', sizeof record.verdict.detail - 1);
    append(&record);
    assert_string_equal(jq(".detail | length"), "639");
}

static void records_are_added_one_a_line(void **state) {
    struct record record = plain();

    (void)state;
    append(&record);
    record.fields.step = "opt06_builtin_min";
    record_append(&record, path);
    assert_string_equal(jq(".step + \" \""), "opt05_multiblock opt06_builtin_min ");
    assert_string_equal(jq("input_line_number | tostring + \" \""), "1 2 ");
}

/* Run in a child: the exit status with which record code ends the judge. */
static int exit_status_of(void (*function)(void)) {
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(99);
        function();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void append_to_nowhere(void) {
    struct record record = plain();
    record_append(&record, "/no/such/directory/it.jsonl");
}

static void read_it(void) { device_read(path); }

static void a_record_that_cannot_be_written_is_a_fault(void **state) {
    (void)state;
    assert_int_equal(exit_status_of(append_to_nowhere), EXIT_HARNESS);
}

static void devices_are_read(void **state) {
    (void)state;
    put_file("kind gpu\nuuid GPU-01234567-89ab\nname NVIDIA \"H200\" \\ 1\ndriver 580.1, CUDA "
             "13.0\nspec_gbps 4916.8\n"
             "unknown thing\nsms 132\nl2_bytes 62914560\n");
    struct device device = device_read(path);
    assert_string_equal(device.is.kind, "gpu");
    assert_true(device_timed(&device));
    assert_string_equal(device.is.name, "NVIDIA \"H200\" \\ 1");
    assert_string_equal(device.is.uuid, "GPU-01234567-89ab");
    assert_string_equal(device.is.driver, "580.1, CUDA 13.0");
    assert_int_equal(device.is.sms, 132);
    assert_int_equal(device.is.l2_bytes, 62914560);
    assert_true(device.is.spec_gbps == 4916.8);

    struct record record = plain();
    record.device = device;
    append(&record);
    assert_string_equal(jq(".device.name"), device.is.name);
}

/* What a step was built with, and how the GPU is set up: null where nobody knows it. */
static void a_record_says_what_a_sceptic_asks(void **state) {
    struct record record = plain();

    (void)state;
    append(&record);
    assert_string_equal(
        jq("[.schema, .timing, .samples_asked, .build] | tojson"),
        "[1,null,null,{\"toolkit\":null,\"compiler\":null,\"flags\":null,\"cub\":null}]");
    assert_string_equal(jq(".device | has(\"ecc\")"), "false");

    put_file("kind gpu\nname x\ntoolkit 13.0\ncompiler nvcc 13.0.88 with gcc 12.2.0\ncub 3.0.1\n"
             "flags -O3 -Xcompiler=-g\n");
    record.device = device_read(path);
    record.fields.timing = "0123456789ab";
    record.fields.samples_asked = 10;
    record.fields.budget_s = 2.5;
    append(&record);
    assert_string_equal(jq("[.timing, .samples_asked, .budget_s] | tojson"),
                        "[\"0123456789ab\",10,2.5]");
    assert_string_equal(
        jq("[.build[]] | tojson"),
        "[\"13.0\",\"nvcc 13.0.88 with gcc 12.2.0\",\"-O3 -Xcompiler=-g\",\"3.0.1\"]");
    assert_string_equal(
        jq(".device | [has(\"max_sm_mhz\", \"max_memory_mhz\", \"power_limit_w\", \"ecc\", \"mig\", "
           "\"persistence\")] | all"),
        "true");
}

static void long_lines_are_read(void **state) {
    char text[2000];

    (void)state;
    snprintf(text, sizeof text, "kind gpu\nflags %0900d\nsms 3\n", 7);
    put_file(text);
    struct device device = device_read(path);
    assert_int_equal(strlen(device.build.flags), 900);
    assert_int_equal(device.is.sms, 3);
}

static void an_emulator_is_not_timed(void **state) {
    (void)state;
    put_file("kind cpu\nname histolab emulator\ndriver none\nsms 8\nl2_bytes 524288\n");
    struct device device = device_read(path);
    assert_false(device_timed(&device));
    assert_true(device.is.spec_gbps == 0);
}

static void what_is_no_device_is_wrong_usage(void **state) {
    (void)state;
    unlink(path);
    assert_int_equal(exit_status_of(read_it), EXIT_USAGE);
    put_file("");
    assert_int_equal(exit_status_of(read_it), EXIT_USAGE);
    put_file("name no kind\n");
    assert_int_equal(exit_status_of(read_it), EXIT_USAGE);
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(what_was_not_measured_is_null),
        IN_DIRECTORY(a_diagnosis_is_a_text),
        IN_DIRECTORY(energy_is_there_where_it_was_asked_for),
        IN_DIRECTORY(hazards_are_a_list),
        IN_DIRECTORY(samples_without_an_audit),
        IN_DIRECTORY(figures_follow_from_the_samples),
        IN_DIRECTORY(seeds_keep_64_bits),
        IN_DIRECTORY(details_survive_as_they_are),
        IN_DIRECTORY(a_key_stands_only_where_the_key_is),
        IN_DIRECTORY(bytes_that_are_no_utf8_become_question_marks),
        IN_DIRECTORY(what_nobody_sees_is_escaped),
        IN_DIRECTORY(numbers_that_are_not_finite_are_null),
        IN_DIRECTORY(a_detail_may_be_full),
        IN_DIRECTORY(records_are_added_one_a_line),
        cmocka_unit_test(a_record_that_cannot_be_written_is_a_fault),
        IN_DIRECTORY(devices_are_read),
        IN_DIRECTORY(a_record_says_what_a_sceptic_asks),
        IN_DIRECTORY(long_lines_are_read),
        IN_DIRECTORY(an_emulator_is_not_timed),
        IN_DIRECTORY(what_is_no_device_is_wrong_usage),
    };

    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
