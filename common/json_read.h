/* A reader of JSON that is our own, because a GPU node has nothing but nvcc, gcc and make: no jq,
 * and no library of JSON.
 *
 * It is strict (RFC 8259): one value and nothing behind it, UTF-8 that is valid, surrogates in
 * pairs. Beyond that it refuses what two readers would take for two things: a key that stands twice
 * in its object, and a number that a double cannot hold. A text becomes a tree of nodes in an
 * arena, which never takes more memory than its owner allows, and which one call frees:
 *
 *     struct json_arena arena = {.most = 1 << 20};
 *     struct json_error error;
 *     const struct json *root = json_read(&arena, text, length, &error);
 *     const char *step = json_get_text(json_member(root, "step"), "");
 *     json_free(&arena);
 *
 * Numbers are read by strtod(), so a program that reads JSON must not choose a locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_MOST_DEPTH = 64, JSON_LONGEST_NUMBER = 1000 /* bytes */ };

enum json_kind {
    JSON_NONE, /* of NULL: there is no such node */
    JSON_NULL,
    JSON_TRUTH,
    JSON_NUMBER,
    JSON_TEXT,
    JSON_ARRAY,
    JSON_OBJECT
};

struct json {
    enum json_kind kind;
    bool truth;
    bool whole;   /* a whole number of at most 2^53 on either side of 0: `number` is exactly it */
    size_t count; /* bytes of a text, items of an array, members of an object */
    union {
        double number;
        const char *text; /* ends with a NUL, and may hold others */
        const struct json
            *item; /* in the order of the text; of an object what sorts them follows */
    };
    const char *key; /* of a member of an object; as `text` */
    size_t key_length;
    size_t at; /* where its value begins: a byte of what was read, from 0 on */
};

struct json_arena {
    size_t most; /* bytes, of all that is read into it until it is freed */
    size_t held;
    struct json_block *last;
};

struct json_error {
    size_t at;       /* the byte, from 0 on, that nothing fits */
    const char *why; /* a sentence without its full stop */
};

/* The root of what `text` says, or NULL where it is no JSON or does not fit the arena, which then
 * is as it was before. Nothing points into `text` afterwards. */
const struct json *json_read(struct json_arena *arena, const char *text, size_t length,
                             struct json_error *error);

/* Memory of that arena, for what is made of what was read; NULL where the arena is full. */
void *json_take(struct json_arena *arena, size_t size);

/* All that was read into the arena is gone, and it may be used again. */
void json_free(struct json_arena *arena);

/* Each of these takes NULL for a node that is not there, and any kind of node. */
enum json_kind json_kind_of(const struct json *node);
size_t json_count(const struct json *list);                          /* 0 where it is no list */
const struct json *json_item(const struct json *list, size_t index); /* of an object too */
const struct json *json_member(const struct json *object, const char *key);
double json_get_number(const struct json *node, double otherwise);
bool json_get_whole(const struct json *node, int64_t *value); /* whether it is one */
bool json_get_truth(const struct json *node, bool otherwise);
/* Otherwise also where the text holds a NUL, at which a reader in C would take it to end. */
const char *json_get_text(const struct json *node, const char *otherwise);

/* ---- JSON lines --------------------------------------------------------------------------------
 *
 * One text on each line. A line that is none costs itself alone: whoever reads is told, and goes
 * on.
 *
 *     struct json_lines lines = {.file = file, .arena = {.most = 1 << 20}};
 *     enum json_line line;
 *     while ((line = json_next_line(&lines)) != JSON_LINES_END)
 *         if (line == JSON_LINE)
 *             use(lines.root);
 *         else
 *             complain(lines.number, lines.error.why, lines.error.at);
 *     json_lines_free(&lines);
 */
enum json_line {
    JSON_LINES_END,
    JSON_LINE,       /* `root` is what it says, until the next call */
    JSON_LINE_BAD,   /* it is no JSON, or is too large: `error` says why */
    JSON_LINE_TORN,  /* the last one, without a line break: whoever wrote it was ended within it */
    JSON_LINE_UNREAD /* the file could not be read on. This is the last line of it */
};

struct json_lines {
    FILE *file;
    struct json_arena arena; /* `most` holds for a line's tree, and for its text */
    enum json_line said;     /* of the line before */
    size_t number;           /* of the line, from 1 on. Blank lines count, and are passed over */
    const struct json *root;
    struct json_error error;
    char *text;
    size_t length, room;
};

enum json_line json_next_line(struct json_lines *lines);

/* All but the file, which its owner closes. */
void json_lines_free(struct json_lines *lines);
