#include "changes.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts and lines -------------------------------------------------------------------------- */

char *file_text(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0;
    if (!file)
        return NULL;
    for (size_t got = 1; got > 0; size += got) {
        char *larger = realloc(text, size + 65537);
        if (!larger)
            abort();
        text = larger;
        got = fread(text + size, 1, 65536, file);
        text[size + got] = '\0';
    }
    fclose(file);
    return text;
}

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory)
        abort();
    return memory;
}

/* Cuts a text at its newlines. The caller frees the lines. */
static struct line *lines_of(char *text, size_t *count) {
    size_t most = 1;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        most++;
    struct line *lines = allocate(most, sizeof *lines);
    *count = 0;
    for (char *rest = text; *rest;) {
        char *end = rest + strcspn(rest, "\n"), *next = end + (*end == '\n');
        *end = '\0';
        lines[*count] = (struct line){rest, *count + 1};
        ++*count;
        rest = next;
    }
    return lines;
}

__attribute__((format(printf, 4, 5))) static bool
complain(struct complaint *complaint, const char *path, size_t line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = snprintf(complaint->text, sizeof complaint->text, "%s:%zu: ", path, line);
    if (length >= 0 && (size_t)length < sizeof complaint->text)
        vsnprintf(complaint->text + length, sizeof complaint->text - length, format, arguments);
    va_end(arguments);
    return false;
}

static bool begins(const char *text, const char *with) {
    return !strncmp(text, with, strlen(with));
}

/* ---- the file --------------------------------------------------------------------------------- */

/* Cuts "KEY VALUE" at its first space. */
static struct field field_of(const struct line *line) {
    char *text = (char *)(uintptr_t)line->text; /* into changes->text, which is ours */
    char *value = text + strcspn(text, " ");
    if (*value)
        *value++ = '\0';
    return (struct field){text, value, line->number};
}

static bool add_field(struct change *change, const struct line *line, const char *path,
                      struct complaint *complaint) {
    struct field field = field_of(line);
    if (!*field.value)
        return complain(complaint, path, line->number, "nothing stands after '%s'", field.key);
    if (!strcmp(field.key, "base"))
        change->base = field.value;
    else if (change->field_count == MOST_FIELDS)
        return complain(complaint, path, line->number,
                        "more than %d lines before the first empty one", MOST_FIELDS);
    else
        change->fields[change->field_count++] = field;
    return true;
}

/* A section: its lines without that of its name. */
static bool read_section(struct change *change, const struct line *lines, size_t count,
                         const char *path, struct complaint *complaint) {
    size_t i = 0, first_place;
    while (count && !*lines[count - 1].text)
        count--;
    for (; i < count && *lines[i].text; i++)
        if (!add_field(change, &lines[i], path, complaint))
            return false;
    for (first_place = i; first_place < count && !begins(lines[first_place].text, "@@");)
        first_place++;
    change->why = lines + i, change->why_lines = first_place - i;
    change->places = lines + first_place, change->place_lines = count - first_place;
    if (!change->base)
        return complain(complaint, path, change->line,
                        "no base: the file's first line names the step that is changed");
    return true;
}

static bool is_name(const char *text) {
    return *text && strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(text);
}

static bool read_sections(struct changes *changes, const char *base, size_t line_count,
                          struct complaint *complaint) {
    const struct line *lines = changes->lines, *end = lines + line_count;
    for (const struct line *line = lines + 1; line < end; line++) {
        if (!begins(line->text, "== "))
            continue;
        struct change *change = &changes->list[changes->count];
        const struct line *next = line + 1;
        *change = (struct change){.name = line->text + 3, .base = base, .line = line->number};
        if (!is_name(change->name))
            return complain(complaint, changes->path, line->number,
                            "a name has small letters, digits and _ only");
        if (changes_find(changes, change->name))
            return complain(complaint, changes->path, line->number, "a second change '%s'",
                            change->name);
        while (next < end && !begins(next->text, "== "))
            next++;
        if (!read_section(change, line + 1, (size_t)(next - line - 1), changes->path, complaint))
            return false;
        changes->count++;
    }
    return true;
}

