#include "parts.h"

#include <string.h>

/* ---- shared memory ---------------------------------------------------------------------- */

/* Whether an array of dynamic shared memory is declared before i that is still in scope there. */
static bool is_beside_another(const struct unit *u, const struct stream *s, size_t i) {
    for (int depth = 0; u->dynamic.count && i-- > 0;) {
        depth += is(&s->tokens[i], "}") - is(&s->tokens[i], "{");
        if (depth < 0)
            depth = 0; /* the block that i is in has begun there */
        if (&s->tokens[i] == u->dynamic.list[u->dynamic.count - 1].name)
            return !depth;
    }
    return false;
}

/* A declaration from `first` to the ';' at `end` with both extern and __shared__. */
static void rewrite_dynamic_shared(struct unit *u, const struct stream *s, size_t first, size_t end,
                                   bool in_function) {
    int line = s->tokens[first].line;
    size_t bracket = NONE;
    for (size_t i = first; i < end && bracket == NONE; i++) {
        const struct token *t = &s->tokens[i];
        bool attribute = is_any_of(t, "__align__ alignas __attribute__");
        if (attribute && at(s, i + 1, "(")) {
            size_t close = closing(s, i + 1);
            if (close == NONE || close > end)
                fail(u, line, "cannot read this declaration of shared memory");
            for (size_t k = i; k <= close; k++)
                drop(u, s->tokens[k].at, s->tokens[k].length);
            i = close;
        } else if (is_any_of(t, "extern __shared__ static")) {
            drop(u, t->at, t->length);
        } else if (is(t, "[")) {
            bracket = i;
        } else if (is(t, ",") && opening_angle(s, end - 1) == NONE) {
            break;
        }
    }
    if (bracket == NONE || bracket < first + 2 || !at(s, bracket + 1, "]") ||
        s->tokens[bracket - 1].kind != NAME)
        fail(u, line,
             "dynamic shared memory must be one array without a size: "
             "extern __shared__ type name[];");
    for (size_t i = bracket + 2; i < end; i++)
        if (at(s, i, ",") || at(s, i, "="))
            fail(u, line, "declare one array of dynamic shared memory at a time");
    const struct token *name = &s->tokens[bracket - 1];
    const struct token *open = &s->tokens[bracket], *close = &s->tokens[bracket + 1];
    drop(u, open->at, open->length);
    drop(u, close->at, close->length);
    for (size_t k = 0; !u->manner.any_program && k < u->dynamic.count; k++)
        if (same(name, u->dynamic.list[k].name) && !same(name - 1, u->dynamic.list[k].name - 1))
            complain(u, name->at, "declaration is incompatible with previous \"%.*s\"", WORD(name));
    const bool too = is_beside_another(u, s, first);
    names_add(&u->dynamic, (struct declared){.name = name});
    if (in_function) {
        /* more dimensions: a pointer to arrays, which needs parentheses */
        change(u, name->at, name->length, bracket + 2 == end ? "*const %.*s" : "(*const %.*s)",
               WORD(name));
        change(u, s->tokens[end].at, 0, " = ::emulator::dynamic_shared%s", too ? "_too" : "");
        return;
    }
    if (bracket + 2 != end)
        fail(u, line, "dynamic shared memory outside functions can have only one dimension");
    change(u, s->tokens[first].at, 0,
           "static constexpr EMULATOR_VARIABLE(readonly, %.*s) ::emulator::dynamic_array<",
           WORD(name));
    change(u, name->at, 0, "> ");
}

size_t try_dynamic_shared(struct unit *u, const struct stream *s, size_t i, bool in_function) {
    bool external = false, shared = false;
    size_t end = i;
    for (; end < s->count && !at(s, end, ";"); end++) {
        if (strchr("{}", *s->tokens[end].at) || at(s, end, "=") || at(s, end, "#"))
            break;
        external |= at(s, end, "extern");
        shared |= at(s, end, "__shared__");
    }
    if (!external || !shared)
        return i;
    if (!at(s, end, ";"))
        fail(u, s->tokens[i].line, "cannot read this declaration of shared memory");
    rewrite_dynamic_shared(u, s, i, end, in_function);
    return end;
}

