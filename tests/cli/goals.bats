#!/usr/bin/env bats
# What make does with what people type: steps named in other ways, typos, and what it says when a program failed. The
# programs are stand-ins that print their arguments.

load failed
bats_require_minimum_version 1.5.0 # run -N

setup_file() {
    export tree=$BATS_FILE_TMPDIR/tree
    local source_tree=$BATS_TEST_DIRNAME/../..
    mkdir -p "$tree"/{labs,emulator,desk/inside,report,common/gpus,class/{handout,autograder},experiments,tests}
    cp -a "$source_tree"/{Makefile,common} "$tree"
    cp "$source_tree/emulator/emulator.mk" "$tree/emulator"
    cp "$source_tree"/desk/{front.c,front.mk,goals.def} "$tree/desk"
    cp "$source_tree/class/goals.def" "$tree/class"
    cp -a "$source_tree/report/lib" "$tree/report"
    cp -a "$source_tree"/labs/{Makefile,opt0[1-5]*,opt1[0-2]*,sum03*} "$tree/labs"
    printf '#!/bin/bash\necho "${0##*/} $*"\nexit "${STATUS-0}"\n' >"$tree/desk/try"
    chmod +x "$tree/desk/try"
    for program in desk/{watch,why,step,submit,deps,doctor,run,ladder,inside/access,inside/profile} report/{journal,index} grade.sh common/gpus/measure \
        class/{handout/pack,autograder/pack,record,dist} experiments/measure tests/{run,faults}; do cp "$tree/desk/try" "$tree/$program"; done
    make -s -C "$tree" build/front
}

setup() {
    cd "$tree" || return
}

@test "a step may be named with blanks, in capitals, without its zero, by a beginning or by a path" {
    for goal in opt05 opt5 'opt5 ' ' opt05 ' OPT05 labs/opt05_multiblock labs/opt05_multiblock/ ./labs/opt05_multiblock/opt_2dhisto.cu \
        "$tree/labs/opt05_multiblock" Opt05_multi; do
        run -0 make "$goal"
        [ "$output" = "try opt05_multiblock" ] || { echo "$goal: $output"; return 1; }
    done
    run -0 make opt0
    [ "$output" = "try opt0" ]
    run -0 make opt05 GPU='opt0[1-5]* a=b' CC=clang
    [ "$output" = "try opt05_multiblock" ]
}

