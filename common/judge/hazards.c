#include "hazards.h"

#include <string.h>

static const struct {
    const char *word, *meaning, *remedy;
    enum hazard_severity severity;
} kinds[] = {
#define HAZARD(name, word, severity, meaning, remedy) {word, meaning, remedy, HAZARD_##severity},
#include "../runner/hazards.def"
#undef HAZARD
};

const char *hazard_word(enum hazard_kind kind) { return kinds[kind].word; }
enum hazard_severity hazard_severity(enum hazard_kind kind) { return kinds[kind].severity; }
const char *hazard_meaning(enum hazard_kind kind) { return kinds[kind].meaning; }
const char *hazard_remedy(enum hazard_kind kind) { return kinds[kind].remedy; }

const char *hazard_severity_word(enum hazard_severity severity) {
    return severity == HAZARD_FAULT ? "fault" : "remark";
}

/* It ends, and is one line that a terminal shows as it stands. */
static void clean(char *text, size_t size) {
    text[size - 1] = '\0';
    for (unsigned char *s = (unsigned char *)text; *s; s++)
        if (*s < 0x20 || *s == 0x7f)
            *s = '?';
}

static bool same_place(const struct hazard_place *a, const struct hazard_place *b) {
    return a->pc == b->pc && a->line == b->line && a->on_host == b->on_host;
}

/* Of the same kind, on the same array, at the same places, whichever of two was noticed first: who
 * was there, and at which element, tells nothing new. */
static bool same_hazard(const struct hazard *a, const struct hazard *b) {
    if (a->kind != b->kind || a->places != b->places || strcmp(a->array, b->array) != 0)
        return false;
    const struct hazard_place *p = a->place, *q = b->place;
    if (a->places < 2)
        return !a->places || same_place(p, q);
    return (same_place(p, q) && same_place(p + 1, q + 1)) ||
           (same_place(p, q + 1) && same_place(p + 1, q));
}

bool hazards_add(struct hazards *hazards, const struct hazard *hazard) {
    struct hazard new = *hazard;
    if (new.kind >= HAZARD_KINDS || new.places > sizeof new.place / sizeof *new.place)
        return false;
    clean(new.array, sizeof new.array);
    clean(new.note, sizeof new.note);
    for (uint32_t i = 0; i < new.places; i++)
        clean(new.place[i].does, sizeof new.place[i].does);

    struct hazard_list *list = &hazards->of[hazard_severity(new.kind)];
    for (size_t i = 0; i < list->count; i++)
        if (same_hazard(&list->seen[i], &new))
            return true;
    if (list->count < MOST_HAZARDS)
        list->seen[list->count++] = new;
    else
        list->more++;
    return true;
}
