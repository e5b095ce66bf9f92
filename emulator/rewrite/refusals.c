/* What nvcc refuses and a C++ compiler does not see, in nvcc's words: how kernels and variables are
 * declared, and what a function of either side must not say. The sections of CUDA's programming
 * guide stand in tests/emulator/nvcc.sources. */
#include "parts.h"

#include <string.h>

/* ---- declarations ----------------------------------------------------------------------- */

/* A declaration as far as its body, its initializer or its end. */
struct head {
    const struct stream *s;
    size_t first, end;
    size_t name, open, close; /* of a function and its parameters, or NONE */
    enum scope inside;        /* the innermost braces around it, and the function */
    enum scope function;
};

static struct head read_head(const struct walk *walk, size_t i) {
    const struct stream *s = walk->s;
    const struct nest *now = &walk->now;
    struct head h = {.s = s, .first = i, .end = i, .name = NONE, .open = NONE, .close = NONE};
    h.inside = now->depth ? (enum scope)now->scopes[now->depth - 1] : NAMESPACE;
    h.function = function_of(now);
    for (; h.end < s->count && !strchr(";{}=", *s->tokens[h.end].at); h.end++) {
        size_t close = NONE;
        if (at(s, h.end, "template") && at(s, h.end + 1, "<"))
            close = closing_angle(s, h.end + 1);
        if (at(s, h.end, "(")) {
            close = closing(s, h.end);
            size_t named = h.end - (h.end > h.first);
            const size_t angle = at(s, named, ">") ? opening_angle(s, named) : NONE;
            if (angle != NONE && angle > h.first)
                named = angle - 1; /* of f<float>(...) */
            if (h.open == NONE && close != NONE && s->tokens[named].kind == NAME &&
                !is_attribute(&s->tokens[named])) {
                h.open = h.end;
                h.close = close;
                h.name = named;
            }
        }
        if (close != NONE)
            h.end = close;
    }
    return h;
}

/* One of these words in the declaration itself, and not in its parameters. */
static bool has(const struct head *h, const char *words) {
    for (size_t i = h->first; i < h->end; i++) {
        if (h->open != NONE && i == h->open)
            i = h->close;
        if (is_any_of(&h->s->tokens[i], words))
            return true;
    }
    return false;
}

static const char *wrong_result(const struct head *h) {
    return !at(h->s, h->close + 1, "-") && !has(h, "void") &&
                   has(h, "int unsigned float double bool char long size_t short")
               ? "a __global__ function must have a void return type"
               : NULL;
}

static const char *wrong_kernel(const struct head *h) {
    if (has(h, "__device__ __host__"))
        return "illegal combination of memory qualifiers: __global__ stands alone";
    if (h->inside == TYPE && !has(h, "friend"))
        return "A __global__ function or function template cannot be a member function";
    return wrong_result(h);
}

/* What is no kernel. */
static const char *wrong_function(const struct head *h) {
    if (at(h->s, h->name, "main") && has(h, "__device__"))
        return "function main cannot be marked __device__ or __global__";
    for (size_t i = h->first; i < h->open; i++)
        if (is_upper(&h->s->tokens[i]))
            return NULL; /* a macro may say __global__ */
    return has(h, "__launch_bounds__")
               ? "__launch_bounds__ is only allowed on a __global__ function"
               : NULL;
}

static const char *wrong_shared(const struct head *h) {
    if (has(h, "__constant__ __device__"))
        return has(h, "__constant__") ? "illegal combination of memory qualifiers" : NULL;
    if (h->function == HOST)
        return "a static \"__shared__\" variable declaration is not allowed inside a host function "
               "body";
    /* What reads a constant no analysis sees, and nvcc wants a constructor that does nothing. */
    if (has(h, "const") && !has(h, "*"))
        return "a __shared__ variable cannot be const: nothing could be in it";
    return at(h->s, h->end, "=") ||
                   (at(h->s, h->end, "{") && h->open == NONE && !has(h, "struct union class"))
               ? "initializer not allowed for __shared__ variable"
               : NULL;
}

static const char *wrong_variable(const struct head *h) {
    if (has(h, "__shared__"))
        return wrong_shared(h);
    if (!has(h, "__device__ __constant__ __managed__") || h->function == TYPE || has(h, "extern") ||
        (h->function != HOST && has(h, "static")))
        return NULL;
    const bool on_host = h->function == HOST;
    return format_text("%s \"%s\" variable declaration is not allowed inside a %s function body",
                       has(h, "static") ? "a static" : "an automatic",
                       !on_host && has(h, "__constant__")  ? "__constant__"
                       : !on_host && has(h, "__managed__") ? "__managed__"
                                                           : "__device__",
                       on_host ? "host" : "device");
}

