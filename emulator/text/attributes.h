// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Assembly and attributes of a step, by its tokens. */
#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include "lexer.h"
#include "text.h"

struct attributes {
    enum { OUTSIDE, IN_ASSEMBLY, IN_ATTRIBUTE } inside;
    bool square; /* it began with [[ */
    int brackets, parentheses;
    bool in_template;   /* of the assembly: its instructions */
    struct text string; /* the latest string, with those that are joined to it */
    char attribute[64]; /* without the __ around it */
};

/* The next token, and the one before it. Returns why a step may not have it, for the caller to
 * free, or NULL. */
char *attributes_take(struct attributes *a, const struct token *t, const struct token *last);

#endif
