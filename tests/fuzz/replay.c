/* Replay stored inputs through a fuzz target, with any compiler:
 *
 *     gcc -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -Icommon \
 *         tests/fuzz/replay.c tests/fuzz/fuzz_image.c common/problems/opt_2dhisto/image.c \
 *         common/judge/fault.c common/judge/text.c -o replay_image
 *     tests/fuzz/unpack tests/fuzz/image.inputs inputs; ./replay_image inputs/?*
 *
 * Every file is one input. The target aborts on what must not be. An input that fuzzing has found
 * to break something goes into image.inputs, and is tested from then on.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 1 << 20 };

/* Run one file's bytes, in a block of exactly their size, so that AddressSanitizer sees any byte
 * read beyond them. */
static int replay(const char *path) {
    static uint8_t buffer[LARGEST];
    FILE *file = fopen(path, "rb");

    if (!file) {
        perror(path);
        return 0;
    }
    size_t size = fread(buffer, 1, sizeof buffer, file);
    int failed = ferror(file) || !feof(file);
    fclose(file);
    if (failed) {
        fprintf(stderr, "%s: not an input: unreadable, or not below %d bytes\n", path, LARGEST);
        return 0;
    }

    uint8_t *data = malloc(size ? size : 1);
    if (!data)
        return 0;
    for (size_t i = 0; i < size; i++)
        data[i] = buffer[i];
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

int main(int argc, char **argv) {
    int replayed = 0;

    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE...\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++)
        replayed += replay(argv[i]);
    printf("%d of %d inputs replayed\n", replayed, argc - 1);
    return replayed == argc - 1 ? 0 : 1;
}
