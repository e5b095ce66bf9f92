#!/usr/bin/env bats
# class/similar: which submissions are alike, over made-up clean copies.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    make -s -C "$root" build/variants
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
    (cd "$root" && build/variants print tests/changes/byte01_global_atomics.changes byte_packed_overflow)
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
    [[ $output =~ opt05_multiblock.*(9[0-9]|100)\ %\ +ada\ +(9[0-9]|100)\ %\ +eve\  ]]
    [[ $output != *"bob"* && $output != *"the same file"* ]]
    [ "$(grep -c ' %.* %' <<<"$output")" -eq 1 ]
    # Names stay away where the assignment is anonymous; one that cannot be read shows none.
    printf 'submission\tname\nada\tAda Lovelace\n' >out/people.tsv
    run -0 "$root/class/similar" out
    [[ $output == *"Ada Lovelace"* ]]
    printf 'steps opt05_multiblock\nanonymous yes\n' >out/assignment
    run -0 "$root/class/similar" out
    [[ $output =~ ada\  && $output != *"Ada Lovelace"* ]]
    echo 'anonymous perhaps' >out/assignment
    run ! "$root/class/similar" out
    [[ $output != *"Ada Lovelace"* ]]
}

@test "similar: the same file is called that, and what is copied in part has two percentages" {
    own_way | submit ada
    own_way | submit bob
    (own_way && another | sed -n '/__global__/,$p') | submit cem
    run -0 "$root/class/similar" --at-least 90 out
    [[ $output =~ 100\ %\ +ada\ +100\ %\ +bob\ .*:\ the\ same\ file ]]
    [[ $output =~ (9[0-9]|100)\ %\ +ada\ +[1-8]?[0-9]\ %\ +cem\  ]]
}

@test "similar: what this tree's own steps have in common with everybody is no evidence" {
    for id in ada bob cem; do submit "$id" <"$root/labs/opt05_multiblock/opt_2dhisto.cu"; done
    submit dan <"$root/labs/opt06_builtin_min/opt_2dhisto.cu"
    run -0 "$root/class/similar" out
    [[ $output == *"No pair has 70 % or more in common."* ]]
    # But what is published is told, to the names: a student would write other ones.
    [[ $output == *"Like a solution that this project has published"*"100 %  ada  100 %  the published opt05_multiblock "* ]]
    # The same files for a step that this tree has not.
    mkdir -p other/labs other/class other/build
    cp "$root"/class/{similar*,points.sh,view.sh} other/class && cp "$root/build/grades" other/build && ln -s "$root/common" "$root/report" other
    run -0 other/class/similar out
    [[ $output == *"the same file"* ]]
}

# The starter that students get of a step.
starter() {
    (cd "$root" && build/grades starter "labs/$1/step.md" "labs/$1/opt_2dhisto.cu")
}

@test "similar: starters and lines of them are no evidence, untouched or with other comments; work on them is" {
    for id in ada bob; do starter opt05_multiblock | submit "$id"; done
    starter opt05_multiblock | sed 's|/\* TODO.*|// later|; s|^static int blocks;|static int blocks; /* mine|; s|^void opt_2dhisto_setup|*/ &|' | submit cem
    starter opt02_one_block | submit dan
    run -0 "$root/class/similar" --at-least 0 out
    [[ $output == *"No pair has 0 % or more in common."* ]]
    for id in ada cem; do
        { own_way; starter opt05_multiblock | sed 's|/\* TODO: count.*|if (size > 7 \&\& image[3] == 5) counts[image[size - 1] \& 7] += scramble(image[0], 9) << 2;|'; } | submit "$id"
    done
    run -0 "$root/class/similar" out
    [[ $output =~ 100\ %\ +ada\ +100\ %\ +cem\  ]]
    [[ $output != *bob* && $output != *dan* ]]
}

