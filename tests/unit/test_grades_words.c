/* Tests of class/grades: exact points, and what an instructor may write. */
#include "unit.h"

#include "begun/tokens.h"
#include "grades/amount.h"
#include "grades/assignment.h"
#include "grades/lines.h"
#include "grades/points.h"
#include "grades/private.h"
#include "grades/rubric.h"
#include "likeness/similar.h"

static amount amount_of(const char *text) {
    amount value;
    assert_true(read_amount(text, 1000000 * POINT, &value));
    return value;
}

static void points_are_decimals(void **state) {
    (void)state;
    amount value;
    assert_string_equal(amount_text(amount_of("2.345")), "2.345");
    assert_string_equal(amount_text(amount_of("1000000")), "1000000");
    assert_string_equal(points(amount_of("12345.678")), "12345.68");
    assert_string_equal(points(0), "0");
    for (const char *const *text = (const char *const[]){"", ".5", "5.", "-1", "1e3", "1x",
                                                         "1000000.5", "99999999999999999999", NULL};
         *text; text++)
        assert_false(read_amount(*text, 1000000 * POINT, &value));
}

/* 1.005 and 2.675 are a little less as binary fractions. */
static void half_a_hundredth_is_rounded_up(void **state) {
    (void)state;
    assert_string_equal(points(amount_of("1.005")), "1.01");
    assert_string_equal(points(amount_of("2.675")), "2.68");
    assert_string_equal(points(amount_of("2.674999")), "2.67");
    assert_string_equal(points(times_share(amount_of("4"), 0.75906)), "3.04");
    /* 9 of 10, of 1.15 points: 1.035; less half of it: 0.5175 */
    amount ten = amount_of("10"), nine = amount_of("9"), total = amount_of("1.15");
    assert_string_equal(points(scaled(nine, total, ten, 0)), "1.04");
    assert_string_equal(points(scaled(nine, total, ten, 50 * POINT)), "0.52");
    assert_string_equal(points(scaled(nine, total, ten, 100 * POINT)), "0");
    amount most = amount_of("1000000");
    assert_string_equal(points(scaled(1000 * most, most, 1000 * most, 0)), "1000000");
}

/* By its share of checks, at most `partial` and never more than a right one; and nothing for speed.
 */
static void a_wrong_answer_earns_a_part_where_the_rubric_says_so(void **state) {
    static const struct {
        const char *verdict;
        int checks, right;
        const char *partial, *points;
    } cases[] = {{"wrong", 12, 9, "2", "1.5"},         {"wrong", 12, 9, "20", "4.5"},
                 {"wrong", 12, 0, "2", "0"},           {"wrong", 0, 0, "2", "0"},
                 {"wrong", 12, 9, "0", "0"},           {"crashed", 12, 9, "2", "0"},
                 {"nondeterministic", 12, 9, "2", "0"}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        amount worth[RUBRIC_KEYS] = {[CORRECT] = amount_of("6"),
                                     [PARTIAL] = amount_of(cases[i].partial),
                                     [SPEED] = amount_of("4"),
                                     [IDEA] = amount_of("1"),
                                     [FULL] = POINT,
                                     [NONE] = 2 * POINT};
        struct own_version own = {.passed = true, .timed = true, .has_idea = true, .counted = true};
        struct row row = {.us = 1, .device.kind = "gpu"};
        row.r = (struct record_fields){.verdict = cases[i].verdict,
                                       .outcome = "",
                                       .has_checks = cases[i].checks > 0,
                                       .checks = cases[i].checks,
                                       .checks_right = cases[i].right};
        struct grade grade = {.row = &row,
                              .ours = &row,
                              .own = &own,
                              .own_verdict = "",
                              .step = "opt05_multiblock",
                              .intended = "",
                              .verdict = row.r.verdict,
                              .lacks = "there",
                              .basis = "",
                              .worth = worth,
                              .decision = "",
                              .reason = ""};
        grade_step(&grade);
        assert_string_equal(points(points_of(&grade)), cases[i].points);
        assert_string_equal(points(maximum_of(&grade)), "11");
    }
}

