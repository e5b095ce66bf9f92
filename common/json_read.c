#include "json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "keep.h"
#include "utf8.h"

static const char ends_early[] = "it ends before it is complete";

/* ---- what reads ----------------------------------------------------------------------------- */

struct reader {
    const unsigned char *text;
    size_t length, at, depth;
    struct json_error *error;
};

static bool refuse(struct reader *reader, size_t at, const char *why) {
    *reader->error = (struct json_error){at, why};
    return false;
}

static bool refuse_here(struct reader *reader, const char *why) {
    return refuse(reader, reader->at, reader->at < reader->length ? why : ends_early);
}

/* The byte that comes next, or -1 at the end. */
static int peek(const struct reader *reader) {
    return reader->at < reader->length ? reader->text[reader->at] : -1;
}

static bool accept(struct reader *reader, char letter) {
    if (peek(reader) != letter)
        return false;
    reader->at++;
    return true;
}

static void skip_blanks(struct reader *reader) {
    int next;
    while ((next = peek(reader)) == ' ' || next == '\t' || next == '\n' || next == '\r')
        reader->at++;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* The four digits of \uXXXX, or a negative number. */
static long read_hex(struct reader *reader) {
    long value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = peek(reader);
        if (digit >= '0' && digit <= '9')
            digit -= '0';
        else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f' && digit > 0)
            digit = (digit | 0x20) - 'a' + 10;
        else
            return -1;
        value = 16 * value + digit;
        reader->at++;
    }
    return value;
}

static char *put_utf8(char *to, unsigned long point) {
    if (point < 0x80) {
        *to++ = (char)point;
        return to;
    }
    int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(first[more] | point >> (6 * more));
    while (more-- > 0)
        *to++ = (char)(0x80 | (point >> (6 * more) & 0x3f));
    return to;
}

/* What follows \u. `start` is where the backslash stands. NULL where it is none. */
static char *read_unicode(struct reader *reader, size_t start, char *to) {
    long point = read_hex(reader);
    if (point < 0) {
        refuse_here(reader, "expected four hexadecimal digits after \\u");
        return NULL;
    }
    if (point >= 0xd800 && point < 0xdc00) {
        long low = accept(reader, '\\') && accept(reader, 'u') ? read_hex(reader) : -1;
        if (low >= 0xdc00 && low < 0xe000)
            return put_utf8(to, 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00));
        point = 0xdc00;
    }
    if (point >= 0xdc00 && point < 0xe000) {
        refuse(reader, start, "half of a surrogate pair is no character");
        return NULL;
    }
    return put_utf8(to, point);
}

static char *read_escape(struct reader *reader, char *to) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    size_t start = reader->at++;
    int letter = peek(reader);
    if (accept(reader, 'u'))
        return read_unicode(reader, start, to);
    const char *found = letter > 0 ? strchr(letters, letter) : NULL;
    if (!found) {
        refuse_here(reader, "JSON has no such escape");
        return NULL;
    }
    reader->at++;
    *to++ = meant[found - letters];
    return to;
}

/* Bytes between the quotes, of which the first has been read; they never become more. */
static size_t raw_length(const struct reader *reader) {
    size_t at = reader->at;
    while (at < reader->length && reader->text[at] != '"')
        at += reader->text[at] == '\\' ? 2 : 1;
    return (at < reader->length ? at : reader->length) - reader->at;
}

static bool read_letters(struct reader *reader, char *to, size_t *length) {
    char *start = to;
    for (int next; (next = peek(reader)) != '"';) {
        const unsigned char *from = reader->text + reader->at;
        size_t bytes = next == '\\' ? 0 : utf8_length(from, reader->length - reader->at);
        if (next == '\\') {
            if (!(to = read_escape(reader, to)))
                return false;
        } else if (bytes == 0)
            return refuse_here(reader, "it holds bytes that are no UTF-8");
        else if (next < 0x20)
            return refuse_here(reader, "a control character in a text has to be escaped");
        else
            for (; bytes > 0; bytes--)
                *to++ = (char)reader->text[reader->at++];
    }
    reader->at++;
    *to = '\0';
    *length = to - start;
    return true;
}

