#!/usr/bin/env bats
# class/similar: which submissions are alike, over made-up clean copies.

bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p out/submissions
}

# submit ID [STEP]: a clean copy from stdin.
submit() {
    mkdir -p "out/submissions/$1/labs/${2-opt05_multiblock}"
    cat >"out/submissions/$1/labs/${2-opt05_multiblock}/opt_2dhisto.cu"
}

# Another's work, from scratch.
another() {
    "$root/common/build/variant" "$root/tests/bugs/byte_packed_overflow"
}

# What nobody writes who has not seen it: a step of somebody's own.
own_way() {
    cat <<'END'
#include "lab.h"
/* my way */
static unsigned *tmp;
__device__ unsigned scramble(unsigned v, int salt) {
    unsigned h = v;
    for (int k = 0; k < 3; ++k) {
        h ^= h >> (k + salt);
        h = h * 31 + (v & 7) - (h << 2);
        if (h == 77) h = v;
    }
    return h;
}
__global__ void work(const uint32_t *image, size_t n, unsigned *out) {
    for (size_t i = blockIdx.x; i < n; i += gridDim.x * 2)
        switch (scramble(image[i], 3) & 3) {
        case 0: atomicAdd(&out[image[i]], 1); break;
        case 1: atomicAdd(out + image[i], 1u); break;
        default: if (image[i]) out[image[i]] -= -1;
        }
}
END
}

@test "similar: a copy with other names, numbers, comments and layout is listed; work of one's own is not" {
    own_way | submit ada
    own_way | sed 's/scramble/hash/g; s/salt/spice/g; s/77/99/; s|/\* my way \*/|// all mine|; s/^ *//' | submit eve
    another | submit bob
    run -0 "$root/class/similar" out
    [[ $output == *"Evidence for a person, not a verdict"* ]]
    [[ $output =~ opt05_multiblock.*(9[0-9]|100)\ %\ of\ (ada|eve)\ .*(9[0-9]|100)\ %\ of\ (ada|eve)\ .*tokens ]]
    [[ $output != *"bob"* && $output != *"the same file"* ]]
    [ "$(grep -c ' tokens' <<<"$output")" -eq 1 ]
}

@test "similar: the same file is called that, and what is copied in part has two percentages" {
    own_way | submit ada
    own_way | submit bob
    (own_way && another | sed -n '/__global__/,$p') | submit cem
    run -0 "$root/class/similar" --at-least 90 out
    [[ $output =~ 100\ %\ of\ ada\ +100\ %\ of\ bob\ .*:\ the\ same\ file ]]
    [[ $output =~ (9[0-9]|100)\ %\ of\ ada\ +[1-8]?[0-9]\ %\ of\ cem\  ]]
}

@test "similar: what this tree's own steps have in common with everybody is no evidence" {
    for id in ada bob cem; do submit "$id" <"$root/labs/opt05_multiblock/opt_2dhisto.cu"; done
    submit dan <"$root/labs/opt06_builtin_min/opt_2dhisto.cu"
    run -0 "$root/class/similar" out
    [[ $output == *"No pair has 70 % or more in common."* ]]
    # The same files for a step that this tree has not.
    mkdir -p other/labs other/class other/common
    cp "$root/class/similar" other/class && cp "$root/common/prelude.sh" other/common
    run -0 other/class/similar out
    [[ $output == *"the same file"* ]]
}

@test "similar: step by step, each by its own name" {
    own_way | submit ada opt04_shared_memory
    own_way | submit bob
    run -0 "$root/class/similar" out
    [[ $output == *"No pair"* ]]
    own_way | submit bob opt04_shared_memory
    run -0 "$root/class/similar" out
    [[ $output == *"opt04_shared_memory"*"ada"*"bob"* && $output != *"opt05_multiblock"* ]]
}

@test "similar: nothing handed in, wrong usage and a missing tool are told in one line" {
    rm -r out
    for arguments in out nowhere '--at-least 101 out' '--at-least' '--else' 'a b'; do
        # shellcheck disable=SC2086
        run -2 "$root/class/similar" $arguments
        [ "${#lines[@]}" -eq 1 ]
    done
    mkdir -p out/submissions bin
    for tool in bash dirname; do ln -s "$(command -v $tool)" bin; done
    PATH=$PWD/bin run -3 "$root/class/similar" out
    [[ ${#lines[@]} -eq 1 && $output == *"make deps-all"*"similarity-tester"* ]]
    run -0 "$root/class/similar" out
    [[ $output == *"No pair"* ]]
}

@test "similar: a source that would keep the tool busy for hours is named, and the others are compared" {
    own_way | submit alice
    own_way | submit bob
    yes 'x = x + 1;' | head -c 1000000 | submit mallory
    run -0 --separate-stderr "$root/class/similar" out
    [[ "$output" == *" 100 % of alice "*"same file"* ]]
    # shellcheck disable=SC2154  # run sets it
    [[ "$stderr" == "similar: mallory/opt05_multiblock is not compared: "* ]]
}
