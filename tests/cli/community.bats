#!/usr/bin/env bats
# What people from outside meet: a checkout on their system, the templates of .github, the workflows.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    work=$BATS_TEST_TMPDIR
}

# ---- files ---------------------------------------------------------------------------------------

@test "a checkout on Windows has the same bytes: LF in text, and what is data as it is" {
    git rev-parse --git-dir >/dev/null 2>&1 || skip "this tree is no clone"
    git clone -q -c core.autocrlf=true -c core.eol=crlf . "$work/clone"
    # Columns: what the index holds, what the checkout has.
    run -0 awk '{ sub(/^i./, "", $1); sub(/^w./, "", $2) } $1 != $2' < <(git -C "$work/clone" ls-files --eol)
    [ -z "$output" ]
    # What git would change when it is committed again.
    run ! grep -E '^i/(crlf|mixed) ' < <(git ls-files --eol | grep -v 'attr/-text')
}

@test "tests/editorconfig.pl names each rule that a file breaks, with the line" {
    printf '[one]\ncharset=utf-8\nend_of_line=lf\ninsert_final_newline=true\ntrim_trailing_whitespace=true\nindent_style=space\n' >"$work/rules"
    root=$PWD
    cd "$work"
    check() {
        printf '%b' "$1" >one
        run -"$2" perl "$root/tests/editorconfig.pl" <rules
        [ "${output% (*}" = "$3" ]
    }
    check '' 0 ''
    check 'a\n  b c\n' 0 ''
    check 'a\nb\r\n' 1 'one: CR LF ends line 2'
    check 'a\n\nb \nc\n' 1 'one: blanks end line 3'
    check 'a\n\tb\n' 1 'one: a tab begins line 2'
    check 'a\nb' 1 'one: its last line has no newline'
    check '\xe4\n' 1 'one: it is not UTF-8'
    run -2 perl "$root/tests/editorconfig.pl" <<<'[one]'
}

@test "each template of an issue says what it is for, as the platform lists it" {
    for template in .github/ISSUE_TEMPLATE/*.md; do
        [ "$(head -n 1 "$template")" = '---' ]
        sed '1d; /^---$/q' "$template" >"$work/header"
        grep -q '^name: .' "$work/header"
        grep -q '^about: .' "$work/header"
        [ "$(tail -n 1 "$work/header")" = '---' ]
    done
    grep -q 'SECURITY.md' .github/ISSUE_TEMPLATE/*trick.md
}

# ---- workflows -----------------------------------------------------------------------------------

@test "workflows: what they run is in the tree, and what they take from others is pinned to a commit" {
    for workflow in .github/workflows/*.yml; do
        sed -n 's/^ *run: \(bash \)\{0,1\}//p' "$workflow" | grep -v '^|$\|^git \|^apt-get ' >"$work/programs"
        [ -s "$work/programs" ]
        while read -r program _; do [ -x "$program" ]; done <"$work/programs"
        run ! grep -vE 'uses: actions/[a-z]+@[0-9a-f]{40} # v[0-9.]+$' <(grep uses: "$workflow")
        grep -q '^permissions:$' "$workflow"
        grep -q 'persist-credentials: false' "$workflow"
    done
}
