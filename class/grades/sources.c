// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* Which steps of a submission nobody has begun. */
#include "views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"
#include "lines.h"

/* How long a text between quotes is, or what of it stands on the line. */
static size_t length_of_quoted(const char *line) {
    size_t length = 1;
    while (line[length] && line[length] != *line) {
        if (line[length] == '\\' && !line[length + 1])
            break;
        length += 1 + (line[length] == '\\');
    }
    return length + (line[length] == *line);
}

/* A line without its comments, each of which is a blank. Quotes hide comments: in " // " there is
 * none. in_comment: whether the line begins, and the next one will begin, within one. */
static const char *code_of(const char *line, bool *in_comment) {
    struct text code = {0};
    while (*line) {
        const char *end = *in_comment ? strstr(line, "*/") : line;
        if (!end)
            break;
        if (*in_comment) {
            line = end + 2;
            add(&code, " ");
            *in_comment = false;
        } else if (begins_with(line, "//"))
            break;
        else if ((*in_comment = begins_with(line, "/*")))
            line += 2;
        else {
            bool is_quoted = *line == '"' || *line == '\'';
            size_t length = is_quoted ? length_of_quoted(line) : 1 + strcspn(line + 1, "/\"'");
            add_bytes(&code, line, length);
            line += length;
        }
    }
    return bytes_of(&code);
}

/* ---- what nobody has begun ------------------------------------------------------------------------ */

struct source {
    const char *name, *step, *code; /* STEP/NAME.cu; code has no comments and no blanks */
    bool has_todo;
};

static struct source read_source(const char *path) {
    struct source source = {.name = base_name(path)};
    struct text code = {0};
    bool in_comment = false;
    for (const char *at = path; (at = strstr(at, "labs/"));)
        source.name = at += strlen("labs/");
    source.step = say("%.*s", (int)strcspn(source.name, "/"), source.name);
    for (const char **line = lines_of_file(path); *line; line++) {
        source.has_todo |= strstr(*line, "/* TODO") != NULL;
        struct words words = words_of(replaced(code_of(*line, &in_comment), "\r", " "));
        for (size_t i = 0; i < words.count; i++)
            add(&code, "%s", words.word[i]);
    }
    source.code = bytes_of(&code);
    return source;
}

/* Whether the lines "HASH  ./labs/STEP/NAME.cu" of the submission have a hash for the name that is
 * among those of HANDED_OUT, a file of such lines. */
static bool is_handed_out(const char *name) {
    const char *hashes = getenv("HASHES"), *known = getenv("HANDED_OUT");
    const char *at = hashes ? strstr(hashes, say("labs/%s\n", name)) : NULL;
    if (!at || !known)
        return false;
    while (at > hashes && at[-1] != '\n')
        at--;
    for (const char **line = lines_of_file(known); *line; line++)
        if (strspn(*line, "0123456789abcdef") == 64 && strncmp(*line, at, 64) == 0)
            return true;
    return false;
}

static const char *why_not_begun(const struct source *source, size_t at, struct map *starters) {
    const char *starter = *find(starters, source[at].step);
    if ((starter && same(source[at].code, starter)) ||
        (source[at].has_todo && is_handed_out(source[at].name)))
        return "this is the file as it was handed out";
    for (size_t i = 0; i < at; i++)
        if (*source[at].code && same(source[i].code, source[at].code) &&
            !same(source[i].step, source[at].step) &&
            same(base_name(source[i].name), base_name(source[at].name)))
            return say("this is %s of the same submission under another name", source[i].step);
    return "";
}

/* STARTERS/STEP..., then labs/STEP/NAME.cu... in the order of names. */
int view_not_begun(int count, char **words) {
    struct source *source = keep(count * sizeof *source);
    struct map starters = {0};
    size_t sources = 0;
    for (int i = 0; i < count; i++) {
        struct source one = read_source(words[i]);
        size_t length = strlen(words[i]);
        if (length < 3 || !same(words[i] + length - 3, ".cu"))
            *find(&starters, base_name(words[i])) = (void *)one.code;
        else
            source[sources++] = one;
    }
    for (size_t i = 0; i < sources; i++) {
        const char *why = why_not_begun(source, i, &starters);
        if (*why)
            printf("%s\t%s\n", source[i].name, why);
    }
    return 0;
}
