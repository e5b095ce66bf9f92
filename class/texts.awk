# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Text files as one JSON object: name without .txt, text.

BEGIN {
    printf "{"
}

FNR == 1 {
    end_text()
    name = FILENAME
    sub(/^.*\//, "", name)
    sub(/[.]txt$/, "", name)
}

{
    text = text $0 "\n"
}

END {
    end_text()
    print "}"
}

function end_text() {
    if (text != "")
        printf "%s%s:%s", (texts++ ? "," : ""), json_text(name), json_text(text)
    text = ""
}