static void patterns_are_those_of_the_shell(void **state) {
    (void)state;
    for (const char *const *bad =
             (const char *const[]){"", "opt0[5*", "opt(", "[!]x", "[9-0]", "[a-b-c]", "a/b", NULL};
         *bad; bad++)
        assert_false(is_pattern(*bad));
    for (const char *const *good =
             (const char *const[]){"*", "opt0[1-5]*", "[!a]?", "[]a]", "a]", "[a-]", NULL};
         *good; good++)
        assert_true(is_pattern(*good));
    assert_true(fits("opt0[!1-4]_*", "opt05_multiblock"));
    assert_false(fits("opt0[!1-5]_*", "opt05_multiblock"));
    assert_false(fits("opt0", "opt05_multiblock"));
}

static void names_that_are_near_are_told(void **state) {
    (void)state;
    static const char *const names[] = {"due", "late", "title", "date"};
    assert_int_equal(distance("kitten", "sitting"), 3);
    assert_int_equal(distance("", "abc"), 3);
    assert_string_equal(did_you_mean("duo", names, 4), "; did you mean due?");
    assert_string_equal(did_you_mean("mate", names, 4), "; did you mean late or date?");
    assert_string_equal(did_you_mean("colour", names, 4), "");
}

static void times_are_those_of_people_tsv(void **state) {
    (void)state;
    time_t seconds;
    assert_true(read_utc("2026-11-20T22:59:01Z", &seconds));
    assert_int_equal(seconds, 1795215541);
    assert_true(read_utc("2024-02-29T00:00:00Z", &seconds));
    assert_int_equal(seconds, 1709164800);
    assert_false(read_utc("2026-11-20 22:59:01", &seconds));
    assert_false(read_utc("2026-11-20T22:59:01Z, 2026-11-21T22:59:01Z", &seconds));
}

static void a_source_is_its_tokens(void **state) {
    (void)state;
    struct tokens one = tokens_of("int a = 1; // b\n/* c\n*/ x[\"//\"] += y;\n");
    struct tokens other = tokens_of("int  b =\n 2.5f;zz[ 'q' ] += atomic_0;");
    assert_int_equal(one.count, 13);
    assert_int_equal(one.token[5].line, 3);
    assert_true(one.token[1].is_word && !one.token[3].is_word);
    assert_int_equal(hash_of_tokens(one.token, 11, false), hash_of_tokens(other.token, 11, false));
    assert_int_not_equal(hash_of_tokens(one.token, 10, true),
                         hash_of_tokens(other.token, 10, true));
    assert_int_equal(other.count, 13);
    /* What CUDA calls so, nobody calls otherwise. */
    assert_int_not_equal(one.token[11].like, other.token[11].like);
    one = tokens_of("");
    other = tokens_of("\"open /* \\");
    assert_int_equal(one.count, 0);
    assert_int_equal(other.count, 1);
}

static struct source source_of(const char *text, bool to_the_names) {
    struct source source = {.path = "none", .text = text, .all = tokens_of(text)};
    source.own = own_tokens(source.path, &source.all, to_the_names);
    find_runs(&source);
    return source;
}