void refuse_declaration(struct unit *u, const struct walk *walk, size_t i) {
    const struct stream *s = walk->s;
    if (i > 0 && !strchr(";{}", *s->tokens[i - 1].at))
        return;
    struct head h = read_head(walk, i);
    if (h.end >= s->count || h.end == i || has(&h, "operator"))
        return;
    /* Brackets behind a variable may be those of what it begins with. */
    bool kernel = has(&h, "__global__");
    const char *why = NULL;
    if (h.open != NONE)
        why = kernel ? wrong_kernel(&h) : wrong_function(&h);
    if (!why && (h.open == NONE || !at(s, h.end, "{")))
        why = wrong_variable(&h);
    if (why)
        complain(u, s->tokens[i].at, "%s", why);
}

/* ---- bodies ----------------------------------------------------------------------------- */

/* `int x`, `float *x`, but not `a * x`. */
static bool is_declared_at(const struct stream *s, size_t i) {
    bool refers = false;
    for (; i > 1 && strchr("*&", *s->tokens[i - 1].at); i--)
        refers = true;
    const struct token *type = &s->tokens[i - 1], *before = i > 1 ? type - 1 : type;
    return (type->kind == NAME || *type->at == '>') &&
           !is_any_of(type, "return else case goto do") &&
           (!refers || before->kind == NAME || strchr(";{}(,", *before->at));
}

/* Whether the name at i is that of a __constant__ variable here: whether the nearest declaration
 * before it, of those whose block or list of parameters has not ended, says so. */
static bool names_constant(const struct stream *s, size_t i) {
    size_t ended = 0;
    for (size_t k = i; k-- > 1;) {
        const struct token *t = &s->tokens[k];
        if (strchr("})", *t->at))
            ended++;
        else if (strchr("{(", *t->at) && ended)
            ended--;
        else if (*t->at == '{' && at(s, k - 1, ")"))
            k--; /* its parameters can be seen */
        else if (!ended && t->length == s->tokens[i].length &&
                 strncmp(t->at, s->tokens[i].at, t->length) == 0 && is_declared_at(s, k)) {
            while (k > 0 && !strchr(";{}(", *s->tokens[k].at) && !at(s, k, "__constant__"))
                k--;
            return at(s, k, "__constant__");
        }
    }
    return true;
}

static void refuse_on_device(struct unit *u, const struct stream *s, size_t i) {
    const struct token *t = &s->tokens[i];
    if (is_any_of(t, "throw try catch"))
        complain(u, t->at, "device code does not support exception handling");
    else if (is(t, "thread_local"))
        complain(u, t->at,
                 "cannot use thread_local specifier for variable declarations in device code");
    else if (names_have(&u->constants, t) && strchr(";{}", *s->tokens[i - 1].at) &&
             at(s, i + 1, "=") && !at(s, i + 2, "=") && names_constant(s, i))
        complain(u, t->at, "expression must be a modifiable lvalue: %.*s is __constant__", WORD(t));
    else if (is_any_of(t, "threadIdx blockIdx blockDim gridDim") && i > 1 && at(s, i - 1, "&") &&
             strchr("=(,{[?:;", *s->tokens[i - 2].at))
        complain(u, t->at, "cannot take address of builtin variable \"%.*s\"", WORD(t));
}

/* Functions that only device code has. */
static bool is_of_device(const struct token *t) {
    return begins_with_any(
        t->at,
        "atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS "
        "atomicAnd atomicOr atomicXor __syncthreads __syncwarp __shfl_ __ballot_sync __any_sync "
        "__all_sync __threadfence __popc __clz __ffs __brev __reduce_ __match_ __ldg "
        "__activemask");
}

void refuse_word(struct unit *u, const struct stream *s, size_t i, enum scope function) {
    const struct token *t = &s->tokens[i];
    if (t->kind != NAME || i == 0)
        return;
    if (function == DEVICE)
        refuse_on_device(u, s, i);
    else if (function == HOST && at(s, i + 1, "(") && is_of_device(t) &&
             !strchr(".:>", *s->tokens[i - 1].at) && !names_have(&u->others, t))
        complain(u, t->at,
                 "calling a __device__ function(\"%.*s\") from a __host__ function is not allowed",
                 WORD(t));
}
