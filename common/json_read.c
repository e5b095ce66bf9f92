#include "json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static const char no_memory[] = "it takes more memory than it may have";
static const char ends_early[] = "it ends before it is complete";

/* ---- the arena ------------------------------------------------------------------------------ */

enum { SMALLEST_BLOCK = 4096, ALIGNMENT = 8 };

struct json_block {
    struct json_block *before;
    size_t size, used; /* of data[] */
    max_align_t data[];
};

/* Each block is as large as all before it together, so that there are few. */
static struct json_block *add_block(struct json_arena *arena, size_t size) {
    size_t left = arena->most > arena->held ? arena->most - arena->held : 0;
    if (left < sizeof(struct json_block) || left - sizeof(struct json_block) < size)
        return NULL;
    size_t most = left - sizeof(struct json_block);
    size_t wanted = arena->held > SMALLEST_BLOCK ? arena->held : SMALLEST_BLOCK;
    wanted = wanted < size ? size : wanted > most ? most : wanted;
    struct json_block *block = malloc(sizeof *block + wanted);
    if (!block)
        return NULL;
    *block = (struct json_block){.before = arena->last, .size = wanted};
    arena->held += sizeof *block + wanted;
    return arena->last = block;
}

void *json_take(struct json_arena *arena, size_t size) {
    struct json_block *block = arena->last;
    if (size > SIZE_MAX - ALIGNMENT)
        return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!block || block->size - block->used < size)
        block = add_block(arena, size);
    if (!block)
        return NULL;
    void *taken = (char *)block->data + block->used;
    block->used += size;
    return taken;
}

/* All that was taken after `last` was the last block, and held `used` bytes. */
static void give_back(struct json_arena *arena, struct json_block *last, size_t used) {
    while (arena->last != last) {
        struct json_block *block = arena->last;
        arena->last = block->before;
        arena->held -= sizeof *block + block->size;
        free(block);
    }
    if (last)
        last->used = used;
}

void json_free(struct json_arena *arena) { give_back(arena, NULL, 0); }

/* ---- what reads ----------------------------------------------------------------------------- */

/* The items of lists that are not at their end yet lie on a stack, the innermost list's on top: how
 * many a list has is known at its end, and they have to lie side by side. */
