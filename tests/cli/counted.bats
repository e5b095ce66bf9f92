#!/usr/bin/env bats
# Counters and predicted times in records: grade.sh and make opt05 with --gpu, --no-count, on the cpu device.
# In a copy of the tree, with an input as small as can be.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

load tree

setup_file() {
    export tree=$BATS_FILE_TMPDIR/tree
    copy_tree "$tree" 'opt05_*'
    with_small_blocks "$tree"
    without_charts "$tree"
    sed -i "s/settings=()/settings=('size 47x1301')/" "$tree/desk/try"
}

setup() {
    cd "$tree" || return
    unset CC CXX NO_COLOR GPU
    out=$BATS_TEST_TMPDIR/out built=build/cpu/labs/opt05_multiblock
    step=labs/opt05_multiblock/opt_2dhisto.cu
    cp "$step" "$BATS_TEST_TMPDIR"
}

teardown() {
    cp "$BATS_TEST_TMPDIR/opt_2dhisto.cu" "$tree/labs/opt05_multiblock"
}

grade() {
    ./grade.sh --device cpu --size 47x1301 --out "$out" "$@"
}

# of FILTER: what jq says of the step's record.
of() {
    jq -r "select(.kind == \"step\" and .submission == \"${submission-}\") | $1" "$out/results.jsonl"
}

# plain_for_checked: of what is wrong only where it is counted, the check has nothing to say; the plain runner takes half its time.
plain_for_checked() {
    mkdir "$BATS_TEST_TMPDIR/built"
    make -s "$built/runner" build/judge-opt_2dhisto build/cpu/device
    cp "$built/runner" "$BATS_TEST_TMPDIR/built"
    ln -s runner "$BATS_TEST_TMPDIR/built/runner-checked"
}

# judge BUILT: the judge alone, on a directory of programs, with counters.
judge() {
    mkdir -p "$out"
    build/cpu/device >"$out/device"
    printf 'device %s\niterations 2\nsize %s\n' "$out/device" "${size-47x1301}" >"$out/run"
    build/judge-opt_2dhisto "$out/run" "$1" --step opt05_multiblock --record "$out/results.jsonl" --gpu common/gpus/h200.gpu "${@:2}"
}

@test "a step is counted on the GPU named, and its time predicted apart from measured ones" {
    run -0 grade --gpu h100
    [ "$(of '[.verdict, .counted.gpu, .predicted_gpu, .counted.rows, .counted.columns, .notes] | @tsv')" = $'pass\th100\th100\t47\t1301\t' ]
    # Two blocks for each multiprocessor, of which an H100 has 132.
    [ "$(of '.launches[0] | [.grid, .block, .blocks] | @tsv')" = $'264\t64\t264' ]
    [ "$(of '[.accesses[] | select(.kind == "load" and .space == "global" and .source == "const uint32_t value = image[i];") | .sectors > 0] | any')" = true ]
    [ "$(of '.predicted_s > 0 and .predicted_ci90_s[0] <= .predicted_s and .predicted_ci90_s[1] >= .predicted_s')" = true ]
    [ "$(of '[.median_s, .speedup] | @json')" = '[null,null]' ]
}

@test "--no-count builds nothing for counters and leaves them out" {
    rm -f "$built/runner-counted"
    run -0 grade --no-count --gpu h2000 # which there is not: nobody asks
    [ "$(of '[.verdict, has("counted"), has("launches"), has("predicted_s"), .notes] | @tsv')" = $'pass\tfalse\tfalse\tfalse\t' ]
    [ ! -e "$built/runner-counted" ]
}

@test "a GPU that has no file is told, with those that there are" {
    run -2 grade --gpu h2000
    [[ $output == *"there is no GPU 'h2000': common/gpus has "*h100*h200* ]]
    run -2 grade --gpu ../gpus/h200
    [[ $output == *"there is no GPU '../gpus/h200'"* ]]
    DEVICE=cpu GPU=h2000 run -2 make opt05
    [[ $output == *"there is no GPU 'h2000'"* ]]
}

