#include "markers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool read_marker(const char *line, struct marker *marker) {
    if (line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2]))
        return false;
    const char *p = line + 2 + strspn(line + 2, "0123456789"), *end = line + strcspn(line, "\n");
    if (p[0] != ' ' || p[1] != '"')
        return false;
    const char *file = p + 2, *quote = end;
    while (quote > file && *quote != '"')
        quote--;
    bool closed = *quote == '"' && quote + 1 + strspn(quote + 1, " 0123456789") == end;
    *marker = (struct marker){.line = (int)strtol(line + 2, NULL, 10), .file = file};
    marker->length = (size_t)((closed ? quote : end) - file);
    for (p = quote; closed && p < end; p++) {
        bool alone = p[0] == ' ' && !isdigit((unsigned char)p[2]);
        marker->begins |= alone && p[1] == '1';
        marker->ends |= alone && p[1] == '2';
        marker->system |= alone && p[1] == '3';
    }
    return true;
}

char *source_directory(const struct text *text) {
    struct marker m;
    for (const char *line = text->at; *line; line = next_line(line)) {
        if (!read_marker(line, &m) || m.length <= 3 ||
            strncmp(m.file + m.length - 3, ".cu", 3) != 0)
            continue;
        while (m.length && m.file[m.length - 1] != '/')
            m.length--;
        return format_text("%.*s", (int)m.length, m.file);
    }
    return NULL;
}

bool is_beside(const struct marker *marker, const char *directory) {
    size_t length = directory ? strlen(directory) : 0;
    return directory && length <= marker->length && strncmp(marker->file, directory, length) == 0 &&
           !memchr(marker->file + length, '/', marker->length - length);
}

void write_watched(struct text *out, const char *line) {
    static const char prefix[] = "__builtin_";
    for (const char *found; (found = strstr(line, prefix));) {
        const char *name = found + sizeof prefix - 1;
        text_add(out, line,
                 (size_t)((begins_with_any(name, "memcpy memmove memset") ? found : name) - line));
        line = name;
    }
    text_put(out, line);
}
