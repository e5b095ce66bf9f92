#define _POSIX_C_SOURCE 200809L /* strdup */
#include "rules.h"
#include "../text/lexer.h"
#include "../text/stream.h"
#include "../text/patterns.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What __global__ becomes. */
#define KERNEL "patchable_function_entry"

enum owner { STEP, HARNESS, SYSTEM, UNKNOWN };

/* A file that another one includes. */
struct level {
    enum owner owner;
    const char *private; /* a header of the harness that a step has no use for, or NULL */
};

struct attribute {
    bool inside, square; /* square: it began with [[ */
    int brackets, parentheses;
    char name[64];      /* without the __ around it */
    struct text string; /* the latest one, with those that are joined to it */
};

struct reader {
    const struct step *step;
    struct text *out, *notes, *flags;
    struct level *levels;
    size_t depth, room;
    bool started; /* the step's source has begun */
    bool checked; /* this line is the step's own, or the harness's */
    bool failed, wants_library, intrinsics, in_namespace;
    const char *here; /* the file, and the line in it */
    long line;
    const char **own_files;
    size_t own_count, own_room;
    struct token last[3]; /* the latest token first */
    struct attribute attribute;
};

/* Of the preprocessor, which says what the rewriter refused, or of these rules. */
static bool has_error(const char *notes, const char *place) {
    for (const char *at = notes; at && (at = strstr(at, place)); at++)
        if (strncmp(at + strcspn(at, " \n"), " error: ", 8) == 0)
            return true;
    return false;
}

/* One error for each line is enough. */
__attribute__((format(printf, 2, 3))) static void refuse(struct reader *r, const char *format,
                                                         ...) {
    FORMATTED(text, format);
    char *place = format_text("%s:%ld:", r->here, r->line);
    if (!has_error(r->notes->at, place))
        text_print(r->notes, "%s error: %s\n", place, text);
    r->failed = true;
}

/* ---- line markers ----------------------------------------------------------------------- */

static enum owner whose(const struct reader *r) {
    return r->depth ? r->levels[r->depth - 1].owner : STEP;
}

/* Without a/../ */
static void resolve(char *file) {
    for (char *part = file; (part = strstr(part, "/../"));) {
        char *begin = part;
        while (begin > file && begin[-1] != '/')
            begin--;
        if (begin == part || (begin[0] == '.' && begin[1] == '.')) {
            part += 3;
            continue;
        }
        memmove(begin, part + 4, strlen(part + 4) + 1);
        part = file;
    }
}

static enum owner owner_of(const struct reader *r, const char *file) {
    size_t directory = strlen(r->step->directory), tree = strlen(r->step->tree);
    if (strncmp(file, r->step->directory, directory) == 0 && file[directory] == '/')
        return STEP;
    if (begins_with(file, "common/") || begins_with(file, "emulator/"))
        return HARNESS;
    if (matches(ELSEWHERE, file) || (strncmp(file, r->step->tree, tree) == 0 && file[tree] == '/'))
        return UNKNOWN;
    return SYSTEM;
}

static void add_own_file(struct reader *r, const char *file) {
    for (size_t i = 0; i < r->own_count; i++)
        if (strcmp(r->own_files[i], file) == 0)
            return;
    r->own_files = grow(r->own_files, r->own_count, &r->own_room, sizeof *r->own_files);
    r->own_files[r->own_count++] = file;
}

static void enter(struct reader *r, const char *name) {
    enum owner parent = whose(r);
    char *file = need(strdup(name));
    resolve(file);
    r->levels = grow(r->levels, r->depth, &r->room, sizeof *r->levels);
    struct level *level = &r->levels[r->depth++];
    *level = (struct level){*file == '<' ? SYSTEM : owner_of(r, file), NULL};
    if (r->started) {
        r->wants_library = r->step->lean && parent == STEP && level->owner == SYSTEM &&
                           !ends_in(file, "/stddef.h");
        if (level->owner == UNKNOWN)
            refuse(
                r,
                "cannot include %s: a step includes headers of the system and of CUDA, lab.h, and "
                "files beside it",
                file);
        if (level->owner == STEP && parent != STEP)
            refuse(r,
                   "%s takes the place of a header that another one includes: give it another name",
                   file);
        if (level->owner == STEP)
            add_own_file(r, file);
        /* The processor's own instructions, whose stores no analysis sees. */
        r->intrinsics |= matches(INTRINSICS, file);
        if (level->owner == HARNESS && parent == STEP && !matches(PUBLIC, file))
            level->private = file;
    }
}

