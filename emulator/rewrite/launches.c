/* kernel<<<grid, block>>>(a) as a call. */
#include "parts.h"

#include <string.h>

/* Can an expression that ends at i go on to the right, with a ( or a ::? Not after a statement's
 * first word, as in `else (*kernel)<<<…`, nor after its condition: `if (a) (*kernel)<<<…`. */
static bool goes_on(const struct stream *s, size_t i) {
    if (at(s, i, ")")) {
        size_t open = opening(s, i);
        return open == NONE || open == 0 ||
               !is_any_of(&s->tokens[open - 1], "if for while switch constexpr");
    }
    if (s->tokens[i].kind == NAME)
        return !is_any_of(&s->tokens[i], "return else do");
    return at(s, i, "]") || at(s, i, ">");
}

/* The first token of the expression that is launched, whose last token is at i. */
static size_t launched_expression(struct unit *u, const struct stream *s, size_t i) {
    int line = s->tokens[i].line;
    for (;;) {
        if (at(s, i, ">"))
            i = opening_angle(s, i);
        else if (opens(&s->tokens[i]) < 0 && !at(s, i, "}"))
            i = opening(s, i);
        if (i == NONE)
            fail(u, line, "cannot read what is launched by this <<<");
        if (s->tokens[i].kind == NAME) {
            if (i > 0 && is(&s->tokens[i - 1], "template")) /* a.template f<T> */
                i--;
            if (i == 0)
                return i;
            if (at(s, i - 1, "::")) {
                i--;
                /* Does a name before the :: belong to it? In `return ::kernel` none does. */
                bool qualified = i > 0 && (at(s, i - 1, ">") || s->tokens[i - 1].kind == NAME) &&
                                 goes_on(s, i - 1);
                if (!qualified)
                    return i;
                i--;
            } else if (at(s, i - 1, ".")) {
                i -= 2;
            } else if (i > 1 && at(s, i - 1, ">") && at(s, i - 2, "-")) {
                i -= 3;
            } else {
                return i;
            }
            if (i > s->count)
                fail(u, line, "cannot read what is launched by this <<<");
        } else if (opens(&s->tokens[i]) > 0) {
            /* (expression) stands alone; f(…), a[…] and f<…>(…) continue to the left. */
            if (i == 0 || !goes_on(s, i - 1))
                return i;
            i--;
        } else if (at(s, i, "<") && i > 0) {
            i--;
        } else {
            fail(u, line, "cannot read what is launched by this <<<");
        }
    }
}

/* The >>> of the <<< at i: the last before a ( in the statement, and before another launch. */
static size_t launch_end(const struct stream *s, size_t i) {
    size_t found = NONE;
    for (size_t j = i + 3; j < s->count; j = past(s, j)) {
        if (at(s, j, ";") || opens(&s->tokens[j]) < 0 || is_triple(s, j, '<'))
            break;
        /* A launch in a macro's body may end without arguments. */
        if (is_triple(s, j, '>') && !at(s, j + 3, ">") && at(s, j + 3, "("))
            found = j;
    }
    return found;
}

/* A launch of a function whose name at i no kernel has. */
static void refuse_configured(struct unit *u, const struct stream *s, size_t i) {
    const struct token *name = &s->tokens[i];
    bool function = false;
    if (name->kind != NAME || find_kernel(u, name))
        return;
    for (size_t k = 0; k < u->others.count; k++) {
        if (!same(name, u->others.list[k].name))
            continue;
        if (!u->others.list[k].is_overload)
            return; /* a variable may point to a kernel */
        function = true;
    }
    if (function)
        complain(u, name->at, "a host function call cannot be configured: %.*s is no kernel",
                 WORD(name));
}

