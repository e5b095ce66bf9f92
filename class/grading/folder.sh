# The folder of a run: its options, and results.jsonl. Sourced by submissions.sh.
# shellcheck shell=bash

# Prints, a line each, what decides the results besides the seed and the sources.
run_options() {
    local line
    printf 'device %s\niterations %s\n' "$device" "$iterations"
    [[ $device == gpu ]] || printf 'counting %s\ngpu %s\n' "$counting" "$gpu"
    for line in "${settings[@]}"; do
        case $line in
            seed\ * | shares) ;; # a rubric may ask for more than before
            image\ *) printf 'image %s\n' "$(sha256sum <"${line#image }")" ;;
            *) printf '%s\n' "$line" ;;
        esac
    done | LC_ALL=C sort
    find Makefile common emulator -type f ! -name '*.sh' ! -name '*.md' | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-12 | sed 's/^/harness /'
}

# A run that is there must have been made with these options, and of submissions. Asked before anything is built.
check_run() {
    local different there
    [[ -e $out/run || ! -e $out/results.jsonl ]] || usage_error "$out holds a grading of this tree's own steps: choose another folder with --out"
    [[ -e $out/run ]] || return 0
    different=$(diff <(tail -n +2 "$out/run") <(run_options) | sed -n 's/^< /there: /p; s/^> /here: /p' | cut -c 1-60 |
        awk '{ all = all (NR > 1 ? "," : "") $0 } $2 ~ /^(device|harness)$/ { mine[$2] = mine[$2] (mine[$2] == "" ? "" : ",") $0 } # others follow from these
            END { print "harness" in mine ? mine["harness"] : "device" in mine ? mine["device"] : all }')
    if [[ $different == *' harness '* ]]; then
        there=$(grep -som 1 '"histolab":"[^"]*"' "$out/results.jsonl" | cut -d '"' -f 4)
        usage_error "$out was graded by histolab ${there:-of another version}, and this is $(histolab_version) (${different//,/, }): go on with that version, or grade all again with this one into another folder with --out"
    fi
    [[ -z $seed || $seed == "$(head -n 1 "$out/run")" ]] || different=${different:-another seed}
    [[ -z $different ]] ||
        usage_error "$out holds a grading with other options (${different//,/, }): give those of there to go on, or choose another folder with --out"
}

# The file `run`: the seed, which is secret, then the options. A new run draws its seed.
open_run() {
    if [[ ! -e $out/run ]]; then
        [[ -n $seed ]] || seed=$(od -An -N8 -tu8 /dev/urandom | tr -d ' ')
        { { printf '%s\n' "$seed" && run_options; } >"$work/run" && sync "$work/run" && mv "$work/run" "$out/run"; } || fault "$(unwritable "$out")"
    fi
    settings+=("seed $(head -n 1 "$out/run")")
}

# What a killed run has left half written. The last record may be empty or cut short after a loss of power.
remove_leftovers() {
    { find "$out/records" "$out/baselines" -type f \( -name '*.new' -o -name '*.jsonl' -empty \) -delete &&
        find "$out/records" -type f -name '*.jsonl' -exec grep -LZ '}$' {} + | xargs -0r rm -f; } ||
        fault "$(unwritable "$out")"
}

# results.jsonl: what steps are compared with, then each step's records in the order of names. A new file
# takes the old one's place, so that a reader never sees half of it. sed begins each file on a line of its own.
gather() {
    {
        find "$out/baselines" -type f -name '*.jsonl' -print0 | LC_ALL=C sort -z
        find "$out/records" -type f \( -name '*.jsonl' -o -name '*.failed' \) -print0 | LC_ALL=C sort -z
    } | xargs -0r sed '' >"$work/results.jsonl" && sync "$work/results.jsonl" && mv "$work/results.jsonl" "$out/results.jsonl" ||
        fault "$(unwritable "$out"); what has been graded is kept, and the same command goes on"
}

# supersede FILE...: what counts no more goes to superseded.jsonl.
supersede() {
    local file there=()
    for file; do [[ ! -e $file ]] || there+=("$file"); done
    ((!${#there[@]})) || { cat "${there[@]}" >>"$out/superseded.jsonl" && rm "${there[@]}"; }
}

# --regrade: records that it names, and that are older than the file `regrade`, count no more. That file says
# which pattern is at work until the run ends: a run that is taken up again grades nothing twice.
mark_for_regrading() {
    local who step record named=() stale whose='*' what=$regrade
    if [[ " ${settings[*]} " == *' shares '* ]]; then # a wrong answer that was graded before has none
        mapfile -t stale < <(cd "$out/records" && wanted | sed -n 's,^\([^-].*\) \(.*\),\1/\2.jsonl,p' |
            xargs -r grep -sl '"verdict":"wrong"' | xargs -r grep -L '"checks":[0-9]')
        supersede "${stale[@]/#/$out/records/}" || fault "$(unwritable "$out")"
    fi
    [[ -n $regrade ]] || return 0
    [[ $regrade != */* ]] || whose=${regrade%/*} what=${regrade##*/}
    while read -r who step; do
        record=$out/records/$who/$step
        [[ $who != -* ]] || who=''
        [[ -e $record.jsonl ]] && fits "$step" "$what" && fits "$who" "$whose" && named+=("$record")
    done < <(wanted)
    if [[ $regrade != "$(cat "$out/regrade" 2>/dev/null)" ]]; then
        ((${#named[@]})) || usage_error "--regrade '$regrade' names nothing that has been graded into $out"
        printf '%s\n' "$regrade" >"$out/regrade" || fault "$(unwritable "$out")"
    fi
    stale=()
    for record in "${named[@]}"; do
        [[ $record.jsonl -nt $out/regrade ]] || stale+=("$record.jsonl")
    done
    supersede "${stale[@]}" || fault "$(unwritable "$out")"
}
