# The pairs of tests/emulator/nvcc.sources: what the emulator refuses as nvcc does, and what it accepts. Sourced by tests/part-emulator, which
# sets `out`, where the emulator is, and `cxx`.
# shellcheck shell=bash disable=SC2154

# The emulator's verdict on a program for nvcc, or nvcc's own (NVCC=nvcc). program_...: one that nobody grades.
judge_program() {
    if [[ -n ${NVCC-} ]]; then
        "$NVCC" -std=c++17 -arch=sm_90 -c "$1" -o "$1.o"
    else
        local mode=()
        [[ $1 != */program_* ]] || mode=(--program)
        "$out/nvcc" "${mode[@]}" --text="$1.ii" --plain="$1.o" "$1" "$cxx" -std=c++17 -Iemulator/include -g -w
    fi
}

# Programs in one text, each in a namespace of its own, which is compiled in a thirtieth of the time.
together() {
    cat "$@" | grep '^#include' | LC_ALL=C sort -u
    awk 'FNR == 1 { if (NR > 1) print "}"; name = FILENAME; gsub(/.*\/|\.cu$/, "", name); sub(/\./, "_", name); print "namespace " name " {" }
         { print /^#/ ? "" : $0 } END { print "}" }' "$@"
}

# With `including` those that include something, else those that do not; never those for which a namespace is no place.
fits_together() {
    local own
    [[ $2 != */program_* ]] && own=$(grep -v '^#include <' "$2") && ! grep -qE '^ *#|extern|main|__constant__' <<<"$own" || return
    if [[ $1 == including ]]; then grep -q '^#' "$2"; else ! grep -q '^#' "$2"; fi
}

# accepts_together KIND PROGRAM...: PROGRAM.together of those that are. Where one is refused, each is judged alone.
accepts_together() {
    local kind=$1 program fitting=() text=$work/accepted-$1.cu
    for program in "${@:2}"; do ! fits_together "$kind" "$program" || fitting+=("$program"); done
    ((${#fitting[@]})) || return
    together "${fitting[@]}" >"$text"
    if judge_program "$text" >"$text.said" 2>&1; then
        touch "${fitting[@]/%/.together}"
    else
        echo "NOTE   the accepted programs of nvcc.sources are refused together: $(head -n 1 "$text.said")"
    fi
}

# refuses_together KIND PROGRAM...: PROGRAM.together of those of which what is wanted is said, at a line of theirs. Who rewrites, who
# compiles and who looks at calls speak one after the other: the rest are tried again without those of which something was said.
refuses_together() {
    local kind=$1 program right rest=() text=$work/refused-$1.cu
    for program in "${@:2}"; do ! fits_together "$kind" "$program" || rest+=("$program"); done
    while ((${#rest[@]})); do
        together "${rest[@]}" >"$text"
        if LC_ALL=C judge_program "$text" >"$text.said" 2>&1; then break; fi
        awk -v folder="${rest[0]%/*}" 'FNR == NR { if (/^namespace [a-z_0-9]+ {$/) name = $2; of[FNR] = name; next }
            match($0, /refused-[a-z]+\.cu:[0-9]+:.* error: /) {
                split(substr($0, RSTART, RLENGTH), at, ":")
                if ((name = of[at[2]]) == "")
                    next
                file = folder "/" name ".cu"
                if (!(name in wanted)) { getline wanted[name] <(file ".wanted"); close(file ".wanted") }
                gsub(name "::", "")
                told[file] = told[file] || index($0, wanted[name])
            }
            END { for (file in told) print file, told[file] }' "$text" "$text.said" >"$text.told"
        while read -r program right; do ((!right)) || : >"$program.together"; done <"$text.told"
        mapfile -t rest < <(printf '%s\n' "${rest[@]}" | grep -vxFf <(cut -d ' ' -f 1 "$text.told"))
        [[ -s $text.told ]] || break
    done
}

# read_pair PAIR: PAIR.accepted.cu, PAIR.cu, and in PAIR.cu.wanted the words of its refusal; or `accepted`.
read_pair() {
    local wanted
    IFS= read -r wanted <"$1"
    wanted=${wanted#*: }
    [[ -z ${NVCC-} || $wanted != *' | '* ]] || wanted=${wanted%' | '*}
    wanted=${wanted##*' | '}
    wanted=${wanted//‘/\'} wanted=${wanted//’/\'} # compilers quote so where the locale has no other
    printf '%s\n' "$wanted" >"$1.cu.wanted"
    sed '1d; /^-/d; s/^.//' "$1" >"$1.accepted.cu"
    sed '1d; /^[+]/d; s/^.//' "$1" >"$1.cu"
}

read_pairs() {
    local pair kind accepted=() refused=()
    for pair in "$@"; do
        wanted "$cxx nvcc_${pair##*/}" || continue
        read_pair "$pair"
        accepted+=("$pair.accepted.cu")
        if [[ $(<"$pair.cu.wanted") == accepted ]]; then accepted+=("$pair.cu"); else refused+=("$pair.cu"); fi
    done
    for kind in including alone; do
        accepts_together "$kind" "${accepted[@]}"
        [[ -n ${NVCC-} ]] || refuses_together "$kind" "${refused[@]}"
    done
}

# A pair of tests/emulator/nvcc.sources: one is refused in nvcc's words, its neighbour is accepted.
agrees_with_nvcc() {
    local said wanted
    wanted=$(<"$1.cu.wanted")
    [[ -e $1.accepted.cu.together ]] || judge_program "$1.accepted.cu" || return
    if [[ -e $1.cu.together ]]; then
        return
    elif [[ $wanted == accepted ]]; then
        judge_program "$1.cu"
    elif said=$(judge_program "$1.cu" 2>&1); then
        echo "it was not refused; wanted: $wanted"
        return 1
    else
        said=${said//‘/\'} said=${said//’/\'}
        [[ $said == *"$wanted"* ]] || { printf 'wanted: %s\n%s\n' "$wanted" "$said"; return 1; }
    fi
}
