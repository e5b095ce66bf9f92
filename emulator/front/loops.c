#include "loops.h"
#include "../text/edits.h"
#include "../text/lexer.h"
#include "../text/markers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
    struct token token;
    bool own; /* of the step's own files */
    bool handled;
    bool constant;  /* of a { : it begins what is constexpr, or lies in it */
    size_t partner; /* of a bracket: the other one; 0 if there is none */
};

struct loops {
    struct place *places; /* the first one is none, so that 0 is no token's place */
    size_t count, room;
    struct edits edits;
    unsigned loop_count;
    /* of the first file whose name ends in .cu, with its slash */
    const char *directory;
    size_t directory_length;
};

/* ---- tokens ----------------------------------------------------------------------------- */

/* A line marker, # LINE "FILE" …: the line that follows, and whether the file is the step's. */
static void read_marker(struct loops *l, const char *marker, int *line, bool *own) {
    const char *name = strchr(marker, '"') + 1, *end = strpbrk(name, "\"\n");
    if (!end || *end != '"')
        return;
    size_t length = (size_t)(end - name), slash = length;
    while (slash > 0 && name[slash - 1] != '/')
        slash--;
    if (!l->directory && length > 3 && strncmp(end - 3, ".cu", 3) == 0) {
        l->directory = name;
        l->directory_length = slash;
    }
    *line = (int)strtol(marker + 2, NULL, 10);
    *own = l->directory && slash == l->directory_length && strncmp(name, l->directory, slash) == 0;
}

static void add_place(struct loops *l, struct place place) {
    l->places = grow(l->places, l->count, &l->room, sizeof *l->places);
    l->places[l->count++] = place;
}

static void read_places(struct loops *l, const char *p) {
    struct lexer lexer = {.line = 1};
    bool own = false, first_in_line = true;
    add_place(l, (struct place){0});
    while (*p) {
        if (*p == '#' && first_in_line) {
            if (is_marker(p))
                read_marker(l, p, &lexer.line, &own);
            p = is_marker(p) ? next_line(p) : p + strcspn(p, "\n");
            continue;
        }
        const char *next = skip_blank(&lexer, p);
        if (next == p) {
            struct place place = {.token = {.at = p, .line = lexer.line}, .own = own};
            next = skip_token(&lexer, p, &place.token.kind);
            place.token.length = (size_t)(next - p);
            add_place(l, place);
            first_in_line = false;
        } else if (*p == '\n') {
            first_in_line = true;
        }
        lexer.line += lines_in(p, next);
        p = next;
    }
}

static bool at(const struct loops *l, size_t t, const char *word) {
    return t < l->count && t && is(&l->places[t].token, word);
}

static bool is_name(const struct loops *l, size_t t) {
    return t < l->count && l->places[t].token.kind == NAME;
}

static size_t partner(const struct loops *l, size_t t) {
    return t < l->count ? l->places[t].partner : 0;
}

static const char *end_of(const struct loops *l, size_t t) {
    return l->places[t].token.at + l->places[t].token.length;
}

static void match_brackets(struct loops *l) {
    size_t *open = need(malloc((l->count + 1) * sizeof *open)), depth = 0;
    for (size_t t = 1; t < l->count; t++) {
        int bracket = opens(&l->places[t].token);
        if (bracket > 0) {
            open[depth++] = t;
        } else if (bracket < 0 && depth > 0) {
            l->places[t].partner = open[--depth];
            l->places[open[depth]].partner = t;
        }
    }
}

/* Which braces belong to what is constexpr: the word stands before them, since the last ; { or },
 * and `if constexpr` is something else. */
static void find_constants(struct loops *l) {
    bool word = false;
    for (size_t t = 1; t < l->count; t++) {
        if (at(l, t, "constexpr") && !at(l, t - 1, "if")) {
            word = true;
        } else if (at(l, t, "{")) {
            l->places[t].constant |= word;
            for (size_t in = t + 1; l->places[t].constant && in < partner(l, t); in++)
                l->places[in].constant = true;
            word = false;
        } else if (at(l, t, ";") || at(l, t, "}")) {
            word = false;
        }
    }
}

/* ---- statements ------------------------------------------------------------------------- */

static size_t after_statement(const struct loops *l, size_t t);

/* After what is in brackets, if there are any here. */
static size_t after_brackets(const struct loops *l, size_t t) {
    return partner(l, t) > t ? partner(l, t) + 1 : t;
}

static size_t after_simple(const struct loops *l, size_t t) {
    while (t < l->count && !at(l, t, ";") && !at(l, t, "}"))
        t = partner(l, t) > t ? partner(l, t) + 1 : t + 1;
    return t + 1;
}

static size_t after_if(const struct loops *l, size_t t) {
    t += at(l, t + 1, "constexpr") ? 2 : 1;
    t = after_statement(l, after_brackets(l, t));
    return at(l, t, "else") ? after_statement(l, t + 1) : t;
}

static size_t after_try(const struct loops *l, size_t t) {
    t = after_brackets(l, t + 1);
    while (at(l, t, "catch"))
        t = after_brackets(l, after_brackets(l, t + 1));
    return t;
}

/* The token after the statement that begins at t. */
static size_t after_statement(const struct loops *l, size_t t) {
    if (t >= l->count)
        return l->count;
    if (at(l, t, "{"))
        return after_brackets(l, t);
    if (at(l, t, "[") && at(l, t + 1, "["))
        return after_statement(l, after_brackets(l, t));
    if (at(l, t, "if"))
        return after_if(l, t);
    if (at(l, t, "for") || at(l, t, "while") || at(l, t, "switch"))
        return after_statement(l, after_brackets(l, t + 1));
    if (at(l, t, "do"))
        return after_brackets(l, after_statement(l, t + 1) + 1) + 1;
    if (at(l, t, "try"))
        return after_try(l, t);
    if (at(l, t, "default") || (is_name(l, t) && at(l, t + 1, ":")))
        return after_statement(l, t + 2);
    return after_simple(l, t);
}

