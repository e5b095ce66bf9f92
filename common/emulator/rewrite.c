// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* rewrite [--program] [-IDIRECTORY...] FILE.cu > FILE.cpp: turns what only nvcc can read into C++.
 * With --program it is a program of somebody's own, which nobody grades, and may use more:
 * EMULATOR_ANY_PROGRAM.
 *
 *   kernel<<<grid, block>>>(a)
 *       ::emulator::launcher(kernel, ::emulator::config(grid, block), "kernel", __LINE__)(a)
 *   extern __shared__ int name[];
 *       int *const name = ::emulator::dynamic_shared;
 *   __noinline__
 *       __attribute__((noinline))
 *   __device__ int x;
 *       EMULATOR_VARIABLE(device, x) int x;
 *   asm (inline PTX), kernel(a), a launch in a kernel
 *       an error, if the compiler ever gets there
 *   cudaLaunchKernel((void *)k, …)
 *       cudaLaunchKernel(k, …), so that k keeps its type
 *   #include "file", if it stands beside this one or in a DIRECTORY, and has any of these
 *       its text, or the path of a file with it (--headers)
 *   #include <cub/cub.cuh>, and whatever else of the CUDA Toolkit the emulator lacks
 *       #error
 *
 * __CUDA_ARCH__ is 900, except in the bodies of the host's functions, where it is undefined as in
 * nvcc's pass for the host. Where an #if asks for it and would choose what the emulator lacks, it
 * is undefined too, and a note on stderr says so.
 *
 * Line numbers in the compiler's messages are those of FILE.cu. If this program cannot read
 * something, it prints FILE:LINE: error: … and ends with exit status 1. */
#define _XOPEN_SOURCE 700 /* strndup, stpcpy, realpath, tsearch */
#include "ptx/translate.h"

#include <ctype.h>
#include <search.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { NAME, NUMBER, TEXT, PUNCTUATION };

struct token {
    enum kind kind;
    const char *at;
    size_t length;
    int line;
};

/* Text to put before a token, or in its place. */
struct edit {
    const char *at;
    size_t removed;
    char *text;
    size_t order; /* of edits at the same place */
};

/* A directive that other tokens stand between: #if, #else … #endif. */
struct mark {
    size_t token; /* the first one after it */
    enum { OPENS, GOES_ON, CLOSES } kind;
    const char *end;
    int line;
};

/* Tokens that belong together: the file without its directives, or the body of one #define. */
struct stream {
    struct token *tokens;
    size_t count, room;
    struct mark *marks;
    size_t mark_count, mark_room;
};

/* The file that is read: FILE.cu, or one that it includes. */
struct file {
    struct file *includer;
    const char *path;
    char *source;
    struct edit *edits;
    size_t edit_count, edit_room;
    struct conditional *innermost;
    char *quoted; /* the path inside a string */
    bool once;    /* it has #pragma once, which stands here */
    const char *once_at;
    size_t once_length;
    bool has_more_lines; /* than the source */
    size_t paths;        /* edits that only say where a file is */
};

struct kernel {
    const struct token *name;
    char *space; /* the namespace that it is in: "a::b::", or "" */
    bool is_template;
    size_t parameters;   /* of the template; SIZE_MAX if they cannot be counted */
    size_t fewest, most; /* arguments of a call */
};

/* Another function, a variable or a macro: it may have a kernel's name. */
struct declared {
    const struct token *name;
    size_t fewest, most; /* arguments of a call */
    bool is_overload;    /* a function that is no member */
    bool is_host;        /* and that the device cannot call */
};

static struct file *file;
static struct kernel *kernels;
static size_t kernel_count, kernel_room;
static struct declared *others;
static size_t other_count, other_room;
/* Macros with __device__ or __global__ in them, for example DEVICE or HOST_DEVICE. */
static struct declared *device_macros;
static size_t device_macro_count, device_macro_room;
/* Macros whose body is several expressions, for example SHAPE in kernel<<<SHAPE>>>(). */
static struct declared *list_macros;
static size_t list_macro_count, list_macro_room;
static bool asks_for_architecture; /* __CUDA_ARCH__ stands in some file */
static bool any_program;           /* --program: of somebody's own, which nobody grades */
static bool host_only; /* a program's .cpp file, which nvcc leaves to the host's compiler */

static _Noreturn void fail(int line, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "%s:%d: error: ", file->path, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static void *grow(void *array, size_t count, size_t *room, size_t size) {
    if (count < *room)
        return array;
    *room = *room ? 2 * *room : 256;
    array = realloc(array, *room * size);
    if (!array)
        fail(1, "out of memory");
    return array;
}

static void edit(const char *at, size_t removed, const char *format, ...) {
    char *text;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    text = malloc((size_t)length + 1);
    if (!text)
        fail(1, "out of memory");
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    file->edits = grow(file->edits, file->edit_count, &file->edit_room, sizeof *file->edits);
    file->edits[file->edit_count] = (struct edit){at, removed, text, file->edit_count};
    file->edit_count++;
}

/* ---- tokens ----------------------------------------------------------------------------- */

static bool is_name_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is(const struct token *t, const char *text) {
    return strlen(text) == t->length && memcmp(t->at, text, t->length) == 0;
}

static bool same(const struct token *a, const struct token *b) {
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

static void add_token(struct stream *s, enum kind kind, const char *at, const char *end, int line) {
    s->tokens = grow(s->tokens, s->count, &s->room, sizeof *s->tokens);
    s->tokens[s->count++] = (struct token){kind, at, (size_t)(end - at), line};
}

/* Past the end of the quoted text that starts at p. A text without an end in its line may be in a
 * part that is not compiled (an apostrophe inside #if 0): it is left to the compiler. */
static const char *skip_quoted(const char *p) {
    char quote = *p++;
    while (*p != quote && *p != '\0' && *p != '\n')
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

/* R"tag( … )tag": nothing inside has a meaning except the end. p is at the quote. */
static const char *skip_raw_string(const char *p, int line) {
    char end[32] = ")";
    size_t length = 1;
    for (p++; *p != '('; p++) {
        if (*p == '\0' || *p == '\n' || length > 17)
            fail(line, "this raw string has no beginning");
        end[length++] = *p;
    }
    end[length++] = '"';
    end[length] = '\0';
    p = strstr(p, end);
    if (!p)
        fail(line, "this raw string has no end");
    return p + length;
}

static bool is_raw_prefix(const char *at, size_t length) {
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strlen(prefixes[i]) == length && memcmp(at, prefixes[i], length) == 0)
            return true;
    return false;
}

/* Past one space, comment or continued line at p; p itself if there is none. */
static const char *skip_blank(const char *p, int line) {
    if (p[0] == '\\' && p[1] == '\n')
        return p + 2;
    if (p[0] == '/' && p[1] == '/') {
        while (*p && *p != '\n')
            p += p[0] == '\\' && p[1] == '\n' ? 2 : 1;
        return p;
    }
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        if (!end)
            fail(line, "this comment has no end");
        return end + 2;
    }
    return isspace((unsigned char)*p) ? p + 1 : p;
}

static int lines_in(const char *from, const char *to) {
    int lines = 0;
    for (; from < to; from++)
        lines += *from == '\n';
    return lines;
}

static const char *skip_token(const char *p, enum kind *kind, int line) {
    const char *start = p;
    if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
        *kind = NUMBER; /* 1'000, 0x1p-3, 1e+5f */
        while (is_name_character(*p) || *p == '.' || (*p == '\'' && is_name_character(p[1])) ||
               ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])))
            p++;
        return p;
    }
    *kind = TEXT;
    if (*p == '"' || *p == '\'')
        return skip_quoted(p);
    if (is_name_character(*p)) {
        while (is_name_character(*p))
            p++;
        if (*p == '"' && is_raw_prefix(start, (size_t)(p - start)))
            return skip_raw_string(p, line);
        *kind = NAME;
        return p;
    }
    *kind = PUNCTUATION;
    return p[0] == ':' && p[1] == ':' ? p + 2 : p + 1;
}

/* Whether this asm holds no instruction, asm volatile("" ::: "memory"): it works everywhere. */
static bool is_empty_asm(const struct token *t) {
    const char *p = t->at;
    while (is_name_character(*p) || isspace((unsigned char)*p))
        p++;
    p += *p == '(';
    return strncmp(p + strspn(p, " \t\n"), "\"\"", 2) == 0;
}

static bool is_asm(const struct token *t) {
    return is(t, "asm") || is(t, "__asm__") || is(t, "__asm");
}

/* Whether the emulator has all that stands in this asm. */
static bool is_known_asm(const struct token *t) {
    char why[128];
    const char *end;
    char *text = any_program ? ptx_translate(t->at, &end, why) : NULL;
    bool known = text || is_empty_asm(t);
    free(text);
    return known;
}

/* ---- moving through the tokens ---------------------------------------------------------- */

static const size_t NONE = (size_t)-1;

static bool at(const struct stream *s, size_t i, const char *text) {
    return i < s->count && is(&s->tokens[i], text);
}

static int opens(const struct token *t) {
    if (t->kind != PUNCTUATION)
        return 0;
    return strchr("([{", *t->at) ? 1 : strchr(")]}", *t->at) ? -1 : 0;
}

