// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The charts of a page of feedback: the share of the roof by step, on a log scale, as bars of text,
 * and where class/students/feedback.gp has drawn them both charts with a table beside each. */
#include <math.h>
#include <stdio.h>

#include "../grades/phrases.h"
#include "../grades/private.h"
#include "../grades/views.h"
#include "feedback.h"
#include "lib/steps.h"
#include "lib/svg.h"
#include "lib/text.h"

enum { BAR_COLUMNS = 40, NAME_COLUMNS = 26 };

static struct step_times at(const struct feedback *to, size_t step) {
    return times_of(&to->of->grade[step]);
}

static bool is_timed(const struct feedback *to) {
    for (size_t s = 0; s < to->class->steps; s++)
        if (!isnan(at(to, s).share))
            return true;
    return false;
}

static bool is_foretold(const struct feedback *to) {
    for (size_t s = 0; s < to->class->steps; s++)
        if (at(to, s).foretold > 0)
            return true;
    return false;
}

/* ---- as text ------------------------------------------------------------------------------------ */

/* How many decades below the roof the axis begins. */
static int decades_of(const struct feedback *to) {
    double lowest = NAN;
    for (size_t s = 0; s < to->class->steps; s++)
        lowest = smaller(smaller(lowest, at(to, s).share), at(to, s).own_share);
    int decades = (int)-log10(lowest) + 1;
    return decades < 1 ? 1 : decades > 9 ? 9 : decades;
}

/* The column of a share. The axis ends two columns before the last: a time may beat the roof. */
static int column_of(double share, int decades) {
    int column = (int)((log10(share) + decades) / decades * (BAR_COLUMNS - 2) + 0.5);
    return column < 1 ? 1 : column > BAR_COLUMNS ? BAR_COLUMNS : column;
}

static const char *axis(int decades) {
    const char *line = "";
    for (int d = decades; d >= 0; d--)
        if (decades <= 4 || d % 2 == 0)
            line =
                say("%s%g%%",
                    pad(line, (size_t)((double)(decades - d) / decades * (BAR_COLUMNS - 2) + 0.5)),
                    100 / pow(10, d));
    return line;
}

static const char *share_bar(const struct step_times *of, int decades) {
    struct bar_mark own = {isnan(of->own_share) ? 0 : column_of(of->own_share, decades), "|"};
    return bar(isnan(of->share) ? 0 : column_of(of->share, decades), BAR_COLUMNS, "=", &own, 1);
}

static void put_bars(const struct feedback *to) {
    int decades = decades_of(to);
    struct text lines = {0};
    add(&lines, "Share of the roof, log scale: = yours, | this project's own version\n%s%s",
        repeated(" ", NAME_COLUMNS), axis(decades));
    for (size_t s = 0; s < to->class->steps; s++) {
        struct step_times of = at(to, s);
        add(&lines, "\n%s%s %s", pad(printable(to->class->step[s]), NAME_COLUMNS),
            share_bar(&of, decades),
            isnan(of.share) ? decided_verdict(&to->of->grade[s])
                            : say("%s%%", significant(100 * of.share, 3)));
    }
    preformatted(to->page, lines.bytes);
}

/* ---- drawn, with a table ------------------------------------------------------------------------ */

static const char *four_digits(double value) { return significant(value, 4); }

/* Where the first column has no number, it has the verdict. */
struct drawn {
    const char *name, *heading, *title, *text;
    const char *(*shown)(double value);
    struct {
        const char *title;
        size_t offset; /* in struct step_times */
    } column[4];
};

