/* Tests of what class/ shows of a class: facts, and pages that hold whatever somebody wrote.
 */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "grades/points.h"
#include "grades/private.h"
#include "lib/text.h"
#include "grades/views.h"

/* ---- a class ------------------------------------------------------------------------------------ */

static char folder[] = "/tmp/histolab-class-XXXXXX";

static const char *in_folder(const char *name) { return say("%s/%s", folder, name); }

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    write_file(in_folder("rubric"), "* correct=6 speed=4 full=1.2 none=10\n");
    setenv("RUBRIC", in_folder("rubric"), 1);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    return system(say("rm -r %s", folder));
}

static const char *quoted(const char *text) {
    struct text json = {0};
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || strchr("\\\"", *text))
            add(&json, "\\u%04x", *text);
        else
            add(&json, "%c", *text);
    return say("\"%s\"", bytes_of(&json));
}

/* Of three steps of a ladder; verdicts is a letter for each, . for no record. */
static void add_records(struct text *records, const char *who, const char *verdicts,
                        const char *detail) {
    for (int step = 1; *verdicts; verdicts++, step++)
        if (*verdicts != '.')
            add(records,
                "{\"submission\":%s,\"step\":\"opt%02d_x\",\"verdict\":\"%s\",\"detail\":%s,"
                "\"diagnosis\":%s,\"device\":{\"kind\":\"gpu\",\"name\":\"G\"},"
                "\"iterations\":1000,\"median_s\":%s,\"ci95_s\":[0.1,0.2],\"roof_fraction\":0.5}\n",
                quoted(who), step, *verdicts == 'p' ? "pass" : "wrong", quoted(detail),
                quoted(detail), *verdicts == 'p' ? "0.1" : "null");
}

static struct class class_of(const struct text *records) {
    write_file(in_folder("results.jsonl"), records->bytes);
    return read_class(in_folder("results.jsonl"));
}

/* ---- points ------------------------------------------------------------------------------------- */

static void add_step(const char *step, const char *builds_on, const char *source) {
    const char *at = say("%s/%s", in_folder("labs"), step);
    mkdir(in_folder("labs"), 0700);
    mkdir(at, 0700);
    write_file(say("%s/step.md", at), say("title: x\nbuilds-on: %s\n\n", builds_on));
    write_file(say("%s/opt_sum.cu", at), source);
}

static void add_time(struct text *records, const char *who, const char *step, double seconds) {
    add(records,
        "{\"submission\":\"%s\",\"step\":\"%s\",\"verdict\":\"pass\",\"device\":{\"kind\":"
        "\"gpu\",\"name\":\"G\"},\"iterations\":1000,\"median_s\":%g,\"ci95_s\":[%g,%g]}\n",
        who, step, seconds, seconds, seconds);
}

static const struct grade *grade_in(const struct class *class, const char *step) {
    size_t s = 0;
    while (!same(class->step[s], step))
        s++;
    return &class->submission[0].grade[s];
}

/* What is handed out complete is worth nothing; a copy of the step before earns nothing for its
 * speed; speed counts only where this project's own version gains something. */
static void speed_counts_from_the_step_before_on(void **state) {
    static const struct {
        double seconds;
        const char *speed;
    } cases[] = {{0.1, "4"}, {0.105, "4"}, {0.145, "2"}, {0.2, "0"}, {0.3, "0"}};
    (void)state;
    setenv("LABS", in_folder("labs"), 1);
    write_file(in_folder("rubric"), "* correct=6 speed=4 full=1.05 none=before\n");
    add_step("sum01_x", "none", "all of it\n");
    add_step("sum02_x", "sum01_x", "/* BEGIN SOLUTION: x */\n");
    add_step("sum03_x", "sum02_x", "/* TODO: x */\n");
    add_step("sum04_x", "sum00_x", "/* TODO: x */\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text records = {0};
        for (const char *const *who = (const char *const[]){"", "ann", NULL}; *who; who++) {
            add_time(&records, *who, "sum01_x", 0.2);
            add_time(&records, *who, "sum02_x", **who ? cases[i].seconds : 0.1);
            add_time(&records, *who, "sum03_x", 0.099);
            add_time(&records, *who, "sum04_x", **who ? 0.15 : 0.1);
        }
        struct class class = class_of(&records);
        assert_string_equal(points(grade_in(&class, "sum02_x")->speed), cases[i].speed);
        assert_true(grade_in(&class, "sum02_x")->speed_max == 4 * POINT);
        assert_true(maximum_of(grade_in(&class, "sum01_x")) == 0);
        assert_non_null(strstr(grade_in(&class, "sum01_x")->how, "handed out complete"));
        assert_true(grade_in(&class, "sum03_x")->speed_max == 0); /* it gains 1 % */
        assert_non_null(strstr(grade_in(&class, "sum04_x")->how, "none from 2.10 on: the step "
                                                                 "before has no time here"));
    }
    write_file(in_folder("rubric"), "* correct=6 speed=4 full=1.2 none=10\n");
}

