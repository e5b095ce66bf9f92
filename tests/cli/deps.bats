#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# make deps, with an apt-get of our own and a PATH that holds nothing else.

bats_require_minimum_version 1.5.0 # run -N

setup() {
    deps=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)/desk/deps
    bin=$BATS_TEST_TMPDIR/bin
    mkdir "$bin"
    for tool in bash env cat mktemp tail rm; do ln -s "$(command -v $tool)" "$bin"; done
    # As root or not, what is installed goes through these.
    fake sudo 'while [[ $1 == -* ]]; do shift; done; exec "$@"'
    mapfile -t tools < <(sed -n '/<<.END/,/^END/p' "$deps" | grep -oE '=[^ ]+' | sed '/\.h$/d; s/^=//')
    for tool in "${tools[@]}"; do
        fake "$tool" 'exit 0'
    done
}

# A command of our own: fake NAME SCRIPT.
fake() {
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

@test "nothing missing: nothing said, apt-get not called" {
    fake apt-get "echo called >>'$BATS_TEST_TMPDIR/called'"
    PATH=$bin run -0 "$deps"
    [ -z "$output" ]
    [ ! -e "$BATS_TEST_TMPDIR/called" ]
}

@test "no apt-get: one line that says what is missing and what for" {
    rm "$bin/gnuplot" "$bin/g++"
    PATH=$bin run -1 "$deps"
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"g++ (to grade)"*"gnuplot-nox (for charts)"* ]]
    [[ $output != *gcc* ]]
}

@test "a fresh image, whose apt-get knows no packages before an update" {
    rm "$bin/g++" "$bin/gnuplot"
    fake apt-get "
        echo \"\$DEBIAN_FRONTEND: \$*\" >>'$BATS_TEST_TMPDIR/called'
        case \"\$*\" in
            *update*) echo >'$BATS_TEST_TMPDIR/updated' ;;
            *install*) [[ -e '$BATS_TEST_TMPDIR/updated' ]] || exit 100
                for tool in g++ gnuplot; do echo >'$bin/'\$tool; $(command -v chmod) +x '$bin/'\$tool; done ;;
        esac"
    PATH=$bin run -0 "$deps"
    [ "$output" = "Installing g++ gnuplot-nox" ]
    [[ $(<"$BATS_TEST_TMPDIR/called") == *"noninteractive: "*" -y "*"install --no-install-recommends g++ gnuplot-nox"*"update"*"install --no-install-recommends g++ gnuplot-nox"* ]]
}

@test "apt-get fails: what it said, and what is still missing" {
    rm "$bin/bwrap"
    fake apt-get 'echo "E: Unable to locate package" >&2; exit 100'
    PATH=$bin run -1 "$deps" --all
    [[ $output == *"E: Unable to locate package"* ]]
    [[ ${lines[-1]} == *"missing: bubblewrap (for isolation); apt-get could not install them" ]]
}

@test "apt-get that installs nothing is not believed" {
    rm "$bin/bwrap"
    fake apt-get 'exit 0'
    PATH=$bin run -1 "$deps" --all
    [[ ${lines[-1]} == *"bubblewrap (for isolation)"*"still not found"* ]]
}

@test "--list names the packages, and installs nothing" {
    rm "$bin/bwrap" "$bin/gnuplot"
    PATH=$bin run -1 "$deps" --all --list
    [ "$output" = "gnuplot-nox
bubblewrap" ]
    PATH=$bin run -2 "$deps" --nonsense
}

@test "without --all, nothing is asked for but a compiler, make and gnuplot" {
    rm "$bin"/{pandoc,inotifywait,bwrap,jq,clang,bats}
    PATH=$bin run -0 "$deps"
    [ -z "$output" ]
    PATH=$bin run -1 "$deps" --list --all
    [ "${#lines[@]}" -eq 6 ]
    rm "$bin"/*
    for tool in bash cat; do ln -s "$(command -v $tool)" "$bin"; done
    PATH=$bin run -1 "$deps" --list
    printf '%s\n' g++ gcc make binutils gnuplot-nox | diff - <(grep -v libc6-dev <<<"$output")
}

@test "what is for a room that a handout does not have is not asked for there" {
    local tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree/common"
    cp "${deps%/*/*}/common/prelude.sh" "$tree/common"
    cp -r "${deps%/*}" "$tree"
    rm "$bin"/{gnuplot,pandoc,bwrap,bsdtar,bats}
    PATH=$bin run -1 "$tree/desk/deps" --all --list
    [ "$output" = $'gnuplot-nox\npandoc' ]
}

@test "--list-why: each package, and what it is for" {
    rm "$bin/bwrap" "$bin/gnuplot"
    PATH=$bin run -1 "$deps" --list-why --all
    [ "$output" = $'gnuplot-nox\tfor charts\nbubblewrap\tfor isolation' ]
}

@test "a package that this system does not have: the others are installed, and one line names it" {
    rm "$bin/bwrap" "$bin/sim_c++"
    fake apt-cache '[[ $* != *similarity-tester* ]]'
    fake apt-get "
        case \"\$*\" in
            *install*similarity-tester*) exit 100 ;;
            *install*) echo >'$bin/bwrap'; $(command -v chmod) +x '$bin/bwrap' ;;
        esac"
    PATH=$bin run -0 "$deps" --all
    [ "${lines[0]}" = 'Installing bubblewrap similarity-tester' ]
    [ "${lines[1]}" = 'deps: this system has no package of similarity-tester (for submissions)' ]
    [ -e "$bin/bwrap" ]
}

@test "what a step needs is never left out in silence" {
    rm "$bin/gnuplot" "$bin/g++"
    fake apt-cache '[[ $* != *gnuplot* ]]'
    fake apt-get "
        case \"\$*\" in
            *install*gnuplot*) exit 100 ;;
            *install*) echo >'$bin/g++'; $(command -v chmod) +x '$bin/g++' ;;
        esac"
    PATH=$bin run -1 "$deps"
    [[ $output == *'missing: gnuplot-nox (for charts); this system has no package of gnuplot-nox' ]]
}
