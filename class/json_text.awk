# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Text as a JSON string, for what others show: without what common/printable.awk takes out. Needs that.

function json_text(text) {
    text = printable_lines(text)
    gsub(/[\\"\n\t]/, "\\\\&", text)
    gsub(/\n/, "n", text)
    gsub(/\t/, "t", text)
    return "\"" text "\""
}
