/* What class/similar prints, and its page. */
#include "../grades/views.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "../grades/people.h"
#include "lib/page.h"
#include "lib/steps.h"
#include "similar.h"

enum {
    MOST_ROWS = 500,  /* of a pair */
    MOST_EACH = 3,    /* pairs of a step that one stands in, where the other has as many, too */
    MOST_SHOWN = 100, /* pairs side by side: more than anybody reads */
};

/* ---- sources ------------------------------------------------------------------------------------- */

static void add_source(struct sources *sources, struct source source) {
    source.own = own_tokens(source.path, &source.all, sources->with_published);
    find_runs(&source);
    append(sources->one, sources->count, source);
}

static struct source read_source(const char *path, const char *step, const char *who) {
    const char *text = file_text(path);
    return (struct source){
        .path = path, .step = step, .who = who, .text = text, .all = tokens_of(text ? text : "")};
}

/* FOLDER/ID/labs/STEP/NAME.cu. term: before the name of one of an earlier term, or NULL. */
static void add_folder(struct sources *sources, const char *folder, const char *term) {
    struct text pattern = {0};
    glob_t found = {0};
    for (const char *at = folder; *at; at++)
        add(&pattern, "%s%c", strchr("\\*?[", *at) ? "\\" : "", *at);
    add(&pattern, "/*/labs/*/*.cu");
    glob(pattern.bytes, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = say("%s", found.gl_pathv[i]);
        struct words parts = pieces_of(path, "/");
        const char *who = parts.word[parts.count - 4], *step = parts.word[parts.count - 2];
        struct source source = read_source(path, step, term ? say("%s/%s", term, who) : who);
        source.is_earlier = term;
        add_source(sources, source);
    }
    globfree(&found);
}

static struct sources of_step(const struct sources *all, const char *step) {
    struct sources sources = {0};
    for (size_t i = 0; i < all->count; i++)
        if (same(all->one[i].step, step))
            append(sources.one, sources.count, all->one[i]);
    return sources;
}

/* The same of this term, with what is published of the function that they implement. */
static struct sources with_published(const struct sources *all, const char *step) {
    struct sources sources = {.with_published = true}, here = of_step(all, step);
    size_t steps;
    const char *const *ours = all_steps(&steps);
    for (size_t i = 0; i < here.count; i++)
        if (!here.one[i].is_earlier)
            add_source(&sources, here.one[i]);
    for (size_t i = 0; i < steps && here.count; i++) {
        const char *path = say("%s/%s/%s", labs_directory(), ours[i], base_name(here.one->path));
        if (!is_readable(path))
            continue;
        struct source source = read_source(path, step, say("the published %s", ours[i]));
        source.is_earlier = true;
        add_source(&sources, source);
    }
    return sources;
}

static const char **steps_in(const struct sources *sources, size_t *count) {
    const char **step = NULL;
    struct map known = {0};
    *count = 0;
    for (size_t i = 0; i < sources->count; i++)
        if (!sources->one[i].is_earlier && is_new(&known, sources->one[i].step))
            append(step, *count, sources->one[i].step);
    sort_texts(step, *count);
    return step;
}

/* ---- two side by side --------------------------------------------------------------------------- */

/* Of each line what stands before it: "" of its author's own, "." where it comes from this tree, "
 * " where there is no code, =1 of the first stretch that both have. */
struct side {
    const char **line, **sign;
    size_t lines;
};

static struct side side_of(const struct source *source) {
    struct side side = {.line = lines_of_file(source->path)};
    side.lines = count_lines(side.line);
    side.sign = keep((side.lines + 1) * sizeof *side.sign);
    for (size_t i = 0; i < side.lines; i++)
        side.sign[i] = " ";
    for (size_t i = 0; i < source->all.count; i++)
        if (source->all.token[i].line <= side.lines)
            side.sign[source->all.token[i].line - 1] = ".";
    for (size_t i = 0; i < source->own.count; i++)
        if (source->own.token[i].line <= side.lines)
            side.sign[source->own.token[i].line - 1] = "";
    return side;
}

