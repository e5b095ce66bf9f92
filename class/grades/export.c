/* What class/export writes, in the forms of class/exports/. */
#include "book.h"
#include "facts.h"
#include "lib/page.h"
#include "views.h"

/* Blackboard's is its own file alone: class/exports/own.pl. */
static const struct form {
    const char *name;
    void (*write)(struct book *book);
} form[] = {
    {"blackboard", NULL},
    {"canvas", write_canvas},
    {"csv", write_csv_form},
    {"feedback", write_feedback_form},
    {"gradescope", write_gradescope},
    {"moodle", write_moodle},
};
enum { FORMS = sizeof form / sizeof *form };

/* Without a roster a submission's name stands for its person's login and number, where the learning
 * platform's files say nothing else. */
static void add_entry(struct book *book, const struct submission *of, const struct person *person) {
    struct entry entry = {of, person, false};
    struct words known = words_of("number canvas login email why");
    bool is_known = !*of->name || book->has_roster;
    for (size_t i = 0; i < known.count; i++)
        is_known |= *entry_cell(&entry, known.word[i]) != '\0';
    entry.is_guess = !is_known;
    append(book->entry, book->entries, entry);
}

static void add_entries(struct book *book, const struct submission *one) {
    size_t before = book->entries;
    for (const struct person *person = book->class->people.one; person->columns; person++)
        if (is_in(person, one->name))
            add_entry(book, one, person);
    if (book->entries == before && *one->name)
        add_entry(book, one, NULL);
}

/* With no points, where the assignment says so. */
static void add_absent(struct book *book) {
    const struct class *class = book->class;
    struct submission *nobody = keep(sizeof *nobody);
    *nobody = (struct submission){.name = "", .total_max = class->full_marks, .counting = 1};
    nobody->late.how = "";
    nobody->grade = keep((class->steps + 1) * sizeof *nobody->grade);
    for (size_t s = 0; s < class->steps; s++)
        nobody->grade[s] = (struct grade){.submission = "",
                                          .step = class->step[s],
                                          .verdict = "missing",
                                          .basis = "",
                                          .left_out = "",
                                          .pending = "",
                                          .how = "handed in nothing"};
    if (*class->assignment->fact[ABSENT].value)
        add_entries(book, nobody);
}

/* For class/exports/own.pl, which says what stands there. */
static void write_grades(const struct book *book, const char *path, bool title_given) {
    static const char *const keys[] = {"canvas", "number", "login", "email", "name"};
    const char *title = row_text(book->title);
    struct text text = {0};
    add(&text, "%s\t%s\t%s\t%s\n", total_cell(book), title, csv_text(title),
        title_given ? "given" : "");
    for (size_t i = 0; i < book->entries; i++) {
        struct entry *entry = &book->entry[i];
        if (!is_matched(entry) || !has_grade(entry->of))
            continue;
        add(&text, "%s\t%s", grade_cell(book, entry),
            replaced(feedback_cell(book, entry), "\t", " "));
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            add(&text, "\t%s", entry_cell(entry, keys[k]));
        add(&text, "\n");
    }
    write_file(path, text.bytes);
}

/* ---- who and what is missing -------------------------------------------------------------------- */

static void list_grades(struct book *book) {
    const struct class *class = book->class;
    for (const struct submission *one = class->submission; one->name; one++)
        if (one->pending)
            add(&book->listed,
                "export: submission %s: %s, still to be graded: %s: type its ./grade.sh command "
                "again (decide the flagged ones in the file flags), then this one\n",
                printable(one->name), has_grade(one) ? "not final" : "no grade",
                printable(steps_with(one, offsetof(struct grade, pending), ", ")));
    for (const struct submission *one = class->submission; one->name; one++)
        if (is_late_somehow(class, one))
            add(&book->listed,
                "export: submission %s: late by an unknown time, so nothing is taken off: a line "
                "`handed-in %s 2026-11-21 09:30` in the assignment tells when\n",
                printable(one->name), printable(one->name));
    for (const struct submission *one = class->submission; one->name; one++)
        if (!one->total_max && !one->pending)
            add(&book->listed,
                "export: submission %s: no grade: nothing of it counts, see class/points\n",
                printable(one->name));
}

static void tell(const struct book *book, bool needs_roster) {
    size_t predicted = count_predicted(book->class);
    if (needs_roster && !book->has_roster)
        fputs(
            "export: no --roster: people are identified by the submissions' names and the learning "
            "platform's files\n",
            stderr);
    if (predicted)
        fprintf(stderr,
                "export: points for speed are from predicted times, not measured ones (the rubric "
                "says predicted=1): %zu submissions\n",
                predicted);
    fputs(bytes_of(&book->listed), stderr);
}

static const struct form *form_called(const char *name) {
    struct text names = {0};
    for (size_t i = 0; i < FORMS; i++) {
        if (same(form[i].name, name))
            return &form[i];
        add(&names, " %s", form[i].name);
    }
    give_up(2, say("there is no format '%s':%s", name, names.bytes));
}

/* FORMAT,...: whether there are such, and then with [--title=TEXT] and behind it GRADES OUT
 * RESULTS.jsonl: writes them. 1: a person has to look at what was listed. */
int view_export(int count, char **words) {
    const char *title = take_text("title", &count, &words);
    struct words names = words_of(replaced(words[0], ",", " "));
    bool needs_roster = false;
    for (size_t i = 0; i < names.count; i++)
        needs_roster |= is_one_of(form_called(names.word[i])->name, "canvas moodle blackboard");
    if (count < 4)
        return 0;
    struct class class = read_class(words[3]);
    struct book book = {
        .class = &class,
        .results = words[3],
        .out = words[2],
        .title = otherwise(title, otherwise(class.assignment->fact[TITLE].value, "histolab")),
        .has_roster = is_readable(beside(words[3], "roster.csv"))};
    if (class.people.hidden)
        give_up(2, say("%s hides who is who until grades are final: then take the line out, and "
                       "type the ./grade.sh command again",
                       class.assignment->fact[ANONYMOUS].where));
    if (!class.submissions)
        give_up(2,
                say("'%s' holds no submissions: ./grade.sh SUBMISSION... grades some", words[3]));
    for (const struct submission *one = class.submission; one->name; one++)
        add_entries(&book, one);
    add_absent(&book);
    for (const struct person *person = class.people.one; person->columns; person++)
        add(&book.listed, "%s", unmatched_line("export", person));
    list_grades(&book);
    for (size_t i = 0; i < names.count; i++)
        if (form_called(names.word[i])->write)
            form_called(names.word[i])->write(&book);
    write_grades(&book, words[1], *title);
    tell(&book, needs_roster);
    return class.status ? class.status : book.listed.length > 0;
}
