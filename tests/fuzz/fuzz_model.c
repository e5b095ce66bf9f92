/* Fuzzing of predict(): whatever a counts file holds, a prediction that makes sense or one plain
 * line. A code file goes with it, so that requests find machine code.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Icommon \
 *         tests/fuzz/fuzz_model.c common/model/[!m]*.c -lm -o fuzz_model
 *     mkdir found
 *     ./fuzz_model -max_len=4096 -rss_limit_mb=1024 -timeout=10 -runs=1000000 \
 *         found inputs
 */
#include "model/predict.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/round_gpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char gpu_text[] = ROUND_GPU;
static const char code_text[] =
    "histolab-code 1 sm_90\nkernel 32 4096 0 20 k\nm 2 10 load global 4 8\nm 3 10 load global 4 9\n"
    "m 8 11 store shared 4 -1\nm 9 12 reduce global 4 -1\nloop 1 12\n";

static void must(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz_model: does not hold: %s\n", what);
        abort();
    }
}

static FILE *stream(const void *data, size_t size) {
    FILE *file = fmemopen((void *)data, size, "r");
    must(file != NULL, "a stream");
    return file;
}

static void check_prediction(const struct predict *predict) {
    must(isfinite(predict->seconds) && predict->seconds >= 0, "a time");
    must(predict->low <= predict->seconds && predict->seconds <= predict->high, "an interval");
    must(isfinite(predict->high), "an interval that ends");
    for (size_t i = 0; i < predict->counts.op_count; i++)
        must(isfinite(predict->ops[i].seconds) && predict->ops[i].seconds >= 0, "an op's time");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    FILE *counts = stream(data, size), *gpu = stream(gpu_text, sizeof gpu_text - 1),
         *code = stream(code_text, sizeof code_text - 1);
    struct predict result;
    char error[256] = "";
    if (predict(counts, gpu, size % 2 ? code : NULL, NULL, &result, error, sizeof error)) {
        check_prediction(&result);
        predict_free(&result);
    } else {
        must(error[0] && !strchr(error, '\n'), "the message is one line");
        must(strlen(error) + 1 < sizeof error, "the message fits 256 bytes");
    }
    fclose(counts);
    fclose(gpu);
    fclose(code);
    return 0;
}
