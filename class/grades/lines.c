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

const char **plain_lines(const char *path) {
    static const char mark[] = "\357\273\277"; /* an editor's byte order mark */
    const char **line = lines_of_file(path);
    if (*line && begins_with(*line, mark))
        *line += strlen(mark);
    for (const char **at = line; *at; at++) {
        const char *plain = without(*at, "(^|[ \t])#.*"); /* in a word a # begins no comment */
        *at = without(without(plain, "[ \t\r]+$"), "^[ \t\r]+");
    }
    return line;
}
