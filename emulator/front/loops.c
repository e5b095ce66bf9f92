#include "loops.h"
#include "../text/stream.h"

#include <string.h>

struct loops {
    struct stream s;
    struct edits edits;
    unsigned loop_count;
};

/* Further marks of a token: a while that belongs to a do; a { that begins what is constexpr, or a
 * token in there. */
enum { HANDLED = 2, CONSTANT = 4 };

static bool is_name(const struct stream *s, size_t t) {
    return t < s->count && s->tokens[t].kind == NAME;
}

static const char *end_of(const struct stream *s, size_t t) {
    return s->tokens[t].at + s->tokens[t].length;
}

/* Which braces belong to what is constexpr: the word stands before them, since the last ; { or },
 * and `if constexpr` is something else. */
static void find_constants(struct stream *s) {
    bool word = false;
    for (size_t t = 0; t < s->count; t++) {
        if (at(s, t, "constexpr") && !at(s, t - 1, "if")) {
            word = true;
        } else if (at(s, t, "{")) {
            size_t end = word ? closing(s, t) : t;
            for (size_t in = t; word && end != NONE && in < end; in++)
                s->tokens[in].mark |= CONSTANT;
            word = false;
        } else if (at(s, t, ";") || at(s, t, "}")) {
            word = false;
        }
    }
}

/* ---- statements ------------------------------------------------------------------------- */

static size_t after_statement(const struct stream *s, size_t t);

/* After what is in brackets, if there are any here. */
static size_t after_brackets(const struct stream *s, size_t t) {
    size_t end = t < s->count && opens(&s->tokens[t]) > 0 ? closing(s, t) : NONE;
    return end == NONE ? t : end + 1;
}

static size_t after_simple(const struct stream *s, size_t t) {
    while (t < s->count && !at(s, t, ";") && !at(s, t, "}"))
        t = after_brackets(s, t) > t ? after_brackets(s, t) : t + 1;
    return t + 1;
}

static size_t after_if(const struct stream *s, size_t t) {
    t += at(s, t + 1, "constexpr") ? 2 : 1;
    t = after_statement(s, after_brackets(s, t));
    return at(s, t, "else") ? after_statement(s, t + 1) : t;
}

/* The token after the statement that begins at t. */
static size_t after_statement(const struct stream *s, size_t t) {
    if (t >= s->count)
        return s->count;
    if (at(s, t, "{"))
        return after_brackets(s, t);
    if (at(s, t, "[") && at(s, t + 1, "["))
        return after_statement(s, after_brackets(s, t));
    if (at(s, t, "if"))
        return after_if(s, t);
    if (is_any_of(&s->tokens[t], "for while switch"))
        return after_statement(s, after_brackets(s, t + 1));
    if (at(s, t, "do"))
        return after_brackets(s, after_statement(s, t + 1) + 1) + 1;
    if (at(s, t, "default") || (is_name(s, t) && at(s, t + 1, ":")))
        return after_statement(s, t + 2);
    return after_simple(s, t);
}

/* Whether control can come from outside into these tokens, by a label or a case. */
static bool is_entered(const struct stream *s, size_t first, size_t end) {
    bool switches = false;
    for (size_t t = first; t < end; t++) {
        switches |= at(s, t, "switch");
        if ((at(s, t, "case") || at(s, t, "default")) && !switches)
            return true;
        bool begins = at(s, t - 1, ";") || at(s, t - 1, "{") || at(s, t - 1, "}");
        if (begins && is_name(s, t) && !at(s, t, "default") && at(s, t + 1, ":"))
            return true;
    }
    return false;
}

/* ---- marks ------------------------------------------------------------------------------ */

static void add_guard(struct loops *l, size_t t, const char *keyword) {
    unsigned n = ++l->loop_count;
    const struct token *token = &l->s.tokens[t];
    int end = l->s.tokens[after_statement(&l->s, t) - 1].line;
    edit(&l->edits, token->at, token->length,
         "for (emulator_loop emulator_l%u(%u, %d, %d), *emulator_p%u = &emulator_l%u; "
         "emulator_p%u; emulator_p%u = 0) %s",
         n, n, token->line, end, n, n, n, n, keyword);
}

/* The ; that ends the condition of the for whose brackets are these; NONE for one over a range. */
static size_t second_semicolon(const struct stream *s, size_t open, size_t close) {
    unsigned found = 0;
    for (size_t t = open + 1; t < close; t = past(s, t))
        if (at(s, t, ";") && ++found == 2)
            return t;
    return NONE;
}

