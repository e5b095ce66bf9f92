#!/usr/bin/env bats
# report/rows: which records are rows, and what stands in them.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    fixtures=tests/fixtures
    work=$BATS_TEST_TMPDIR
    export LABS=$work/labs
    mkdir -p "$LABS/opt02_one_block"
    printf 'title: One block\ngtx680: 38.807\n' >"$LABS/opt02_one_block/step.md"
    unset NO_COLOR
}

# record VERDICT [DETAIL_AS_JSON [KEY:VALUE,...]]: a record of opt02; later keys replace earlier ones.
record() {
    jq -c ". + {\"verdict\":\"$1\",\"detail\":${2-\"\"}} * {${3-}}" <<'JSON'
{"submission":"","step":"opt02_one_block","kind":"step","problem":"opt_2dhisto","input":"walk","rows":10,"columns":20,
"intended":"pass","diagnosis":null,"error":null,"device":{"kind":"gpu","name":"Made up","uuid":"GPU-1","sms":132,"spec_gbps":4000},
"iterations":500,"calls":500,"scaled":false,"samples_s":[0.5,0.6],"median_s":0.5,"ci95_s":[0.4,0.6],"synced_s":1,
"reference_s":10,"speedup":20,"bytes":800,"gbps":1.5,"roof_gbps":3000,"roof_fraction":0.0005,"seed":"18446744073709551615",
"notes":"","source_sha256":"00","when":"2026-01-01T00:00:00Z"}
JSON
}

# column NAME: that column of the rows on standard input, without the header.
column() {
    awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }'
}

# ---- which records, and what of them ---------------------------------------------------------------

@test "a header that names the columns, and one row for each record that counts" {
    { record wrong; record pass '""' '"input":"one"'; record pass; } >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    [ "$(wc -l <"$work/rows")" -eq 3 ]
    [ "$(awk -F '\t' '{ print NF }' "$work/rows" | sort -u | wc -l)" -eq 1 ]
    [ "$(column line <"$work/rows" | paste -sd ' ')" = '3 2' ] # the later one, in the earlier one's place
    [ "$(column verdict <"$work/rows" | paste -sd ' ')" = 'pass pass' ]
}

@test "--all: every record of every file, and which of them count" {
    { record wrong; record pass; } >"$work/r.jsonl"
    record flagged >"$work/a=b c.jsonl"
    report/rows --all "$work/r.jsonl" "$work/a=b c.jsonl" >"$work/rows"
    [ "$(column counts <"$work/rows" | paste -sd ' ')" = '0 0 1' ]
    [ "$(column line <"$work/rows" | paste -sd ' ')" = '1 2 1' ]
    [ "$(build/report rows --columns=verdict,samples --all "$work/r.jsonl")" = $'wrong\t\npass\t0.5 0.6' ]
    [ "$(column file <"$work/rows" | tail -n 1)" = "$work/a=b c.jsonl" ]
    cd "$work" # a file's name as the caller means it, where awk would see an assignment
    [ "$("$OLDPWD/report/rows" 'a=b c.jsonl' | wc -l)" -eq 2 ]
}

@test "seconds are of 1000 calls, and only what passed has a speed" {
    record pass >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    [ "$(column seconds <"$work/rows") $(column us <"$work/rows") $(column us_low <"$work/rows")" = '1 1000 800' ]
    [ "$(column speedup <"$work/rows") $(column synced_us <"$work/rows")" = '20 2000' ]
    [ "$(column gtx680_seconds <"$work/rows") $(column title <"$work/rows")" = '38.807 One block' ]
    for verdict in wrong nondeterministic hazard flagged; do
        record "$verdict" >"$work/r.jsonl"
        report/rows "$work/r.jsonl" >"$work/rows"
        for name in seconds us us_low us_high gbps speedup roof_fraction synced_us samples; do
            [ -z "$(column "$name" <"$work/rows")" ]
        done
        [ "$(column roof_gbps <"$work/rows")" = 3000 ]
    done
    [ "$(report/rows --flagged "$work/r.jsonl" | column us)" = 1000 ]
    record pass '""' '"device":{"kind":"cpu","name":"emulated"}' >"$work/r.jsonl"
    [ -z "$(report/rows --flagged "$work/r.jsonl" | column us)" ]
}

@test "what was not measured is an empty cell, never zero; true and false are 1 and 0" {
    record pass '""' '"median_s":null,"gbps":null,"error":null,"scaled":true' >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    for name in us gbps error speedup synced_us; do
        [ -z "$(column "$name" <"$work/rows")" ]
    done
    [ "$(column scaled <"$work/rows") $(column success <"$work/rows")" = '1 1' ]
    record wrong '""' '"intended":"wrong"' >"$work/r.jsonl"
    [ "$(report/rows "$work/r.jsonl" | column success)" = 1 ]
}

