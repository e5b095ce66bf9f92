#include "source.h"

#include <string.h>

#include "text.h"

enum source_line what_line_is(const char *line, bool *in_task) {
    size_t length = strlen(line);
    bool is_task = *in_task || same(line, "/* Task");
    *in_task = is_task && !(length >= 2 && same(line + length - 2, "*/"));
    return is_task                          ? OF_TASK
           : strstr(line, "BEGIN SOLUTION") ? BEGINS_SOLUTION
           : strstr(line, "END SOLUTION")   ? ENDS_SOLUTION
                                            : OF_STEP;
}

const char **source_lines(const char *path, bool marked) {
    const char **line = lines_of_file(path), **to = line, **first = line;
    bool in_task = false;
    for (; *line; line++) {
        enum source_line is = what_line_is(*line, &in_task);
        if (is == OF_STEP || (marked && is != OF_TASK))
            *to++ = *line;
    }
    *to = NULL;
    return first;
}
