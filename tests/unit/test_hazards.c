/* Tests of common/judge/findings/hazards.c: what a runner tells is checked, cleaned and bounded. */
#include "unit.h"

#include "judge/findings/hazards.h"

static struct hazards hazards;

static int forget(void **state) {
    (void)state;
    hazards = (struct hazards){0};
    return 0;
}

static struct hazard race(uint64_t first, uint64_t second) {
    return (struct hazard){
        .kind = HAZARD_RACE_IN_BLOCK,
        .places = 2,
        .place = {{.pc = first, .does = "writes"}, {.pc = second, .does = "reads"}},
        .array = "counts",
        .indexed = 1,
        .index = 17,
        .bytes = 4};
}

static void add(struct hazard hazard) { assert_true(hazards_add(&hazards, &hazard)); }

static size_t faults(void) { return hazards.of[HAZARD_FAULT].count; }

static size_t remarks(void) { return hazards.of[HAZARD_REMARK].count; }

static void each_kind_has_a_word_and_a_meaning(void **state) {
    (void)state;
    for (int kind = 0; kind < HAZARD_KINDS; kind++) {
        assert_true(strlen(hazard_word(kind)) > 0);
        assert_true(strlen(hazard_meaning(kind)) > 0);
        assert_true(strlen(hazard_remedy(kind)) > 0);
        for (int other = 0; other < kind; other++)
            assert_string_not_equal(hazard_word(kind), hazard_word(other));
    }
    assert_string_equal(hazard_word(HAZARD_RACE_IN_BLOCK), "race-in-block");
    assert_int_equal(hazard_severity(HAZARD_RACE_IN_BLOCK), HAZARD_FAULT);
    assert_int_equal(hazard_severity(HAZARD_SAME_VALUE), HAZARD_REMARK);
    assert_string_equal(hazard_severity_word(HAZARD_FAULT), "fault");
    assert_string_equal(hazard_severity_word(HAZARD_REMARK), "remark");
}

static void faults_and_remarks_are_kept_apart(void **state) {
    struct hazard remark = race(1, 2);

    (void)state;
    remark.kind = HAZARD_LOOK_BEFORE_ATOMIC;
    add(race(1, 2));
    add(remark);
    assert_int_equal(faults(), 1);
    assert_int_equal(remarks(), 1);
    assert_int_equal(hazards.of[HAZARD_FAULT].seen[0].hazard.index, 17);
    assert_string_equal(hazards.of[HAZARD_FAULT].seen[0].hazard.place[1].does, "reads");
}

static void the_same_again_tells_nothing_new(void **state) {
    struct hazard elsewhere = race(1, 2), other_array = race(1, 2);

    (void)state;
    elsewhere.index = 18;
    elsewhere.place[0].block[0] = 3;
    memcpy(other_array.array, "bins", sizeof "bins");
    add(race(1, 2));
    add(race(1, 2));
    add(race(2, 1));
    add(elsewhere);
    assert_int_equal(faults(), 1);
    assert_int_equal(hazards.of[HAZARD_FAULT].seen[0].hazard.index, 17);
    add(race(1, 3));
    add(other_array);
    assert_int_equal(faults(), 3);
    assert_int_equal(hazards.of[HAZARD_FAULT].more, 0);
}

/* What stands beyond the last place is garbage, and no difference. */
static void places_beyond_the_last_do_not_count(void **state) {
    struct hazard first = race(1, 2), second = race(1, 3);

    (void)state;
    first.places = second.places = 1;
    add(first);
    add(second);
    assert_int_equal(faults(), 1);
    first.places = second.places = 0;
    add(first);
    add(second);
    assert_int_equal(faults(), 2);
}

static void more_than_there_is_room_for_are_counted(void **state) {
    struct hazard remark = race(1, 2);

    (void)state;
    for (uint64_t i = 0; i < 1000; i++)
        add(race(i, i + 1));
    assert_int_equal(faults(), MOST_HAZARDS);
    assert_int_equal(hazards.of[HAZARD_FAULT].more, 1000 - MOST_HAZARDS);
    assert_int_equal(hazards.of[HAZARD_FAULT].seen[0].hazard.place[0].pc, 0);
    remark.kind = HAZARD_SAME_VALUE;
    add(remark);
    assert_int_equal(remarks(), 1);
    assert_int_equal(hazards.of[HAZARD_REMARK].more, 0);
}

