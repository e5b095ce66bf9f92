// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* nvcc --text=FILE.ii [--program] SOURCE COMPILER [FLAG...]
 * Makes of a step the text that all builds of the emulator compile (preprocess.h), by the
 * compiler's preprocessor with these flags. With --program it is a program of somebody's own, which
 * nobody grades, and may use more.
 * nvcc --mark=FILE.ii prints the text with its loops marked, for the counted build.
 * nvcc --calls=OBJECT FILE.ii refuses what its device code must not call, and prints what else must
 * not be called by a pointer (calls.h).
 * nvcc --shared=OBJECT SOURCE refuses kernels with too much static shared memory (shared.h), in
 * messages about SOURCE. Exit status: 0 done, 1 the source is refused: stderr has
 * the errors, 2 wrong usage, 3 a fault. */
#include "calls.h"
#include "loops.h"
#include "preprocess.h"
#include "shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void wrong_usage(const char *why) {
    fprintf(stderr, "nvcc: %s\n", why);
    exit(2);
}

static const char *value_of(const char *word, const char *option) {
    return begins_with(word, option) ? word + strlen(option) : NULL;
}

static int print_marked(const char *path) {
    bool ok;
    struct text text = text_read(path, &ok), marked = {0};
    if (!ok) {
        fprintf(stderr, "nvcc: cannot read %s\n", path);
        return 3;
    }
    mark_loops(&text, &marked);
    return fwrite(marked.at, 1, marked.size, stdout) == marked.size && fflush(stdout) == 0 ? 0 : 3;
}

static int print_calls(const char *path, const char *text_path) {
    struct text errors = {0}, names = {0};
    if (!find_calls(path, text_path, &errors, &names)) {
        fprintf(stderr, "nvcc: cannot read %s\n", path);
        return 3;
    }
    fwrite(errors.at, 1, errors.size, stderr);
    return fwrite(names.at, 1, names.size, stdout) == names.size && fflush(stdout) == 0
               ? errors.size != 0
               : 3;
}

static int refuse_shared(const char *path, const char *author) {
    struct text errors = {0};
    if (!check_shared(path, author, &errors)) {
        fprintf(stderr, "nvcc: cannot read %s\n", path);
        return 3;
    }
    bool any = errors.size != 0;
    fputs(any ? errors.at : "", stderr);
    text_free(&errors);
    return any;
}

int main(int count, char **words) {
    struct source source = {.libraries = "emulator/libraries"};
    char *text = NULL;
    int i = 1;
    for (; i < count && begins_with(words[i], "--"); i++) {
        if (strcmp(words[i], "--program") == 0)
            source.program = true;
        else if (value_of(words[i], "--mark="))
            return print_marked(value_of(words[i], "--mark="));
        else if (value_of(words[i], "--calls=") && i + 2 == count)
            return print_calls(value_of(words[i], "--calls="), words[i + 1]);
        else if (value_of(words[i], "--shared=") && i + 2 == count)
            return refuse_shared(value_of(words[i], "--shared="), words[i + 1]);
        else if (value_of(words[i], "--text="))
            text = words[i] + strlen("--text=");
        else
            wrong_usage("unknown option");
    }
    if (!text || !ends_in(text, ".ii") || count - i < 2)
        wrong_usage("use: nvcc --text=FILE.ii [--program] SOURCE COMPILER [FLAG...]");
    text[strlen(text) - strlen(".ii")] = '\0';
    source.base = text;
    source.path = words[i++];
    for (; i < count; i++)
        command_add(&source.compiler, words[i]);
    return !preprocess(&source);
}
