/* Fuzzing of image_parse(): whatever the bytes, an image that keeps its promises or one plain line.
 *
 *     clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Icommon \
 *         tests/fuzz/fuzz_image.c common/problems/opt_2dhisto/image.c common/judge/fault.c \
 *         common/judge/text.c -o fuzz_image
 *     tests/fuzz/unpack tests/fuzz/image.inputs inputs; mkdir found
 *     ./fuzz_image -dict=tests/fuzz/image.dict -max_len=4096 -malloc_limit_mb=1 \
 *         -rss_limit_mb=512 -timeout=5 -runs=10000000 found inputs
 *
 * malloc_limit_mb catches memory that a header asks for and the file does not back. replay.c runs
 * the stored corpus through the same checks without libFuzzer.
 */
#include "problems/opt_2dhisto/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz_image: does not hold: %s\n", what);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct image image = {1, 1, (uint32_t *)1};
    char error[256] = "";

    if (!image_parse(data, size, "the-name", &image, error, sizeof error)) {
        must(image.pixels == NULL, "no pixels after a failure");
        must(strncmp(error, "the-name: ", 10) == 0 && error[10], "the message names the file");
        must(strlen(error) + 1 < sizeof error, "the message fits 256 bytes");
        must(!strchr(error, '\n'), "the message is one line");
        return 0;
    }
    must(image.height > 0 && image.width > 0, "an image has pixels");
    must(image.height <= size / image.width, "at most a pixel for each byte of the file");
    for (size_t i = 0; i < image.height * image.width; i++)
        must(image.pixels[i] < IMAGE_BINS, "every pixel is a bin id");
    free(image.pixels);
    return 0;
}
