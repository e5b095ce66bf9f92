/* Which sources of a step are alike in what is their authors' own. */
#pragma once

#include "begun/tokens.h"
#include "lib/page.h"

struct source {
    const char *path, *text;
    const char *who;       /* a submission, that of an earlier term, or one of our steps */
    bool is_earlier;       /* pairs of two such are of no interest */
    struct tokens all;     /* whatever stands in it */
    struct tokens own;     /* without what was handed out, or is in this tree's own steps */
    struct tokens written; /* without what was handed out */
};

struct sources {
    struct source *one;
    size_t count;
};

struct pair {
    const struct source *a, *b;
    size_t share_a, share_b; /* per cent of the tokens of their own that the other has, too */
    bool is_exact;           /* to the names and numbers, of what they have written */
};

struct pairs {
    struct pair *one;
    size_t count;
};

/* Sets `own` and `written`, by what this tree has of the function that the step implements. */
void leave_out_given(struct source *source);

/* Those in which one shares at least so many per cent, the most alike first. is_exact: of each
 * submission the one that is most like one of an earlier term. */
struct pairs find_pairs(const struct sources *sources, size_t at_least, bool is_exact);

/* What of a source is compared. */
const struct tokens *compared(const struct source *source, bool is_exact);

/* Stretches of lines that both have, in a's order; no line of b stands in two. */
struct shared {
    size_t a_first, a_last, b_first, b_last;
};
struct shared *shared_lines(const struct pair *pair, size_t *count);

/* The two side by side, with their shared lines marked. */
void show_pair(struct page *page, const struct pair *pair, const char *name_a, const char *name_b);
