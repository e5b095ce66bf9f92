#!/usr/bin/env bats
# What learning platforms let an instructor download, as arguments of grade.sh: class/lms/, class/people, class/intake.
# tests/class/lms-download makes the downloads; nothing is graded.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." build/grades
}

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR" || return
    out=$BATS_TEST_TMPDIR/results
    mkdir "$out"
}

download() {
    "$root/tests/class/lms-download" "$@"
}

# take ARGUMENT...: as grade.sh does. The submissions end up in $out/submissions.tsv, their paths in paths.
take() {
    CALLER=$PWD TZ=Europe/Berlin perl "$root/class/lms/take.pl" "$out" "$@" 2>said | tr '\0' '\n' >paths
    awk -F / '{ print $NF "\t" $0 "\t" }' paths >"$out/submissions.tsv"
}

# A .zip with one empty file, whose name is these bytes.
empty_zip() {
    # shellcheck disable=SC2059  # it is a format
    NAME=$(printf "$1") perl -e '$name = $ENV{NAME};
        $said = pack("v v v v v V V V v v", 20, 0, 0, 0, 0x5c21, 0, 0, 0, length $name, 0);
        $central = "PK\1\2" . pack("v", 20) . $said . pack("v v v V V", 0, 0, 0, 0, 0) . $name;
        print "PK\3\4$said$name$central", "PK\5\6", pack("v v v v V V v", 0, 0, 1, 1, length $central, 30 + length $name, 0)'
}

# Everybody of the roster is matched, and has the files that were theirs.
everybody() {
    run -0 "$root/class/people" "$out" --roster "$1/roster.csv"
    [[ $output == "people: "*" submissions, all of people in the roster, and nobody is missing" ]]
    [ "$(awk -F '\t' 'NR > 1' "$out/people.tsv" | wc -l)" -eq 30 ]
    # Of each key the last in order; archives in it are not compressed.
    awk -F '\t' -v here="$out/handed-in/" '
        NR == FNR { key = what = substr($0, length(here) + 1); sub("/.*", "", key); sub(".*opt05: of ", "", what)
            if (what "" > last[key] "") last[key] = what; next }
        FNR > 1 { print $3 "\t" last[$1] }' <(grep -aroE 'opt05: of [0-9]+( again)?' "$out/handed-in") "$out/people.tsv" | sort | diff - "$1/expected"
}

# people_json DIR: what class/people has written there, as an array of objects.
people_json() {
    jq -Rn '[inputs / "\t"] | .[0] as $names | .[1:] | map([$names, .] | transpose | map({(.[0]): .[1]}) | add)' <"$1/people.tsv"
}

@test "lms: of every platform's download, folder and .zip, everybody is matched with the roster; when, late, how often is told where the platform tells" {
    for platform in canvas moodle moodle-flat gradescope blackboard github; do
        download "$platform" "$platform" bare
        echo "$platform"
        if [ "$platform" != github ]; then
            take "$platform/download"
            everybody "$platform"
        fi
        mv "$out" "as folder of $platform" && mkdir "$out"
        take "$platform"/download.zip
        everybody "$platform"
        people_json "$out" >"$platform.json"
        cp -r "$out/handed-in/.notes" "$platform.notes"
        [ ! -e "as folder of $platform/people.tsv" ] || diff -r "as folder of $platform/people.tsv" "$out/people.tsv"
        rm -rf "$out" && mkdir "$out"
    done
    jq -e 'map(select(.late_flag == "1") | .number) | sort == ["300104", "300111", "300118", "300125"]' canvas.json
    jq -e 'all(.late_flag == "1" or .late_flag == "0")' canvas.json # it says so of everybody
    jq -e 'all(.handed_in == "" and .attempts == "1")' canvas.json
    jq -e 'all(.handed_in == "2026-02-04T22:59:00Z")' moodle.json # 23:59 in Berlin
    jq -e 'all(.handed_in == "2026-02-04T04:05:06Z") and (map(.attempts | tonumber) | unique == [1, 2, 3]) and ([.[].name] | index("forged") | not)' gradescope.json
    jq -e 'map(.submission) | length == 30 and (unique | length == 29) and index("gpapa11+mahmad12")' gradescope.json # two handed in together
    jq -e 'map(select(.number == "300103")) == [{submission: "zmuell3", name: "Zoë Müller-Lüdenscheidt", number: "300103", canvas: "", login: "zmuell3", email: "",
        section: "", handed_in: "2026-02-04T22:59:58Z", late_flag: "", attempts: "3", why: "", likely: "", answer: ""}]' blackboard.json
    grep -qx 'note: attempt of 2026-02-03-23-59-58 does not count: a later one does' blackboard.notes/zmuell3
    jq -e 'all(.handed_in == "2026-02-04T04:05:06Z")' github.json
}

