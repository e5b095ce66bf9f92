# What a chart says of itself (report/plot writes it, report/charts_words.awk makes it): the text of its <desc>; "" if
# there is none.

function svg_description(path,    line, text) {
    while ((getline line < path) > 0)
        if (line ~ /<desc/) {
            text = line
            break
        }
    close(path)
    sub(/.*<desc[^>]*>/, "", text)
    sub(/<\/desc>.*/, "", text)
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&amp;/, "\\&", text)
    return text
}