/* The bracket that closes the one at i, or NONE. */
static size_t closing(const struct stream *s, size_t i) {
    int depth = 0;
    for (; i < s->count; i++) {
        depth += opens(&s->tokens[i]);
        if (depth == 0)
            return i;
    }
    return NONE;
}

/* The bracket that opens the one at i, or NONE. */
static size_t opening(const struct stream *s, size_t i) {
    int depth = 0;
    for (;; i--) {
        depth -= opens(&s->tokens[i]);
        if (depth == 0)
            return i;
        if (i == 0)
            return NONE;
    }
}

/* The '<' that belongs to the '>' at i, looking back; NONE if there is none in this statement. */
static size_t opening_angle(const struct stream *s, size_t i) {
    int depth = 0;
    for (;; i--) {
        const struct token *t = &s->tokens[i];
        if (opens(t) < 0) {
            i = opening(s, i);
            if (i == NONE)
                return NONE;
        } else if (opens(t) > 0 || is(t, ";")) {
            return NONE;
        } else if (is(t, ">")) {
            depth++;
        } else if (is(t, "<") && --depth == 0) {
            return i;
        }
        if (i == 0)
            return NONE;
    }
}

/* The '>' that closes the '<' at i of a template's parameters. */
static size_t closing_angle(const struct stream *s, size_t i) {
    int depth = 0;
    for (; i < s->count; i++) {
        if (opens(&s->tokens[i]) > 0)
            i = closing(s, i);
        else if (at(s, i, "<"))
            depth++;
        else if (at(s, i, ">") && --depth == 0)
            return i;
        if (i == NONE)
            return NONE;
    }
    return NONE;
}

/* The number of arguments between the brackets `first` and `last`. */
static size_t count_arguments(const struct stream *s, size_t first, size_t last) {
    size_t commas = 0;
    int angles = 0;
    if (last == first + 1)
        return 0;
    for (size_t i = first + 1; i < last; i++) {
        if (opens(&s->tokens[i]) > 0)
            i = closing(s, i);
        else if (at(s, i, "<"))
            angles++;
        else if (at(s, i, ">"))
            angles--;
        else if (at(s, i, ",") && angles == 0)
            commas++;
        if (i == NONE)
            return NONE;
    }
    return commas + 1;
}

/* The > that closes the < at i, if that opens template arguments and does not compare: they hold no
 * ? && || -> and what follows them cannot follow a comparison. */
static size_t closing_template(const struct stream *s, size_t i, size_t last) {
    size_t depth = 0;
    if (s->tokens[i - 1].kind != NAME)
        return NONE;
    for (size_t j = i; j < last; j++) {
        const struct token *t = &s->tokens[j];
        bool twice = t[0].kind == PUNCTUATION && t[1].at == t[0].at + 1 && *t[1].at == *t[0].at;
        if (opens(t) > 0) {
            j = closing(s, j);
            if (j == NONE)
                return NONE;
        } else if (is(t, "?") || (twice && (is(t, "&") || is(t, "|"))) ||
                   (is(t, "-") && at(s, j + 1, ">"))) {
            return NONE;
        } else if (is(t, "<")) {
            depth++;
        } else if (is(t, ">") && --depth == 0) {
            return j + 1 == last || strchr("(:{),;.", *t[1].at) ? j : NONE;
        }
    }
    return NONE;
}

/* The number of expressions between the brackets `first` and `last`. */
static size_t count_expressions(const struct stream *s, size_t first, size_t last) {
    size_t commas = 0;
    if (last == first + 1)
        return 0;
    for (size_t i = first + 1; i < last; i++) {
        size_t close = NONE;
        if (opens(&s->tokens[i]) > 0)
            close = closing(s, i);
        else if (at(s, i, "<"))
            close = closing_template(s, i, last);
        else if (at(s, i, ","))
            commas++;
        if (close != NONE && close < last)
            i = close;
    }
    return commas + 1;
}

/* Three characters side by side, without a space. */
static bool is_triple(const struct stream *s, size_t i, char c) {
    for (size_t k = 0; k < 3; k++) {
        const struct token *t = &s->tokens[i] + k;
        if (i + k >= s->count || t->kind != PUNCTUATION || *t->at != c ||
            t->at != s->tokens[i].at + k)
            return false;
    }
    return true;
}

/* ---- functions -------------------------------------------------------------------------- */

static const struct kernel *find_kernel(const struct token *name) {
    for (size_t i = 0; i < kernel_count; i++)
        if (same(name, kernels[i].name))
            return &kernels[i];
    return NULL;
}

/* Whether only the arguments of a launch tell which kernel it means. */
static bool is_overloaded(const struct kernel *kernel) {
    bool needs = false;
    for (size_t i = 0; i < kernel_count; i++)
        needs |= same(kernel->name, kernels[i].name) && kernel->most != kernels[i].most;
    for (size_t i = 0; i < other_count; i++)
        needs |= others[i].is_overload && same(kernel->name, others[i].name);
    return needs;
}

static bool is_device_word(const struct token *t) {
    if (is(t, "__device__") || is(t, "__global__"))
        return true;
    for (size_t i = 0; i < device_macro_count; i++)
        if (same(t, device_macros[i].name))
            return true;
    return false;
}

/* Words that stand before a name and are not its type. */
static bool is_statement_word(const struct token *t) {
    static const char *const words[] = {"return", "else", "do",  "case",   "co_return",
                                        "throw",  "goto", "new", "delete", "sizeof",
                                        "and",    "or",   "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(t, words[i]))
            return true;
    return false;
}

static bool is_attribute(const struct token *t) {
    static const char *const words[] = {"__align__",   "alignas",  "__attribute__",
                                        "decltype",    "noexcept", "__launch_bounds__",
                                        "__maxnreg__", "throw"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(t, words[i]))
            return true;
    return false;
}

/* The first token of the declaration or statement that reaches the token at i. */
static size_t declaration_start(const struct stream *s, size_t i) {
    while (i > 0 && !strchr(";{}", *s->tokens[i - 1].at))
        i--;
    return i;
}

/* The `<` of a `template <…>` whose declaration reaches the token at i, or NONE. */
static size_t template_of(const struct stream *s, size_t i) {
    for (size_t start = declaration_start(s, i); start < i; start++)
        if (at(s, start, "template") && at(s, start + 1, "<"))
            return start + 1;
    return NONE;
}

/* How many arguments a function takes whose parameters stand between these brackets. */
static void count_parameters(const struct stream *s, size_t open, size_t close, size_t *fewest,
                             size_t *most) {
    size_t count = count_arguments(s, open, close), defaults = 0;
    bool is_void = close == open + 2 && at(s, open + 1, "void");
    *most = is_void ? 0 : count;
    for (size_t i = open + 1; i < close; i++) {
        if (opens(&s->tokens[i]) > 0 && closing(s, i) < close)
            i = closing(s, i);
        else if (at(s, i, "="))
            defaults++;
        else if (at(s, i, "."))
            *most = NONE; /* a pack */
    }
    *fewest = *most == NONE ? 0 : defaults < *most ? *most - defaults : 0;
}

/* `__global__ … void name(`: the name is the last one before the parameters. `space` is the
 * namespace at i, which this function takes over. */
static void note_kernel(const struct stream *s, size_t i, char *space) {
    size_t name = NONE, parameters = NONE, angle = template_of(s, i);
    for (size_t j = i + 1; j < s->count && !strchr(";{", *s->tokens[j].at); j++) {
        const struct token *t = &s->tokens[j];
        if (is(t, "(")) {
            const struct token *before = &s->tokens[j - 1];
            if (before->kind == NAME && !is_attribute(before)) {
                name = j - 1;
                break;
            }
            j = closing(s, j);
            if (j == NONE)
                break;
        }
    }
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
    kernels = grow(kernels, kernel_count, &kernel_room, sizeof *kernels);
    struct kernel *k = &kernels[kernel_count++];
    *k = (struct kernel){&s->tokens[name], space, angle != NONE, parameters, 0, 0};
    count_parameters(s, name + 1, close, &k->fewest, &k->most);
}

static void note_other(struct declared other) {
    others = grow(others, other_count, &other_room, sizeof *others);
    others[other_count++] = other;
}

/* A name as macros have it. */
static bool is_upper(const struct token *t) {
    for (size_t i = 0; i < t->length; i++)
        if (!isupper((unsigned char)t->at[i]) && t->at[i] != '_' &&
            !isdigit((unsigned char)t->at[i]))
            return false;
    return t->kind == NAME && t->length > 1;
}

/* If the token at i is the name that a declaration gives to a function or a variable, note it. */
static void note_declared(const struct stream *s, size_t i, bool in_namespace) {
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
            note_other((struct declared){&s->tokens[i], 0, NONE, false, false});
        return;
    }
    bool is_host = in_namespace;
    for (size_t j = declaration_start(s, i); j < i; j++) {
        if (at(s, j, "__global__"))
            return;
        if (is_device_word(&s->tokens[j]) ||
            is_upper(&s->tokens[j])) /* a macro may say __device__ */
            is_host = false;
    }
    size_t close = closing(s, i + 1);
    if (close == NONE)
        return;
    struct declared other = {&s->tokens[i], 0, 0, in_namespace, is_host};
    count_parameters(s, i + 1, close, &other.fewest, &other.most);
    note_other(other);
}

