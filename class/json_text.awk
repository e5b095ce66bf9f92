# Text as a JSON string.

function json_text(text) {
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    gsub(/\n/, "\\n", text)
    gsub(/\t/, "\\t", text)
    gsub(/\r/, "\\r", text)
    gsub(/[\001-\037\177]/, " ", text)
    return "\"" text "\""
}
