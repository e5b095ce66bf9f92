#!/usr/bin/env bats
# What editors are given: clangd's flags, and VS Code's tasks with their problem matchers.

load failed
bats_require_minimum_version 1.5.0 # run -N

load tree

setup_file() {
    export tree=$BATS_FILE_TMPDIR/tree DEVICE=cpu
    copy_tree "$tree" 'opt05_*'
    without_charts "$tree"
    # shellcheck disable=SC2154  # load tree sets it
    cp -r "$source_tree"/{.vscode,.clangd,compile_flags.txt} "$tree"
}

setup() {
    cd "$tree" || return
    unset NO_COLOR
    source=labs/opt05_multiblock/opt_2dhisto.cu
    cp "$source_tree/$source" "$source"
}

teardown() {
    [ -z "${watching-}" ] || { kill -TERM -- "-$watching" && wait "$watching"; } 2>/dev/null || true
}

line_of() {
    grep -n -m 1 -F -e "$1" "$source" | cut -d : -f 1
}

# ---- clangd --------------------------------------------------------------------------------------

# What clangd underlines in a file, one a line. Its trial of refactorings is not looked at.
underlined() {
    clangd --check="$1" >"$BATS_TEST_TMPDIR/clangd" 2>&1 || true
    grep -q 'All checks completed' "$BATS_TEST_TMPDIR/clangd" || { cat "$BATS_TEST_TMPDIR/clangd"; return 1; }
    sed -n '/ tweak: /d; s/^E\[[^]]*\] //p' "$BATS_TEST_TMPDIR/clangd"
}

