#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What make does with what people type: steps named in other ways, typos, and what it says when a program failed. The
# programs are stand-ins that print their arguments.

bats_require_minimum_version 1.5.0 # run -N

setup_file() {
    export tree=$BATS_FILE_TMPDIR/tree
    local source_tree=$BATS_TEST_DIRNAME/../..
    mkdir -p "$tree"/{labs,emulator,desk/inside,report}
    cp -a "$source_tree"/{Makefile,common} "$tree"
    cp "$source_tree/emulator/emulator.mk" "$tree/emulator"
    cp "$source_tree"/desk/{front.c,front.mk,goals.def} "$tree/desk"
    cp -a "$source_tree/report/lib" "$tree/report"
    cp -a "$source_tree"/labs/{Makefile,opt0[1-5]*,opt1[0-2]*,sum03*} "$tree/labs"
    printf '#!/bin/bash\necho "${0##*/} $*"\nexit "${STATUS-0}"\n' >"$tree/desk/try"
    for program in desk/{watch,why,step,submit,deps,run,inside/access,inside/profile} report/journal grade.sh; do cp "$tree/desk/try" "$tree/$program"; done
    chmod +x "$tree"/desk/{,inside/}* "$tree/report/journal" "$tree/grade.sh" 2>/dev/null
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

@test "what people mistype: one line, which says what to type instead" {
    while IFS='|' read -r typed said; do
        eval "run -2 make $typed"
        [[ ${lines[0]} == "make: $said" && ${lines[1]} == 'make: *** ['*'] Error 2' && ${#lines[@]} -eq 2 ]] || { echo "$typed: $output"; return 1; }
    done <<'END'
opt06|there is no goal 'opt06'; did you mean opt01 or opt02 or opt03? (make help lists what there is)
grde|there is no goal 'grde'; did you mean grade? (make help lists what there is)
submitt|there is no goal 'submitt'; did you mean submit? (make help lists what there is)
sum4|there is no goal 'sum4'; did you mean sum03? (make help lists what there is)
opt02_one_blok|there is no goal 'opt02_one_blok'; did you mean opt02_one_block? (make help lists what there is)
"it's"|there is no goal 'it's' (make help lists what there is)
diff|which step? Use: make diff-opt05
watch-opt99|there is no step 'opt99'; did you mean opt01 or opt02 or opt03? (ls labs/ lists them)
watch opt1_|there is no step 'opt1_'; did you mean opt10 or opt11 or opt12? (ls labs/ lists them)
why-opt1_|there is no step 'opt1_'; did you mean opt10 or opt11 or opt12? (ls labs/ lists them)
why STEP=opt0|several steps begin with 'opt0': opt01_single_thread opt02_one_block opt03_strided_access opt04_shared_memory opt05_multiblock
grade STPES='opt0*'|nothing reads STPES; did you mean STEPS or STEP?
opt05 steps=1|nothing reads steps; did you mean STEPS?
opt05 DEVCE=gpu|nothing reads DEVCE; did you mean DEVICE?
END
    run -0 make opt05 STEPS='opt0[1-5]* a=b' CC=clang
    [[ $output == "try opt05_multiblock" ]]
}

@test "goals run one after the other, as typed; what failed ends make, which says so in its own line; -k goes on" {
    for goal in opt05 grade submit diff-opt05 'watch opt05' OPT05; do
        # shellcheck disable=SC2086
        STATUS=3 run -2 make $goal
        [[ ${#lines[@]} -eq 2 && ${lines[1]} == 'make: *** ['*'] Error 3' ]] || { echo "$output"; return 1; }
    done
    STATUS=1 run -2 make -j2 opt01 opt02
    [[ ${lines[0]} == "try opt01_single_thread" && $output != *opt02* ]]
    STATUS=1 run -2 make -k -j2 grade journal STEPS='opt*' 2>/dev/null
    [ "$(grep -v '^make' <<<"$output" | paste -sd ,)" = 'grade.sh --steps opt*,journal --steps opt* results results' ]
    run -0 make -j2 opt01 journal ALL=1
    [ "$output" = $'try opt01_single_thread\njournal --all results results' ]
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
