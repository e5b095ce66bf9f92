# What the scripts of this directory share. They set `here`, their directory, and source this file.
# shellcheck shell=sh disable=SC2154  # here: set by whoever sources this

report=$here/../report

# Say what happened and what to do, and stop. 2 is wrong usage or an input that cannot be read.
die() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
    exit 2
}

# The help is the comment at the top of the script.
help_if_asked() {
    case ${1-} in
        -h | --help)
            sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
    esac
}

need_records() {
    [ -n "${1-}" ] || die "no results file given. Usage: see ${0##*/} --help"
    if [ ! -f "$1" ] || [ ! -r "$1" ]; then
        die "cannot read '$1'. \`make grade\` writes results/results.jsonl"
    fi
    grep -q '[^[:space:]]' "$1" || die "'$1' holds no records. \`make grade\` writes some"
}

# with_records PROGRAM.awk FILE [awk options]: run a program over the records of a file. The file comes
# on standard input, because awk takes a file name that holds = for an assignment.
with_records() {
    program=$1 file=$2
    shift 2
    RECORDS=$file LABS=${LABS:-$here/../labs} GTX680=$report/gtx680.txt LC_ALL=C \
        awk "$@" -f "$report/records.awk" -f "$here/$program" <"$file"
}

# Sets `results` and `folder` from a folder of results or the results.jsonl in it.
find_results() {
    results=${1-}
    if [ -d "$results" ]; then results=$results/results.jsonl; fi
    need_records "$results"
    folder=$(dirname -- "$results")
}