static bool read_text(struct reader *reader, const char **text, size_t *length) {
    reader->at++;
    char *to = keep(raw_length(reader) + 1);
    *text = to;
    return read_letters(reader, to, length);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool is_digit(int letter) { return letter >= '0' && letter <= '9'; }

static bool skip_digits(struct reader *reader) {
    if (!is_digit(peek(reader)))
        return refuse_here(reader, "expected a digit");
    while (is_digit(peek(reader)))
        reader->at++;
    return true;
}

static bool skip_number(struct reader *reader) {
    accept(reader, '-');
    if (accept(reader, '0')) {
        if (is_digit(peek(reader)))
            return refuse_here(reader, "a number does not begin with a 0 that means nothing");
    } else if (!skip_digits(reader))
        return false;
    if (accept(reader, '.') && !skip_digits(reader))
        return false;
    if (!accept(reader, 'e') && !accept(reader, 'E'))
        return true;
    if (!accept(reader, '+'))
        accept(reader, '-');
    return skip_digits(reader);
}

/* The text ends with a NUL, and strtod() goes as far as skip_number() did, or on to what is refused
 * behind it. */
static bool read_number(struct reader *reader, struct json *node) {
    size_t start = reader->at;
    if (!skip_number(reader))
        return false;
    *node = (struct json){.kind = JSON_NUMBER,
                          .number = strtod((const char *)reader->text + start, NULL)};
    return isfinite(node->number) ||
           refuse(reader, start, "a number is larger than a double can be");
}

/* ---- lists ---------------------------------------------------------------------------------- */

static bool read_value(struct reader *reader, struct json *node);

static bool has_key(const struct json *node, const char *key, size_t length) {
    return node->key_length == length && memcmp(node->key, key, length) == 0;
}

/* Of the members before it none has its key: they are few enough to look at all. */
static bool is_new_member(struct reader *reader, const struct json *list, const struct json *item) {
    for (size_t i = 0; i < list->count; i++)
        if (has_key(&list->item[i], item->key, item->key_length))
            return refuse(reader, item->at, "its key stood in its object before");
    return list->count < JSON_MOST_MEMBERS ||
           refuse(reader, item->at, "an object has more than 1000 members");
}

static bool read_key(struct reader *reader, const char **key, size_t *length) {
    skip_blanks(reader);
    if (peek(reader) != '"')
        return refuse_here(reader, "expected a key in quotes");
    if (!read_text(reader, key, length))
        return false;
    skip_blanks(reader);
    return accept(reader, ':') || refuse_here(reader, "expected : after a key");
}

static bool read_items(struct reader *reader, struct json *list, char last) {
    struct json *items = NULL;
    for (skip_blanks(reader); !accept(reader, last); skip_blanks(reader)) {
        struct json item;
        const char *key = NULL;
        size_t length = 0;
        if (list->count && !accept(reader, ','))
            return refuse_here(reader, last == ']' ? "expected , or ]" : "expected , or }");
        if (last == '}' && !read_key(reader, &key, &length))
            return false;
        if (!read_value(reader, &item))
            return false;
        item.key = key;
        item.key_length = length;
        if (key && !is_new_member(reader, list, &item))
            return false;
        append(items, list->count, item);
        list->item = items;
    }
    return true;
}

static bool read_list(struct reader *reader, struct json *list) {
    bool array = reader->text[reader->at++] == '[';
    *list = (struct json){.kind = array ? JSON_ARRAY : JSON_OBJECT};
    if (reader->depth == JSON_MOST_DEPTH)
        return refuse(reader, reader->at - 1, "lists are nested more than 64 deep");
    reader->depth++;
    bool whole = read_items(reader, list, array ? ']' : '}');
    reader->depth--;
    return whole;
}

/* ---- values --------------------------------------------------------------------------------- */

static bool read_word(struct reader *reader, struct json *node) {
    static const struct {
        const char *word;
        struct json node;
    } words[] = {{"null", {.kind = JSON_NULL}},
                 {"true", {.kind = JSON_TRUTH, .truth = true}},
                 {"false", {.kind = JSON_TRUTH}}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (reader->length - reader->at < length ||
            memcmp(reader->text + reader->at, words[i].word, length) != 0)
            continue;
        reader->at += length;
        *node = words[i].node;
        return true;
    }
    return refuse_here(reader, "expected a value");
}

static bool read_kind(struct reader *reader, struct json *node) {
    int next = peek(reader);
    if (next == '{' || next == '[')
        return read_list(reader, node);
    if (next == '-' || is_digit(next))
        return read_number(reader, node);
    if (next != '"')
        return read_word(reader, node);
    *node = (struct json){.kind = JSON_TEXT};
    return read_text(reader, &node->text, &node->count);
}

static bool read_value(struct reader *reader, struct json *node) {
    skip_blanks(reader);
    size_t at = reader->at;
    bool whole = read_kind(reader, node);
    node->at = at;
    return whole;
}

const struct json *json_read(const char *text, size_t length, struct json_error *error) {
    struct reader reader = {.text = (const unsigned char *)text, .length = length, .error = error};
    struct json *root = keep(sizeof *root);
    if (!read_value(&reader, root))
        return NULL;
    skip_blanks(&reader);
    if (reader.at < length)
        refuse(&reader, reader.at, "something follows the value");
    return reader.at < length ? NULL : root;
}

/* ---- accessors ------------------------------------------------------------------------------ */

enum json_kind json_kind_of(const struct json *node) { return node ? node->kind : JSON_NONE; }

size_t json_count(const struct json *list) {
    enum json_kind kind = json_kind_of(list);
    return kind == JSON_ARRAY || kind == JSON_OBJECT ? list->count : 0;
}

const struct json *json_item(const struct json *list, size_t index) {
    return index < json_count(list) ? &list->item[index] : NULL;
}

const struct json *json_member(const struct json *object, const char *key) {
    if (json_kind_of(object) == JSON_OBJECT)
        for (size_t i = 0; i < object->count; i++)
            if (has_key(&object->item[i], key, strlen(key)))
                return &object->item[i];
    return NULL;
}

double json_get_number(const struct json *node, double otherwise) {
    return json_kind_of(node) == JSON_NUMBER ? node->number : otherwise;
}

const char *json_get_text(const struct json *node, const char *otherwise) {
    bool plain = json_kind_of(node) == JSON_TEXT && !memchr(node->text, '\0', node->count);
    return plain ? node->text : otherwise;
}
