# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What a chart says of itself (report/plot writes it, report/charts/words.c makes it): the texts of its <title> and its
# <desc>; "" if there are none.

# The first element of that name.
function svg_text(path, name,    line, text) {
    while ((getline line < path) > 0)
        if (index(line, "<" name)) {
            text = line
            break
        }
    close(path)
    sub("^[^<]*<" name "[^>]*>", "", text)
    sub("</" name ">.*", "", text)
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&amp;/, "\\&", text)
    return text
}

# ---- an SVG of gnuplot's as a part of a page ----------------------------------------------------------------------

# The figure that holds it, on each HTML page that is open; `name` is its own there, `text` says what it shows.
function drawing(path, name, title, text) {
    markup("<figure>\n" inline_svg(path, name, title, text) "<figcaption>" html_escaped(text) "</figcaption>\n</figure>")
}

# Its elements, as they stand in the file, with `name` before each id, because ids are the page's; with a title and a
# description; with the page's own ink in place of black, and its paper in place of white, so that it is drawn for a dark
# page too. "" if there is no such file. The text of labels is escaped by gnuplot.
function inline_svg(path, name, title, description,    line, text, held, drawn) {
    text = held = ""
    drawn = 0
    while ((getline line < path) > 0) {
        if (line ~ /viewBox=/ && text == "")
            text = "<svg role=\"img\" aria-labelledby=\"" name "-title " name "-text\"" line ">\n" \
                   "<title id=\"" name "-title\">" html_escaped(title) "</title>\n<desc id=\"" name "-text\">" html_escaped(description) "</desc>\n"
        else if (line ~ /^<g id="gnuplot_canvas"/)
            drawn = 1
        if (!drawn || line !~ /[^ \t]/)
            continue
        line = svg_line(line, name)
        if (line == "</g>\n" && held ~ /^<g [^>]*>\n$/) # gnuplot draws many groups of nothing
            line = held = ""
        text = text held
        held = line
    }
    close(path)
    return text held
}

# A line of it for a page; "" for what a page needs none of.
function svg_line(line, name) {
    if (line ~ /<rect [^>]*fill="#ffffff"/ || line ~ /<filter|<\/filter>|<feFlood|<feComposite/)
        return ""
    sub(/<title>[^<]*<\/title>/, "", line) # a name of gnuplot's
    sub(/^[ \t]+/, "", line)
    gsub(/ id="gnuplot_[a-z0-9_]*"/, "", line)
    gsub(/ id='/, "&" name "-", line)
    gsub(/xlink:href='#/, "&" name "-", line)
    gsub(/url\(#/, "&" name "-", line)
    gsub(/"black"|'black'|"rgb\(0, 0, 0\)"|'rgb\( *0, *0, *0\)'|"rgb\( *0, *0, *0\)"/, "\"currentColor\"", line)
    gsub(/ color="(currentColor|gray|#FFFFFF)"/, "", line)
    return line "\n"
}
