#!/usr/bin/env bats
# tests/documents, which `make lint` runs on this tree's documents: what it must find, and a handout's own.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    source_tree=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    page=$BATS_TEST_TMPDIR/page.md
}

# What is found in a page: found TEXT.
found() {
    printf '%s\n' "$1" >"$page"
    run "$source_tree/tests/documents" "$page"
}

@test "goals, scripts, options and links that exist" {
    found 'Type `make grade plots`, `STEP=opt05 make watch`, `./grade.sh --device cpu --steps x; report/table x | less`.

    make access-opt05    # who reads what
    sudo make diff-opt05 && make opt05

[here](https://example.org), [there](#there)'
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "what does not exist is named, each in its line" {
    found 'Type `make grade fly`, `report/tible x`, `desk/tri`, `class/nothing`.

    ./grade.sh --fast
    make plots && make swim-opt05
    tests/counters-compare --known    # which no test of commands runs
```
common/nothing
```
[gone](gone.md)'
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 9 ]
    [[ $output == *"page.md:1: make has no goal 'fly'"* ]]
    [[ $output == *"page.md:1: there is no report/tible"* ]]
    [[ $output == *"page.md:1: there is no desk/tri"* ]]
    [[ $output == *"page.md:1: there is no class/nothing"* ]]
    [[ $output == *"page.md:3: ./grade.sh has no option --fast"* ]]
    [[ $output == *"page.md:4: make has no goal 'swim-opt05'"* ]]
    [[ $output == *"page.md:5: no test runs tests/counters-compare --known"* ]]
    [[ $output == *"page.md:7: there is no common/nothing"* ]]
    [[ $output == *"links to gone.md, which does not exist"* ]]
}

@test "in a handout: what its documents tell to type exists there" {
    cd "$source_tree" || return
    class/handout/pack --steps 'opt0[1-5]*' --recorded no --hints off --out "$BATS_TEST_TMPDIR" >/dev/null
    tar -xzf "$BATS_TEST_TMPDIR/histolab.tar.gz" -C "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR/histolab" || return
    mapfile -t documents < <(find . -name '*.md' ! -path './labs/*' | sed 's|^[.]/||')
    run -0 "$source_tree/tests/documents" --tree . "${documents[@]}"
}
