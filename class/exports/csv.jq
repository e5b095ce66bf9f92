# Plain CSV: a row for each submission. A step that was left out of the maximum is an empty cell.
include "gradebook";

([.submissions[0].steps[].step]) as $steps
| csv_file("csv.csv"; [["submission", "name", "id", "login", "email", "points", "maximum", "grade of \(.full)"] + $steps]
    + [.submissions[] | [.submission, .person.name, .person.number, .person.login, .person.email, .points, .max, grade]
        + (.steps | map(if .left_out != "" then null else .correct + .speed | hundredths end))])
