/* rewrite FILE.cu > FILE.cpp: turns what only nvcc can read into C++.
 *
 *   kernel<<<grid, block>>>(a)
 *       ::emulator::launcher(kernel, ::emulator::config(grid, block), "kernel", __LINE__)(a)
 *   extern __shared__ int name[];
 *       int *const name = ::emulator::dynamic_shared;
 *   __noinline__
 *       __attribute__((noinline))
 *   __device__ int x;
 *       EMULATOR_VARIABLE(device, x) int x;
 *   asm (inline PTX)
 *       an error, if the compiler ever gets there
 *   cudaLaunchKernel((void *)k, …)
 *       cudaLaunchKernel(k, …), so that k keeps its type
 *
 * Each change stays within its line, so that the line numbers in the compiler's messages are right.
 * If it cannot read something, it prints FILE:LINE: error: … and ends with exit status 1. */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Tokens that belong together: the file without its directives, or the body of one #define. */
struct stream {
    struct token *tokens;
    size_t count, room;
};

struct kernel {
    char *name;
    bool is_template;
    size_t parameters; /* of the template; SIZE_MAX if they cannot be counted */
};

static const char *path;
static char *source;
static struct edit *edits;
static size_t edit_count, edit_room;
static struct kernel *kernels;
static size_t kernel_count;

static _Noreturn void fail(int line, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "%s:%d: error: ", path, line);
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
    edits = grow(edits, edit_count, &edit_room, sizeof *edits);
    edits[edit_count] = (struct edit){at, removed, text, edit_count};
    edit_count++;
}

/* ---- tokens ----------------------------------------------------------------------------- */

