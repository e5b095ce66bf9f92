// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Tests of report/charts/labels.h: places of labels. tests/cli/energy.bats looks at those that
 * gnuplot has drawn. */
#include "unit.h"

#include "charts/labels.h"

static bool cover(const struct label *a, const struct label *b) {
    return a->left < b->right && b->left < a->right && a->bottom < b->top && b->bottom < a->top;
}

static bool covers_point(const struct label *a, const struct spot *point) {
    return a->left < point->x && point->x < a->right && a->bottom < point->y && point->y < a->top;
}

static void a_crowd_has_labels_that_cover_nothing(void **state) {
    struct labels labels = {.wide = 500, .high = 400};
    (void)state;
    for (int i = 0; i < 30; i++)
        add_point(&labels, 200 + i * 37 % 60, 180 + i * 53 % 50);
    for (size_t i = 0; i < labels.points; i++)
        assert_non_null(place_label(&labels, i, 2 + i % 7));
    for (size_t i = 0; i < labels.count; i++) {
        const struct label *label = &labels.label[i];
        assert_true(label->left >= 0 && label->right <= 500);
        assert_true(label->bottom >= 0 && label->top <= 400);
        for (size_t j = 0; j < labels.points; j++)
            assert_false(covers_point(label, &labels.point[j]));
        for (size_t j = 0; j < i; j++)
            assert_false(cover(label, &labels.label[j]));
    }
}

static void a_label_alone_stands_at_its_point(void **state) {
    struct labels labels = {.wide = 500, .high = 400};
    (void)state;
    const struct label *label = place_label(&labels, add_point(&labels, 100, 100), 2);
    assert_true(label->left > 100 && label->left < 115 && !label->is_far);
    assert_true(label->bottom < 100 && label->top > 100);
    add_line(&labels, 300, 100, 500, 100); /* labels should rather not lie on it */
    label = place_label(&labels, add_point(&labels, 300, 100), 2);
    assert_true(label->right < 300 && !label->is_far);
}

static void where_there_is_no_room_there_is_no_label(void **state) {
    struct labels labels = {.wide = 40, .high = 30};
    (void)state;
    assert_null(place_label(&labels, add_point(&labels, 20, 15), 10));
    assert_int_equal(labels.count, 0);
    assert_int_equal(crowd_around(&labels, 0), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_has_labels_that_cover_nothing),
        cmocka_unit_test(a_label_alone_stands_at_its_point),
        cmocka_unit_test(where_there_is_no_room_there_is_no_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
