/* Assembly and attributes of a step, by its tokens. */
#pragma once
#include "lexer.h"
#include "text.h"

struct attributes {
    enum { OUTSIDE, IN_ASSEMBLY, IN_ATTRIBUTE } inside;
    bool square; /* it began with [[ */
    int brackets, parentheses;
    enum { TEMPLATE, OUTPUTS, BEHIND } part; /* of the assembly: instructions, what they set */
    struct text string; /* the latest string, with those that are joined to it */
    char attribute[64]; /* without the __ around it */
};

/* The next token, and the one before it. Returns why a step may not have it; else NULL. */
char *attributes_take(struct attributes *a, const struct token *t, const struct token *last);

/* Whether that token is of what an assembly sets. Without an instruction it sets nothing, but a
 * compiler would store there, unseen: the token is to be left out. */
bool attributes_drop(const struct attributes *a, const struct token *t);
