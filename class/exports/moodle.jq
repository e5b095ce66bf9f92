# A CSV for Moodle: Grades, Import, CSV file. There, map Email address or ID number, the grade, and Feedback.
include "gradebook";

def columns: [.person.name // .submission, .person.number // "", .person.email // "", grade, (.feedback | html_line)];

[["Full name", "ID number", "Email address", .title, "Feedback"]] as $head
| (if .roster then . else .submissions |= map(.person = {name: .submission, number: .submission, email: (.submission | select(test("@")) // "")}) end)
| csv_file("moodle.csv"; $head + [.submissions[] | select(.person) | columns]),
  (select(.submissions | any(.person == null))
   | csv_file("moodle-unmatched.csv"; $head + [.submissions[] | select(.person == null) | columns]))
