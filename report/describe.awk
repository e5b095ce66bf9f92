# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Puts a chart's title and description, ENVIRON TITLE and DESCRIPTION, in the place of gnuplot's into an SVG.

function escaped_for_xml(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}

!described && /^<svg/ {
    sub(/^<svg/, "<svg role=\"img\" aria-labelledby=\"chart-title chart-description\"")
}

!described && /^<title>/ {
    print "<title id=\"chart-title\">" escaped_for_xml(ENVIRON["TITLE"]) "</title>"
    next
}

!described && /^<desc>/ {
    print "<desc id=\"chart-description\">" escaped_for_xml(ENVIRON["DESCRIPTION"]) "</desc>"
    described = 1
    next
}

# A browser shows the names that gnuplot gives to what has none.
/<title>/ {
    sub(/<title>(gnuplot_plot_[0-9a-z]*|[^<]* using [^<]*)<\/title>/, "")
}

{ print }
