/* Changes of steps: mistakes, hazards and experiments. A file NAME.changes holds those of one base,
 * each in a section that says what differs from the base, and nothing else:
 *
 *     base labs/opt05_multiblock        the step that is changed: a directory with one .cu file
 *
 *     == no_reset                       the change's name
 *     cpu wrong bin                     what else is known of it, a KEY and its value a line;
 *     ...                               `base` here names another base for this change alone
 *
 *     Why, in plain sentences.
 *
 *     @@
 *      a line of the base, to show the place
 *     -a line of the base that goes
 *     +a line that comes
 *
 * Each @@ begins a place where lines change, as in a diff, but line numbers there are not read. So
 * what `diff -U1 BASE COPY | tail -n +3` prints will do, where BASE is what `build/variants print
 * labs/opt05_multiblock` prints. A place's lines of the base must stand in the base exactly once,
 * next to each other, and places come in the base's order: patch would look for a similar place
 * where the base was edited, and make another mistake than the one that was meant. An empty line in
 * a place is an empty line of the base; those at a section's end are not part of it. A section
 * without places is its base as it stands. */
#ifndef CHANGES_H
#define CHANGES_H

#include <stdbool.h>
#include <stddef.h>

/* A line of the file, without its newline, and its number. */
struct line {
    const char *text;
    size_t number;
};

struct field {
    const char *key, *value;
    size_t line;
};

enum { MOST_FIELDS = 16 };

struct change {
    const char *name, *base;
    struct field fields[MOST_FIELDS]; /* in the file's order, without `base` */
    size_t field_count;
    const struct line *why, *places; /* the lines before the first @@, and from it on */
    size_t why_lines, place_lines;
    size_t line; /* of its name */
};

struct changes {
    const char *path;
    char *text;
    struct line *lines;
    struct change *list;
    size_t count;
};

/* What went wrong, to be printed as it stands: "tests/changes/opt05_multiblock.changes:12: ..." */
struct complaint {
    char text[600];
};

/* Reads a file of changes. All of it stays valid until it is freed; `path` must live as long. */
bool changes_read(const char *path, struct changes *changes, struct complaint *complaint);
void changes_free(struct changes *changes);

const struct change *changes_find(const struct changes *changes, const char *name);

/* The first value of a key, or NULL. */
const char *change_value(const struct change *change, const char *key);

/* The source file of a step's directory, into `path`: the only .cu file there. */
bool step_source(const char *directory, char *path, size_t path_size);

/* The text of a step's source. In that of a read (common/baselines) the text of the header that
 * reads share stands in the place of its #include, so that a change can change it. The caller frees
 * it; NULL if there is no such step. */
char *step_text(const char *directory);

/* The whole file that the change makes of its base. The caller frees it; NULL if the change does
 * not fit. */
char *change_apply(const struct changes *changes, const struct change *change,
                   struct complaint *complaint);

/* A file's text, or NULL with errno set. The caller frees it. */
char *file_text(const char *path);

#endif
