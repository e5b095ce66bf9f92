# Text as a JSON string, for what others show: without what common/printable.awk takes out. Needs that.

function json_text(text) {
    text = printable_lines(text)
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    gsub(/\n/, "\\n", text)
    gsub(/\t/, "\\t", text)
    return "\"" text "\""
}
