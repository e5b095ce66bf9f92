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
    write_text_to(book, file, text.bytes);
}
