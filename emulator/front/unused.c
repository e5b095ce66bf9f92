#include "rules.h"
#include "../text/stream.h"

#include <stdlib.h>
#include <string.h>

/* A declaration that is left out if nothing else names it: of a function, or `using X::name;`. */
struct part {
    size_t first, last, name; /* tokens */
    size_t next;              /* 1 + the number of another one of this name; 0: none */
    bool used;
};

struct name {
    const struct token *token;
    size_t parts; /* 1 + the number of the last one of this name */
    bool used;
};

struct reader {
    struct stream tokens; /* marked in headers */
    struct part *parts;
    size_t part_count, part_room;
    struct name *names; /* by hash */
    size_t slots;
    size_t *waiting, waiting_count; /* parts that are used, whose names were not looked at */
};

/* Whether what follows is no text of the step's own. */
static int is_header(const struct marker *marker, const void *unused) {
    (void)unused;
    return marker->system || begins_with(marker->file, "emulator/");
}

/* ---- declarations ------------------------------------------------------------------------- */

/* Where a namespace, or what has C's names, begins inside; 0: it is neither. */
static size_t inside_scope(const struct stream *s, size_t i) {
    if (at(s, i, "extern") && i + 1 < s->count && s->tokens[i + 1].kind == TEXT)
        return at(s, i + 2, "{") ? i + 3 : 0;
    i += at(s, i, "inline");
    if (!at(s, i, "namespace"))
        return 0;
    for (; i < s->count && !at(s, i, ";") && !at(s, i, "="); i++)
        if (at(s, i, "{"))
            return i + 1;
    return 0;
}

/* Whether what stands before the bracket at i is the name of a function. */
static bool names_function(const struct stream *s, size_t i) {
    const struct token *name = &s->tokens[i - 1];
    return name->kind == NAME && !is(name - 1, "::") && !is(name - 1, ":") && !is(name - 1, "~") &&
           !at(s, i + 1, "*");
}

/* Words after which the name of a function cannot be told, or there is none. */
static bool hides_name(const struct token *t) {
    return is_any_of(t, "= < typedef operator using template friend __typeof __typeof__") ||
           is_asm(t);
}

/* Finds the name and last token of the declaration that begins with `part`; false: no end. */
static bool read_declaration(const struct stream *s, struct part *part) {
    bool plain = true, parameters = false;
    size_t i = part->first;
    part->name = NONE;
    if (at(s, i, "template") && at(s, i + 1, "<"))
        i = closing_angle(s, i + 1);
    for (; i < s->count && !at(s, i, "}"); i++) {
        bool body = at(s, i, "{"), called = at(s, i, "(") && !is_attribute(&s->tokens[i - 1]);
        plain &= part->name == NONE ? !hides_name(&s->tokens[i]) : !at(s, i, ",");
        if (called && part->name == NONE && names_function(s, i))
            part->name = i - 1;
        parameters |= called;
        if (opens(&s->tokens[i]) > 0 && (i = closing(s, i)) == NONE)
            return false;
        part->last = i;
        if (at(s, i, ";") || (body && parameters))
            break;
    }
    if (!plain)
        part->name = NONE;
    return i < s->count && part->last >= part->first;
}

static bool is_inline(const struct stream *s, const struct part *part) {
    for (size_t i = part->first; i < part->name; i++)
        if (is_any_of(&s->tokens[i], "inline static template constexpr"))
            return true;
    return false;
}

/* `using X::name;` */
static bool is_using(const struct stream *s, const struct part *part) {
    for (size_t i = part->first; i < part->last; i++)
        if (s->tokens[i].kind != NAME && !at(s, i, "::"))
            return false;
    return at(s, part->first, "using") && !at(s, part->first + 1, "namespace");
}

static bool may_go(const struct stream *s, struct part *part) {
    if (!s->tokens[part->first].mark || !s->tokens[part->last].mark)
        return false;
    if (is_using(s, part))
        part->name = part->last - 1;
    return part->name != NONE &&
           (at(s, part->last, ";") || (at(s, part->last, "}") && is_inline(s, part)));
}

