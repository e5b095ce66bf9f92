#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- directives ------------------------------------------------------------------------- */

static void read_define(struct unit *u, const struct stream *words) {
    if (words->count < 3)
        return;
    const struct token *name = &words->tokens[1];
    struct stream body = {.tokens = words->tokens + 2, .count = words->count - 2};
    if (name->at + name->length == body.tokens->at && at(&body, 0, "("))
        names_add(&u->others, (struct declared){.name = name});
    for (size_t i = 0; i < body.count; i++)
        if (is_device_word(u, &body.tokens[i]))
            names_add(&u->device_macros, (struct declared){.name = name});
    note_lacking(u, &body, 0);
    read_body(u, &body);
}

/* What was read ends at `next`, where the lexer goes on. */
static const char *go_on(struct unit *u, struct lexer *lexer, const char *p, const char *next) {
    if (lexer->why)
        fail(u, lexer->line, "%s", lexer->why);
    lexer->line += lines_in(p, next);
    return next;
}

/* A directive with its '#' at p. Returns its end. */
static const char *read_directive(struct unit *u, struct lexer *lexer, const char *p,
                                  struct stream *code) {
    const char *hash = p++;
    const int first_line = lexer->line;
    struct stream words = {0};
    while (*p && *p != '\n') {
        const char *next = skip_blank(lexer, p);
        if (next == p) {
            enum kind kind = PUNCTUATION;
            /* Apostrophes in the text of #error are not quotes. */
            if (words.count > 0 && !at(&words, 0, "define") && (*p == '\'' || *p == '"'))
                next = p + 1;
            else
                next = skip_token(lexer, p, &kind);
            add_token(&words, kind, p, next, lexer->line);
        }
        p = go_on(u, lexer, p, next);
    }
    if (at(&words, 0, "define"))
        read_define(u, &words);
    else if (at(&words, 0, "include"))
        read_include(u, hash, p, first_line);
    else if (at(&words, 0, "pragma") && at(&words, 1, "once") && u->file->includer) {
        u->file->once = true;
        u->file->once_at = hash;
        u->file->once_length = (size_t)(p - hash);
    } else if (words.count > 0 && strchr("ie", *words.tokens->at) && !at(&words, 0, "error") &&
               !at(&words, 0, "ident"))
        read_conditional(u, &words, hash, p, lexer->line, code);
    note_directive(u, &words, hash, p);
    return p;
}

static struct stream read_tokens(struct unit *u) {
    struct stream code = {0};
    struct lexer lexer = {.line = 1};
    const char *p = u->file->source;
    bool line_start = true;
    while (*p) {
        const char *next = skip_blank(&lexer, p);
        if (next > p) {
            line_start = line_start || *p == '\n';
            p = go_on(u, &lexer, p, next);
        } else if (*p == '#' && line_start) {
            p = read_directive(u, &lexer, p, &code);
        } else {
            enum kind kind;
            next = skip_token(&lexer, p, &kind);
            add_token(&code, kind, p, next, lexer.line);
            p = go_on(u, &lexer, p, next);
            line_start = false;
        }
    }
    return code;
}

/* ---- files ------------------------------------------------------------------------------ */

static char *read_source(struct unit *u) {
    bool ok;
    struct text text = text_read(u->file->path, &ok);
    if (!ok) {
        fprintf(stderr, "%s%s: error: cannot read this file\n", u->notes.at ? u->notes.at : "",
                u->file->path);
        exit(1);
    }
    if (strlen(text.at) != text.size)
        fail(u, 1, "the file holds a zero byte, so it is not a text");
    return text.at;
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
    struct text quoted = {0};
    text_put(&quoted, "");
    for (; *path; path++)
        text_print(&quoted, strchr("\"\\", *path) ? "\\%c" : "%c", *path);
    return quoted.at;
}

/* The text with each body that split_sides() marked as two, for either side. Takes it over. */
static char *both_sides(char *text) {
    static const char *const parts[] = {"\nif (::emulator_in_kernel()) {\n",
                                        ("\n} else {\n#undef __CUDA_ARCH__\n"
                                         "::emulator_took_host_side(__PRETTY_FUNCTION__);\n"),
                                        "\n#define __CUDA_ARCH__ 900\n}\n"};
    struct text whole = {0};
    char *rest = text;
    for (char *begin, *end;; rest = end + 1) {
        begin = strchr(rest, SIDES_BEGIN);
        end = begin ? strchr(begin, SIDES_END) : NULL;
        if (!end)
            break;
        text_add(&whole, rest, (size_t)(begin - rest));
        for (size_t side = 0; side < 2; side++) {
            text_put(&whole, parts[side]);
            text_add(&whole, begin + 1, (size_t)(end - begin) - 1);
        }
        text_put(&whole, parts[2]);
    }
    text_put(&whole, rest);
    return whole.at;
}

/* Where the compiler skips lines that this program added, it does not see their #line either. */
static void number_lines(struct unit *u, const struct stream *code) {
    for (size_t i = 0; i < code->mark_count; i++)
        if (code->marks[i].kind != OPENS)
            change(u, code->marks[i].end, 0, "\n#line %d \"%s\"", code->marks[i].line + 1,
                   u->file->quoted);
}

/* Reads f->path and returns what it becomes. The source stays: functions are known by tokens. */
static char *rewrite_file(struct unit *u, struct file *f) {
    u->file = f;
    f->source = read_source(u);
    f->quoted = quote_path(f->path);
    normalise(f->source);
    u->asks_for_architecture |= strstr(f->source, "__CUDA_ARCH__") != NULL;
    struct stream code = read_tokens(u);
    read_code(u, &code);
    if (f->has_more_lines)
        number_lines(u, &code);
    if (f->edits.count > 0 && f->once)
        drop(u, f->once_at, f->once_length);
    f->changes = f->edits.count;
    struct text text = {0};
    edits_make(&f->edits, f->source, strlen(f->source), &text);
    u->file = f->includer;
    return both_sides(text.at);
}

/* What nvcc puts before a file: the header without being asked, which includes <time.h> too. */
#define CUDA_PROLOGUE(more)                                                                        \
    "#define __CUDACC__ 1\n#include <cuda_runtime.h>\n" more "#define __CUDA_ARCH__ 900\n"

struct text rewrite(const struct manner *manner, const char *path, struct text *notes,
                    struct text *functions) {
    struct unit u = {.manner = *manner, .rewrite_file = rewrite_file};
    u.host_only = manner->any_program && !ends_in(path, ".cu");
    const struct header *source = read_header(&u, path);
    struct text text = {0};
    text_put(&text, manner->any_program ? "#define EMULATOR_ANY_PROGRAM 1\n" : "");
    if (!u.host_only)
        text_put(&text,
                 manner->any_program ? CUDA_PROLOGUE("#include <time.h>\n") : CUDA_PROLOGUE(""));
    text_print(&text, "#line 1 \"%s\"\n", source->file.quoted);
    text_put(&text, source->text);
    *notes = u.notes;
    *functions = u.functions;
    return text;
}
