# A CSV for Canvas: Grades, Import. The second line is Canvas's way to say what the column is out of.
include "gradebook";

def person_columns: [.person.name // .submission, .person.canvas, .person.number // "", .person.login // "", .person.section // ""];

([["Student", "ID", "SIS User ID", "SIS Login ID", "Section", .title], ["    Points Possible", "", "", "", "", .full]]) as $head
| ((.roster | not) as $trusted
   | .submissions |= map(if $trusted then .person = {name: .submission, canvas: "", number: "", login: .submission, section: ""} else . end))
| csv_file("canvas.csv"; $head + [.submissions[] | select(.person) | person_columns + [grade]]),
  (select(.submissions | any(.person == null))
   | csv_file("canvas-unmatched.csv"; $head + [.submissions[] | select(.person == null) | person_columns + [grade]]))