/* As students and their teachers know it: without the room. */
static const char *without_room(const char *file) {
    const char *slash = strchr(file, '/');
    if (begins_with(file, "emulator/") && slash && strchr(slash + 1, '/'))
        slash = strchr(slash + 1, '/');
    return slash ? slash + 1 : file;
}

static void leave(struct reader *r, const char *file, long number) {
    const char *private = r->levels[--r->depth].private;
    if (private)
        text_print(r->flags, "flag: includes %s, which is the harness's: %s:%ld\n",
                   without_room(private), base_name(file), number - 1);
    if (!r->intrinsics || whose(r) != STEP)
        return;
    r->here = file;
    r->line = number - 1;
    refuse(r, "cannot include intrinsics: the analysis cannot see what a processor's own "
              "instructions store: use plain C++");
    r->intrinsics = false;
}

/* After an include, the file is the one that goes on. */
static void take_marker(struct reader *r, const struct marker *marker) {
    const char *file = format_text("%.*s", (int)marker->length, marker->file);
    if (marker->begins)
        enter(r, file);
    else if (marker->ends && r->depth > 0)
        leave(r, file, marker->line);
    else if (!r->depth && strcmp(file, r->step->source) == 0)
        r->started = true;
    r->here = file;
    r->line = marker->line - 1;
    /* What macros of other files become in a header of the system is not marked as the system's. */
    enum owner owner = whose(r);
    r->checked = r->started && (owner == STEP || owner == HARNESS || !marker->system);
}

/* ---- directives ------------------------------------------------------------------------- */

static bool is_directive(const char *line) {
    line += strspn(line, " \t");
    return *line == '#' || (line[0] == '%' && line[1] == ':');
}

static const char *skip_blanks(const char *p) { return p + strspn(p, " \t"); }

/* Pragmas that change nothing of what the builds do stay. */
static bool keep_directive(struct reader *r, const char *line) {
    const char *words = skip_blanks(line);
    if (*words == '#')
        words = skip_blanks(words + 1);
    else
        words = line;
    if (!begins_with(words, "pragma") || !isblank((unsigned char)words[6])) {
        if (!begins_with(words, "ident") && !begins_with(words, "sccs"))
            refuse(r, "a macro must not begin a line with #");
        return false;
    }
    words = skip_blanks(words + 6);
    if (matches(SYSTEM_HEADER, words))
        refuse(r, "#pragma GCC system_header is for headers of the system: leave it out");
    if (matches(HARMLESS_PRAGMA, words))
        return true;
    if (matches(OTHER_PRAGMA, words))
        text_print(r->notes, "%s:%ld: note: the emulator ignores #pragma %s\n", r->here, r->line,
                   words);
    return false;
}

/* ---- attributes -------------------------------------------------------------------------- */

static bool is_attribute_word(const struct token *t) {
    return is_any_of(t, "__attribute __attribute__");
}

static void refuse_attribute(struct reader *r, const char *name, size_t length) {
    refuse(r, "the attribute %.*s can change how a step is linked or watched: leave it out",
           (int)length, name);
}

static void forget_string(struct attribute *a) {
    a->string.size = 0;
    text_put(&a->string, "");
}

static void take_attribute(struct reader *r, const struct token *t) {
    struct attribute *a = &r->attribute;
    size_t skip = t->length >= 2 && strncmp(t->at, "__", 2) == 0 ? 2 : 0;
    size_t length = t->length - skip;
    if (length >= 2 && strncmp(t->at + t->length - 2, "__", 2) == 0)
        length -= 2;
    snprintf(a->name, sizeof a->name, "%.*s", (int)length, t->at + skip);
    forget_string(a);
    if (strcmp(a->name, "section") != 0 && strcmp(a->name, KERNEL) != 0 &&
        !matches(HARMLESS_ATTRIBUTE, a->name))
        refuse_attribute(r, t->at, t->length);
}

/* Rewriting puts variables of the device into sections. */
static void close_bracket(struct reader *r) {
    struct attribute *a = &r->attribute;
    if (strcmp(a->name, "section") == 0) {
        a->name[0] = '\0';
        if (!matches(DEVICE_SECTION, a->string.at))
            refuse_attribute(r, "section", strlen("section"));
    }
    if (--a->parentheses <= 0 && !a->square)
        a->inside = false;
}

