// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "nicknames.h"

#include <string.h>

#include "lib/text.h"

enum { MOST_NICKNAME = 40 /* characters */ };

/* Whether people.tsv has somebody of that name, in small letters, in a submission ("": who handed
 * in nothing). The id of a submission that it does not know is no name of anybody. */
static bool is_somebody(const struct people *people, const char *submission, const char *name) {
    for (size_t row = 0; row < people->count; row++)
        if (is_in(people, row, submission) &&
            (same(in_small(submission), name) || names_person(people, row, name)))
            return true;
    return false;
}

/* How many submissions are meant, and the first of them. An id goes before what people.tsv knows.
 */
static size_t find_submissions(const struct class *class, const char *who,
                               const struct submission **found) {
    const char *name = in_small(who);
    size_t count = 0;
    for (size_t i = 0; i < class->submissions; i++)
        if (same(class->submission[i].name, who)) {
            *found = &class->submission[i];
            return 1;
        }
    for (size_t i = 0; i < class->submissions; i++)
        if (is_somebody(&class->people, class->submission[i].name, name) && !count++)
            *found = &class->submission[i];
    return count;
}

/* Why the line is left out; "" where it is not. */
static const char *why_left_out(const struct class *class, const struct nicknames *before,
                                struct map *taken, const char *who, const struct nickname *one,
                                size_t found) {
    const char *first = *one->name ? *find(taken, in_small(one->name)) : NULL;
    if (!*one->name)
        return say("'%s' has no nickname: a line is WHO NICKNAME", who);
    if (first)
        return say("the nickname '%s' stands a second time: the first is %s", one->name, first);
    if (!found && !is_somebody(&class->people, "", in_small(who)))
        return say("'%s' is nobody who handed in or is in the roster", who);
    if (found > 1)
        return say("'%s' is several submissions: name the one that is meant by its id", who);
    for (size_t i = 0; i < before->count; i++)
        if (before->one[i].who == one->who)
            return say("'%s' has a nickname already", who);
    return "";
}

static void read_line(struct nicknames *all, const struct class *class, struct map *taken,
                      const char *where, const char *line) {
    const char *who = say("%.*s", (int)strcspn(line, " \t"), line);
    struct words words = words_of(printable(line + strlen(who)));
    struct nickname one = {NULL, leading(joined(&words, 0, words.count), MOST_NICKNAME)};
    size_t found = find_submissions(class, who, &one.who);
    const char *why = why_left_out(class, all, taken, who, &one, found);
    if (*why)
        remark(where, say("%s; this line is left out", why));
    if (*why || !found)
        return;
    *find(taken, in_small(one.name)) = (void *)where;
    all->one = keep_more(all->one, all->count, sizeof one);
    all->one[all->count++] = one;
}

struct nicknames read_nicknames(const char *path, const struct class *class) {
    struct nicknames all = {0};
    struct map taken = {0};
    const char **line = lines_of_file(path);
    for (size_t i = 0; line[i]; i++) {
        const char *text = line[i] + strspn(line[i], " \t");
        size_t length = strlen(text);
        text = say("%.*s", (int)(length - (length && text[length - 1] == '\r')), text);
        if (*text && *text != '#')
            read_line(&all, class, &taken, say("%s:%zu", path, i + 1), text);
    }
    return all;
}
