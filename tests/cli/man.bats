#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# guides/man: the manual pages that are made of each command's --help.

bats_require_minimum_version 1.5.0 # run -N

setup_file() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    command -v help2man mandoc >/dev/null || skip "needs help2man and mandoc: make deps-all"
    export pages=$BATS_FILE_TMPDIR/man1
    echo old >"$BATS_FILE_TMPDIR/old"
    mkdir "$pages"
    touch "$pages/histolab-desk-gone.1"
    SOURCE_DATE_EPOCH=86400 guides/man "$BATS_FILE_TMPDIR"
}

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
}

@test "man: every command that people type has a page, and nothing else has one" {
    for command in desk/* desk/inside/* class/* report/*; do
        [[ ! -f $command || ! -x $command || -s $pages/histolab-${command//\//-}.1 ]] || { echo "$command"; false; }
    done
    [ -s "$pages/histolab-grade.1" ]
    [ ! -e "$pages/histolab-desk-gone.1" ]
}

@test "man: mandoc finds nothing to say of any page" {
    cd "$pages"
    run -0 mandoc -T lint -W warning ./*.1
    [ -z "$output" ]
}

@test "man: each page has its name in a line, a synopsis with the path to type, and options" {
    for page in "$pages"/*.1; do
        name=$(basename "$page" .1)
        [ "$(sed -n '/^\.SH NAME$/,/^\.SH /p' "$page" | sed '1d;$d' | wc -l)" -eq 1 ]
        grep -q "^$name \\\\- [a-z]" "$page"
        # Each line of the synopsis names the program by its path from the tree's root.
        programs=$(sed -n '/^\.SH SYNOPSIS$/,/^\.SH /s/^\.B //p' "$page" | sort -u)
        [ "$(wc -l <<<"$programs")" -eq 1 ]
        [ -x "$programs" ]
        [ -n "$(sed -n '/^\.SH OPTIONS$/,/^\.SH /s/^\\fB.*help.*/&/p' "$page")" ]
    done
    grep -q '^\.TH HISTOLAB-GRADE "1" "1970-01-02" "histolab ' "$pages/histolab-grade.1"
    grep -q '^\.SH "EXIT STATUS"$' "$pages/histolab-grade.1"
}

@test "man: each option that a command's usage names is explained in a line of its own" {
    for page in "$pages"/*.1; do
        sed -n '/^\.SH SYNOPSIS$/,/^\.SH /p' "$page" | grep -oE -- '--[a-z][a-z-]+' | sort -u >"$BATS_TEST_TMPDIR/named" || continue
        sed -n '/^\.SH OPTIONS$/,/^\.SH /p' "$page" | grep '^\\fB' | sed 's/\\f[A-Z]//g; s/\\//g' | grep -oE -- '--[a-z][a-z-]+' | sort -u >"$BATS_TEST_TMPDIR/explained"
        run comm -23 "$BATS_TEST_TMPDIR/named" "$BATS_TEST_TMPDIR/explained"
        [ -z "$output" ] || { echo "${page##*/}: $output"; false; }
    done
}

@test "man: a help of another form is refused in words" {
    run -1 guides/man - <<<'Does something.'
    [[ $output == *"does not begin with Usage:"* ]]
    run -1 guides/man - <<<$'Usage: desk/x A   does this\n       desk/x B   does that'
    [[ $output == *"no sentence says what it does"* ]]
    run -0 guides/man - <<<$'Usage: desk/x\n  or:  desk/x --y\nDoes one thing\nor two: these. More.\n\n  --y   text\n\nExit status: 0.'
    [ "$output" = $'does one thing or two\nUsage: desk/x\n  or:  desk/x --y\nDoes one thing\nor two: these. More.\n\nOptions:\n\n  --y   text\n\n*Exit status*\n\n0.' ]
}

@test "make install-man: pages where man finds them" {
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    make -s install-man "PREFIX=$BATS_TEST_TMPDIR/a b"
    [ "$(cd "$BATS_TEST_TMPDIR/a b/share/man/man1" && echo *)" = "$(cd "$pages" && echo *)" ]
}