/* Whether control can come from outside into these tokens, by a label or a case. */
static bool is_entered(const struct loops *l, size_t first, size_t end) {
    bool switches = false;
    for (size_t t = first; t < end; t++) {
        switches |= at(l, t, "switch");
        if ((at(l, t, "case") || at(l, t, "default")) && !switches)
            return true;
        bool begins = at(l, t - 1, ";") || at(l, t - 1, "{") || at(l, t - 1, "}");
        if (begins && is_name(l, t) && !at(l, t, "default") && at(l, t + 1, ":"))
            return true;
    }
    return false;
}

/* ---- marks ------------------------------------------------------------------------------ */

static void add_guard(struct loops *l, size_t t, const char *keyword) {
    unsigned n = ++l->loop_count;
    const struct place *place = &l->places[t];
    unsigned end = l->places[after_statement(l, t) - 1].token.line;
    edit(&l->edits, place->token.at, place->token.length,
         "for (emulator_loop emulator_l%u(%u, %u, %u), *emulator_p%u = &emulator_l%u; "
         "emulator_p%u; emulator_p%u = 0) %s",
         n, n, place->token.line, end, n, n, n, n, keyword);
}

/* The ; that ends the condition of the for whose ( is at `open`; 0 for one over a range. */
static size_t second_semicolon(const struct loops *l, size_t open) {
    unsigned found = 0;
    for (size_t t = open + 1; t < partner(l, open); t++) {
        if (at(l, t, ";") && ++found == 2)
            return t;
        if (partner(l, t) > t)
            t = partner(l, t);
    }
    return 0;
}

static void mark_for(struct loops *l, size_t t) {
    size_t open = t + 1, close = partner(l, open);
    if (!at(l, open, "(") || !close || is_entered(l, close + 1, after_statement(l, close + 1)))
        return;
    size_t semicolon = second_semicolon(l, open);
    add_guard(l, t, "for");
    if (semicolon)
        edit(&l->edits, end_of(l, semicolon), 0, " emulator_l%u.turn()%s", l->loop_count,
             semicolon + 1 == close ? "" : ",");
    else /* an else of the step's after it goes with the if that it went with before */
        edit(&l->edits, end_of(l, close), 0, " if (emulator_l%u.turn(), false) ; else ",
             l->loop_count);
}

static void mark_while(struct loops *l, size_t t) {
    size_t open = t + 1, close = partner(l, open);
    if (!at(l, open, "(") || !close || is_entered(l, close + 1, after_statement(l, close + 1)))
        return;
    add_guard(l, t, "for");
    edit(&l->edits, end_of(l, open), 0, ";");
    edit(&l->edits, l->places[close].token.at, 0, "; emulator_l%u.turn()", l->loop_count);
}

static void mark_do(struct loops *l, size_t t) {
    size_t again = after_statement(l, t + 1), open = again + 1;
    if (!at(l, again, "while") || !at(l, open, "("))
        return;
    l->places[again].handled = true;
    bool once = partner(l, open) == open + 2 && (at(l, open + 1, "0") || at(l, open + 1, "false"));
    if (once || is_entered(l, t + 1, again))
        return;
    add_guard(l, t, "do");
    edit(&l->edits, end_of(l, open), 0, "emulator_l%u.turn(), ", l->loop_count);
}

static void mark_all(struct loops *l) {
    for (size_t t = 1; t < l->count; t++) {
        if (!l->places[t].own || l->places[t].handled)
            continue;
        size_t again = at(l, t, "do") ? after_statement(l, t + 1) : l->count;
        if (again < l->count)
            l->places[again].handled = true;
        if (l->places[t].constant)
            continue;
        if (at(l, t, "for"))
            mark_for(l, t);
        else if (at(l, t, "while"))
            mark_while(l, t);
        else if (at(l, t, "do"))
            mark_do(l, t);
    }
}

/* What the marks stand for: behind the first line, which names the file that debuggers take all
 * for, and before the next one, a line marker too. The functions are those of counted/lanes.c; a
 * call looks the same to the compiler wherever it is, and the object is on the stack of the thread.
 */
static const char declarations[] =
    "struct emulator_loop;\n"
    "extern \"C\" {\n"
    "void emulator_loop_begin(emulator_loop *, unsigned, unsigned, unsigned) noexcept;\n"
    "void emulator_loop_turn(emulator_loop *) noexcept;\n"
    "void emulator_loop_end(emulator_loop *) noexcept;\n"
    "}\n"
    "struct emulator_loop {\n"
    "    unsigned long long saved[5];\n"
    "    __attribute__((always_inline)) emulator_loop(unsigned number, unsigned line, unsigned end) {\n"
    "        emulator_loop_begin(this, number, line, end);\n"
    "    }\n"
    "    __attribute__((always_inline)) void turn() { emulator_loop_turn(this); }\n"
    "    __attribute__((always_inline)) ~emulator_loop() { emulator_loop_end(this); }\n"
    "};\n";

void mark_loops(const struct text *from, struct text *to) {
    struct loops l = {0};
    const char *second = next_line(from->at);
    read_places(&l, from->at);
    match_brackets(&l);
    find_constants(&l);
    mark_all(&l);
    text_add(to, from->at, (size_t)(second - from->at));
    text_put(to, declarations);
    edits_make(&l.edits, second, from->size - (size_t)(second - from->at), to);
}
