#include "parts.h"

#include <stdlib.h>
#include <string.h>

/* A #define or #undef, or an #if with all its directives. */
struct directives {
    struct directives *next; /* in the order of the text */
    const struct file *file;
    int line;
    struct text text;
    struct names names; /* that it defines */
    bool asks;          /* for __CUDA_ARCH__ */
};

static struct directives *begin(struct unit *u, int line) {
    struct directives **last = &u->directives, *new = need(calloc(1, sizeof *new));
    while (*last)
        last = &(*last)->next;
    *new = (struct directives){.file = u->file, .line = line};
    return *last = new;
}

void note_directive(struct unit *u, const struct stream *words, const char *hash, const char *end) {
    const bool defines = words->count > 1 && (at(words, 0, "define") || at(words, 0, "undef"));
    if (!defines && !(words->count && is_any_of(words->tokens, "if ifdef ifndef elif else endif")))
        return;
    if (!u->file->open)
        u->file->open = begin(u, words->tokens->line);
    struct directives *d = u->file->open;
    text_add(&d->text, hash, (size_t)(end - hash));
    text_put(&d->text, "\n");
    for (size_t i = 0; !defines && i < words->count; i++)
        d->asks |= at(words, i, "__CUDA_ARCH__");
    if (defines)
        names_add(&d->names, (struct declared){.name = &words->tokens[1]});
    if (!u->file->innermost)
        u->file->open = NULL;
}

void leave_directives(struct unit *u) {
    if (u->file->open)
        u->file->open->asks = false;
}

static bool share_a_name(const struct names *a, const struct names *b) {
    for (size_t i = 0; i < a->count; i++)
        if (names_have(b, a->list[i].name))
            return true;
    return false;
}

char *directives_of(const struct unit *u, const struct token *t, bool host) {
    struct names names = {0};
    struct text undefine = {0}, all = {0};
    for (const struct directives *d = u->directives; d; d = d->next)
        for (size_t i = 0; d->asks && i < d->names.count; i++) {
            names_add(&names, d->names.list[i]);
            text_print(&undefine, "#undef %.*s\n", WORD(d->names.list[i].name));
        }
    text_print(&all, "%s%s", undefine.at ? undefine.at : "",
               host ? "#undef __CUDA_ARCH__" : "#define __CUDA_ARCH__ 900");
    for (const struct directives *d = u->directives; d; d = d->next)
        if ((d->file != u->file || d->line < t->line) && share_a_name(&d->names, &names))
            text_print(&all, "\n%s", d->text.at);
    return all.at;
}
