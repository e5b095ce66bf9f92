# The records of the rows, each as the line that it stands in.

END {
    for (r = 1; r <= rows; r++)
        print record_of(r)
}
