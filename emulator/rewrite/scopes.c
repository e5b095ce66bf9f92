#include "parts.h"

#include <string.h>

/* Whether the { at i opens a namespace or an extern "C" block: declarations, not a function. */
static bool opens_namespace(const struct stream *s, size_t i) {
    for (size_t j = i; j-- > 0 && !strchr(";{})", *s->tokens[j].at);)
        if (at(s, j, "namespace") || (at(s, j, "extern") && s->tokens[j + 1].kind == TEXT))
            return true;
    return false;
}

/* What the { at i opens, where no function is around it. */
static enum scope opened_scope(const struct unit *u, const struct stream *s, size_t i) {
    if (opens_namespace(s, i))
        return NAMESPACE;
    bool device = false, both = false, parameters = false, type = false;
    for (size_t j = declaration_start(s, i); j < i; j++) {
        const struct token *t = &s->tokens[j];
        device |= is_device_word(u, t);
        both |= is(t, "__host__") || (t->kind == NAME && is_device_word(u, t) && t->at[0] != '_');
        type |= is_any_of(t, "struct class union enum");
        if (is(t, "=") && !at(s, j - 1, "operator") && !parameters)
            return INSIDE; /* an initializer */
        if (is(t, "(")) {
            parameters |= j > 0 && !is_attribute(&s->tokens[j - 1]);
            j = closing(s, j);
            if (j == NONE || j > i)
                return INSIDE;
        } else if (at(s, j, "template") && at(s, j + 1, "<")) {
            size_t close = closing_angle(s, j + 1);
            j = close < i ? close : j;
        }
    }
    if (parameters && !(type && s->tokens[i - 1].kind == NAME))
        return !device ? HOST : both ? BOTH : DEVICE;
    return type ? TYPE : INSIDE;
}

enum scope function_of(const struct nest *n) {
    for (size_t d = 0; d < n->depth; d++)
        if (n->scopes[d] == HOST || n->scopes[d] == DEVICE || n->scopes[d] == BOTH)
            return n->scopes[d];
    return TYPE;
}

static void take_marks(struct walk *w, size_t i) {
    for (; w->mark < w->s->mark_count && w->s->marks[w->mark].token <= i; w->mark++) {
        int kind = w->s->marks[w->mark].kind;
        if (kind == OPENS && w->saves < CONDITIONS)
            w->saved[w->saves] = w->now;
        if (kind == GOES_ON && w->saves > 0 && w->saves <= CONDITIONS)
            w->now = w->saved[w->saves - 1];
        w->saves += kind == OPENS;
        w->saves -= kind == CLOSES && w->saves > 0;
    }
}

enum scope walk_to(const struct unit *u, struct walk *w, size_t i) {
    struct nest *n = &w->now;
    take_marks(w, i);
    if (at(w->s, i, "{")) {
        enum scope scope = function_of(n) == TYPE ? opened_scope(u, w->s, i) : INSIDE;
        if (n->depth < SCOPES)
            n->scopes[n->depth++] = (unsigned char)scope;
        return scope;
    }
    if (at(w->s, i, "}") && n->depth > 0)
        return n->scopes[--n->depth];
    return INSIDE;
}

bool in_braces(const struct nest *n) {
    for (size_t d = 0; d < n->depth; d++)
        if (n->scopes[d] != NAMESPACE)
            return true;
    return false;
}
