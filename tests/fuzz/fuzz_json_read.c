/* Fuzzing of common/json_read.c: whatever the bytes, a tree that says the same when it is written
 * and read again, or a byte and a sentence.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Icommon \
 *         tests/fuzz/fuzz_json_read.c common/json_read.c common/keep.c -lm -o fuzz_json_read
 *     tests/fuzz/unpack tests/fuzz/json_read.inputs inputs; mkdir found
 *     ./fuzz_json_read -dict=tests/fuzz/json_read.dict -max_len=512 \
 *         -rss_limit_mb=2048 -timeout=5 -runs=100000 found inputs
 */
#define _GNU_SOURCE
#include "json_read.h"
#include "keep.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    must(isfinite(node->number), "a number is finite");
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
        fputs(node->truth ? "true" : "false", out);
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
static char *written(const char *text, size_t length) {
    struct json_error error = {0};
    const struct json *root = json_read(text, length, &error);
    char *result = NULL;
    size_t size;
    must(root || (error.why && error.why[0] && error.at <= length), "a sentence and a byte");
    if (root) {
        FILE *out = open_memstream(&result, &size);
        must(out != NULL, "memory");
        write_node(out, root, length);
        fclose(out);
    }
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = calloc(1, size + 1);
    must(text != NULL, "memory");
    memcpy(text, data, size);
    keep_aside(true);
    char *first = written(text, size);
    if (first) {
        char *second = written(first, strlen(first));
        must(second != NULL, "what was read can be written and read again");
        must(strcmp(first, second) == 0, "and says the same");
        free(second);
    }
    free(first);
    free(text);
    keep_drop();
    return 0;
}
