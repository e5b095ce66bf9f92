#include "people.h"

#include "views.h"

struct people read_people(const char *path) {
    struct people people = {0};
    const char **line = lines_of_file(path);
    if (*line)
        people.names = pieces_of(*line++, "\t");
    for (; *line; line++)
        append(people.row, people.count, pieces_of(*line, "\t"));
    return people;
}

const char *people_cell(const struct people *people, size_t row, const char *column) {
    const struct words *cells = &people->row[row];
    for (size_t i = 0; i < people->names.count && i < cells->count; i++)
        if (same(people->names.word[i], column))
            return cells->word[i];
    return "";
}

bool is_in(const struct people *people, size_t row, const char *submission) {
    return same(people_cell(people, row, "submission"), submission);
}

size_t people_in(const struct people *people, const char *submission) {
    size_t count = 0;
    for (size_t i = 0; i < people->count; i++)
        count += is_in(people, i, submission);
    return count;
}

const char *person(const struct people *people, const char *submission, const char *column) {
    struct text text = {0};
    struct map seen = {0};
    bool hidden = people->hidden && !is_one_of(column, "handed_in late_flag");
    for (size_t i = 0; i < people->count && !hidden; i++) {
        const char *value = is_in(people, i, submission) ? people_cell(people, i, column) : "";
        if (*value && is_new(&seen, value))
            add(&text, "%s%s", text.length ? ", " : "", value);
    }
    return text.length || !same(column, "name") ? bytes_of(&text) : submission;
}

bool names_person(const struct people *people, size_t row, const char *text) {
    const char *group = people_cell(people, row, "section"),
               *whose = people_cell(people, row, "submission");
    if (*whose && people_in(people, whose) > 1 && same(in_small(group), text))
        return true;
    static const char *const columns[] = {"number", "canvas", "login", "email", "name"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *known = in_small(people_cell(people, row, columns[i]));
        if (*known && (same(known, text) ||
                       (same(columns[i], "email") && begins_with(known, say("%s@", text)))))
            return true;
    }
    return false;
}

bool names_submission(const struct people *people, const char *text, const char *submission) {
    bool found = same(text, in_small(submission));
    for (size_t row = 0; row < people->count && !found; row++)
        found = is_in(people, row, submission) && names_person(people, row, text);
    return found;
}

static const char *absent_line(const char *program, const struct people *people, size_t row) {
    static const char *const columns[] = {"number", "login", "email"};
    struct text keys = {0};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *key = people_cell(people, row, columns[i]);
        add(&keys, "%s%s", *key && keys.length ? ", " : "", key);
    }
    return say("%s: %s%s: handed in nothing\n", program,
               printable(people_cell(people, row, "name")),
               keys.length ? say(" (%s)", printable(keys.bytes)) : "");
}

const char *unmatched_line(const char *program, const struct people *people, size_t row) {
    const char *submission = people_cell(people, row, "submission");
    const char *name = people_cell(people, row, "name"), *why = people_cell(people, row, "why");
    const char *likely = people_cell(people, row, "likely");
    if (!*submission)
        return absent_line(program, people, row);
    if (!*why)
        return "";
    return say("%s: submission %s%s: %s%s%s\n", program, printable(submission),
               same(name, submission) ? "" : say(" (%s)", printable(name)), printable(why),
               *likely ? "; likely " : "", printable(likely));
}

int view_unmatched(int count, char **words) {
    struct people people = read_people(count ? words[0] : "");
    for (size_t i = 0; i < people.count; i++)
        fputs(unmatched_line("people", &people, i), stdout);
    return 0;
}
