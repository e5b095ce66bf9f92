# What every script begins with. It stands in a script right after the comment that is its help:
#
#     . "${BASH_SOURCE[0]%/*}/../common/prelude.sh" || exit 3
#
# From there on the script stands at the tree's root. `caller` is the directory that the user called it from,
# and `program` its name. If --help or -h is the first argument, the comment at the script's top is printed,
# and the script ends; --version prints the version of histolab.
# shellcheck shell=bash

set -u
# shellcheck disable=SC2034  # for those who source this
caller=$PWD program=${0##*/}
cd -- "${BASH_SOURCE[0]%/*}/.." || exit 3
prelude=$PWD/common

# Of the caller's locale only the letters count, for what a terminal can show. In Turkish [a-z] is without i, in German a
# decimal point is a comma, and compilers speak either.
{
    export LC_CTYPE=${LC_ALL:-${LC_CTYPE:-${LANG-}}} LC_COLLATE=C LC_NUMERIC=C LC_MESSAGES=C
    unset LC_ALL
} 2>/dev/null # bash would say of each script that a locale is not installed

show_help() {
    sed -n '1d; /^[^#]/q; s/^# \{0,1\}//p' "$script"
}

# The version of this tree: VERSION, and of a clone also its commit, as 1.2.3+g2b83530. Copies of a tree, such as a
# handout, have both in VERSION already, whatever repository they lie in.
histolab_version() {
    local root=${prelude%/common} number commit=''
    [[ -r $root/VERSION ]] && read -r number <"$root/VERSION" || number=unknown
    if [[ $number != *+* && -e $root/.git ]]; then
        # Who grades has asked git already: harness_version.
        [[ ${version-} =~ (^|-g)([0-9a-f]{7,})(-dirty)?$ ]] && commit=${BASH_REMATCH[2]:0:7} || commit=$(git -C "$root" rev-parse --short=7 HEAD 2>/dev/null)
    fi
    printf '%s\n' "$number${commit:++g$commit}"
}

# printable TEXT: what a terminal may show of it, as report/lib/text.h has it: names of files may hold anything. A run of control
# characters becomes a blank. Letters of UTF-8 then stand between marks, and what is none between these becomes a ?; so do
# `hidden` ones, which a terminal obeys, or which nobody sees and which reorder or disguise a text: C1, the soft hyphen,
# bidirectional controls, zero-width spaces and joiners of words, separators of lines and paragraphs, byte order marks,
# annotations, tags, what is no character. U+200C and U+200D stay: scripts and emoji need them.
printable() {
    local -x LC_ALL=C
    local letter='[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]' \
        hidden='\xc2[\x80-\x9f\xad]|\xd8\x9c|\xe2\x80[\x8b\x8e\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf|\xef\xbf[\xb9-\xbb\xbe\xbf]'
    letter+='|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}'
    hidden+='|\xf3\xa0[\x80\x81][\x80-\xbf]'
    if [[ $1 == *[^' '-'~'$'\n']* ]]; then
        sed -E "s/[^\t\x20-\x7e\x80-\xff]+/ /g; s/$letter/\x01&\x02/g; s/(^|[\t\x02\x20-\x7e])[\x80-\xff]+/\1?/g
            s/(\x01($hidden)\x02)+/?/g; s/[\x01\x02]//g" <<<"$1"
    else
        printf '%s\n' "$1"
    fi
}

# give_up STATUS TEXT: ends the script. TEXT says what happened, where, and what to do next.
give_up() {
    printf '%s: %s\n' "$program" "$(printable "$2")" >&2
    exit "$1"
}

usage_error() {
    give_up 2 "$1"
}

# unknown_option OPTION: with the nearest of those in the help, where what finds it is built.
unknown_option() {
    local options near=''
    mapfile -t options < <(show_help | grep -oE -e '--[a-z][a-z-]+' | sort -u)
    [[ ! -x build/front ]] || near=$(build/front --nearest "$1" "${options[@]}")
    usage_error "unknown option '$1'$near ($program --help lists them)"
}

# take_options 'NAME NAME=...' "$@": sets a variable for each option, --at-least 70 as at_least=70 where at-least= is in the list, --warm
# as warm=yes where warm is; adds to an array for each --with DIR where with+= is; and `words`, all that is no option: also what
# stands behind --. Where the list begins with +, options end at the first word, and that and all behind it are `behind` instead.
take_options() {
    local known=" ${1//[[:space:]]/ } " name
    shift
    words=()
    while (($#)); do
        name=${1#--}
        case $1 in
            --) if [[ $known == ' + '* ]]; then behind=("${@:2}"); else words+=("${@:2}"); fi && return ;;
            --help | -h) show_help && exit ;;
            --*[!a-z-]*) unknown_option "$1" ;;
            --*)
                if [[ $known == *" $name"?(+)"= "* ]]; then
                    (($# >= 2)) || usage_error "$1 needs a value: see --help"
                    local -n wanted=${name//-/_}
                    if [[ $known == *" $name= "* ]]; then wanted=$2; else wanted+=("$2"); fi
                    shift
                else
                    [[ $known == *" $name "* ]] || unknown_option "$1"
                    printf -v "${name//-/_}" yes
                fi
                ;;
            -?*) unknown_option "$1" ;;
            *)
                [[ $known != ' + '* ]] || { behind=("$@") && return; }
                words+=("$1")
                ;;
        esac
        shift
    done
}

# The harness cannot work: never the student's fault.
fault() {
    give_up 3 "$1"
}

# Says that a folder cannot be written to, and why: asked of a file that is too large for what is left of the last block. Fails
# if that can be written.
unwritable() {
    local probe=$1/.probe-$$ said
    said=$({ head -c 65536 /dev/zero >"$probe"; } 2>&1) && said='' || said=${said%%$'\n'*}
    rm -f "$probe"
    printf 'cannot write to %s%s\n' "$1" "${said:+: ${said##*: }}"
    [[ -n $said ]]
}

# failed FOLDER TEXT: ends the script with why the folder cannot be written to, if that is so; else with the text.
failed() {
    local why
    ! why=$(unwritable "$1") || fault "$why"
    fault "$2"
}

# A path as the caller meant it, who may stand in another directory.
from_caller() {
    if [[ $1 == /* || $caller == "$PWD" ]]; then echo "$1"; else echo "$caller/$1"; fi
}

# Sets `work`: a folder that goes when the script ends.
make_work() {
    work=$(mktemp -d) || fault "cannot make a temporary directory; is \$TMPDIR writable?"
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
}

# Progress is for a person who waits: a terminal sees it, a pipe does not.
progress() {
    [[ -t 2 ]] && printf '\r\e[K%s' "$1" >&2
}

# pause SECONDS: without a program for it.
pause() {
    [[ -n ${never-} ]] || exec {never}<> <(:)
    read -r -t "$1" -u "$never"
}

script=$0
[[ $script == /* ]] || script=$caller/$script
case ${1-} in
    --help | -h)
        show_help
        exit 0
        ;;
    --version)
        printf '%s (histolab) %s\n' "$program" "$(histolab_version)"
        exit 0
        ;;
esac