static void what_is_no_hazard_is_refused(void **state) {
    struct hazard unknown = race(1, 2), negative = race(1, 2), crowded = race(1, 2);

    (void)state;
    unknown.kind = HAZARD_KINDS;
    negative.kind = UINT32_MAX;
    crowded.places = 3;
    assert_false(hazards_add(&hazards, &unknown));
    assert_false(hazards_add(&hazards, &negative));
    assert_false(hazards_add(&hazards, &crowded));
    assert_int_equal(faults() + remarks(), 0);
}

static void strings_end_and_are_clean(void **state) {
    struct hazard hazard = race(1, 2);

    (void)state;
    memset(hazard.array, 'a', sizeof hazard.array);
    memset(hazard.note, '\n', sizeof hazard.note);
    memset(hazard.place[0].does, 'd', sizeof hazard.place[0].does);
    memcpy(hazard.place[1].does, "\033[2J\tx\177", sizeof "\033[2J\tx\177");
    add(hazard);
    const struct hazard *kept = &hazards.of[HAZARD_FAULT].seen[0].hazard;
    assert_int_equal(strlen(kept->array), sizeof kept->array - 1);
    assert_int_equal(strlen(kept->note), sizeof kept->note - 1);
    assert_int_equal(kept->note[0], '?');
    assert_int_equal(strlen(kept->place[0].does), sizeof kept->place[0].does - 1);
    assert_string_equal(kept->place[1].does, "?[2J?x?");
}

/* Lines, in place of offsets, need no addr2line. */
static struct hazard race_at_lines(uint32_t first, uint32_t second) {
    struct hazard hazard = race(0, 0);
    hazard.place[0].line = first;
    hazard.place[1].line = second;
    return hazard;
}

static void the_same_lines_are_kept_once(void **state) {
    struct hazards of_check, of_both = {0};

    (void)state;
    for (uint32_t i = 0; i < 20; i++)
        add(race_at_lines(34, 29 + i % 2));
    struct hazard host = race_at_lines(34, 29);
    host.place[1].on_host = 1;
    add(host);
    hazards_find_places(&hazards, "build/cpu/labs/opt98_try/runner-checked");
    assert_int_equal(faults(), 3);
    assert_string_equal(hazards.of[HAZARD_FAULT].seen[0].at[0].file,
                        "labs/opt98_try/opt_2dhisto.cu");
    assert_int_equal(hazards.of[HAZARD_FAULT].seen[1].at[1].line, 30);

    /* Another program of the step has other offsets for them. */
    of_check = hazards;
    of_check.of[HAZARD_FAULT].seen[0].hazard.place[0].pc = 1234;
    of_check.of[HAZARD_FAULT].more = 2;
    hazards_add_all(&of_both, &of_check);
    hazards_add_all(&of_both, &hazards);
    assert_int_equal(of_both.of[HAZARD_FAULT].count, 3);
    assert_int_equal(of_both.of[HAZARD_FAULT].more, 2);
}

/* ---- the verdict ------------------------------------------------------------------------ */

static char diagnosis[1024];

static struct verdict settle(struct hazard hazard, enum verdict_kind kind, const char *detail,
                             const char *of_outputs) {
    struct verdict verdict = {.kind = kind};
    snprintf(verdict.detail, sizeof verdict.detail, "%s", detail);
    snprintf(diagnosis, sizeof diagnosis, "%s", of_outputs);
    hazards = (struct hazards){0};
    add(hazard);
    hazards_find_places(&hazards, "build/cpu/labs/opt98_try/runner-checked");
    hazards_settle(&hazards, &verdict, diagnosis, sizeof diagnosis);
    return verdict;
}

