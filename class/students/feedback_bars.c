// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The chart of a page of feedback: the share of the roof by step, on a log scale, as bars of text.
 */
#include <math.h>

#include "../grades/phrases.h"
#include "feedback.h"
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

void put_chart(const struct feedback *to) {
    if (is_timed(to))
        put_bars(to);
    else
        paragraph(to->page,
                  say("Speed was not measured%s",
                      is_foretold(to) ? ". Times with a tilde are predicted." : ": no chart."));
}
