#include "people.h"

#include <string.h>

#include "views.h"

struct people read_people(const char *path) {
    const char **line = lines_of_file(path);
    struct words *columns = keep(sizeof *columns);
    struct people people = {.one = keep((count_lines(line) + 1) * sizeof *people.one)};
    if (*line)
        *columns = pieces_of(*line++, "\t");
    for (; *line; line++)
        people.one[people.count++] = (struct person){columns, pieces_of(*line, "\t")};
    return people;
}

const char *person_cell(const struct person *person, const char *column) {
    for (size_t i = 0; i < person->columns->count; i++)
        if (same(person->columns->word[i], column))
            return word_of(&person->cells, i);
    return "";
}

bool is_in(const struct person *person, const char *submission) {
    return same(person_cell(person, "submission"), submission);
}

size_t people_in(const struct people *people, const char *submission) {
    size_t count = 0;
    for (const struct person *one = people->one; one->columns; one++)
        count += is_in(one, submission);
    return count;
}

const char *people_cell(const struct people *people, const char *submission, const char *column) {
    struct text text = {0};
    struct map seen = {0};
    bool hidden = people->hidden && !is_one_of(column, "handed_in late_flag");
    for (const struct person *one = people->one; one->columns && !hidden; one++) {
        const char *value = is_in(one, submission) ? person_cell(one, column) : "";
        if (*value && is_new(&seen, value))
            add(&text, "%s%s", text.length ? ", " : "", value);
    }
    return text.length || !same(column, "name") ? bytes_of(&text) : submission;
}

bool names_person(const struct people *people, const struct person *person, const char *text) {
    const char *group = person_cell(person, "section"), *whose = person_cell(person, "submission");
    if (*whose && people_in(people, whose) > 1 && same(in_small(group), text))
        return true;
    static const char *const columns[] = {"number", "canvas", "login", "email", "name"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *known = in_small(person_cell(person, columns[i]));
        const char *comma = strstr(known, ", "); /* "doe, jane", and "jane doe" */
        if (*known &&
            (same(known, text) ||
             (comma && same(say("%s %.*s", comma + 2, (int)(comma - known), known), text)) ||
             (same(columns[i], "email") && begins_with(known, say("%s@", text)))))
            return true;
    }
    return false;
}

bool names_submission(const struct people *people, const char *text, const char *submission) {
    bool found = same(text, in_small(submission));
    for (const struct person *one = people->one; one->columns && !found; one++)
        found = is_in(one, submission) && names_person(people, one, text);
    return found;
}

static const char *absent_line(const char *program, const struct person *person) {
    static const char *const columns[] = {"number", "login", "email"};
    struct text keys = {0};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *key = person_cell(person, columns[i]);
        add(&keys, "%s%s", *key && keys.length ? ", " : "", key);
    }
    return say("%s: %s%s: handed in nothing\n", program, printable(person_cell(person, "name")),
               keys.length ? say(" (%s)", printable(keys.bytes)) : "");
}

const char *unmatched_line(const char *program, const struct person *person) {
    const char *submission = person_cell(person, "submission");
    const char *name = person_cell(person, "name"), *why = person_cell(person, "why");
    const char *likely = person_cell(person, "likely");
    if (!*submission)
        return absent_line(program, person);
    if (!*why)
        return "";
    return say("%s: submission %s%s: %s%s%s\n", program, printable(submission),
               same(name, submission) ? "" : say(" (%s)", printable(name)), printable(why),
               *likely ? "; likely " : "", printable(likely));
}

int view_unmatched(int count, char **words) {
    struct people people = read_people(count ? words[0] : "");
    for (const struct person *one = people.one; one->columns; one++)
        fputs(unmatched_line("people", one), stdout);
    return 0;
}