static void assert_detail(struct verdict verdict, const char *detail) {
    assert_int_equal(verdict.kind, VERDICT_HAZARD);
    assert_string_equal(verdict.detail, detail);
}

#define RACE "race-in-block on counts[17]: opt_2dhisto.cu:34 writes, opt_2dhisto.cu:29 reads"

static void a_fault_is_the_verdict(void **state) {
    (void)state;
    assert_detail(settle(race_at_lines(34, 29), VERDICT_PASS, "", ""), RACE);
    assert_true(strncmp(diagnosis, "Two threads of a block", 22) == 0);
    assert_non_null(strstr(diagnosis, "Between two statements put __syncthreads();"));
}

static void what_was_in_another_turn_or_call_is_told(void **state) {
    struct hazard hazard = race_at_lines(34, 29);
    (void)state;
    snprintf(hazard.note, sizeof hazard.note, NOTE_AGAIN);
    settle(hazard, VERDICT_PASS, "", "");
    assert_string_equal(diagnosis, "Line 34 has written it before, in an earlier turn or call: "
                                   "__syncthreads() is missing between line 29 and the next time "
                                   "that line 34 comes; if it never comes again, between "
                                   "lines 34 and 29.");
    hazard.kind = HAZARD_RACE_BETWEEN_LAUNCHES;
    snprintf(hazard.note, sizeof hazard.note, NOTE_TWO_STREAMS ", " NOTE_EARLIER_CALL);
    settle(hazard, VERDICT_PASS, "", "");
    assert_true(strncmp(diagnosis,
                        "Line 29 is in an earlier call than line 34, and work on two "
                        "streams runs side by side:",
                        85) == 0);
    snprintf(hazard.note, sizeof hazard.note, NOTE_EARLIER_CALL);
    settle(hazard, VERDICT_PASS, "", "");
    assert_non_null(
        strstr(diagnosis, "Line 29 is in an earlier call than line 34, and on one stream"));
}

static void what_came_of_it_is_told_too(void **state) {
    (void)state;
    assert_detail(settle(race_at_lines(34, 29), VERDICT_WRONG, "call 0, bin 7: 1, not 2",
                         "Only bin 7 is wrong."),
                  RACE "; and outputs were wrong: call 0, bin 7: 1, not 2");
    assert_non_null(strstr(diagnosis, "needs an atomic. Only bin 7 is wrong."));
    assert_detail(settle(race_at_lines(34, 29), VERDICT_NONDETERMINISTIC, "call 0", ""),
                  RACE "; and outputs were wrong: call 0");
    assert_detail(settle(race_at_lines(34, 29), VERDICT_CRASHED, "the step's process ended", ""),
                  RACE "; then: the step's process ended");
    assert_detail(settle(race_at_lines(34, 29), VERDICT_TIMED_OUT, "no answer", ""),
                  RACE "; then: no answer");
    assert_int_equal(settle(race_at_lines(34, 29), VERDICT_TIMED_OUT, "", "").outcome,
                     VERDICT_TIMED_OUT);
    assert_int_equal(settle(race_at_lines(34, 29), VERDICT_PASS, "", "").outcome, VERDICT_PASS);
}

static void a_fault_of_the_harness_stays_one(void **state) {
    (void)state;
    struct verdict verdict = settle(race_at_lines(34, 29), VERDICT_HARNESS_ERROR, "it broke", "");
    assert_int_equal(verdict.kind, VERDICT_HARNESS_ERROR);
    assert_string_equal(verdict.detail, "it broke");
    assert_string_equal(diagnosis, "");
}

static void a_use_of_freed_memory_comes_first(void **state) {
    struct hazard freed = race_at_lines(44, 80);

    (void)state;
    hazards = (struct hazards){0};
    freed.kind = HAZARD_USE_AFTER_FREE;
    add(race_at_lines(59, 49));
    add(freed);
    add(race_at_lines(60, 49));
    assert_int_equal(hazards_nth(&hazards, 0)->hazard.kind, HAZARD_USE_AFTER_FREE);
    assert_int_equal(hazards_nth(&hazards, 1)->hazard.place[0].line, 59);
    assert_int_equal(hazards_nth(&hazards, 2)->hazard.place[0].line, 60);
}