void rewrite_launch(struct unit *u, const struct stream *s, size_t i, bool on_device) {
    int line = s->tokens[i].line;
    if (i == 0)
        fail(u, line, "there is no kernel before this <<<");
    size_t first = launched_expression(u, s, i - 1), end = launch_end(s, i);
    if (end == NONE)
        fail(u, line, "this <<< has no >>>(arguments)");
    if (closing(s, end + 3) == NONE)
        fail(u, line, "the arguments of this launch have no end");
    if (end == i + 3)
        fail(u, line, "a launch needs a grid and a block: kernel<<<grid, block>>>(…)");

    /* What is launched: qualifiers, a name, perhaps <arguments>. */
    size_t name = i - 1, explicit_arguments = 0;
    if (at(s, name, ">")) {
        name = opening_angle(s, name);
        explicit_arguments = count_arguments(s, name, i - 1);
        name--;
    }
    const struct kernel *kernel =
        s->tokens[name].kind == NAME ? find_kernel(u, &s->tokens[name]) : NULL;
    refuse_configured(u, s, name);
    char *text = quote(s, first, i - 1);
    const char *begin = s->tokens[first].at;
    if (on_device) {
        for (size_t j = 0; j < i; j++)
            if (at(s, j, "{") && closing(s, j) == NONE)
                fail(u, s->tokens[j].line, "this { is never closed: a } is missing after it");
        complain(u, begin, "the emulator has no dynamic parallelism: launch %s on the host", text);
    }
    const struct token *last = &s->tokens[i - 1];
    const bool defaults = kernel && kernel->fewest < kernel->most &&
                          count_arguments(s, end + 3, closing(s, end + 3)) < kernel->most;
    bool deduce = kernel && (kernel->is_template ? explicit_arguments != kernel->parameters
                                                 : defaults || is_overloaded(u, kernel));
    change(u, begin, 0, "::emulator::launcher(%s",
           deduce ? "[&](auto... emulator_argument) { " : "");
    if (deduce)
        change(u, last->at + last->length, 0, "(emulator_argument...); }");
    const struct token *open = &s->tokens[i], *close = &s->tokens[end];
    change(u, open->at, (size_t)(open[2].at + 1 - open->at), ", ::emulator::config(");
    change(u, close->at, (size_t)(close[2].at + 1 - close->at), "), \"%s\", __LINE__)", text);
}

/* Whether the tokens after `open` up to `close` are those of a pointer to void. */
static bool is_void_pointer(const struct stream *s, size_t open, size_t close) {
    bool is_void = false, star = false;
    for (size_t i = open + 1; i < close; i++) {
        if (at(s, i, "void"))
            is_void = true;
        else if (at(s, i, "*"))
            star = true;
        else if (!at(s, i, "const"))
            return false;
    }
    return is_void && star;
}

/* The first token of a cast to a pointer to void that ends before i: (void *), or
 * reinterpret_cast<void *>( with its parenthesis. NONE: there is none. */
static size_t cast_before(const struct stream *s, size_t i) {
    if (i > 0 && at(s, i - 1, "(") && i > 1 && at(s, i - 2, ">")) {
        size_t angle = opening_angle(s, i - 2);
        return angle != NONE && angle > 0 && at(s, angle - 1, "reinterpret_cast") &&
                       is_void_pointer(s, angle, i - 2)
                   ? angle - 1
                   : NONE;
    }
    if (i > 1 && at(s, i - 1, "("))
        i--; /* (void *)(kernel) */
    if (i < 4 || !at(s, i - 1, ")"))
        return NONE;
    size_t open = i - 2;
    while (open > 0 && !at(s, open, "(") && i - open < 6)
        open--;
    return at(s, open, "(") && is_void_pointer(s, open, i - 1) ? open : NONE;
}

void know_kernel(struct unit *u, const struct stream *s, size_t i) {
    const struct token *t = &s->tokens[i];
    size_t first = i, last = i;
    while (first > 1 && at(s, first - 1, "::"))
        first -= s->tokens[first - 2].kind == NAME ? 2 : 1;
    if (first > 0 && at(s, first - 1, "&"))
        first--;
    size_t cast = cast_before(s, first);
    if (cast == NONE)
        return;
    bool launched =
        cast > 1 && at(s, cast - 1, "(") &&
        (at(s, cast - 2, "cudaLaunchKernel") || at(s, cast - 2, "cudaLaunchCooperativeKernel"));
    if (!launched && !find_kernel(u, t))
        return;
    if (at(s, i + 1, "<"))
        last = closing_angle(s, i + 1);
    if (last == NONE || at(s, last + 1, "("))
        return; /* the result of a call */
    change(u, s->tokens[first].at, 0, "EMULATOR_KERNEL(");
    change(u, s->tokens[last].at + s->tokens[last].length, 0, ")");
}
