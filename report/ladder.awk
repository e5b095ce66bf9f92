# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What report/ladder prints.

END {
    for (i = 1; i <= rows; i++)
        list[i] = i
    draw_ladders(list, rows)
}