/* An error for the compiler, if it ever gets here. */
static void complain(const char *where, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    edit(where, 0, "_Pragma(\"GCC error \\\"%s\\\"\") ", text);
}

/* Where the name at i begins with its qualifiers: `a` of a::b::name. */
static size_t qualified_start(const struct stream *s, size_t i) {
    while (i > 0 && at(s, i - 1, "::")) {
        i--;
        if (i > 0 && s->tokens[i - 1].kind == NAME && !is_statement_word(&s->tokens[i - 1]))
            i--;
    }
    return i;
}

/* Whether `name`, which stands at i in the namespace `here`, can mean this kernel. */
static bool can_mean(const struct stream *s, size_t i, const struct kernel *kernel,
                     const char *here) {
    char written[512] = "";
    size_t length = 0, first = qualified_start(s, i);
    if (first == i) /* an inner namespace sees the outer ones; `using` may bring any */
        return strncmp(here, kernel->space, strlen(kernel->space)) == 0;
    for (size_t j = first; j < i && length + s->tokens[j].length < sizeof written; j++) {
        if (j == first && at(s, j, "::"))
            continue;
        memcpy(written + length, s->tokens[j].at, s->tokens[j].length);
        written[length += s->tokens[j].length] = '\0';
    }
    size_t space = strlen(kernel->space);
    return at(s, first, "::")
               ? strcmp(written, kernel->space) == 0
               : space >= length && strcmp(kernel->space + space - length, written) == 0;
}

/* kernel(a) or kernel<4>(a) in the body of a function: only <<< >>> starts a kernel. */
static void refuse_call(const struct stream *s, size_t i, const char *here) {
    const struct token *name = &s->tokens[i];
    const struct kernel *kernel = find_kernel(name);
    size_t open = i + 1;
    if (!kernel || is_triple(s, open, '<'))
        return;
    if (at(s, open, "<")) {
        open = closing_angle(s, open);
        open += open != NONE;
    }
    size_t close = open != NONE && at(s, open, "(") ? closing(s, open) : NONE;
    size_t first = qualified_start(s, i);
    if (close == NONE || first == 0 || !can_mean(s, i, kernel, here))
        return;
    const struct token *before = &s->tokens[first - 1];
    if (before->kind == NAME ? !is_statement_word(before) : strchr(".*&>~", *before->at) != NULL)
        return; /* a declaration, or a member */
    size_t count = count_expressions(s, open, close);
    if (count < kernel->fewest || count > kernel->most)
        return;
    for (size_t k = 0; k < other_count; k++)
        if (same(name, others[k].name) && count >= others[k].fewest && count <= others[k].most)
            return; /* an overload, or a member that is called in its class */
    complain(
        s->tokens[first].at,
        "%.*s is a kernel, and only a launch runs it on the device: %.*s<<<grid, block>>>(...)",
        (int)name->length, name->at, (int)name->length, name->at);
}

/* A call at i, in code for the device alone, of a function that this file declares for the host. */
static void refuse_host_call(const struct stream *s, size_t i) {
    const struct token *name = &s->tokens[i], *before = &s->tokens[i - 1];
    size_t close = at(s, i + 1, "(") ? closing(s, i + 1) : NONE;
    if (close == NONE || (before->kind == NAME && !is_statement_word(before)) ||
        strchr(".:>~", *before->at) || (is(before, "(") && i > 1 && is_attribute(before - 1)) ||
        (is(before, "(") && i > 1 && is(before - 1, "sizeof")))
        return; /* a declaration, a member, or not evaluated */
    size_t count = count_expressions(s, i + 1, close);
    bool fits = false;
    for (size_t k = 0; k < other_count; k++) {
        if (!same(name, others[k].name))
            continue;
        if (!others[k].is_host)
            return;
        fits |= count >= others[k].fewest && count <= others[k].most;
    }
    if (fits)
        complain(name->at,
                 "%.*s is a function of the host, which the device cannot call: declare it "
                 "__device__, or __host__ __device__ for both",
                 (int)name->length, name->at);
}

/* ---- scopes ----------------------------------------------------------------------------- */

enum scope { NAMESPACE, TYPE, HOST, DEVICE, BOTH, INSIDE };

enum { SCOPES = 256, CONDITIONS = 64 };

struct nest {
    size_t depth;
    unsigned char scopes[SCOPES];
    size_t names[SCOPES]; /* of namespaces: the token of the name, or NONE */
};

/* A way through a stream that knows what the braces around a token are. After #else the braces are
 * those before #if. */
struct walk {
    const struct stream *s;
    size_t mark;
    struct nest now, saved[CONDITIONS];
    size_t saves;
};

/* Whether the { at i opens a namespace or an extern "C" block: declarations, not a function. */
static bool opens_namespace(const struct stream *s, size_t i, size_t *name) {
    *name = NONE;
    for (size_t j = i; j-- > 0 && !strchr(";{})", *s->tokens[j].at);) {
        if (at(s, j, "namespace")) {
            *name = j + 1 < i ? j + 1 : NONE;
            return true;
        }
        if (at(s, j, "extern") && s->tokens[j + 1].kind == TEXT)
            return true;
    }
    return false;
}