bool changes_read(const char *path, struct changes *changes, struct complaint *complaint) {
    size_t count, sections = 0;
    *changes = (struct changes){.path = path, .text = file_text(path)};
    if (!changes->text) {
        snprintf(complaint->text, sizeof complaint->text, "cannot read %s: %s", path,
                 strerror(errno));
        return false;
    }
    changes->lines = lines_of(changes->text, &count);
    for (size_t i = 0; i < count; i++)
        sections += begins(changes->lines[i].text, "== ");
    changes->list = allocate(sections, sizeof *changes->list);
    if (!count || !begins(changes->lines->text, "base ") || !changes->lines->text[5])
        complain(complaint, path, 1,
                 "the first line names the step that is changed: base labs/opt05_multiblock");
    else if (read_sections(changes, changes->lines->text + 5, count, complaint))
        return true;
    changes_free(changes);
    return false;
}

void changes_free(struct changes *changes) {
    free(changes->text);
    free(changes->lines);
    free(changes->list);
    *changes = (struct changes){0};
}

const struct change *changes_find(const struct changes *changes, const char *name) {
    for (size_t i = 0; i < changes->count; i++)
        if (!strcmp(changes->list[i].name, name))
            return &changes->list[i];
    return NULL;
}

const char *change_value(const struct change *change, const char *key) {
    for (size_t i = 0; i < change->field_count; i++)
        if (!strcmp(change->fields[i].key, key))
            return change->fields[i].value;
    return NULL;
}

/* ---- the base --------------------------------------------------------------------------------- */

bool step_source(const char *directory, char *path, size_t path_size) {
    DIR *open = opendir(directory);
    int found = 0;
    if (!open)
        return false;
    for (const struct dirent *entry; (entry = readdir(open));) {
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".cu"))
            continue;
        int length = snprintf(path, path_size, "%s/%s", directory, entry->d_name);
        found += length > 0 && (size_t)length < path_size ? 1 : 2;
    }
    closedir(open);
    return found == 1;
}

/* The place of an #include of a header of common/baselines: its line, the header's path, and the
 * line's end. */
static char *shared_header(char *text, char *path, size_t path_size, char **end) {
    static const char INCLUDE[] = "#include \"baselines/";
    char *at = begins(text, INCLUDE) ? text : strstr(text, "\n#include \"baselines/");
    if (!at)
        return NULL;
    at += *at == '\n';
    const char *name = at + strlen(INCLUDE);
    int length = (int)strcspn(name, "\"\n");
    snprintf(path, path_size, "common/baselines/%.*s", length, name);
    *end = at + strcspn(at, "\n");
    return length > 4 && !strncmp(name + length - 4, ".cuh", 4) ? at : NULL;
}

char *step_text(const char *directory) {
    char path[4096], header_path[4096], *end;
    char *text = step_source(directory, path, sizeof path) ? file_text(path) : NULL;
    char *at = text ? shared_header(text, header_path, sizeof header_path, &end) : NULL;
    char *header = at ? file_text(header_path) : NULL;
    if (!header)
        return text;
    size_t size = strlen(text) + strlen(header) + 1;
    char *whole = allocate(size, 1);
    end += *end == '\n';
    snprintf(whole, size, "%.*s%s%s", (int)(at - text), text, header, end);
    free(header);
    free(text);
    return whole;
}

/* ---- a change, applied ------------------------------------------------------------------------ */

struct patch {
    const struct changes *changes;
    const struct line *base;
    size_t base_lines, copied;
    const char *source; /* the base's path */
    FILE *out;
    struct complaint *complaint;
};

/* A place: its lines in the file of changes, without that of its @@. */
struct place {
    const struct line *lines, *begin;
    size_t count;
};

static bool is_old(const struct line *line) { return *line->text != '+'; }

/* What stands in the base, of a line of a place. An empty one has lost its space. */
static const char *content(const struct line *line) {
    return *line->text ? line->text + 1 : line->text;
}

static const struct line *old_line(const struct place *place, size_t n) {
    for (size_t i = 0; i < place->count; i++)
        if (is_old(&place->lines[i]) && n-- == 0)
            return &place->lines[i];
    return NULL;
}

