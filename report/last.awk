# The records that count, each as the line that it stood in.

{
    if ($0 ~ /[^ \t\r]/)
        line_of[id_of[key]] = $0 # records.awk has just read this line
}

END {
    if (bad_input)
        exit 2
    for (i = 1; i <= count; i++)
        print line_of[i]
}
