#!/usr/bin/env bats
# Texts of others (a submission's name, its files, what its steps print, what compilers quote of it, step.md, rosters)
# reach terminals and pages without what a terminal obeys and a reader cannot see. tests/controls.pl looks for that.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    work=$BATS_TEST_TMPDIR
    dir=$work/results
    export LABS=$work/labs RECORDED=$work/recorded
    mkdir -p "$dir/logs/mallory" "$LABS/opt05_multiblock" "$RECORDED" "$work/out"
    # As JSON, and as bytes: what is plain must come through, and what is not must not.
    plain='größer 日本語 👩‍👧 क्‍ष'
    escapes='\u0007\u001b[31m\u0085\u009b2J\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202evil\u202c\u2066\u2069\ufeff\ufff9\udb40\udc41 '$plain
    printf -v bytes '\x1b]0;x\x07\r\x7f\xc2\x85\xc2\x9b2J\xd8\x9c\xe2\x80\x8b\xe2\x80\x8e\xe2\x80\xa8\xe2\x80\xaevil\xe2\x81\xa6\xef\xbb\xbf\xf3\xa0\x81\x81 \x9b31m \xff\xc3 \xed\xa0\x80 %s' "$plain"
    unset NO_COLOR
}

# records TEXT: what a hostile step could have left of itself, beside this project's own version.
records() {
    jq -c '., (.submission = "mallory" | .verdict = "hazard"), (.submission = "mallory" + $odd | .verdict = "wrong" + $odd),
        (.submission = "trent" | .verdict = "flagged"), (.submission = "victor" | .verdict = "harness-error" | .problem = "opt_2dhisto"),
        (.submission = "peggy" | .verdict = "pass")' --arg odd ODD <<'JSON' | sed "s/ODD/$1/g"
{"submission":"","step":"opt05_multiblock","kind":"step","problem":"opt_2dhisto","input":"walk ODD","rows":10,"columns":20,
"verdict":"pass","intended":"pass","detail":"detail ODD","diagnosis":"diagnosis ODD","error":null,"more_hazards":3,
"hazards":[{"kind":"race-in-block","severity":"fault","array":"array ODD","index":1,"bytes":4,"note":"note ODD","places":[
  {"file":"file ODD","line":3,"source":"source ODD","does":"reads ODD","block":[0,0,0],"thread":[1,0,0],"host":false}]},
  {"kind":"leak","severity":"remark","array":"array ODD","index":null,"bytes":4,"note":"","places":[]}],
"device":{"kind":"gpu","name":"device ODD","driver":"driver ODD","uuid":"GPU-1","sms":132,"spec_gbps":4000},
"iterations":500,"calls":500,"scaled":false,"samples_s":[0.5,0.6],"median_s":0.5,"ci95_s":[0.4,0.6],"synced_s":1,
"reference_s":10,"speedup":20,"bytes":800,"gbps":1.5,"roof_gbps":3000,"roof_fraction":0.5,"seed":"1234567 ODD",
"notes":"notes ODD","source_sha256":"00 ODD","harness":"h ODD","machine":"m ODD","when":"2026-01-01T00:00:00Z ODD"}
JSON
}

# Every page and print of the records in $dir.
show_all() {
    local out=$work/out
    cp "$dir/results.jsonl" "$RECORDED/made-up.jsonl"
    for command in rows 'rows --all' table ladder; do
        # shellcheck disable=SC2086  # a command and its option
        report/$command "$dir/results.jsonl" >"$out/${command// /}" 2>"$out/${command// /}.err" || :
    done
    LOG=$dir/logs/mallory/opt05_multiblock.log report/one-step opt05_multiblock "$dir/results.jsonl" >"$out/one-step" 2>&1 || :
    report/journal "$dir/results.jsonl" "$out/journal" >"$out/journal.said" 2>&1 || :
    report/index "$dir/results.jsonl" "$out/page" >"$out/page.said" 2>&1 || :
    report/machines >"$out/machines" 2>&1 || :
    report/machines --check >"$out/machines-check" 2>&1 || :
    report/keep "$dir/results.jsonl" >"$out/keep" 2>&1 || :
    class/points "$dir" >"$out/points" 2>"$out/points.err" || :
    class/pages "$dir" >"$out/pages.said" 2>&1 || :
    class/export blackboard,canvas,csv,gradescope,moodle "$dir" --roster "$work/roster.csv" >"$out/export" 2>&1 || :
    mv "$dir/index.html" "$dir/feedback" "$dir/exports" "$out/"
}

# controls_in DIRECTORY: fails, and lists them, if any file but pictures of it has such characters.
controls_in() {
    find "$1" -type f ! -name '*.png' ! -name '*.pdf' -print0 | xargs -0 tests/controls.pl
}

