# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# For Autolab. autolab/NAME.json is an autoresult, one for each submission: it has to be the last line of an autograder's
# output. autolab.csv is for Bulk Upload Grades, with scores: an e-mail address and a score for each problem, in their order, without
# a first line of names (app/controllers/assessment/grading.rb of autolab/Autolab). The problems of the assessment are the
# steps: same names, same order. Their scores add up to the grade.
include "gradebook";

# Each step's share of the grade. Rounded so that the sum is the grade.
def shares:
    .grade as $grade | ([.steps[].points] | add) as $sum
    | [foreach .steps[] as $step ({points: 0, share: 0, given: 0};
        .points += $step.points
        | .before = .given
        | .given = (if $sum > 0 then .points / $sum * $grade * 100 + 0.5 | floor else 0 end)
        | .share = (.given - .before) / 100;
        $step + {share})];

(.submissions[]
 | select(.grade != null)
 | {file: "autolab/\(.name).json", text: ({
    scores: (shares | map(select(status != "skipped") | {(.step): .share}) | add // {}),
    scoreboard: [.grade]} | tojson + "\n")}),
([matched | select(.email != "")] as $known
 | if $known == [] then {minor: "autolab.csv is not written: nobody's e-mail address is known (--roster)"}
   else csv_file("autolab.csv"; [$known[] | select(.grade != null) | [.email] + (shares | map(if status == "skipped" then null else .share end))]),
        ([matched | select(.email == "") | .name] | select(. != [])
         | {notice: "autolab.csv: without an e-mail address, so Autolab does not find them: \(join(", "))"}) end)
