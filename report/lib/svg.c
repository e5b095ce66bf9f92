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

/* What sed puts there. */
static const char *replacement(const char *text) {
    return replaced(replaced(replaced(html_escaped(text), "\\", "\\\\"), "&", "\\&"), "|", "\\|");
}

const char *sed_to_describe(const char *title, const char *description) {
    return say("1,/^<desc>/ {\n"
               "s|^<svg|<svg role=\"img\" aria-labelledby=\"chart-title chart-description\"|\n"
               "s|^<title>.*|<title id=\"chart-title\">%s</title>|\n"
               "s|^<desc>.*|<desc id=\"chart-description\">%s</desc>|\n}\n"
               "s|<title>gnuplot_plot_[a-z0-9_]*</title>||\n"
               "s|<title>[^<]* using [^<]*</title>||\n",
               replacement(title), replacement(description));
}
