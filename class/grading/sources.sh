# What a record is made from. Sourced by submissions.sh and take-in.
# shellcheck shell=bash
# class/README.md says what a file STEP.source holds.

# note_source WHO STEP LINE
note_source() {
    local file=$out/records/$1/$2.source line=${3//$'\n'/ } earlier=''
    [[ ! -e $file ]] || IFS= read -r earlier <"$file"
    [[ $line == "$earlier" ]] || { printf '%s\n' "$line" >"$file.new" && mv "$file.new" "$file"; }
}

# noticed ID: what class/intake has noticed and somebody should look at, in a line.
noticed() {
    sed '/^intake: note: /d' "$out/logs/$1/intake.log" 2>/dev/null | tail -n 20 | sed 's/^intake: //; $!s/$/;/' | paste -sd ' '
}

# This tree's own steps, which are measured once on each GPU that a run has had.
note_own_sources() {
    local hash file step
    mkdir -p "$out/records/-$uuid" || fault "$(unwritable "$out")"
    while read -r hash file; do
        step=${file#labs/} step=${step%/*}
        note_source "-$uuid" "$step" "$hash" || fault "$(unwritable "$out")"
    done < <(for step in "${steps[@]}"; do printf '%s\0' "$step"/*.cu; done | xargs -0 sha256sum)
}