static void read_attribute(struct reader *r, const struct token *t) {
    struct attribute *a = &r->attribute;
    if (is(t, "(")) {
        a->parentheses++;
    } else if (is(t, ")")) {
        close_bracket(r);
    } else if (a->square && (is(t, "[") || is(t, "]"))) {
        a->brackets += is(t, "[") ? 1 : -1;
        a->inside = a->brackets > 0;
    } else if (a->parentheses > (a->square ? 0 : 2) && strcmp(a->name, KERNEL) == 0 &&
               !is(t, "1")) {
        refuse(r, "the attribute " KERNEL " is for kernels: leave it out");
    } else if (t->kind == TEXT && *t->at == '"') {
        text_add(&a->string, t->at + 1, t->length - 2);
    } else if (t->kind == TEXT) {
        text_put(&a->string, "R"); /* of a raw one nothing is known */
    } else if (t->kind == NAME && is_attribute_word(t)) {
        refuse(r, "an attribute inside an attribute: leave it out");
    } else if (t->kind == NAME && a->parentheses == (a->square ? 0 : 2)) {
        take_attribute(r, t);
    }
}

static void take_for_attribute(struct reader *r, const struct token *t) {
    struct attribute *a = &r->attribute;
    bool square = is(t, "[") && is(&r->last[0], "[");
    if (t->kind == NAME && is_asm(t))
        refuse(r, "the emulator has no assembly, inline PTX or other, and no asm names: put it "
                  "inside #ifdef __CUDA_ARCH__");
    if (a->inside) {
        read_attribute(r, t);
    } else if ((t->kind == NAME && is_attribute_word(t)) || square) {
        *a = (struct attribute){
            .inside = true, .square = square, .brackets = square ? 2 : 0, .string = a->string};
        forget_string(a);
    }
}

/* ---- tokens ----------------------------------------------------------------------------- */

static void check_name(struct reader *r, const struct token *t, const char *name) {
    if (r->step->lean && matches(LIBRARY, name))
        r->wants_library = true;
    if ((matches(OF_EMULATOR, name) && !is(t, "emulator_argument")) ||
        (r->in_namespace && is(t, "emulator")) ||
        (is(&r->last[2], "emulator") && is(&r->last[1], ":") && is(&r->last[0], ":") &&
         !matches(PUT_IN, name)))
        refuse(r, "%s belongs to the emulator: a step cannot use it", name);
    if (begins_with(name, "_Z"))
        refuse(r, "%s is the compiler's name of a function: a step calls it by its own", name);
    if (matches(DEPENDS_ON_BUILD, name))
        refuse(r, "%s depends on how a step is compiled: leave it out", name);
    else if (begins_with(name, "__builtin_") && !matches(HARMLESS_BUILTIN, name))
        refuse(r, "%s accesses memory in a way that the analysis cannot see: use plain C++", name);
}

/* The next token of the step's own text. */
static void take(struct reader *r, enum kind kind, const char *at, size_t length) {
    struct token t = {kind, at, length, 0, 0};
    r->in_namespace |= is(&t, "namespace");
    if (kind == NAME && whose(r) != HARNESS)
        check_name(r, &t, format_text("%.*s", (int)length, at));
    bool outside = !r->attribute.inside;
    take_for_attribute(r, &t);
    if ((is(&t, "(") && is(&r->last[0], "new")) || (is(&t, "new") && is(&r->last[0], "operator")))
        refuse(r, "new at a chosen place is not for steps: the analysis cannot see what a function "
                  "returns to there; assign it");
    if (outside && (is(&t, ";") || is(&t, "{") || is(&t, "}")))
        r->in_namespace = false;
    r->last[2] = r->last[1];
    r->last[1] = r->last[0];
    r->last[0] = t;
}

/* A bracket or a brace in two signs; <:: is < and :: where neither : nor > follows. */
static bool is_digraph(const char *p) {
    bool qualifies = begins_with(p, "<::") && p[3] != ':' && p[3] != '>';
    return begins_with_any(p, "%: <: :> <% %>") && !qualifies;
}

