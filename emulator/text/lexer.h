/* The one lexer of CUDA C++: of an author's file, and of what the preprocessor made of it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum kind { NAME, NUMBER, TEXT, PUNCTUATION };

/* A sign is one character, but for `::`. A TEXT is a string or a character with its quotes; its
 * prefix, if it is raw, belongs to it, and a suffix does not. */
struct token {
    enum kind kind;
    const char *at;
    size_t length;
    int line, mark; /* mark: of a preprocessed text (stream.h) */
};
#define WORD(token) (int)(token)->length, (token)->at /* for %.*s */

/* What the lexer cannot read; it then ends the text there. */
struct lexer {
    const char *why; /* NULL: nothing */
    int line;        /* of what it cannot read; kept by the caller while it reads */
};

/* Past the end of the token that begins at p. */
const char *skip_token(struct lexer *lexer, const char *p, enum kind *kind);

/* Past one space, comment or continued line at p; p itself if there is none. */
const char *skip_blank(struct lexer *lexer, const char *p);

bool is_name_character(char c);
int lines_in(const char *from, const char *to);

bool is(const struct token *t, const char *text);
bool same(const struct token *a, const struct token *b);
bool is_any_of(const struct token *t, const char *words); /* with blanks between them */

/* Whether it is `asm`, in one of its spellings. */
bool is_asm(const struct token *t);

/* 1: an opening bracket, -1: a closing one, 0: none. */
int opens(const struct token *t);
