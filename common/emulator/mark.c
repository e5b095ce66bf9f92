// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Marks the loops of a step's preprocessed text, for the counted build:
 *
 *   for (init; condition; next) body
 *
 * becomes
 *
 *   for (emulator_loop emulator_l3(3, 17), *emulator_p3 = &emulator_l3; emulator_p3;
 *        emulator_p3 = 0) for (init; condition; emulator_l3.turn(), next) body
 *
 * on the same lines: the first `for` takes one turn, and the object's life is the loop's, however
 * it is left. So a thread's loops and their turns are known at each access (counted/lanes.h).
 * while (c) becomes for (; c; turn()), and do … while (c) becomes do … while (turn(), c).
 *
 * Marked are the loops of files in the directory of the first .cu file that a line marker names.
 * Not marked: loops in constexpr functions, which cannot hold such an object; loops into whose body
 * a label or a case leads; do … while (0).
 *
 * usage: mark STEP.ii >MARKED.ii
 * Exit status: 0 done, 2 wrong usage, 3 the file cannot be read. */
#define _GNU_SOURCE /* strdup */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct token {
    size_t begin, end; /* in the text */
    unsigned line;
    bool own; /* of the step's own files */
    bool handled;
    bool constant;  /* of a { : it begins what is constexpr, or lies in it */
    size_t partner; /* of a bracket: the other one; 0 if there is none */
};

struct edit {
    size_t at, removed;
    char *text;
};

static char *text;
static size_t text_size;
static struct token *tokens;
static size_t token_count, token_capacity;
static struct edit *edits;
static size_t edit_count, edit_capacity;
static unsigned loop_count;

static _Noreturn void fail(int status, const char *what, const char *which) {
    fprintf(stderr, "mark: %s%s\n", what, which);
    exit(status);
}

static void *need(void *memory) {
    if (!memory)
        fail(3, "out of memory", "");
    return memory;
}

/* ---- tokens ----------------------------------------------------------------------------- */

static void read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(3, "cannot read ", path);
    size_t capacity = 1 << 20, got;
    text = need(malloc(capacity + 1));
    while ((got = fread(text + text_size, 1, capacity - text_size, file)) > 0) {
        text_size += got;
        if (text_size == capacity)
            text = need(realloc(text, (capacity *= 2) + 1));
    }
    if (ferror(file))
        fail(3, "cannot read ", path);
    fclose(file);
    text[text_size] = 0;
}

/* The directory of the first file whose name ends in .cu: its length, and where it begins. */
static const char *directory;
static size_t directory_length;

/* A line marker, # LINE "FILE" …: the line that follows, and whether the file is the step's. */
static void read_marker(const char *marker, unsigned *line, bool *own) {
    char *rest;
    unsigned long number = strtoul(marker, &rest, 10);
    const char *name = strchr(rest, '"'), *end = name ? strchr(name + 1, '"') : NULL;
    if (!end || memchr(marker, '\n', (size_t)(end - marker)))
        return;
    name++;
    size_t length = (size_t)(end - name), slash = length;
    while (slash > 0 && name[slash - 1] != '/')
        slash--;
    if (!directory && length > 3 && memcmp(end - 3, ".cu", 3) == 0) {
        directory = name;
        directory_length = slash;
    }
    *line = (unsigned)number;
    *own = directory && slash == directory_length && memcmp(name, directory, slash) == 0;
}

static size_t skip_line(size_t at) {
    while (at < text_size && text[at] != '\n')
        at++;
    return at;
}

static size_t skip_quoted(size_t at, char quote) {
    for (at++; at < text_size && text[at] != quote && text[at] != '\n'; at++)
        at += text[at] == '\\';
    return at + 1 < text_size ? at + 1 : text_size;
}