static const char *take_sign(struct reader *r, const char *p) {
    if (is_digraph(p))
        refuse(r, "brackets and braces are written [ ] { } here, and not as %.2s", p);
    if (begins_with(p, "::"))
        take(r, PUNCTUATION, p++, 1);
    size_t length = begins_with(p, "<<") ? 2 : 1;
    take(r, PUNCTUATION, p, length);
    return p + length;
}

/* A literal ends with its suffix: what follows "..."R is a string of its own, not a raw one. */
static const char *take_literal(struct reader *r, const char *p, const char *end) {
    take(r, *p == '\'' ? NUMBER : TEXT, p, (size_t)(end - p));
    while (is_name_character(*end))
        end++;
    return end;
}

/* The tokens of a line, which ends in a zero byte. They stay where they are. */
static void read_line(struct reader *r, const char *p) {
    while (*(p += strspn(p, " \t\f\v"))) {
        struct lexer lexer = {0};
        enum kind kind;
        const char *end = skip_token(&lexer, p, &kind);
        if (lexer.why && strstr(lexer.why, "no end")) {
            refuse(r,
                   "a raw string must end in the line in which it begins: write one for each line");
            return;
        }
        if (lexer.why) { /* R"…" without a parenthesis */
            kind = NAME;
            end = strchr(p, '"');
        }
        bool unclosed = kind == TEXT && (*p == '"' || *p == '\'') && (end - p < 2 || end[-1] != *p);
        if (kind == PUNCTUATION || unclosed) {
            p = take_sign(r, p);
        } else if (kind == TEXT) {
            p = take_literal(r, p, end);
        } else {
            take(r, kind, p, (size_t)(end - p));
            p = end;
        }
    }
}

/* ---- lines ------------------------------------------------------------------------------ */

static void read_text(struct reader *r, char *text) {
    struct marker marker;
    for (char *line = text, *end; *line && !r->wants_library; line = end) {
        end = line + strcspn(line, "\n");
        bool last = !*end;
        *end = '\0';
        if (read_marker(line, &marker)) {
            take_marker(r, &marker);
            text_put(r->out, line);
        } else {
            r->line++;
            if (r->checked && is_directive(line))
                text_put(r->out, keep_directive(r, line) ? line : "");
            else if (r->checked)
                read_line(r, line);
            if (r->checked && !is_directive(line))
                write_watched(r->out, line);
            else if (!r->checked)
                text_put(r->out, line);
        }
        text_put(r->out, "\n");
        end += !last;
    }
}

/* ---- line markers in the step's own files -------------------------------------------------- */

static void remove_blanks(char *line) {
    char *to = line;
    for (; *line; line++)
        if (!strchr(" \t\r\f\v", *line))
            *to++ = *line;
    *to = '\0';
}

/* Markers tell whose a line is, so a step may have none of its own: # 1 "FILE" 1, with whatever the
 * preprocessor overlooks between. A comment or a string may look like one, too. */
static void find_markers(struct reader *r, const char *path) {
    bool ok;
    struct text file = text_read(path, &ok), logical = {0};
    if (!ok) {
        text_print(r->notes, "%s: error: cannot read this file\n", path);
        r->failed = true;
    }
    unsigned number = 0;
    for (char *line = file.at, *end; ok && *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n' ? (*end = '\0', 1) : 0;
        number++;
        remove_blanks(line);
        text_put(&logical, line);
        if (logical.size && logical.at[logical.size - 1] == '\\') {
            logical.at[--logical.size] = '\0';
            continue;
        }
        if (matches(MARKER_LOOKALIKE, logical.at)) {
            text_print(r->notes,
                       "%s:%u: error: a line that begins with # and a number looks like a line "
                       "marker, and #line is one: findings could not be told by their lines\n",
                       path, number);
            r->failed = true;
        }
        logical.size = 0;
    }
}

enum rules keep_rules(const struct step *step, const struct text *preprocessed, struct text *out,
                      struct text *notes, struct text *flags) {
    struct reader r = {.step = step, .out = out, .notes = notes, .flags = flags};
    char *text = need(strdup(preprocessed->at));
    r.here = "";
    read_text(&r, text);
    if (!r.wants_library) {
        add_own_file(&r, step->source);
        for (size_t i = 0; i < r.own_count; i++)
            find_markers(&r, r.own_files[i]);
    }
    return r.wants_library ? WANT_LIBRARY : r.failed ? BROKEN : KEPT;
}
