#define _GNU_SOURCE /* mkostemp */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void command_add(struct command *command, const char *word) {
    command->words =
        grow(command->words, command->count + 1, &command->room, sizeof *command->words);
    command->words[command->count++] = word;
    command->words[command->count] = NULL;
}

void command_list(struct command *command, const char *const *words) {
    for (; words && *words; words++)
        command_add(command, *words);
}

/* A file without a name, in place of a standard descriptor; -1: this program's own stays. */
static int open_file(const struct text *text) {
    const char *place = getenv("TMPDIR");
    char *path = format_text("%s/nvcc-XXXXXX", place ? place : "/tmp");
    int file = text ? mkostemp(path, O_CLOEXEC) : -1;
    if (text && (file < 0 || unlink(path) != 0)) {
        fprintf(stderr, "nvcc: cannot write to %s: %s\n", path, strerror(errno));
        exit(3);
    }
    return file;
}

static void fill_file(int file, const struct text *text) {
    ssize_t more = 1;
    for (size_t written = 0; more > 0 && written < text->size; written += (size_t)more)
        more = write(file, text->at + written, text->size - written);
    if (more <= 0) {
        perror("nvcc: write");
        exit(3);
    }
    lseek(file, 0, SEEK_SET);
}

static void take_file(int file, struct text *text) {
    char buffer[1 << 16];
    lseek(file, 0, SEEK_SET);
    for (ssize_t got; (got = read(file, buffer, sizeof buffer)) > 0;)
        text_add(text, buffer, (size_t)got);
}

static _Noreturn void become(const struct command *command, const int *files) {
    for (int fd = 0; fd < 3; fd++)
        if (files[fd] >= 0)
            dup2(files[fd], fd);
    execvp(command->words[0], (char *const *)command->words);
    fprintf(stderr, "nvcc: cannot run %s: %s\n", command->words[0], strerror(errno));
    _exit(127);
}

int command_run(const struct command *command, const struct text *input, struct text *output,
                struct text *errors) {
    const int files[3] = {open_file(input), open_file(output), open_file(errors)};
    int status = 127 << 8;
    if (input)
        fill_file(files[0], input);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(command, files);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (output)
        take_file(files[1], output);
    if (errors)
        take_file(files[2], errors);
    for (int fd = 0; fd < 3; fd++)
        if (files[fd] >= 0)
            close(files[fd]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
