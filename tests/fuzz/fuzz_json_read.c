/* Fuzzing of common/json_read.c: whatever the bytes, a tree that says the same when it is written
 * and read again, or a byte and a sentence; and each line by itself is what it is among the others.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Icommon \
 *         tests/fuzz/fuzz_json_read.c common/json_read.c -lm -o fuzz_json_read
 *     tests/fuzz/unpack tests/fuzz/json_read.inputs inputs; mkdir found
 *     ./fuzz_json_read -dict=tests/fuzz/json_read.dict -max_len=512 \
 *         -rss_limit_mb=2048 -timeout=5 -runs=10000000 found inputs
 */
#define _GNU_SOURCE
#include "json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENOUGH = 1 << 22 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz_json_read: does not hold: %s\n", what);
        abort();
    }
}

static void write_text(FILE *out, const char *text, size_t length) {
    must(text[length] == '\0', "a text ends with a NUL");
    fputc('"', out);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == '"' || text[i] == '\\')
            fprintf(out, "\\u%04x", text[i]);
        else
            fputc(text[i], out);
    fputc('"', out);
}

static void write_number(FILE *out, const struct json *node) {
    int64_t value;
    must(isfinite(node->number), "a number is finite");
    if (json_get_whole(node, &value))
        must((double)value == node->number, "a whole number is the number");
    fprintf(out, "%.17g", node->number);
}

static void write_node(FILE *out, const struct json *node, size_t size) {
    enum json_kind kind = json_kind_of(node);
    bool object = kind == JSON_OBJECT;
    must(kind != JSON_NONE, "a node is there");
    must(node->at < size, "a node begins in the text");
    if (kind == JSON_NULL)
        fputs("null", out);
    else if (kind == JSON_TRUTH)
        fputs(json_get_truth(node, false) ? "true" : "false", out);
    else if (kind == JSON_NUMBER)
        write_number(out, node);
    else if (kind == JSON_TEXT)
        write_text(out, node->text, node->count);
    else {
        fputc(object ? '{' : '[', out);
        for (size_t i = 0; i < json_count(node); i++) {
            const struct json *item = json_item(node, i);
            fputs(i ? "," : "", out);
            if (object) {
                write_text(out, item->key, item->key_length);
                fputc(':', out);
                if (strlen(item->key) == item->key_length)
                    must(json_member(node, item->key) == item, "a member is found by its key");
            }
            write_node(out, item, size);
        }
        fputc(object ? '}' : ']', out);
    }
}

/* The tree as a text, for the caller to free. NULL where it is none. */
static char *written(const char *text, size_t length, size_t most, const char **why) {
    struct json_arena arena = {.most = most};
    struct json_error error = {0};
    const struct json *root = json_read(&arena, text, length, &error);
    char *result = NULL;
    size_t size;
    must(arena.held <= most, "the arena keeps to its limit");
    must(root || !arena.held, "nothing is left of what is none");
    must(root || (error.why && error.why[0] && error.at <= length), "a sentence and a byte");
    if (root) {
        FILE *out = open_memstream(&result, &size);
        must(out != NULL, "memory");
        write_node(out, root, length);
        fclose(out);
    }
    json_free(&arena);
    must(!arena.held && !arena.last, "all is freed");
    *why = error.why;
    return result;
}

static void read_whole(const char *text, size_t length) {
    const char *why;
    char *first = written(text, length, ENOUGH, &why);
    char *small = written(text, length, 16 * length, &why);
    must(!small || (first && strcmp(small, first) == 0), "a smaller arena reads the same");
    must(small || !first || strstr(why, "memory"), "or it says that it is too small");
    if (first) {
        char *second = written(first, strlen(first), ENOUGH, &why);
        must(second != NULL, "what was read can be written and read again");
        must(strcmp(first, second) == 0, "and says the same");
        free(second);
    }
    free(first);
    free(small);
}

/* The bytes of line `number`, from 1 on. */
static const char *line_of(const char *text, size_t size, size_t number, size_t *length) {
    const char *end = text + size;
    for (; number > 1; number--) {
        text = memchr(text, '\n', end - text);
        must(text != NULL, "there is a line of that number");
        text++;
    }
    const char *stop = memchr(text, '\n', end - text);
    *length = (stop ? stop : end) - text;
    return text;
}

static void check_line(const struct json_lines *lines, const char *text, size_t size) {
    size_t length;
    const char *line = line_of(text, size, lines->number, &length), *why;
    char *alone = written(line, length, ENOUGH, &why);
    if (lines->said == JSON_LINE)
        must(alone && lines->root, "a line is what it is alone");
    else
        must(!lines->root, "no tree of a line that is none");
    if (lines->said == JSON_LINE_BAD)
        must(!alone && strcmp(why, lines->error.why) == 0, "a bad line is told as it is alone");
    if (lines->said == JSON_LINE_TORN)
        must(line + length == text + size, "only the last line is torn");
    must(lines->said != JSON_LINE_UNREAD, "memory can be read");
    free(alone);
}

static void read_lines(const char *text, size_t size) {
    struct json_lines lines = {.file = fmemopen((void *)text, size, "r"),
                               .arena = {.most = ENOUGH}};
    size_t before = 0, breaks = 0;
    must(lines.file != NULL, "a stream");
    for (size_t i = 0; i < size; i++)
        breaks += text[i] == '\n';
    while (json_next_line(&lines) != JSON_LINES_END) {
        must(lines.number > before && lines.number <= breaks + 1, "lines are counted");
        before = lines.number;
        check_line(&lines, text, size);
    }
    fclose(lines.file);
    json_lines_free(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_whole((const char *)data, size);
    if (size && memchr(data, '\n', size))
        read_lines((const char *)data, size);
    return 0;
}
