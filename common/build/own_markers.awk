# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Looks for line markers in a step's own files, for own_text.awk, which tells by markers whose a line is.

# A line marker of the step's own: # 1 "FILE" 1, with whatever the preprocessor overlooks between. A comment or
# a string may look like one, too.
function find_markers(file,    text, more, number, status) {
    while ((status = (getline more <file)) > 0) {
        number++
        gsub(/[ \t\r\f\v]/, "", more)
        text = text more
        if (sub(/\\$/, "", text))
            continue
        if (text ~ /(^|\*\/)(#|%:|\?\?=)([0-9]|\/\*)/) {
            print file ":" number ": error: a line that begins with # and a number looks like a line marker: put something before it" >"/dev/stderr"
            failed = 1
        }
        text = ""
    }
    close(file)
    if (status < 0) {
        print file ": error: cannot read this file" >"/dev/stderr"
        failed = 1
    }
}
