# Autolab's autoresult, one for each submission: it has to be the last line of an autograder's output.
# The names of the steps are the names that the problems of the assessment must have.
include "gradebook";

.submissions[]
| select(grade)
| {file: "autolab/\(.name).json", text: ({
    scores: (.steps | map(select(status != "skipped") | {(.step): (.correct + .speed | hundredths)}) | add // {}),
    scoreboard: [grade]} | tojson + "\n")}