/* What the { at i opens, where no function is around it. */
static enum scope opened_scope(const struct stream *s, size_t i, size_t *name) {
    if (opens_namespace(s, i, name))
        return NAMESPACE;
    bool device = false, both = false, parameters = false, type = false;
    for (size_t j = declaration_start(s, i); j < i; j++) {
        const struct token *t = &s->tokens[j];
        device |= is_device_word(t);
        both |= is(t, "__host__") || (t->kind == NAME && is_device_word(t) && t->at[0] != '_');
        type |= is(t, "struct") || is(t, "class") || is(t, "union") || is(t, "enum");
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

/* The function around the token that was reached: HOST, DEVICE, BOTH, or TYPE if there is none. */
static enum scope function_of(const struct nest *n) {
    for (size_t d = 0; d < n->depth; d++)
        if (n->scopes[d] == HOST || n->scopes[d] == DEVICE || n->scopes[d] == BOTH)
            return n->scopes[d];
    return TYPE;
}

static void take_marks(struct walk *w, size_t i) {
    for (; w->mark < w->s->mark_count && w->s->marks[w->mark].token <= i; w->mark++) {
        switch (w->s->marks[w->mark].kind) {
        case OPENS:
            if (w->saves < CONDITIONS)
                w->saved[w->saves] = w->now;
            w->saves++;
            break;
        case GOES_ON:
            if (w->saves > 0 && w->saves <= CONDITIONS)
                w->now = w->saved[w->saves - 1];
            break;
        case CLOSES:
            w->saves -= w->saves > 0;
        }
    }
}

/* Reaches the token at i: to be called for each, in order. Of a brace it returns what it opens or
 * closes, if that is a function's body; else INSIDE. */
static enum scope walk_to(struct walk *w, size_t i) {
    struct nest *n = &w->now;
    take_marks(w, i);
    if (at(w->s, i, "{")) {
        size_t name = NONE;
        enum scope scope = function_of(n) == TYPE ? opened_scope(w->s, i, &name) : INSIDE;
        if (n->depth < SCOPES) {
            n->scopes[n->depth] = (unsigned char)scope;
            n->names[n->depth++] = name;
        }
        return scope;
    }
    if (at(w->s, i, "}") && n->depth > 0)
        return n->scopes[--n->depth];
    return INSIDE;
}

static bool in_braces(const struct nest *n) {
    for (size_t d = 0; d < n->depth; d++)
        if (n->scopes[d] != NAMESPACE)
            return true;
    return false;
}

/* The namespace that was reached, as "a::b::". */
static char *namespace_of(const struct walk *w) {
    char text[512] = "";
    size_t length = 0;
    for (size_t d = 0; d < w->now.depth; d++) {
        if (w->now.scopes[d] != NAMESPACE || w->now.names[d] == NONE)
            continue;
        for (size_t i = w->now.names[d]; !at(w->s, i, "{"); i++) {
            const struct token *t = &w->s->tokens[i];
            if (t->kind != NAME && !is(t, "::"))
                break;
            if (length + t->length + 3 < sizeof text)
                length += (size_t)sprintf(text + length, "%.*s", (int)t->length, t->at);
        }
        if (length + 3 < sizeof text)
            length += (size_t)sprintf(text + length, "::");
    }
    char *copy = malloc(length + 1);
    if (!copy)
        fail(1, "out of memory");
    return memcpy(copy, text, length + 1);
}

/* ---- launches --------------------------------------------------------------------------- */

static bool is_any_of(const struct token *t, const char *const *words) {
    while (*words && !is(t, *words))
        words++;
    return *words != NULL;
}

/* Can an expression that ends at i go on to the right, with a ( or a ::? Not after the word that a
 * statement begins with, as in `else (*kernel)<<<…`, nor after its condition: `if (a)
 * (*kernel)<<<…`. */
static bool goes_on(const struct stream *s, size_t i) {
    static const char *const words[] = {"return", "else", "do", NULL};
    static const char *const heads[] = {"if", "for", "while", "switch", "constexpr", NULL};
    if (at(s, i, ")")) {
        size_t open = opening(s, i);
        return open == NONE || open == 0 || !is_any_of(&s->tokens[open - 1], heads);
    }
    if (s->tokens[i].kind == NAME)
        return !is_any_of(&s->tokens[i], words);
    return at(s, i, "]") || at(s, i, ">");
}

/* The first token of the expression that is launched, whose last token is at i. */
static size_t launched_expression(const struct stream *s, size_t i) {
    int line = s->tokens[i].line;
    for (;;) {
        if (at(s, i, ">"))
            i = opening_angle(s, i);
        else if (opens(&s->tokens[i]) < 0 && !at(s, i, "}"))
            i = opening(s, i);
        if (i == NONE)
            fail(line, "cannot read what is launched by this <<<");
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
                fail(line, "cannot read what is launched by this <<<");
        } else if (opens(&s->tokens[i]) > 0) {
            /* (expression) stands alone; f(…), a[…] and f<…>(…) continue to the left. */
            if (i == 0 || !goes_on(s, i - 1))
                return i;
            i--;
        } else if (at(s, i, "<") && i > 0) {
            i--;
        } else {
            fail(line, "cannot read what is launched by this <<<");
        }
    }
}

/* The >>> of the <<< at i: the last one before the end of the statement, and before another launch,
 * that is followed by a (. */
static size_t launch_end(const struct stream *s, size_t i) {
    size_t found = NONE;
    for (size_t j = i + 3; j < s->count; j++) {
        if (at(s, j, ";") || opens(&s->tokens[j]) < 0 || is_triple(s, j, '<'))
            break;
        if (opens(&s->tokens[j]) > 0) {
            j = closing(s, j);
            if (j == NONE)
                break;
        } else if (is_triple(s, j, '>') && !at(s, j + 3, ">")) {
            if (!at(s, j + 3, "(")) /* a launch in a macro's body may end without arguments */
                continue;
            found = j;
        }
    }
    return found;
}

/* The text of tokens as the inside of a string. */
static char *quote(const struct stream *s, size_t first, size_t last) {
    size_t length = 0, room = 1;
    for (size_t i = first; i <= last; i++)
        room += 2 * s->tokens[i].length + 1;
    char *text = malloc(room);
    if (!text)
        fail(s->tokens[first].line, "out of memory");
    for (size_t i = first; i <= last; i++) {
        const struct token *t = &s->tokens[i];
        for (size_t k = 0; k < t->length; k++) {
            if (t->at[k] == '"' || t->at[k] == '\\')
                text[length++] = '\\';
            text[length++] = t->at[k] == '\n' ? ' ' : t->at[k];
        }
        if (is(t, ",") || (t->kind == NAME && i < last && s->tokens[i + 1].kind == NAME))
            text[length++] = ' ';
    }
    text[length] = '\0';
    return text;
}

static bool is_list(const struct token *t) {
    for (size_t i = 0; i < list_macro_count; i++)
        if (same(t, list_macros[i].name))
            return true;
    return false;
}

static void rewrite_launch(const struct stream *s, size_t i, bool on_device) {
    int line = s->tokens[i].line;
    if (i == 0)
        fail(line, "there is no kernel before this <<<");
    size_t first = launched_expression(s, i - 1), end = launch_end(s, i);
    if (end == NONE)
        fail(line, "this <<< has no >>>(arguments)");
    if (closing(s, end + 3) == NONE)
        fail(line, "the arguments of this launch have no end");
    if (count_expressions(s, i + 2, end) < 2 && !is_list(&s->tokens[i + 3]))
        fail(line, "a launch needs a grid and a block: kernel<<<grid, block>>>(…)");

    /* What is launched: qualifiers, a name, perhaps <arguments>. */
    size_t name = i - 1, explicit_arguments = 0;
    if (at(s, name, ">")) {
        name = opening_angle(s, name);
        explicit_arguments = count_arguments(s, name, i - 1);
        name--;
    }
    const struct kernel *kernel =
        s->tokens[name].kind == NAME ? find_kernel(&s->tokens[name]) : NULL;
    char *text = quote(s, first, i - 1);
    const char *begin = s->tokens[first].at;
    if (on_device && !any_program)
        complain(
            begin,
            "a graded step has no dynamic parallelism on the emulator: launch %s on the host, not in a "
            "__global__ or __device__ function",
            text);
    const struct token *last = &s->tokens[i - 1];
    bool deduce = kernel && (kernel->is_template ? explicit_arguments != kernel->parameters
                                                 : is_overloaded(kernel));
    bool defaults = kernel && !deduce && !kernel->is_template && kernel->fewest < kernel->most;
    if (defaults) /* its type says what the arguments become, and a call knows the defaults */
        edit(begin, 0, "::emulator::launcher_with_defaults(%s, [&](auto... emulator_argument) { ",
             text);
    else
        edit(begin, 0, "::emulator::launcher(%s",
             deduce ? "[&](auto... emulator_argument) { " : "");
    if (deduce || defaults)
        edit(last->at + last->length, 0, "(emulator_argument...); }");
    edit(s->tokens[i].at, 3, ", ::emulator::config(");
    edit(s->tokens[end].at, 3, "), \"%s\", __LINE__)", text);
    free(text);
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

/* (void *)kernel: the address by which it is launched later. What is no kernel's name, but the
 * first argument of a launch, may point to one. */
static void know_kernel(const struct stream *s, size_t i) {
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
    if (!launched && !find_kernel(t))
        return;
    if (at(s, i + 1, "<"))
        last = closing_angle(s, i + 1);
    if (last == NONE || at(s, last + 1, "("))
        return; /* the result of a call */
    char *text = quote(s, first, last);
    edit(s->tokens[first].at, 0, "::emulator::know(");
    edit(s->tokens[last].at + s->tokens[last].length, 0, ", \"%s\")", text);
    free(text);
}

/* ---- shared memory ---------------------------------------------------------------------- */

/* A declaration from `first` to the ';' at `end` with both extern and __shared__. */
static void rewrite_dynamic_shared(const struct stream *s, size_t first, size_t end,
                                   bool in_function) {
    int line = s->tokens[first].line;
    size_t bracket = NONE;
    for (size_t i = first; i < end; i++) {
        const struct token *t = &s->tokens[i];
        bool attribute = is(t, "__align__") || is(t, "alignas") || is(t, "__attribute__");
        if (attribute && at(s, i + 1, "(")) {
            size_t close = closing(s, i + 1);
            if (close == NONE || close > end)
                fail(line, "cannot read this declaration of shared memory");
            for (size_t k = i; k <= close; k++)
                edit(s->tokens[k].at, s->tokens[k].length, "");
            i = close;
        } else if (is(t, "extern") || is(t, "__shared__") || is(t, "static")) {
            edit(t->at, t->length, "");
        } else if (is(t, "[")) {
            bracket = i;
            break;
        } else if (is(t, ",") && opening_angle(s, end - 1) == NONE) {
            break;
        }
    }
    if (bracket == NONE || bracket < first + 2 || !at(s, bracket + 1, "]") ||
        s->tokens[bracket - 1].kind != NAME)
        fail(line, "dynamic shared memory must be one array without a size: "
                   "extern __shared__ type name[];");
    for (size_t i = bracket + 2; i < end; i++)
        if (at(s, i, ",") || at(s, i, "="))
            fail(line, "declare one array of dynamic shared memory at a time");
    const struct token *name = &s->tokens[bracket - 1];
    const struct token *open = &s->tokens[bracket], *close = &s->tokens[bracket + 1];
    edit(open->at, open->length, "");
    edit(close->at, close->length, "");
    if (in_function) {
        /* more dimensions: a pointer to arrays, which needs parentheses */
        edit(name->at, name->length, bracket + 2 == end ? "*const %.*s" : "(*const %.*s)",
             (int)name->length, name->at);
        edit(s->tokens[end].at, 0, " = ::emulator::dynamic_shared");
        return;
    }
    if (bracket + 2 != end)
        fail(line, "dynamic shared memory outside functions can have only one dimension");
    size_t type = first;
    edit(s->tokens[type].at, 0, "static constexpr ::emulator::dynamic_array<");
    edit(name->at, 0, "> ");
}

/* If a declaration of dynamic shared memory starts at i, rewrite it and return its end. */
static size_t try_dynamic_shared(const struct stream *s, size_t i, bool in_function) {
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
        fail(s->tokens[i].line, "cannot read this declaration of shared memory");
    rewrite_dynamic_shared(s, i, end, in_function);
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
    static const char *const attributes[] = {"__align__", "alignas", "__attribute__", "decltype"};
    static const char *const bodies[] = {"struct", "union", "class", "enum"};
    size_t close = i;
    for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
        if (at(s, i, attributes[k]) && at(s, i + 1, "("))
            close = closing(s, i + 1);
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        if (at(s, i, bodies[k]) && (at(s, i + 1, "{") || at(s, i + 2, "{")))
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

/* If the declaration at i is of a __device__, __constant__ or __managed__ variable, say so to the
 * compiler: EMULATOR_VARIABLE in cuda_runtime.h. */
static void mark_variable(const struct stream *s, size_t i) {
    const struct token *spaces[3]; /* __device__ __constant__, for example */
    size_t count = 0;
    const char *section = "device";
    for (size_t j = i; j < s->count; j++) {
        const struct token *t = &s->tokens[j];
        if (t->kind == PUNCTUATION && strchr("(;={", *t->at))
            break;
        bool elsewhere = is(t, "__constant__") || is(t, "__managed__");
        if (count < sizeof spaces / sizeof *spaces && (elsewhere || is(t, "__device__")))
            spaces[count++] = t;
        if (elsewhere)
            section = is(t, "__constant__") ? "constant" : "managed";
    }
    struct variable v = {0};
    if (count == 0 || !read_variable(s, i, &v))
        return;
    const struct token *name = &s->tokens[v.name];
    edit(spaces[0]->at, spaces[0]->length, "EMULATOR_VARIABLE(%s, %.*s)",
         v.constant ? "readonly" : section, (int)name->length, name->at);
    for (size_t k = 1; k < count; k++)
        edit(spaces[k]->at, spaces[k]->length, "");
}

/* ---- everything in the code ------------------------------------------------------------- */

static bool starts_declaration(const struct stream *s, size_t i) {
    return i == 0 || strchr(";{}:)", *s->tokens[i - 1].at);
}

/* A call at i of what neither the emulator nor, mostly, CUDA 13 has. */
static void refuse_missing(const struct stream *s, size_t i) {
    static const char *const gone[][2] = {{"cudaThreadSynchronize", "cudaDeviceSynchronize"},
                                          {"cudaThreadExit", "cudaDeviceReset"},
                                          {"cudaThreadSetLimit", "cudaDeviceSetLimit"},
                                          {"cudaThreadSetCacheConfig", "cudaDeviceSetCacheConfig"},
                                          {"cudaBindTexture", "cudaCreateTextureObject"},
                                          {"cudaBindTexture2D", "cudaCreateTextureObject"},
                                          {"cudaBindTextureToArray", "cudaCreateTextureObject"},
                                          {"cudaUnbindTexture", "cudaDestroyTextureObject"},
                                          {"cudaBindSurfaceToArray", "cudaCreateSurfaceObject"},
                                          {"__shfl", "__shfl_sync"},
                                          {"__shfl_up", "__shfl_up_sync"},
                                          {"__shfl_down", "__shfl_down_sync"},
                                          {"__shfl_xor", "__shfl_xor_sync"},
                                          {"__any", "__any_sync"},
                                          {"__all", "__all_sync"},
                                          {"__ballot", "__ballot_sync"}};
    static const char *const driver[] = {"cuInit",   "cuDevice", "cuCtx",   "cuModule", "cuMem",
                                         "cuLaunch", "cuStream", "cuEvent", "cuFunc"};
    const struct token *t = &s->tokens[i];
    if (!at(s, i + 1, "(") || (i > 0 && strchr(".:>~", *s->tokens[i - 1].at)))
        return; /* not called, or a member */
    for (size_t k = 0; k < other_count; k++)
        if (same(t, others[k].name))
            return;
    for (size_t k = 0; k < sizeof gone / sizeof *gone; k++)
        if (is(t, gone[k][0]))
            complain(t->at, "CUDA 13 has no %s: use %s%s", gone[k][0], gone[k][1],
                     *t->at == '_'
                         ? " (since Volta, 2017, the lanes of a warp no longer run in lock "
                           "step, and its mask names those that take part)"
                         : "");
    for (size_t k = 0; !any_program && k < sizeof driver / sizeof *driver; k++)
        if (strncmp(t->at, driver[k], strlen(driver[k])) == 0)
            complain(t->at, "a step has no driver API (%.*s): use the runtime API, cuda...",
                     (int)t->length, t->at);
}

/* texture<float, 2> name; and surface<void, 2> name; are what CUDA 12 removed. */
static void refuse_reference(const struct stream *s, size_t i) {
    const struct token *t = &s->tokens[i];
    if (!(is(t, "texture") || is(t, "surface")) || !at(s, i + 1, "<") ||
        (i > 0 && (at(s, i - 1, "::") || at(s, i - 1, "struct") || at(s, i - 1, "class"))))
        return;
    size_t close = closing_angle(s, i + 1);
    if (close != NONE && close + 2 < s->count && s->tokens[close + 1].kind == NAME &&
        (at(s, close + 2, ";") || at(s, close + 2, "=")))
        complain(t->at,
                 "CUDA 12 removed references to textures and surfaces: pass a cudaTextureObject_t "
                 "or a cudaSurfaceObject_t to the kernel");
}

/* What only the host may call, and what only programs have that nobody grades. */
static void refuse_here(const struct stream *s, size_t i, bool on_device) {
    const struct token *t = &s->tokens[i];
    if (!at(s, i + 1, "("))
        return;
    if (on_device && is(t, "cudaDeviceSynchronize"))
        complain(t->at, "CUDA 12 removed cudaDeviceSynchronize from kernels: a kernel cannot wait "
                        "for its children; launch what follows them into cudaStreamTailLaunch");
    if (!any_program && (is(t, "cudaCreateTextureObject") || is(t, "cudaCreateSurfaceObject")))
        complain(t->at,
                 "a graded step has no textures and surfaces on the emulator: read the memory "
                 "itself");
}

/* An asm with instructions, which programs may have that nobody grades. Outside of functions, and
 * in code for the host, it is the compiler's. */
static void rewrite_asm(const struct token *t) {
    char why[128] = "";
    const char *end;
    char *text = any_program ? ptx_translate(t->at, &end, why) : NULL;
    if (text)
        edit(t->at, (size_t)(end - t->at), "%s", text);
    else if (any_program)
        complain(t->at, "the emulator cannot run this inline PTX: it does not know %s", why);
    else
        complain(t->at,
                 "the emulator cannot run inline PTX (asm): put it inside #ifdef __CUDA_ARCH__");
    free(text);
}

/* What has a meaning wherever it stands. Returns the last token that was read. */
static size_t rewrite_token(const struct stream *s, size_t i, bool in_function, bool on_device) {
    const struct token *t = &s->tokens[i];
    if (t->kind == PUNCTUATION && is_triple(s, i, '<')) {
        if (!(i > 0 && at(s, i - 1, "operator")))
            rewrite_launch(s, i, on_device);
        return i + 2;
    }
    if (t->kind != NAME)
        return i;
    refuse_missing(s, i);
    refuse_reference(s, i);
    refuse_here(s, i, on_device);
    know_kernel(s, i);
    if (is_asm(t) && !is_empty_asm(t))
        rewrite_asm(t);
    else if (is(t, "__noinline__") && !(i > 0 && at(s, i - 1, "(")))
        edit(t->at, t->length, "__attribute__((noinline))");
    else if (is(t, "static") && at(s, i + 1, "__shared__"))
        edit(t->at, t->length, ""); /* the macro __shared__ adds static */
    else if (is(t, "alignas") && i > 0 && at(s, i - 1, "__shared__"))
        edit(t->at, t->length, "__align__"); /* behind static there is no place for it */
    else if (starts_declaration(s, i)) {
        mark_variable(s, i);
        return try_dynamic_shared(s, i, in_function);
    }
    return i;
}

/* The body of a #define. */
static void read_body(const struct stream *s) {
    for (size_t i = 0; i < s->count; i++)
        i = rewrite_token(s, i, false, false);
}

/* Puts a directive behind the brace at t, and goes on in the same line and column. */
static void put_directive(const struct token *t, bool before, const char *directive) {
    const char *here = before ? t->at : t->at + 1, *line = here;
    while (line > file->source && line[-1] != '\n')
        line--;
    char *blanks = strndup(line, (size_t)(here - line));
    if (!blanks)
        fail(t->line, "out of memory");
    for (char *p = blanks; *p; p++)
        if (*p != '\t')
            *p = ' ';
    edit(here, 0, "\n%s\n#line %d \"%s\"\n%s", directive, t->line, file->quoted, blanks);
    file->has_more_lines = true;
    free(blanks);
}

static void note_functions(const struct stream *s) {
    struct walk walk = {.s = s};
    for (size_t i = 0; i < s->count; i++) {
        walk_to(&walk, i);
        if (at(s, i, "__global__"))
            note_kernel(s, i, namespace_of(&walk));
        else if (i > 0 && s->tokens[i].kind == NAME)
            note_declared(s, i, !in_braces(&walk.now));
    }
}

/* What stands between these in a file becomes two branches: see both_sides(). */
enum { SIDES_BEGIN = 1, SIDES_END };

/* Is the function whose body opens at i one whose body may call what is no constexpr? */
static bool is_constexpr(const struct stream *s, size_t i) {
    for (size_t j = declaration_start(s, i); j < i; j++)
        if (at(s, j, "constexpr") || at(s, j, "consteval"))
            return true;
    return false;
}

/* The body at i, of a __host__ __device__ function: nvcc compiles it for both sides, and an #if in
 * it that asks for __CUDA_ARCH__ may compute something else on each. */
static void split_sides(const struct stream *s, size_t i) {
    size_t end = closing(s, i);
    if (end == NONE || is_constexpr(s, i))
        return;
    const struct token *open = &s->tokens[i], *close = &s->tokens[end];
    const char *asks = strstr(open->at, "__CUDA_ARCH__");
    if (!asks || asks > close->at)
        return;
    edit(open->at + 1, 0, "%c#line %d \"%s\"\n", SIDES_BEGIN, open->line, file->quoted);
    edit(close->at, 0, "%c\n#line %d \"%s\"\n", SIDES_END, close->line, file->quoted);
    file->has_more_lines = true;
}

static void read_code(const struct stream *s) {
    struct walk walk = {.s = s};
    note_functions(s);
    for (size_t i = 0; i < s->count; i++) {
        const struct token *t = &s->tokens[i];
        enum scope brace = walk_to(&walk, i), function = function_of(&walk.now);
        if (brace == BOTH && is(t, "{") && any_program && !host_only)
            split_sides(s, i);
        if (brace == HOST && asks_for_architecture && !host_only)
            put_directive(t, is(t, "}"),
                          is(t, "}") ? "#define __CUDA_ARCH__ 900" : "#undef __CUDA_ARCH__");
        if (function != TYPE && t->kind == NAME && find_kernel(t)) {
            char *here = namespace_of(&walk);
            refuse_call(s, i, here);
            free(here);
        } else if (function == DEVICE && t->kind == NAME && i > 0) {
            refuse_host_call(s, i);
        }
        if (any_program && function == DEVICE && is(t, "clock") && at(s, i + 1, "(") &&
            at(s, i + 2, ")") && !strchr(".:>", *s->tokens[i - 1].at))
            edit(t->at, t->length, "(clock_t)clock64"); /* the host has a clock() too */
        i = rewrite_token(s, i, in_braces(&walk.now), function == DEVICE || function == BOTH);
    }
}

/* ---- #if: what the emulator lacks ------------------------------------------------------- */

/* One of an #if's conditions, and what stands below it. */
struct branch {
    struct stream words; /* of the directive: if, defined, … */
    const struct token *lacking;
};

struct conditional {
    struct conditional *outer;
    struct branch *branches;
    size_t count, room;
};

/* What a condition comes to on the device. */
struct value {
    bool known;
    long number;
};

/* How strongly the operator at i binds, and its length; 0 if there is none. */
static int operator_at(const struct stream *s, size_t i, char text[3]) {
    static const struct {
        const char *text;
        int strength;
    } operators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4}, {"<", 4},
                     {">", 4},  {"+", 5},  {"-", 5},  {"*", 6},  {"/", 6},  {"%", 6}};
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        size_t length = strlen(operators[k].text), n = 0;
        while (n < length && i + n < s->count && s->tokens[i + n].kind == PUNCTUATION &&
               *s->tokens[i + n].at == operators[k].text[n])
            n++;
        if (n == length) {
            strcpy(text, operators[k].text);
            return operators[k].strength;
        }
    }
    return 0;
}