@test "lms: names in a .zip, by flag 11, without it, by Info-ZIP's field, and in code page 437" {
    for names in flag bare field; do
        download canvas "$names" "$names"
        rm -rf "$out" && mkdir "$out"
        take "$names/download.zip"
        everybody "$names"
        cut -f 1,5 "$out/handed-in.tsv" >"$names.names"
    done
    grep -q $'\tმელიქიძენინო$' flag.names
    cmp flag.names bare.names
    cmp flag.names field.names
    cmp field/roster.csv flag/roster.csv
    run ! cmp -s field/download.zip flag/download.zip
    download blackboard cp437 cp437
    rm -rf "$out" && mkdir "$out"
    take cp437/download.zip
    everybody cp437 # its files have ASCII names; what is in the texts is UTF-8
    empty_zip 'jos\x82mu\xa4oz_4711_99_opt05.cu' >dos.zip
    rm -rf "$out" && mkdir "$out"
    take dos.zip
    [ "$(sed -n 2p "$out/handed-in.tsv" | cut -f 1,5)" = $'josemunoz-4711\tjosémuñoz' ]
}

@test "lms: what a group handed in on Moodle is each member's, and the group's number is no participant's" {
    mkdir -p 'moodle/Team A_11_assignsubmission_file' 'moodle/Cyd C_13_assignsubmission_file'
    for folder in moodle/*; do echo x >"$folder/opt05.cu"; done
    printf 'Identifier,Full name,Email address,Group\nParticipant 11,Zed Z,z@x.edu,\nParticipant 12,Ada A,a@x.edu,Team A\nParticipant 13,Cyd C,c@x.edu,\nParticipant 14,Bob B,b@x.edu,Team A\n' |
        tee moodle/worksheet.csv >roster.csv
    take moodle
    run -1 "$root/class/people" "$out" --roster roster.csv
    [ "$output" = 'people: Zed Z (z@x.edu): handed in nothing' ]
    [ "$(cut -f 1,2 "$out/people.tsv" | tail -n +2 | tr '\t\n' '=|')" = 'Team_A-11=Ada A|Team_A-11=Bob B|c=Cyd C|=Zed Z|' ]
}

@test "lms: ids are safe, and stay the same for the same person, whoever else hands in and whatever else becomes known" {
    [ "$(perl -I"$root/class/roster" -Mutf8 -e 'use Text qw(plain); print plain("Łukasz Øst Þór Đorđe ıI Ælf")')" = 'Lukasz Ost Thor Dorde iI Aelf' ]
    download canvas first
    take first/download
    cut -f 1 "$out/handed-in.tsv" | tail -n +2 >before
    [ "$(sort -u before | wc -l)" -eq 30 ]
    run ! grep -vE '^[A-Za-z0-9][A-Za-z0-9._@+-]*$' before
    # A second download: with a newcomer of the same key, the roster beside it, and without most others.
    mkdir second && cp first/download/*_5010[1-3]_* second
    echo x >second/doejane_7_1_opt05.cu
    cp first/roster.csv second/roster.csv
    take second
    diff before <(cut -f 1 "$out/handed-in.tsv" | tail -n +2 | grep -v '^doejane-7$')
    [ "$(wc -l <paths)" -eq 4 ]
    run ! grep -v "^$out/handed-in/" paths
}

@test "names: a submission whose name has no ASCII letter gets an id of its own, whoever else is there" {
    ids_of() {
        bash -c 'declare -A path_of=(); . "$0"; for path; do make_id "$path"; path_of[$id]=$path; echo "$id"; done' \
            "$root/class/grading/names.sh" "$@"
    }
    run -0 ids_of 王小明.zip 张伟.zip 'Zoë Neil.tgz' alice.cu
    [ "${lines[0]}" != "${lines[1]}" ]
    [[ ${lines[0]} =~ ^id-[0-9a-f]{10}$ && ${lines[1]} =~ ^id-[0-9a-f]{10}$ ]]
    [ "${lines[2]} ${lines[3]}" = 'Zo___Neil alice' ]
    first=${lines[0]} second=${lines[1]}
    run -0 ids_of 张伟.zip 李娜.zip 王小明.zip
    [ "${lines[0]} ${lines[2]}" = "$second $first" ]
}

@test "lms: of two downloads the later attempt counts" {
    download gradescope old && download gradescope new
    sed -i 's/2026-02-04/2026-02-09/' new/download/*/submission_metadata.yml
    echo '// new' >>new/download/*/submission_200007/opt05.cu
    for order in 'old new' 'new old'; do
        # shellcheck disable=SC2086
        set -- $order
        take "$1/download" "$2/download"
        [ "$(tail -n 1 "$out/handed-in/mvanderb2/opt05.cu")" = '// new' ]
        grep -qP '^mvanderb2\t.*\t2026-02-09T04:05:06Z\t\t4$' "$out/handed-in.tsv"
    done
}

@test "lms: what is no download of a class stays as it is" {
    mkdir -p alice/opt05_multiblock 'doejane_1_2_lab' submissions_1
    cp "$root/labs/opt05_multiblock/opt_2dhisto.cu" alice/opt05_multiblock
    (cd alice && bsdtar --format zip -cf ../doejane_4711_99_lab.zip .)
    echo no >broken.zip
    take alice doejane_4711_99_lab.zip broken.zip doejane_1_2_lab submissions_1 nowhere
    [ "$(paste -sd ' ' paths)" = 'alice doejane_4711_99_lab.zip broken.zip doejane_1_2_lab submissions_1 nowhere' ]
    [ ! -s said ] && [ ! -e "$out/handed-in" ]
}

@test "lms: a student who hands in what looks like a download of a class speaks for nobody else" {
    mkdir mallory alice && echo x | tee mallory/doejane_4711_99_opt05.cu >alice/opt05.cu
    (cd mallory && bsdtar --format zip -cf ../mallory.zip .)
    take alice mallory.zip
    [ "$(paste -sd ' ' paths)" = 'alice mallory.zip' ]
    [[ $(<said) == 'grade.sh: mallory.zip: looks like a download of a whole class by canvas, and is taken as one submission, as those beside it; if it is'* ]]
    take "$PWD/mallory.zip" # later, alone: it was a submission before
    [ "$(<paths)" = "$PWD/mallory.zip" ]
    rm "$out/submissions.tsv"
    take mallory.zip
    [ "$(<said)" = 'grade.sh: mallory.zip: a download by canvas, of 1 submission' ]
}

@test "lms: names and tables that students hand in say nothing of who they are" {
    mkdir canvas moodle blackboard
    printf 'Student,ID,SIS User ID,SIS Login ID\n"Doe, Jane",666,s1,jdoe\n' | tee canvas/mallory_666_1_data.csv >'moodle/Mallory M_666_assignsubmission_file_data.csv'
    echo x | tee canvas/mallory_666_2_4711_99_opt05.cu 'moodle/Mallory M_666_assignsubmission_file_Jane Doe_4711_assignsubmission_file_opt05.cu' \
        >'blackboard/Lab 3_mallory_attempt_2026-02-03-23-59-58_Lab 3_jdoe_attempt_2026-02-04-23-59-58_opt05.cu'
    printf 'Name: Mal (jdoe) (mallory)\nAssignment: x\nName: Jane (jdoe)\n' >'blackboard/Lab 3_mallory_attempt_2026-02-03-23-59-58.txt'
    for platform in canvas moodle blackboard; do
        rm -rf "$out" && mkdir "$out"
        take "$platform"
        cut -f 5-9 "$out/handed-in.tsv" | tail -n +2
    done >told
    diff - told <<<$'mallory\t\t666\t\t\nMallory M\t\t666\t\t\nMal (jdoe)\t\t\tmallory\t'
}

@test "lms: links, paths that lead out, and too much are left out of what one person handed in; the others are taken" {
    download gradescope made
    export=$(echo made/download/*)
    ln -s /etc/passwd "$export/submission_200000/link.cu"
    mkdir "$export/submission_200000/opt05.cu" && echo x >"$export/submission_200000/opt05.cu/y.cu"
    truncate -s 300M "$export/submission_200007/huge.zip"
    take "$export"
    [ "$(wc -l <paths)" -eq 29 ]
    [ ! -e "$out/handed-in/jdoe1/link.cu" ]
    grep -qx "'huge.zip' is left out: too much was handed in" "$out/handed-in/.notes/mvanderb2"
    [ -e "$out/handed-in/mvanderb2/opt05.cu" ]
    empty_zip '../../escaped_4711_99_opt05.cu' >dots.zip
    take dots.zip
    [ "$(<paths)" = dots.zip ] # for class/intake, which refuses it
}

@test "lms: a file of a download that becomes a link once it has been listed is left out, and the others are taken" {
    mkdir -p clones/lab3-jane clones/lab3-bob && echo secret >secret
    printf 'identifier,github_username,github_id,name\nj,jane,,\nb,bob,,\n' >clones/classroom_roster.csv
    echo x | tee clones/lab3-jane/opt05.cu clones/lab3-bob/opt05.cu clones/lab3-bob/opt06.cu >/dev/null
    # What happens between the listing and the copying, in place of a student who waits for that moment.
    perl -I"$root/class/archives" -I"$root/class/roster" -MDownload -e '
        my $download = Download->open("clones");
        unlink "clones/lab3-bob/opt06.cu"; symlink "../../secret", "clones/lab3-bob/opt06.cu";
        rename "clones/lab3-jane", "jane"; symlink "../jane", "clones/lab3-jane";
        for my $path (sort grep { /cu$/ } $download->files) { print join(": ", $download->copy($path, "copied-" . $path =~ s{/}{-}r)), "\n" }' >told
    diff - told <<<$'lab3-bob/opt05.cu: \nlab3-bob/opt06.cu: it is no file, or a link leads to it\nlab3-jane/opt05.cu: it is no file, or a link leads to it'
    run ! grep -rq secret . --include='copied-*'
}

@test "lms: what each kind of hand-in becomes: loose files, archives beside them, the last of several" {
    download canvas canvas
    take canvas/download
    for key in doejane-50101 vanderbergmaryann-50102 mullerludenscheidtzoe-50103 zoltylukasz-50104 oneillsean-50105; do
        run -0 "$root/class/intake" --uploads "$out/handed-in/$key" "$BATS_TEST_TMPDIR/clean/$key"
        run ! grep -vE "^intake: (note: |not graded: 'report.pdf'\$|not graded: 'my lab/report.txt'\$)" <<<"$output"
    done
    for number in 300101 '300102 again' 300103 300104 300105; do echo "/* opt05: of $number */"; done |
        diff - <(cd clean && head -qn 1 {doe,van,mul,zol,one}*/labs/opt05_multiblock/opt_2dhisto.cu)
    [ "$(echo clean/*/labs/opt06*/*.cu)" = 'clean/oneillsean-50105/labs/opt06_builtin_min/opt_2dhisto.cu clean/zoltylukasz-50104/labs/opt06_builtin_min/opt_2dhisto.cu' ]
}

