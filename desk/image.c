// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* image: makes PGM files of bin ids, to look at or to keep: from any file that --image reads, or
 * from the course's random walk. See usage. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/opt_2dhisto/image.h"

static const char usage[] =
    "usage: image FILE OUT.pgm         convert a PGM or Parboil .bin file\n"
    "       image --walk SEED OUT.pgm  draw the course's image of that seed, 4096 x 3984\n"
    "\n"
    "OUT.pgm is a 16-bit PGM with maxval 1023: its values are the bin ids.\n"
    "Exit status: 0 written, 2 wrong usage or a file that cannot be read or written.\n";

enum { HEIGHT = 4096, WIDTH = 3984, EXIT_USAGE = 2 };

static _Noreturn void give_up(const char *message) {
    fprintf(stderr, "image: %s\n", message);
    exit(EXIT_USAGE);
}

static struct image walk(const char *seed) {
    char *end;
    errno = 0;
    long number = strtol(seed, &end, 10);
    if (end == seed || *end || errno)
        give_up("--walk takes a whole number");
    struct image image = {HEIGHT, WIDTH, malloc((size_t)HEIGHT * WIDTH * sizeof *image.pixels)};
    if (!image.pixels)
        give_up("not enough memory for the image");
    image_walk(image.pixels, HEIGHT, WIDTH, number);
    return image;
}

int main(int argc, char **argv) {
    char error[512];
    struct image image;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--walk") == 0) {
        image = walk(argv[2]);
    } else if (argc == 3) {
        if (!image_read(argv[1], &image, error, sizeof error))
            give_up(error);
    } else {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (!image_write(argv[argc - 1], &image, error, sizeof error))
        give_up(error);
    free(image.pixels);
    return 0;
}
