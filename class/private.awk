# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The part of a record that its student may see.

# Text that came out of grading a submission, without this machine's directories and without the seed. At most
# 600 characters, none of them a control character.
function of_student(text, r) {
    return leading(printable(private(text, cell(r, "seed"))), 600)
}
