#include "book.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/page_parts.h"

const char *entry_cell(const struct entry *entry, const char *column) {
    const char *name = entry->of->name;
    if (entry->is_guess && is_one_of(column, "number login"))
        return name;
    if (entry->is_guess && same(column, "email"))
        return strchr(name, '@') ? name : "";
    if (entry->person)
        return person_cell(entry->person, column);
    return same(column, "name") ? name : "";
}

bool is_matched(const struct entry *entry) { return !*entry_cell(entry, "why"); }

/* ---- what cells hold --------------------------------------------------------------------------- */

const char *grade_cell(const struct book *book, const struct entry *entry) {
    return has_grade(entry->of) ? points(grade_of(book->class, entry->of)) : "";
}

const char *total_cell(const struct book *book) { return amount_text(grade_total(book->class)); }

const char *feedback_of(const struct book *book, const struct submission *one) {
    const char *text =
        file_text(beside(book->results, say("feedback/%s.txt", file_name(one->name))));
    return text ? printable_lines(text) : "";
}

const char *feedback_cell(const struct book *book, const struct entry *entry) {
    const char *html = replaced(html_escaped(feedback_of(book, entry->of)), "\n", "<br>");
    return csv_text(*html ? say("<pre>%s</pre>", html) : "");
}

enum step_is step_is(const struct grade *grade) {
    bool cleared = same(grade->verdict, "flagged") && points_of(grade) > 0;
    if (*grade->left_out || *grade->pending)
        return SKIPPED;
    return same(grade->verdict, "pass") || cleared ? PASSED : FAILED;
}

const char *step_in_words(const struct grade *grade) {
    const char *detail = grade->row ? of_student(grade->row->r.detail, grade->row) : "";
    return say("%s%s%s: %s", grade->verdict, *detail ? ": " : "", detail,
               of_student(grade->how, grade->row));
}

const char *steps_with(const struct submission *one, size_t text_of_grade, const char *between) {
    struct text text = {0};
    for (const struct grade *grade = one->grade; grade->step; grade++)
        if (**(const char *const *)((const char *)grade + text_of_grade))
            add(&text, "%s%s", text.length ? between : "", grade->step);
    return bytes_of(&text);
}

/* ---- files ------------------------------------------------------------------------------------- */

FILE *begin_file(const struct book *book, const char *file) {
    const char *path = say("%s/%s", book->out, file);
    for (const char *at = file; (at = strchr(at, '/')); at++)
        mkdir(say("%s/%.*s", book->out, (int)(at - file), file), 0777);
    FILE *out = fopen(path, "w");
    if (!out)
        give_up(2, say("cannot write to '%s': %s", path, strerror(errno)));
    return out;
}

void end_file(const struct book *book, FILE *out) {
    if (fclose(out) != 0)
        give_up(2, say("cannot write to '%s': %s", book->out, strerror(errno)));
}

static void put_encoded(FILE *out, const char *text, const char *file, const char *encoding) {
    iconv_t to = iconv_open(encoding, "UTF-8");
    size_t left = strlen(text), room = 4 * left + 4, before = room;
    char *encoded = keep(room), *end = encoded, *at = (char *)text;
    if (to == (iconv_t)-1 || iconv(to, &at, &left, &end, &room) == (size_t)-1)
        give_up(3, say("%s cannot be written as %s", file, encoding));
    iconv_close(to);
    fwrite(encoded, 1, before - room, out);
}

void write_text_to(const struct book *book, const char *file, const char *text,
                   const char *encoding) {
    FILE *out = begin_file(book, file);
    if (same(encoding, "UTF-8"))
        fputs(text, out);
    else
        put_encoded(out, text, file, encoding);
    end_file(book, out);
}

void write_entries(struct book *book, const char *file, const struct column *column, size_t columns,
                   const char *begin) {
    struct text text = {0};
    for (size_t c = 0; c < columns; c++)
        add(&text, "%s%s", c ? "," : "", csv_text(column[c].title ? column[c].title : book->title));
    add(&text, "\r\n%s", begin);
    for (size_t i = 0; i < book->entries; i++) {
        const struct entry *entry = &book->entry[i];
        for (size_t c = 0; c < columns && is_matched(entry); c++)
            add(&text, "%s%s%s", c ? "," : "",
                column[c].cell ? column[c].cell(book, entry)
                               : csv_text(entry_cell(entry, column[c].known)),
                c + 1 < columns ? "" : "\r\n");
    }
    write_text_to(book, file, text.bytes, "UTF-8");
}

/* ---- a platform's own file --------------------------------------------------------------------- */

static const struct json *own_list(const struct book *book, const char *name) {
    return json_member(book->own, name);
}

const struct json *own_row(const struct book *book, size_t row) {
    return json_item(own_list(book, "rows"), row);
}

