/* not-begun GIVEN/STEP... labs/STEP/NAME.cu...: which of these steps nobody has begun. A line for
 * each step, with tabs: its SHA-256, STEP/NAME.cu, and why it is not begun, or nothing. The desk,
 * make submit and the grading of a class all ask it. The files stand in the order of their names;
 * those of GIVEN, without .cu, are what was handed out.
 *
 * A step is not begun that is its starter, or that is another step: an earlier one of the same
 * submission or of the published solutions, or one that was handed out complete. They are compared
 * by their tokens, and names that somebody chose are the same where one stands for the other
 * throughout.
 *
 * ENVIRON HANDED_OUT names a file of what sha256sum prints of steps: a file with something to do
 * that is among these is a starter as well. What it knows of published solutions is what not-begun
 * --codes labs/STEP/NAME.cu... prints.
 *
 * Exit status: 0 done, 2 a file cannot be read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "keep.h"
#include "sha256.h"
#include "tokens.h"

/* Bytes of a file that may be a starter, which are small: the time to find its names grows with the
 * square of their number. */
enum { MOST = 32 << 10 };

struct source {
    const char *name, *step, *file; /* STEP/NAME.cu, and its parts */
    uint64_t code;                  /* a hash */
    char sum[SHA256_DIGITS + 1];
    bool is_given, is_published, is_listed, has_todo, is_empty, is_starter;
};

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static _Noreturn void cannot_read(const char *path) {
    fprintf(stderr, "not-begun: cannot read %s\n", path);
    exit(2);
}

static char *text_of(const char *path) {
    FILE *file = fopen(path, "r");
    struct stat status;
    char *text = file && fstat(fileno(file), &status) == 0 ? keep(status.st_size + 1) : NULL;
    if (!text || fread(text, 1, status.st_size, file) < (size_t)status.st_size)
        cannot_read(path);
    fclose(file);
    return text;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Of a path, or of a line that ends with one: STEP/NAME.cu, and the step. */
static void set_name(struct source *source, const char *path) {
    source->name = path;
    for (const char *at = path; (at = strstr(at, "labs/"));)
        source->name = at += strlen("labs/");
    source->file = last_part(path);
    source->step =
        source->is_given ? source->file : strndup(source->name, strcspn(source->name, "/"));
}

/* Whether it has the place of a file of HANDED_OUT. */
static bool is_listed(const struct source *source, const char *handed_out) {
    char line[4096];
    snprintf(line, sizeof line, "labs/%s\n", source->name);
    return strstr(handed_out, line);
}

static struct source read_source(char *path, const char *handed_out) {
    char *text = text_of(path);
    struct tokens tokens = tokens_of(strlen(text) < MOST ? text : "");
    size_t length = strlen(path);
    struct source source = {
        .code = hash_but_for_names(&tokens),
        .is_given = length < 3 || !same(path + length - 3, ".cu"),
        .has_todo = strstr(text, "/* TODO") != NULL,
        .is_empty = !tokens.count,
    };
    set_name(&source, path);
    source.is_listed = source.is_given || is_listed(&source, handed_out);
    if (!sha256_of_file(path, source.sum))
        cannot_read(path);
    source.is_starter = source.has_todo && !source.is_given && strstr(handed_out, source.sum);
    return source;
}

/* The lines "CODE  labs/STEP/NAME.cu", after which an empty name stands. Takes the text to pieces.
 */
static struct source *read_published(char *handed_out) {
    struct source *source = keep((strlen(handed_out) / 16 + 1) * sizeof *source), *next = source;
    for (char *line = strtok(handed_out, "\n"); line; line = strtok(NULL, "\n"))
        if (strspn(line, "0123456789abcdef") == 16) {
            *next = (struct source){.code = strtoull(line, NULL, 16), .is_published = true};
            set_name(next++, line);
        }
    return source;
}

/* Why a step is not begun that has the code of this other one; NULL where that is no reason. */
static const char *why_same(const struct source *other, const struct source *one, char *why,
                            size_t size) {
    const char *which = other->is_given       ? ", which is handed out complete,"
                        : other->is_published ? ", as it is published,"
                                              : " of the same submission";
    bool own = same(other->step, one->step);
    if (other->is_empty || other->is_starter || other->code != one->code)
        return NULL;
    if (own && other->is_given && other->has_todo)
        return "this is the file as it was handed out";
    if (own || (other->is_given ? other->has_todo : !same(other->file, one->file)) ||
        (other->is_published && strcmp(other->step, one->step) > 0))
        return NULL;
    snprintf(why, size, "this is %s%s under another name", other->step, which);
    return why;
}

static const char *why_not_begun(const struct source *all, const struct source *one,
                                 const struct source *published, char *why, size_t size) {
    const char *found = one->is_starter ? "this is the file as it was handed out" : NULL;
    /* A copy that a student keeps under a name of his own is the copy, whatever its name. */
    for (const struct source *other = all; other->name && !found; other++)
        if (other->is_listed == one->is_listed ? other < one : other->is_listed)
            found = why_same(other, one, why, size);
    for (; published->name && !found; published++)
        found = why_same(published, one, why, size);
    return found;
}

int main(int argc, char **argv) {
    const char *path = getenv("HANDED_OUT");
    char *handed_out = path && access(path, F_OK) == 0 ? text_of(path) : keep(1), text[4096];
    bool codes = argc > 1 && same(argv[1], "--codes");
    argv += 1 + codes, argc -= 1 + codes;
    struct source *source = keep((argc + 1) * sizeof *source); /* one more: without a name */
    for (int i = 0; i < argc; i++)
        source[i] = read_source(argv[i], handed_out);
    struct source *published = read_published(handed_out);
    for (struct source *one = source; one < source + argc; one++) {
        const char *why = one->is_given || codes
                              ? NULL
                              : why_not_begun(source, one, published, text, sizeof text);
        if (codes)
            printf("%016" PRIx64 "  labs/%s\n", one->code, one->name);
        else if (!one->is_given)
            printf("%s\t%s\t%s\n", one->sum, one->name, why ? why : "");
    }
    return fflush(stdout) == 0 ? 0 : 2;
}
