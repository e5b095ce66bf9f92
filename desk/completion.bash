# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Completes ./grade.sh in bash: `. desk/completion.bash`, at the prompt or in ~/.bashrc. make completes its goals by
# itself, where bash-completion is installed. Options are read from grade.sh --help, steps from labs/.
# shellcheck shell=bash

_histolab_grade() {
    local script=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=''
    local root=${script%/*}
    [[ $script == */* && -f $root/grade.sh ]] || return
    case $before in
        --device) words='auto gpu cpu' ;;
        --steps) words=$(cd "$root/labs" && printf '%s ' */ | tr -d /) ;;
        --gpu) words=$(cd "$root/common/gpus" && printf '%s ' *.gpu | sed 's/\.gpu//g') ;;
        --image | --out) ;; # files
        *) [[ $word != -* ]] || words=$("$script" --help | grep -oE '^ +--[a-z-]+(, --[a-z-]+)?' | grep -oE -e '--[a-z-]+') ;;
    esac
    # shellcheck disable=SC2207  # zsh has no mapfile, and no word has a blank in it
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _histolab_grade ./grade.sh grade.sh
