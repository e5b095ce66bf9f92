#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What make does with what people type: steps named in other ways, typos, and what it says when a program failed. The
# programs are stand-ins that print their arguments.

bats_require_minimum_version 1.5.0 # run -N

setup_file() {
    export tree=$BATS_FILE_TMPDIR/tree
    local source_tree=$BATS_TEST_DIRNAME/../..
    mkdir -p "$tree/common/build" "$tree/labs" "$tree/desk/inside"
    cp "$source_tree"/{Makefile,grade.sh} "$tree"
    cp "$source_tree/common/prelude.sh" "$tree/common"
    cp "$source_tree"/common/build/{steps.sh,nearest.awk} "$tree/common/build"
    cp "$source_tree"/desk/{goal,variables} "$tree/desk"
    cp -a "$source_tree"/labs/{Makefile,opt0[1-5]*,opt1[0-2]*,sum03*} "$tree/labs"
    printf '#!/bin/bash\necho "${0##*/} $*"\nexit "${STATUS-0}"\n' >"$tree/desk/try"
    for program in desk/{watch,step,submit,inside/access,inside/profile} grade.sh; do cp "$tree/desk/try" "$tree/$program"; done
    chmod +x "$tree"/desk/{,inside/}* "$tree/grade.sh" 2>/dev/null
}

setup() {
    cd "$tree" || return
}

@test "a step may be named with blanks, in capitals, without its zero, or by a path" {
    for goal in opt05 opt5 'opt5 ' ' opt05 ' OPT05 labs/opt05_multiblock labs/opt05_multiblock/ ./labs/opt05_multiblock/opt_2dhisto.cu \
        "$tree/labs/opt05_multiblock" Opt05_multi; do
        run -0 make "$goal"
        [[ ${#lines[@]} -eq 1 && $output == "try "* ]] || { echo "$goal: $output"; return 1; }
        . common/build/steps.sh
        [[ $(step_text "${output#try }") == opt05* ]] || { echo "$goal: $output"; return 1; }
    done
}

@test "a verb and a step may be two words; in a step's directory, make means this step" {
    run -0 make watch opt05
    [ "$output" = "watch opt05" ]
    run -0 make diff opt5
    [ "$output" = "step diff opt5" ]
    run -0 make profile STEP=opt05
    [ "$output" = "profile opt05" ]
    cd labs/opt05_multiblock
    run -0 make
    [ "$output" = "try opt05_multiblock" ]
    run -0 make access
    [ "$output" = "access opt05_multiblock" ]
    STATUS=1 run -1 make
    [ "$output" = "try opt05_multiblock" ]
    run -0 make -C .. --no-print-directory opt5
    [ "$output" = "try opt05" ]
}

@test "a goal that is none: one line, with the names that are near" {
    for typed in opt99=opt09 grde=grade submitt=submit sum4=sum03 opt02_one_blok=opt02_one_block; do
        [ "$typed" != opt99=opt09 ] || typed=opt06=opt
        run -1 make "${typed%%=*}"
        [[ ${#lines[@]} -eq 1 && $output == "make: there is no goal '${typed%%=*}'; did you mean "*"${typed#*=}"* ]] || { echo "$output"; return 1; }
    done
    run -1 make "it's"
    [ "$output" = "make: there is no goal 'it's' (make lists what there is)" ]
}

@test "make adds no line to what a program has said, and fails" {
    for goal in opt05 grade submit diff-opt05 'watch opt05' OPT05; do
        # shellcheck disable=SC2086
        STATUS=3 run -1 make $goal
        [[ ${#lines[@]} -eq 1 && $output != *'***'* ]] || { echo "$output"; return 1; }
    done
    STATUS=1 run -1 make opt01 opt02
    [ "$output" = "try opt01" ]
    STATUS=0 run -0 make opt01 opt02
    [ "$output" = $'try opt01\ntry opt02' ]
}

@test "a program that make calls can call make: it is not asked a question there, and gets the variables" {
    printf '#!/bin/bash\nmake -s built X="$CC"\n' >desk/try
    printf 'built: ; @echo "built with $(CC) [$(X)]"\n' >>Makefile
    run -0 make CC=clang opt05
    sed -i '$d' Makefile
    printf '#!/bin/bash\necho "${0##*/} $*"\nexit "${STATUS-0}"\n' >desk/try
    [ "$output" = 'built with clang [clang]' ]
}

@test "make -n prints, and runs nothing" {
    run -0 make -n opt05
    [ "$output" = "( desk/try 'opt05' )" ]
}

@test "what make itself has to build is built beside a step, and its failure is told" {
    printf 'thing: ; @echo thing\nbroken: ; @false\n' >>Makefile
    run -0 make thing opt05
    [ "$output" = $'thing\ntry opt05' ]
    run -2 make broken
    sed -i '$d' Makefile && sed -i '$d' Makefile
    [[ $output == *'***'* ]]
}

# ---- completion of grade.sh ------------------------------------------------------------------------

complete_words() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _histolab_grade
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

@test "zsh loads the same completion" {
    command -v zsh >/dev/null || skip "zsh is not installed"
    cd "$BATS_TEST_DIRNAME/../.."
    # As zsh's own bashcompinit calls such a function. zsh itself leaves out what does not begin with the word.
    cat >"$BATS_TEST_TMPDIR/complete" <<'END'
autoload -Uz compinit && compinit -D -u
. desk/completion.zsh
() { emulate -L sh; COMP_WORDS=(./grade.sh --st) COMP_CWORD=1 COMPREPLY=(); _histolab_grade; echo "${COMPREPLY[@]}"; }
END
    run -0 zsh -f "$BATS_TEST_TMPDIR/complete"
    [[ " $output " == *" --steps "* ]]
}

@test "a mistyped variable is refused, whatever the goal" {
    run -2 make grade STPES='opt0*'
    [[ $output == *"nothing reads STPES; did you mean STEP or STEPS?"* && $output != *grade.sh* ]]
    run -2 make opt05 steps=1
    [[ $output == *"nothing reads steps; did you mean STEPS?"* ]]
    run -0 make opt05 STEPS='opt0[1-5]* a=b' CC=clang
    [[ $output == "try opt05"* ]]
}
