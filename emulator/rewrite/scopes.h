/* What the braces around a token are. */
#pragma once
#include "unit.h"

enum scope { NAMESPACE, TYPE, HOST, DEVICE, BOTH, INSIDE };

enum { SCOPES = 256, CONDITIONS = 64 };

struct nest {
    size_t depth;
    unsigned char scopes[SCOPES];
};

/* A way through a stream, with the braces around each token. After #else: those before #if. */
struct walk {
    const struct stream *s;
    size_t mark;
    struct nest now, saved[CONDITIONS];
    size_t saves;
};

/* Reaches the token at i: to be called for each, in order. Of a brace it returns what it opens or
 * closes, if that is a function's body; else INSIDE. */
enum scope walk_to(const struct unit *u, struct walk *w, size_t i);

/* The function around the token that was reached: HOST, DEVICE, BOTH, or TYPE if there is none. */
enum scope function_of(const struct nest *n);

/* Whether anything but namespaces is around it. */
bool in_braces(const struct nest *n);