@test "on a GPU nothing is predicted: --gpu is refused" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\n' | tee "$BATS_TEST_TMPDIR/bin/nvcc" >"$BATS_TEST_TMPDIR/bin/nvidia-smi"
    chmod +x "$BATS_TEST_TMPDIR"/bin/*
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
    run -2 ./grade.sh --device gpu --out "$out" --gpu h200
    [[ $output == *"--gpu is for the cpu device"* ]]
}

@test "GPU=h100 make opt05 counts for that GPU" {
    DEVICE=cpu GPU=h100 run -0 make opt05
    [ "$(jq -r .counted.gpu results/desk/results.jsonl)" = h100 ]
}

@test "a counted build that fails is a note, and changes no verdict" {
    printf '#!/bin/bash\n[[ " $* " != *" -fno-tree-sra "* ]] || { echo "error: not today" >&2; exit 1; }\nexec g++ "$@"\n' >"$BATS_TEST_TMPDIR/g++"
    chmod +x "$BATS_TEST_TMPDIR/g++"
    CXX=$BATS_TEST_TMPDIR/g++ run -0 grade
    [ "$(of '[.verdict, has("counted"), .notes] | @tsv')" = $'pass\tfalse\tnot counted: the counted build failed (counted.log says why)' ]
}

@test "a counted run that says nothing, ends early, or lies is a note, and changes no verdict" {
    plain_for_checked
    cp "$built/runner" "$BATS_TEST_TMPDIR/built/runner-counted" # it leaves the GPU file where the counts should be
    run -0 judge "$BATS_TEST_TMPDIR/built"
    [[ $(of '[.verdict, has("counted"), .notes] | @tsv') == $'pass\tfalse\tnot counted: counts:1: '* ]]
    printf '#!/bin/sh\necho its last words\nexit 1\n' >"$BATS_TEST_TMPDIR/built/runner-counted"
    rm "$out/results.jsonl"
    run -0 judge "$BATS_TEST_TMPDIR/built" --log "$out/log"
    grep -x -A 1 -e '--- counted' "$out/log" | grep -qx 'its last words'
    [[ $(of '[.verdict, has("counted"), .notes] | @tsv') == $'pass\tfalse\tnot counted: the step\'s process ended while preparing the device'* ]]
}

@test "a step that is right with 2 multiprocessors and wrong with 132 is wrong" {
    sed -i 's/atomicAdd(&counts/if (blockIdx.x < 4) &/' "$step"
    run -1 grade --no-count # that it is counted is not what shows it
    [[ $(of '[.verdict, .detail] | @tsv') == $'wrong\t'*'call '* ]]
}

@test "a wrong step is not counted, unless it is there to be wrong" {
    rm -f "$out/results.jsonl"
    sed -i 's/height \* width, scratch/height * width \/ 2, scratch/' "$step"
    run -1 grade
    [ "$(of '[.verdict, has("counted"), .notes] | @tsv')" = $'wrong\tfalse\t' ]
    printf 'intended: wrong\n' | cat - labs/opt05_multiblock/step.md >"$BATS_TEST_TMPDIR/step.md"
    cp "$BATS_TEST_TMPDIR/step.md" labs/opt05_multiblock/step.md
    rm "$out/results.jsonl"
    run -0 grade
    sed -i 1d labs/opt05_multiblock/step.md
    [ "$(of '[.verdict, has("counted")] | @tsv')" = $'wrong\ttrue' ]
}

@test "a counts file that a step writes does not count" {
    "$BATS_TEST_DIRNAME"/../unpack "$BATS_TEST_DIRNAME"/../cheats/runner.sources "$BATS_TEST_TMPDIR"
    cp "$BATS_TEST_TMPDIR/writes_the_counts/opt_2dhisto.cu" "$step"
    run -1 grade
    [ "$(of '[.verdict, (.launches | map(.kernel) | join(" ")), .launches[0].block] | @tsv')" = $'flagged\thistogram saturate\t128' ]
}

@test "a step that does not do when it is counted what it was judged for is flagged" {
    local does words
    plain_for_checked
    cat >"$BATS_TEST_TMPDIR/left.cu" <<'END'
#include <stdlib.h>
#include <strings.h>

__global__ void leave(const uint32_t *image, const uint32_t **where) {
    volatile uint32_t own[64];
    __shared__ uint32_t shared[64];
    for (int i = 0; i < 64; i++)
        own[i] = shared[i] = image[i];
    where[0] = (const uint32_t *)own;
    where[1] = shared;
}

/* Whether the host finds it there. */
static bool is_left(const uint32_t *image, int in_shared) {
    const uint32_t **where, *there[2];
    uint32_t pixel;
    cudaMalloc(&where, sizeof there);
    leave<<<1, 1>>>(image, where);
    cudaMemcpy(there, where, sizeof there, cudaMemcpyDeviceToHost);
    cudaMemcpy(&pixel, image + 5, sizeof pixel, cudaMemcpyDeviceToHost);
    cudaFree(where);
    return there[in_shared][5] == pixel;
}

