#define _POSIX_C_SOURCE 200809L /* strndup */
#include "parts.h"

#include <string.h>

/* A call at i of what neither the emulator nor, mostly, CUDA 13 has. */
static void refuse_missing(struct unit *u, const struct stream *s, size_t i) {
    const struct token *t = &s->tokens[i];
    if (!at(s, i + 1, "(") || (i > 0 && strchr(".:>~", *s->tokens[i - 1].at)))
        return; /* not called, or a member */
    if (names_have(&u->others, t))
        return;
    if (!u->manner.older &&
        is_any_of(t, "__shfl __shfl_up __shfl_down __shfl_xor __any __all __ballot"))
        complain(u, t->at,
                 "CUDA 13 has no %.*s: use %.*s_sync (since Volta, 2017, the lanes of a warp no "
                 "longer run in lock step, and its mask names those that take part)",
                 WORD(t), WORD(t));
    if (begins_with_any(t->at,
                        "cuInit cuDevice cuCtx cuModule cuMem cuLaunch cuStream cuEvent cuFunc"))
        complain(u, t->at, "the emulator has no driver API (%.*s): use the runtime API, cuda...",
                 WORD(t));
    if (!u->manner.any_program && is(t, "cudaCreateTextureObject"))
        complain(u, t->at, "a graded step has no textures on the emulator: read the memory itself");
}

/* `(__shared__ int *p)`: a parameter; a declaration that a macro is given ends with a semicolon. */
static bool is_of_parameter(const struct stream *s, size_t i) {
    if (i == 0 || !strchr("(,", *s->tokens[i - 1].at))
        return false;
    for (; i < s->count && !at(s, i, ")") && !at(s, i, ";"); i++)
        if (opens(&s->tokens[i]) && (i = closing(s, i)) == NONE)
            return true;
    return !at(s, i, ";");
}

/* What has a meaning wherever it stands. Returns the last token that was read. */
static size_t rewrite_token(struct unit *u, const struct stream *s, size_t i, bool in_function,
                            enum scope function) {
    const struct token *t = &s->tokens[i];
    bool on_device = function == DEVICE || function == BOTH;
    if (t->kind == PUNCTUATION && is_triple(s, i, '<')) {
        if (!(i > 0 && at(s, i - 1, "operator")))
            rewrite_launch(u, s, i, on_device);
        return i + 2;
    }
    if (t->kind != NAME)
        return i;
    refuse_missing(u, s, i);
    know_kernel(u, s, i);
    if (is(t, "__launch_bounds__"))
        keep_bounds(u, s, i);
    if (is_asm(t) && has_assembly(u, s, i))
        complain(u, t->at,
                 "the emulator cannot run inline PTX (asm): put it inside #ifdef __CUDA_ARCH__");
    else if (is(t, "__noinline__") && !(i > 0 && at(s, i - 1, "(")))
        change(u, t->at, t->length, "__attribute__((noinline))");
    else if (is(t, "static") && at(s, i + 1, "__shared__"))
        drop(u, t->at, t->length); /* the macro __shared__ adds static */
    else if (is(t, "alignas") && i > 0 && at(s, i - 1, "__shared__"))
        change(u, t->at, t->length, "__align__"); /* behind static there is no place for it */
    else if (is(t, "__shared__") && is_of_parameter(s, i))
        drop(u, t->at, t->length); /* of a parameter it says nothing */
    else if (starts_declaration(s, i)) {
        mark_variable(u, s, i, function, in_function && function == TYPE);
        return try_dynamic_shared(u, s, i, in_function);
    }
    return i;
}

void read_body(struct unit *u, const struct stream *s) {
    for (size_t i = 0; i < s->count; i++)
        i = rewrite_token(u, s, i, false, TYPE);
}

/* Puts a directive behind the brace at t, and goes on in the same line and column. */
static void put_directive(struct unit *u, const struct token *t, bool before,
                          const char *directive) {
    const char *here = before ? t->at : t->at + 1, *line = here;
    while (line > u->file->source && line[-1] != '\n')
        line--;
    char *blanks = need(strndup(line, (size_t)(here - line)));
    for (char *p = blanks; *p; p++)
        if (*p != '\t')
            *p = ' ';
    change(u, here, 0, "\n%s\n#line %d \"%s\"\n%s", directive, t->line, u->file->quoted, blanks);
    u->file->has_more_lines = true;
}

