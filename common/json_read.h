/* A reader of JSON that is our own, because a GPU node has nothing but nvcc, gcc and make: no jq,
 * and no library of JSON.
 *
 * It is strict (RFC 8259): one value and nothing behind it, UTF-8 that is valid, surrogates in
 * pairs. Beyond that it refuses what two readers would take for two things: a key that stands twice
 * in its object, and a number that a double cannot hold. A text becomes a tree of nodes, which
 * stays (keep.h):
 *
 *     struct json_error error;
 *     const struct json *root = json_read(text, length, &error);
 *     const char *step = json_get_text(json_member(root, "step"), "");
 *
 * Numbers are read by strtod(), so a program that reads JSON must not choose a locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { JSON_MOST_DEPTH = 64, JSON_MOST_MEMBERS = 1000 /* of an object */ };

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
    size_t count; /* bytes of a text, items of an array, members of an object */
    union {
        double number;
        const char *text;        /* ends with a NUL, and may hold others */
        const struct json *item; /* in the order of the text */
    };
    const char *key; /* of a member of an object; as `text` */
    size_t key_length;
    size_t at; /* where its value begins: a byte of what was read, from 0 on */
};

struct json_error {
    size_t at;       /* the byte, from 0 on, that nothing fits */
    const char *why; /* a sentence without its full stop */
};

/* The root of what `text` says, behind which a NUL stands, or NULL where it is no JSON. Nothing
 * points into `text` afterwards. */
const struct json *json_read(const char *text, size_t length, struct json_error *error);

/* Each of these takes NULL for a node that is not there, and any kind of node. */
enum json_kind json_kind_of(const struct json *node);
size_t json_count(const struct json *list);                          /* 0 where it is no list */
const struct json *json_item(const struct json *list, size_t index); /* of an object too */
const struct json *json_member(const struct json *object, const char *key);
double json_get_number(const struct json *node, double otherwise);
/* Otherwise also where the text holds a NUL, at which a reader in C would take it to end. */
const char *json_get_text(const struct json *node, const char *otherwise);