static void mark(struct side *side, size_t first, size_t last, size_t number) {
    for (size_t line = first; line <= last && line <= side->lines; line++)
        if (!*side->sign[line - 1])
            side->sign[line - 1] = say("=%zu", number);
}

struct rows_shown {
    struct table *table;
    struct side a, b;
    size_t i, j; /* lines that come next */
    size_t rows;
};

static void put_side(struct table *table, const struct side *side, size_t line, size_t end) {
    if (line >= end) {
        put_over(table, "", 3);
        return;
    }
    const char *sign = side->sign[line];
    put_cells(table, say("%zu", line + 1), sign,
              printable(replaced(side->line[line], "\t", "    ")));
    attribute(table, "class", !*sign ? "own" : *sign == '=' ? "same" : "given");
}

/* As far as these lines, side by side. */
static void put_lines(struct rows_shown *to, size_t a_end, size_t b_end) {
    for (; to->i < a_end || to->j < b_end; to->i++, to->j++) {
        if (++to->rows > MOST_ROWS)
            continue;
        row(to->table);
        put_side(to->table, &to->a, to->i, a_end);
        put_side(to->table, &to->b, to->j, b_end);
    }
    to->i = a_end;
    to->j = b_end;
}

/* Stretches stand side by side where both have them in the same order; code that was moved is
 * marked all the same. */
static void show_pair(struct page *page, const struct pair *pair, const char *name_a,
                      const char *name_b) {
    size_t count, tokens;
    struct shared *shared = shared_lines(pair->a, pair->b, &count, &tokens);
    struct rows_shown to = {.table = new_table(), .a = side_of(pair->a), .b = side_of(pair->b)};
    attribute(to.table, "class", "pair");
    for (size_t side = 0; side < 2; side++) {
        table_column(to.table, "line", RIGHT);
        table_column(to.table, "", RIGHT);
        table_column(to.table, side ? name_b : name_a, LEFT);
    }
    for (size_t i = 0; i < count; i++) {
        mark(&to.a, shared[i].a_first, shared[i].a_last, i + 1);
        mark(&to.b, shared[i].b_first, shared[i].b_last, i + 1);
    }
    for (size_t i = 0; i < count; i++)
        if (shared[i].a_first > to.i && shared[i].b_first > to.j) {
            put_lines(&to, shared[i].a_first - 1, shared[i].b_first - 1);
            put_lines(&to, shared[i].a_last, shared[i].b_last);
        }
    put_lines(&to, to.a.lines, to.b.lines);
    if (to.rows > MOST_ROWS) {
        row(to.table);
        put_over(to.table, say("(%zu more rows)", to.rows - MOST_ROWS), 6);
    }
    put_table(page, to.table);
}

/* ---- the page ------------------------------------------------------------------------------------ */

struct likeness {
    struct page *page;
    const struct people *people;
    const char *before; /* what stands before the next pairs; NULL for nothing */
    size_t at_least, pairs, shown;
};

/* A submission as people know it: by its name, with the id that it goes by. */
static const char *known_as(const struct likeness *to, const char *who) {
    const char *name = people_cell(to->people, who, "name");
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
                say("%zu and %zu%s", pair->a->own.count, pair->b->own.count,
                    same(pair->a->text, pair->b->text) ? ": the same file" : ""));
    }
    put_table(to->page, table);
}

static size_t count_one_more(struct map *seen, const char *who) {
    size_t *count = found(seen, who, sizeof *count);
    return ++*count;
}

/* In which 300 who hand in one file are not 45000 pairs. Of what is published the most alike is
 * enough. */
static struct pairs most_alike(const struct pairs *pairs, bool with_published) {
    struct pairs kept = {0};
    struct map seen = {0};
    for (size_t i = 0; i < pairs->count; i++) {
        size_t a = count_one_more(&seen, pairs->one[i].a->who);
        size_t b = count_one_more(&seen, pairs->one[i].b->who);
        if (with_published ? a == 1 : a <= MOST_EACH || b <= MOST_EACH)
            append(kept.one, kept.count, pairs->one[i]);
    }
    return kept;
}