static struct value apply(const char *operator, struct value a, struct value b) {
    bool known = a.known && b.known;
    if (strcmp(operator, "||") == 0)
        return a.known && a.number ? a : b.known && b.number ? b : (struct value){known, 0};
    if (strcmp(operator, "&&") == 0)
        return a.known && !a.number ? a : b.known && !b.number ? b : (struct value){known, 1};
    if ((*operator== '/' || * operator== '%') && (!known || b.number == 0))
        return (struct value){false, 0};
    switch (*operator) {
    case '=':
        return (struct value){known, a.number == b.number};
    case '!':
        return (struct value){known, a.number != b.number};
    case '<':
        return (struct value){known, operator[1] ? a.number <= b.number : a.number<b.number };
    case '>':
        return (struct value){known, operator[1] ? a.number >= b.number : a.number> b.number };
    case '+':
        return (struct value){known, a.number + b.number};
    case '-':
        return (struct value){known, a.number - b.number};
    case '*':
        return (struct value){known, a.number * b.number};
    case '/':
        return (struct value){known, a.number / b.number};
    default:
        return (struct value){known, a.number % b.number};
    }
}

static struct value evaluate(const struct stream *s, size_t *i, int least);

static struct value evaluate_operand(const struct stream *s, size_t *i) {
    struct value v = {false, 0};
    if (at(s, *i, "!")) {
        ++*i;
        v = evaluate_operand(s, i);
        v.number = !v.number;
    } else if (at(s, *i, "(")) {
        ++*i;
        v = evaluate(s, i, 1);
        *i += at(s, *i, ")");
    } else if (at(s, *i, "defined")) {
        size_t bracket = at(s, *i + 1, "(");
        v = (struct value){at(s, *i + 1 + bracket, "__CUDA_ARCH__"), 1};
        *i += 2 + 2 * bracket;
    } else if (*i < s->count) {
        const struct token *t = &s->tokens[(*i)++];
        if (t->kind == NUMBER)
            v = (struct value){true, strtol(t->at, NULL, 0)};
        else if (is(t, "__CUDA_ARCH__"))
            v = (struct value){true, 900};
    }
    return v;
}

