#include "diff.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/mman.h>
#include <unistd.h>

#include "text.h"

/* A file without a name: what diff reads as /dev/fd/N. */
static int file_of(const char **line) {
    int file = memfd_create("lines", 0);
    for (; *line; line++)
        dprintf(file, "%s\n", *line);
    return file;
}

const char **lines_changed(const char **old, const char **new) {
    int one = file_of(old), other = file_of(new);
    FILE *diff = popen(say("diff -d -U 3 /dev/fd/%d /dev/fd/%d", one, other), "r");
    const char **shown = NULL;
    char *line = NULL;
    size_t room = 0, count = 0, added = 0, news = count_lines(new);
    ssize_t length;
    for (int number = 0; diff && (length = getline(&line, &room, diff)) > 0; number++) {
        line[length - 1] = '\0';
        added += number >= 2 && *line == '+';
        if (number >= 2 && (*line != '@' || atoi(line + strlen("@@ -")) > 1))
            append(shown, count, *line == '@' ? "@@" : say("%s", line));
    }
    append(shown, count, NULL);
    free(line);
    bool is_told = diff && WEXITSTATUS(pclose(diff)) <= 1;
    close(one);
    close(other);
    return is_told && 2 * (news - added) >= news ? shown : NULL;
}
