#include "similar.h"

#include <stdlib.h>
#include <string.h>

#include "../grades/lines.h"
#include "../handout/handout.h"
#include "lib/steps.h"

/* What a run of tokens is, that is taken to come from this tree; and what one is that two share: it
 * is longer, since it is evidence. Of a text that repeats itself so many places are tried. */
enum { RUN_OF_TREE = 16, RUN = 24, MOST_TRIED = 64 };

/* ---- what comes from this tree ------------------------------------------------------------------- */

/* By the texts of hashes. */
struct given {
    bool is_known;
    struct map line; /* of starters */
    struct map run;  /* of starters and of our own steps */
};

/* NULL is not there. */
static void **at_hash(struct map *given, uint64_t hash) {
    return find(given, say("%jx", (uintmax_t)hash));
}

/* The tokens on the line that begins with this one. has_word: a } alone tells nothing. */
static size_t length_of_line(const struct tokens *tokens, size_t first, bool *has_word) {
    size_t end = first;
    *has_word = false;
    for (; end < tokens->count && tokens->token[end].line == tokens->token[first].line; end++)
        *has_word |= tokens->token[end].is_word;
    return end - first;
}

static void add_source(struct given *given, const char *text, bool is_starter) {
    struct tokens tokens = tokens_of(text);
    bool has_word;
    for (size_t i = 0; i + RUN_OF_TREE <= tokens.count; i++)
        *at_hash(&given->run, hash_of_tokens(tokens.token + i, RUN_OF_TREE, false)) = given;
    for (size_t i = 0, length; is_starter && i < tokens.count; i += length) {
        length = length_of_line(&tokens, i, &has_word);
        if (has_word)
            *at_hash(&given->line, hash_of_tokens(tokens.token + i, length, true)) = given;
    }
}

static struct given *given_of(const char *file) {
    static struct map known;
    struct given *given = found(&known, file, sizeof *given);
    size_t steps;
    const char *const *step = all_steps(&steps);
    if (given->is_known)
        return given;
    given->is_known = true;
    for (size_t i = 0; i < steps; i++) {
        const char *folder = say("%s/%s", labs_directory(), step[i]);
        const char *text = file_text(say("%s/%s", folder, file));
        if (!text)
            continue;
        add_source(given, text, false);
        add_source(given, starter_of(say("%s/step.md", folder), say("%s/%s", folder, file)), true);
    }
    return given;
}

struct tokens own_tokens(const char *path, const struct tokens *all, bool to_the_names) {
    struct given *given = given_of(base_name(path));
    bool *is_given = keep(all->count + 1), has_word;
    struct tokens own = {0};
    for (size_t i = 0, length; i < all->count; i += length) {
        length = length_of_line(all, i, &has_word);
        if (has_word && *at_hash(&given->line, hash_of_tokens(all->token + i, length, true)))
            memset(is_given + i, true, length);
    }
    for (size_t i = 0; !to_the_names && i + RUN_OF_TREE <= all->count; i++)
        if (*at_hash(&given->run, hash_of_tokens(all->token + i, RUN_OF_TREE, false)))
            memset(is_given + i, true, RUN_OF_TREE);
    for (size_t i = 0; i < all->count; i++) {
        struct token token = all->token[i];
        token.like = to_the_names ? token.exact : token.like;
        if (!is_given[i])
            append(own.token, own.count, token);
    }
    return own;
}

/* ---- what two of them share ---------------------------------------------------------------------- */

static size_t count_runs(const struct source *source) {
    return source->own.count < RUN ? 0 : source->own.count - RUN + 1;
}

/* The place behind that of the first run whose hash goes there; 0 for none. */
static size_t *first_run(const struct source *source, uint64_t hash) {
    return &source->first[hash % (source->own.count + 1)];
}

void find_runs(struct source *source) {
    size_t size = (source->own.count + 1) * sizeof(size_t);
    source->hash = keep(size);
    source->first = keep(size);
    source->next = keep(size);
    for (size_t i = count_runs(source); i-- > 0;) {
        source->hash[i] = hash_of_tokens(source->own.token + i, RUN, false);
        source->next[i] = *first_run(source, source->hash[i]);
        *first_run(source, source->hash[i]) = i + 1;
    }
}

static size_t length_shared(const struct source *a, size_t i, const struct source *b, size_t j,
                            const bool *is_taken) {
    size_t length = 0;
    while (i + length < a->own.count && j + length < b->own.count && !is_taken[j + length] &&
           a->own.token[i + length].like == b->own.token[j + length].like)
        length++;
    return length;
}

/* The longest that a from i on has in common with b; at: with b from there on. */
static size_t longest_shared(const struct source *a, size_t i, const struct source *b,
                             const bool *is_taken, size_t *at) {
    size_t longest = RUN - 1, tried = 0;
    for (size_t j = *first_run(b, a->hash[i]); j && tried < MOST_TRIED; j = b->next[j - 1]) {
        if (b->hash[j - 1] != a->hash[i])
            continue;
        size_t length = length_shared(a, i, b, j - 1, is_taken);
        tried++;
        if (length > longest) {
            longest = length;
            *at = j - 1;
        }
    }
    return longest < RUN ? 0 : longest;
}

struct shared *shared_lines(const struct source *a, const struct source *b, size_t *count,
                            size_t *tokens) {
    bool *is_taken = calloc(b->own.count + 1, sizeof *is_taken); /* freed: there are many pairs */
    struct shared *shared = NULL;
    *count = *tokens = 0;
    for (size_t i = 0, at = 0, length; is_taken && i < count_runs(a); i += length ? length : 1) {
        length = longest_shared(a, i, b, is_taken, &at);
        if (!length)
            continue;
        memset(is_taken + at, true, length);
        *tokens += length;
        append(shared, *count,
               (struct shared){a->own.token[i].line, a->own.token[i + length - 1].line,
                               b->own.token[at].line, b->own.token[at + length - 1].line});
    }
    free(is_taken);
    return shared;
}

/* ---- pairs --------------------------------------------------------------------------------------- */

static int order(uint64_t one, uint64_t other) { return (one > other) - (one < other); }

static int by_share(const void *a, const void *b) {
    const struct pair *one = a, *other = b;
    int places = order(other->share_a, one->share_a);
    places = places ? places : order(other->share_b, one->share_b);
    places = places ? places : order((uintptr_t)one->a, (uintptr_t)other->a);
    return places ? places : order((uintptr_t)one->b, (uintptr_t)other->b);
}

struct pairs find_pairs(const struct sources *sources, size_t at_least) {
    struct pairs pairs = {0};
    const struct source *one = sources->one, *end = one + sources->count;
    for (const struct source *a = one; a < end; a++)
        for (const struct source *b = a + 1; b < end && !a->is_earlier; b++) {
            size_t count, tokens;
            if (sources->with_published && !b->is_earlier)
                continue;
            shared_lines(a, b, &count, &tokens);
            if (!count)
                continue;
            struct pair pair = {a, b, 100 * tokens / a->own.count, 100 * tokens / b->own.count};
            if (pair.share_b > pair.share_a && !sources->with_published)
                pair = (struct pair){b, a, pair.share_b, pair.share_a};
            if (pair.share_a >= at_least)
                append(pairs.one, pairs.count, pair);
        }
    if (pairs.count)
        qsort(pairs.one, pairs.count, sizeof *pairs.one, by_share);
    return pairs;
}