static bool is_name_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is(const struct token *t, const char *text) {
    return strlen(text) == t->length && memcmp(t->at, text, t->length) == 0;
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

static void read_stream(struct stream *s);

/* A directive at p, which is past its '#'. Bodies of #define are code. Returns its end. */
static const char *read_directive(const char *p, int line) {
    struct stream body = {0};
    bool is_define = false;
    size_t words = 0;
    while (*p && *p != '\n') {
        const char *next = skip_blank(p, line);
        if (next == p) {
            enum kind kind;
            /* Apostrophes in the text of #error are not quotes. */
            if (words > 0 && !is_define && (*p == '\'' || *p == '"'))
                next = p + 1;
            else
                next = skip_token(p, &kind, line);
            if (words++ == 0)
                is_define = next - p == 6 && memcmp(p, "define", 6) == 0;
            else if (is_define && words > 2) /* after the macro's name */
                add_token(&body, kind, p, next, line);
        }
        line += lines_in(p, next);
        p = next;
    }
    read_stream(&body);
    free(body.tokens);
    return p;
}

static struct stream read_tokens(void) {
    struct stream code = {0};
    const char *p = source;
    int line = 1;
    bool line_start = true;
    while (*p) {
        const char *next = skip_blank(p, line);
        if (next > p) {
            line_start = line_start || *p == '\n';
        } else if (*p == '#' && line_start) {
            next = read_directive(p + 1, line);
        } else {
            enum kind kind;
            next = skip_token(p, &kind, line);
            add_token(&code, kind, p, next, line);
            line_start = false;
        }
        line += lines_in(p, next);
        p = next;
    }
    return code;
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

/* ---- kernels that this file declares ---------------------------------------------------- */

static const struct kernel *find_kernel(const struct token *name) {
    for (size_t i = 0; i < kernel_count; i++)
        if (is(name, kernels[i].name))
            return &kernels[i];
    return NULL;
}

/* The `<` of a `template <…>` whose declaration reaches the token at i, or NONE. */
static size_t template_of(const struct stream *s, size_t i) {
    size_t start = i;
    while (start > 0 && !strchr(";{}", *s->tokens[start - 1].at))
        start--;
    for (; start < i; start++)
        if (at(s, start, "template") && at(s, start + 1, "<"))
            return start + 1;
    return NONE;
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

/* `__global__ … void name(`: the name is the last one before the parameters. */
static void note_kernel(const struct stream *s, size_t i) {
    static size_t room;
    size_t name = NONE, parameters = NONE, angle = template_of(s, i);
    for (size_t j = i + 1; j < s->count && !strchr(";{", *s->tokens[j].at); j++) {
        const struct token *t = &s->tokens[j];
        if (is(t, "(")) {
            const struct token *before = &s->tokens[j - 1];
            if (before->kind == NAME && !is(before, "__launch_bounds__") &&
                !is(before, "__attribute__") && !is(before, "__align__")) {
                name = j - 1;
                break;
            }
            j = closing(s, j);
            if (j == NONE)
                break;
        }
    }
    if (name == NONE) {
        /* For example __global__ in a macro's body: nothing to learn. */
        return;
    }
    if (angle != NONE) {
        size_t end = closing_angle(s, angle);
        bool countable = end != NONE;
        for (size_t j = angle; countable && j < end; j++)
            if (at(s, j, "=") || at(s, j, "."))
                countable = false; /* a default, or a pack: there may be fewer or more */
        parameters = countable ? count_arguments(s, angle, end) : NONE;
    }
    const struct token *t = &s->tokens[name];
    char *copy = malloc(t->length + 1);
    kernels = grow(kernels, kernel_count, &room, sizeof *kernels);
    if (!copy)
        fail(t->line, "out of memory");
    memcpy(copy, t->at, t->length);
    copy[t->length] = '\0';
    kernels[kernel_count++] = (struct kernel){copy, angle != NONE, parameters};
}

/* ---- launches --------------------------------------------------------------------------- */

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
                bool qualified =
                    i > 0 && (at(s, i - 1, ">") ||
                              (s->tokens[i - 1].kind == NAME && !at(s, i - 1, "return") &&
                               !at(s, i - 1, "else") && !at(s, i - 1, "do")));
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
            if (i == 0 ||
                !(s->tokens[i - 1].kind == NAME || at(s, i - 1, "]") || at(s, i - 1, ")") ||
                  at(s, i - 1, ">")) ||
                at(s, i - 1, "return"))
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

static void rewrite_launch(const struct stream *s, size_t i) {
    int line = s->tokens[i].line;
    if (i == 0)
        fail(line, "there is no kernel before this <<<");
    size_t first = launched_expression(s, i - 1), end = launch_end(s, i);
    if (end == NONE)
        fail(line, "this <<< has no >>>(arguments)");
    if (closing(s, end + 3) == NONE)
        fail(line, "the arguments of this launch have no end");
    size_t count = count_arguments(s, i + 2, end);
    if (count < 2)
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
    const struct token *last = &s->tokens[i - 1];
    if (kernel && kernel->is_template && explicit_arguments != kernel->parameters)
        edit(begin, 0, "::emulator::launcher([&](auto... emulator_argument) { ");
    else
        edit(begin, 0, "::emulator::launcher(");
    if (kernel && kernel->is_template && explicit_arguments != kernel->parameters)
        edit(last->at + last->length, 0, "(emulator_argument...); }");
    edit(s->tokens[i].at, 3, ", ::emulator::config(");
    edit(s->tokens[end].at, 3, "), \"%s\", __LINE__)", text);
    free(text);
}

/* cudaLaunchKernel((void *)kernel, …): without the cast the kernel's parameters are known. */
static void keep_kernel_type(const struct stream *s, size_t i) {
    size_t end = at(s, i + 1, "(") ? closing(s, i + 1) : NONE;
    if (end == NONE)
        return;
    for (size_t j = i + 2; j < end; j++) {
        size_t open = NONE, close = NONE;
        if (at(s, j, "(")) {
            open = j;
            close = closing(s, j);
        } else if (at(s, j, "reinterpret_cast") && at(s, j + 1, "<")) {
            open = j;
            close = closing_angle(s, j + 1);
        }
        if (close == NONE || close >= end)
            continue;
        bool is_void_pointer = false, other = false;
        for (size_t k = open + 1; k < close; k++) {
            if (at(s, k, "void"))
                is_void_pointer = true;
            else if (!at(s, k, "const") && !at(s, k, "*") && !at(s, k, "<"))
                other = true;
        }
        size_t next = close + 1;
        while (at(s, next, "&") || at(s, next, "("))
            next++;
        if (is_void_pointer && !other && next < end && s->tokens[next].kind == NAME &&
            find_kernel(&s->tokens[next]))
            edit(s->tokens[open].at,
                 (size_t)(s->tokens[close].at + s->tokens[close].length - s->tokens[open].at), "");
    }
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

/* ---- everything ------------------------------------------------------------------------- */

static bool starts_declaration(const struct stream *s, size_t i) {
    return i == 0 || strchr(";{}:)", *s->tokens[i - 1].at);
}

/* Whether the { at i opens a namespace or an extern "C" block: declarations, not a function. */
static bool opens_namespace(const struct stream *s, size_t i) {
    for (size_t j = i; j-- > 0 && !strchr(";{})", *s->tokens[j].at);)
        if (at(s, j, "namespace") || (at(s, j, "extern") && s->tokens[j + 1].kind == TEXT))
            return true;
    return false;
}

static void read_stream(struct stream *s) {
    size_t depth = 0; /* of braces, without those of namespaces */
    bool namespaces[256] = {false};
    size_t braces = 0;
    for (size_t i = 0; i < s->count; i++)
        if (at(s, i, "__global__"))
            note_kernel(s, i);
    for (size_t i = 0; i < s->count; i++) {
        const struct token *t = &s->tokens[i];
        if (is(t, "{")) {
            bool is_namespace = opens_namespace(s, i);
            if (braces < sizeof namespaces / sizeof *namespaces)
                namespaces[braces] = is_namespace;
            braces++;
            depth += !is_namespace;
        } else if (is(t, "}") && braces > 0) {
            braces--;
            if (braces >= sizeof namespaces / sizeof *namespaces || !namespaces[braces])
                depth -= depth > 0;
        } else if (t->kind == PUNCTUATION && is_triple(s, i, '<')) {
            if (!(i > 0 && at(s, i - 1, "operator")))
                rewrite_launch(s, i);
            i += 2;
        } else if (t->kind != NAME) {
            continue;
        } else if (is(t, "asm") || is(t, "__asm__") || is(t, "__asm")) {
            edit(t->at, 0,
                 "_Pragma(\"GCC error \\\"the emulator cannot run inline PTX (asm): put it inside "
                 "#ifdef __CUDA_ARCH__\\\"\") ");
        } else if (is(t, "__noinline__") && !(i > 0 && at(s, i - 1, "("))) {
            edit(t->at, t->length, "__attribute__((noinline))");
        } else if (is(t, "cudaLaunchKernel") || is(t, "cudaLaunchCooperativeKernel") ||
                   is(t, "cudaLaunchKernelExC")) {
            keep_kernel_type(s, i);
        } else if (is(t, "static") && at(s, i + 1, "__shared__")) {
            edit(t->at, t->length, ""); /* the macro __shared__ adds static */
        } else if (starts_declaration(s, i)) {
            mark_variable(s, i);
            i = try_dynamic_shared(s, i, depth > 0);
        }
    }
}

static int compare_edits(const void *left, const void *right) {
    const struct edit *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static char *read_file(const char *name) {
    FILE *file = fopen(name, "rb");
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room + 1);
    if (!file || !text) {
        fprintf(stderr, "%s: error: cannot read this file\n", name);
        exit(1);
    }
    for (size_t got; (got = fread(text + size, 1, room - size, file)) > 0;) {
        size += got;
        if (size == room && !(text = realloc(text, (room *= 2) + 1)))
            exit(1);
    }
    fclose(file);
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

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: rewrite FILE.cu > FILE.cpp\n");
        return 2;
    }
    path = argv[1];
    source = read_file(path);
    normalise(source);
    struct stream code = read_tokens();
    read_stream(&code);
    if (edits)
        qsort(edits, edit_count, sizeof *edits, compare_edits);

    /* Like nvcc, include the header without being asked. */
    printf("#define __CUDACC__ 1\n#include <cuda_runtime.h>\n#line 1 \"");
    for (const char *p = path; *p; p++)
        printf(*p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
    printf("\"\n");
    const char *p = source;
    for (size_t i = 0; i < edit_count; i++) {
        if (edits[i].at > p) {
            fwrite(p, 1, (size_t)(edits[i].at - p), stdout);
            p = edits[i].at;
        }
        fputs(edits[i].text, stdout);
        for (; p < edits[i].at + edits[i].removed; p++)
            if (*p == '\n') /* keep the line numbers */
                putchar('\n');
    }
    fputs(p, stdout);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "%s: error: cannot write the result\n", path);
        return 1;
    }
    return 0;
}
