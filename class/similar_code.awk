# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Sources without their comments (code_of.awk): source/NAME becomes code/NAME. Lines keep their numbers.

FNR == 1 {
    if (out != "")
        close(out)
    out = FILENAME
    sub(/.*\//, "code/", out)
    in_comment = 0
}

{
    print code_of($0) > out
}
