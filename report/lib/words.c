#include "words.h"

#include <string.h>

#include "text.h"

static bool is_heading(const char *line) {
    size_t level = strspn(line, "#");
    return level && line[level] == ' ';
}

const struct section *read_sections(const char *path, size_t *count) {
    struct section *section = keep(sizeof *section);
    struct text text = {0};
    bool in_body = false, in_code = false;
    *section = (struct section){"", ""};
    *count = 1;
    for (const char **at = lines_of_file(path); *at; at++) {
        size_t length = strlen(*at);
        const char *line = say("%.*s", (int)(length - (length && (*at)[length - 1] == '\r')), *at);
        if (!in_body) { /* a blank line ends the header */
            in_body = !*line;
            continue;
        }
        in_code ^= begins_with(line, "```") || begins_with(line, "~~~");
        if (!in_code && begins_with(line, "## ")) {
            append(section, *count, (struct section){.title = line});
            text = (struct text){0};
        } else
            add(&text, "%s%s\n", !in_code && is_heading(line) ? "#" : "", line);
        section[*count - 1].text = bytes_of(&text);
    }
    return section;
}

const char *text_below(const char *path, const char *title) {
    size_t count;
    const struct section *section = read_sections(path, &count);
    for (size_t i = 0; i < count; i++)
        if (same(section[i].title, title))
            return section[i].text;
    return "";
}

static const char *without_comments(const char *text) {
    struct text rest = {0};
    for (const char *begin, *end; (begin = strstr(text, "<!--")); text = end + strlen("-->")) {
        if (!(end = strstr(begin + strlen("<!--"), "-->")))
            break;
        add_bytes(&rest, text, begin - text);
    }
    add(&rest, "%s", text);
    return rest.bytes;
}

bool is_written(const char *text) {
    static const char blank[] = " \t\n";
    text = without_comments(text);
    text += strspn(text, blank);
    size_t length = strlen(text);
    while (length && strchr(blank, text[length - 1]))
        length--;
    bool to_replace =
        *text == '(' && 1 + strcspn(text + 1, "()") == length - 1 && text[length - 1] == ')';
    return length && !to_replace;
}

/* ---- its source ------------------------------------------------------------------------------- */

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
