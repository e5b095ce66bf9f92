#include "lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void remark(const char *where, const char *what) {
    fprintf(stderr, "%s: %s\n", printable(where), printable(what));
}

void bad_line(const char *where, const char *what) {
    remark(where, what);
    exit(2);
}

bool is_readable(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && access(path, R_OK) == 0;
}

const struct plain_line *plain_lines(const char *path) {
    static const char mark[] = "\357\273\277"; /* an editor's byte order mark */
    const char **line = lines_of_file(path);
    struct plain_line *plain = NULL;
    size_t count = 0;
    for (size_t i = 0; line[i]; i++) {
        const char *text = line[i] + (i == 0 && begins_with(line[i], mark) ? strlen(mark) : 0);
        text = without(text, "(^|[ \t])#.*"); /* in a word a # begins no comment */
        text = without(without(text, "[ \t\r]+$"), "^[ \t\r]+");
        if (*text)
            append(plain, count, (struct plain_line){say("%s:%zu", path, i + 1), text});
    }
    append(plain, count, (struct plain_line){NULL, NULL});
    return plain;
}