with_texts_of_others() {
    printf 'title: %s\nidea: %s\nbuilds-on: %s\nbeats-roof: %s\n\n## Goal\n\twith a tab %s\n' "$bytes" "$bytes" "$bytes" "$bytes" "$bytes" \
        >"$LABS/opt05_multiblock/step.md"
    printf 'int a; // %s\n' "$bytes" >"$LABS/opt05_multiblock/opt_2dhisto.cu"
    printf 'x.cu:1: error: %s\n\tint a = %s;\n' "$bytes" "$bytes" >"$dir/logs/mallory/opt05_multiblock.log"
    printf 'trent opt05_multiblock clear reason %s\nnobody%s opt05_multiblock clear reason\n' "$bytes" "${bytes//[[:space:]]/_}" >"$dir/flags"
    printf 'id,login,email,name\n1,mallory,m@x,Mallory %s\n2,mallory,n@x,Second %s\n3,absent,a@x,"Absent %s"\n' "$bytes" "$bytes" "$bytes" >"$work/roster.csv"
    printf 'mallory\t/x\tnoticed %s\n' "$bytes" >"$dir/submissions.tsv"
}

@test "texts: no control character of a record, a log, step.md, flags or roster reaches a page or a terminal" {
    with_texts_of_others
    records "${escapes//\\/\\\\}" >"$dir/results.jsonl"
    show_all
    controls_in "$work/out"
    grep -qF "$plain" "$work/out/table"
    grep -qF "$plain" "$work/out/journal/journal.md"
    grep -qF "$plain" "$work/out/points"
    grep -rqF "$plain" "$work/out/feedback"
}

@test "texts: the same where a record's file holds the bytes themselves" {
    with_texts_of_others
    local utf8=${bytes//[$'\x1b\a\r\x7f']/}
    utf8=$(iconv -c -f UTF-8 -t UTF-8 <<<"$utf8")
    records ODD | ODD=$utf8 perl -pe 's/ODD/$ENV{ODD}/g' >"$dir/results.jsonl"
    # No record, since it is no UTF-8: what is said of it is plain, too.
    records ODD | ODD=${bytes//[$'\x1b\a\r\x7f']/} perl -pe 's/ODD/$ENV{ODD}/g' | head -n 1 >>"$dir/results.jsonl"
    show_all
    controls_in "$work/out"
    grep -qF "$plain" "$work/out/table"
    grep -qF 'bytes that are no UTF-8' "$work/out/table.err"
}

@test "texts: names in a submission, and the submission's own, in what intake and grade.sh say" {
    local odd=${bytes//\//_} out=$work/out
    mkdir -p "$work/$odd/$odd" "$work/empty$odd"
    echo 1 >"$work/$odd/$odd/$odd.cu"
    ln -s x "$work/$odd/${odd}2.cu"
    class/intake "$work/$odd" "$work/clean" >"$out/folder" 2>&1 || :
    class/intake "$work/empty$odd" "$work/clean" >"$out/empty" 2>&1 || :
    class/intake "$work/none$odd" "$work/clean" >"$out/none" 2>&1 || :
    tar -czf "$work/packed.tar.gz" -C "$work" "$odd"
    class/intake "$work/packed.tar.gz" "$work/clean" >"$out/packed" 2>&1 || :
    ./grade.sh "$work/none$odd" >"$out/grade" 2>&1 || :
    report/table "$work/none$odd" >"$out/table" 2>&1 || :
    grep -q 'no step file in it' "$out/folder"
    grep -q 'refused: it is empty' "$out/empty"
    grep -q 'there is no' "$out/none"
    grep -q 'a link' "$out/packed"
    controls_in "$out"
}

@test "texts: a script takes the letters of the caller's locale, and neither order, decimal point nor language" {
    mkdir "$work/common"
    cp common/prelude.sh "$work/common"
    printf '%s\n' '. "${BASH_SOURCE[0]%/*}/common/prelude.sh"' 'echo "${LC_ALL-none} $LC_CTYPE $LC_COLLATE $LC_NUMERIC $LC_MESSAGES"' >"$work/it"
    sed -i 's,/\.\.",",' "$work/common/prelude.sh" # the script stands at the tree's root
    said() { env -u LC_ALL -u LC_CTYPE -u LANG "$@" bash "$work/it" 2>/dev/null; }
    [ "$(said LANG=tr_TR.UTF-8 LC_NUMERIC=de_DE.UTF-8)" = 'none tr_TR.UTF-8 C C C' ]
    [ "$(said LANG=C LC_CTYPE=C.UTF-8)" = 'none C.UTF-8 C C C' ]
    [ "$(said LANG=C LC_ALL=tr_TR.UTF-8)" = 'none tr_TR.UTF-8 C C C' ]
    [ "$(said)" = 'none  C C C' ]
}

@test "texts: a script's own messages, whatever the locale" {
    for locale in C C.UTF-8; do
        run -2 env -u LC_ALL LANG="$locale" report/table "$work/none $bytes"
        [[ $output == *'cannot read'*"$plain"* ]]
        echo "$output" >"$work/out/said"
        controls_in "$work/out"
    done
}