/* The expression at *i, as far as operators bind at least so strongly. */
static struct value evaluate(const struct stream *s, size_t *i, int least) {
    struct value left = evaluate_operand(s, i);
    char operator[3];
    for (int strength; (strength = operator_at(s, *i, operator)) >= least && strength > 0;) {
        *i += strlen(operator);
        left = apply(operator, left, evaluate(s, i, strength + 1));
    }
    return left;
}

static struct value evaluate_directive(const struct stream *words) {
    size_t i = 1;
    if (at(words, 0, "else"))
        return (struct value){true, 1};
    if (at(words, 0, "ifdef") || at(words, 0, "ifndef"))
        return (struct value){at(words, 1, "__CUDA_ARCH__"), at(words, 0, "ifdef")};
    struct value v = evaluate(words, &i, 1);
    v.known = v.known && i == words->count;
    return v;
}

/* The word that the emulator lacks in what a device may compile of this #if, or NULL. */
static const struct token *lacking_on_device(const struct conditional *c) {
    for (size_t k = 0; k < c->count; k++) {
        struct value v = evaluate_directive(&c->branches[k].words);
        if (v.known && !v.number)
            continue;
        if (c->branches[k].lacking)
            return c->branches[k].lacking;
        if (v.known)
            return NULL;
    }
    return NULL;
}

/* At #endif. An #if that asks for __CUDA_ARCH__ and leads to something that the emulator lacks goes
 * the other way; another one hands that on to the #if around it. */
static void settle(struct conditional *c) {
    bool asks = false;
    for (size_t k = 0; k < c->count; k++)
        for (size_t i = 0; i < c->branches[k].words.count; i++)
            asks |= at(&c->branches[k].words, i, "__CUDA_ARCH__");
    for (size_t k = 0; !asks && c->outer && k < c->count; k++)
        if (c->branches[k].lacking)
            c->outer->branches[c->outer->count - 1].lacking = c->branches[k].lacking;
    const struct token *lacking = asks ? lacking_on_device(c) : NULL;
    if (!lacking)
        return;
    /* Without an #else a program would do nothing there, and nobody would see why: it is refused.
     */
    if (any_program && c->count == 1)
        return;
    fprintf(stderr,
            "%s:%d: note: __CUDA_ARCH__ is undefined in this #if on the cpu device: the emulator "
            "has no %.*s (line %d)\n",
            file->path, c->branches->words.tokens->line, (int)lacking->length, lacking->at,
            lacking->line);
    for (size_t k = 0; k < c->count; k++)
        for (size_t i = 0; i < c->branches[k].words.count; i++) {
            const struct token *t = &c->branches[k].words.tokens[i];
            if (is(t, "__CUDA_ARCH__"))
                edit(t->at, t->length, "EMULATOR_LACKS");
        }
}

static void open_branch(const struct stream *words) {
    struct conditional *c = file->innermost;
    c->branches = grow(c->branches, c->count, &c->room, sizeof *c->branches);
    c->branches[c->count++] = (struct branch){*words, NULL};
}

static void read_conditional(const struct stream *words, const char *end, int line,
                             struct stream *code) {
    bool opens = at(words, 0, "if") || at(words, 0, "ifdef") || at(words, 0, "ifndef");
    bool goes_on = at(words, 0, "elif") || at(words, 0, "else");
    if (!opens && !file->innermost)
        return; /* the compiler will say so */
    if (opens) {
        struct conditional *c = calloc(1, sizeof *c);
        if (!c)
            fail(1, "out of memory");
        c->outer = file->innermost;
        file->innermost = c;
    }
    if (opens || goes_on) {
        open_branch(words);
    } else {
        settle(file->innermost);
        file->innermost = file->innermost->outer;
    }
    code->marks = grow(code->marks, code->mark_count, &code->mark_room, sizeof *code->marks);
    code->marks[code->mark_count++] = (struct mark){code->count,
                                                    opens     ? OPENS
                                                    : goes_on ? GOES_ON
                                                              : CLOSES,
                                                    end, line};
}

