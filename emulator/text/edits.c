#include "edits.h"

#include <stdlib.h>
#include <string.h>

void edit(struct edits *edits, const char *at, size_t removed, const char *format, ...) {
    FORMATTED(text, format);
    edits->list = grow(edits->list, edits->count, &edits->room, sizeof *edits->list);
    edits->list[edits->count] = (struct edit){at, removed, text, edits->count};
    edits->count++;
}

static int compare(const void *left, const void *right) {
    const struct edit *a = left, *b = right;
    return a->at < b->at || (a->at == b->at && a->order < b->order) ? -1 : 1;
}

void edits_make(struct edits *edits, const char *from, size_t size, struct text *to) {
    const char *p = from;
    if (edits->count)
        qsort(edits->list, edits->count, sizeof *edits->list, compare);
    for (size_t i = 0; i < edits->count; i++) {
        struct edit *e = &edits->list[i];
        if (p < e->at) {
            text_add(to, p, (size_t)(e->at - p));
            p = e->at;
        }
        text_put(to, e->text);
        for (; p < e->at + e->removed; p++)
            if (*p == '\n')
                text_put(to, p > e->at && p[-1] == '\\' ? "\\\n" : "\n");
    }
    text_add(to, p, (size_t)(from + size - p));
    *edits = (struct edits){0};
}
