# Gradescope's results.json, one for each submission.
include "gradebook";

.submissions[]
| select(grade)
| {file: "gradescope/\(.name).json", text: ({
    score: grade,
    output: .feedback, output_format: "text",
    visibility: "visible", stdout_visibility: "hidden",
    tests: (.steps | map({name: .step, score: (.correct + .speed | hundredths), max_score: (.correct_max + .speed_max | hundredths),
        output: in_words, output_format: "text", visibility: "visible"}
        + if status == "skipped" or .correct_max + .speed_max == 0 then {} else
            {status: (if status == "passed" then "passed" else "failed" end)} end)),
    leaderboard: ([{name: "points", value: grade, order: "desc"}]
        + (.steps | map(select(.seconds_a_call and status == "passed")
            | {name: "\(.step), us a call", value: (.seconds_a_call * 1e6), order: "asc"})))
  } | tojson + "\n")}
