# Completes make's goals and steps, and the options of ./grade.sh, in bash: `. desk/completion.bash`, at the prompt or in
# ~/.bashrc. build/front --words has the goals and steps, grade.sh --help the options; completion.zsh and completion.fish ask
# this file.
# shellcheck shell=bash

# _histolab_words FOLDER BEFORE WORD: what may stand behind BEFORE, a line each; for make, BEFORE is make.
_histolab_words() {
    local root=$1 before=$2 word=$3
    case $before in
        make) "$root/build/front" --words 2>/dev/null ;;
        --device) printf '%s\n' auto gpu cpu ;;
        --steps) (cd "$root/labs" && printf '%s\n' */ | tr -d /) ;;
        --gpu) (cd "$root/common/gpus" && printf '%s\n' *.gpu | sed 's/\.gpu//') ;;
        --image | --out) ;; # files
        *) [[ $word != -* ]] || "$root/grade.sh" --help | grep -oE '^ +--[a-z-]+(, --[a-z-]+)?' | grep -oE -e '--[a-z-]+' ;;
    esac
}

_histolab() {
    local command=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} root=.
    if [[ $command == *grade.sh ]]; then
        root=${command%/*}
        [[ $command == */* && -f $root/grade.sh ]] || return
    elif [[ -x build/front && -f desk/goals.def ]]; then
        before='make'
    else # some other project's
        ! declare -F _make >/dev/null || _make "$@"
        return
    fi
    # shellcheck disable=SC2207  # zsh has no mapfile, and no word has a blank in it
    COMPREPLY=($(compgen -W "$(_histolab_words "$root" "$before" "$word")" -- "$word"))
}
complete -o default -F _histolab ./grade.sh grade.sh make
