/* Tests of common/judge/hazards.c: what a runner tells is checked, cleaned and bounded. */
#include "unit.h"

#include "judge/hazards.h"

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
    assert_int_equal(hazards.of[HAZARD_FAULT].seen[0].index, 17);
    assert_string_equal(hazards.of[HAZARD_FAULT].seen[0].place[1].does, "reads");
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
    assert_int_equal(hazards.of[HAZARD_FAULT].seen[0].index, 17);
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
    assert_int_equal(hazards.of[HAZARD_FAULT].seen[0].place[0].pc, 0);
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
    const struct hazard *kept = &hazards.of[HAZARD_FAULT].seen[0];
    assert_int_equal(strlen(kept->array), sizeof kept->array - 1);
    assert_int_equal(strlen(kept->note), sizeof kept->note - 1);
    assert_int_equal(kept->note[0], '?');
    assert_int_equal(strlen(kept->place[0].does), sizeof kept->place[0].does - 1);
    assert_string_equal(kept->place[1].does, "?[2J?x?");
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
    };

    return cmocka_run_group_tests_name("hazards", tests, NULL, NULL);
}