static void a_remark_is_no_verdict(void **state) {
    struct hazard hazard = race_at_lines(34, 29);

    (void)state;
    hazard.kind = HAZARD_SAME_VALUE;
    assert_int_equal(settle(hazard, VERDICT_PASS, "", "").kind, VERDICT_PASS);
    assert_int_equal(settle(hazard, VERDICT_WRONG, "", "").kind, VERDICT_WRONG);
    assert_string_equal(diagnosis, "");
}

static void what_is_not_known_is_left_out(void **state) {
    struct hazard hazard = {.kind = HAZARD_OUT_OF_BOUNDS, .places = 1};

    (void)state;
    memcpy(hazard.place[0].does, "writes", sizeof "writes");
    assert_detail(settle(hazard, VERDICT_PASS, "", ""), "out-of-bounds: an unknown line writes");
    memcpy(hazard.array, "the input", sizeof "the input");
    memcpy(hazard.note, "it has 61147 elements", sizeof "it has 61147 elements");
    assert_detail(settle(hazard, VERDICT_PASS, "", ""),
                  "out-of-bounds on the input: an unknown line writes (it has 61147 elements)");
    hazard.indexed = 1;
    hazard.index = -1;
    hazard.places = 0;
    assert_detail(settle(hazard, VERDICT_PASS, "", ""),
                  "out-of-bounds on element -1 of the input (it has 61147 elements)");
}

static void all_that_is_long_fits(void **state) {
    struct hazard hazard = race_at_lines(UINT32_MAX, 29);
    struct verdict verdict = {.kind = VERDICT_WRONG};

    (void)state;
    memset(hazard.array, 'a', sizeof hazard.array);
    memset(hazard.note, 'n', sizeof hazard.note);
    memset(hazard.place[0].does, 'd', sizeof hazard.place[0].does);
    memset(verdict.detail, 'v', sizeof verdict.detail - 1);
    memset(diagnosis, 'x', sizeof diagnosis - 1);
    for (uint32_t i = 0; i < 30; i++, hazard.place[1].line++)
        add(hazard);
    hazards_find_places(&hazards, "build/cpu/labs/opt98_try/runner-checked");
    hazards_settle(&hazards, &verdict, diagnosis, sizeof diagnosis);
    assert_int_equal(verdict.kind, VERDICT_HAZARD);
    assert_int_equal(strlen(verdict.detail), sizeof verdict.detail - 1);
    assert_non_null(strstr(verdict.detail, "(and at least 7 more); and outputs were wrong: vvv"));
    assert_int_equal(strlen(diagnosis), sizeof diagnosis - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_has_a_word_and_a_meaning),
        cmocka_unit_test_setup(faults_and_remarks_are_kept_apart, forget),
        cmocka_unit_test_setup(the_same_again_tells_nothing_new, forget),
        cmocka_unit_test_setup(places_beyond_the_last_do_not_count, forget),
        cmocka_unit_test_setup(more_than_there_is_room_for_are_counted, forget),
        cmocka_unit_test_setup(what_is_no_hazard_is_refused, forget),
        cmocka_unit_test_setup(strings_end_and_are_clean, forget),
        cmocka_unit_test_setup(the_same_lines_are_kept_once, forget),
        cmocka_unit_test_setup(a_fault_is_the_verdict, forget),
        cmocka_unit_test_setup(what_was_in_another_turn_or_call_is_told, forget),
        cmocka_unit_test_setup(what_came_of_it_is_told_too, forget),
        cmocka_unit_test_setup(a_fault_of_the_harness_stays_one, forget),
        cmocka_unit_test_setup(a_use_of_freed_memory_comes_first, forget),
        cmocka_unit_test_setup(a_remark_is_no_verdict, forget),
        cmocka_unit_test_setup(what_is_not_known_is_left_out, forget),
        cmocka_unit_test_setup(all_that_is_long_fits, forget),
    };

    return cmocka_run_group_tests_name("hazards", tests, NULL, NULL);
}
