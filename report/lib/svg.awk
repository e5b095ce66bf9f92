# What a chart says of itself (report/plot writes it, report/charts_words.awk makes it): the texts of its <title> and its
# <desc>; "" if there are none.

function svg_title(path) {
    return svg_text(path, "title")
}

function svg_description(path) {
    return svg_text(path, "desc")
}

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
