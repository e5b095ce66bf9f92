#define _GNU_SOURCE /* pipe2 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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

/* A pipe to the standard descriptor `fd` of the program, or from it; NULL: there is none. */
struct pipe {
    int ours, theirs, fd;
    struct text *text;
};

static void open_pipe(struct pipe *pipe, struct text *text, int fd) {
    int ends[2];
    *pipe = (struct pipe){-1, -1, fd, text};
    if (!text)
        return;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        perror("nvcc: pipe");
        exit(3);
    }
    pipe->ours = ends[fd == STDIN_FILENO];
    pipe->theirs = ends[fd != STDIN_FILENO];
}

static void close_ours(struct pipe *pipe) {
    if (pipe->ours >= 0)
        close(pipe->ours);
    pipe->ours = -1;
}

/* Writes as much of the input as there is room for, or reads what is there. */
static void move(struct pipe *pipe, size_t *written) {
    char buffer[1 << 16];
    ssize_t moved;
    if (pipe->fd == STDIN_FILENO) {
        moved = write(pipe->ours, pipe->text->at + *written, pipe->text->size - *written);
        *written += moved > 0 ? (size_t)moved : 0;
        if (moved < 0 ? errno != EAGAIN : *written == pipe->text->size)
            close_ours(pipe);
        return;
    }
    moved = read(pipe->ours, buffer, sizeof buffer);
    if (moved > 0)
        text_add(pipe->text, buffer, (size_t)moved);
    else if (moved == 0 || errno != EINTR)
        close_ours(pipe);
}

static void move_all(struct pipe *pipes) {
    size_t written = 0;
    if (pipes[0].ours >= 0)
        fcntl(pipes[0].ours, F_SETFL, O_NONBLOCK);
    for (;;) {
        struct pollfd polled[3];
        nfds_t open = 0;
        for (int i = 0; i < 3; i++) {
            polled[i] = (struct pollfd){pipes[i].ours, i ? POLLIN : POLLOUT, 0};
            open += pipes[i].ours >= 0;
        }
        if (!open)
            return;
        if (poll(polled, 3, -1) < 0 && errno != EINTR)
            return;
        for (int i = 0; i < 3; i++)
            if (pipes[i].ours >= 0 && polled[i].revents)
                move(&pipes[i], &written);
    }
}

static _Noreturn void become(const struct command *command, const struct pipe *pipes) {
    for (int i = 0; i < 3; i++)
        if (pipes[i].theirs >= 0)
            dup2(pipes[i].theirs, pipes[i].fd);
    signal(SIGPIPE, SIG_DFL);
    execvp(command->words[0], (char *const *)command->words);
    fprintf(stderr, "nvcc: cannot run %s: %s\n", command->words[0], strerror(errno));
    _exit(127);
}

int command_run(const struct command *command, const struct text *input, struct text *output,
                struct text *errors) {
    struct text given = input ? *input : (struct text){0};
    struct pipe pipes[3];
    open_pipe(&pipes[0], input ? &given : NULL, STDIN_FILENO);
    open_pipe(&pipes[1], output, STDOUT_FILENO);
    open_pipe(&pipes[2], errors, STDERR_FILENO);
    signal(SIGPIPE, SIG_IGN); /* a compiler that gives up early */
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(command, pipes);
    for (int i = 0; i < 3; i++)
        if (pipes[i].theirs >= 0)
            close(pipes[i].theirs);
    int status = 127 << 8;
    if (child > 0)
        move_all(pipes);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    for (int i = 0; i < 3; i++)
        close_ours(&pipes[i]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