# clones FOLDER...: GitHub's clones of one assignment, in the folder that the platform's program makes.
clones() {
    rm -rf lab3-submissions && mkdir lab3-submissions
    printf 'login,name\n%s\n' 'jane,Jane Doe' 'bob,Bob Roe' >roster.csv
    for folder; do mkdir "lab3-submissions/$folder" && echo "$folder" >"lab3-submissions/$folder/opt05.cu"; done
}

@test "lms: names match whole: who is on no roster never takes the place of somebody whose login theirs ends in" {
    clones lab3-jane lab3-x-jane lab3-bob
    take lab3-submissions
    [ "$(cat "$out"/handed-in/{jane,x-jane,bob}/opt05.cu | paste -sd ' ')" = 'lab3-jane lab3-x-jane lab3-bob' ]
    run -1 "$root/class/people" "$out" --roster roster.csv
    [[ $output == 'people: submission x-jane: nobody in the roster fits'* && ${#lines[@]} -eq 1 ]]
    # Other clones in a folder are no download of the platform's.
    mkdir other && mv lab3-submissions/lab3-jane lab3-submissions/lab3-bob other
    take other
    [ "$(<paths)" = other ]
    # Blackboard, where the text about an attempt is missing, or all that is given are the files.
    mkdir blackboard
    for login in jane x_jane bob; do
        echo "$login" >"blackboard/Lab 3_${login}_attempt_2026-02-03-23-59-58_opt05.cu"
        [ "$login" = x_jane ] || echo "Name: Some Body ($login)" >"blackboard/Lab 3_${login}_attempt_2026-02-03-23-59-58.txt"
    done
    rm -rf "$out" && mkdir "$out"
    take blackboard
    [ "$(cat "$out"/handed-in/{jane,bob}/opt05.cu | paste -sd ' ')" = 'jane bob' ]
    grep -qx "nobody can tell where the login in 'Lab 3_x_jane' begins: the text about this attempt is missing" "$out"/handed-in/.notes/*
    rm -rf "$out" && mkdir "$out"
    printf '%s\n' blackboard/*.cu | awk '{ print "s" NR "\t" $0 "\t" }' >"$out/submissions.tsv"
    run -1 "$root/class/people" "$out" --roster roster.csv
    [[ $output == 'people: submission s3'*': nobody in the roster fits'* && ${#lines[@]} -eq 1 ]]
}

@test "lms: two hand-ins of one download that look like one person's are asked about, and both are kept" {
    clones lab3-jane lab3-Jane lab3-bob
    take lab3-submissions
    [ "$(sort "$out"/handed-in/*/opt05.cu | paste -sd ' ')" = 'lab3-Jane lab3-bob lab3-jane' ]
    grep -qx "nobody can tell whose this is: 'Jane' looks like the same person's" "$out"/handed-in/.notes/*
    run -1 "$root/class/people" "$out" --roster roster.csv
    [ "$(grep -c ': one person handed in several: ' <<<"$output")" -ge 1 ]
}
