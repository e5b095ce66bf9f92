/* Whose points are others than when a file was written, from what to what, and why; then the file
 * holds those of now: a line for each submission and step, and for its lateness. */

#include "facts.h"
#include "views.h"

static struct map read_paid(const char *path) {
    struct map paid = {0};
    for (const char **line = lines_of_file(path); *line; line++) {
        struct words cells = pieces_of(*line, "\t");
        if (cells.count == 3)
            *find(&paid, say("%s\t%s", cells.word[0], cells.word[1])) = (void *)cells.word[2];
    }
    return paid;
}

static void tell_change(struct map *paid, const char *who, const char *what, const char *worth,
                        const char *how, struct text *now) {
    const char *at = say("%s\t%s", row_text(who), row_text(what)), *before = *find(paid, at);
    if (before && !same(before, worth))
        printf("%s %s: %s, was %s: %s\n", printable(who), printable(what), worth, printable(before),
               printable(how));
    add(now, "%s\t%s\n", at, worth);
}

/* FILE RESULTS.jsonl */
int view_changes(int count, char **words) {
    if (count != 2)
        give_up(2, "needs the file of points, and RESULTS.jsonl");
    struct class class = read_class(words[1]);
    struct map paid = read_paid(words[0]);
    struct text now = {0};
    for (const struct submission *one = class.submission; one->name; one++) {
        for (const struct grade *grade = one->grade; grade->step; grade++)
            tell_change(&paid, one->name, grade->step, worth_in_words(grade), grade->how, &now);
        tell_change(&paid, one->name, "lateness", say("%s %% less", amount_text(one->late.percent)),
                    one->late.how, &now);
    }
    write_file(words[0], bytes_of(&now));
    return class.status;
}