/* b has the thirty tokens of a, with other names, and 31 before them. */
static void what_one_has_of_another_is_a_share_of_each(void **state) {
    (void)state;
    static const char a[] = "a1+a2-a3*a4/a5%a6&a7|a8^a9<b1>b2=b3[b4]b5{b6}";
    static const char b[] =
        "(1),(2),(3),(4),(5),(6),(7),(8)\nc1+c2-c3*c4/c5%c6&c7|c8^c9<d1>d2=d3[d4]"
        "d5{d6}";
    struct source both[] = {source_of(b, false), source_of(a, false)};
    struct sources sources = {both, 2, false};
    struct pairs pairs = find_pairs(&sources, 70);
    assert_int_equal(pairs.count, 1);
    assert_ptr_equal(pairs.one[0].a, &both[1]);
    assert_int_equal(pairs.one[0].share_a, 100);
    assert_int_equal(pairs.one[0].share_b, 100 * 30 / (30 + 31));
    size_t count, tokens;
    struct shared *shared = shared_lines(pairs.one[0].a, pairs.one[0].b, &count, &tokens);
    assert_int_equal(count, 1);
    assert_int_equal(tokens, 30);
    assert_int_equal(shared->a_first, 1);
    assert_int_equal(shared->b_first, 2);
    sources.with_published = true; /* where the other's share counts */
    assert_int_equal(find_pairs(&sources, 0).count, 0);
    both[1].is_earlier = true;
    assert_int_equal(find_pairs(&sources, 70).count, 0);
    assert_int_equal(find_pairs(&sources, 40).count, 1);
    both[0].is_earlier = true;
    assert_int_equal(find_pairs(&sources, 0).count, 0);
    struct source named[] = {source_of(b, true), source_of(a, true)};
    assert_int_equal(find_pairs(&(struct sources){named, 2, false}, 0).count, 0);
}

static uint64_t code_of(const char *source) {
    struct tokens tokens = tokens_of(source);
    return hash_but_for_names(&tokens);
}

/* Names that somebody chose, where one stands for the other throughout. */
static void a_copy_is_one_whatever_its_names(void **state) {
    static const char *const copies[] = {
        "f(int a, int b) { return a + 4 * b; } /* x */",
        "f(int  b,\n int a) // c\n{ return b + 4 * a; }",
        "call(int left, int right) { return left + 4 * right; }",
    };
    static const char *const others[] = {
        "f(int a, int b) { return b + 4 * a; }",   "f(int a, int b) { return a + 8 * b; }",
        "f(int a, int a) { return a + 4 * a; }",   "f(long a, int b) { return a + 4 * b; }",
        "f(int a, int b) { return a - 4 * b; }",   "f(int a, int b) { return a + 4 * b; };",
        "f(int a, int_t b) { return a + 4 * b; }", "",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(copies); i++)
        assert_true(code_of(copies[i]) == code_of(copies[0]));
    for (size_t i = 0; i < COUNT(others); i++)
        assert_true(code_of(others[i]) != code_of(copies[0]));
    assert_true(code_of("atomicAdd(&x, threadIdx.x)") != code_of("atomicAdd(&x, blockIdx.x)"));
    assert_true(code_of("min(a, b)") != code_of("max(a, b)"));
}

/* A stranger's line may be one long row of paths. */
static void no_page_shows_a_directory(void **state) {
    (void)state;
    char row[4 * 5000 + 1] = "";
    for (int i = 0; i < 5000; i++)
        memcpy(row + 4 * i, "=/a/", 5);
    assert_string_equal(of_student("see /srv/x/secret.cu:3 and a/b (/home/y/z)", NULL),
                        "see secret.cu:3 and a/b (z)");
    assert_null(strstr(of_student(row, NULL), "/a/"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_page_shows_a_directory),
        cmocka_unit_test(points_are_decimals),
        cmocka_unit_test(a_copy_is_one_whatever_its_names),
        cmocka_unit_test(half_a_hundredth_is_rounded_up),
        cmocka_unit_test(a_wrong_answer_earns_a_part_where_the_rubric_says_so),
        cmocka_unit_test(patterns_are_those_of_the_shell),
        cmocka_unit_test(names_that_are_near_are_told),
        cmocka_unit_test(times_are_those_of_people_tsv),
        cmocka_unit_test(a_source_is_its_tokens),
        cmocka_unit_test(what_one_has_of_another_is_a_share_of_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
