#!/usr/bin/env bats
# The files for containers. No container engine runs here: what they copy and run is tried in a folder, with an apt-get
# of our own.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    image=$BATS_TEST_TMPDIR/image bin=$BATS_TEST_TMPDIR/bin
    mkdir -p "$image" "$bin"
    for tool in bash env cat mktemp tail dirname; do ln -s "$(command -v $tool)" "$bin"; done
    for tool in sudo rm useradd apt-get; do
        printf '#!%s\n%s\n' "$(command -v bash)" "echo \"$tool \$*\" >>'$BATS_TEST_TMPDIR/called'" >"$bin/$tool"
        chmod +x "$bin/$tool"
    done
    # sudo runs the rest, as a user who is not root needs it.
    echo 'while [[ $1 == -* ]]; do shift; done; exec "$@"' >>"$bin/sudo"
}

# Copies what standard input has (FILE... FOLDER or FILE FILE on each line) into the folder that stands for the image.
copy_into_image() {
    local from to
    while read -r from to; do
        [[ $to == */ ]] && to+=${from##*/}
        mkdir -p "$image/${to%/*}"
        cp "$from" "$image/$to"
    done
}

# Runs the lines of standard input as the image's build does. desk/deps finds no tool here, and cannot install any.
run_in_image() {
    sed "s| /opt/| $image/opt/|g" >"$BATS_TEST_TMPDIR/script"
    PATH=$bin run "$bin/bash" -c "$(<"$BATS_TEST_TMPDIR/script")"
    [[ $(<"$BATS_TEST_TMPDIR/called") == *"apt-get "*"install "*"g++ gcc make "*"gnuplot-nox"* ]]
}

@test "Containerfile: desk/deps alone, as it copies it, asks apt-get for what a step needs" {
    copy_into_image < <(sed -n 's/^COPY //p' Containerfile)
    run_in_image < <(sed -n 's/^RUN //p' Containerfile)
    run ! grep -q pandoc "$BATS_TEST_TMPDIR/called"
    DEPS=--all run_in_image < <(sed -n 's/^RUN //p' Containerfile)
    grep -q 'install .*pandoc' "$BATS_TEST_TMPDIR/called"
}

@test "histolab.def: the same of Apptainer" {
    copy_into_image < <(sed -n '/^%files/,/^$/{/^%/d; /./p}' histolab.def)
    run_in_image < <(sed -n '/^%post/,/^$/{/^%/d; p}' histolab.def)
}

@test "both images begin with the same Debian" {
    [ "$(sed -n 's/^ARG BASE=//p' Containerfile)" = "$(sed -n 's/^ *BASE=//p' histolab.def)" ]
    [[ $(sed -n 's/^ARG BASE=//p' Containerfile) =~ ^debian:[a-z]+-slim$ ]]
    grep -qx 'FROM $BASE' Containerfile
    grep -qx 'From: {{ BASE }}' histolab.def
}

@test "devcontainer.json: its image is Containerfile's, with arguments and a user that are there" {
    cd .devcontainer
    field() { jq -er "$1" devcontainer.json; }
    cmp "$(field .build.dockerfile)" ../Containerfile
    [ "$(cd "$(field .build.context)" && pwd)" = "$(cd .. && pwd)" ]
    for argument in $(field '.build.args | keys[]'); do grep -q "^ARG $argument=" ../Containerfile; done
    grep -q "^RUN .* useradd .* $(field .remoteUser)\$" ../Containerfile
    read -r program goal < <(field .postCreateCommand)
    [ "$program" = make ]
    make -n -C .. "$goal" >/dev/null
    for extension in $(field '.customizations.vscode.extensions[]'); do
        jq -e --arg extension "$extension" '.recommendations | index($extension) != null' ../.vscode/extensions.json
    done
}
