#include "named.h"
#include "../text/edits.h"
#include "../text/stream.h"

#include <string.h>

static const char allocating[] = "cudaMalloc cudaMallocManaged cudaMallocHost cudaHostAlloc "
                                 "cudaMallocAsync cudaMallocPitch";

/* The token after a variable, its members and elements, that begins at t; t: there is none. */
static size_t after_variable(const struct stream *s, size_t t) {
    size_t end = t;
    while (t < s->count && s->tokens[t].kind == NAME) {
        end = t + 1;
        while (at(s, end, "[") && closing(s, end) != NONE)
            end = closing(s, end) + 1;
        bool arrow = at(s, end, "-") && at(s, end + 1, ">");
        if (!arrow && !at(s, end, ".") && !at(s, end, "::"))
            break;
        t = end + (arrow ? 2 : 1);
    }
    return end;
}

/* The comma after the first argument of the call whose bracket opens at `open`, or NONE. */
static size_t first_comma(const struct stream *s, size_t open) {
    size_t t = open + 1;
    while (t < s->count && opens(&s->tokens[t]) >= 0 && !at(s, t, ","))
        t = past(s, t);
    return at(s, t, ",") ? t : NONE;
}

/* Between these tokens stands `&` with a variable, maybe behind a cast or in brackets. */
static char *variable_of(const struct stream *s, size_t open, size_t comma) {
    for (size_t t = open + 1; t < comma; t++) {
        if (!at(s, t, "&") || !(at(s, t - 1, "(") || at(s, t - 1, ")")))
            continue;
        size_t after = after_variable(s, t + 1), end = after;
        while (at(s, end, ")"))
            end++;
        if (after > t + 1 && end == comma)
            return quote(s, t + 1, after - 1);
    }
    return NULL;
}

void name_allocations(const struct text *from, struct text *to) {
    enum { LONGEST = 40 };
    struct stream s = {0};
    struct edits edits = {0};
    const char *second = next_line(from->at);
    read_preprocessed(&s, from);
    for (size_t t = 0; t < s.count; t++) {
        bool call = s.tokens[t].mark && is_any_of(&s.tokens[t], allocating) && at(&s, t + 1, "(");
        size_t comma = call ? first_comma(&s, t + 1) : NONE;
        const char *name = comma != NONE ? variable_of(&s, t + 1, comma) : NULL;
        if (!name || strlen(name) > LONGEST)
            continue;
        edit(&edits, s.tokens[t + 2].at, 0, "(emulator_names(\"%s\"), ", name);
        edit(&edits, s.tokens[comma].at, 0, ")");
    }
    text_add(to, from->at, (size_t)(second - from->at));
    text_put(to, "extern \"C\" void emulator_names(const char *) noexcept;\n");
    edits_make(&edits, second, from->size - (size_t)(second - from->at), to);
}
