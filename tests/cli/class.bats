#!/usr/bin/env bats
# tests/class: the made-up class that shows that grading holds, and what compares its results.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup_file() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    "$root/tests/class/generate" --steps 'opt0[145]*' 20 "$BATS_FILE_TMPDIR/class" 3
}

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    class=$BATS_FILE_TMPDIR/class
    cd "$BATS_TEST_TMPDIR" || return
}

# ---- generate ------------------------------------------------------------------------------------

@test "class: the same seed makes the same class, byte by byte, and another seed another one" {
    for name in one again; do "$root/tests/class/generate" --steps 'opt04*' 12 $name 3; done
    diff -r one again
    cmp one.expected.tsv again.expected.tsv
    "$root/tests/class/generate" --steps 'opt04*' 12 other 4
    run ! diff -rq one other
}

@test "class: as many as asked for, with every step of each expected once on each device" {
    [ "$(find "$class" -mindepth 1 -maxdepth 1 | wc -l)" -eq 20 ]
    [ "$(cut -f 1 "$class.expected.tsv" | sort -u | wc -l)" -eq 20 ]
    [ "$(wc -l <"$class.expected.tsv")" -eq $((20 * 3 * 2)) ]
    [ -z "$(cut -f 1,2,4 "$class.expected.tsv" | sort | uniq -d)" ]
    [ -z "$(awk -F '\t' 'NF != 4 || $3 !~ /^[a-z|-]+$/' "$class.expected.tsv")" ]
}

@test "class: what is taken in of each submission is what is not expected to be missing, and no harm comes twice" {
    "$root/tests/unpack" "$root/tests/class/hostile.sources" hostile
    head -qn 1 hostile/*/*.cu >harms
    for path in "$class"/*; do
        # grade.sh's rule for ids
        id=${path##*/} id=${id%.zip} id=${id%.tgz} id=${id%.tar.gz}
        id=$(printf %s "$id" | LC_ALL=C sed 's/[^A-Za-z0-9._@+-]/_/g')
        rm -rf copy
        "$root/class/intake" "$path" copy 2>/dev/null || true
        diff <(awk -F '\t' -v id="$id" '$1 == id && $4 == "cpu" && $3 != "missing" { print $2 }' "$class.expected.tsv" | sort) \
            <(find copy -name '*.cu' | sed 's|.*/\([^/]*\)/[^/]*$|\1|' | sort)
        grep -rhxFf harms copy >>found || true
    done
    [ "$(wc -l <found)" -eq 2 ]
    [ -z "$(sort found | uniq -d)" ]
}

@test "class: each hostile step says what it does and what must come of it" {
    "$root/tests/unpack" "$root/tests/class/hostile.sources" "$BATS_TEST_TMPDIR/hostile"
    for directory in "$BATS_TEST_TMPDIR"/hostile/*/; do
        head -n 1 "$directory"/*.cu | grep -q '^/\* [A-Z0-9]'
        awk '/^\/\/ cpu [a-z|-]+$/ { cpu++ } /^\/\/ gpu [a-z|-]+$/ { gpu++ } END { exit !(cpu == 1 && gpu == 1) }' "$directory"/*.cu
    done
}

@test "class: wrong usage is told in one line, and what is there is left alone" {
    for arguments in '' '5' 'x dir' '5 dir x' '0 dir' '--steps nothing* 5 dir' '--else 5 dir' "5 $class"; do
        # shellcheck disable=SC2086
        run -2 "$root/tests/class/generate" $arguments
        [ "${#lines[@]}" -eq 1 ]
        [ ! -e dir ]
    done
}

# ---- check ---------------------------------------------------------------------------------------

# Made-up records: record SUBMISSION STEP VERDICT [DEVICE].
record() {
    printf '{"submission":"%s","step":"%s","kind":"step","verdict":"%s","detail":"a \\"b\\"","device":{"kind":"%s"}}\n' "$1" "$2" "$3" "${4-cpu}"
}

made_up() {
    mkdir out
    printf '%s\t%s\t%s\t%s\n' ada opt01 pass cpu ada opt01 pass gpu ada opt02 'wrong|nondeterministic' cpu \
        ada opt02 wrong gpu bob opt01 missing cpu bob opt01 missing gpu >expected.tsv
    {
        record '' opt01 pass
        echo '{"submission":"","step":"reference","kind":"baseline","verdict":"pass","device":{"kind":"cpu"}}'
        record ada opt01 pass
        record ada opt02 nondeterministic
        record bob opt01 missing
    } >out/results.jsonl
}

check() {
    "$root/tests/class/check" out/results.jsonl expected.tsv
}

@test "class check: records as expected" {
    made_up
    run -0 check
    [ "$output" = "3 as expected, 0 not" ]
}

@test "class check: the verdicts expected are those of the device" {
    made_up
    sed -i 's/"kind":"cpu"/"kind":"gpu"/' out/results.jsonl
    run -1 check
    [[ $output == *"2 as expected, 1 not"*"expected wrong: ada opt02: nondeterministic"* ]]
    record ada opt02 wrong cpu >>out/results.jsonl
    run -1 check
    [[ $output == *"records of several devices"* ]]
}

@test "class check: a missing, a double, a forged, a wrong and a cut record are each told" {
    made_up
    sed -i '/ada.*opt01/d' out/results.jsonl
    record bob opt01 missing >>out/results.jsonl
    record forged opt01 pass >>out/results.jsonl
    sed -i 's/nondeterministic/pass/' out/results.jsonl
    record ada opt01 pass | head -c 40 >>out/results.jsonl
    run -1 check
    [[ $output == *"1 as expected, 5 not"* ]]
    [[ $output == *"missing: ada opt01"* && $output == *"twice: bob opt01"* && $output == *"not expected: forged opt01"* ]]
    [[ $output == *'expected wrong|nondeterministic: ada opt02: pass: a "b"'* && $output == *"no record: "* ]]
}

@test "class check: part of a verdict's name is not that verdict" {
    made_up
    sed -i 's/nondeterministic/determin/' out/results.jsonl
    run -1 check
}

@test "class check: no records at all is no success" {
    made_up
    : >out/results.jsonl
    run -1 check
    [[ $output == "0 as expected, 3 not"* ]]
}

@test "class check: what a submission has read of this machine is found" {
    made_up
    mkdir out/logs
    head -n 3 /etc/passwd >out/logs/opt01.log
    run -1 check
    [[ $output == *"/etc/passwd: out/logs/opt01.log" ]]
}

@test "class check: wrong usage is told in one line" {
    for arguments in '' 'a' 'a b' '/dev/null /nowhere'; do
        # shellcheck disable=SC2086
        run -2 "$root/tests/class/check" $arguments
        [ "${#lines[@]}" -eq 1 ]
    done
}