static void note_functions(struct unit *u, const struct stream *s) {
    struct walk walk = {.s = s};
    for (size_t i = 0; i < s->count; i++) {
        walk_to(u, &walk, i);
        if (at(s, i, "__global__"))
            note_kernel(u, s, i);
        else if (i > 0 && s->tokens[i].kind == NAME)
            note_declared(u, s, i, !in_braces(&walk.now));
    }
}

/* Whether one of these words declares the function whose body opens at i. */
static bool is_declared_as(const struct stream *s, size_t i, const char *words) {
    for (size_t j = declaration_start(s, i); j < i; j++)
        if (is_any_of(&s->tokens[j], words))
            return true;
    return false;
}

/* The body at i, of a __host__ __device__ function: nvcc compiles it for both sides, and an #if in
 * it that asks for __CUDA_ARCH__ may compute something else on each. */
static void split_sides(struct unit *u, const struct stream *s, size_t i) {
    size_t end = closing(s, i);
    if (end == NONE ||
        is_declared_as(s, i, "constexpr consteval")) /* such a body calls what is constexpr */
        return;
    const struct token *open = &s->tokens[i], *close = &s->tokens[end];
    const char *asks = strstr(open->at, "__CUDA_ARCH__");
    if (!asks || asks > close->at)
        return;
    change(u, open->at + 1, 0, "%c#line %d \"%s\"\n", SIDES_BEGIN, open->line, u->file->quoted);
    change(u, close->at, 0, "%c\n#line %d \"%s\"\n", SIDES_END, close->line, u->file->quoted);
    u->file->has_more_lines = true;
}

/* The function whose body opens at `open`, and whose declaration begins at `first`. */
static void note_space(struct unit *u, const struct stream *s, size_t first, size_t open,
                       enum scope scope) {
    size_t close = closing(s, open);
    if (close != NONE && !u->host_only)
        text_print(&u->functions, "%d %d %d %s\n", (int)scope, s->tokens[first].line,
                   s->tokens[close].line, u->file->path);
}

/* A lambda for the device, which a host function may have. */
static void note_lambda(struct unit *u, const struct stream *s, size_t i) {
    size_t open = i + 1;
    if (!at(s, i, "]") || open >= s->count || !is_device_word(u, &s->tokens[open]))
        return;
    while (open < s->count && !strchr("{;", *s->tokens[open].at))
        open++;
    if (!at(s, open, "{"))
        return;
    note_space(u, s, i, open, DEVICE);
    if (!u->manner.any_program)
        complain(
            u, s->tokens[i].at + 1,
            "__host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag");
}

void read_code(struct unit *u, const struct stream *s) {
    struct walk walk = {.s = s};
    size_t kernel_end = 0;
    note_functions(u, s);
    for (size_t i = 0; i < s->count; i++) {
        const struct token *t = &s->tokens[i];
        enum scope brace = walk_to(u, &walk, i), function = function_of(&walk.now);
        if (is(t, "{") && brace == DEVICE && is_declared_as(s, i, "__global__"))
            kernel_end = closing(s, i) == NONE ? 0 : closing(s, i);
        if (i < kernel_end && is(t, "return") && at(s, i + 1, ";"))
            change(u, t->at + t->length, 0, " ::emulator::returns()");
        if (is(t, "{") && (brace == HOST || brace == DEVICE || brace == BOTH)) {
            bool both = (u->manner.relaxed && is_declared_as(s, i, "constexpr")) ||
                        (brace != BOTH && is_declared(u, s, i, brace == HOST));
            note_space(u, s, declaration_start(s, i), i, both ? BOTH : brace);
        }
        note_lambda(u, s, i);
        refuse_declaration(u, &walk, i);
        refuse_word(u, s, i, function);
        if (brace == BOTH && is(t, "{") && u->manner.any_program && !u->host_only)
            split_sides(u, s, i);
        if (brace == HOST && u->asks_for_architecture && !u->host_only)
            put_directive(u, t, is(t, "}"), directives_of(u, t, is(t, "{")));
        i = rewrite_token(u, s, i, in_braces(&walk.now), function);
    }
}
