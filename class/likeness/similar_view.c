/* What class/similar prints, and its page. */
#include "../grades/views.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "../grades/people.h"
#include "lib/steps.h"
#include "similar.h"

enum {
    MOST_EACH = 3,    /* pairs of a step that one stands in, where the other has as many, too */
    MOST_SHOWN = 100, /* pairs side by side: more than anybody reads */
};

/* ---- sources ------------------------------------------------------------------------------------- */

static void add_source(struct sources *sources, const char *path, const char *who,
                       bool is_earlier) {
    struct source source = {.path = path, .who = who, .is_earlier = is_earlier};
    source.text = file_text(path);
    source.all = tokens_of(source.text ? source.text : "");
    leave_out_given(&source);
    append(sources->one, sources->count, source);
}

/* FOLDER/ID/labs/STEP/NAME.cu: where its parts stand, from the end on. */
enum { ID = 4, STEP = 2 };
static const char *part_of(const char *path, size_t from_end) {
    struct words parts = pieces_of(path, "/");
    return parts.word[parts.count - from_end];
}

static struct words files_of(const char *folder, const char *step) {
    struct words files = {0};
    struct text pattern = {0};
    glob_t found = {0};
    for (; *folder; folder++)
        add(&pattern, "%s%c", strchr("\\*?[", *folder) ? "\\" : "", *folder);
    add(&pattern, "/*/labs/%s/*.cu", step);
    glob(pattern.bytes, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_word(&files, say("%s", found.gl_pathv[i]));
    globfree(&found);
    return files;
}

/* term: before the name of one of an earlier term. */
static void add_folder(struct sources *sources, const char *folder, const char *step,
                       const char *term) {
    struct words files = files_of(folder, step);
    for (size_t i = 0; i < files.count; i++) {
        const char *who = part_of(files.word[i], ID);
        add_source(sources, files.word[i], term ? say("%s/%s", term, who) : who, term != NULL);
    }
}

/* What is published of the function that these sources implement. */
static struct sources with_published(const struct sources *sources) {
    struct sources all = {0};
    size_t steps;
    const char *const *step = all_steps(&steps);
    for (size_t i = 0; i < sources->count; i++)
        if (!sources->one[i].is_earlier)
            append(all.one, all.count, sources->one[i]);
    for (size_t i = 0; i < steps && all.count; i++) {
        const char *path = say("%s/%s/%s", labs_directory(), step[i], base_name(all.one->path));
        if (is_readable(path))
            add_source(&all, path, say("the published %s", step[i]), true);
    }
    return all;
}

/* ---- the page ------------------------------------------------------------------------------------ */

struct likeness {
    struct page *page;
    const struct people *people;
    size_t at_least, pairs, shown;
};

/* A submission as people know it: by its name, with the id that it goes by. */
static const char *known_as(const struct likeness *to, const char *who) {
    const char *name = person(to->people, who, "name");
    return printable(same(name, who) ? who : say("%s (%s)", name, who));
}

static void list_pairs(const struct likeness *to, const struct pairs *pairs) {
    struct table *table = new_table();
    table_column(table, "share", RIGHT);
    table_column_of(table, "of", LEFT, 0, 36);
    table_column(table, "share", RIGHT);
    table_column_of(table, "of", LEFT, 0, 36);
    table_column(table, "tokens of their own", LEFT);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs->one[i];
        put_row(table, say("%zu %%", pair->share_a), known_as(to, pair->a->who),
                say("%zu %%", pair->share_b), known_as(to, pair->b->who),
                say("%zu and %zu%s", compared(pair->a, pair->is_exact)->count,
                    compared(pair->b, pair->is_exact)->count,
                    same(pair->a->text, pair->b->text) ? ": the same file" : ""));
    }
    put_table(to->page, table);
}

static bool is_one_more(struct map *seen, const char *who) {
    size_t *count = found(seen, who, sizeof *count);
    return ++*count <= MOST_EACH;
}

/* In which 300 who hand in one file are not 45000 pairs. */
static struct pairs most_alike(const struct pairs *pairs) {
    struct pairs kept = {.one = keep((pairs->count + 1) * sizeof *kept.one)};
    struct map seen = {0};
    for (size_t i = 0; i < pairs->count; i++) {
        bool a = is_one_more(&seen, pairs->one[i].a->who);
        bool b = is_one_more(&seen, pairs->one[i].b->who);
        if (a || b)
            kept.one[kept.count++] = pairs->one[i];
    }
    return kept;
}

