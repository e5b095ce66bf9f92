# Plain CSV: a row for each submission. A step that was left out of the maximum or is still to be graded is an empty
# cell; those that are still to be graded are named in the last.
include "gradebook";

([.submissions[0].steps[].step]) as $steps
| (.submissions | any(predicted != [])) as $predicted
| csv_file("csv.csv"; [["submission", "name", "id", "login", "email", "points", "maximum", "grade of \(.full)"] + $steps + ["not final"] + (if $predicted then ["speed predicted, not measured"] else [] end)]
    + [.submissions[] | [.submission, .person.name, .person.number, .person.login, .person.email, .points, .max, grade]
        + (.steps | map(if status == "skipped" then null else .correct + .speed | hundredths end)) + [pending | join(" ")]
        + if $predicted then [predicted | join(" ")] else [] end])
