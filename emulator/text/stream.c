#include "stream.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void add_token(struct stream *s, enum kind kind, const char *at, const char *end, int line) {
    s->tokens = grow(s->tokens, s->count, &s->room, sizeof *s->tokens);
    s->tokens[s->count++] = (struct token){kind, at, (size_t)(end - at), line, 0};
}

/* Whether it names a file there, and not in a folder below. */
static bool is_beside(const struct marker *marker, const char *directory) {
    size_t length = directory ? strlen(directory) : 0;
    return directory && length <= marker->length && strncmp(marker->file, directory, length) == 0 &&
           !memchr(marker->file + length, '/', marker->length - length);
}

void read_preprocessed(struct stream *s, const struct text *text) {
    const char *p = text->at, *directory = source_directory(text);
    struct lexer lexer = {.line = 1};
    struct marker marker;
    bool begins_line = true;
    for (int mark = 0; *p;) {
        if (*p == '#' && begins_line) {
            bool is_marker = read_marker(p, &marker);
            if (is_marker) {
                lexer.line = marker.line;
                mark = is_beside(&marker, directory) ? OWN : 0;
            }
            p = is_marker ? next_line(p) : p + strcspn(p, "\n");
            continue;
        }
        const char *next = skip_blank(&lexer, p);
        begins_line = next > p && (begins_line || *p == '\n');
        if (next == p) {
            enum kind kind;
            next = skip_token(&lexer, p, &kind);
            add_token(s, kind, p, next, lexer.line);
            s->tokens[s->count - 1].mark = mark;
        }
        lexer.line += lines_in(p, next);
        p = next;
    }
}

bool at(const struct stream *s, size_t i, const char *text) {
    return i < s->count && is(&s->tokens[i], text);
}

size_t closing(const struct stream *s, size_t i) {
    int depth = 0;
    for (; i < s->count; i++) {
        depth += opens(&s->tokens[i]);
        if (depth == 0)
            return i;
    }
    return NONE;
}

size_t past(const struct stream *s, size_t i) {
    size_t last = opens(&s->tokens[i]) > 0 ? closing(s, i) : i;
    return last == NONE ? NONE : last + 1;
}

size_t opening(const struct stream *s, size_t i) {
    int depth = 0;
    for (;; i--) {
        depth -= opens(&s->tokens[i]);
        if (depth == 0)
            return i;
        if (i == 0)
            return NONE;
    }
}

size_t opening_angle(const struct stream *s, size_t i) {
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

size_t closing_angle(const struct stream *s, size_t i) {
    int depth = 0;
    for (; i < s->count; i = past(s, i))
        if (at(s, i, "<"))
            depth++;
        else if (at(s, i, ">") && --depth == 0)
            return i;
    return NONE;
}

size_t count_arguments(const struct stream *s, size_t first, size_t last) {
    size_t commas = 0, i = first + 1;
    int angles = 0;
    if (last == i)
        return 0;
    for (; i < last; i = past(s, i))
        if (at(s, i, "<"))
            angles++;
        else if (at(s, i, ">"))
            angles--;
        else if (at(s, i, ",") && angles == 0)
            commas++;
    return i == NONE ? NONE : commas + 1;
}

bool is_triple(const struct stream *s, size_t i, char c) {
    for (size_t k = 0; k < 3; k++) {
        const struct token *t = &s->tokens[i] + k;
        if (i + k >= s->count || t->kind != PUNCTUATION || *t->at != c)
            return false;
    }
    const char *first = s->tokens[i].at, *last = s->tokens[i + 2].at;
    return s->tokens[i + 1].at == first + 1 && first + 2 + strspn(first + 2, " \t") == last;
}

char *quote(const struct stream *s, size_t first, size_t last) {
    struct text text = {0};
    for (size_t i = first; i <= last; i++) {
        const struct token *t = &s->tokens[i];
        for (const char *p = t->at; p < t->at + t->length; p++) {
            text_put(&text, *p == '"' || *p == '\\' ? "\\" : "");
            text_add(&text, *p == '\n' ? " " : p, 1);
        }
        if (is(t, ",") || (t->kind == NAME && i < last && s->tokens[i + 1].kind == NAME))
            text_put(&text, " ");
    }
    return text.at;
}

/* ---- words ------------------------------------------------------------------------------ */

bool is_statement_word(const struct token *t) {
    return is_any_of(t, "return else do case co_return throw goto new delete sizeof and or not");
}

bool is_attribute(const struct token *t) {
    return is_any_of(
        t, "__align__ alignas __attribute__ decltype noexcept __launch_bounds__ __maxnreg__ throw");
}

bool is_upper(const struct token *t) {
    for (size_t i = 0; i < t->length; i++)
        if (!isupper((unsigned char)t->at[i]) && t->at[i] != '_' &&
            !isdigit((unsigned char)t->at[i]))
            return false;
    return t->kind == NAME && t->length > 1;
}

/* ---- declarations ----------------------------------------------------------------------- */

size_t declaration_start(const struct stream *s, size_t i) {
    while (i > 0 && !strchr(";{}", *s->tokens[i - 1].at))
        i--;
    return i;
}

size_t template_of(const struct stream *s, size_t i) {
    for (size_t start = declaration_start(s, i); start < i; start++)
        if (at(s, start, "template") && at(s, start + 1, "<"))
            return start + 1;
    return NONE;
}

void count_parameters(const struct stream *s, size_t open, size_t close, size_t *fewest,
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

bool starts_declaration(const struct stream *s, size_t i) {
    return i == 0 || strchr(";{}:)", *s->tokens[i - 1].at);
}

/* ---- lines of a preprocessed text -------------------------------------------------------- */

bool read_marker(const char *line, struct marker *marker) {
    if (line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2]))
        return false;
    const char *p = line + 2 + strspn(line + 2, "0123456789"), *end = line + strcspn(line, "\n");
    if (p[0] != ' ' || p[1] != '"')
        return false;
    const char *file = p + 2, *quote = end;
    while (quote > file && *quote != '"')
        quote--;
    bool closed = *quote == '"' && quote + 1 + strspn(quote + 1, " 0123456789") == end;
    *marker = (struct marker){.line = (int)strtol(line + 2, NULL, 10), .file = file};
    marker->length = (size_t)((closed ? quote : end) - file);
    for (p = quote; closed && p < end; p++) {
        bool alone = p[0] == ' ' && !isdigit((unsigned char)p[2]);
        marker->begins |= alone && p[1] == '1';
        marker->ends |= alone && p[1] == '2';
        marker->system |= alone && p[1] == '3';
    }
    return true;
}

char *source_directory(const struct text *text) {
    struct marker m;
    for (const char *line = text->at; *line; line = next_line(line)) {
        if (!read_marker(line, &m) || m.length <= 3 ||
            strncmp(m.file + m.length - 3, ".cu", 3) != 0)
            continue;
        while (m.length && m.file[m.length - 1] != '/')
            m.length--;
        return format_text("%.*s", (int)m.length, m.file);
    }
    return NULL;
}

void write_watched(struct text *out, const char *line) {
    static const char prefix[] = "__builtin_";
    for (const char *found; (found = strstr(line, prefix));) {
        const char *name = found + sizeof prefix - 1;
        text_add(out, line,
                 (size_t)((begins_with_any(name, "memcpy memmove memset") ? found : name) - line));
        line = name;
    }
    text_put(out, line);
}
