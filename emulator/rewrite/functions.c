/* Kernels and other functions, by their declarations. */
#include "parts.h"

#include <string.h>

const struct kernel *find_kernel(const struct unit *u, const struct token *name) {
    for (size_t i = 0; i < u->kernel_count; i++)
        if (same(name, u->kernels[i].name))
            return &u->kernels[i];
    return NULL;
}

bool is_overloaded(const struct unit *u, const struct kernel *kernel) {
    bool needs = false;
    for (size_t i = 0; i < u->kernel_count; i++)
        needs |= same(kernel->name, u->kernels[i].name) && kernel->most != u->kernels[i].most;
    for (size_t i = 0; i < u->others.count; i++)
        needs |= u->others.list[i].is_overload && same(kernel->name, u->others.list[i].name);
    return needs;
}

bool is_device_word(const struct unit *u, const struct token *t) {
    if (is(t, "__device__") || is(t, "__global__"))
        return true;
    return names_have(&u->device_macros, t);
}

void note_kernel(struct unit *u, const struct stream *s, size_t i) {
    size_t name = NONE, parameters = NONE, angle = template_of(s, i);
    for (size_t j = i + 1; j < s->count && !strchr(";{", *s->tokens[j].at); j = past(s, j))
        if (at(s, j, "(") && s->tokens[j - 1].kind == NAME && !is_attribute(&s->tokens[j - 1]))
            name = j - 1;
    size_t close = name == NONE ? NONE : closing(s, name + 1);
    if (close == NONE || at(s, name, "void"))
        return; /* for example __global__ in a macro's body: nothing to learn */
    if (angle != NONE) {
        size_t end = closing_angle(s, angle);
        bool countable = end != NONE;
        for (size_t j = angle; countable && j < end; j++)
            if (at(s, j, "=") || at(s, j, "."))
                countable = false; /* a default, or a pack: there may be fewer or more */
        parameters = countable ? count_arguments(s, angle, end) : NONE;
    }
    u->kernels = grow(u->kernels, u->kernel_count, &u->kernel_room, sizeof *u->kernels);
    struct kernel *k = &u->kernels[u->kernel_count++];
    *k = (struct kernel){&s->tokens[name], angle != NONE, parameters, 0, 0};
    count_parameters(s, name + 1, close, &k->fewest, &k->most);
}

/* Of a kernel that is no template, has a name of its own, and a body. */
void keep_bounds(struct unit *u, const struct stream *s, size_t i) {
    const size_t start = declaration_start(s, i);
    size_t close = at(s, i + 1, "(") ? closing(s, i + 1) : NONE, end = i + 2, name, named = 0;
    for (name = close; name < s->count && !at(s, name + 1, "(");)
        name++;
    size_t body = name < s->count ? closing(s, name + 1) : NONE;
    if (body == NONE || !at(s, ++body, "{") || closing(s, body) == NONE)
        return;
    const struct token *t = &s->tokens[name], *brace = &s->tokens[closing(s, body)];
    for (size_t k = 0; k < u->kernel_count; k++)
        named += same(t, u->kernels[k].name) != 0;
    const struct kernel *kernel = find_kernel(u, t);
    if (named != 1 || kernel->is_template || is_overloaded(u, kernel) || at(s, start, "template"))
        return;
    while (end < close && !at(s, end, ","))
        end = past(s, end);
    change(u, brace->at + 1, 0, " __kernel_bounds__(%.*s, %s)", WORD(t), quote(s, i + 2, end - 1));
}

void note_declared(struct unit *u, const struct stream *s, size_t i, bool in_namespace) {
    const struct token *before = &s->tokens[i - 1];
    bool typed = before->kind == NAME ? !is_statement_word(before)
                                      : at(s, i - 1, ">") && !(i > 1 && at(s, i - 2, "-"));
    if ((is(before, "*") || is(before, "&")) && i > 1) {
        const struct token *type = &s->tokens[i - 2];
        typed = (type->kind == NAME && !is_statement_word(type)) || strchr("*&>(", *type->at);
    }
    if (!typed || i + 1 >= s->count)
        return;
    if (!at(s, i + 1, "(")) {
        bool variable = strchr("=;,{[", *s->tokens[i + 1].at) ||
                        (at(s, i + 1, ")") && !(i > 1 && at(s, i - 2, "(")));
        bool pointer = at(s, i + 1, ")") && at(s, i + 2, "(") && is(before, "*");
        if (variable ? !(is(before, "&") && at(s, i - 2, "(")) : pointer)
            names_add(&u->others, (struct declared){.name = &s->tokens[i]});
        return;
    }
    bool is_device = false;
    for (size_t j = declaration_start(s, i); j < i; j++) {
        if (at(s, j, "__global__"))
            return;
        if (is_device_word(u, &s->tokens[j]) ||
            is_upper(&s->tokens[j])) /* a macro may say __device__ */
            is_device = true;
    }
    if (closing(s, i + 1) != NONE)
        names_add(&u->others, (struct declared){&s->tokens[i], in_namespace, is_device});
}

bool is_declared(const struct unit *u, const struct stream *s, size_t open, bool device) {
    for (size_t i = declaration_start(s, open) + 1; i < open; i++) {
        const struct token *name = &s->tokens[i - 1];
        if (!at(s, i, "(") || name->kind != NAME || is_attribute(name))
            continue;
        for (size_t k = 0; k < u->others.count; k++)
            if (u->others.list[k].is_device == device && same(name, u->others.list[k].name))
                return true;
        return false;
    }
    return false;
}
