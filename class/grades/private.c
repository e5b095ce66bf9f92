#include "private.h"

#include <ctype.h>
#include <string.h>

#include "views.h"

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

static const char *without_private(const char *text, const char *seed) {
    const char *results = setting("RESULTS");
    if (*results)
        text = replaced(text, say("%s/", results), "/");
    text = without_directories(text);
    return strlen(seed) >= 5 ? replaced(text, seed, "(seed)") : text;
}

const char *of_student(const char *text, const struct row *row) {
    return leading(printable(without_private(text, row ? row->r.seed : "")), 600);
}

/* SEED, of the lines of standard input; a line of JSON is one afterwards, too. */
int view_private(int count, char **words) {
    for (const char **line = lines_of_file("/dev/stdin"); *line; line++)
        puts(without_private(*line, count ? words[0] : ""));
    return 0;
}

const char *file_name(const char *submission) {
    char *name = say("%s", submission);
    for (char *at = name; *at; at++)
        if (!is_of_name(*at, "._@+-") || (at == name && strchr(".-", *at)))
            *at = '_';
    return name;
}
