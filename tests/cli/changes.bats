#!/usr/bin/env bats
# Changes of steps (build/variants), what must come out of them, and what came out (build/expect).

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/../.." build/variants build/expect
}

# A tree of its own, with one step of seven lines.
setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree"/{build,labs/opt01_small,tests/changes}
    cp "$root"/build/{variants,expect} "$tree/build"
    cd "$tree" || return
    base=labs/opt01_small/opt_2dhisto.cu file=tests/changes/opt01_small.changes
    printf '%s\n' '#include "lab.h"' '' 'first();' '' 'again();' 'second(1);' 'again();' >"$base"
}

# change LINE...: a change of that step whose places are these lines, from line 9 on.
change() {
    printf '%s\n' 'base labs/opt01_small' '' '== mistake' 'cpu wrong' '' 'Why.' '' "$@" >"$file"
}

# makes LINE...: the change makes this file.
makes() {
    run -0 --separate-stderr --keep-empty-lines build/variants print "$file" mistake
    diff <(printf '%s\n' "$@") <(printf '%s' "$output")
}

# fails LINE TEXT: it does not fit, and the message names the change's line and says why.
fails() {
    run -1 --separate-stderr build/variants print "$file" mistake
    [[ -z $output ]]
    # shellcheck disable=SC2154  # run sets stderr
    diff <(echo "$file:$1: $2") <(echo "$stderr")
}

@test "changes: lines change, go and come, in several places; everything else stays" {
    change '@@' '-first();' '+First();' '@@' ' second(1);' '+third();' ' again();'
    makes '#include "lab.h"' '' 'First();' '' 'again();' 'second(1);' 'third();' 'again();'
    change '@@' '-' '-first();'
    makes '#include "lab.h"' '' 'again();' 'second(1);' 'again();'
    change '@@' '+/* new */' ' #include "lab.h"'
    makes '/* new */' '#include "lab.h"' '' 'first();' '' 'again();' 'second(1);' 'again();'
}

@test "changes: the output of diff is a change" {
    sed 's/^first/FIRST/; s/second(1)/second(2)/; 7a third();' "$base" >copy
    { printf 'base labs/opt01_small\n\n== mistake\ncpu wrong\n\nWhy.\n\n' && diff -U1 "$base" copy | tail -n +3; } >"$file"
    grep -q '^@@ -' "$file"
    mapfile -t lines <copy
    makes "${lines[@]}"
}

@test "changes: an empty line of a change is an empty line of the base" {
    change '@@' ' first();' '' '-again();'
    makes '#include "lab.h"' '' 'first();' '' 'second(1);' 'again();'
}

@test "changes: a backslash, an ampersand and a percent sign stay what they are" {
    change '@@' '-first();' '+printf("100 %% of a\\n" + (a & b));'
    makes '#include "lab.h"' '' 'printf("100 %% of a\\n" + (a & b));' '' 'again();' 'second(1);' 'again();'
}

@test "changes: where the base has moved, the message names the change's first line that is not there" {
    change '@@' '-first();' '@@' ' again();' '-second(2);' '+third();'
    fails 12 "this line does not stand there in $base: second(2);"
    change '@@' '-nowhere();'
    fails 9 "this line does not stand in $base: nowhere();"
    change '@@' '-First();'
    fails 9 "this line does not stand in $base: First();"
}

@test "changes: a place that the base has twice is refused" {
    change '@@' '-again();'
    fails 9 "these lines stand in $base twice, at lines 5 and 7: add a line of the base"
    change '@@' ' second(1);' '-again();'
    makes '#include "lab.h"' '' 'first();' '' 'again();' 'second(1);'
}

@test "changes: places come in the base's order, and do not overlap" {
    change '@@' '-second(1);' '@@' '-first();'
    fails 11 "this is line 3 of $base, above the place before it: put places in the order of the base"
    change '@@' '-first();' ' ' ' again();' '@@' ' again();' '-second(1);'
    fails 13 "this is line 5 of $base, above the place before it: put places in the order of the base"
}