/* A for or a while. */
static void mark_head(struct loops *l, size_t t) {
    const struct stream *s = &l->s;
    size_t open = t + 1, close = at(s, open, "(") ? closing(s, open) : NONE;
    if (close == NONE || is_entered(s, close + 1, after_statement(s, close + 1)))
        return;
    size_t semicolon = at(s, t, "for") ? second_semicolon(s, open, close) : NONE;
    add_guard(l, t, "for");
    if (at(s, t, "while")) {
        edit(&l->edits, end_of(s, open), 0, ";");
        edit(&l->edits, s->tokens[close].at, 0, "; emulator_l%u.turn()", l->loop_count);
    } else if (semicolon != NONE)
        edit(&l->edits, end_of(s, semicolon), 0, " emulator_l%u.turn()%s", l->loop_count,
             semicolon + 1 == close ? "" : ",");
    else /* an else of the step's after it goes with the if that it went with before */
        edit(&l->edits, end_of(s, close), 0, " if (emulator_l%u.turn(), false) ; else ",
             l->loop_count);
}

static void mark_do(struct loops *l, size_t t, size_t again) {
    const struct stream *s = &l->s;
    size_t open = again + 1;
    if (!at(s, again, "while") || !at(s, open, "("))
        return;
    bool once = at(s, open + 2, ")") && (at(s, open + 1, "0") || at(s, open + 1, "false"));
    if (once || is_entered(s, t + 1, again))
        return;
    add_guard(l, t, "do");
    edit(&l->edits, end_of(s, open), 0, "emulator_l%u.turn(), ", l->loop_count);
}

/* ---- arrays of a thread ----------------------------------------------------------------- */

/* Whether the token is a name that a for before it declares, or sets: nvcc may unroll the loop. */
static bool is_counter(const struct stream *s, size_t t) {
    for (size_t f = t; f-- > 0;)
        if (at(s, f, "for"))
            for (size_t in = f + 2; in < t && !at(s, in, ";"); in++)
                if (at(s, in + 1, "=") && same(&s->tokens[in], &s->tokens[t]))
                    return true;
    return false;
}

/* Whether the array that is declared here is indexed by more than constants, as macros and
 * enumerators are written, and counters: then it lies in local memory. */
static bool is_indexed(const struct stream *s, size_t array) {
    for (size_t t = array + 1, depth = 1; t < s->count && depth; t++) {
        depth += (size_t)(at(s, t, "{") - at(s, t, "}"));
        bool named = same(&s->tokens[t], &s->tokens[array]);
        for (size_t in = t + 1; named && at(s, in, "["); in = past(s, in))
            for (size_t k = in + 1; k < closing(s, in); k++)
                if (is_name(s, k) && !is_upper(&s->tokens[k]) && !is_counter(s, k))
                    return true;
    }
    return false;
}

/* Its address is taken: another thread could see it, so the compiler tells of its accesses. */
static void mark_array(struct loops *l, size_t t) {
    const struct stream *s = &l->s;
    size_t in = declaration_start(s, t), end = t + 1;
    if (!at(s, end, "[") || !is_name(s, in) || is_statement_word(&s->tokens[in]) ||
        !is_name(s, in + 1) || !(is_name(s, t - 1) || at(s, t - 1, ",")) || !is_indexed(s, t))
        return;
    while (in < t && !is_any_of(&s->tokens[in], "const constexpr extern static"))
        in = past(s, in);
    while (at(s, end, "[") && closing(s, end) != NONE)
        end = past(s, end);
    if (in == t)
        edit(&l->edits, end_of(s, end - 1), 0, " __attribute__((cleanup(emulator_escape)))");
}

static void mark_all(struct loops *l) {
    struct stream *s = &l->s;
    for (size_t t = 0; t < s->count; t++) {
        int mark = s->tokens[t].mark;
        if (!(mark & OWN) || mark & HANDLED)
            continue;
        size_t again = at(s, t, "do") ? after_statement(s, t + 1) : s->count;
        if (again < s->count)
            s->tokens[again].mark |= HANDLED;
        if (mark & CONSTANT)
            continue;
        if (is_name(s, t))
            mark_array(l, t);
        if (at(s, t, "for") || at(s, t, "while"))
            mark_head(l, t);
        else if (at(s, t, "do"))
            mark_do(l, t, again);
    }
}

/* What the marks stand for: behind the first line, which names the file that debuggers take all
 * for, and before the next one, a line marker too. The functions are those of counted/lanes.c; a
 * call looks the same to the compiler wherever it is, and the object lies on the thread's stack. */
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
    "};\n"
    "static inline __attribute__((always_inline)) void emulator_escape(void *array) {\n"
    "    asm volatile(\"\" : : \"r\"(array));\n"
    "}\n";

void mark_loops(const struct text *from, struct text *to) {
    struct loops l = {0};
    const char *second = next_line(from->at);
    read_preprocessed(&l.s, from);
    find_constants(&l.s);
    mark_all(&l);
    text_add(to, from->at, (size_t)(second - from->at));
    text_put(to, declarations);
    edits_make(&l.edits, second, from->size - (size_t)(second - from->at), to);
}