/* If the emulator lacks what this token means, the branch around it does. */
static void note_lacking(const struct stream *s, size_t i) {
    static const char *const words[] = {"asm",           "__asm__",         "__asm", "this_cluster",
                                        "cluster_group", "map_shared_rank", "nvcuda"};
    struct conditional *c = file->innermost;
    /* In a program what is missing of cuda:: is a compile error, and better than a kernel without
     * it. */
    bool lacks = !any_program && i > 0 && at(s, i, "::") && at(s, i - 1, "cuda");
    for (size_t k = 0; c && k < sizeof words / sizeof *words; k++)
        lacks |= at(s, i, words[k]) && !(is_asm(&s->tokens[i]) && is_known_asm(&s->tokens[i]));
    if (c && lacks && !c->branches[c->count - 1].lacking) {
        struct token *copy = malloc(sizeof *copy); /* the stream's tokens move when it grows */
        if (!copy)
            fail(1, "out of memory");
        *copy = s->tokens[at(s, i, "::") ? i - 1 : i];
        c->branches[c->count - 1].lacking = copy;
    }
}

/* ---- #include --------------------------------------------------------------------------- */

/* How the names of headers begin that only the CUDA Toolkit has. */
static const char toolkit_headers[] =
    "cub/ thrust/ cuda/ nv/ cccl/ crt/ cute/ cutlass/ cublas curand "
    "cufft cusparse cusolver cudnn cupti cuComplex cudaGL cudaProfiler cudaTypedefs cuda_awbarrier "
    "cuda_device_runtime_api cuda_egl cuda_fp4 cuda_fp6 cuda_fp8 cuda_gl cuda_occupancy cuda_stdint nccl "
    "nvml nvrtc nvtx nvToolsExt nvJitLink npp mma.h sm_ texture_f texture_i surface_f surface_i driver_f "
    "common_functions device_double_functions device_types host_config "
    "library_types ";

static bool is_toolkit_header(const char *name) {
    for (const char *p = toolkit_headers, *end; (end = strchr(p, ' ')); p = end + 1)
        if (strncmp(name, p, (size_t)(end - p)) == 0)
            return true;
    return false;
}

/* Directories of headers that a program of somebody's own may include, and a step may not: those of
 * libraries/ that stand for the toolkit's, and CCCL's, where Thrust is. NULL: there are none. */
static const char *libraries, *cccl;

static bool is_there(const char *directory, const char *name) {
    size_t length = directory ? strlen(directory) : 0;
    char *path = malloc(length + 1 + strlen(name) + 1);
    if (!path)
        fail(1, "out of memory");
    sprintf(path, "%s/%s", directory ? directory : "", name);
    bool there = directory && access(path, R_OK) == 0;
    free(path);
    return there;
}

static char *read_file(const char *name);
static char *rewrite_file(struct file *f);

/* Directories in which a program has headers, beside its own (-I). A step has none. */
enum { DIRECTORIES = 64 };
static const char *directories[DIRECTORIES];
static size_t directory_count;

/* The first `length` characters of a directory's path, which end in its slash if there are any, and
 * a name in it. The caller frees it. */
static char *join(const char *directory, size_t length, const char *slash, const char *name) {
    char *path = malloc(length + strlen(slash) + strlen(name) + 1);
    if (!path)
        fail(1, "out of memory");
    memcpy(path, directory, length);
    strcat(strcpy(path + length, slash), name);
    return path;
}

static bool is_readable(const char *path) {
    FILE *there = fopen(path, "rb");
    struct stat status;
    bool readable = there && fstat(fileno(there), &status) == 0 && S_ISREG(status.st_mode);
    if (there)
        fclose(there);
    return readable;
}

/* Where an included file is: beside the one that is read, if the name stands in quotes, or in one
 * of the directories. NULL where it is elsewhere. The caller frees it. */
static char *find_included(const char *name, bool quoted) {
    const char *slash = strrchr(file->path, '/');
    char *path = join(file->path, slash ? (size_t)(slash - file->path) + 1 : 0, "", name);
    if (quoted && is_readable(path))
        return path;
    for (size_t i = 0; i < directory_count; i++) {
        free(path);
        path = join(directories[i], strlen(directories[i]), "/", name);
        if (is_readable(path))
            return path;
    }
    free(path);
    return NULL;
}

/* A macro that stands for #pragma once in this file. */
static char *guard_name(const char *path) {
    char *name = malloc(strlen(path) + sizeof "EMULATOR_READ_");
    if (!name)
        fail(1, "out of memory");
    strcat(strcpy(name, "EMULATOR_READ_"), path);
    for (char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p))
            *p = '_';
    return name;
}

/* A file and what it becomes; `text` is NULL while it is read. */
struct header {
    char *real_path;
    struct file file;
    char *text;
    char *written; /* the path of what it becomes, once that is a file */
};

static int compare_paths(const void *a, const void *b) {
    return strcmp(((const struct header *)a)->real_path, ((const struct header *)b)->real_path);
}

/* The file at `path`, which is kept. It is read once: headers include each other so often that
 * reading them at each #include would take hours. NULL if it is being read: it includes itself, and
 * has a guard against that. */
static struct header *read_header(const char *path) {
    static void *all;
    struct header *header = calloc(1, sizeof *header);
    if (header && !(header->real_path = realpath(path, NULL)))
        header->real_path = strdup(path); /* whoever reads it will say why it cannot be read */
    struct header **known = header ? tsearch(header, &all, compare_paths) : NULL;
    if (!known || !header->real_path)
        fail(1, "out of memory");
    if (*known == header) {
        header->file = (struct file){.includer = file, .path = path};
        header->text = rewrite_file(&header->file);
    } else {
        free(header->real_path);
        free(header);
    }
    return (*known)->text ? *known : NULL;
}

/* A directory for headers that have something to rewrite in them (--headers): each is written there
 * once. Where headers with CUDA in them include each other often, as Boost's do, there is no end to
 * a text with all of them in it. NULL: a header's text takes the place of its #include. */
static const char *headers;
static size_t headers_written;

/* Writes it as a file, whose path the caller frees. */
static char *write_header(const struct header *header) {
    char name[32];
    snprintf(name, sizeof name, "%zu.h", headers_written++);
    char *path = join(headers, strlen(headers), "/", name);
    FILE *to = fopen(path, "w");
    if (to)
        fprintf(to, "%s#line 1 \"%s\"\n%s", header->file.once ? "#pragma once\n" : "",
                header->file.quoted, header->text);
    if (!to || fclose(to) != 0)
        fail(1, "cannot write %s", path);
    return path;
}

/* #include of the file at `path`, from `hash` to `end`: its text, if there is anything to rewrite
 * in it. What that includes is no longer beside it, so its path is written. */
static void include(const char *hash, const char *end, int line, const char *path) {
    struct header *header = read_header(path);
    if (!header)
        return;
    const struct file *inner = &header->file;
    if (inner->edit_count > inner->paths && headers) {
        if (!header->written)
            header->written = write_header(header);
        edit(hash, (size_t)(end - hash), "#include \"%s\"", header->written);
    } else if (inner->edit_count > inner->paths) {
        char *once = guard_name(inner->path);
        edit(hash, (size_t)(end - hash),
             "\n#%s %s\n#define %s\n#line 1 \"%s\"\n%s\n#endif\n#line %d \"%s\"",
             inner->once ? "ifndef" : "if 1 //", once, once, inner->quoted, header->text, line + 1,
             file->quoted);
        free(once);
        file->has_more_lines = true;
    } else if (file->includer) {
        edit(hash, (size_t)(end - hash), "#include \"%s\"", inner->quoted);
        file->paths++;
    }
}

/* #include <thrust/name>: CCCL's header, as libraries/thrust_header.h has it included. */
static void include_thrust(const char *hash, const char *end, int line, const char *name) {
    if (is_there(cccl, name)) {
        edit(hash, (size_t)(end - hash),
             "\n#define EMULATOR_HEADER <%s>\n#include <thrust_header.h>\n#line %d \"%s\"", name,
             line + 1, file->quoted);
        file->has_more_lines = true;
        return;
    }
    static bool said;
    if (said) { /* the compiler goes on after an #error */
        edit(hash, (size_t)(end - hash), "");
        return;
    }
    said = true;
    edit(hash, (size_t)(end - hash),
         "#error %s is a header of Thrust, which is not found here: install NVIDIA's CCCL (python3 "
         "-m pip install nvidia-cuda-cccl; or libthrust-dev; or the CUDA Toolkit), or name the "
         "directory that has thrust/ in HISTOLAB_CCCL",
         name);
}

static void read_include(const char *hash, const char *end, int line) {
    const char *open = hash + strcspn(hash, "\"<\n");
    if (open >= end)
        return; /* the name is a macro's */
    size_t length = strcspn(open + 1, *open == '<' ? ">\n" : "\"\n");
    char *name = strndup(open + 1, length);
    if (!name)
        fail(line, "out of memory");
    char *path = find_included(name, *open == '"');
    if (path) {
        include(hash, end, line, path); /* which keeps the path */
    } else if (libraries && strncmp(name, "thrust/", 7) == 0) {
        include_thrust(hash, end, line, name);
    } else if (is_toolkit_header(name) && !is_there(libraries, name)) {
        edit(hash, (size_t)(end - hash),
             "#error the emulator has no %s of the CUDA Toolkit: do without it, or include it only "
             "inside #ifdef __NVCC__",
             name);
    }
    free(name);
}

/* ---- directives ------------------------------------------------------------------------- */