static void put_pairs(struct likeness *to, const char *step, const struct pairs *all) {
    if (!all->count)
        return;
    struct pairs best = most_alike(all), *pairs = &best;
    heading(to->page, 2, step);
    list_pairs(to, pairs);
    if (pairs->count < all->count)
        paragraph(to->page, say("%zu more pairs are left out, both of whose people stand in %d "
                                "above that are as alike or more.",
                                all->count - pairs->count, MOST_EACH));
    to->page->only = HTML;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs->one[i];
        const char *a = known_as(to, pair->a->who), *b = known_as(to, pair->b->who);
        to->pairs++;
        if (to->shown >= MOST_SHOWN)
            continue;
        to->shown++;
        heading(to->page, 3, say("%s: %s and %s", step, a, b));
        paragraph(to->page, say("%zu %% of %s, %zu %% of %s", pair->share_a, a, pair->share_b, b));
        show_pair(to->page, pair, a, b);
    }
    to->page->only = 0;
}

static void explain(struct page *page) {
    page->only = HTML;
    heading(page, 1, page->title);
    page->only = 0;
    paragraph(page, "Alike in what was not handed out and is not in this project's own steps.");
    paragraph(page,
              "Evidence for a person, not a verdict: two may have had the same idea, the same "
              "teacher or the same page before them. Look at both files before you ask "
              "anyone.");
    page->only = HTML;
    paragraph(page,
              "Side by side, a number such as =1 marks lines that both have, whatever the "
              "names and numbers in them; a dot marks lines that were handed out or that this "
              "project's own steps have.");
    page->only = 0;
}

static void finish(struct likeness *to, const struct pairs *published, const char *const *step,
                   size_t steps) {
    size_t between = to->pairs;
    if (!to->pairs)
        paragraph(to->page, say("No pair has %zu %% or more in common.", to->at_least));
    for (size_t s = 0; s < steps; s++)
        if (published[s].count) {
            if (to->pairs == between)
                paragraph(to->page, "Like a solution that this project has published, to the names "
                                    "and numbers, in what was not handed out:");
            put_pairs(to, say("%s, published", step[s]), &published[s]);
        }
    to->page->only = HTML;
    if (to->pairs > MOST_SHOWN)
        paragraph(to->page, say("Only the first %d of %zu pairs are shown side by side: --at-least "
                                "with a higher percentage leaves fewer.",
                                MOST_SHOWN, to->pairs));
    to->page->only = 0;
}

/* STEP... of submissions, by name. */
static const char **steps_in(const char *submissions, size_t *count) {
    struct words files = files_of(submissions, "*");
    const char **step = NULL;
    struct map known = {0};
    *count = 0;
    for (size_t i = 0; i < files.count; i++) {
        const char *name = part_of(files.word[i], STEP);
        if (is_new(&known, name))
            append(step, *count, name);
    }
    sort_texts(step, *count);
    return step;
}

/* [--at-least=PERCENT] [--with=FOLDER --term=NAME]... SUBMISSIONS PAGE.html PEOPLE.tsv */
int view_similar(int count, char **words) {
    struct words with = {0}, terms = {0};
    const char *least = take_text("at-least", &count, &words), *folder;
    while ((folder = take_option("with", &count, &words))) {
        add_word(&with, folder);
        add_word(&terms, take_text("term", &count, &words));
    }
    struct people people = read_people(words[2]);
    struct likeness to = {new_page(), &people, *least ? strtoul(least, NULL, 10) : 70, 0, 0};
    size_t steps;
    const char **step = steps_in(words[0], &steps);
    struct pairs *published = keep((steps + 1) * sizeof *published);
    to.page->title = "Alike";
    to.page->styles[1] = "class/likeness/similar.css";
    explain(to.page);
    for (size_t s = 0; s < steps; s++) {
        struct sources sources = {0};
        add_folder(&sources, words[0], step[s], NULL);
        struct sources ours = with_published(&sources);
        for (size_t i = 0; i < with.count; i++)
            add_folder(&sources, with.word[i], step[s], terms.word[i]);
        struct pairs pairs = find_pairs(&sources, to.at_least, false);
        published[s] = find_pairs(&ours, to.at_least, true);
        put_pairs(&to, step[s], &pairs);
    }
    finish(&to, published, step, steps);
    write_page(to.page, TEXT_PAGE, stdout);
    if (!to.pairs) {
        remove(words[1]);
        return 0;
    }
    write_page_to(to.page, HTML, words[1]);
    printf("\nSide by side: %s\n", printable(words[1]));
    return 0;
}