@test "any text is one cell on one line" {
    record crashed '"a\tb\nc\\d \\n \u001b[31m\u007f größer"' >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    [ "$(wc -l <"$work/rows")" -eq 2 ]
    [ "$(column detail <"$work/rows")" = 'a\tb\nc\\d \\n \x1B[31m\x7F größer' ]
}

@test "hazards of a record: how many of each; an old record has none" {
    report/rows --all "$fixtures/report-hazard.jsonl" >"$work/rows"
    [ "$(column faults <"$work/rows" | paste -sd ' ')" = '3 0 1' ]
    [ "$(column remarks <"$work/rows" | paste -sd ' ')" = '1 4 0' ]
    [ "$(column more_hazards <"$work/rows" | paste -sd ,)" = ',,12' ]
    { record pass; record pass '""' '"hazards":[],"input":"none"'; } >"$work/r.jsonl"
    [ "$(report/rows "$work/r.jsonl" | column faults | paste -sd ,)" = ',0' ]
}

@test "counters and predictions: times of one call, and nothing in the columns of what was measured" {
    report/rows "$fixtures/report-predicted.jsonl" >"$work/rows"
    [ "$(awk -F '\t' '{ print NF }' "$work/rows" | sort -u | wc -l)" -eq 1 ]
    [ "$(column predicted_us <"$work/rows" | sed -n 2p)" = 8526 ]
    [ "$(column predicted_low_us <"$work/rows" | sed -n 2p),$(column predicted_high_us <"$work/rows" | sed -n 2p)" = 6821,10660 ]
    [ "$(column counted_gpu <"$work/rows" | sed -n 2p) $(column counted_rows <"$work/rows" | sed -n 2p)" = 'h200 4096' ]
    for name in seconds us us_low speedup gbps roof_fraction samples; do
        [ -z "$(column "$name" <"$work/rows" | tr -d '\n')" ]
    done
}

@test "a step that has not succeeded has no predicted time; one that is there to show it has" {
    local record
    record=$(sed -n 2p "$fixtures/report-predicted.jsonl")
    echo "${record/'"verdict":"pass"'/'"verdict":"wrong"'}" >"$work/r.jsonl"
    for name in predicted_us predicted_low_us predicted_gpu predicted_limit predicted_with; do
        [ -z "$(report/rows "$work/r.jsonl" | column "$name")" ]
    done
    echo "${record/'"verdict":"pass"'/'"verdict":"wrong","intended":"wrong"'}" >"$work/r.jsonl"
    [ "$(report/rows "$work/r.jsonl" | column predicted_us)" = 8526 ]
}

@test "a list of objects that is cut short is no record" {
    for broken in '{"kind":"leak"' '{"kind":"leak"},' '{"kind":"leak"} {}' '{"kind":"leak","places":[{"line":}]}'; do
        printf '{"step":"x","hazards":[%s]}\n' "$broken" >"$work/r.jsonl"
        run -2 report/rows "$work/r.jsonl"
    done
}

@test "a line that is no record: file and line, exit 2, and the rows of the others; skipped broken lines are silent" {
    { record pass; printf '{"submission":"","st\n'; record wrong '""' '"input":"one"'; } >"$work/r.jsonl"
    run -2 --separate-stderr report/rows "$work/r.jsonl"
    [ "${#lines[@]}" -eq 3 ]
    # shellcheck disable=SC2154  # set by run
    [[ $stderr == "$work/r.jsonl:2: not a record: "* ]]
    run -0 --separate-stderr build/report rows --skip-broken "$work/r.jsonl"
    [ "${#lines[@]}" -eq 3 ]
    [ -z "$stderr" ]
    for _ in {1..15}; do echo '{'; done >"$work/r.jsonl"
    run -2 --separate-stderr report/rows "$work/r.jsonl"
    [ -z "$output" ]
    [ "$(wc -l <<<"$stderr")" -eq 11 ]
    [[ $stderr == *'5 more lines are no records' ]]
    run -2 report/rows "$work/none.jsonl"
    run -2 report/rows "$fixtures/report-empty.jsonl"
    run -2 report/rows --alll "$work/r.jsonl"
    run -2 report/rows
    [ "${#lines[@]}" -eq 1 ]
}