/* ---- pages -------------------------------------------------------------------------------------- */

static const char *const hostile[] = {
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)> 'q' &amp; </td></table>",
    "=cmd()|' /C calc'!A0 | a | `code` [x](javascript:1)",
    "\001\002code\006\007javascript:1\010title\010\033[31mred\tline\nbreak\r\177",
    "\342\200\256 \330\243\330\255 \342\200\213\357\273\277",
    "\xff\xfe broken \xc3( \xe2\x82",
    "--> <!-- </pre></style></section> ]]> \\",
};

/* It has tags that the page writer and the views know, and no other; what opens is closed. Of a
 * chart only its end is looked for. */
static void assert_is_html(const char *text) {
    const char *open[64];
    size_t depth = 0;
    for (text = strstr(text, "</style>") + strlen("</style>"); (text = strchr(text, '<')); text++) {
        bool closes = text[1] == '/';
        const char *name = text + 1 + closes;
        size_t length = strcspn(name, " >\n");
        name = say("%.*s", (int)length, name);
        assert_true(is_one_of(name, "html head body h1 h2 h3 p b code span a div table thead tbody "
                                    "tr th td ul li pre section nav figure figcaption svg"));
        if (is_one_of(name, "head body html"))
            continue;
        if (same(name, "svg")) {
            assert_non_null(text = strstr(text, "</svg>"));
            continue;
        }
        if (!closes)
            open[depth++] = name;
        else
            assert_string_equal(open[--depth], name);
        assert_true(depth < COUNT(open));
    }
    assert_int_equal(depth, 0);
}

static void assert_is_plain(const char *text) { assert_string_equal(printable_lines(text), text); }

static void pages_hold_whatever_somebody_wrote(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(hostile); i++) {
        bool broken = i == 5; /* JSON has to be UTF-8 */
        struct text records = {0};
        add_records(&records, "", "ppp", "");
        add_records(&records, "ann", "pw.", broken ? "" : hostile[i]);
        add_records(&records, broken ? "x" : hostile[i], "wpw", "");
        write_file(in_folder("people.tsv"), say("submission\tname\twhy\tlikely\nann\t%s\t%s\t%s\n",
                                                printable(hostile[i]), hostile[i], hostile[i]));
        struct class class = class_of(&records);
        char *feedback[] = {folder, say("%s", in_folder("results.jsonl"))};
        char *overview[] = {say("%s", in_folder("people.tsv")), say("%s", in_folder("page.html")),
                            feedback[1]};
        assert_int_equal(view_feedback(2, feedback), 0);
        for (const struct submission *one = class.submission; one->name; one++) {
            const char *path = in_folder(file_name(one->name));
            const char *html = file_text(say("%s.html", path));
            const char *markdown = file_text(say("%s.md", path));
            assert_is_html(html);
            assert_is_plain(html);
            assert_is_plain(file_text(say("%s.txt", path)));
            assert_is_plain(markdown);
            assert_null(strstr(markdown, "<script"));
        }
        assert_int_equal(view_overview(3, overview), 0);
        assert_is_html(file_text(overview[1]));
        assert_is_plain(file_text(overview[1]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speed_counts_from_the_step_before_on),
        cmocka_unit_test(pages_hold_whatever_somebody_wrote),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
