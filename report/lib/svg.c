#include "svg.h"

#include <string.h>

#include "page_parts.h"
#include "text.h"

const char *svg_text(const char *path, const char *name) {
    static const char *const entities[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
    const char *text = file_text(path);
    text = text ? strstr(text, say("<%s", name)) : NULL;
    text = text ? strchr(text, '>') : NULL;
    const char *end = text ? strstr(text, say("</%s>", name)) : NULL;
    if (!end)
        return "";
    text = say("%.*s", (int)(end - text - 1), text + 1);
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        text = replaced(text, entities[i][0], entities[i][1]);
    return text;
}

/* A browser shows the names that gnuplot gives to what has none. */
static const char *without_name(const char *line) {
    static const char begin[] = "<title>", end[] = "</title>", plot[] = "gnuplot_plot_";
    for (const char *at = line; (at = strstr(at, begin)); at++) {
        const char *name = at + strlen(begin), *after = name + strcspn(name, "<");
        const char *text = say("%.*s", (int)(after - name), name);
        bool is_plot = begins_with(text, plot) &&
                       !text[strspn(text, "gnuplot_abcdefghijklmnopqrstuvwxyz0123456789")];
        if (begins_with(after, end) && (is_plot || strstr(text, " using ")))
            return say("%.*s%s", (int)(at - line), line, after + strlen(end));
    }
    return line;
}

void describe_svg(const char *path, const char *title, const char *description) {
    struct text text = {0};
    bool described = false;
    for (const char **line = lines_of_file(path); *line; line++)
        if (described)
            add(&text, "%s\n", without_name(*line));
        else if (begins_with(*line, "<title>"))
            add(&text, "<title id=\"chart-title\">%s</title>\n", html_escaped(title));
        else if (begins_with(*line, "<desc>")) {
            add(&text, "<desc id=\"chart-description\">%s</desc>\n", html_escaped(description));
            described = true;
        } else if (begins_with(*line, "<svg"))
            add(&text, "<svg role=\"img\" aria-labelledby=\"chart-title chart-description\"%s\n",
                *line + strlen("<svg"));
        else
            add(&text, "%s\n", without_name(*line));
    if (text.length)
        write_file(path, text.bytes);
}