__global__ void move(void (*by)(const void *, void *, size_t), uint32_t *what) { by(what, what + 1, 4); }
END
    cat >"$BATS_TEST_TMPDIR/cases" <<'END'
abort()|passes, but not when it is counted for the h200: crashed: *signal 6*
move<<<1, 1>>>(bcopy, scratch)|passes, but not when it is counted for the h200: crashed: *a kernel calls bcopy: *
cudaMemset(bins, 0, HISTO_BINS)|passes, but not when it is counted for the h200: wrong: call 0,*
static uint32_t h[HISTO_BINS]; for (int i = 0; i < 16; i++) histogram<<<blocks, THREADS>>>(image, height * width, h); cudaMemset(scratch, 0, sizeof h); histogram<<<blocks, THREADS>>>(image, height * width, scratch); saturate<<<16, THREADS>>>(scratch, bins)|passes, but not when it is counted for the h200: no-kernel: far more came to the host*
if (is_left(image, 0)) cudaMemset(scratch, 0, HISTO_BINS * 4), histogram<<<blocks, THREADS>>>(image, height * width, scratch), saturate<<<16, THREADS>>>(scratch, bins)|passes, but not when it is counted for the h200: wrong: call 0,*
if (is_left(image, 1)) cudaMemset(scratch, 0, HISTO_BINS * 4), histogram<<<blocks, THREADS>>>(image, height * width, scratch), saturate<<<16, THREADS>>>(scratch, bins)|passes, but not when it is counted for the h200: wrong: call 0,*
size_t size = height * width; uint32_t c[HISTO_BINS] = {0}, *p = (uint32_t *)malloc(4 * size); cudaMemcpy(p, image, 4 * size, cudaMemcpyDeviceToHost); for (size_t i = 0; i < size; i++) c[p[i]]++; free(p); cudaMemcpy(scratch, c, sizeof c, cudaMemcpyHostToDevice); saturate<<<16, THREADS>>>(scratch, bins)|reads too little when it is counted for the h200: its kernels read 4096 bytes, but the input of a call has 244588
END
    # Built once: it does what $DOES says, of the lines below.
    local cases='' number=0
    while IFS='|' read -r does words; do cases+="    if (atoi(getenv(\"DOES\")) == $((number++))) {\\n        $does;\\n        return;\\n    }\\n"; done <"$BATS_TEST_TMPDIR/cases"
    sed -e "s/^    CUDA_CHECK(cudaMemsetAsync/${cases//&/\\&}&/" -e "/^#include \"lab.h\"/r $BATS_TEST_TMPDIR/left.cu" "$BATS_TEST_TMPDIR/opt_2dhisto.cu" >"$step"
    make -s "$built/runner-counted"
    cp "$built/runner-counted" "$BATS_TEST_TMPDIR/built"
    number=0
    while IFS='|' read -r does words; do
        rm -f "$out/results.jsonl"
        DOES=$((number++)) run -1 judge "$BATS_TEST_TMPDIR/built"
        [[ $(of '[.verdict, .detail] | @tsv') == $'flagged\t'$words ]] || { echo "$does"; of .detail; false; }
    done <"$BATS_TEST_TMPDIR/cases"
}

