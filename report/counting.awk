# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The records of the rows, each as the line that it stands in.

END {
    for (r = 1; r <= rows; r++)
        print record_of(r)
}
