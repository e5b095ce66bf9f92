// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

#include "svg.h"

#include <stdio.h>
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

/* ---- a chart as a part of a page ---------------------------------------------------------------- */

/* The line without what stands from each `begin` to the next `end`. */
static const char *without(const char *line, const char *begin, const char *end) {
    struct text rest = {0};
    const char *from, *to;
    while ((from = strstr(line, begin)) && (to = strstr(from + strlen(begin), end))) {
        add_bytes(&rest, line, from - line);
        line = to + strlen(end);
    }
    add(&rest, "%s", line);
    return rest.bytes;
}

/* "" for what a page needs none of: the paper, and boxes behind texts. */
static const char *line_of_page(const char *line, const char *name) {
    static const char *const marks[] = {" id='", "xlink:href='#", "url(#"};
    static const char *const black[] = {"black", "rgb(0,0,0)", "rgb(0, 0, 0)",
                                        "rgb(  0,   0,   0)"};
    static const char *const drops[] = {"<filter", "</filter>", "<feFlood", "<feComposite"};
    static const char *const inks[] = {"currentColor", "gray", "#FFFFFF"};
    if (strstr(line, "<rect ") && strstr(line, "fill=\"#ffffff\""))
        return "";
    for (size_t i = 0; i < sizeof drops / sizeof *drops; i++)
        if (strstr(line, drops[i]))
            return "";
    line = without(without(line, "<title>", "</title>"), " id=\"gnuplot_", "\"");
    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        line = replaced(line, marks[i], say("%s%s-", marks[i], name));
    for (size_t i = 0; i < sizeof black / sizeof *black; i++)
        for (const char *quote = "\"'"; *quote; quote++)
            line = replaced(line, say("%c%s%c", *quote, black[i], *quote), "\"currentColor\"");
    for (size_t i = 0; i < sizeof inks / sizeof *inks; i++)
        line = replaced(line, say(" color=\"%s\"", inks[i]), "");
    return say("%s\n", line);
}

/* gnuplot draws many groups of nothing. */
static bool is_begin_of_group(const char *line) {
    return begins_with(line, "<g ") && strcmp(line + strcspn(line, ">"), ">\n") == 0;
}

static const char *elements_of(const char *path, const char *name) {
    struct text text = {0};
    const char *held = "";
    bool drawn = false;
    for (const char **line = lines_of_file(path); *line; line++) {
        drawn |= begins_with(*line, "<g id=\"gnuplot_canvas\"");
        if (!drawn || !(*line)[strspn(*line, " \t")])
            continue;
        const char *next = line_of_page(*line, name);
        if (strcmp(next, "</g>\n") == 0 && is_begin_of_group(held))
            next = held = "";
        add(&text, "%s", held);
        held = next;
    }
    add(&text, "%s", held);
    return text.bytes;
}

bool drawing(struct page *page, const char *path, const char *name, const char *title,
             const char *text) {
    const char **line = lines_of_file(path), *shown = html_escaped(text);
    while (*line && !strstr(*line, "viewBox="))
        line++;
    if (!*line)
        return false;
    markup(
        page,
        say("<figure tabindex=\"0\">\n<svg role=\"img\" aria-labelledby=\"%s-title %s-text\"%s>\n"
            "<title id=\"%s-title\">%s</title>\n<desc id=\"%s-text\">%s</desc>\n%s"
            "<figcaption>%s</figcaption>\n</figure>",
            name, name, *line, name, html_escaped(title), name, shown, elements_of(path, name),
            shown));
    return true;
}