static void show_pairs(struct likeness *to, const char *step, const struct pairs *pairs) {
    to->page->only = HTML;
    for (size_t i = 0; i < pairs->count && to->shown < MOST_SHOWN; i++, to->shown++) {
        const struct pair *pair = &pairs->one[i];
        const char *a = known_as(to, pair->a->who), *b = known_as(to, pair->b->who);
        heading(to->page, 3, say("%s: %s and %s", step, a, b));
        paragraph(to->page, say("%zu %% of %s, %zu %% of %s", pair->share_a, a, pair->share_b, b));
        show_pair(to->page, pair, a, b);
    }
    to->page->only = 0;
}

static void put_pairs(struct likeness *to, const char *step, struct sources sources) {
    struct pairs all = find_pairs(&sources, to->at_least),
                 best = most_alike(&all, sources.with_published);
    if (!all.count)
        return;
    if (to->before)
        paragraph(to->page, to->before);
    to->before = NULL;
    heading(to->page, 2, step);
    list_pairs(to, &best);
    if (best.count < all.count && !sources.with_published)
        paragraph(to->page, say("%zu more pairs are left out, both of whose people stand in %d "
                                "above that are as alike or more.",
                                all.count - best.count, MOST_EACH));
    to->pairs += best.count;
    show_pairs(to, step, &best);
}

static void explain(struct page *page) {
    heading(page, 1, page->title);
    paragraph(page, "Alike in what was not handed out and is not in this project's own steps.");
    paragraph(page,
              "Evidence for a person, not a verdict: two may have had the same idea, the same "
              "teacher or the same page before them. Look at both files before you ask "
              "anyone.");
    paragraph(page,
              "Side by side, a number such as =1 marks lines that both have, whatever the "
              "names and numbers in them; a dot marks lines that were handed out or that this "
              "project's own steps have.");
}

static void put_all(struct likeness *to, const struct sources *all) {
    size_t steps;
    const char **step = steps_in(all, &steps);
    explain(to->page);
    for (size_t s = 0; s < steps; s++)
        put_pairs(to, step[s], of_step(all, step[s]));
    if (!to->pairs)
        paragraph(to->page, say("No pair has %zu %% or more in common.", to->at_least));
    to->before = "Like a solution that this project has published, to the names and numbers, in "
                 "what was not handed out:";
    for (size_t s = 0; s < steps; s++)
        put_pairs(to, say("%s, published", step[s]), with_published(all, step[s]));
    if (to->pairs > MOST_SHOWN)
        paragraph(to->page, say("Only the first %d of %zu pairs are shown side by side: --at-least "
                                "with a higher percentage leaves fewer.",
                                MOST_SHOWN, to->pairs));
}

/* [--at-least=PERCENT] [--with=FOLDER --term=NAME]... SUBMISSIONS PAGE.html PEOPLE.tsv */
int view_similar(int count, char **words) {
    struct words with = {0}, terms = {0};
    const char *least = take_text("at-least", &count, &words), *folder;
    while ((folder = take_option("with", &count, &words))) {
        add_word(&with, folder);
        add_word(&terms, take_text("term", &count, &words));
    }
    struct sources all = {0};
    struct people people = read_people(words[2]);
    struct likeness to = {new_page(), &people, NULL, *least ? strtoul(least, NULL, 10) : 70, 0, 0};
    add_folder(&all, words[0], NULL);
    for (size_t i = 0; i < with.count; i++)
        add_folder(&all, with.word[i], terms.word[i]);
    to.page->title = "Alike";
    to.page->styles[1] = "class/likeness/similar.css";
    put_all(&to, &all);
    write_page(to.page, TEXT_PAGE, stdout);
    if (!to.pairs) {
        remove(words[1]);
        return 0;
    }
    write_page_to(to.page, HTML, words[1]);
    printf("\nSide by side: %s\n", printable(words[1]));
    return 0;
}
