/* Fuzzing of record_read() (common/record/read.c): whatever JSON it is, a record that is the same
 * when it is written and read again, or a sentence.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Icommon \
 *         tests/fuzz/fuzz_record.c common/[!m]*.c common/record/[!m]*.c -lm -o fuzz_record
 *     tests/fuzz/unpack tests/fuzz/record.inputs inputs; mkdir found
 *     ./fuzz_record -dict=tests/fuzz/json_read.dict -max_len=8192 \
 *         -rss_limit_mb=2048 -timeout=5 -runs=1000000 found inputs
 */
#define _GNU_SOURCE
#include "record/fields.h"

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
    struct json_arena arena = {.most = 1 << 22};
    struct json_error error;
    struct record_fields record;
    char why[512] = "", *result = NULL;
    size_t size;
    const struct json *root = json_read(&arena, text, length, &error);
    bool whole = record_read(&arena, root, &record, why, sizeof why);
    must(whole || why[0], "a sentence");
    must(strlen(why) + 1 < sizeof why, "the sentence fits 512 bytes");
    for (const char *letter = why; *letter; letter++)
        must(*letter >= ' ' && *letter <= '~', "nothing in it that a terminal obeys");
    if (whole) {
        FILE *out = open_memstream(&result, &size);
        must(out != NULL, "memory");
        record_write(out, &record);
        fclose(out);
    }
    json_free(&arena);
    must(!arena.held, "all is freed");
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *first = written((const char *)data, size);
    /* An older one is written with what it lacks as null, and so is a record no more. */
    if (first && strncmp(first, "{\"schema\":1,", 12) == 0) {
        char *second = written(first, strlen(first));
        must(second && strcmp(first, second) == 0, "a record is written as it was read");
        free(second);
    }
    free(first);
    return 0;
}
