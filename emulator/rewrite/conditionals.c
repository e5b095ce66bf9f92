#include "parts.h"

#include <stdlib.h>
#include <string.h>

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

/* How strongly the operator at i binds, and its text; 0 if it is none of a condition, as +. */
static int operator_at(const struct stream *s, size_t i, char text[3]) {
    static const struct {
        const char *text;
        int strength;
    } operators[] = {{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3},
                     {"<=", 4}, {">=", 4}, {"<", 4},  {">", 4}};
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

static struct value apply(const char *sign, struct value a, struct value b) {
    bool known = a.known && b.known, equal = a.number == b.number, less = a.number < b.number;
    if (*sign == '|')
        return a.known && a.number ? a : b.known && b.number ? b : (struct value){known, 0};
    if (*sign == '&')
        return a.known && !a.number ? a : b.known && !b.number ? b : (struct value){known, 1};
    bool holds = *sign == '='   ? equal
                 : *sign == '!' ? !equal
                 : *sign == '<' ? less || (sign[1] && equal)
                                : !less && (sign[1] || !equal);
    return (struct value){known, holds};
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
    char sign[3];
    for (int strength; (strength = operator_at(s, *i, sign)) >= least && strength > 0;) {
        *i += strlen(sign);
        left = apply(sign, left, evaluate(s, i, strength + 1));
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
static void settle(struct unit *u, struct conditional *c) {
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
    leave_directives(u);
    /* Without an #else a program would do nothing there, unseen: it is refused. */
    if (u->manner.any_program && c->count == 1)
        return;
    text_print(
        &u->notes,
        "%s:%d: note: __CUDA_ARCH__ is undefined in this #if on the cpu device: the emulator "
        "has no %.*s (line %d)\n",
        u->file->path, c->branches->words.tokens->line, WORD(lacking), lacking->line);
    for (size_t k = 0; k < c->count; k++)
        for (size_t i = 0; i < c->branches[k].words.count; i++) {
            const struct token *t = &c->branches[k].words.tokens[i];
            if (is(t, "__CUDA_ARCH__"))
                change(u, t->at, t->length, "EMULATOR_LACKS");
        }
}

static void open_branch(struct unit *u, const struct stream *words) {
    struct conditional *c = u->file->innermost;
    c->branches = grow(c->branches, c->count, &c->room, sizeof *c->branches);
    c->branches[c->count++] = (struct branch){*words, NULL};
}

void read_conditional(struct unit *u, const struct stream *words, const char *end, int line,
                      struct stream *code) {
    bool opens = at(words, 0, "if") || at(words, 0, "ifdef") || at(words, 0, "ifndef");
    bool goes_on = at(words, 0, "elif") || at(words, 0, "else");
    if (!opens && !u->file->innermost)
        return; /* the compiler will say so */
    if (opens) {
        struct conditional *c = need(calloc(1, sizeof *c));
        c->outer = u->file->innermost;
        u->file->innermost = c;
    }
    if (opens || goes_on) {
        open_branch(u, words);
    } else {
        settle(u, u->file->innermost);
        u->file->innermost = u->file->innermost->outer;
    }
    code->marks = grow(code->marks, code->mark_count, &code->mark_room, sizeof *code->marks);
    struct mark *mark = &code->marks[code->mark_count++];
    *mark = (struct mark){code->count, opens ? OPENS : goes_on ? GOES_ON : CLOSES, end, line};
}

void note_lacking(struct unit *u, const struct stream *s, size_t i) {
    const struct token *t = &s->tokens[i];
    struct conditional *c = u->file->innermost;
    /* What a program lacks of cuda:: is a compile error: better than a kernel without it. */
    bool lacks = !u->manner.any_program && i > 0 && at(s, i, "::") && at(s, i - 1, "cuda");
    lacks |= is_asm(t) ? c && !is_known_asm(u, t)
                       : is_any_of(t, "this_cluster cluster_group map_shared_rank nvcuda");
    if (c && lacks && !c->branches[c->count - 1].lacking) {
        struct token *copy = need(malloc(sizeof *copy)); /* the stream's move when it grows */
        *copy = is(t, "::") ? t[-1] : *t;
        c->branches[c->count - 1].lacking = copy;
    }
}
