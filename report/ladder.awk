# What report/ladder prints.

END {
    for (i = 1; i <= rows; i++)
        list[i] = i
    draw_ladders(list, rows)
}