#define AT(field) offsetof(struct step_times, field)
static const struct drawn shares = {
    .name = "share",
    .heading = "Share of the roof",
    .title = "Share of the roof by step, yours and this project's own",
    .text = "The roof is one streaming read of the input. The scale is logarithmic; the table has "
            "the same numbers.",
    .shown = roof_percent,
    .column = {{"yours, %", AT(share)}, {"project's own, %", AT(own_share)}},
};
static const struct drawn measured = {
    .name = "time",
    .heading = "Time of one call",
    .title = "Time of one call by step, against the roof, this project's own version and the CPU "
             "reference",
    .text =
        "The grey line leads from the roof, which is the least that reading the input takes, to "
        "your time: the longer it is, the more there is to gain. The scale is logarithmic; the "
        "table has the same numbers.",
    .shown = four_digits,
    .column = {{"yours, us", AT(us)},
               {"project's own", AT(own_us)},
               {"roof", AT(roof)},
               {"CPU", AT(reference)}},
};
static const struct drawn foretold = {
    .name = "time",
    .heading = "Time of one call, predicted, not measured",
    .title = "Predicted time of one call by step, and that of this project's own version. Not "
             "measured",
    .text = "Hollow, because nothing here is measured: times that are predicted for a GPU, with "
            "the interval in which nine of ten times should be. The scale is logarithmic; the "
            "table has the same numbers.",
    .shown = foretold_cell,
    .column = {{"yours, us, predicted", AT(foretold)},
               {"project's own, predicted", AT(own_foretold)}},
};

static double number_at(const struct step_times *of, size_t offset) {
    return *(const double *)((const char *)of + offset);
}

static const char *chart_of(const struct feedback *to, const char *kind) {
    return say("%s/%s/%s.svg", to->charts, kind, file_name(to->of->name));
}

static void put_drawn(const struct feedback *to, const struct drawn *drawn, const char *more) {
    struct table *table = new_table();
    to->page->only = HTML;
    heading(to->page, 2, drawn->heading);
    markup(to->page, "<section class=\"beside\">");
    drawing(to->page, chart_of(to, drawn->name), drawn->name, drawn->title,
            say("%s%s", more, drawn->text));
    table_column(table, "step", LEFT);
    for (size_t c = 0; c < 4 && drawn->column[c].title; c++)
        table_column(table, drawn->column[c].title, RIGHT);
    for (size_t s = 0; s < to->class->steps; s++) {
        struct step_times of = at(to, s);
        row(table);
        put_heading(table, code(short_name(to->class->step[s])));
        for (size_t c = 0; c < 4 && drawn->column[c].title; c++) {
            double value = number_at(&of, drawn->column[c].offset);
            put(table,
                !c && isnan(value) ? coloured_verdict(&to->of->grade[s]) : drawn->shown(value));
        }
    }
    put_table(to->page, table);
    markup(to->page, "</section>");
    to->page->only = 0;
}

static const char *best_in_words(const struct feedback *to) {
    size_t best = 0;
    for (size_t s = 1; s < to->class->steps; s++)
        if (isnan(at(to, best).share) || at(to, s).share > at(to, best).share)
            best = s;
    return say("%s comes nearest to the roof, with %s %%. ",
               printable(short_name(to->class->step[best])), roof_percent(at(to, best).share));
}

void put_chart(const struct feedback *to) {
    bool drawn = *to->charts, predicted = is_foretold(to);
    if (!is_timed(to)) {
        paragraph(to->page, say("Speed was not measured%s",
                                predicted ? ". Times with a tilde are predicted." : ": no chart."));
        if (drawn && predicted)
            put_drawn(to, &foretold, "");
        return;
    }
    to->page->only = drawn ? TEXT_PAGE | MARKDOWN : 0;
    if (drawn)
        image(to->page, say("%s.svg", file_name(to->of->name)),
              "Share of the roof (one read of the input), yours and this project's own", NULL);
    put_bars(to);
    to->page->only = 0;
    if (drawn) {
        put_drawn(to, &shares, best_in_words(to));
        put_drawn(to, &measured, "");
    }
}

/* ---- a chart by itself, beside the page in Markdown --------------------------------------------- */