@test "the tree may lie in a folder of any name" {
    local copy="$BATS_TEST_TMPDIR/Übung (1) a&b 'c; \$d"
    cp -a "$tree" "$copy"
    cd "$copy"
    rm -r build
    run -0 make opt05
    [ "$output" = "try opt05_multiblock" ]
    run -0 make build/not-begun
    # nvcc hands its words to a shell.
    run -0 make build/gpu/runner/watch.o NVCC=echo
    [[ $output == *' -Xcompiler=-ffile-prefix-map=/'*' -c common/runner/watch.c '* && $output != *[\(\&\'\;\$]* ]]
}

@test "where nothing can be written, no compiler is said to be missing; where there is none, one is" {
    cp -a "$tree" "$BATS_TEST_TMPDIR/tree"
    cd "$BATS_TEST_TMPDIR/tree"
    rm -r build
    run -2 make opt05 CC=false
    [[ $output == *'make: false compiles nothing here: `make deps` installs a compiler'* && ! -e build/front && ! $(ls build) ]]
    rmdir build
    : >build
    run -2 make opt05
    [[ $output == *'make: nothing can be written to build/: is the disk full'* && $output != *"make deps"* ]]
}

@test "a verb and a step may be two words; in a step's directory, make means this step" {
    while read -r typed means; do
        # shellcheck disable=SC2086  # words
        run -0 make ${typed//+/ }
        [ "$output" = "$means" ] || { echo "$typed: $output"; return 1; }
    done <<'END'
watch+opt05 watch opt05_multiblock
watch-opt5 watch opt05_multiblock
diff+opt5 step diff opt05_multiblock
profile+STEP=opt05 profile opt05_multiblock
profile-opt05+SIZE=61x1021+EMULATED=1 profile opt05_multiblock --size 61x1021 --emulated
new+STEP=opt18_mine step new opt18_mine
new+opt18_mine+FROM=opt05 step new opt18_mine opt05
grade+STEPS=opt0* grade.sh --steps opt0*
grade+JOBS=2 grade.sh --jobs 2
opt05+JOBS=2 try opt05_multiblock
submit+NAME=al submit al
run+FILE=x.cu+COUNT=1 run --count -- x.cu
END
    cd labs/opt05_multiblock
    run -0 make
    [ "$output" = "try opt05_multiblock" ]
    run -0 make access
    [ "$output" = "access opt05_multiblock" ]
    STATUS=1 run -2 make
    [ "${lines[0]}" = "try opt05_multiblock" ]
    run -0 make -C .. --no-print-directory opt5
    [ "$output" = "try opt05_multiblock" ]
}

@test "each goal starts its program, with the values that were typed for it" {
    while IFS='|' read -r typed means; do
        # shellcheck disable=SC2086  # words
        run -0 make $typed
        [ "${output% }" = "$means" ] || { echo "$typed: $output"; return 1; }
    done <<'END'
why-opt05|why opt05_multiblock
hint-opt05|step hint opt05_multiblock
last-opt05|step last opt05_multiblock
last-opt05 BACK=1|step last opt05_multiblock 1
access-opt05 SIZE=1x33|access opt05_multiblock --size 1x33
profile-opt05 INPUT=hot|profile opt05_multiblock --input hot
ladder|ladder
plots|index results/results.jsonl results
measure-gpu OUT=x.gpu|measure x.gpu
run FILE=x.cu PLAIN=1 INCLUDE=a WITH=b DEFINE=C CPU=300|run --plain --include a --with b --define C --cpu 300 -- x.cu
deps|deps
deps-all|deps --all
doctor|doctor
handout STEPS=opt0* RECORDED=no HINTS=off|pack --steps opt0* --recorded no --hints off
handout ASSIGNMENT=lab3|pack --assignment lab3
autograder FOR=gradescope STEPS=opt05|pack gradescope opt05
autograder FOR=gradescope ASSIGNMENT=lab3|pack gradescope --assignment lab3
record STEPS=opt05|record --steps opt05
dist|dist
lint|run lint
experiments|measure
test|run
test-quick|run --quick
test-long|run --long
test-faults|faults
END
}

# Goals, steps, values, options, files, folders, devices, GPUs: what is typed, and what is said. Of a make, its own line follows.
@test "what people mistype: one line, which says what to type instead" {
    cd "$BATS_TEST_DIRNAME/../.."
    local ladders
    ladders=$(desk/ladder nothing 2>&1 | sed 's/.*: //')
    while IFS='|' read -r typed said; do
        said=${said/LADDERS/$ladders}
        eval "run -2 $typed"
        [[ $typed == make* ]] || output+=$'\nmake: *** [] Error 2'
        [[ $output == "$said"$'\n''make: *** ['*'] Error 2' ]] || { echo "$typed: $output"; return 1; }
    done <<'END'
make opt20|make: there is no goal 'opt20'; did you mean opt10? (make help lists what there is)
make grde|make: there is no goal 'grde'; did you mean grade? (make help lists what there is)
make submitt|make: there is no goal 'submitt'; did you mean submit? (make help lists what there is)
make sum44|make: there is no goal 'sum44'; did you mean sum04? (make help lists what there is)
make opt02_one_blok|make: there is no goal 'opt02_one_blok'; did you mean opt02_one_block? (make help lists what there is)
make "it's"|make: there is no goal 'it's' (make help lists what there is)
make diff|make: which step? Use: make diff-opt05
make diff-opt01|diff: opt01_single_thread is the first of its ladder: there is nothing to compare it with
make watch-opt99|make: there is no step 'opt99'; did you mean opt09? (ls labs/ lists them)
make watch opt1_|make: there is no step 'opt1_'; did you mean opt10 or opt11 or opt12? (ls labs/ lists them)
make why STEP=sum0|make: several steps begin with 'sum0': sum01_one_atomic sum02_pairwise sum03_shared_memory sum04_less_divergence sum05_sequential_addressing sum06_two_loads sum07_last_warp sum08_warp_shuffle sum09_wide_loads
make grade STPES='opt0*'|make: nothing reads STPES; did you mean STEPS or STEP?
make opt05 steps=1|make: nothing reads steps; did you mean STEPS?
make opt05 DEVCE=gpu|make: nothing reads DEVCE; did you mean DEVICE?
make opt05 INPUT=edges|make: opt05 takes no INPUT: it takes STEP, DEVICE, GPU, COUNT, ENERGY, V, JOBS, CC, CXX, NVCC, WERROR, KEEP
make hint-opt05 BACK=1|make: hint-opt05 takes no BACK: it takes STEP, DEVICE, GPU, COUNT, ENERGY, V, JOBS, CC, CXX, NVCC, WERROR, KEEP
make handout OUT=x|make: handout takes no OUT: it takes STEPS, ASSIGNMENT, RECORDED, HINTS, STEP, DEVICE, GPU, COUNT, ENERGY, V, JOBS, CC, CXX, NVCC, WERROR, KEEP
make opt05 DEVICE=tpu|make: DEVICE is auto, gpu or cpu, not 'tpu'
make opt05 DEVICE=cpu GPU=h300|make: there is no GPU 'h300': common/gpus has h100 h200
make opt05 COUNT=maybe|make: COUNT is yes or no, not 'maybe'
make opt05 ENERGY=yse|make: ENERGY is yes or no, not 'yse'
make opt05 JOBS=many|make: JOBS is a whole number from 1 on, not 'many'
make profile-opt05 EMULATED=all|make: EMULATED is 1, or 0 for no, not 'all'
make grade STEPS='opt9*'|grade.sh: no step under labs/ matches 'opt9*' (ls labs/ lists them)
make grade STEPS=opt99|grade.sh: there is no step 'opt99'; did you mean opt09? (ls labs/ lists them)
make run|run: which program? Use: make run FILE=prog.cu
make run FILE=nofile.cu|run: there is no file nofile.cu
make run FILE=labs/opt05_multiblock/opt_2dhisto.cu|run: labs/opt05_multiblock/opt_2dhisto.cu is a step, which has no main: make opt05 builds and runs it
make run FILE=labs|run: labs is a folder: FILE is a program, such as prog.cu
make new|new: which step? Use: make new STEP=opt19_my_idea
make new STEP=18_mine|new: a step's name is like opt19_my_idea: its ladder, two digits, and what it is about; not '18_mine'
make new STEP=opt18_mine|new: there already is a step opt18: opt18_low_latency; take a number that is free (ls labs/ lists them)
make new STEP=opt19_mine FROM=opt77|new: there is no step 'opt77'; did you mean opt07 or opt17? (ls labs/ lists them)
make new STEP=pot19_mine|new: there is no ladder 'pot' (ls labs/ lists their steps)
make ladder LADDER=1|make: nothing reads LADDER
make submit|submit: whose work is it? make submit NAME=alice
make submit NAME='a b'|submit: a name is made of letters, digits and . _ @ + -, and does not begin with . or -: not 'a b'
make submit NAME=a STEPS=opt05|submit: every step is packed, begun or not: leave out STEPS
make handout STEPS=opt99|handout: no step under labs/ matches 'opt99' (ls labs/ lists them)
make handout ASSIGNMENT=nofile|assignment: cannot read the assignment 'nofile'
make handout HINTS=maybe|handout: --hints (HINTS=) is on, off or recorded, not 'maybe'
make handout RECORDED=maybe|handout: --recorded (RECORDED=) is yes or no, not 'maybe'
make autograder FOR=gradscope|pack: there is no autograder 'gradscope': FOR is gradescope
make record STEPS='opt9*'|record: no step under labs/ matches 'opt9*' (ls labs/ lists them)
desk/step dif opt05|step: use: desk/step diff, hint, last or new STEP; see --help
desk/ladder pot|ladder: there is no ladder 'pot': LADDERS
./grade.sh --dvice cpu|grade.sh: unknown option '--dvice'; did you mean --device? (grade.sh --help lists them)
./grade.sh --device tpu|grade.sh: --device is auto, gpu or cpu, not 'tpu'
./grade.sh --device cpu --gpu h300|grade.sh: there is no GPU 'h300': common/gpus has h100 h200
./grade.sh --device cpu --energy|grade.sh: --energy is for a GPU (--device gpu): the cpu device has no counter of it
./grade.sh --steps|grade.sh: --steps needs a value: see --help
./grade.sh --steps opt99|grade.sh: there is no step 'opt99'; did you mean opt09? (ls labs/ lists them)
./grade.sh --jobs many|grade.sh: --jobs takes a whole number from 1 on, not 'many'
./grade.sh --image nofile|grade.sh: cannot read the image 'nofile'
./grade.sh nofolder|grade.sh: there is no submission 'nofolder' (--steps chooses steps): see --help
./grade.sh README.md|grade.sh: 'README.md' is neither a directory nor a .tar.gz, .tgz, .zip or .cu, so no submission: see --help
./grade.sh --assignment nofile labs|assignment: cannot read the assignment 'nofile'
class/points nofolder|points: cannot read 'nofolder': name the folder of results, such as results/lab3 (./grade.sh SUBMISSION... writes results/)
report/table nofile|table: cannot read 'nofile'. `make grade` writes results/results.jsonl
report/compare --bye 2 a b|compare: unknown option '--bye'; did you mean --by? (compare --help lists them)
END
}

@test "goals run one after the other, as typed; what failed ends make, which says so in its own line; -k goes on" {
    for goal in opt05 grade submit diff-opt05 'watch opt05' OPT05; do
        # shellcheck disable=SC2086
        STATUS=3 run -2 make $goal
        [[ ${#lines[@]} -eq 2 && ${lines[1]} == 'make: *** ['*'] Error 3' ]] || { echo "$output"; return 1; }
    done
    STATUS=1 run -2 make -j2 opt01 opt02
    [[ ${lines[0]} == "try opt01_single_thread" && $output != *opt02* ]]
    STATUS=1 run -2 make -j2 grade journal STEPS='opt*' 2>/dev/null
    [ "$(grep -v '^make' <<<"$output" | paste -sd ,)" = 'grade.sh --steps opt*,journal results results' ]
    run -0 make -j2 opt01 profile-opt01 EMULATED=1
    [ "$output" = $'try opt01_single_thread\nprofile opt01_single_thread --emulated' ]
}

@test "a program that make calls can call make, and gets the variables" {
    printf '#!/bin/bash\nmake -s built X="$CC"\n' >desk/try
    printf 'built: ; @echo "built with $(CC) [$(X)]"\n' >>Makefile
    run -0 make CC=clang opt05
    sed -i '$d' Makefile
    printf '#!/bin/bash\necho "${0##*/} $*"\nexit "${STATUS-0}"\n' >desk/try
    [ "$output" = 'built with clang [clang]' ]
}

@test "make -n runs nothing" {
    run -0 make -n opt05
    [ "$output" = "build/front" ]
    cd labs/opt05_multiblock && run -0 make -n
    [[ $output != *"try"* ]]
}

# ---- completion of make and grade.sh ---------------------------------------------------------------

complete_words() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _histolab make "" "" # as bash calls it: the command, the word, the one before
    echo "${COMPREPLY[*]}"
}

@test "bash completes the options of grade.sh from its help, steps from labs/, GPUs from common/gpus" {
    cd "$BATS_TEST_DIRNAME/../.."
    . desk/completion.bash
    for option in $(./grade.sh --help | grep -oE '^ +--[a-z-]+' | sort -u); do
        [[ " $(complete_words ./grade.sh "${option%?}") " == *" $option "* ]] || { echo "not completed: $option"; return 1; }
    done
    [ "$(complete_words ./grade.sh --steps opt05)" = opt05_multiblock ]
    [ "$(complete_words ./grade.sh --gpu h2)" = h200 ]
    [ -z "$(complete_words grade.sh --st)" ] # from elsewhere: not ours
}

@test "bash completes goals and steps behind make, where there are some" {
    . "$BATS_TEST_DIRNAME/../../desk/completion.bash"
    [ "$(complete_words make watch-opt05)" = watch-opt05_multiblock ]
    [ "$(complete_words make gra)" = grade ]
    [ "$(complete_words make opt0 opt05)" = opt05_multiblock ]
    cd / && [ -z "$(complete_words make gra)" ]
}

@test "fish completes the same" {
    command -v fish >/dev/null || skip "fish is not installed"
    run -0 fish --no-config -c "source '$BATS_TEST_DIRNAME/../../desk/completion.fish'; complete -C 'make watch-opt05'; complete -C './grade.sh --gpu h2'"
    [[ $output == *watch-opt05_multiblock*h200* ]]
}

@test "zsh loads the same completion" {
    command -v zsh >/dev/null || skip "zsh is not installed"
    cd "$BATS_TEST_DIRNAME/../.."
    # As zsh's own bashcompinit calls such a function. zsh itself leaves out what does not begin with the word.
    cat >"$BATS_TEST_TMPDIR/complete" <<'END'
autoload -Uz compinit && compinit -D -u
. desk/completion.zsh
() { emulate -L sh; COMP_WORDS=(./grade.sh --st) COMP_CWORD=1 COMPREPLY=(); _histolab; echo "${COMPREPLY[@]}"; }
END
    run -0 zsh -f "$BATS_TEST_TMPDIR/complete"
    [[ " $output " == *" --steps "* ]]
}