struct reader {
    const unsigned char *text;
    size_t length, at;
    struct json_arena *arena;
    struct json *stack;
    size_t stacked, room, depth;
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

/* The stack counts as memory of the arena while there is one. */
static bool push(struct reader *reader, const struct json *node) {
    if (reader->stacked == reader->room) {
        size_t room = reader->room ? 2 * reader->room : 64;
        size_t more = (room - reader->room) * sizeof *node;
        struct json *stack = NULL;
        if (reader->arena->most >= reader->arena->held &&
            reader->arena->most - reader->arena->held >= more)
            stack = realloc(reader->stack, room * sizeof *node);
        if (!stack)
            return refuse(reader, reader->at, no_memory);
        reader->arena->held += more;
        reader->stack = stack;
        reader->room = room;
    }
    reader->stack[reader->stacked++] = *node;
    return true;
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
    size_t start = reader->at++;
    char *to = json_take(reader->arena, raw_length(reader) + 1);
    if (!to)
        return refuse(reader, start, no_memory);
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

/* Whether it is a whole number of at most 2^53, however it is written: 1e3, 1.50e1. From 2^53 + 1
 * on a double may be another number than what stands there. */
static bool is_whole(const char *number) {
    const uint64_t most = UINT64_C(1) << 53;
    uint64_t value = 0;
    long zeros = 0, scale = 0; /* zeros that nothing has followed yet; the power of ten */
    bool fraction = false;
    for (; *number && *number != 'e' && *number != 'E'; number++) {
        fraction |= *number == '.';
        if (!is_digit(*number))
            continue;
        scale -= fraction;
        zeros++;
        for (; *number != '0' && zeros > 0 && value <= most; zeros--)
            value *= 10;
        value += *number - '0';
        if (value > most)
            return false;
    }
    scale += zeros;
    if (*number)
        scale += fmax(fmin(strtod(number + 1, NULL), 1e6), -1e6);
    for (; scale > 0 && value > 0 && value <= most; scale--)
        value *= 10;
    return value == 0 || (scale == 0 && value <= most);
}

static bool read_number(struct reader *reader, struct json *node) {
    char number[JSON_LONGEST_NUMBER + 1];
    size_t start = reader->at;
    if (!skip_number(reader))
        return false;
    size_t length = reader->at - start;
    if (length > JSON_LONGEST_NUMBER)
        return refuse(reader, start, "a number has more than 1000 letters");
    memcpy(number, reader->text + start, length);
    number[length] = '\0';
    *node = (struct json){.kind = JSON_NUMBER, .number = strtod(number, NULL)};
    node->whole = is_whole(number);
    if (!isfinite(node->number))
        return refuse(reader, start, "a number is larger than a double can be");
    if (node->number == 0 && !node->whole)
        return refuse(reader, start, "a number is so small that a double would be 0");
    return true;
}

/* ---- lists ---------------------------------------------------------------------------------- */

static bool read_value(struct reader *reader, struct json *node);

/* The shorter ones first: who looks for a key needs no other order. */
static int compare_keys(const char *a, size_t a_length, const char *b, size_t b_length) {
    return a_length != b_length ? (a_length < b_length ? -1 : 1) : memcmp(a, b, a_length);
}

static int compare_members(const void *a, const void *b) {
    const struct json *left = *(const struct json *const *)a,
                      *right = *(const struct json *const *)b;
    return compare_keys(left->key, left->key_length, right->key, right->key_length);
}

/* Behind the members of an object stand pointers to them, sorted by key. */
static const struct json **sorted_members(const struct json *object) {
    return (const struct json **)(object->item + object->count);
}

/* Sorted, because an object may have as many members as its text has room for. */
static bool sort_members(struct reader *reader, const struct json *object) {
    const struct json **sorted = sorted_members(object);
    for (size_t i = 0; i < object->count; i++)
        sorted[i] = &object->item[i];
    qsort(sorted, object->count, sizeof *sorted, compare_members);
    for (size_t i = 1; i < object->count; i++) {
        size_t before = sorted[i - 1]->at, at = sorted[i]->at;
        if (compare_members(&sorted[i - 1], &sorted[i]) == 0)
            return refuse(reader, at > before ? at : before, "its key stood in its object before");
    }
    return true;
}

/* Moves what lies above `bottom` on the stack to the arena. */
static bool close_list(struct reader *reader, struct json *list, size_t bottom) {
    size_t size = sizeof *list + (list->kind == JSON_OBJECT ? sizeof(struct json *) : 0);
    list->count = reader->stacked - bottom;
    struct json *items = json_take(reader->arena, list->count * size);
    if (!items)
        return refuse(reader, reader->at, no_memory);
    if (list->count)
        memcpy(items, reader->stack + bottom, list->count * sizeof *items);
    list->item = items;
    reader->stacked = bottom;
    return list->kind == JSON_ARRAY || sort_members(reader, list);
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
    size_t bottom = reader->stacked, length = 0;
    skip_blanks(reader);
    while (!accept(reader, last)) {
        struct json item;
        const char *key = NULL;
        if (reader->stacked > bottom && !accept(reader, ','))
            return refuse_here(reader, last == ']' ? "expected , or ]" : "expected , or }");
        if (last == '}' && !read_key(reader, &key, &length))
            return false;
        if (!read_value(reader, &item))
            return false;
        item.key = key;
        item.key_length = length;
        if (!push(reader, &item))
            return false;
        skip_blanks(reader);
    }
    return close_list(reader, list, bottom);
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

static bool read_root(struct reader *reader, struct json *root) {
    if (!read_value(reader, root))
        return false;
    skip_blanks(reader);
    return reader->at == reader->length || refuse_here(reader, "something follows the value");
}

const struct json *json_read(struct json_arena *arena, const char *text, size_t length,
                             struct json_error *error) {
    struct json_block *last = arena->last;
    size_t used = last ? last->used : 0;
    struct reader reader = {
        .text = (const unsigned char *)text, .length = length, .arena = arena, .error = error};
    *error = (struct json_error){0, no_memory};
    struct json *root = json_take(arena, sizeof *root);
    bool whole = root && read_root(&reader, root);
    free(reader.stack);
    arena->held -= reader.room * sizeof *reader.stack;
    if (whole)
        return root;
    give_back(arena, last, used);
    return NULL;
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
    if (json_kind_of(object) != JSON_OBJECT || !key)
        return NULL;
    const struct json *const *sorted = sorted_members(object);
    size_t length = strlen(key), first = 0, end = object->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        const struct json *member = sorted[middle];
        int order = compare_keys(key, length, member->key, member->key_length);
        if (order == 0)
            return member;
        if (order < 0)
            end = middle;
        else
            first = middle + 1;
    }
    return NULL;
}

double json_get_number(const struct json *node, double otherwise) {
    return json_kind_of(node) == JSON_NUMBER ? node->number : otherwise;
}

bool json_get_whole(const struct json *node, int64_t *value) {
    if (json_kind_of(node) != JSON_NUMBER || !node->whole)
        return false;
    *value = (int64_t)node->number;
    return true;
}

bool json_get_truth(const struct json *node, bool otherwise) {
    return json_kind_of(node) == JSON_TRUTH ? node->truth : otherwise;
}

const char *json_get_text(const struct json *node, const char *otherwise) {
    bool plain = json_kind_of(node) == JSON_TEXT && !memchr(node->text, '\0', node->count);
    return plain ? node->text : otherwise;
}

/* ---- JSON lines ----------------------------------------------------------------------------- */

static bool add_letter(struct json_lines *lines, char letter) {
    if (lines->length == lines->room) {
        size_t room = lines->room ? 2 * lines->room : SMALLEST_BLOCK;
        room = room < lines->arena.most ? room : lines->arena.most;
        char *text = room > lines->room ? realloc(lines->text, room) : NULL;
        if (!text)
            return false;
        lines->text = text;
        lines->room = room;
    }
    lines->text[lines->length++] = letter;
    return true;
}

/* Reads up to the line break, which it leaves out. Of a line that is too long it keeps nothing. */
static enum json_line take_line(struct json_lines *lines) {
    int letter;
    bool fits = true, blank = true;
    lines->length = 0;
    while ((letter = getc(lines->file)) != EOF && letter != '\n') {
        blank = blank && (letter == ' ' || letter == '\t' || letter == '\r');
        fits = fits && add_letter(lines, (char)letter);
    }
    if (letter == EOF && ferror(lines->file)) {
        lines->error = (struct json_error){lines->length, "the file cannot be read"};
        return JSON_LINE_UNREAD;
    }
    lines->error = (struct json_error){lines->length, fits ? "it has no line break" : no_memory};
    if (letter == EOF)
        return blank ? JSON_LINES_END : JSON_LINE_TORN;
    return fits ? JSON_LINE : JSON_LINE_BAD;
}

static bool is_blank(const struct json_lines *lines) {
    for (size_t i = 0; i < lines->length; i++)
        if (!memchr(" \t\r", lines->text[i], 3))
            return false;
    return true;
}

enum json_line json_next_line(struct json_lines *lines) {
    json_free(&lines->arena);
    lines->root = NULL;
    if (lines->said == JSON_LINE_TORN || lines->said == JSON_LINE_UNREAD)
        return lines->said = JSON_LINES_END;
    do {
        lines->number++;
        lines->said = take_line(lines);
    } while (lines->said == JSON_LINE && is_blank(lines));
    if (lines->said == JSON_LINE) {
        lines->root = json_read(&lines->arena, lines->text, lines->length, &lines->error);
        lines->said = lines->root ? JSON_LINE : JSON_LINE_BAD;
    }
    return lines->said;
}

void json_lines_free(struct json_lines *lines) {
    json_free(&lines->arena);
    free(lines->text);
    *lines = (struct json_lines){.file = lines->file, .arena = {.most = lines->arena.most}};
}