# seen_by HOW CONDITION: the step is wrong with inputs of which it has seen the first pixels; how "w": it sees them now.
seen_by() {
    cat >"$BATS_TEST_TMPDIR/seen.cu" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_seen(const uint32_t *image, const char *how) {
    uint32_t now[64], seen[64] = {0};
    FILE *file = fopen(getenv("SEEN"), how);
    if (!file)
        return false;
    cudaMemcpy(now, image, sizeof now, cudaMemcpyDeviceToHost);
    bool same = *how == 'w' ? fwrite(now, sizeof now, 1, file) : fread(seen, sizeof seen, 1, file) && !memcmp(now, seen, sizeof now);
    fclose(file);
    return same;
}
END
    export SEEN=$BATS_TEST_TMPDIR/seen
    sed -e "s/^    CUDA_CHECK(cudaMemsetAsync/    if ($2 \\&\\& is_seen(image, \"$1\")) { CUDA_CHECK(cudaMemsetAsync(bins, 0, HISTO_BINS)); return; }\n&/" \
        -e "/^#include \"lab.h\"/r $BATS_TEST_TMPDIR/seen.cu" "$BATS_TEST_TMPDIR/opt_2dhisto.cu" >"$step"
}

@test "what only the counted input shows is a mistake like any other: the plain build is wrong there, too" {
    plain_for_checked
    mv "$BATS_TEST_TMPDIR/built"/runner{,-checked} # the plain one becomes another
    # The counted build is wrong, and leaves its last input's first pixels; the plain one is wrong with these.
    local -A runner=([w]=runner-counted [r]=runner)
    for how in w r; do
        seen_by $how 'height * width > 64'
        make -s "$built/${runner[$how]}"
        cp "$built/${runner[$how]}" "$BATS_TEST_TMPDIR/built"
    done
    run -1 judge "$BATS_TEST_TMPDIR/built"
    [[ $(of '[.verdict, .detail] | @tsv') == $'wrong\tcall 1, bin '*'(1 of 2 calls wrong)' ]]
}

@test "where the counted run ends early, the plain build makes the calls that were left to it" {
    sed -i 's/^    CUDA_CHECK(cudaMemsetAsync/    static int calls;\n    if (height == 61 \&\& calls++ % 2) size = 0;\n&/; s/height \* width, scratch/size, scratch/; s/^void opt_2dhisto(.*/&\n    size_t size = height * width;/' "$step"
    plain_for_checked
    printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/built/runner-counted"
    chmod +x "$BATS_TEST_TMPDIR/built/runner-counted"
    size=61x1301 run -1 judge "$BATS_TEST_TMPDIR/built"
    [[ $(of '[.verdict, .detail] | @tsv') == $'wrong\tcall 1, bin '*'(1 of 2 calls wrong)' ]]
}

@test "a check that is wrong beside others is made once more with the same input" {
    seen_by wx 'height == 1 \&\& width > 1000 \&\& width < 1 << 24' # the first of them that runs
    sed -i 's/is_seen(image, "wx")/(is_seen(image, "wx") || is_seen(image, "r"))/' "$step"
    run -1 grade --no-count
    [[ $(of '[.verdict, .detail] | @tsv') == $'wrong\tcheck (edges, 1 x '* ]]
}