/* How many of the place's old lines stand in the base from a line on. */
static size_t matching(const struct patch *patch, const struct place *place, size_t at) {
    size_t n = 0;
    for (const struct line *old; (old = old_line(place, n)) && at + n < patch->base_lines; n++)
        if (strcmp(content(old), patch->base[at + n].text))
            break;
    return n;
}

static bool is_well_formed(const struct patch *patch, const struct place *place) {
    const char *path = patch->changes->path;
    size_t changed = 0;
    for (size_t i = 0; i < place->count; i++) {
        const struct line *line = &place->lines[i];
        if (*line->text && !strchr("-+ ", *line->text))
            return complain(patch->complaint, path, line->number,
                            "a line of a change begins with -, + or a space");
        changed += *line->text == '-' || *line->text == '+';
    }
    if (!changed)
        return complain(patch->complaint, path, place->begin->number,
                        "nothing is changed here: there is no line with - or +");
    if (!old_line(place, 0))
        return complain(patch->complaint, path, place->begin->number,
                        "the place is not known: add a line of the base, with a space before it");
    return true;
}

/* Where in the base the place begins. */
static bool find_place(const struct patch *patch, const struct place *place, size_t *found) {
    const char *path = patch->changes->path;
    size_t olds = 0, longest = 0, times = 0;
    while (old_line(place, olds))
        olds++;
    for (size_t at = 0; at < patch->base_lines; at++) {
        size_t length = matching(patch, place, at);
        longest = length > longest ? length : longest;
        if (length < olds)
            continue;
        if (times++)
            return complain(
                patch->complaint, path, old_line(place, 0)->number,
                "these lines stand in %s twice, at lines %zu and %zu: add a line of the base",
                patch->source, *found + 1, at + 1);
        *found = at;
    }
    if (!times)
        return complain(patch->complaint, path, old_line(place, longest)->number,
                        "this line does not stand %sin %s: %s", longest ? "there " : "",
                        patch->source, content(old_line(place, longest)));
    if (*found < patch->copied)
        return complain(
            patch->complaint, path, old_line(place, 0)->number,
            "this is line %zu of %s, above the place before it: put places in the order of the base",
            *found + 1, patch->source);
    return true;
}

static void copy_until(struct patch *patch, size_t end) {
    while (patch->copied < end)
        fprintf(patch->out, "%s\n", patch->base[patch->copied++].text);
}

static bool put_place(struct patch *patch, const struct place *place) {
    size_t at = 0;
    if (!is_well_formed(patch, place) || !find_place(patch, place, &at))
        return false;
    copy_until(patch, at);
    for (size_t i = 0; i < place->count; i++) {
        const struct line *line = &place->lines[i];
        patch->copied += is_old(line);
        if (*line->text != '-')
            fprintf(patch->out, "%s\n", content(line));
    }
    return true;
}

static bool put_places(struct patch *patch, const struct change *change) {
    const struct line *line = change->places, *end = line + change->place_lines;
    while (line < end) {
        struct place place = {.begin = line, .lines = line + 1};
        for (line++; line < end && !begins(line->text, "@@"); line++)
            place.count++;
        if (!put_place(patch, &place))
            return false;
    }
    copy_until(patch, patch->base_lines);
    return true;
}

char *change_apply(const struct changes *changes, const struct change *change,
                   struct complaint *complaint) {
    char source[4096], *whole = NULL, *base = step_text(change->base);
    size_t size;
    if (!base || !step_source(change->base, source, sizeof source)) {
        free(base);
        complain(complaint, changes->path, change->line,
                 "%s is no step: it must be a directory with one .cu file", change->base);
        return NULL;
    }
    struct patch patch = {.changes = changes, .source = source, .complaint = complaint};
    struct line *lines = lines_of(base, &patch.base_lines);
    patch.base = lines;
    patch.out = open_memstream(&whole, &size);
    bool fits = put_places(&patch, change);
    fclose(patch.out);
    free(lines);
    free(base);
    if (fits)
        return whole;
    free(whole);
    return NULL;
}
