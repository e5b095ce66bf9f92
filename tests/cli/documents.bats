#!/usr/bin/env bats
# tests/documents and tests/figures, which `make lint` runs on this tree's documents: what they must find, and a handout's own.

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
    [ "$(ls common/hints)" = off ] # and no lines of other steps
}

@test "figures: what was not recorded so is found in a sentence, a table, a share, a gain and a prediction" {
    local file change texts=() copy=$BATS_TEST_TMPDIR/tree
    cd "$source_tree" && mkdir "$copy"
    cp --parents README.md guides/*.md labs/*/step.md report/recorded/README.md common/model/README.md "$copy"
    run -0 tests/figures "$copy"
    while IFS='|' read -r file change "texts[${#texts[@]}]"; do sed -i "$change" "$copy/$file"; done <<'CHANGES'
labs/byte03_wide_loads/step.md|s/H200 49.6 us/H200 49.5 us/|byte03_wide_loads says 49.6
labs/text02_block_partition/step.md|s/from 7.95 s/from 7.94 s/|text01_sequential says 7.95
labs/byte02_shared_atomics/step.md|s/47 times faster/46 times faster/|byte02_shared_atomics says 47
labs/byte07_less_work/step.md|s/98.7 % of the roof/98.8 % of the roof/|byte07_less_work says 98.7
labs/opt13_wide_loads/step.md|/^. opt13/s/20.7/20.8/|opt13_wide_loads says 20.7
labs/opt16_packed_flush/step.md|/^. opt16/s/ 35.4 / 14.1 /|opt16_packed_flush says 35.4
guides/measuring.md|s/13.8 us warm/13.7 us warm/|opt16_packed_flush says 13.8
guides/measuring.md|/^. opt14/s/20.0/20.1/|opt14_one_launch says 20.0
report/recorded/README.md|s/ 51.3 / 51.2 /|cub_bytehisto-3.5.0 says 51.3
common/model/README.md|s/ 42 of 42 / 41 of 42 /|'| H100, 42 ...
README.md|s/H200: 36.4 us/H200: 36.5 us/|opt05_multiblock says 36.4
CHANGES
    run -1 tests/figures "$copy"
    [ "$(grep -vc ' figures: ' <<<"$output")" -eq 11 ]
    for change in "${texts[@]}"; do [[ $output == *"$change"* ]]; done
}
