// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The leaderboard as a page for a browser: of those who have a nickname, and of nobody else.
 *
 * Places: one more than the number of those who are faster by more than chance explains. That is so
 * where the 95 % intervals of two times do not overlap, and the times differ by more than SPREAD:
 * by so much a step's times differ from process to process
 * (report/recorded/evidence/class-rate.txt: ten equal submissions, timed in one process each, lie
 * within 1.1 %). Times are compared as shares of the roof, which is measured on each GPU: boards of
 * one kind differ by up to 3 %. The roof and the library have no place. */
#include <math.h>

#include "../grades/facts.h"
#include "../grades/private.h"
#include "../grades/views.h"
#include "lib/page.h"
#include "lib/text.h"
#include "nicknames.h"

#define SPREAD 0.015

/* A line of a board. */
struct entry {
    const char *label;
    bool is_person;
    size_t right;           /* answers; on the board of one step nobody counts them */
    struct timed shown;     /* as measured */
    double share;           /* of the roof */
    double time, low, high; /* as multiples of the roof, where that is known */
    double key;             /* what entries are sorted by */
    size_t place;           /* of a person */
};

struct board {
    const struct class *class;
    struct nicknames names;
    enum timing timing;
    struct entry **entry;
    size_t count;
};

/* ---- entries ------------------------------------------------------------------------------------ */

static struct entry *add_entry(struct board *board, const char *label, bool is_person,
                               struct timed of) {
    struct entry *entry = keep(sizeof *entry);
    double unit = isnan(of.roof) ? 1 : of.roof;
    of.low = isnan(of.low) ? of.us : of.low;
    of.high = isnan(of.high) ? of.us : of.high;
    *entry = (struct entry){
        .label = label,
        .is_person = is_person,
        .shown = of,
        .share = ratio_of(of.roof, of.us),
        .time = of.us / unit,
        .low = of.low / unit,
        .high = of.high / unit,
        .key = of.us / unit,
    };
    board->entry = keep_more(board->entry, board->count, sizeof entry);
    board->entry[board->count++] = entry;
    return entry;
}

static void add_people(struct board *board, size_t step) {
    for (size_t i = 0; i < board->names.count; i++) {
        const struct grade *grade = &board->names.one[i].who->grade[step];
        struct timed of = timed_grade(grade, board->timing);
        if (!isnan(of.us) && is_right(grade))
            add_entry(board, board->names.one[i].name, true, of);
    }
}

/* The library that was timed for the step's problem, the fastest of several. */
static const struct row *library_of(const struct class *class, const char *step) {
    const struct row *best = NULL;
    const char *problem = "";
    for (size_t i = 0; i < class->own.count; i++)
        if (same(class->own.row[i]->r.step, step) && *class->own.row[i]->r.problem)
            problem = class->own.row[i]->r.problem;
    for (size_t i = 0; *problem && i < class->libraries.count; i++) {
        const struct row *row = class->libraries.row[i];
        if (same(row->r.problem, problem) && !isnan(row->us) && (!best || row->us <= best->us))
            best = row;
    }
    return best;
}

/* What is no person: the roof and the library, where they were measured and all entries know their
 * share. */
static void add_marks(struct board *board, size_t step) {
    double roof = times_of_step(board->class, step, board->timing).us[ROOF];
    const struct row *library = library_of(board->class, board->class->step[step]);
    for (size_t i = 0; i < board->count; i++)
        if (isnan(board->entry[i]->share))
            return;
    if (isnan(roof))
        return;
    add_entry(board, "the roof: one read of the input", false,
              (struct timed){roof, NAN, NAN, roof});
    if (library)
        add_entry(board, say("%s, a library", step_shown(library)), false,
                  (struct timed){library->us, library->us_low, library->us_high, roof});
}

/* By right answers, and by the geometric mean of the times' multiples of the roof over these. */
static void add_overall(struct board *board, const struct nickname *one) {
    double us = 0, low = 0, high = 0, count = 0;
    size_t right = 0, steps = board->class->steps;
    for (size_t s = 0; s < steps; s++) {
        const struct grade *grade = &one->who->grade[s];
        struct timed of = timed_grade(grade, board->timing);
        double unit = board->timing == MEASURED ? of.roof : 1;
        right += is_right(grade);
        if (!is_right(grade) || isnan(of.us) || isnan(unit))
            continue;
        count++;
        us += log(of.us / unit);
        low += log((isnan(of.low) ? of.us : of.low) / unit);
        high += log((isnan(of.high) ? of.us : of.high) / unit);
    }
    struct timed mean = {exp(us / count), exp(low / count), exp(high / count),
                         board->timing == MEASURED ? 1 : NAN};
    struct entry *entry =
        add_entry(board, one->name, true, count > 0 ? mean : (struct timed){1, NAN, NAN, NAN});
    entry->right = right;
    entry->key = (steps - right) * 1e6 + entry->time;
}

/* ---- places ------------------------------------------------------------------------------------- */

