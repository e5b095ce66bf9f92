#include "hazards.h"

#include <math.h>
#include <string.h>

#include "text.h"

const char *hazard_title(const struct hazards_fields *hazard) {
    const char *array = printable(hazard->array), *at = plain_number(hazard->index);
    if (!*array)
        return hazard->kind;
    if (!*at)
        return say("%s on %s", hazard->kind, array);
    bool element = hazard->has_allocated || strchr(array, ' ');
    return element ? say("%s on element %s of %s", hazard->kind, at, array)
                   : say("%s on %s[%s]", hazard->kind, array, at);
}

static const char *line_of(const struct places_fields *place, const char *file) {
    return isnan(place->line) ? "an unknown line" : say("%s:%.0f", file, place->line);
}

const char *hazard_in_short(const struct hazards_fields *hazard) {
    struct text text = {0};
    const char *before = ":";
    add(&text, "%s", hazard_title(hazard));
    foreach_object (places, place, hazard->places) {
        add(&text, "%s %s %s", before, line_of(place, base_name(place->file)), place->does);
        before = ",";
    }
    if (*hazard->note)
        add(&text, " (%s)", hazard->note);
    return text.bytes;
}

/* As people write it: 5, or (5,1,0). */
static const char *index_of(const record_triple three) {
    return three[1] + three[2] > 0 ? say("(%.0f,%.0f,%.0f)", three[0], three[1], three[2])
                                   : plain_number(three[0]);
}

const char *hazard_place(const struct places_fields *place) {
    const char *who =
        place->host == RECORD_TRUE
            ? "on the host"
            : say("thread %s of block %s", index_of(place->thread), index_of(place->block));
    return say("%s: %s (%s)", line_of(place, place->file), place->does, who);
}

void put_place(struct page *page, const struct places_fields *place, bool with_source) {
    const char *margin = page->margin;
    paragraph(page, strong(hazard_place(place)));
    page->margin = say("%s    ", margin);
    if (with_source && *place->source)
        preformatted(page, clip(place->source, page->columns - width(page->margin)));
    page->margin = margin;
}

static const struct kind {
    const char *word, *meaning, *remedy;
} kinds[] = {
#define HAZARD(name, word, severity, meaning, remedy) {word, meaning, remedy},
#include "hazards.def"
};

static const struct kind *kind_of(const struct hazards_fields *hazard) {
    static const struct kind none = {"", "", ""};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (same(kinds[i].word, hazard->kind))
            return &kinds[i];
    return &none;
}

const char *hazard_meaning(const struct hazards_fields *hazard) { return kind_of(hazard)->meaning; }

const char *hazard_remedy(const struct hazards_fields *hazard) { return kind_of(hazard)->remedy; }
