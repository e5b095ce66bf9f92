/* A source as its tokens, without comments and layout: what two sources are compared by. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct token {
    uint64_t exact; /* a hash of how it is written */
    uint64_t like; /* the same for all names that somebody may choose, for all numbers, and texts */
    uint32_t line; /* from 1 on */
    bool is_word;
};

struct tokens {
    struct token *token;
    size_t count, lines;
};

struct tokens tokens_of(const char *source);

/* Of `count` tokens; is_exact: by names and numbers, too. */
uint64_t hash_of_tokens(const struct token *token, size_t count, bool is_exact);

/* The same of two sources that differ only in names that somebody chose: where one has a name, the
 * other has one throughout. */
uint64_t hash_but_for_names(const struct tokens *tokens);
