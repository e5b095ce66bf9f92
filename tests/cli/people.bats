#!/usr/bin/env bats
# class/people: who handed in what. No gradings: submissions are names.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    people=$root/class/people
    dir=$BATS_TEST_TMPDIR/results
    mkdir "$dir"
    cd "$BATS_TEST_TMPDIR" || return
}

# submissions PATH...: as grade.sh lists them. The ids are s1, s2, ...
submissions() {
    local number=0 path
    for path; do printf 's%d\t%s\t\n' $((++number)) "$path"; done >"$dir/submissions.tsv"
}

# people_json DIR: what class/people has written there, as an array of objects.
people_json() {
    jq -Rn '[inputs / "\t"] | .[0] as $names | .[1:] | map([$names, .] | transpose | map({(.[0]): .[1]}) | add)' <"$1/people.tsv"
}

# in_people FORMAT COLUMN...: of all submissions in the file that class/people has written, in the order of ids, with | between.
in_people() {
    COLUMNS_SHOWN="${*:2}" awk -F '\t' -v format="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; split(ENVIRON["COLUMNS_SHOWN"], column, " "); next }
        $at["submission"] != "" && (format !~ /=/ || $at["why"] == "") { all = all (n++ ? "|" : "") sprintf(format, $at[column[1]], $at[column[2]]) }
        END { print all }' "$dir/people.tsv"
}

cells() {
    in_people %s "$1"
}

# matched: the names, where nothing is odd.
matched() {
    in_people %s=%s submission name
}

