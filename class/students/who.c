/* What class/show prints: the page of the submission that was asked for, or who could be meant. */
#include <stdio.h>
#include <string.h>

#include "../grades/views.h"
#include "feedback.h"
#include "lib/text.h"

struct candidate {
    const char *submission; /* "" of who handed in nothing */
    const char *name;       /* of the person */
    const char *names;      /* all that it is called, in small letters, a line break around each */
};

struct candidates {
    struct candidate *one;
    size_t count;
};

static const char *folded(const char *text) { return in_small(printable(text)); }

static void take(struct candidates *list, struct candidate one) {
    append(list->one, list->count, one);
}

/* row: of people.tsv, for who handed in nothing. */
static void add_candidate(struct candidates *all, const struct people *people,
                          const char *submission, size_t row) {
    static const char *const columns[] = {"name", "email", "login", "number", "canvas"};
    struct text names = {0};
    struct candidate one = {.submission = submission};
    add(&names, "\n%s\n", folded(submission));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const char *value = *submission ? person(people, submission, columns[i])
                                        : people_cell(people, row, columns[i]);
        one.name = i ? one.name : printable(value);
        add(&names, "%s\n", replaced(folded(value), ", ", "\n"));
    }
    one.names = names.bytes;
    take(all, one);
}

static struct candidates candidates_of(const struct class *class) {
    struct candidates all = {0};
    for (size_t i = 0; i < class->submissions; i++)
        add_candidate(&all, &class->people, class->submission[i].name, 0);
    for (size_t row = 0; row < class->people.count; row++)
        if (is_in(&class->people, row, ""))
            add_candidate(&all, &class->people, "", row);
    return all;
}

static bool is_called(const struct candidate *one, const char *wanted) {
    return strstr(one->names, say("\n%s\n", wanted));
}

static bool has_all_words(const struct candidate *one, const char *wanted) {
    struct words words = words_of(wanted);
    size_t i = 0;
    while (i < words.count && strstr(one->names, words.word[i]))
        i++;
    return words.count && i == words.count;
}

static struct candidates matching(const struct candidates *all, const char *wanted,
                                  bool (*fits)(const struct candidate *one, const char *wanted)) {
    struct candidates found = {0};
    for (size_t i = 0; i < all->count; i++)
        if (fits(&all->one[i], wanted))
            take(&found, all->one[i]);
    return found;
}

/* Those with a name that is some letters off; of them those that are the fewest off. */
static struct candidates nearest(const struct candidates *all, const char *wanted) {
    struct candidates found = {0};
    size_t least = 1 + strlen(wanted) / 4;
    for (size_t i = 0; i < all->count; i++) {
        const char *names = replaced(replaced(all->one[i].names, "\n", " "), "@", " ");
        struct words words = words_of(names);
        size_t off = least + 1;
        for (size_t w = 0; w < words.count; w++) {
            size_t letters = distance(wanted, words.word[w]);
            off = letters < off ? letters : off;
        }
        if (off < least)
            found.count = 0;
        if (off <= least) {
            least = off;
            take(&found, all->one[i]);
        }
    }
    return found;
}

static const char *shown_name(const struct candidate *one) {
    const char *who = printable(one->submission);
    if (!*who)
        return say("%s (handed in nothing)", one->name);
    return same(one->name, who) ? who : say("%s (%s)", one->name, who);
}

static int list_candidates(const char *what, const struct candidates *list) {
    enum { MOST_NAMED = 12 };
    fprintf(stderr, "show: %s:\n", printable(what));
    for (size_t i = 0; i < list->count && i < MOST_NAMED; i++)
        fprintf(stderr, "show:   %s\n", shown_name(&list->one[i]));
    if (list->count > MOST_NAMED)
        fprintf(stderr, "show:   and %zu more\n", list->count - MOST_NAMED);
    return 2;
}

static void show(const struct class *class, const char *submission, const char *results) {
    struct feedback to = {class, class->submission, new_page(), results};
    while (!same(to.of->name, submission))
        to.of++;
    put_feedback(&to);
    to.page->columns = 80;
    to.page->colour = shows_colour();
    write_page(to.page, TEXT_PAGE, stdout);
}

/* WHO RESULTS.jsonl */
int view_show(int count, char **words) {
    struct class class = read_class(words[count - 1], assignment_named());
    struct candidates all = candidates_of(&class);
    const char *wanted = folded(words[0]);
    struct candidates found = matching(&all, wanted, is_called);
    if (!found.count)
        found = matching(&all, wanted, has_all_words);
    if (found.count > 1)
        return list_candidates(say("several people fit '%s'", words[0]), &found);
    if (found.count && *found.one->submission) {
        show(&class, found.one->submission, words[count - 1]);
        return class.status;
    }
    if (found.count)
        give_up(2, say("there is nothing to show: %s", shown_name(found.one)));
    found = nearest(&all, wanted);
    bool near = found.count;
    if (!near)
        found = all;
    return list_candidates(say("nobody fits '%s'; %s %s", words[0], near ? "near it" : "there",
                               found.count == 1 ? "is" : "are"),
                           &found);
}