/* #define name …: the body is code. */
static void read_define(const struct stream *words) {
    if (words->count < 3)
        return;
    const struct token *name = &words->tokens[1];
    struct stream body = {.tokens = words->tokens + 2, .count = words->count - 2};
    if (count_expressions(words, 1, words->count) > 1) {
        list_macros = grow(list_macros, list_macro_count, &list_macro_room, sizeof *list_macros);
        list_macros[list_macro_count++] = (struct declared){name, 0, NONE, false, false};
    }
    if (name->at + name->length == body.tokens->at && at(&body, 0, "("))
        note_other((struct declared){name, 0, NONE, false, false});
    for (size_t i = 0; i < body.count; i++) {
        note_lacking(&body, i);
        if (is_device_word(&body.tokens[i])) {
            device_macros =
                grow(device_macros, device_macro_count, &device_macro_room, sizeof *device_macros);
            device_macros[device_macro_count++] = (struct declared){name, 0, NONE, false, false};
        }
    }
    read_body(&body);
}

/* A directive with its '#' at p. Returns its end. */
static const char *read_directive(const char *p, int line, struct stream *code) {
    const char *hash = p++;
    const int first_line = line;
    struct stream words = {0};
    while (*p && *p != '\n') {
        const char *next = skip_blank(p, line);
        if (next == p) {
            enum kind kind = PUNCTUATION;
            /* Apostrophes in the text of #error are not quotes. */
            if (words.count > 0 && !at(&words, 0, "define") && (*p == '\'' || *p == '"'))
                next = p + 1;
            else
                next = skip_token(p, &kind, line);
            add_token(&words, kind, p, next, line);
        }
        line += lines_in(p, next);
        p = next;
    }
    if (at(&words, 0, "define"))
        read_define(&words);
    else if (at(&words, 0, "include"))
        read_include(hash, p, first_line);
    else if (at(&words, 0, "pragma") && at(&words, 1, "once") && file->includer) {
        file->once = true;
        file->once_at = hash;
        file->once_length = (size_t)(p - hash);
    } else if (words.count > 0 && strchr("ie", *words.tokens->at) && !at(&words, 0, "error") &&
               !at(&words, 0, "ident"))
        read_conditional(&words, p, line, code);
    return p;
}

static struct stream read_tokens(void) {
    struct stream code = {0};
    const char *p = file->source;
    int line = 1;
    bool line_start = true;
    while (*p) {
        const char *next = skip_blank(p, line);
        if (next > p) {
            line_start = line_start || *p == '\n';
        } else if (*p == '#' && line_start) {
            next = read_directive(p, line, &code);
        } else {
            enum kind kind;
            next = skip_token(p, &kind, line);
            add_token(&code, kind, p, next, line);
            note_lacking(&code, code.count - 1);
            line_start = false;
        }
        line += lines_in(p, next);
        p = next;
    }
    return code;
}

/* ---- files ------------------------------------------------------------------------------ */

static int compare_edits(const void *left, const void *right) {
    const struct edit *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static char *read_file(const char *name) {
    FILE *opened = fopen(name, "rb");
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    if (!opened || !text) {
        fprintf(stderr, "%s: error: cannot read this file\n", name);
        exit(1);
    }
    for (size_t got; (got = fread(text + size, 1, room - size, opened)) > 0;) {
        size += got;
        if (size == room && !(text = realloc(text, (room *= 2) + 1)))
            exit(1);
    }
    fclose(opened);
    text[size] = '\0';
    if (strlen(text) != size)
        fail(1, "the file holds a zero byte, so it is not a text");
    return text;
}

/* Drop a byte order mark, and end lines with \n only. */
static void normalise(char *text) {
    const char *from = text;
    char *to = text;
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
        from += 3;
    for (; *from; from++)
        if (!(from[0] == '\r' && from[1] == '\n'))
            *to++ = *from;
    *to = '\0';
}

/* A path as the inside of a string. */
static char *quote_path(const char *path) {
    char *quoted = malloc(2 * strlen(path) + 1), *to = quoted;
    if (!quoted)
        fail(1, "out of memory");
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            *to++ = '\\';
        *to++ = *path;
    }
    *to = '\0';
    return quoted;
}

/* The source with its edits. */
static char *edited(void) {
    size_t room = 2 * strlen(file->source) + 1;
    for (size_t i = 0; i < file->edit_count; i++)
        room += strlen(file->edits[i].text);
    char *text = malloc(room), *to = text;
    const char *p = file->source;
    if (!text)
        fail(1, "out of memory");
    if (file->edits)
        qsort(file->edits, file->edit_count, sizeof *file->edits, compare_edits);
    for (size_t i = 0; i < file->edit_count; i++) {
        const struct edit *e = &file->edits[i];
        while (p < e->at)
            *to++ = *p++;
        to = stpcpy(to, e->text);
        for (; p < e->at + e->removed; p++)
            if (*p == '\n') { /* keep the line numbers, and a macro's lines together */
                if (p > e->at && p[-1] == '\\')
                    *to++ = '\\';
                *to++ = '\n';
            }
    }
    strcpy(to, p);
    return text;
}

/* The text with each body that split_sides() marked as two: what a kernel calls, and the host.
 * Takes the text over. */
static char *both_sides(char *text) {
    static const char *const parts[] = {"\nif (::emulator_in_kernel()) {\n",
                                        ("\n} else {\n#undef __CUDA_ARCH__\n"
                                         "::emulator_took_host_side(__PRETTY_FUNCTION__);\n"),
                                        "\n#define __CUDA_ARCH__ 900\n}\n"};
    char *begin = strchr(text, SIDES_BEGIN), *end = begin ? strchr(begin, SIDES_END) : NULL;
    if (!end)
        return text;
    size_t before = (size_t)(begin - text), body = (size_t)(end - begin) - 1;
    char *whole = malloc(strlen(text) + body + 256), *to = whole + before;
    if (!whole)
        fail(1, "out of memory");
    memcpy(whole, text, before);
    for (size_t side = 0; side < 2; side++) {
        to = stpcpy(to, parts[side]);
        memcpy(to, begin + 1, body);
        to += body;
    }
    strcpy(stpcpy(to, parts[2]), end + 1);
    free(text);
    return both_sides(whole);
}

/* Where the compiler skips lines that this program added, it does not see their #line either. */
static void number_lines(const struct stream *code) {
    for (size_t i = 0; i < code->mark_count; i++)
        if (code->marks[i].kind != OPENS)
            edit(code->marks[i].end, 0, "\n#line %d \"%s\"", code->marks[i].line + 1, file->quoted);
}

/* Reads f->path and returns what it becomes, for the caller to free. The source stays: functions
 * are known by their tokens. */
static char *rewrite_file(struct file *f) {
    file = f;
    f->source = read_file(f->path);
    f->quoted = quote_path(f->path);
    normalise(f->source);
    asks_for_architecture |= strstr(f->source, "__CUDA_ARCH__") != NULL;
    struct stream code = read_tokens();
    read_code(&code);
    if (f->has_more_lines)
        number_lines(&code);
    if (f->edit_count > 0 && f->once)
        edit(f->once_at, f->once_length, "");
    char *text = both_sides(edited());
    file = f->includer;
    return text;
}

static void read_option(const char *option) {
    static const char of_libraries[] = "--libraries=", of_cccl[] = "--cccl=",
                      of_headers[] = "--headers=";
    if (strncmp(option, of_libraries, sizeof of_libraries - 1) == 0)
        libraries = option + sizeof of_libraries - 1;
    else if (strncmp(option, of_cccl, sizeof of_cccl - 1) == 0)
        cccl = option + sizeof of_cccl - 1;
    else if (strncmp(option, of_headers, sizeof of_headers - 1) == 0)
        headers = option + sizeof of_headers - 1;
}

/* What nvcc puts before a file: the header without being asked, which includes <time.h> too. */
#define CUDA_PROLOGUE(more)                                                                        \
    "#define __CUDACC__ 1\n#include <cuda_runtime.h>\n" more "#define __CUDA_ARCH__ 900\n"

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), ending_length = strlen(ending);
    return length >= ending_length && strcmp(path + length - ending_length, ending) == 0;
}

int main(int argc, char **argv) {
    any_program = argc > 2 && strcmp(argv[1], "--program") == 0;
    argc -= any_program;
    argv += any_program;
    for (; argc > 2 && *argv[1] == '-'; argc--, argv++)
        if (strncmp(argv[1], "-I", 2) != 0)
            read_option(argv[1]);
        else if (directory_count < DIRECTORIES)
            directories[directory_count++] = argv[1] + 2;
    if (argc != 2) {
        fprintf(stderr, "usage: rewrite [--program] [--libraries=DIRECTORY] [--cccl=DIRECTORY] "
                        "[--headers=DIRECTORY] [-IDIRECTORY...] FILE.cu > FILE.cpp\n");
        return 2;
    }
    host_only = any_program && !ends_in(argv[1], ".cu");
    const struct header *step = read_header(argv[1]);
    printf("%s%s#line 1 \"%s\"\n%s", any_program ? "#define EMULATOR_ANY_PROGRAM 1\n" : "",
           host_only     ? ""
           : any_program ? CUDA_PROLOGUE("#include <time.h>\n")
                         : CUDA_PROLOGUE(""),
           step->file.quoted, step->text);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "%s: error: cannot write the result\n", argv[1]);
        return 1;
    }
    return 0;
}