/* R"x( … )x" */
static size_t skip_raw(size_t at) {
    size_t open = at + 1;
    while (open < text_size && text[open] != '(' && text[open] != '\n')
        open++;
    for (size_t end = open; end < text_size; end++)
        if (text[end] == ')' && strncmp(text + end + 1, text + at + 1, open - at - 1) == 0 &&
            text[end + open - at] == '"')
            return end + open - at + 1;
    return text_size;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static bool is_raw_prefix(size_t begin, size_t end) {
    size_t length = end - begin;
    return length > 0 && length <= 3 && text[end - 1] == 'R' && text[end] == '"';
}

/* The end of the token that begins here. Numbers with ' in them are one token. */
static size_t token_end(size_t at) {
    if (text[at] == '"' || text[at] == '\'')
        return skip_quoted(at, text[at]);
    if (!is_word(text[at]))
        return at + 1;
    bool number = isdigit((unsigned char)text[at]);
    size_t end = at;
    while (is_word(text[end]) || (number && (text[end] == '\'' || text[end] == '.')))
        end++;
    return is_raw_prefix(at, end) ? skip_raw(end) : end;
}

static void add_token(struct token token) {
    if (token_count == token_capacity) {
        token_capacity = 2 * token_capacity + 4096;
        tokens = need(realloc(tokens, token_capacity * sizeof *tokens));
    }
    tokens[token_count++] = token;
}

static void tokenize(void) {
    unsigned line = 1;
    bool own = false, first_in_line = true;
    add_token((struct token){0}); /* so that 0 is no token's place */
    for (size_t at = 0; at < text_size;) {
        if (text[at] == '\n') {
            line++;
            at++;
            first_in_line = true;
        } else if (isspace((unsigned char)text[at])) {
            at++;
        } else if (text[at] == '#' && first_in_line) {
            size_t digits = at + 1 + strspn(text + at + 1, " ");
            size_t end = skip_line(at);
            if (isdigit((unsigned char)text[digits])) {
                read_marker(text + digits, &line, &own);
                end += end < text_size;
            }
            at = end;
        } else {
            size_t end = token_end(at);
            add_token((struct token){.begin = at, .end = end, .line = line, .own = own});
            for (; at < end; at++)
                line += text[at] == '\n';
            first_in_line = false;
        }
    }
    add_token((struct token){.begin = text_size, .end = text_size});
    token_count--; /* the last one only ends the text */
}

static bool is(size_t t, const char *word) {
    size_t length = strlen(word);
    return t < token_count && tokens[t].end - tokens[t].begin == length &&
           memcmp(text + tokens[t].begin, word, length) == 0;
}

static bool is_name(size_t t) {
    char c = text[tokens[t].begin];
    return t < token_count && is_word(c) && !isdigit((unsigned char)c);
}

static void match_brackets(void) {
    size_t *open = need(malloc((token_count + 1) * sizeof *open)), depth = 0;
    for (size_t t = 1; t < token_count; t++) {
        char c = text[tokens[t].begin];
        if (tokens[t].end - tokens[t].begin != 1)
            continue;
        if (strchr("([{", c)) {
            open[depth++] = t;
        } else if (strchr(")]}", c) && depth > 0) {
            tokens[t].partner = open[--depth];
            tokens[open[depth]].partner = t;
        }
    }
    free(open);
}

/* Which braces belong to what is constexpr: the word stands before them, since the last ; { or },
 * and `if constexpr` is something else. */
static void find_constants(void) {
    bool word = false;
    for (size_t t = 1; t < token_count; t++) {
        if (is(t, "constexpr") && !is(t - 1, "if")) {
            word = true;
        } else if (is(t, "{")) {
            tokens[t].constant |= word;
            for (size_t in = t + 1; tokens[t].constant && in < tokens[t].partner; in++)
                tokens[in].constant = true;
            word = false;
        } else if (is(t, ";") || is(t, "}")) {
            word = false;
        }
    }
}

/* ---- statements ------------------------------------------------------------------------- */

static size_t after_statement(size_t t);

/* After what is in brackets, if there are any here. */
static size_t after_brackets(size_t t) { return tokens[t].partner > t ? tokens[t].partner + 1 : t; }

static size_t after_simple(size_t t) {
    while (t < token_count && !is(t, ";") && !is(t, "}"))
        t = tokens[t].partner > t ? tokens[t].partner + 1 : t + 1;
    return t + 1;
}

static size_t after_if(size_t t) {
    t += is(t + 1, "constexpr") ? 2 : 1;
    t = after_statement(after_brackets(t));
    return is(t, "else") ? after_statement(t + 1) : t;
}

static size_t after_try(size_t t) {
    t = after_brackets(t + 1);
    while (is(t, "catch"))
        t = after_brackets(after_brackets(t + 1));
    return t;
}

/* The token after the statement that begins at t. */
static size_t after_statement(size_t t) {
    if (t >= token_count)
        return token_count;
    if (is(t, "{"))
        return after_brackets(t);
    if (is(t, "[") && is(t + 1, "["))
        return after_statement(after_brackets(t));
    if (is(t, "if"))
        return after_if(t);
    if (is(t, "for") || is(t, "while") || is(t, "switch"))
        return after_statement(after_brackets(t + 1));
    if (is(t, "do"))
        return after_brackets(after_statement(t + 1) + 1) + 1;
    if (is(t, "try"))
        return after_try(t);
    if (is(t, "default") || (is_name(t) && is(t + 1, ":") && !is(t + 2, ":")))
        return after_statement(t + 2);
    return after_simple(t);
}

/* Whether control can come from outside into these tokens, by a label or a case. */
static bool is_entered(size_t first, size_t end) {
    bool switches = false;
    for (size_t t = first; t < end; t++) {
        switches |= is(t, "switch");
        if ((is(t, "case") || is(t, "default")) && !switches)
            return true;
        bool begins = is(t - 1, ";") || is(t - 1, "{") || is(t - 1, "}");
        if (begins && is_name(t) && !is(t, "default") && is(t + 1, ":") && !is(t + 2, ":"))
            return true;
    }
    return false;
}

/* ---- marks ------------------------------------------------------------------------------ */

__attribute__((format(printf, 3, 4))) static void add_edit(size_t at, size_t removed,
                                                           const char *format, ...) {
    char buffer[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    if (edit_count == edit_capacity) {
        edit_capacity = 2 * edit_capacity + 64;
        edits = need(realloc(edits, edit_capacity * sizeof *edits));
    }
    edits[edit_count++] = (struct edit){at, removed, need(strdup(buffer))};
}

static void add_guard(size_t t, const char *keyword) {
    unsigned n = ++loop_count;
    add_edit(tokens[t].begin, tokens[t].end - tokens[t].begin,
             "for (emulator_loop emulator_l%u(%u, %u), *emulator_p%u = &emulator_l%u; "
             "emulator_p%u; emulator_p%u = 0) %s",
             n, n, tokens[t].line, n, n, n, n, keyword);
}

/* The ; that ends the condition of the for whose ( is at `open`; 0 for one over a range. */
static size_t second_semicolon(size_t open) {
    unsigned found = 0;
    for (size_t t = open + 1; t < tokens[open].partner; t++) {
        if (is(t, ";") && ++found == 2)
            return t;
        if (tokens[t].partner > t)
            t = tokens[t].partner;
    }
    return 0;
}

static void mark_for(size_t t) {
    size_t open = t + 1, close = tokens[open].partner;
    if (!is(open, "(") || !close || is_entered(close + 1, after_statement(close + 1)))
        return;
    size_t semicolon = second_semicolon(open);
    add_guard(t, "for");
    if (semicolon)
        add_edit(tokens[semicolon].end, 0, " emulator_l%u.turn()%s", loop_count,
                 semicolon + 1 == close ? "" : ",");
    else /* an else of the step's after it goes with the if that it went with before */
        add_edit(tokens[close].end, 0, " if (emulator_l%u.turn(), false) ; else ", loop_count);
}

static void mark_while(size_t t) {
    size_t open = t + 1, close = tokens[open].partner;
    if (!is(open, "(") || !close || is_entered(close + 1, after_statement(close + 1)))
        return;
    add_guard(t, "for");
    add_edit(tokens[open].end, 0, ";");
    add_edit(tokens[close].begin, 0, "; emulator_l%u.turn()", loop_count);
}

static void mark_do(size_t t) {
    size_t again = after_statement(t + 1), open = again + 1;
    if (!is(again, "while") || !is(open, "("))
        return;
    tokens[again].handled = true;
    bool once = tokens[open].partner == open + 2 && (is(open + 1, "0") || is(open + 1, "false"));
    if (once || is_entered(t + 1, again))
        return;
    add_guard(t, "do");
    add_edit(tokens[open].end, 0, "emulator_l%u.turn(), ", loop_count);
}

static void mark_loops(void) {
    for (size_t t = 1; t < token_count; t++) {
        if (!tokens[t].own || tokens[t].handled)
            continue;
        if (is(t, "do"))
            tokens[after_statement(t + 1)].handled = true;
        if (tokens[t].constant)
            continue;
        if (is(t, "for"))
            mark_for(t);
        else if (is(t, "while"))
            mark_while(t);
        else if (is(t, "do"))
            mark_do(t);
    }
}

static int compare_edits(const void *a, const void *b) {
    const struct edit *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* What the marks stand for: behind the first line, which names the file that debuggers take all
 * for, and before the next one, a line marker too. The functions are those of counted/lanes.c; a
 * call looks the same to the compiler wherever it is, and the object is on the stack of the thread.
 */
static const char DECLARATIONS[] =
    "struct emulator_loop;\n"
    "extern \"C\" {\n"
    "void emulator_loop_begin(emulator_loop *, unsigned, unsigned) noexcept;\n"
    "void emulator_loop_turn(emulator_loop *) noexcept;\n"
    "void emulator_loop_end(emulator_loop *) noexcept;\n"
    "}\n"
    "struct emulator_loop {\n"
    "    unsigned long long saved[4];\n"
    "    __attribute__((always_inline)) emulator_loop(unsigned number, unsigned line) {\n"
    "        emulator_loop_begin(this, number, line);\n"
    "    }\n"
    "    __attribute__((always_inline)) void turn() { emulator_loop_turn(this); }\n"
    "    __attribute__((always_inline)) ~emulator_loop() { emulator_loop_end(this); }\n"
    "};\n";

static void write_marked(void) {
    /* Edits at one place do not exist, so that any order of theirs is right. */
    qsort(edits, edit_count, sizeof *edits, compare_edits);
    size_t at = skip_line(0) + 1;
    at = at < text_size ? at : text_size;
    fwrite(text, 1, at, stdout);
    fputs(DECLARATIONS, stdout);
    for (size_t i = 0; i < edit_count; i++) {
        fwrite(text + at, 1, edits[i].at - at, stdout);
        fputs(edits[i].text, stdout);
        at = edits[i].at + edits[i].removed;
    }
    fwrite(text + at, 1, text_size - at, stdout);
}

int main(int count, char **arguments) {
    if (count != 2)
        fail(2, "usage: mark STEP.ii", "");
    read_text(arguments[1]);
    tokenize();
    match_brackets();
    find_constants();
    mark_loops();
    write_marked();
    return 0;
}