@test "similar --with: earlier terms, by their folders of results; pairs among themselves are not listed" {
    own_way | submit ada
    another | submit bob
    mkdir -p 'last year/submissions' spring/submissions
    cp -r out/submissions/ada 'last year/submissions/eve'
    cp -r out/submissions/ada 'last year/submissions/fay'
    cp -r out/submissions/ada spring/submissions/cem
    run -0 "$root/class/similar" --with 'last year' --with spring out
    [ "$(grep -c ' %.* %' <<<"$output")" -eq 3 ]
    for other in 'last year/eve' 'last year/fay' spring/cem; do
        [[ $output =~ (9[0-9]|100)\ %\ +ada\ +(9[0-9]|100)\ %\ +"$other"\  ]]
    done
    mkdir empty
    run -2 "$root/class/similar" --with empty out
    [[ ${#lines[@]} -eq 1 && $output == *"no submissions in 'empty'"* ]]
}

@test "similar: the page has the pairs side by side, shared lines with a number; what students wrote is no markup" {
    local line="printf(\"<script>alert(1)</script> \\x1b[31m\");"
    { own_way; printf '// <img src=x> \001\033[31m\xff\n%s\n' "$line"; } | submit '<b>ada'
    { echo; own_way | sed 's/scramble/hash/g'; printf '%s\n' "$line"; } | submit eve
    printf 'submission\tname\neve\tEve Müller <i>\n' >out/people.tsv
    run -0 "$root/class/similar" out
    [[ $output == *"Side by side: "*out/similar.html ]]
    run ! grep -E '<(script|img|b|link)[ >]|https?:|url[(]' out/similar.html
    run ! env LC_ALL=C grep -P '[\x00-\x08\x0b-\x1f]|\xff' out/similar.html
    grep -qF '&lt;b&gt;ada' out/similar.html
    grep -qF 'Eve Müller &lt;i&gt; (eve)' out/similar.html
    # line 4 of the one beside line 5 of the other
    grep -qF '<td class="right">4</td><td class="right">=1</td><td class="same">__device__ unsigned scramble(unsigned v, int salt) {</td><td class="right">5</td><td class="right">=1</td><td class="same">__device__ unsigned hash(' out/similar.html
    grep -qF '<td class="given">#include &quot;lab.h&quot;</td>' out/similar.html
    if command -v xmllint >/dev/null; then xmllint --html --noout out/similar.html; fi
    # The class's page leads there, also when both are copied.
    cp "$root/tests/fixtures/report-inputs.jsonl" out/results.jsonl
    "$root/class/pages" out
    grep -qF 'href="similar.html"' out/index.html
    sed -i 's/href="similar.html"//' out/index.html
    run -0 "$root/class/similar" out
    grep -qF 'href="similar.html"' out/index.html
    rm out/similar.html
    "$root/class/pages" out
    run ! grep -F similar.html out/index.html
    [ "$(stat -c %A out/index.html)" = -rw------- ]
}

@test "similar: of many who share one file each stands in three pairs, and what is left out is told" {
    local who
    for who in {a..l}; do own_way | submit "$who"; done
    run -0 "$root/class/similar" out
    [ "$(grep -c 'the same file' <<<"$output")" -lt 36 ]
    for who in {a..l}; do [[ $output == *" $who "* ]]; done
    [[ $(tr -s ' \n' ' ' <<<"$output") =~ [0-9]+' more pairs are left out' ]]
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

@test "similar: nothing handed in, and wrong usage are told in one line" {
    rm -r out
    for arguments in out nowhere '--at-least 101 out' '--at-least' '--with' '--with nowhere out' '--else' 'a b'; do
        # shellcheck disable=SC2086
        run -2 "$root/class/similar" $arguments
        [ "${#lines[@]}" -eq 1 ]
    done
    mkdir -p out/submissions
    run -0 "$root/class/similar" out
    [[ $output == *"No pair"* ]]
}

@test "similar: a source of a megabyte that repeats itself is compared, too" {
    own_way | submit alice
    own_way | submit bob
    yes 'x = x + 1;' | head -c 1000000 | submit mallory
    run -0 --separate-stderr "$root/class/similar" out
    [[ "$output" == *"100 %  alice "*"same file"* && "$output" != *mallory* ]]
}
