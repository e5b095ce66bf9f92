#!/usr/bin/env bats
# What others need to take the lab: its licence and its version.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$root" || exit
    work=$BATS_TEST_TMPDIR
}

# clone: the files of this tree in a repository of their own, with one commit, at `work`/clone.
clone() {
    command -v git >/dev/null || skip 'git is missing'
    mkdir "$work/clone"
    . tests/files.sh
    # Not all: the archive need not be large to be the same twice.
    tree_files | grep -vE '^(tests/.*/|guides/|report/recorded/|data/)' |
        tar -cf - -T - | tar -xf - -C "$work/clone"
    cd "$work/clone" || return
    printf '1.0.0\n' >VERSION
    commit
}

commit() {
    export GIT_CONFIG_GLOBAL=/dev/null GIT_COMMITTER_DATE=2026-01-01T00:00:00Z GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
    [ -e .git ] || git -c init.defaultBranch=main init -q
    git add -A
    git commit -q -m c
}

@test "version: VERSION, in a clone its commit too, whatever repository a copy lies in" {
    mkdir -p "$work/clone/common"
    cp common/prelude.sh "$work/clone/common"
    printf '#!/usr/bin/env bash\n. "${BASH_SOURCE[0]%%/*}/common/prelude.sh"\n' >"$work/clone/do.sh"
    cd "$work/clone" || return
    chmod +x do.sh
    [ "$(./do.sh --version)" = 'do.sh (histolab) unknown' ]
    echo 1.2.3 >VERSION
    [ "$(./do.sh --version)" = 'do.sh (histolab) 1.2.3' ]
    command -v git >/dev/null || skip 'git is missing'
    commit
    [ "$(./do.sh --version)" = "do.sh (histolab) 1.2.3+g$(git rev-parse --short=7 HEAD)" ]
    echo 1.2.3+g1234567 >VERSION
    [ "$(./do.sh --version)" = 'do.sh (histolab) 1.2.3+g1234567' ]
    mkdir -p "$work/clone/inside"
    cp -r common do.sh inside
    echo 1.2.3 >inside/VERSION
    [ "$(inside/do.sh --version)" = 'do.sh (histolab) 1.2.3' ]
}

@test "version: VERSION is by SemVer, and CHANGELOG.md has the form of Keep a Changelog" {
    grep -qxE '[0-9]+[.][0-9]+[.][0-9]+(-[0-9A-Za-z.-]+)?([+]g[0-9a-f]+)?' VERSION # an archive of a commit names it
    [ "$(wc -l <VERSION)" -eq 1 ]
    grep -qxF '## [Unreleased]' CHANGELOG.md
    [ "$(sed -nE 's/^## \[([0-9.]+)\].*/\1/p' CHANGELOG.md | head -n 1)" = "$(sed 's/[-+].*//' VERSION)" ]
    run ! grep -nvE '^## \[(Unreleased|[0-9]+([.][0-9]+){2}\] - [0-9]{4}(-[0-9]{2}){2}$)' <(grep '^## ' CHANGELOG.md)
    run ! grep -nvxE '### (Added|Changed|Deprecated|Removed|Fixed|Security)' <(grep '^### ' CHANGELOG.md)
}

@test "version: records have it" {
    make -s build/judge-opt_sum build/cpu/device
    build/cpu/device >"$work/device"
    printf '%s\n' "device $work/device" 'size 64x1' 'histolab 1.2.3+g1234567' >"$work/run"
    run -1 build/judge-opt_sum "$work/run" --step sum02_pairwise --verdict missing --record "$work/record"
    [ "$(jq -r .histolab "$work/record")" = 1.2.3+g1234567 ]
    # As whoever grades tells it to the judge.
    run bash -c 'program=x; . common/prelude.sh; . common/build/grading.sh; version=v iterations=1; begin_run f "$1" records logs device' - "$work/begun"
    grep -qx "histolab $(./grade.sh --version | sed 's/.* //')" "$work/begun"
}

@test "dist: the same commit gives the same bytes, with a checksum; a tag must be VERSION's" {
    clone
    version=1.0.0+g$(git rev-parse --short=7 HEAD)
    run -0 class/dist "$work/a"
    (umask 077 && TZ=Asia/Tokyo class/dist "$work/b")
    cmp "$work"/{a,b}/histolab-"$version".tar.gz
    (cd "$work/b" && sha256sum -c --quiet SHA256SUMS)
    # All is of the commit's time, and of nobody.
    [ "$(tar --utc -tvzf "$work/a/histolab-$version.tar.gz" | awk '{ print $2, $4, $5 }' | sort -u)" = '0/0 2026-01-01 00:00' ]
    git tag v1.0
    run -1 class/dist "$work/c"
    [[ $output == *'the tag is v1.0.0, and this commit has v1.0:'* ]]
    git tag -d v1.0
    git tag v1.0.0
    printf '# Changelog\n\n## [Unreleased]\n' >CHANGELOG.md
    run -1 class/dist "$work/c"
    [[ $output == *'not committed'* ]]
    commit
    git tag -f v1.0.0
    run -1 class/dist "$work/c"
    [[ $output == *"CHANGELOG.md has no '## [1.0.0] - YYYY-MM-DD'"* ]]
    printf '## [1.0.0] - 2026-01-01\n' >>CHANGELOG.md
    commit
    git tag -f v1.0.0
    run -0 class/dist "$work/c"
    [ "$(ls "$work/c")" = $'SHA256SUMS\nhistolab-1.0.0.tar.gz' ]
    echo 1.0 >VERSION
    commit
    run -1 class/dist "$work/c"
    [[ $output == *"VERSION says '1.0'"* ]]
}

@test "dist: what is unpacked works without git" {
    clone
    class/dist "$work/out"
    mkdir "$work/bin"
    find /usr/bin/ /bin/ -maxdepth 1 -mindepth 1 ! -name 'git*' -exec ln -sft "$work/bin" {} +
    mkdir "$work/a blank"
    tar -xzf "$work"/out/histolab-*.tar.gz -C "$work/a blank"
    cd "$work/a blank"/histolab-1.0.0+g* || return
    # What `make` shows something with was compiled already; it takes git for none of it.
    make -s -C "$root" build/front build/report
    mkdir build
    cp -r "$root"/build/{front,report,host} build
    export PATH=$work/bin
    run ! command -v git
    [[ $(./grade.sh --version) == "grade.sh (histolab) 1.0.0+g"* ]]
    [[ $(make) == histolab:* ]]
    . tests/files.sh
    mkdir results
    touch build/x results/x
    [ "$(tree_files | grep -cE '^(Makefile|(build|results)/x)$')" -eq 1 ]
    run -3 class/dist "$work/d"
    [[ $output == 'dist: git is missing'* ]]
    run -0 make -s -n build/judge-opt_sum
    mkdir tests/unit
    cp "$root/tests/unit/build.mk" tests/unit
    make -s -f tests/unit/build.mk CC=gcc build/unit/gcc/keep.o
}
