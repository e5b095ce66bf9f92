#include "private.h"

#include <ctype.h>
#include <string.h>

static bool is_of_name(char c, const char *more) {
    return c && (isalnum((unsigned char)c) || strchr(more, c));
}

/* How long a path's directories are: "/home/ada/" of "/home/ada/x"; 0 where it has none. */
static size_t length_of_directories(const char *text) {
    size_t length = 0;
    for (const char *at = text; *at == '/';) {
        const char *name = at + 1;
        for (at = name; is_of_name(*at, "_.+@-"); at++)
            ;
        if (at > name && *at == '/')
            length = at + 1 - text;
    }
    return length;
}

/* A path begins at the text's begin, or behind what stands before a word. What is left when
 * one is gone may be another. A stranger's line may be one long row of paths. */
static const char *without_directories(const char *text) {
    static const char before[] = " (\"'`=:<>,[";
    struct text rest = {0};
    bool begins = true;
    for (size_t length; *text; text += length) {
        length = begins ? length_of_directories(text) : 0;
        if (length)
            continue;
        begins = strchr(before, *text);
        add_bytes(&rest, text, length = 1);
    }
    return bytes_of(&rest);
}

const char *of_student(const char *text, const struct row *row) {
    const char *results = setting("RESULTS"), *seed = row ? row->r.seed : "";
    if (*results)
        text = replaced(text, say("%s/", results), "/");
    text = without_directories(text);
    if (strlen(seed) >= 5)
        text = replaced(text, seed, "(seed)");
    return leading(printable(text), 600);
}

const char *file_name(const char *submission) {
    char *name = say("%s", submission);
    for (char *at = name; *at; at++)
        if (!is_of_name(*at, "._@+-") || (at == name && strchr(".-", *at)))
            *at = '_';
    return name;
}
