#!/usr/bin/env bash
# Gradescope runs this once, as root, when the image is built. It installs the tools, and builds everything
# that can be built before there is a submission.

set -eu
histolab=${AUTOGRADER:-/autograder}/source/histolab
cd "$histolab"

mapfile -t packages < <(desk/deps --all --list-why | grep -v "for journals\|for editors" | cut -f 1)
if ((${#packages[@]})); then
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"
fi
make -s -j"$(nproc)" build-cpu build/report build/grades
