/* Which sources of a step are alike in what is their authors' own. */
#pragma once

#include "begun/tokens.h"

struct source {
    const char *path, *step, *text;
    const char *who;      /* a submission, that of an earlier term, or one of our steps */
    bool is_earlier;      /* pairs of two such are of no interest: they stand behind all others */
    struct tokens all;    /* whatever stands in it */
    struct tokens own;    /* what of it is compared, by find_runs() */
    uint64_t *hash;       /* of the run of tokens that begins at each of these */
    size_t *first, *next; /* which runs have a hash */
};

struct sources {
    struct source *one;
    size_t count;
    bool with_published; /* the earlier ones are our steps: others are compared with these alone */
};

/* Without what was handed out of the function that the step implements and, unless it is compared
 * to the names and numbers, without what is in this tree's own steps. */
struct tokens own_tokens(const char *path, const struct tokens *all, bool to_the_names);
void find_runs(struct source *source);

struct pair {
    const struct source *a, *b;
    size_t share_a, share_b; /* per cent of the tokens of their own that the other has, too */
};

struct pairs {
    struct pair *one;
    size_t count;
};

/* Those in which one shares at least so many per cent, the most alike first. What is published is
 * b, and the share is a's. */
struct pairs find_pairs(const struct sources *sources, size_t at_least);

/* Stretches of lines that both have, in a's order; no token of b stands in two. tokens: in all. */
struct shared {
    size_t a_first, a_last, b_first, b_last;
};
struct shared *shared_lines(const struct source *a, const struct source *b, size_t *count,
                            size_t *tokens);