static const char *shares_in_words(const struct feedback *to) {
    struct text text = {0};
    for (size_t s = 0; s < to->class->steps; s++) {
        struct step_times of = at(to, s);
        add(&text, "%s%s %s", s ? "; " : "", short_name(printable(to->class->step[s])),
            isnan(of.share) ? "no time" : say("%s %%", significant(100 * of.share, 3)));
        if (!isnan(of.own_share))
            add(&text, " (%s %%)", significant(100 * of.own_share, 3));
    }
    return bytes_of(&text);
}

void write_chart(const struct feedback *to, const char *path) {
    const char *drawn = chart_of(to, "share");
    if (!*to->charts || !is_timed(to))
        return;
    describe_svg(drawn, "Share of the roof, yours and this project's own",
                 say("The share of a streaming read's bandwidth that each step reaches, and in "
                     "brackets that of this project's own version: %s.",
                     shares_in_words(to)));
    const char *chart = file_text(drawn);
    write_file(path, chart ? chart : "");
}

/* ---- what feedback.gp draws --------------------------------------------------------------------- */

struct data {
    FILE *rows, *pages;
    double least, most;
};

/* A time that the axis has to show. No call takes less than a nanosecond or more than a quarter of
 * an hour. */
static const char *on_axis(struct data *data, double us) {
    if (!(us >= 0.001 && us < 1e9))
        return "NaN";
    data->least = smaller(data->least, us);
    data->most = larger(data->most, us);
    return number_or_nan(us);
}

/* Name, shares in %, the time and its interval, the roof, our own version, the verdict where there
 * is no time, the CPU reference. */
static void write_row(struct data *data, const struct grade *grade, bool timed) {
    struct step_times of = times_of(grade);
    const char *verdict = isnan(of.share) ? text_for_gnuplot(decided_verdict(grade)) : "";
    fprintf(data->rows, "%s\t%s\t%s\t", text_for_gnuplot(short_name(grade->step)),
            number_or_nan(timed ? 100 * of.share : NAN),
            number_or_nan(timed ? 100 * of.own_share : NAN));
    fprintf(data->rows, "%s\t%s\t%s\t", on_axis(data, timed ? of.us : of.foretold),
            number_or_nan(timed ? of.low : of.foretold_low),
            number_or_nan(timed ? of.high : of.foretold_high));
    fprintf(data->rows, "%s\t%s\t%s\t%s\n", on_axis(data, timed ? of.roof : NAN),
            on_axis(data, timed ? of.own_us : of.own_foretold), timed ? verdict : "",
            on_axis(data, timed ? of.reference : NAN));
}

static void write_block(struct data *data, const struct feedback *to) {
    bool timed = is_timed(to);
    if (!timed && !is_foretold(to))
        return;
    data->least = data->most = NAN;
    for (size_t s = 0; s < to->class->steps; s++)
        write_row(data, &to->of->grade[s], timed);
    fputs("\n\n", data->rows); /* gnuplot's next block */
    bool any = !isnan(data->least);
    fprintf(data->pages, "%s %s %zu %d %.0f %.0f\n", file_name(to->of->name),
            timed ? "measured" : "predicted", to->class->steps, timed ? -decades_of(to) : 0,
            any ? floor(log10(data->least)) : 0, any ? floor(log10(data->most)) + 1 : 1);
}

/* DATA RESULTS.jsonl: DATA has a block for each page, DATA.pages what the blocks are. */
int view_feedback_data(int count, char **words) {
    if (count != 2)
        give_up(2, "needs the file to write, and RESULTS.jsonl");
    struct class class = read_class(words[1], assignment_named());
    struct data data = {fopen(words[0], "w"), fopen(say("%s.pages", words[0]), "w"), NAN, NAN};
    for (size_t i = 0; data.rows && data.pages && i < class.submissions; i++) {
        struct feedback to = {&class, &class.submission[i], NULL, words[1], ""};
        write_block(&data, &to);
    }
    if (!data.rows || !data.pages || fclose(data.rows) != 0 || fclose(data.pages) != 0)
        give_up(3, say("cannot write '%s'", words[0]));
    return class.status;
}
