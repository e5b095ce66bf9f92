/* Fuzzing of record_read() (common/record/read.c): whatever JSON it is, a record that is the same
 * when it is written and read again, or a sentence. Records stay, so memory bounds the runs.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Icommon \
 *         tests/fuzz/fuzz_record.c common/[!m]*.c common/record/[!m]*.c -lm -o fuzz_record
 *     tests/fuzz/unpack tests/fuzz/record.inputs inputs; mkdir found
 *     ./fuzz_record -dict=tests/fuzz/json_read.dict -max_len=8192 \
 *         -rss_limit_mb=2048 -timeout=5 -runs=100000 found inputs
 */
#define _GNU_SOURCE
#include "record/fields.h"

#include "keep.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz_record: does not hold: %s\n", what);
        abort();
    }
}

/* The record as it is written, for the caller to free; NULL where it is none. */
static char *written(const char *text, size_t length) {
    struct json_error error;
    struct record_fields record;
    char *result = NULL;
    size_t size;
    keep_aside(true);
    const struct json *root = json_read(text, length, &error);
    keep_aside(false);
    const char *why = record_read(root, &record);
    keep_drop(); /* the record does not need the tree */
    for (const char *letter = why; *letter; letter++)
        must(*letter >= ' ' && *letter <= '~', "nothing in it that a terminal obeys");
    if (!*why) {
        FILE *out = open_memstream(&result, &size);
        must(out != NULL, "memory");
        record_write(out, &record);
        fclose(out);
    }
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = calloc(1, size + 1);
    must(text != NULL, "memory");
    memcpy(text, data, size);
    char *first = written(text, size);
    free(text);
    /* What lacks a field is written with null there, and so may be a record no more. */
    if (first && strncmp(first, "{\"schema\":1,", 12) == 0) {
        char *second = written(first, strlen(first));
        must(!second || strcmp(first, second) == 0, "a record is written as it was read");
        free(second);
    }
    free(first);
    return 0;
}
