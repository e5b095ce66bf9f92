# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# A source's line without its comments: code_of(line). Quotes hide comments: in " // " there is none. Set in_comment to 0
# before the first line of a file.

function code_of(line,    result, mark) {
    result = ""
    while (line != "") {
        if (in_comment) {
            if (!match(line, /\*\//))
                return result
            in_comment = 0
            line = " " substr(line, RSTART + 2)
        }
        if (!match(line, /\/\*|\/\/|"|'/))
            return result line
        result = result substr(line, 1, RSTART - 1)
        mark = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART)
        if (mark == "//")
            return result
        if (mark == "/*") {
            in_comment = 1
            line = substr(line, 3)
        } else {
            match(line, mark == "\"" ? "^\"([^\"\\\\]|\\\\.)*\"?" : "^'([^'\\\\]|\\\\.)*'?")
            result = result substr(line, 1, RLENGTH)
            line = substr(line, RLENGTH + 1)
        }
    }
    return result
}
