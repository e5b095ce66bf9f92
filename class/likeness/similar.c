#include "similar.h"

#include <stdlib.h>
#include <string.h>

#include "../grades/lines.h"
#include "../handout/handout.h"
#include "lib/steps.h"

/* What a run of tokens is, that is taken to come from this tree; and what one is that two share: it
 * is longer, since it is evidence. */
enum { RUN_OF_TREE = 16, RUN = 24 };

/* ---- what comes from this tree ------------------------------------------------------------------- */

struct hashes {
    uint64_t *hash;
    size_t count;
};

struct given {
    bool is_known;
    struct hashes line; /* of starters */
    struct hashes run;  /* of starters and of our own steps */
};

static int order(uint64_t one, uint64_t other) { return (one > other) - (one < other); }

static int by_hash(const void *a, const void *b) {
    return order(*(const uint64_t *)a, *(const uint64_t *)b);
}

static void add_hash(struct hashes *list, uint64_t hash) { append(list->hash, list->count, hash); }

static bool has_hash(const struct hashes *list, uint64_t hash) {
    return list->count && bsearch(&hash, list->hash, list->count, sizeof hash, by_hash);
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
        add_hash(&given->run, hash_of_tokens(tokens.token + i, RUN_OF_TREE, false));
    for (size_t i = 0, length; is_starter && i < tokens.count; i += length) {
        length = length_of_line(&tokens, i, &has_word);
        if (has_word)
            add_hash(&given->line, hash_of_tokens(tokens.token + i, length, true));
    }
}

static const struct given *given_of(const char *file) {
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
    qsort(given->line.hash, given->line.count, sizeof(uint64_t), by_hash);
    qsort(given->run.hash, given->run.count, sizeof(uint64_t), by_hash);
    return given;
}

void leave_out_given(struct source *source) {
    const struct given *given = given_of(base_name(source->path));
    const struct tokens *all = &source->all;
    bool *is_handed_out = keep(all->count + 1), *is_own = keep(all->count + 1), has_word;
    for (size_t i = 0, length; i < all->count; i += length) {
        length = length_of_line(all, i, &has_word);
        if (has_word && has_hash(&given->line, hash_of_tokens(all->token + i, length, true)))
            memset(is_handed_out + i, true, length);
    }
    memset(is_own, true, all->count);
    for (size_t i = 0; i + RUN_OF_TREE <= all->count; i++)
        if (has_hash(&given->run, hash_of_tokens(all->token + i, RUN_OF_TREE, false)))
            memset(is_own + i, false, RUN_OF_TREE);
    source->written.token = keep((all->count + 1) * sizeof *all->token);
    source->own.token = keep((all->count + 1) * sizeof *all->token);
    for (size_t i = 0; i < all->count; i++) {
        if (!is_handed_out[i])
            source->written.token[source->written.count++] = all->token[i];
        if (!is_handed_out[i] && is_own[i])
            source->own.token[source->own.count++] = all->token[i];
    }
}

/* ---- pairs --------------------------------------------------------------------------------------- */

const struct tokens *compared(const struct source *source, bool is_exact) {
    return is_exact ? &source->written : &source->own;
}

/* Where a run begins: in which source, and at which token. */
struct run {
    uint64_t hash;
    size_t source, at;
};

static int by_run(const void *a, const void *b) {
    const struct run *one = a, *other = b;
    int places = order(one->hash, other->hash);
    places = places ? places : order(one->source, other->source);
    return places ? places : order(one->at, other->at);
}

static struct run *runs_of(const struct source *source, size_t count, bool is_exact, size_t *runs) {
    struct run *run = NULL;
    *runs = 0;
    for (size_t s = 0; s < count; s++) {
        const struct tokens *tokens = compared(&source[s], is_exact);
        for (size_t i = 0; i + RUN <= tokens->count; i++)
            append(run, *runs,
                   (struct run){hash_of_tokens(tokens->token + i, RUN, is_exact), s, i});
    }
    if (*runs)
        qsort(run, *runs, sizeof *run, by_run);
    return run;
}

/* How many tokens of one source each of the others has: it adds what a run that begins at `at` and
 * is in source `other` covers beyond the runs before. */
struct cover {
    size_t tokens, end;
};

static void add_run(struct cover *cover, size_t at) {
    size_t from = at > cover->end ? at : cover->end;
    cover->tokens += at + RUN - from;
    cover->end = at + RUN;
}