/* More right answers go before speed; on the board of one step all have one. */
static bool is_ahead(const struct entry *a, const struct entry *b) {
    if (a->right != b->right)
        return a->right > b->right;
    return a->high < b->low && b->time > a->time * (1 + SPREAD);
}

static int by_key(const void *a, const void *b) {
    double one = ((const struct entry *)a)->key, other = ((const struct entry *)b)->key;
    return (one > other) - (one < other);
}

static void find_places(struct board *board) {
    for (size_t a = 0; a < board->count; a++) {
        board->entry[a]->place = 1;
        for (size_t b = 0; b < board->count; b++)
            board->entry[a]->place +=
                board->entry[b]->is_person && is_ahead(board->entry[b], board->entry[a]);
    }
    sort_stably(board->entry, board->count, by_key);
}

static const char *place_shown(const struct board *board, const struct entry *entry) {
    size_t sharing = 0;
    for (size_t i = 0; i < board->count; i++)
        sharing += board->entry[i]->is_person && board->entry[i]->place == entry->place;
    return entry->is_person ? say("%s%zu", sharing > 1 ? "=" : "", entry->place) : "";
}

/* ---- boards ------------------------------------------------------------------------------------- */

static struct table *new_board(void) {
    struct table *table = new_table();
    table_column(table, "place", RIGHT);
    table_column(table, "who", LEFT);
    return table;
}

static void show_step(struct page *page, struct board board, size_t step) {
    const char *name = board.class->step[step];
    struct table *table = new_board();
    add_people(&board, step);
    if (!board.count)
        return;
    add_marks(&board, step);
    find_places(&board);
    heading_at(page, 2, printable(name), file_name(name));
    table_column(table, board.timing == MEASURED ? "us a call" : "us a call, predicted", RIGHT);
    table_column(table, "interval", RIGHT);
    table_column(table, "% of the roof", RIGHT);
    for (size_t i = 0; i < board.count; i++) {
        const struct entry *entry = board.entry[i];
        const struct timed *of = &entry->shown;
        row(table);
        if (!entry->is_person)
            attribute(table, "class", "mark");
        put(table, place_shown(&board, entry));
        put_heading(table, entry->label);
        put(table, say("%s%s", board.timing == MEASURED ? "" : "~", significant(of->us, 4)));
        put(table, of->low < of->high
                       ? say("%s to %s", significant(of->low, 4), significant(of->high, 4))
                       : "");
        put(table, percent(entry->share));
    }
    put_table(page, table);
}

static void show_overall(struct page *page, struct board board) {
    struct table *table = new_board();
    heading_at(page, 2, "Overall", "overall");
    if (board.timing != NOT_TIMED)
        paragraph(page, "By right answers, then by speed: the geometric mean of the shares of the "
                        "roof, over all right answers.");
    for (size_t i = 0; i < board.names.count; i++)
        add_overall(&board, &board.names.one[i]);
    find_places(&board);
    table_column(table, say("right of %zu", board.class->steps), RIGHT);
    if (board.timing == MEASURED)
        table_column(table, "% of the roof", RIGHT);
    for (size_t i = 0; i < board.count; i++) {
        row(table);
        put(table, place_shown(&board, board.entry[i]));
        put_heading(table, board.entry[i]->label);
        put(table, say("%zu", board.entry[i]->right));
        if (board.timing == MEASURED)
            put(table, percent(board.entry[i]->share));
    }
    put_table(page, table);
}

static void explain(struct page *page, const struct board *board) {
    static const char places[] =
        "A place is one more than the number of those who are faster by more than chance explains: "
        "the %d %% intervals of the times do not overlap, and the times differ by more than %g %%. "
        "With = several share a place.";
    paragraph(page, say("Everybody on it wants to be there. %s",
                        board->timing == NOT_TIMED
                            ? "No times were measured, so it shows who has most right answers."
                            : say(places, board->timing == MEASURED ? 95 : 90, 100 * SPREAD)));
    if (board->timing == FORESEEN)
        paragraph(page, "All times are predicted for a GPU, not measured: the rubric says "
                        "predicted=1.");
    if (!board->names.count)
        paragraph(page, "Nobody yet.");
}

/* NICKNAMES PAGE.html RESULTS.jsonl */
int view_leaderboard(int count, char **words) {
    if (count != 3)
        give_up(2, "needs the file of nicknames, the page to write, and RESULTS.jsonl");
    struct class class = read_class(words[2], assignment_named());
    struct board board = {
        .class = &class,
        .names = read_nicknames(words[0], &class),
        .timing = timing_of(&class),
    };
    const char *title = class.assignment->fact[TITLE].value;
    struct page *page = new_page();
    page->title = say("Leaderboard%s%s", *title ? ": " : "", title);
    page->styles[1] = "class/overview/page.css";
    page->sealed = true;
    heading(page, 1, page->title);
    explain(page, &board);
    if (board.names.count)
        show_overall(page, board);
    for (size_t s = 0; s < class.steps; s++)
        show_step(page, board, s);
    write_page_to(page, HTML, words[1]);
    return class.status;
}