@test "a record of a newer version: refused, with the histolab that wrote it and what to do; those of older versions are rows" {
    local newest
    newest=$(sed -n 's/^VERSION(\([0-9]*\))$/\1/p' common/record.def)
    { record pass; record pass '""' "\"input\":\"one\",\"schema\":$newest"
        record pass '""' "\"input\":\"two\",\"schema\":$((newest + 1)),\"histolab\":\"0.10.0\""; } >"$work/r.jsonl"
    run -2 --separate-stderr report/rows "$work/r.jsonl"
    [ "${#lines[@]}" -eq 3 ]
    [[ $stderr == "$work/r.jsonl:3: a record of version $((newest + 1)), written by histolab 0.10.0, and this histolab reads"* ]]
    [[ $stderr == *"up to version $newest. It is passed over: read it with a histolab that is as new." ]]
    run -0 --separate-stderr build/report rows --skip-broken "$work/r.jsonl"
    [ "${#lines[@]}" -eq 3 ]
    [[ $stderr == *"written by histolab 0.10.0"* ]]
    echo "{\"schema\":$((newest + 1))}" >"$work/r.jsonl" # whatever else it has, or has no more
    run -2 --separate-stderr report/rows "$work/r.jsonl"
    [[ $stderr == *":1: a record of version $((newest + 1)), written by histolab ?, and"* ]]
}

@test "a field that cannot be, a name that is a path, JSON that only some readers know: no record" {
    local bad
    for bad in '"rows":"a\tb"' '"rows":-1' '"rows":1e999' '"median_s":[1]' '"hazards":5000000000' '"hazards":"1"' '"samples_s":"1 2"' \
        '"accesses":3' '"accesses":[{"line":"x"}]' '"launches":[{"blocks":-1}]' '"predicted_shares":{"dram":"all"}' '"predicted_s":"1"' \
        '"ci95_s":[-1,2]' '"scaled":"yes"' '"device":{"sms":"132"}' '"hazards":[{"places":7}]' '"step":"../../x"' '"step":".."' \
        '"problem":"../x"' '"detail":"\ud8"' '"detail":"\q"' "\"detail\":\"$(printf '\001')\"" "$(printf '"x":{"x":%.0s' {1..9})"; do
        printf '{"step":"x",%s}\n' "$bad" >"$work/r.jsonl"
        record pass >>"$work/r.jsonl"
        run -2 --separate-stderr report/rows "$work/r.jsonl"
        [ "${#lines[@]}" -eq 2 ]
        [[ $stderr == "$work/r.jsonl:1: not a record: "* ]]
    done
    printf '{"step":"x","detail":"a\0b"}\n' >"$work/r.jsonl"
    run -2 report/rows "$work/r.jsonl"
    # Fields of a later harness say nothing here, and can be no column that is computed here.
    printf '{"step":"x","counts":7,"us_low":"a\\tb","seconds":1,"new":{"a":1}}\n' >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    [ "$(column counts <"$work/rows")$(column us_low <"$work/rows")$(column seconds <"$work/rows")" = 1 ]
}

@test "long texts, long numbers and long gaps are read whole" {
    local long blanks
    long=$(printf 'x\\n%.0s' {1..3000})
    blanks=$(printf '%5000s' '')
    record pass "\"$long\"" | sed "s/\"rows\":10/\"rows\":$blanks 10$(printf '.%0900d' 0)/; s/,\"when\"/$blanks,$blanks\"when\"/; s/\$/$blanks/" >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    [ "$(column detail <"$work/rows")" = "$long" ]
    [ "$(column rows <"$work/rows") $(column when <"$work/rows")" = '10 2026-01-01T00:00:00Z' ]
}

@test "what a call has to write counts where the record says so: for the roof too, and for what it is compared with" {
    { record pass '""' '"written_bytes":400'; record pass '""' '"step":"read_plain","kind":"read","gbps":null'; } >"$work/r.jsonl"
    [ "$(report/rows "$work/r.jsonl" | column bytes | paste -sd ' ')" = '1200 1200' ]
    # 1000 reads of 1200 bytes at 3000 GB/s take 0.4 us; the reference takes 20 s.
    [ "$(report/rows "$work/r.jsonl" | column roof_speedup | paste -sd ' ')" = '50000000 50000000' ]
    record pass >"$work/without.jsonl"
    [ "$(report/rows "$work/without.jsonl" | column bytes)" = 800 ]
}

@test "only build/report reads the JSON of records" {
    run grep -rlE 'parse_record|lib/json|results\.jsonl.*\| *jq|jq .*results\.jsonl' report class desk experiments common --include='*' \
        --exclude='*.md' --exclude-dir=recorded
    [ -z "$output" ]
}
