# A CSV for Canvas: Grades, Import. The second line is how Canvas says what the maximum is.
include "gradebook";

def columns: [.person.name // .submission, .person.canvas // "", .person.number // "", .person.login // "", .person.section // "", grade];

[["Student", "ID", "SIS User ID", "SIS Login ID", "Section", .title], ["    Points Possible", "", "", "", "", .full]] as $head
| (if .roster then . else .submissions |= map(.person = {name: .submission, login: .submission}) end)
| csv_file("canvas.csv"; $head + [.submissions[] | select(.person) | columns]),
  (select(.submissions | any(.person == null))
   | csv_file("canvas-unmatched.csv"; $head + [.submissions[] | select(.person == null) | columns]))