@test "changes: a change that changes nothing, or does not say where, is refused" {
    change # its base as it stands, which only build/expect refuses
    mapfile -t lines <"$base"
    makes "${lines[@]}"
    change '@@' ' first();'
    fails 8 'nothing is changed here: there is no line with - or +'
    change '@@' '+first();'
    fails 8 'the place is not known: add a line of the base, with a space before it'
    change '@@' '-first();' 'First();'
    fails 10 'a line of a change begins with -, + or a space'
}

@test "changes: the file names a step, sections have names of their own" {
    echo 'cpu wrong' >"$file"
    fails 1 'the first line names the step that is changed: base labs/opt05_multiblock'
    printf '%s\n' 'base labs/opt99_none' '' '== mistake' 'cpu wrong' >"$file"
    fails 3 'labs/opt99_none is no step: it must be a directory with one .cu file'
    printf '%s\n' 'base labs/opt01_small' '' '== mistake' 'cpu wrong' '' '== mistake' 'cpu wrong' >"$file"
    fails 6 "a second change 'mistake'"
    printf '%s\n' 'base labs/opt01_small' '' '== Mis/take' >"$file"
    fails 3 'a name has small letters, digits and _ only'
    printf '%s\n' 'base labs/opt01_small' '' '== mistake' 'cpu' >"$file"
    fails 4 "nothing stands after 'cpu'"
    change
    run -2 build/variants print "$file" none
    run -1 build/variants print tests/changes/none.changes mistake
    run -2 build/variants
    run -0 build/variants --help
    [[ $output == 'Usage: build/variants write'* ]]
}

