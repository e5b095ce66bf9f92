#include "parts.h"

#include <stdlib.h>
#include <string.h>

/* One of an #if's conditions, and what stands below it. */
struct branch {
    struct stream words; /* of the directive: if, defined, … */
    const char *directive;
    size_t length;
    struct token *lacking;
};

struct conditional {
    struct conditional *outer;
    struct branch *branches;
    size_t count, room;
};

/* Before the #if: EMULATOR_ARCH is __CUDA_ARCH__, unless with that the preprocessor chooses a
 * branch with something that the emulator lacks. */
static void put_choice(struct unit *u, const struct conditional *c) {
    const struct branch *last = &c->branches[c->count - 1];
    struct text choice = {0};
    text_put(&choice, "#undef EMULATOR_ARCH\n#ifdef __CUDA_ARCH__\n");
    for (const struct branch *b = c->branches; b <= last; b++)
        text_print(&choice, "%.*s\n%s", (int)b->length, b->directive,
                   b->lacking ? "" : "#define EMULATOR_ARCH __CUDA_ARCH__\n");
    if (!at(&last->words, 0, "else"))
        text_put(&choice, "#else\n#define EMULATOR_ARCH __CUDA_ARCH__\n");
    change(u, c->branches->directive, 0, "%s#endif\n#endif\n#line %d \"%s\"\n", choice.at,
           c->branches->words.tokens->line, u->file->quoted);
    u->file->has_more_lines = true;
}

/* At #endif. An #if that asks for __CUDA_ARCH__ and leads to something that the emulator lacks goes
 * the other way; another one hands that on to the #if around it. */
static void settle(struct unit *u, struct conditional *c) {
    struct token *lacking = NULL;
    bool asks = false;
    for (size_t k = 0; k < c->count; k++) {
        for (size_t i = 0; i < c->branches[k].words.count; i++)
            asks |= at(&c->branches[k].words, i, "__CUDA_ARCH__");
        if (!lacking)
            lacking = c->branches[k].lacking;
    }
    if (!asks && c->outer && lacking)
        c->outer->branches[c->outer->count - 1].lacking = lacking;
    if (!asks || !lacking)
        return;
    leave_directives(u);
    /* Without an #else a program would do nothing there, unseen: it is refused. */
    if (u->manner.any_program && c->count == 1)
        return;
    text_print(&u->notes,
               "%s:%d: note: where this #if leads to %.*s (line %d), which the emulator has not, "
               "__CUDA_ARCH__ is undefined in it\n",
               u->file->path, c->branches->words.tokens->line, WORD(lacking), lacking->line);
    put_choice(u, c);
    for (size_t k = 0; k < c->count; k++)
        for (size_t i = 0; i < c->branches[k].words.count; i++) {
            const struct token *t = &c->branches[k].words.tokens[i];
            if (is(t, "__CUDA_ARCH__"))
                change(u, t->at, t->length, "EMULATOR_ARCH");
        }
}

void read_conditional(struct unit *u, const struct stream *words, const char *hash, const char *end,
                      int line, struct stream *code) {
    bool opens = at(words, 0, "if") || at(words, 0, "ifdef") || at(words, 0, "ifndef");
    bool goes_on = at(words, 0, "elif") || at(words, 0, "else");
    if (!opens && !u->file->innermost)
        return; /* the compiler will say so */
    note_lacking(u, code, code->mark_count ? code->marks[code->mark_count - 1].token : 0);
    if (opens) {
        struct conditional *new = need(calloc(1, sizeof *new));
        new->outer = u->file->innermost;
        u->file->innermost = new;
    }
    struct conditional *c = u->file->innermost;
    if (opens || goes_on) {
        c->branches = grow(c->branches, c->count, &c->room, sizeof *c->branches);
        c->branches[c->count++] = (struct branch){*words, hash, (size_t)(end - hash), NULL};
    } else {
        settle(u, c);
        u->file->innermost = c->outer;
    }
    code->marks = grow(code->marks, code->mark_count, &code->mark_room, sizeof *code->marks);
    struct mark *mark = &code->marks[code->mark_count++];
    *mark = (struct mark){code->count, opens ? OPENS : goes_on ? GOES_ON : CLOSES, end, line};
}

bool has_assembly(const struct unit *u, const struct stream *s, size_t i) {
    enum { EMPTY = 2 }; /* the quotes */
    while (i < s->count && !at(s, i, "("))
        i++;
    for (i++; i < s->count && s->tokens[i].kind == TEXT; i++)
        if (s->tokens[i].length > EMPTY)
            return true;
    return !u->manner.any_program;
}

void note_lacking(struct unit *u, const struct stream *s, size_t first) {
    struct conditional *c = u->file->innermost;
    struct branch *branch = c ? &c->branches[c->count - 1] : NULL;
    for (size_t i = first; branch && !branch->lacking && i < s->count; i++) {
        const struct token *t = &s->tokens[i];
        /* What a program lacks of cuda:: is a compile error: better than a kernel without it. */
        bool lacks = is_asm(t)
                         ? has_assembly(u, s, i)
                         : is_any_of(t, "this_cluster cluster_group map_shared_rank nvcuda") ||
                               (!u->manner.any_program && is(t, "cuda") && at(s, i + 1, "::"));
        if (lacks) {
            branch->lacking = need(malloc(sizeof *t)); /* the stream's move when it grows */
            *branch->lacking = *t;
        }
    }
}
