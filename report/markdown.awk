# Text from submissions in Markdown: shown as it was written, and never as markup, HTML or a table's edge.
# It never begins a line: what means something only there (# - + 1.) needs no escape.

function md(text) {
    text = printable(text)
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/[][\\`*_|~$]/, "\\\\&", text)
    return text
}

# As code, for names and short values. A backquote would end it.
function md_code(text) {
    text = printable(text)
    gsub(/`/, "'", text)
    gsub(/[|]/, "\\|", text)
    return text == "" ? "" : "`" text "`"
}
