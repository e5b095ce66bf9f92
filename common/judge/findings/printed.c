#define _GNU_SOURCE
#include "printed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/built.h"
#include "judge/fault.h"

/* Copies a part without marks, which begins with the name that its mark gave it, if it has one.
 * Returns how many lines of the step's there were. */
static uint64_t add_part(FILE *to, bool named, const char *part, size_t bytes) {
    const char *text = part, *end = part + bytes;
    if (named) {
        const char *line_end = memchr(part, '\n', bytes);
        text = line_end ? line_end + 1 : end;
    }
    if (text == end)
        return 0;
    if (named)
        fprintf(to, "--- %.*s\n", (int)(text - part - 1), part);
    fwrite(text, 1, end - text, to);
    if (end[-1] != '\n')
        putc('\n', to);
    uint64_t lines = 0;
    for (const char *s = text; s < end; s++)
        lines += *s == '\n';
    return lines;
}

void printed_log(const char *log, const char *trial, const struct process *process) {
    const char *text = process->printed, *end = text + process->printed_bytes;
    char *shown = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&shown, &bytes);
    if (!to)
        fault("cannot allocate memory for a log");
    fprintf(to, "--- %s\n", trial);
    fflush(to);
    size_t heading = bytes;
    uint64_t lines = 0;
    for (bool named = false; text < end; named = true) {
        const char *mark = memchr(text, PRINTED_MARK, end - text);
        lines += add_part(to, named, text, (mark ? mark : end) - text);
        text = mark ? mark + 1 : end;
    }
    if (process->all_bytes > process->printed_bytes && process->all_lines > (int64_t)lines)
        fprintf(to, "--- %lld more lines were printed, and not kept\n",
                (long long)(process->all_lines - (int64_t)lines));
    fclose(to);
    if (bytes > heading)
        log_add(log, shown, bytes);
    free(shown);
}
