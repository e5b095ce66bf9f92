#include "book.h"

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

const char *steps_with(const struct submission *one, size_t text_of_grade, const char *between) {
    struct text text = {0};
    for (const struct grade *grade = one->grade; grade->step; grade++)
        if (**(const char *const *)((const char *)grade + text_of_grade))
            add(&text, "%s%s", text.length ? between : "", grade->step);
    return bytes_of(&text);
}

/* ---- files ------------------------------------------------------------------------------------- */

void write_text_to(const struct book *book, const char *file, const char *text) {
    for (const char *at = file; (at = strchr(at, '/')); at++)
        mkdir(say("%s/%.*s", book->out, (int)(at - file), file), 0777);
    write_file(say("%s/%s", book->out, file), text);
}

const char *known_cells(const struct entry *entry, const char *columns) {
    struct words known = words_of(columns);
    struct text text = {0};
    for (size_t i = 0; i < known.count; i++)
        add(&text, "%s,", csv_text(entry_cell(entry, known.word[i])));
    return text.bytes;
}

void write_entries(const struct book *book, const char *file, const char *begin,
                   const char *columns,
                   const char *(*rest)(const struct book *, const struct entry *)) {
    struct text text = {0};
    add(&text, "%s", begin);
    for (const struct entry *entry = book->entry; entry < book->entry + book->entries; entry++)
        if (is_matched(entry))
            add(&text, "%s%s\r\n", known_cells(entry, columns), rest(book, entry));
    write_text_to(book, file, text.bytes);
}
