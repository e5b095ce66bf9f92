/* Tests of report/lib/hazards.h, counters.h and of what files hold (text.h, steps.h).
 * tests/cli/counters.bats and desk.bats have the pages that these words are for. */
#include "unit.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/counters.h"
#include "lib/hazards.h"
#include "lib/steps.h"
#include "lib/text.h"

static void hazards_name_array_element_lines_and_note(void **state) {
    (void)state;
    struct places_fields place[] = {
        {.file = "labs/x/a.cu", .line = 7, .does = "reads", .block = {2}, .thread = {5}},
        {.file = "", .line = NAN, .does = "writes", .thread = {5, 1, 0}, .host = RECORD_FALSE}};
    struct hazards_fields hazard = {
        .kind = "race-in-block", .array = "counts", .index = 17, .note = "", .places = {place, 2}};
    assert_string_equal(hazard_in_short(&hazard),
                        "race-in-block on counts[17]: a.cu:7 reads, an unknown line writes");
    assert_string_equal(hazard_place(&place[0]), "labs/x/a.cu:7: reads (thread 5 of block 2)");
    assert_string_equal(hazard_place(&place[1]),
                        "an unknown line: writes (thread (5,1,0) of block 0)");
    place[0].host = RECORD_TRUE;
    assert_string_equal(hazard_place(&place[0]), "labs/x/a.cu:7: reads (on the host)");
    assert_non_null(strstr(hazard_remedy(&hazard), "__syncthreads()"));
    hazard = (struct hazards_fields){.kind = "x", .array = "the input", .index = -1, .note = "n"};
    assert_string_equal(hazard_in_short(&hazard), "x on element -1 of the input (n)");
    assert_string_equal(hazard_remedy(&hazard), "");
    hazard = (struct hazards_fields){.kind = "leak", .array = "", .index = NAN, .note = ""};
    assert_string_equal(hazard_title(&hazard), "leak");
}

/* DRAM takes 10 us for twice 22.436 MB at the 4487.2 GB/s of common/gpus/h200.gpu, whatever else
 * the step moves. */
static void a_predicted_share_of_the_roof_is_of_the_bytes_that_have_to_move(void **state) {
    struct launches_fields launch = {.read_bytes = 4e9, .written_bytes = 0};
    struct counted_fields counted = {.rows = 10, .columns = 100};
    struct row row = {.predicted_us = 20, .predicted_low_us = NAN, .predicted_high_us = NAN};
    (void)state;
    row.r = (struct record_fields){.rows = 5,
                                   .columns = 100,
                                   .bytes = 22436000,
                                   .counted = &counted,
                                   .predicted_gpu = "h200",
                                   .predicted_limit = "dram",
                                   .launches = {&launch, 1}};
    assert_non_null(strstr(predicted_of_row(&row), ", 50 % of the roof, limited by DRAM"));
    row.r.predicted_gpu = "x9";
    assert_null(strstr(predicted_of_row(&row), "roof"));
}

static void a_word_of_several_is_whole(void **state) {
    (void)state;
    assert_true(is_one_of("pass", "wrong pass") && is_one_of("wrong", "wrong pass"));
    assert_false(is_one_of("", "wrong pass") || is_one_of("as", "wrong pass"));
    assert_false(is_one_of("wrong pass", "wrong pass"));
}

static void write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void a_nul_ends_no_text_and_two_sources_make_one_step(void **state) {
    (void)state;
    char labs[] = "/tmp/histolab-labs-XXXXXX";
    assert_non_null(mkdtemp(labs));
    const char *step = say("%s/opt01_x", labs);
    assert_int_equal(mkdir(step, 0700), 0);
    write_bytes(say("%s/opt_sum.cu", step), "a\0b\nc", 5);
    write_bytes(say("%s/opt_sum.old.cu", step), "", 0);
    setenv("LABS", labs, 1);
    size_t count;
    const char *const *name = all_steps(&count);
    const char *source = step_source("opt01_x"), *none = step_source("opt01");
    const char **line = lines_of_file(say("%s/opt_sum.cu", step));
    unsetenv("LABS");
    unlink(say("%s/opt_sum.cu", step));
    unlink(say("%s/opt_sum.old.cu", step));
    rmdir(step);
    rmdir(labs);
    assert_int_equal(count, 1);
    assert_string_equal(name[0], "opt01_x");
    assert_string_equal(source, "labs/opt01_x/opt_sum.cu");
    assert_string_equal(none, "");
    assert_string_equal(printable(line[0]), "a b");
    assert_string_equal(line[1], "c");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hazards_name_array_element_lines_and_note),
        cmocka_unit_test(a_predicted_share_of_the_roof_is_of_the_bytes_that_have_to_move),
        cmocka_unit_test(a_word_of_several_is_whole),
        cmocka_unit_test(a_nul_ends_no_text_and_two_sources_make_one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
