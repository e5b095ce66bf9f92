#!/usr/bin/env bats
# A problem that is added is one directory, and steps: tests/fixtures/problems has two whose outputs are as large as
# their inputs, running sums (pre) and a blurred image (blur). They are laid over a copy of the tree.

load failed
bats_require_minimum_version 1.5.0 # run -N

load tree

setup_file() {
    source_tree=$BATS_TEST_DIRNAME/../..
    export tree=$BATS_FILE_TMPDIR/tree
    copy_tree "$tree" 'opt01*'
    without_charts "$tree"
    rm -r "$tree"/labs/*
    mkdir "$tree/results"
    cp -r "$source_tree"/tests/fixtures/problems/. "$tree"
    cd "$tree" || return
    ./grade.sh --device cpu --out results/all >results/all.out 2>&1 || { cat results/all.out; return 1; }
}

setup() {
    cd "$tree" || return
    records=$BATS_TEST_TMPDIR/records
    export records
}

# judge FUNCTION STEP OPTION...
judge() {
    "build/judge-$1" /dev/null "build/cpu/labs/$2" --device results/all/device.txt --record "$records" --iterations 2 "${@:3}"
}

@test "a new problem: its steps pass, and the record says what they have to read and write" {
    grep -q '^2 of 2 steps passed$' results/all.out
    [ "$(jq -r '[.step, .verdict, .bytes, .written_bytes, .calls] | join(" ")' results/all/results.jsonl)" = \
        "$(printf '%s\n' 'blur01_one_pixel pass 524288 524288 2' 'pre01_blocks pass 262144 262144 2')" ]
    # Bytes of the table are those of both.
    grep -q '^Input:* *opt_prefix: random, 65536 x 1, 0.5243 MB a call' results/all.out
    # What the counted build saw of them, and a time predicted from it.
    jq -e -s '.[0] | .launches[0].read_bytes == 524288 and .launches[0].written_bytes == 524288 and .predicted_s > 0' results/all/results.jsonl
}

@test "a new problem: right in every shape, and with none" {
    make -s build/cpu/labs/{pre01_blocks,blur01_one_pixel}/driver
    for shape in 0 1 0x5 5x0 1x4097 4097x3 33x65; do
        for step in pre01_blocks blur01_one_pixel; do "build/cpu/labs/$step/driver" "$shape" - 2; done
    done
    judge opt_blur blur01_one_pixel --size 33x65
    judge opt_prefix pre01_blocks --input ones
    for function in opt_prefix opt_blur; do # the reference, against what is expected
        "build/judge-$function" /dev/null --device results/all/device.txt --record "$records" --kind reference --size 33x65 --iterations 2
    done
}

@test "a new problem: whose answer for one element is known without a look at it" {
    local step=labs/pre01_blocks/opt_prefix.cu # here the host copies it, and kernels read none of it
    cp "$step" "$BATS_TEST_TMPDIR/kept"
    sed -i 's/^    add_stretches<<<.*/    if (count <= 16) {\n        add_before<<<1, THREADS>>>(0, sums, totals);\n        CUDA_CHECK(cudaMemcpyAsync(sums, data, count * sizeof *sums, cudaMemcpyDeviceToDevice));\n        return;\n    }\n&/' "$step"
    run ./grade.sh --device cpu --steps 'pre*' --size 1 --out results/one
    cp "$BATS_TEST_TMPDIR/kept" "$step"
    [ "$(jq -r '[.verdict, .detail, .launches[0].read_bytes] | @tsv' results/one/results.jsonl)" = $'pass\t\t0' ] || { cat results/one/results.jsonl; false; }
}

@test "a new problem: the first wrong output of many has its place" {
    sed -i 's/add_before<<<blocks - 1/add_before<<<blocks - 2/' labs/pre01_blocks/opt_prefix.cu
    run -1 desk/try pre01
    output=$(tr -s ' \n' ' ' <<<"$output")
    [[ $output =~ call\ 0,\ output\ 4096:\ expected\ [0-9]+,\ got\ [0-9]+\ \(3\ of\ 4099\ outputs\ wrong,\ [0-9]+\ of\ [0-9]+\ calls\ wrong\) ]]
    [[ $output =~ The\ last\ 3\ outputs\ are\ wrong. ]]
}

@test "a new problem: which outputs of an image are wrong, or nobody wrote" {
    local change says step=labs/blur01_one_pixel/opt_blur.cu
    cp "$step" "$BATS_TEST_TMPDIR/kept"
    while IFS='|' read -r change says; do
        sed "$change" "$BATS_TEST_TMPDIR/kept" >"$step"
        run -1 desk/try blur01
        output=$(jq -r .diagnosis results/desk/results.jsonl)
        [[ $output =~ $says ]] || { echo "$change: $output"; false; }
    done <<'END'
s/column >= width)/column >= width - 1)/|Column 66 of every row is written by no kernel. Every pixel is read
s/sum \/ 9/sum \/ 8/|Rows 0 to 36 are wrong. Every pixel is read
s/float sum = 0;/&if (!row + !column + (row == height - 1) + (column == width - 1)) sum = 1;/|204 of the 2479 outputs are wrong.
s/row >= height/row >= height - height % 8/|Rows 33 to 36 are never read.
END
    cp "$BATS_TEST_TMPDIR/kept" "$step"
}

@test "a new problem: a handout has it" {
    class/handout/pack --recorded no --out "$BATS_TEST_TMPDIR" >/dev/null
    tar -xzf "$BATS_TEST_TMPDIR/histolab.tar.gz" -C "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR/histolab"
    [ -e common/problems/opt_prefix/contract.h ]
    grep -q 'TODO: log2 THREADS rounds' labs/pre01_blocks/opt_prefix.cu
}

@test "a new problem: a submission's build sees its contract, and nothing else of it" {
    class/isolate --available >/dev/null || skip "nothing isolates here"
    run -0 class/isolate build labs/blur01_one_pixel build/isolated -- bash -c 'cat common/problems/opt_blur/* && ls common/problems/opt_blur'
    [[ $output == *"void opt_blur_setup(size_t height, size_t width);"*$'\n'contract.h ]]
    [ "$(find common/problems/opt_blur -type f | wc -l)" -eq 3 ]
}
