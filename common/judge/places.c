#define _GNU_SOURCE
#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

/* addr2line's output for one address, or NULL. The program's name may hold anything, so no shell
 * sees it. */
static FILE *ask(const char *program, uint64_t pc, pid_t *child) {
    int answer[2];
    char address[24];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)pc);
    if (pipe(answer) < 0)
        return NULL;
    *child = fork();
    if (*child == 0) {
        dup2(answer[1], STDOUT_FILENO);
        close(answer[0]);
        close(answer[1]);
        if (!freopen("/dev/null", "w", stderr))
            _exit(127);
        execlp("addr2line", "addr2line", "-i", "-e", program, address, (char *)NULL);
        _exit(127);
    }
    close(answer[1]);
    FILE *file = *child < 0 ? NULL : fdopen(answer[0], "r");
    if (!file)
        close(answer[0]);
    return file;
}

/* "FILE:LINE", or "FILE:LINE (discriminator 2)"; what is not known is ?. */
static bool read_place(char *text, char *file, size_t file_size, unsigned *line) {
    char *colon = strrchr(text, ':');
    if (!colon || text[0] == '?')
        return false;
    *colon = '\0';
    *line = (unsigned)strtoul(colon + 1, NULL, 10);
    snprintf(file, file_size, "%s", text);
    return *line > 0 && !strstr(text, "common/emulator/");
}

bool place_of(const char *program, uint64_t pc, char *file, size_t file_size, unsigned *line) {
    pid_t child;
    FILE *answer = ask(program, pc, &child);
    char *text = NULL;
    size_t size = 0;
    bool found = false;
    while (answer && !found && getline(&text, &size, answer) > 0)
        found = read_place(text, file, file_size, line);
    free(text);
    if (answer) {
        fclose(answer);
        waitpid(child, NULL, 0);
    }
    return found;
}
