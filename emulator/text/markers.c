#include "markers.h"

#include <ctype.h>
#include <string.h>

bool is_marker(const char *line) {
    if (line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2]))
        return false;
    const char *p = line + 2 + strspn(line + 2, "0123456789");
    return p[0] == ' ' && p[1] == '"';
}

bool marker_has(const char *line, char number) {
    const char *p = strrchr(line, '"') + 1;
    for (; (p = strchr(p, number)); p++)
        if (p[-1] == ' ' && (p[1] == ' ' || p[1] == '\0'))
            return true;
    return false;
}

void write_watched(struct text *out, const char *line) {
    static const char prefix[] = "__builtin_";
    for (const char *found; (found = strstr(line, prefix));) {
        const char *name = found + sizeof prefix - 1;
        bool copies = begins_with(name, "memcpy") || begins_with(name, "memmove") ||
                      begins_with(name, "memset");
        text_add(out, line, (size_t)((copies ? found : name) - line));
        line = name;
    }
    text_put(out, line);
}