# read_rosters FILE...: of each a line, the people in it as number=name, or why it cannot be read.
read_rosters() {
    perl -I"$root/class/roster" -MRoster=read_roster -CO -e '
        for (@ARGV) { print s/.csv$//r, ": ", eval { join "|", map { "$_->{number}=$_->{name}" =~ s/\n/ /r } @{ read_roster($_) } } // $@ =~ s/\n//r, "\n" }' "$@"
}

# ---- rosters -------------------------------------------------------------------------------------

@test "people: rosters of every platform name the same people" {
    submissions jdoe.zip zoe.zip
    printf 'Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"Doe, Jane",4711,u1,jdoe,A\n"Neil, Zoë",4712,u2,zoe,A\n' >canvas.csv
    printf 'Identifier,"Full name","ID number","Email address",Status\n"Participant 11","Jane Doe",u1,jdoe@x.edu,-\n"Participant 12","Zoë Neil",u2,zoe@x.edu,-\n' >worksheet.csv
    printf 'First name,Last name,Email address\nJane,Doe,jdoe@x.edu\nZoë,Neil,zoe@x.edu\n' >participants.csv
    printf 'First Name,Last Name,SID,Email,Section\nJane,Doe,u1,jdoe@x.edu,A\nZoë,Neil,u2,zoe@x.edu,A\n' >gradescope.csv
    printf '"Last Name"\t"First Name"\t"Username"\t"Student ID"\nDoe\tJane\tjdoe\tu1\nNeil\tZoë\tzoe\tu2\n' | iconv -f UTF-8 -t UTF-16 >blackboard.csv
    printf '"identifier","github_username","github_id","name"\n"u1","jdoe","99","Jane Doe"\n"u2","zoe","98","Zoë Neil"\n' >github.csv
    printf 'name;id\r\njdoe;7\r\n"zoe";8\r\n' >plain.csv
    for roster in canvas worksheet participants gradescope blackboard github; do
        run -0 "$people" "$dir" --roster "$roster.csv"
        [[ $output == *"nobody is missing" ]]
        [[ $(cells name) == @("Doe, Jane|Neil, Zoë"|"Jane Doe|Zoë Neil") ]]
        cmp "$roster.csv" "$dir/roster.csv"
    done
    run -0 "$people" "$dir" --roster plain.csv
    [ "$(cells number)" = "7|8" ]
}

@test "people: the platform's own number is told from the school's" {
    submissions doejane_4711_1_lab.zip 'Zoë Neil_12_assignsubmission_file_'
    printf 'Student,ID,SIS User ID\n"Doe, Jane",4711,12\n"Neil, Zoë",12,4711\n' >roster.csv
    run -0 "$people" "$dir" --roster roster.csv # 12 is Moodle's, and no number of Canvas's: the name counts
    [ "$(cells number)" = "12|4711" ]
    [ "$(cells canvas)" = "4711|12" ]
    printf 'Identifier,Full name\nTeilnehmer/in 12,Zoë N.\nParticipant 4711,Jane D.\n' >roster.csv
    "$people" "$dir" --roster roster.csv || (($? == 1))
    [ "$(matched)" = "s2=Zoë N." ] # 4711 is Canvas's
}

@test "people: a roster's number that a platform has for somebody else by chance gives nobody another's hand-in" {
    printf 'id,name\n12,Bob Roe\n7,Jane Doe\n5,\n8,Wei Li\n9,Wei Li\n' >roster.csv
    submissions 'Jane Doe_12_assignsubmission_file_' roebob_12_1_lab.zip 'Ann On_5_assignsubmission_file_' 'Li Wei_9_assignsubmission_file_' 'Eve X_7_assignsubmission_file_'
    run -1 "$people" "$dir" --roster roster.csv
    [[ ${lines[0]} == 'people: submission s1 (Jane Doe): several in the roster fit: Jane Doe (7), Bob Roe (12)' ]]
    [[ $output == *'submission s5 (Eve X): nobody in the roster fits'* ]]
    [ "$(matched)" = "s2=Bob Roe|s3=Ann On|s4=Wei Li" ]
    [ "$(cells number)" = '|12|5|9|' ]
}

@test "people: a roster as Excel writes it: UTF-16, a byte order mark, semicolons, tabs, cells of several lines" {
    submissions '王小明.zip'
    for comma in ',' ';' $'\t'; do
        form=$((++forms))
        printf 'name%sid\r\n"王小明"%s"1\n2"\r\n' "$comma" "$comma" >plain.csv
        cp plain.csv "plain-$form.csv"
        (printf '\xef\xbb\xbf' && cat plain.csv) >"bom-$form.csv"
        iconv -f UTF-8 -t UTF-16 plain.csv >"utf-16-$form.csv"
        iconv -f UTF-8 -t UTF-16LE plain.csv >"bare-utf-16-$form.csv"
        (printf 'sep=%s\r\n' "$comma" && cat plain.csv) >"sep-$form.csv"
    done
    diff <(read_rosters ./*-[123].csv) <(for roster in ./*-[123].csv; do echo "${roster%.csv}: 1 2=王小明"; done)
    [ "$(echo ./*-[123].csv | wc -w)" -eq 15 ]
    cat plain.csv plain.csv | iconv -f UTF-8 -t UTF-16BE >twice.csv # a person once, and nobody is called name
    run -0 "$people" "$dir" --roster twice.csv
    [ "$(cells number)" = "1 2" ]
    printf 'name,id\nJos\xe9,1\n' >latin.csv
    submissions José.zip
    run -0 "$people" "$dir" --roster latin.csv
    [ "$(cells name)" = José ]
}

@test "people: a roster that cannot be read is refused with its line, and the one that was kept stays" {
    submissions jane.zip
    printf 'name,id\nJane,1\n' >good.csv
    run -0 "$people" "$dir" --roster good.csv
    number=0
    for bad in 'name,id\n"Jane,1\n' 'name,id\nJane\n' 'name,id\n"Jane"x,1\n' 'a,b\nJane,1\n' '' "name,id\\nJane,$(printf '%10001s' x)\\n" \
        'name,id\n\n"a\nb",1\nJ"ane,1\n' '%%PDF-1.4\n"' 'PK\003\004"x' '\320\317\021\340"'; do
        # shellcheck disable=SC2059  # they are formats
        printf "$bad" >"bad-$number.csv"
        ((++number))
    done
    run -0 read_rosters bad-*.csv
    [ "${#lines[@]}" -eq 10 ]
    for number in {0..9}; do [[ ${lines[number]} == "bad-$number: bad-$number.csv:"* ]]; done
    # What is no text is named as what it is.
    for number in 7 8 9; do [[ ${lines[number]} == *'.csv: this is a'*'and no CSV: save or export the table as CSV' ]]; done
    for number in 6 9; do
        run -2 "$people" "$dir" --roster "bad-$number.csv"
        [[ $output == "$PWD/bad-$number.csv:"* ]]
        [ "${#lines[@]}" -eq 1 ]
        cmp good.csv "$dir/roster.csv"
        [ "$(cells name)" = Jane ]
        [[ $number != 6 || $output == *':5: a quote'* ]]
    done
    run -0 "$people" "$dir"
    [ "$(cells name)" = Jane ]
}

@test "people: what there is to match is told also where nothing is left to do" {
    submissions jane.zip joe.zip
    run -0 "$people" "$dir"
    [[ $output == 'people: 2 submissions, and no roster to match with: --roster FILE '* ]]
    printf 'name,id\nJane,1\nJoe,2\n' >good.csv
    run -0 "$people" "$dir" --roster good.csv
    [ "$output" = 'people: 2 submissions, all of people in the roster, and nobody is missing' ]
    [ "$(stat -c %A "$dir/roster.csv" "$dir/people.tsv" | sort -u)" = -rw------- ]
}

@test "people: the assignment names the roster; the one that was kept counts where that is gone" {
    submissions 7.zip
    printf 'name,id\nJane,7\n' >class.csv
    echo "roster $PWD/class.csv" >"$dir/assignment"
    run -0 "$people" "$dir"
    [ "$(cells name)" = Jane ]
    rm class.csv
    run -0 "$people" "$dir"
    [ "$(cells name)" = Jane ]
    printf 'name,id\nJoan,7\n' >other.csv
    run -0 "$people" "$dir" --roster other.csv
    [ "$(cells name)" = Joan ]
}

# ---- matching ------------------------------------------------------------------------------------

@test "people: names match in any order, case, normal form and width, with and without accents, in every script" {
    printf 'name,id\n"Müller, Jürgen",1\nŁukasz Żółty,2\nΓιώργος Παπαδόπουλος,3\nИван Петров,4\nمحمد الأحمد,5\nדוד כהן,6\nराहुल शर्मा,7\n王小明,8\n山田 太郎,9\n김민준,10\nสมชาย ใจดี,11\nMary Ann van der Berg,12\n' >roster.csv
    submissions "$(printf 'ju\xcc\x88rgenmu\xcc\x88ller_1001_5_a.cu')" 'zolty lukasz.zip' 'ΓΙΩΡΓΟΣ ΠΑΠΑΔΟΠΟΥΛΟΣ_77_assignsubmission_file' 'петров_иван.tgz' 'الأحمدمحمد_1002_6_a.cu' \
        'כהן דוד.zip' 'शर्माराहुल_LATE_1003_7_b.zip' 王小明.zip 山田太郎_1004_8_a.zip 김민준 'ใจดี สมชาย' vanderbergmaryann_1005_9_a.cu
    run -0 "$people" "$dir" --roster roster.csv
    [[ $output == *"nobody is missing" ]]
    [ "$(people_json "$dir" | jq -r '[.[] | {(.submission): .number}] | add | [.s1, .s2, .s3, .s4, .s5, .s6, .s7, .s8, .s9, .s10, .s11, .s12] | join(" ")')" = "1 2 3 4 5 6 7 8 9 10 11 12" ]
    [ "$(people_json "$dir" | jq -r '.[] | select(.late_flag == "1") | .number')" = 7 ]
}

@test "people: vowels of scripts that write them as marks are no accents" {
    printf 'name,id\nराम,1\nरीमा,2\n' >roster.csv
    submissions रामा.zip
    run -1 "$people" "$dir" --roster roster.csv
    [[ ${lines[0]} == *'nobody in the roster fits'* ]]
}

@test "people: two of one name are told apart by what else is known, and else listed with both" {
    printf 'name,login,email\nWei Li,wli1,wei.li@x.edu\nWei Li,wli2,li.wei@x.edu\n' >roster.csv
    submissions wli2.zip
    run -1 "$people" "$dir" --roster roster.csv # the other handed in nothing
    [ "$(cells email)" = li.wei@x.edu ]
    submissions 'Li Wei_5_assignsubmission_file_'
    run -1 "$people" "$dir" --roster roster.csv
    [[ ${lines[0]} == 'people: submission s1 (Li Wei): several in the roster fit: Wei Li (wli1), Wei Li (wli2)' ]]
    [ "$(cells email)" = '' ]
}

@test "people: a participant of Moodle who is called like a group speaks for himself, and for no member" {
    printf 'Identifier,Full name,Email address,Group\nParticipant 11,Ann A,a@x.edu,Team A\nParticipant 13,Team A,mal@x.edu,\n' >roster.csv
    submissions 'Team A_13_assignsubmission_file_' 'Team A_99_assignsubmission_file_'
    run -0 "$people" "$dir" --roster roster.csv
    [ "$(matched)" = 's1=Team A|s2=Ann A' ]
}

@test "people: a login counts before an e-mail's first part, which counts as a login" {
    printf 'name,login,email\nAda A,smith,ada@x.edu\nBob B,b2,smith@y.edu\nCyd C,,cyd@y.edu\n' >roster.csv
    submissions smith.zip 'Lab_cyd_attempt_2026-02-03-23-59-58_lab.zip'
    run -1 "$people" "$dir" --roster roster.csv
    [ "$(matched)" = 's1=Ada A|s2=Cyd C' ]
}

@test "people: who handed in twice is listed with both, and is not among those who handed in nothing" {
    printf 'name,id\nJane Doe,1\nNo Show,2\n' >roster.csv
    submissions doejane_1_5_a.cu 'Jane Doe.zip'
    run -1 "$people" "$dir" --roster roster.csv
    [ "${#lines[@]}" -eq 3 ]
    [[ ${lines[0]} == *s1*': one person handed in several: s1, s2 (given the whole download, ./grade.sh makes one of them)' && ${lines[1]} == *s2* && ${lines[2]} == 'people: No Show (2): handed in nothing' ]]
}

@test "people: what fits nobody has a likely person: the only one who shares a part of the name" {
    printf 'name,login\nJonathan Smith,js1\nAna Sousa,as1\nPeter Parker,pp1\nMary Parker,mp1\n' >roster.csv
    submissions jonathan-smiht 'Ana Maria de Sousa Lima' parker xx
    run -1 "$people" "$dir" --roster roster.csv
    [[ ${lines[0]} == *'s1 (jonathan-smiht): nobody in the roster fits; likely Jonathan Smith' ]]
    [[ ${lines[1]} == *'; likely Ana Sousa' ]]
    [[ ${lines[2]} == *': nobody in the roster fits' && ${lines[3]} == *': nobody in the roster fits' ]] # two Parkers; nothing
    [ "$(cells likely)" = 'Jonathan Smith|Ana Sousa||' ]
}

@test "people: names of nothing but blanks, controls and signs match nobody by them, and no cell has a control character" {
    printf 'name,id\n" ",1\n"---",2\n"Bad\nTab\tEsc\x1b[31m\xe2\x80\xaeRight",3\n' >roster.csv
    submissions ___ '...' $'x\\ty' 3
    run -1 "$people" "$dir" --roster roster.csv
    [ "$(matched)" = 's4=Bad Tab Esc [31mRight' ]
    run -0 perl "$root/tests/controls.pl" <(tr '\t' '|' <"$dir/people.tsv")
    [ "$(awk -F '\t' '{ print NF }' "$dir/people.tsv" | sort -u)" = 13 ]
}

@test "people: without a roster each submission stands for its person, and records alone are submissions too" {
    printf '{"submission":"ada","step":"opt05_multiblock","kind":"step","verdict":"pass"}\n{"submission":"","step":"opt05_multiblock","kind":"step","verdict":"pass"}\n' >"$dir/results.jsonl"
    submissions 'Zoë.zip'
    run -0 "$people" "$dir"
    [[ $output == *"no roster to match with"* ]]
    [ "$(cells submission)" = 'ada|s1' ]
    [ "$(cells name)" = 'ada|Zoë' ]
}

@test "people: what is to be looked at stands on the class's page" {
    printf '{"submission":"s1","step":"opt05_multiblock","kind":"step","verdict":"wrong","device":{"kind":"cpu"}}\n' >"$dir/results.jsonl"
    printf 'name,id\nJonathan Smith,1\n' >roster.csv
    submissions 'jonathan smiht.zip'
    run -1 "$people" "$dir" --roster roster.csv
    run "$root/class/pages" "$dir"
    grep -F '>jonathan smiht</a>: nobody in the roster fits; likely Jonathan Smith' "$dir/index.html"
    grep -F 'by the number, login, e-mail or name of the roster' "$dir/index.html"
    # and what to type where a file was not known for a step
    run ! grep -F 'old/kernel.cu' "$dir/index.html"
    printf "s1\t/x/s1.zip\tno step of this lab: 'kernel.cu'\n" >"$dir/submissions.tsv"
    run "$root/class/pages" "$dir"
    grep -F '<code>file jdoe opt05 old/kernel.cu</code>' "$dir/index.html"
}

@test "people: wrong usage is told in one line" {
    for arguments in '' 'nowhere' 'results --roster' 'results --roster nowhere.csv' 'results other' '--colour'; do
        # shellcheck disable=SC2086
        run -2 "$people" $arguments
        [ "${#lines[@]}" -eq 1 ]
    done
}