/* ---- names -------------------------------------------------------------------------------- */

static struct name *name_of(const struct reader *r, const struct token *t) {
    size_t hash = 5381;
    for (size_t i = 0; i < t->length; i++)
        hash = hash * 33 ^ (unsigned char)t->at[i];
    hash &= r->slots - 1;
    while (r->names[hash].token && !same(r->names[hash].token, t))
        hash = (hash + 1) & (r->slots - 1);
    r->names[hash].token = t;
    return &r->names[hash];
}

static void use_name(struct reader *r, const struct token *t) {
    struct name *name = t->kind == NAME ? name_of(r, t) : NULL;
    if (!name || name->used)
        return;
    name->used = true;
    for (size_t next = name->parts; next; next = r->parts[next - 1].next) {
        r->parts[next - 1].used = true;
        r->waiting[r->waiting_count++] = next - 1;
    }
}

static void add_part(struct reader *r, struct part part) {
    struct name *name = name_of(r, &r->tokens.tokens[part.name]);
    part.next = name->parts;
    r->parts = grow(r->parts, r->part_count, &r->part_room, sizeof *r->parts);
    r->parts[r->part_count++] = part;
    name->parts = r->part_count;
}

static void find_parts(struct reader *r) {
    const struct stream *s = &r->tokens;
    for (size_t i = 0, inside; i < s->count;) {
        struct part part = {.first = i};
        if (at(s, i, "}") || at(s, i, ";")) {
            i++;
        } else if ((inside = inside_scope(s, i))) {
            i = inside;
        } else if (read_declaration(s, &part)) {
            if (may_go(s, &part))
                add_part(r, part);
            i = part.last + 1;
        } else {
            return;
        }
    }
}

/* All that is named outside of the parts is used, and what that names. A loop over a range names
 * nothing of what it calls. */
static void find_used(struct reader *r) {
    static const struct token unnamed[] = {
        {NAME, "begin", 5, 0, 0}, {NAME, "end", 3, 0, 0}, {NAME, "get", 3, 0, 0}};
    const struct token *tokens = r->tokens.tokens;
    r->waiting = need(calloc(r->part_count + 1, sizeof *r->waiting));
    for (size_t i = 0; i < sizeof unnamed / sizeof *unnamed; i++)
        use_name(r, &unnamed[i]);
    for (size_t i = 0, part = 0; i < r->tokens.count; i++)
        if (part < r->part_count && i == r->parts[part].first)
            i = r->parts[part++].last;
        else
            use_name(r, &tokens[i]);
    for (size_t next = 0; next < r->waiting_count; next++) {
        const struct part *part = &r->parts[r->waiting[next]];
        for (size_t i = part->first; i <= part->last; i++)
            use_name(r, &tokens[i]);
    }
}

/* ---- the text ----------------------------------------------------------------------------- */

/* Of a part that goes the ends of its lines stay, and what the preprocessor says between them. */
static void add_lines(struct text *out, const char *from, const char *end) {
    for (const char *line; (line = memchr(from, '\n', (size_t)(end - from))); from = line + 1) {
        text_put(out, "\n");
        if (line[1] == '#')
            text_add(out, line + 1, strcspn(line + 1, "\n"));
    }
}

void leave_out_unused(const struct text *text, struct text *out) {
    struct reader r = {.slots = 1024};
    const char *from = text->at;
    read_preprocessed(&r.tokens, text->at, is_header, NULL);
    while (r.slots < 2 * r.tokens.count)
        r.slots *= 2;
    r.names = need(calloc(r.slots, sizeof *r.names));
    find_parts(&r);
    find_used(&r);
    for (size_t i = 0; i < r.part_count; i++) {
        const struct token *first = &r.tokens.tokens[r.parts[i].first],
                           *last = &r.tokens.tokens[r.parts[i].last];
        if (r.parts[i].used)
            continue;
        text_add(out, from, (size_t)(first->at - from));
        from = last->at + last->length;
        add_lines(out, first->at, from);
    }
    text_put(out, from);
}
