#!/usr/bin/env bash
# Usage: ./grade.sh [OPTION...]
# Builds, checks and times the steps under labs/; prints a table and draws charts from the records.
#
#   --device auto|gpu|cpu  where the steps run: a GPU if there is one, else the emulator (auto)
#   --steps PATTERN        only these, as the shell matches names: 'opt0[1-5]*'
#   --iterations N         calls that a sample stands for (1000; on the emulator 10)
#   --input NAME           which input; opt has walk (graded), course, uniform, constant, hot, ramp, edges
#   --image FILE           a file in place of a drawn input: for opt a PGM or a Parboil .bin, for text any text
#   --size N or RxC        elements, or rows x columns (default: the graded size; on the emulator a smaller one)
#   --seed N               of the input (default: one that nobody has seen)
#   --warm                 the same window for every call, so that the GPU's L2 cache helps
#   --samples N            timed samples of a step (10; more while they spread)
#   --budget SECONDS       for the samples of a slow step, which then makes fewer calls (3)
#   --timeout SECONDS      until a step that gives no answer is stopped (60)
#   --jobs N               compilers at a time (all cores)
#   --out DIR              where results go (results)
#
# In DIR: results.jsonl (the records, see report/README.md), table.txt, charts, and in logs/ what the
# compilers and the steps printed. An older results.jsonl is kept as results.previous.jsonl.
#
# Exit status: 0 every step passed, 1 some did not, 2 wrong usage, 3 the harness could not work.

set -u
caller=$PWD
cd -- "$(dirname -- "${BASH_SOURCE[0]}")" || exit 3

. common/grading.sh

# A path as the caller meant it, who may stand in another folder.
from_caller() {
    if [[ $1 == /* || $caller == "$PWD" ]]; then echo "$1"; else echo "$caller/$1"; fi
}

parse_options() {
    device=auto pattern='*' iterations='' jobs=$(nproc) out=results seed='' judge_options=()
    while (($#)); do
        case $1 in
            --help | -h)
                sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
                exit 0
                ;;
            --warm)
                judge_options+=("$1")
                shift
                continue
                ;;
            --device | --steps | --iterations | --input | --image | --size | --seed | --samples | --budget | --timeout | --jobs | --out)
                (($# >= 2)) || usage_error "$1 needs a value: see --help"
                ;;&
            --device) device=$2 ;;
            --steps) pattern=$2 ;;
            --iterations) iterations=$2 ;;
            --image)
                [[ -r $(from_caller "$2") ]] || usage_error "cannot read the image '$2'"
                judge_options+=("$1" "$(from_caller "$2")")
                ;;
            --seed) seed=$2 ;;
            --input | --size | --samples | --budget | --timeout) judge_options+=("$1" "$2") ;;
            --jobs) jobs=$2 ;;
            --out)
                [[ -n $2 ]] || usage_error "--out needs a folder's name"
                out=$(from_caller "$2")
                ;;
            -*) usage_error "unknown option '$1': see --help" ;;
            *) usage_error "unexpected argument '$1': see --help" ;;
        esac
        shift 2
    done
    [[ $device =~ ^(auto|gpu|cpu)$ ]] || usage_error "--device is auto, gpu or cpu, not '$device'"
    [[ $jobs =~ ^[1-9][0-9]*$ ]] || usage_error "--jobs takes a whole number from 1 on, not '$jobs'"
}

keep_older_results() {
    records=$out/results.jsonl
    [[ -e $records ]] && mv "$records" "$out/results.previous.jsonl"
}

grade_steps() {
    local directory done=0 previous=''
    worst=0
    for directory in "${steps[@]}"; do
        function=$(function_of "$directory")
        if [[ $function != "$previous" ]]; then
            measure_baselines
            read_comparison "$records"
        fi
        previous=$function
        progress "$((++done)) of ${#steps[@]}: ${directory##*/}"
        grade_step "${directory##*/}" "$directory/$function.cu" "build/$device/$directory"
        case $? in
            0) ;;
            1) ((worst > 1)) || worst=1 ;;
            2) exit 2 ;; # wrong usage is the same for every step; the judge has said what is wrong
            *) worst=3 ;;
        esac
    done
    progress ''
}

show() {
    report/table "$records" | tee "$out/table.txt"
    ((PIPESTATUS[0] == 0)) || fault "the table could not be made from $records"
    command -v gnuplot >/dev/null || report/ladder "$records"
    report/plot "$records" "$out" || fault "the charts could not be drawn from $records"
    printf 'Records, table and charts are in %s/.\n' "$out"
}

grade_this_tree() {
    logs=$out/logs device_file=$out/device.txt
    [[ -z $seed ]] || judge_options+=(--seed "$seed")
    make_folder
    rm -f "$logs"/*.log
    build_judges
    keep_older_results
    build_harness
    build_steps
    "build/$device/device" >"$device_file" || exit 3
    grade_steps
    show
    exit "$worst"
}

parse_options "$@"
select_steps
choose_device
grade_this_tree