const char *own_text(const struct json *row, int column) {
    return column < 0 ? "" : json_get_text(json_item(json_member(row, "text"), column), "");
}

int own_columns(const struct book *book) {
    return (int)json_count(json_member(own_row(book, 0), "text"));
}

const char *own_title(const struct book *book, int column) {
    return own_text(own_row(book, 0), column);
}

int column_called(const struct book *book, const char *name) {
    for (int c = 0; c < own_columns(book); c++)
        if (same(own_title(book, c), name))
            return c;
    return NOWHERE;
}

bool has_columns(const struct book *book, const char *names) {
    struct words name = pieces_of(names, "|");
    for (size_t i = 0; i < name.count; i++)
        if (column_called(book, name.word[i]) == NOWHERE)
            return false;
    return true;
}

static void say_where(struct book *book, const char *file, int column,
                      const struct platform *platform) {
    if (column < own_columns(book))
        add(&book->said, "export: %s: the grades are for '%s'\n", file,
            printable(own_title(book, column)));
    else if (!matches(book->title, platform->number))
        add(&book->said,
            "export: %s: %s makes a new %s of '%s': for one that it has, give --title its name with "
            "the number, as %s writes it\n",
            file, platform->name, platform->makes_new, printable(book->title), platform->writes_it);
}

int column_for_grades(struct book *book, const char *file, int from,
                      const struct platform *platform) {
    struct text names = {0};
    int columns = 0, named = 0, last = own_columns(book), found = last;
    for (int c = from; c < own_columns(book); c++) {
        const char *title = own_title(book, c);
        if (!matches(title, platform->number) || strstr(title, "Total Pts: up to"))
            continue; /* Blackboard's own sums */
        add(&names, "%s'%s'", columns++ ? ", " : "", title);
        last = c;
        if (same(title, book->title) || same(without(title, platform->number), book->title)) {
            found = c;
            named++;
        }
    }
    if (columns == 1 && !named && !book->title_given)
        found = last;
    else if (columns && named != 1)
        give_up(2, say("%s: the roster has %s column for '%s': say which one with --title: %s",
                       platform->form, named ? "more than one" : "no", book->title, names.bytes));
    say_where(book, file, found, platform);
    return found;
}

/* By what a row of the roster and an entry are one person: the first of these that it has. */
static const char *const keys[] = {"canvas", "number", "login", "email", "name"};
enum { KEYS = sizeof keys / sizeof *keys };

static void find_entries(struct book *book) {
    book->found = keep(sizeof *book->found);
    for (size_t i = 0; i < book->entries; i++) {
        struct entry *entry = &book->entry[i];
        for (size_t k = 0; k < KEYS && is_matched(entry) && has_grade(entry->of); k++) {
            const char *known = entry_cell(entry, keys[k]);
            if (*known)
                *find(book->found, say("%s:%s", keys[k], known)) = entry;
        }
    }
}

static const struct entry *entry_of(const struct book *book, const struct json *row) {
    const struct json *person = json_member(row, "person");
    for (size_t k = 0; k < KEYS; k++) {
        const char *known = json_get_text(json_member(person, keys[k]), "");
        if (*known)
            return *find(book->found, say("%s:%s", keys[k], known));
    }
    return NULL;
}

void write_own(struct book *book, const char *file, int last, int other, const char *title,
               const char *(*cell)(const struct book *book, const struct entry *entry,
                                   const struct json *row, int column)) {
    const char *separator = json_get_text(own_list(book, "separator"), ",");
    struct text text = {0};
    const struct json *row;
    if (!book->found)
        find_entries(book);
    add(&text, "%s", json_get_text(own_list(book, "begin"), ""));
    for (size_t i = 0; (row = own_row(book, i)); i++) {
        const struct json *raw = json_member(row, "raw");
        const struct entry *entry = entry_of(book, row);
        for (int c = 0; c <= last + 1; c++) {
            int at = c <= last ? c : other;
            if (at == NOWHERE)
                continue;
            const char *new =
                i && (c > last || other == NOWHERE) ? cell(book, entry, row, at) : NULL;
            add(&text, "%s%s", c ? separator : "",
                new ? new : json_get_text(json_item(raw, at), i ? "" : title));
        }
        add(&text, "%s", json_get_text(own_list(book, "newline"), "\n"));
    }
    write_text_to(book, file, text.bytes, json_get_text(own_list(book, "encoding"), "UTF-8"));
}

void compare_total(struct book *book, const char *said, const char *platform) {
    char *end;
    const char *text = replaced(said, ",", "."), *ours = total_cell(book);
    double theirs = strtod(text, &end);
    if (end > text && !*end && theirs != strtod(ours, NULL))
        add(&book->listed,
            "export: %s says that the assignment is worth %s points, and here it is worth %s: make "
            "them the same (total in the assignment)\n",
            platform, plain_number(theirs), ours);
}
