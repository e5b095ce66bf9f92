// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* not-begun GIVEN/STEP... labs/STEP/NAME.cu...: which of these steps nobody has begun, a line each:
 * STEP/NAME.cu, a tab, and why. The desk, make submit and the grading of a class all ask it. The
 * files stand in the order of their names; those of GIVEN, without .cu, are what was handed out.
 *
 * A step is not begun that is its starter, or that is another step: an earlier one of the same
 * submission, or one that was handed out complete. They are compared by their tokens, and names
 * that somebody chose are the same where one stands for the other throughout.
 *
 * ENVIRON HASHES has what sha256sum prints of the submission's steps, HANDED_OUT names a file of
 * such lines: a file with something to do that is among these is a starter as well.
 *
 * Exit status: 0 done, 2 a file cannot be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

struct source {
    const char *name, *step, *file; /* STEP/NAME.cu, and its parts */
    uint64_t code;                  /* a hash */
    bool is_given, has_todo, is_empty, is_starter;
};

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static char *text_of(const char *path) {
    FILE *file = fopen(path, "r");
    size_t length = 0, room = 1 << 16;
    char *text = malloc(room);
    while (file && text && (length += fread(text + length, 1, room - length - 1, file)) == room - 1)
        text = realloc(text, room *= 2);
    if (!file || !text || ferror(file)) {
        fprintf(stderr, "not-begun: cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    text[length] = '\0';
    return text;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whether the line "HASH  ./labs/STEP/NAME.cu" of HASHES has a hash of HANDED_OUT. */
static bool is_handed_out(const struct source *source) {
    const char *hashes = getenv("HASHES"), *path = getenv("HANDED_OUT");
    char line[4096];
    bool found = false;
    snprintf(line, sizeof line, "labs/%s\n", source->name);
    const char *at = hashes && path ? strstr(hashes, line) : NULL;
    FILE *known = at ? fopen(path, "r") : NULL;
    while (known && at > hashes && at[-1] != '\n')
        at--;
    while (known && !found && fgets(line, sizeof line, known))
        found = strspn(line, "0123456789abcdef") == 64 && strncmp(line, at, 64) == 0;
    if (known)
        fclose(known);
    return found;
}

static struct source read_source(char *path) {
    char *text = text_of(path);
    struct tokens tokens = tokens_of(text);
    size_t length = strlen(path);
    struct source source = {
        .name = path,
        .file = last_part(path),
        .code = hash_but_for_names(&tokens),
        .is_given = length < 3 || !same(path + length - 3, ".cu"),
        .has_todo = strstr(text, "/* TODO") != NULL,
        .is_empty = !tokens.count,
    };
    for (const char *at = path; (at = strstr(at, "labs/"));)
        source.name = at += strlen("labs/");
    source.step = source.is_given ? source.file : strndup(source.name, strcspn(source.name, "/"));
    source.is_starter = source.has_todo && !source.is_given && is_handed_out(&source);
    free(text);
    free(tokens.token);
    return source;
}

static const char *why_not_begun(const struct source *all, const struct source *one, char *why,
                                 size_t size) {
    static const char starter[] = "this is the file as it was handed out";
    if (one->is_starter)
        return starter;
    for (const struct source *other = all; other < one; other++) {
        bool own = same(other->step, one->step);
        if (other->is_empty || other->is_starter || other->code != one->code)
            continue;
        if (own && other->is_given && other->has_todo)
            return starter;
        if (!own && (other->is_given ? !other->has_todo : same(other->file, one->file))) {
            snprintf(why, size, "this is %s%s under another name", other->step,
                     other->is_given ? ", which is handed out complete,"
                                     : " of the same submission");
            return why;
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    struct source *source = calloc(argc, sizeof *source);
    char text[4096];
    for (int i = 0; source && i < argc - 1; i++) {
        source[i] = read_source(argv[i + 1]);
        const char *why =
            source[i].is_given ? NULL : why_not_begun(source, &source[i], text, sizeof text);
        if (why)
            printf("%s\t%s\n", source[i].name, why);
    }
    return source && fflush(stdout) == 0 ? 0 : 2;
}