/* ---- variables of the device ------------------------------------------------------------ */

/* A declaration of a variable, as far as its name. */
struct variable {
    size_t name;
    bool constant; /* its type is const */
};

/* Where a declaration goes on behind what may stand in it and tells nothing: an attribute with its
 * brackets, template arguments, the body of a struct. i itself if there is no such thing at i. */
static size_t skip_detail(const struct stream *s, size_t i) {
    size_t close = i;
    if (is_any_of(&s->tokens[i], "__align__ alignas __attribute__ decltype") && at(s, i + 1, "("))
        close = closing(s, i + 1);
    if (is_any_of(&s->tokens[i], "struct union class enum") &&
        (at(s, i + 1, "{") || at(s, i + 2, "{")))
        close = closing(s, at(s, i + 1, "{") ? i + 1 : i + 2);
    if (at(s, i, "[") && at(s, i + 1, "["))
        close = closing(s, i);
    if (at(s, i, "<"))
        close = closing_angle(s, i);
    return close == i ? i : close == NONE ? s->count : close + 1;
}

/* Reads the declaration at i. Returns whether it declares a variable: then its name is the last one
 * before = ; [ { or a comma. A function's is the last one before a bracket. */
static bool read_variable(const struct stream *s, size_t i, struct variable *v) {
    v->name = NONE;
    while (i < s->count) {
        const struct token *t = &s->tokens[i];
        size_t behind = skip_detail(s, i++);
        if (behind >= i) {
            i = behind;
        } else if (is(t, "const") || is(t, "constexpr")) {
            v->constant = true;
        } else if (is(t, "*")) {
            v->constant = false; /* so far it was about what the pointer points to */
        } else if (is(t, "(")) {
            bool pointer = at(s, i, "*") || at(s, i, "&");
            if (!pointer)
                return i < s->count && s->tokens[i].kind == NUMBER && v->name != NONE;
        } else if (is(t, "operator") || is(t, "__global__")) {
            return false;
        } else if (t->kind == PUNCTUATION && strchr("=;[{,)", *t->at)) {
            return v->name != NONE;
        } else if (t->kind == NAME) {
            v->name = i - 1;
        }
    }
    return false;
}

void mark_variable(struct unit *u, const struct stream *s, size_t i, enum scope function,
                   bool in_class) {
    const struct token *spaces[3]; /* __device__ __constant__, for example */
    size_t count = 0;
    const char *section = "device";
    for (size_t j = i; j < s->count; j++) {
        const struct token *t = &s->tokens[j];
        if (t->kind == PUNCTUATION && strchr("(;={", *t->at))
            break;
        if (is(t, "__shared__")) /* a __device__ beside it says nothing */
            return;
        bool elsewhere = is(t, "__constant__") || is(t, "__managed__");
        if (count < sizeof spaces / sizeof *spaces && (elsewhere || is(t, "__device__")))
            spaces[count++] = t;
        if (elsewhere)
            section = is(t, "__constant__") ? "constant" : "managed";
    }
    struct variable v = {0};
    bool local =
        function == DEVICE && count == 0 && at(s, i, "static") && !at(s, i + 1, "thread_local");
    if ((count == 0 && !local) || !read_variable(s, i, &v))
        return;
    const struct token *name = &s->tokens[v.name];
    if (local) {
        if (!v.constant)
            change(u, s->tokens[i].at, 0, "EMULATOR_VARIABLE(device, %.*s) ", WORD(name));
        return;
    }
    if (in_class && !at(s, i, "static") && !at(s, i + 1, "static")) {
        drop(u, spaces[0]->at, spaces[0]->length); /* it says nothing of a member */
        return;
    }
    if (strcmp(section, "constant") == 0 && !at(s, v.name + 1, "["))
        names_add(&u->constants, (struct declared){.name = name});
    change(u, spaces[0]->at, spaces[0]->length, "EMULATOR_VARIABLE(%s, %.*s)",
           v.constant ? "readonly" : section, WORD(name));
    for (size_t k = 1; k < count; k++)
        drop(u, spaces[k]->at, spaces[k]->length);
}
