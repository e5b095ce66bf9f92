#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# report/rows, and what the views share (report/lib): how rows are read, numbers compared and pages written.

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

# lib PROGRAM: run an awk program of a view over the rows on standard input.
lib() {
    printf '%s\n' "$1" >"$work/view.awk"
    bash -c '. common/prelude.sh; . report/lib/views.sh; view "$0"' "$work/view.awk"
}

# each_awk COMMAND...: prints the same with every awk that is here.
each_awk() {
    local awk expected
    expected=$("$@")
    for awk in mawk gawk 'gawk --posix' 'busybox awk' original-awk; do
        command -v "${awk%% *}" >/dev/null || continue
        # busybox may have been built without it
        [ -z "${needs_log-}" ] || $awk 'BEGIN { exit log(1) }' 2>/dev/null || continue
        mkdir -p "$work/bin"
        printf '#!/bin/sh\nexec %s "$@"\n' "$awk" >"$work/bin/awk"
        chmod +x "$work/bin/awk"
        PATH=$work/bin:$PATH run "$@"
        [ "$output" = "$expected" ] || { echo "$awk: $output"; return 1; }
    done
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
        for name in seconds us us_low us_high gbps speedup roof_fraction synced_us whole_us samples; do
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

@test "any text is one cell on one line, and comes back as it was" {
    record crashed '"a\tb\nc\\d \\n \u001b[31m\u007f größer"' >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    [ "$(wc -l <"$work/rows")" -eq 2 ]
    [ "$(column detail <"$work/rows")" = 'a\tb\nc\\d \\n \x1B[31m\x7F größer' ]
    print_detail() { lib 'END { print cell(1, "detail") }' <"$work/rows"; }
    [ "$(print_detail)" = $'a\tb\nc\\d \\n \e[31m\x7f größer' ]
    each_awk print_detail
}

@test "hazards of a record: how many of each, and all of them in one cell; an old record has none" {
    report/rows --all "$fixtures/report-hazard.jsonl" >"$work/rows"
    [ "$(column faults <"$work/rows" | paste -sd ' ')" = '3 0 1' ]
    [ "$(column remarks <"$work/rows" | paste -sd ' ')" = '1 4 0' ]
    [ "$(column more_hazards <"$work/rows" | paste -sd ,)" = ',,12' ]
    shown() {
        lib 'END {
            read_hazards(1)
            print hazards, hazard[1, "places"], hazard[1, 1, "source"], hazard[4, 2, "thread"]
            print hazard_in_short(1)
            print hazard_in_short(3)
            print hazard_place(1, 2), hazard_place(3, 1)
            read_hazards(2)
            print hazards, hazard[3, "places"], hazard_in_short(3)
            read_hazards(3)
            print hazards, hazard_place(1, 1), hazard_title(1)
        }' <"$work/rows"
    }
    [ "$(shown)" = '4 2 atomicAdd(&partial[value], 1); 1 0 0
race-in-block on partial[17]: opt_2dhisto.cu:17 adds to, opt_2dhisto.cu:12 writes
leak on memory of cudaMalloc: opt_2dhisto.cu:37 was allocated (4096 bytes)
labs/opt05_multiblock/opt_2dhisto.cu:12: writes (thread 17 of block 2) labs/opt05_multiblock/opt_2dhisto.cu:37: was allocated (on the host)
4 0 transfers-in-call
1 an unknown line: writes (thread (31,31,0) of block (1,2,3)) out-of-bounds on element -1 of a [2J <b>|`' ]
    each_awk shown
    { record pass; record pass '""' '"hazards":[],"input":"none"'; } >"$work/r.jsonl"
    [ "$(report/rows "$work/r.jsonl" | column faults | paste -sd ,)" = ',0' ]
    [ -z "$(report/rows "$work/r.jsonl" | column hazards | tr -d '\n')" ]
}

@test "counters and predictions: a cell for each list, times of one call, and nothing in the columns of what was measured" {
    report/rows "$fixtures/report-predicted.jsonl" >"$work/rows"
    [ "$(awk -F '\t' '{ print NF }' "$work/rows" | sort -u | wc -l)" -eq 1 ]
    [ "$(column predicted_us <"$work/rows" | sed -n 2p)" = 8526 ]
    [ "$(column predicted_low_us <"$work/rows" | sed -n 2p),$(column predicted_high_us <"$work/rows" | sed -n 2p)" = 6821,10660 ]
    [ "$(column counted_gpu <"$work/rows" | sed -n 2p) $(column counted_rows <"$work/rows" | sed -n 2p)" = 'h200 4096' ]
    for name in seconds us us_low speedup gbps roof_fraction samples; do
        [ -z "$(column "$name" <"$work/rows" | tr -d '\n')" ]
    done
    shown() {
        lib 'END {
            print read_list(2, "launches", l), l[1, "kernel"], l[1, "grid"], "(" l[1, "registers"] ")", l[1, "hot_adds"]
            print read_list(2, "accesses", a), a[1, "source"], a[2, "space"], a[2, "most"] + 1
            read_shares(2, share)
            print share["latency"], share["dram"], ("issue" in share)
            print read_list(5, "accesses", a), cell(5, "verdict"), num(5, "predicted_us")
        }' <"$work/rows"
    }
    [ "$(shown)" = '1 opt_2dhisto_kernel 1 () 264
2 uint32_t value = input[i]; shared 33
1 0.00165 0
0 wrong ' ]
    each_awk shown
}

@test "a step that has not succeeded has no predicted time; one that is there to show it has" {
    local record
    record=$(sed -n 2p "$fixtures/report-predicted.jsonl")
    echo "${record/'"verdict":"pass"'/'"verdict":"wrong"'}" >"$work/r.jsonl"
    for name in predicted_us predicted_low_us predicted_gpu predicted_limit predicted_shares predicted_with; do
        [ -z "$(report/rows "$work/r.jsonl" | column "$name")" ]
    done
    [ -n "$(report/rows "$work/r.jsonl" | column accesses)" ]
    echo "${record/'"verdict":"pass"'/'"verdict":"wrong","intended":"wrong"'}" >"$work/r.jsonl"
    [ "$(report/rows "$work/r.jsonl" | column predicted_us)" = 8526 ]
}

@test "a list of objects that is cut short is no record" {
    for broken in '{"kind":"leak"' '{"kind":"leak"},' '{"kind":"leak"} {}' '{"kind":"leak","places":[{"line":}]}'; do
        printf '{"step":"x","hazards":[%s]}\n' "$broken" >"$work/r.jsonl"
        run -2 report/rows "$work/r.jsonl"
    done
}

@test "--step: the records of these steps, with their lines; of the others nothing is read" {
    {
        record pass '""' step:\"opt01\"
        record wrong '"no \"step\":\"opt09\" here"'
        echo '{"step" : "opt03", broken'
        record pass '""' step:\"opt04\"
    } >"$work/r.jsonl"
    run -0 --separate-stderr report/rows --step opt02_one_block --step opt04 "$work/r.jsonl"
    [ -z "$stderr" ]
    [ "$(column step <<<"$output" | paste -sd ' ')" = "opt02_one_block opt04" ]
    [ "$(column line <<<"$output" | paste -sd ' ')" = "2 4" ]
    run -0 --separate-stderr report/rows --step opt09 "$work/r.jsonl"
    [ -z "$stderr" ]
    [ "${#lines[@]}" -eq 1 ]
    run -2 report/rows --step opt03 "$work/r.jsonl"
    run -2 report/rows --step
    [[ $output == *"--step needs a step's name"* ]]
}

@test "a line that is no record: file and line, exit 2, and the rows of the others; --skip-broken is silent about it" {
    { record pass; printf '{"submission":"","st\n'; record wrong '""' '"input":"one"'; } >"$work/r.jsonl"
    run -2 --separate-stderr report/rows "$work/r.jsonl"
    [ "${#lines[@]}" -eq 3 ]
    # shellcheck disable=SC2154  # set by run
    [[ $stderr == "$work/r.jsonl:2: not a record: "* ]]
    run -0 --separate-stderr report/rows --skip-broken "$work/r.jsonl"
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
    run -0 --separate-stderr report/rows --skip-broken "$work/r.jsonl"
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
    print_rows() { report/rows --all "$work/r.jsonl"; }
    each_awk print_rows
}

@test "long texts, long numbers and long gaps are read whole" {
    local long blanks
    long=$(printf 'x\\n%.0s' {1..3000})
    blanks=$(printf '%5000s' '')
    record pass "\"$long\"" | sed "s/\"rows\":10/\"rows\":$blanks 10$(printf '.%0900d' 0)/; s/,\"when\"/$blanks,$blanks\"when\"/; s/\$/$blanks/" >"$work/r.jsonl"
    shown() { report/rows "$work/r.jsonl" | lib 'END { print length(cell(1, "detail")), num(1, "rows"), cell(1, "when") }'; }
    [ "$(shown)" = '6000 10 2026-01-01T00:00:00Z' ]
    each_awk shown
}

@test "what a call has to write counts where the record says so: for the roof too, and for what it is compared with" {
    { record pass '""' '"written_bytes":400'; record pass '""' '"step":"read_plain","kind":"read","gbps":null'; } >"$work/r.jsonl"
    [ "$(report/rows "$work/r.jsonl" | column bytes | paste -sd ' ')" = '1200 1200' ]
    # 1000 reads of 1200 bytes at 3000 GB/s take 0.4 us; the reference takes 20 s.
    [ "$(report/rows "$work/r.jsonl" | column roof_speedup | paste -sd ' ')" = '50000000 50000000' ]
    record pass >"$work/without.jsonl"
    [ "$(report/rows "$work/without.jsonl" | column bytes)" = 800 ]
}

@test "every awk that is here makes the same rows" {
    for file in "$fixtures"/report-{passing,verdicts,inputs,class,cpu,predicted}.jsonl; do
        each_awk report/rows "$file"
    done
}

@test "every awk that is here makes the same views of them" {
    record pass >"$work/r.jsonl"
    needs_log=1 each_awk report/one-step opt02_one_block "$work/r.jsonl"
}

# ---- numbers ---------------------------------------------------------------------------------------

@test "a number is compared as a number: 1.6e-05 of the roof is not above 1.02" {
    record pass '""' '"roof_fraction":0.000016' | sed 's/"roof_fraction":[^,]*/"roof_fraction":1.6e-05/' >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    compare() {
        lib 'END {
            print above(num(1, "roof_fraction"), 1.02) below(num(1, "roof_fraction"), 1.02) above("1.6e-05", "1.02")
            print above(num(1, "error"), -1) below(num(1, "error"), 1) above(10, 9) above("10", "9")
            list[1] = 10; list[2] = 9; list[3] = ""; list[4] = 1.6e-5
            sort_list(list, 4, 1)
            print list[1] + 0, list[2], list[3], "(" list[4] ")"
        }' <"$work/rows"
    }
    [ "$(compare)" = $'010\n0011\n1.6e-05 9 10 ()' ]
    each_awk compare
}

# Lines of awk programs that compare a cell by awk's own < or >: what was not measured is a text there.
raw_comparisons() {
    local call='(num|cell|raw_cell|first_num|first_cell|ratio_of)\([^()]*\)'
    grep -nE "$call *[<>]|[<>]=? *$call" "$@" | grep -vE '^[^:]*:[0-9]*: *print'
}

@test "no view compares a cell but by above() and below()" {
    printf '%s\n' 'END { if (num(r, "us") < 1) print' ' x = 1.02 >= num(2, "roof_fraction")' \
        'ok = above(num(r, "us"), 1)' >"$work/planted.awk"
    [ "$(raw_comparisons "$work/planted.awk" | wc -l)" -eq 2 ]
    mapfile -t programs < <(find report class experiments -name '*.awk')
    run ! raw_comparisons "${programs[@]}"
}

@test "only build/report reads the JSON of records" {
    run grep -rlE 'parse_record|lib/json|results\.jsonl.*\| *jq|jq .*results\.jsonl' report class desk experiments common --include='*' \
        --exclude='*.md' --exclude-dir=recorded
    [ -z "$output" ]
}

@test "a column of numbers cannot be read as text, nor one of texts as numbers" {
    record pass >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    run -3 lib 'END { print cell(1, "roof_fraction") }' <"$work/rows"
    [[ $output == *"no column of type text called 'roof_fraction'"* ]]
    run -3 lib 'END { print num(1, "verdict") }' <"$work/rows"
    run -3 lib 'END { print num(1, "speed") }' <"$work/rows"
}

@test "the one sort keeps the order of what is equal" {
    record pass >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    sorted() {
        lib 'END {
            n = split("b2 a1 c1 a2 b1 a3", name, " ")
            for (i = 1; i <= n; i++) { list[i] = i; key[i] = substr(name[i], 1, 1) }
            sort_by(list, n, key)
            for (i = 1; i <= n; i++) printf "%s ", name[list[i]]
        }' <"$work/rows"
    }
    [ "$(sorted)" = 'a1 a2 a3 b2 b1 c1 ' ]
    each_awk sorted
}

# ---- pages -----------------------------------------------------------------------------------------

@test "a page is said once, and written as text, Markdown and HTML with what each escapes" {
    record pass >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    page() {
        lib "END {
            page_margin = \" \"
            open_page(\"$1\", \"\")
            heading(1, \"A <b>\")
            paragraph(\"See \" code(\"a|b\") \" and \" strong(\"*this*\") \", \\033[31mopt05_multiblock _x_\")
            item(\"one\")
            item(\"two & three\")
            begin_table()
            table_column(\"step\", \"left\")
            table_column(\"us\", \"right\", 6)
            table_column(\"x|y\", \"right\")
            row(); put(code(\"größer\")); put(\"1.5\"); put(\"<i>\")
            row(); put(\"b\"); put(\"not measured\", 2); row_note(\"because\")
            end_table()
            preformatted(\"a < b\\n  c\")
            close_pages()
        }" <"$work/rows"
    }
    each_awk page text
    each_awk page markdown
    each_awk page html
    [ "$(page text)" = ' A <b>
 See a|b and *this*, [31mopt05_multiblock _x_
 one
 two & three
 step        us  x|y
 größer     1.5  <i>
 b       not measured
     because
 a < b
   c' ]
    [ "$(page markdown)" = '# A &lt;b&gt;

See `a\|b` and **\*this\***,  \[31mopt05_multiblock \_x\_

- one
- two &amp; three

| step | us | x\|y |
|---|--:|--:|
| `größer` | 1.5 | &lt;i&gt; |
| b | not measured |  |
| because | | |

<pre>
a &lt; b
  c
</pre>' ]
    [[ $(page html) == *'<h1>A &lt;b&gt;</h1>'*'<code>a|b</code> and <b>*this*</b>'*'<ul>'*'two &amp; three'*'</ul>'*'colspan="2">not measured'*'a &lt; b'* ]]
}

@test "text pages: as wide as said, colour only where told" {
    record pass >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    run -0 lib 'END {
        page_columns = 20
        open_page("text", "")
        paragraph("a paragraph that is wider than größere zwanzig " strong("columns"))
        page_colour = 1
        paragraph(coloured("wrong", "red"))
    }' <"$work/rows"
    [ "$output" = $'a paragraph that is\nwider than größere\nzwanzig columns\n\e[31mwrong\e[0m' ]
}

@test "a page of text may say less than the others: a short form, cells that are cut, no picture" {
    record pass >"$work/r.jsonl"
    report/rows "$work/r.jsonl" >"$work/rows"
    page() {
        lib "END {
            open_page(\"$1\", \"\")
            item(\"one, two, three\", \"one and 2 more\")
            item(\"four\")
            begin_table()
            table_column(\"name\", \"left\", 0, 5)
            row(); put(\"größer als groß\")
            end_table()
            image(\"a.svg\", \"what <it> shows\")
            close_pages()
        }" <"$work/rows"
    }
    [ "$(page text)" = $'one and 2 more\nfour\nname\ngröß~' ]
    [ "$(page markdown)" = $'- one, two, three\n- four\n\n| name |\n|---|\n| größer als groß |\n\n![what &lt;it&gt; shows](a.svg)' ]
    [[ $(page html) == *'<li>one, two, three</li>'*'größer als groß'*'<img src="a.svg" alt="what &lt;it&gt; shows">'* ]]
}