@test "clangd: in steps of three ladders nothing is underlined" {
    command -v clangd >/dev/null || skip "needs clangd"
    cd "$source_tree"
    for step in opt15_overlapped sum08_warp_shuffle text09_overlap; do
        run -0 underlined "$(compgen -G "labs/$step/*.cu")"
        [ -z "$output" ] || { printf '%s\n' "$step" "$output"; false; }
    done
}

@test "clangd: cooperative groups and warp reductions too" {
    command -v clangd >/dev/null || skip "needs clangd"
    cd "$source_tree"
    run -0 underlined tests/honest/reduce_per_pixel/opt_2dhisto.cu
    [ -z "$output" ]
}

@test "clangd: an unknown word, a host's function in a kernel, and a kernel called as a function are underlined" {
    command -v clangd >/dev/null || skip "needs clangd"
    sed -i 's/atomicAdd(&partial/atomicAd(\&partial/; s/const uint32_t value = /&lab_multiprocessors() + /
        s/<<<blocks, THREADS>>>//' "$source"
    run -0 underlined "$source"
    for mistake in "[undeclared_var_use] Line $(line_of 'atomicAd(')" "Line $(line_of '= lab_multiprocessors')" \
        "[global_call_not_config] Line $(line_of 'histogram(image')"; do
        [[ $output == *"$mistake"* ]] || { printf 'not underlined: %s\n%s\n' "$mistake" "$output"; false; }
    done
}

# ---- VS Code -------------------------------------------------------------------------------------

# Sets `command`: what a task of .vscode/tasks.json runs while the step's source is open.
find_command() {
    mapfile -t command < <(jq -r --arg task "histolab: $1" '.tasks[] | select(.label == $task) | .command, .args[]' .vscode/tasks.json)
    ((${#command[@]})) || return
    command=("${command[@]//'${fileDirnameBasename}'/opt05_multiblock}")
}

# What the task's problem matchers find in a file: FILE:LINE:COLUMN:SEVERITY:MESSAGE. A matcher's pattern may be a
# list, for lines that follow each other.
problems() {
    jq -r -n --arg task "histolab: $1" --rawfile output "$2" --slurpfile tasks .vscode/tasks.json '
        def groups($regexp): [match($regexp)] | if . == [] then empty else [.[0].string] + [.[0].captures[].string] end;
        def found($patterns; $lines):
            reduce range($patterns | length) as $i ({};
                . as $so_far | $patterns[$i] as $p |
                if . == null then null else
                    ([($lines[$i] // "") | groups($p.regexp)] | first) as $g |
                    if $g == null then null else
                        reduce ("file", "line", "column", "severity", "message") as $part ($so_far;
                            if $p[$part] then .[$part] = $g[$p[$part]] else . end)
                    end
                end);
        ($output | split("\n")) as $lines |
        ($tasks[0].tasks[] | select(.label == $task).problemMatcher[]) as $matcher |
        ($matcher.pattern | if type == "array" then . else [.] end) as $patterns |
        range($lines | length) as $at | found($patterns; $lines[$at:]) | select(. != null and .file != null) |
        "\(.file):\(.line):\(.column // ""):\(.severity // $matcher.severity): \(.message)"'
}

# task_finds LABEL PROBLEM: runs the task; a problem begins so, and its file exists from the folder that is open. A
# compiler's quotes are those of its locale.
task_finds() {
    find_command "$1"
    "${command[@]}" >"$BATS_TEST_TMPDIR/output" 2>&1 || true
    problems "$1" "$BATS_TEST_TMPDIR/output" | sed "s/‘\|’/'/g" >"$BATS_TEST_TMPDIR/problems"
    grep -q -F -e "$2" "$BATS_TEST_TMPDIR/problems" ||
        { echo "not found: $2"; cat "$BATS_TEST_TMPDIR/output" "$BATS_TEST_TMPDIR/problems"; return 1; }
    while IFS=: read -r file _; do [ -e "$file" ] || return; done <"$BATS_TEST_TMPDIR/problems"
}

@test "VS Code: build, this step and grade find the compiler's lines" {
    sed -i 's/atomicAdd(&partial/atomicAd(\&partial/' "$source"
    place="$source:$(line_of 'atomicAd(')"
    task_finds build "$place:13:error: 'atomicAd' was not declared in this scope"
    task_finds 'this step' "$place:13:error: 'atomicAd' was not declared in this scope"
    task_finds grade "$place:13:error: 'atomicAd'"
    cp "$source_tree/$source" "$source"
    find_command build
    "${command[@]}"
    [ -x build/cpu/labs/opt05_multiblock/runner ]
}

@test "VS Code: this step finds the line of a call that failed" {
    sed -i 's/<<<blocks, THREADS>>>/<<<blocks, 2048>>>/' "$source"
    task_finds 'this step' "$source:$(line_of 'cudaGetLastError'):"
    grep -q -F 'cudaErrorInvalidValue' "$BATS_TEST_TMPDIR/output" # the page breaks the line before that
}

@test "VS Code: watch finds a hazard's lines, and says when it begins and ends" {
    sed -i '0,/    __syncthreads();/s///' "$source"
    find_command watch
    setsid "${command[@]}" >"$BATS_TEST_TMPDIR/output" 2>&1 3>&- & # with all that make starts
    watching=$!
    ends=$(jq -r 'first(.tasks[] | select(.isBackground) | .problemMatcher[].background.endsPattern)' .vscode/tasks.json)
    until grep -q -E -e "$ends" "$BATS_TEST_TMPDIR/output"; do
        kill -0 "$watching"
        sleep 0.2
    done
    problems watch "$BATS_TEST_TMPDIR/output" >"$BATS_TEST_TMPDIR/problems"
    cat "$BATS_TEST_TMPDIR/output" "$BATS_TEST_TMPDIR/problems"
    grep -q "^$source:$(line_of 'if (partial'):.*:error: reads (thread [0-9]* of block [0-9]*)$" "$BATS_TEST_TMPDIR/problems"
    grep -q "^$source:$(line_of 'partial[threadIdx.x] = 0'):.*:error: writes" "$BATS_TEST_TMPDIR/problems"
    while IFS= read -r begins; do
        grep -q -E -e "$begins" "$BATS_TEST_TMPDIR/output"
    done < <(jq -r '.tasks[] | select(.isBackground) | .problemMatcher[].background.beginsPattern' .vscode/tasks.json)
}
