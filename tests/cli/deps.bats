#!/usr/bin/env bats
# make deps, with an apt-get of our own and a PATH that holds nothing else.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    deps=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)/desk/deps
    bin=$BATS_TEST_TMPDIR/bin
    mkdir "$bin"
    for tool in bash env cat mktemp tail rm; do ln -s "$(command -v $tool)" "$bin"; done
    # As root or not, what is installed goes through these.
    fake sudo 'while [[ $1 == -* ]]; do shift; done; exec "$@"'
    mapfile -t tools < <(sed -n '/<<.END/,/^END/p' "$deps" | grep -oE '=[^ ]+' | sed '/\.\(h\|tab\)$/d; s/^=//')
    for tool in "${tools[@]}"; do
        fake "$tool" 'exit 0'
    done
    unset CC CXX
    export TZDIR=$BATS_TEST_TMPDIR/zones
    mkdir "$TZDIR"
    touch "$TZDIR/zone.tab"
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
    [[ $output == *"missing: g++ (to grade), gnuplot-nox (for charts); "* ]]
}

@test "what no step needs is named, and keeps nobody from grading; where everything is asked for, it fails" {
    rm "$bin/gnuplot"
    PATH=$bin run -0 "$deps" # no apt-get
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"missing, but not needed to grade: gnuplot-nox (for charts); there is no apt-get here"* ]]
    fake apt-get 'echo "E: Unable to locate package" >&2; exit 100' # no network
    PATH=$bin run -0 "$deps"
    [[ ${lines[-1]} == *"missing, but not needed to grade: gnuplot-nox (for charts); apt-get could not install them" ]]
    PATH=$bin run -1 "$deps" --all
    ((!EUID)) || fake sudo 'exit 1' # not root
    ((!EUID)) || PATH=$bin run -0 "$deps"
    PATH=$bin run -1 "$deps" --list
    rm "$bin/gcc"
    PATH=$bin run -1 "$deps"
}

@test "a compiler that CC names will do, and the headers that it finds" {
    rm "$bin/gcc" "$bin/g++"
    fake clang++ 'exit 0'
    CC=clang PATH=$bin run -0 "$deps"
    [ -z "$output" ]
    CC=icx PATH=$bin run -1 "$deps"
    CC=clang CXX=icpx PATH=$bin run -1 "$deps" --list
    [ "$output" = g++ ]
}

@test "time zones, for the class's deadlines: a file tells whether they are there" {
    rm "$TZDIR/zone.tab"
    PATH=$bin run -0 "$deps"
    [ -z "$output" ]
    PATH=$bin run -1 "$deps" --all --list-why
    [ "$output" = $'tzdata\tfor deadlines' ]
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
    [[ ${lines[-1]} == *"missing, but not needed to grade: bubblewrap (for isolation); apt-get could not install them" ]]
}

@test "apt-get that installs nothing is not believed" {
    rm "$bin/bwrap"
    fake apt-get 'exit 0'
    PATH=$bin run -1 "$deps" --all
    [[ ${lines[-1]} == *"bubblewrap (for isolation)"*"could not install"* ]]
}

@test "--list names the packages, and installs nothing" {
    rm "$bin/bwrap" "$bin/gnuplot"
    PATH=$bin run -1 "$deps" --all --list
    [ "$output" = "gnuplot-nox
bubblewrap" ]
    PATH=$bin run -2 "$deps" --nonsense
}

@test "without --all, nothing is asked for but a compiler, make and gnuplot" {
    rm "$bin"/{pandoc,clangd,bwrap,jq,clang,bats}
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
    rm "$bin/bwrap" "$bin/bsdtar"
    fake apt-cache '[[ $* != *libarchive-tools* ]]'
    fake apt-get "
        case \"\$*\" in
            *install*libarchive-tools*) exit 100 ;;
            *install*) echo >'$bin/bwrap'; $(command -v chmod) +x '$bin/bwrap' ;;
        esac"
    PATH=$bin run -0 "$deps" --all
    [ "${lines[0]}" = 'Installing bubblewrap libarchive-tools' ]
    [ "${lines[1]}" = 'deps: missing, but not needed to grade: libarchive-tools (for submissions); this system has no package of libarchive-tools' ]
    [ -e "$bin/bwrap" ]
    PATH=$bin run -0 "$deps" --all
    [ "${lines[-1]}" = 'deps: missing, but not needed to grade: libarchive-tools (for submissions); this system has no package of libarchive-tools' ]
}

@test "what this system has no package of is never left out in silence, and fails where a step needs it" {
    rm "$bin/gnuplot" "$bin/g++"
    fake apt-cache '[[ $* != *$UNKNOWN* ]]'
    fake apt-get '[[ $* != *install*$UNKNOWN* ]]'
    UNKNOWN=g++ PATH=$bin run -1 "$deps"
    [[ $output == *'missing: g++ (to grade), gnuplot-nox (for charts); apt-get could not install them' ]]
    rm "$bin/gnuplot" 2>/dev/null || true
    fake g++ 'exit 0'
    UNKNOWN=gnuplot-nox PATH=$bin run -0 "$deps"
    [[ $output == *'not needed to grade: gnuplot-nox (for charts); this system has no package of gnuplot-nox' ]]
}

@test "apt-get takes names for names, and none for a pattern, which g++ is without lists of packages" {
    rm "$bin/g++"
    fake apt-cache "echo \"\$*\" >>'$BATS_TEST_TMPDIR/called'; exit 1"
    fake apt-get "echo \"\$*\" >>'$BATS_TEST_TMPDIR/called'; exit 100"
    PATH=$bin run -1 "$deps"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/called")" -eq 5 ]
    run ! grep -v 'APT::Cmd::Pattern-Only=true' "$BATS_TEST_TMPDIR/called"
}