/* cover[a * count + b]. Runs of one text stand side by side, by source and place. */
static struct cover *cover_all(const struct sources *sources, bool is_exact) {
    size_t runs, count = sources->count;
    struct run *run = runs_of(sources->one, count, is_exact, &runs);
    struct cover *cover = keep((count * count + 1) * sizeof *cover);
    size_t **in = keep((count + 1) * sizeof *in), *several = keep((runs + 1) * sizeof *several);
    for (size_t s = 0; s < count; s++)
        in[s] = keep((compared(&sources->one[s], is_exact)->count + 1) * sizeof **in);
    for (size_t first = 0, end; first < runs; first = end) {
        size_t sources_of = 0;
        for (end = first; end < runs && run[end].hash == run[first].hash; end++) {
            in[run[end].source][run[end].at] = first;
            if (end == first || run[end].source != run[end - 1].source)
                run[first + sources_of++].source = run[end].source;
        }
        several[first] = sources_of;
    }
    for (size_t a = 0; a < count; a++)
        for (size_t at = 0; at + RUN <= compared(&sources->one[a], is_exact)->count; at++)
            for (size_t first = in[a][at], i = 0; i < several[first]; i++)
                add_run(&cover[a * count + run[first + i].source], at);
    return cover;
}

static size_t share(const struct cover *cover, const struct source *source, bool is_exact) {
    size_t tokens = compared(source, is_exact)->count;
    return tokens ? 100 * cover->tokens / tokens : 0;
}

static int by_share(const void *a, const void *b) {
    const struct pair *one = a, *other = b;
    int places = order(other->share_a, one->share_a);
    places = places ? places : order(other->share_b, one->share_b);
    places = places ? places : order((uintptr_t)one->a, (uintptr_t)other->a);
    return places ? places : order((uintptr_t)one->b, (uintptr_t)other->b);
}

struct pairs find_pairs(const struct sources *sources, size_t at_least, bool is_exact) {
    struct cover *cover = cover_all(sources, is_exact);
    struct pairs pairs = {0};
    for (size_t i = 0; i < sources->count; i++) {
        struct pair best = {0};
        for (size_t j = is_exact ? 0 : i + 1; j < sources->count; j++) {
            const struct source *a = &sources->one[i], *b = &sources->one[j];
            size_t to_a = share(&cover[i * sources->count + j], a, is_exact);
            size_t to_b = share(&cover[j * sources->count + i], b, is_exact);
            bool turned = !is_exact && to_b > to_a;
            struct pair pair = {turned ? b : a, turned ? a : b, turned ? to_b : to_a,
                                turned ? to_a : to_b, is_exact};
            bool is_of_interest =
                is_exact ? !a->is_earlier && b->is_earlier : !(a->is_earlier && b->is_earlier);
            if (!is_of_interest || pair.share_a < at_least || !cover[i * sources->count + j].tokens)
                continue;
            if (is_exact && best.a && by_share(&best, &pair) < 0)
                continue;
            best = pair;
            if (is_exact && pairs.count && pairs.one[pairs.count - 1].a == a)
                pairs.count--;
            append(pairs.one, pairs.count, pair);
        }
    }
    if (pairs.count)
        qsort(pairs.one, pairs.count, sizeof *pairs.one, by_share);
    return pairs;
}

/* ---- the lines that both have -------------------------------------------------------------------- */

static size_t length_of_run(const struct pair *pair, const bool *is_taken, size_t i, size_t j) {
    const struct tokens *a = compared(pair->a, pair->is_exact);
    const struct tokens *b = compared(pair->b, pair->is_exact);
    size_t length = 0;
    while (i + length < a->count && j + length < b->count && !is_taken[j + length] &&
           hash_of_tokens(a->token + i + length, 1, pair->is_exact) ==
               hash_of_tokens(b->token + j + length, 1, pair->is_exact))
        length++;
    return length;
}

struct shared *shared_lines(const struct pair *pair, size_t *count) {
    enum { MOST_TRIED = 64 }; /* places in b: who repeats a line a thousand times gets no more */
    const struct tokens *a = compared(pair->a, pair->is_exact);
    const struct tokens *b = compared(pair->b, pair->is_exact);
    size_t runs, best, at = 0;
    struct run *run = runs_of(pair->b, 1, pair->is_exact, &runs);
    bool *is_taken = keep(b->count + 1);
    struct shared *shared = NULL;
    *count = 0;
    for (size_t i = 0; i + RUN <= a->count; i += best ? best : 1) {
        uint64_t hash = hash_of_tokens(a->token + i, RUN, pair->is_exact);
        size_t low = 0, high = runs;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (run[middle].hash < hash)
                low = middle + 1;
            else
                high = middle;
        }
        best = 0;
        for (size_t tried = 0; tried < MOST_TRIED && low < runs && run[low].hash == hash;
             tried++, low++) {
            size_t length = length_of_run(pair, is_taken, i, run[low].at);
            if (length >= RUN && length > best) {
                best = length;
                at = run[low].at;
            }
        }
        if (!best)
            continue;
        memset(is_taken + at, true, best);
        append(shared, *count,
               (struct shared){a->token[i].line, a->token[i + best - 1].line, b->token[at].line,
                               b->token[at + best - 1].line});
    }
    return shared;
}