@test "changes: all whole files are written, those alone that are new, and one that does not fit is named" {
    change '@@' '-first();' '+First();'
    printf '%s\n' '' '== other' 'base labs/opt02_small' '' 'Why.' '' '@@' '-first();' '+Second();' >>"$file"
    mkdir labs/opt02_small && sed 's/again/once/' "$base" >labs/opt02_small/opt_sum.cu
    run -0 build/variants write build/changes "$file"
    grep -qx 'First();' build/changes/opt01_small/mistake/opt_2dhisto.cu
    grep -qx 'once();' build/changes/opt01_small/other/opt_sum.cu
    touch -d @1 build/changes/opt01_small/*/*.cu
    sed -i 's/second(1)/second(2)/' "$base"
    run -0 build/variants write build/changes "$file"
    grep -qFx 'second(2);' build/changes/opt01_small/mistake/opt_2dhisto.cu
    [[ build/changes/opt01_small/mistake/opt_2dhisto.cu -nt build/changes/opt01_small/other/opt_sum.cu ]]
    sed -i 's/first/other/' "$base"
    run -1 build/variants write build/changes "$file"
    [[ $output == "$file:9: this line does not stand in $base: first();" ]]
}

@test "changes: of a read, the header that reads share can change, too; of a directory the whole file is printed" {
    mkdir -p common/baselines/read_small
    printf '%s\n' '#define A 1' '#include "baselines/shared.cuh"' 'last();' >common/baselines/read_small/read_all.cu
    printf '%s\n' '#include "baselines/read_all.h"' 'shared(A);' >common/baselines/shared.cuh
    whole=('#define A 1' '#include "baselines/read_all.h"' 'shared(A);' 'last();')
    diff <(printf '%s\n' "${whole[@]}") <(build/variants print common/baselines/read_small)
    printf '%s\n' 'base common/baselines/read_small' '' '== mistake' '' 'Why.' '' '@@' '-shared(A);' '+other(A);' >"$file"
    makes "${whole[@]/shared/other}"
    diff "$base" <(build/variants print labs/opt01_small)
    run -1 build/variants print tests
    [[ $output == "tests is no step: it must be a directory with one .cu file" ]]
}

# ---- what must come out -----------------------------------------------------------------------------

# says LINE...: what build/expect says of a case with these first lines, which begin at line 4.
says() {
    printf '%s\n' 'base labs/opt01_small' '' '== it' "$@" '@@' '-first();' '+    First();' >"$file"
    status=0
    said=$(build/expect check "$file" 2>&1) || status=$?
    said=${said#"$file:"}
}

@test "expect: a pattern for the detail, or for a diagnosis, says why a mistake is rejected" {
    says 'cpu wrong bin 3' 'gpu wrong bin 3' 'diagnosis ^none$' '' 'Why.' ''
    [[ $status -eq 0 && -z $said ]]
    says 'cpu wrong' 'gpu wrong|crashed' 'diagnosis ^The last row' '' 'Why.' ''
    [[ $status -eq 0 && -z $said ]]
    for diagnosis in '^none$' 'none' '^The last row|^none$' 'o' '.'; do
        says 'cpu wrong bin 3' 'gpu wrong' "diagnosis $diagnosis" '' 'Why.' ''
        [[ $status -eq 1 && $said == '5: no pattern for the detail on the gpu device, and the diagnosis may be none: '* ]]
    done
}

@test "expect: what is missing, given twice or misspelled is told" {
    says 'gpu wrong bin 3' 'diagnosis ^The' '' 'Why.'
    [[ $status -eq 1 && $said == '3: no line `cpu` or `finds` says what must come out' ]]
    says 'cpu wrong' 'cpu wrong' 'gpu wrong' 'diagnosis ^The' '' 'Why.'
    [[ $status -eq 1 && $said == '3: a mistake has one line each for cpu, gpu and diagnosis' ]]
    says 'cup wrong' 'cpu wrong' 'gpu wrong' 'diagnosis ^The' '' 'Why.'
    [[ $status -eq 1 && $said == '4: there is no such line: tests/expect/expect.h has all' ]]
    says 'cpu Wrong' 'gpu wrong' 'diagnosis ^The' '' 'Why.'
    [[ $status -eq 1 && $said == '4: no verdict' ]]
    says 'cpu wrong (' 'gpu wrong' 'diagnosis ^The' '' 'Why.'
    [[ $status -eq 1 && $said == '4: no extended regular expression' ]]
    says 'cpu wrong' 'gpu wrong' 'diagnosis ^The' ''
    [[ $status -eq 1 && $said == '3: no text says what is wrong, or why it is right' ]]
    printf '%s\n' 'base labs/opt01_small' '' '== it' 'finds leak' 'at first();' '' 'Why.' >"$file"
    run -1 build/expect check "$file"
    [[ $output == "$file:3: nothing is changed: there is no line @@, which begins a change" ]]
    run -2 build/expect
    run -2 build/expect compare tpu out "$file"
    run -1 build/expect check tests/changes/none
}

@test "expect: of a hazard, the kind is a fault, each line stands once, and a right step names no line" {
    says 'finds race-in-block|uninitialized' 'at First();' 'array partial' '' 'Why.'
    [[ $status -eq 0 && -z $said ]]
    says 'finds nothing' 'remark same-value' '' 'Why.'
    [[ $status -eq 0 && -z $said ]]
    says 'finds same-value' 'at First();' '' 'Why.'
    [[ $status -eq 1 && $said == '4: hazards.def has no FAULT same-value' ]]
    says 'finds leak' 'at again();' '' 'Why.'
    [[ $status -eq 1 && $said == '5: this line stands 2 times in the whole file' ]]
    says 'finds nothing' 'at First();' '' 'Why.'
    [[ $status -eq 1 && $said == '3: a wrong step has one or two lines `at` and at most one `array`, a right one has none' ]]
    says 'finds leak' '' 'Why.'
    [[ $status -eq 1 && $said == '3: a wrong step has one or two lines `at`'* ]]
}

@test "expect: the cases to run, each with its calls and options; long ones only when they are asked for" {
    printf '%s\n' 'base labs/opt01_small' '' '== slow' 'cpu timed-out loop' 'gpu timed-out' 'diagnosis ^It' '' 'Why.' \
        '' '== racy' 'finds race-in-block' 'at First();' 'gcc clang merges them' '' 'Why.' '' '@@' '-first();' '+First();' \
        '' '== right' 'finds nothing' 'sandbox yes' '' 'Why.' '' '== old' 'cpu wrong' 'gpu wrong' 'diagnosis ^It' 'run long' '' 'Why.' >"$file"
    diff <(build/expect list cpu "$file") - <<END
opt01_small/slow	opt_2dhisto	10	-	-	--call-cpu 0.5 --size 128x3984
opt01_small/racy	opt_2dhisto	3	-	clang merges them	--timeout 20 --size 64x1024
opt01_small/right	opt_2dhisto	3	sandbox	-	--timeout 20 --size 64x1024
END
    [ "$(build/expect list cpu --long "$file" | cut -f 1 | paste -sd ' ')" = 'opt01_small/slow opt01_small/racy opt01_small/right opt01_small/old' ]
    [ "$(build/expect list gpu --long "$file" | cut -f 1,6 | paste -sd ' ')" = 'opt01_small/slow	--timeout 10 opt01_small/old	' ]
}

# ---- what came out ----------------------------------------------------------------------------------

place() {
    printf '{"file":"x.cu","line":%s,"source":"%s","does":"%s","block":[0,0,0],"thread":[1,0,0],"host":false}' "$@"
}

# hazard KIND SEVERITY ARRAY PLACE...
hazard() {
    local IFS=,
    printf '{"kind":"%s","severity":"%s","array":"%s","index":7,"bytes":4,"note":"","places":[%s]}' "$1" "$2" "$3" "${*:4}"
}

# graded STATUS RECORD: what build/expect says where the judge left these, and its last line but the sums.
graded() {
    printf '%s\n' 'base labs/opt01_small' '' '== it' "${expected[@]}" '' 'Why.' >"$file"
    mkdir -p out/opt01_small
    echo "$1" >out/opt01_small/it.status
    printf '%s\n' "$2" >out/opt01_small/it.jsonl
    run build/expect compare cpu out "$file"
}

# compared VERDICT HAZARD...: with what is expected.
compared() {
    local IFS=,
    graded 1 "$(printf '{"step":"it","verdict":"%s","detail":"","hazards":[%s],"more_hazards":null}' "$1" "${*:2}")"
}

write=$(place 3 '    counts[i] = 0;' writes) read=$(place 9 'sum += counts[j];' reads) other=$(place 4 'x = 1;' writes)

@test "expect: of a wrong step, one hazard has the kind, the lines in any order, and the array" {
    expected=(finds\ race-in-block 'at counts[i] = 0;' 'at sum += counts[j];' 'array counts')
    compared hazard "$(hazard race-in-block fault 'counts of f' "$read" "$write")"
    [[ $status -eq 0 && ${lines[0]} == 'ok     opt01_small/it: hazard' ]]
    [[ ${lines[-1]} == '# of 1 wrong steps found 1, with the right kind 1, lines 1, array 1; with others too 0; of 0 right steps 0 false alarms' ]]
    compared hazard "$(hazard uninitialized fault counts "$read")" "$(hazard race-in-block fault counts "$write" "$read")"
    [[ $status -eq 0 && ${lines[-1]} == *'array 1; with others too 1;'* ]]
    expected[0]='finds race-in-warp|race-in-block'
    compared hazard "$(hazard race-in-block fault counts "$write" "$read")"
    [[ $status -eq 0 ]]
}

@test "expect: another kind, line or array, a pass, and no hazard at all are not what is expected" {
    expected=(finds\ race-in-block 'at counts[i] = 0;' 'at sum += counts[j];' 'array counts')
    compared hazard "$(hazard race-in-warp fault counts "$write" "$read")"
    [[ $status -eq 1 && ${lines[0]} == 'NOT OK opt01_small/it: hazard' ]]
    [[ ${lines[1]} == '       verdict hazard; no hazard is all of this: race-in-block, `counts[i] = 0;`, `sum += counts[j];`, array counts' ]]
    [[ ${lines[-1]} == *'found 1, with the right kind 0, lines 1, array 1; with others too 1;'* ]]
    compared hazard "$(hazard race-in-block fault counts "$write" "$other")"
    [[ $status -eq 1 && ${lines[-1]} == *'kind 1, lines 0, array 1;'* ]]
    compared hazard "$(hazard race-in-block fault sums "$write" "$read")"
    [[ $status -eq 1 && ${lines[-1]} == *'kind 1, lines 1, array 0;'* ]]
    compared hazard "$(hazard race-in-block fault sums "$write" "$read")" "$(hazard race-in-block fault counts "$other")"
    [[ $status -eq 1 ]]
    compared wrong
    [[ $status -eq 1 && ${lines[-1]} == *'of 1 wrong steps found 0, with the right kind 0, lines 0, array 0;'* ]]
    compared pass "$(hazard race-in-block fault counts "$write" "$read")"
    [[ $status -eq 1 && ${lines[1]} == '       it passes' ]]
}

@test "expect: a right step passes with the remarks that are expected, and with nothing else" {
    local remark fault
    remark=$(hazard same-value remark counts "$write") fault=$(hazard race-in-block fault counts "$write" "$read")
    expected=('finds nothing')
    compared pass
    [[ $status -eq 0 && ${lines[-1]} == *'of 1 right steps 0 false alarms' ]]
    compared pass "$remark"
    [[ $status -eq 1 && ${lines[1]} == '       a remark that nobody expects: same-value' ]]
    compared hazard "$fault"
    [[ $status -eq 1 && ${lines[1]} == '       a false alarm; verdict hazard: ' && ${lines[-1]} == *'1 right steps 1 false alarms' ]]
    compared wrong
    [[ $status -eq 1 && ${lines[-1]} == *'1 right steps 0 false alarms' ]]
    expected+=('remark same-value')
    compared pass "$remark"
    [[ $status -eq 0 ]]
    compared pass
    [[ $status -eq 1 && ${lines[1]} == '       the remark is missing: same-value' ]]
}

@test "expect: of a mistake the verdict, the judge's exit status, the detail and the diagnosis" {
    expected=('cpu wrong|hazard bin [0-9]+:' 'gpu wrong' 'diagnosis ^Each call|^none$')
    graded 1 '{"verdict":"wrong","detail":"bin 7: \"2\"","diagnosis":"Each call","hazards":[]}'
    [[ $status -eq 0 && ${lines[0]} == 'ok     opt01_small/it: wrong: bin 7: "2"' && ${lines[1]} == '       diagnosis: Each call' ]]
    [[ ${lines[-1]} == '# of 1 mistakes a diagnosis names 0, a hazard and its lines 0, a verdict and no more 1' ]]
    graded 0 '{"verdict":"wrong","detail":"bin 7:","diagnosis":null,"hazards":[]}'
    [[ $status -eq 1 && ${lines[1]} == '       the judge ended with 0' ]]
    graded 1 '{"verdict":"crashed","detail":"bin 7:","diagnosis":null}'
    [[ $status -eq 1 && ${lines[1]} == '       verdict crashed, expected wrong|hazard' ]]
    graded 1 '{"verdict":"wrong","detail":"bins","diagnosis":"No bin"}'
    [[ $status -eq 1 && ${lines[1]} == '       expected of the detail: bin [0-9]+:; expected of the diagnosis: ^Each call|^none$' ]]
    graded 3 '{"verdict":'
    [[ $status -eq 1 && ${lines[0]} == 'NOT OK opt01_small/it: no record: '* ]]
}
