/* Plain CSV: a row for each submission and person of it. A step that was left out of the maximum or
 * is still to be graded is an empty cell; those that are still to be graded are named in the last.
 */
#include "../grades/book.h"
#include "lib/page.h"

static void add_head(struct text *text, const struct book *book) {
    add(text, "%s",
        "\"submission\",\"name\",\"id\",\"platform id\",\"login\",\"email\",\"section\","
        "\"days late\",\"per cent off\",\"points\",\"maximum\",");
    add(text, "%s", csv_text(say("grade of %s", total_cell(book))));
    for (size_t s = 0; s < book->class->steps; s++)
        add(text, ",%s", csv_text(book->class->step[s]));
    add(text, ",\"not final\"\r\n");
}

static void add_entry(struct text *text, const struct book *book, const struct entry *entry) {
    const struct submission *one = entry->of;
    bool is_known = is_matched(entry) && !entry->is_guess;
    struct words known = words_of("number canvas login email section");
    add(text, "%s,%s", csv_text(one->name), csv_text(entry_cell(entry, "name")));
    for (size_t i = 0; i < known.count; i++)
        add(text, ",%s",
            is_matched(entry) ? csv_text(is_known ? entry_cell(entry, known.word[i]) : "") : "");
    add(text, ",%ld,%s,%s,%s,%s", one->late.days, amount_text(one->late.percent),
        points(one->total), points(one->total_max), grade_cell(book, entry));
    for (const struct grade *grade = one->grade; grade->step; grade++)
        add(text, ",%s", step_is(grade) == SKIPPED ? "" : points(points_of(grade)));
    add(text, ",%s\r\n", csv_text(steps_with(one, offsetof(struct grade, pending), " ")));
}

void write_csv_form(struct book *book) {
    struct text text = {0};
    add_head(&text, book);
    for (size_t i = 0; i < book->entries; i++)
        add_entry(&text, book, &book->entry[i]);
    write_text_to(book, "csv.csv", text.bytes);
}
