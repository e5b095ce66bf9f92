#include "svg.h"

#include <string.h>

#include "page_parts.h"
#include "text.h"

/* The text of the first element of that name; "" if there is none. */
static const char *svg_text(const char *path, const char *name) {
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

const char *chart_name(const char *chart, const char *problem) {
    return same(problem, "opt_2dhisto") ? chart : say("%s-%s", chart, problem);
}

void put_charts(struct page *page, const char *folder, const char *address, const char *problem,
                const char *drawn) {
    static const char *const charts[] = {"speedup", "roofline"};
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++) {
        const char *name = chart_name(charts[i], problem), *path = say("%s/%s.svg", folder, name);
        if (drawn ? is_one_of(name, drawn) : file_text(path) != NULL)
            image(page, say("%s%s.svg", address, name), svg_text(path, "desc"),
                  svg_text(path, "title"));
    }
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
