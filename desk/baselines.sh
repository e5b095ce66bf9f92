# How a step is measured at the desk, and what it is compared with: the CPU reference and the streaming reads that set the
# roof. These take far longer than a step, and do not change from one edit to the next, so they are measured once a day
# for each GPU, driver and harness; `make grade` measures them anew. Sourced after common/build/grading.sh, whose
# variables it uses.
# shellcheck shell=bash disable=SC2154,SC2034  # the variables of grading.sh and of desk/try

BASELINES_LAST_S=86400

# Half the samples of `make grade`, in one round of half the processes; the judge adds rounds while they spread.
take_few_samples() {
    [[ $device == cpu ]] || settings+=("samples 5" "processes 2" "budget 2")
}

# After write_run: sees to it that the judge knows what baselines showed. Sets `measured_at` to when that was if it was not now, in
# words, and else to nothing.
take_baselines() {
    local kept=$out/baselines-${run[function]} key of at age
    measured_at=''
    [[ $device == gpu ]] || return 0
    # What kept figures have to agree in. The free memory changes all the time.
    key=$({ grep -v '^memory_bytes' "$device_file"; printf '%s\n' "$version" "$iterations" "${settings[@]}"; } | sha256sum | cut -c 1-64)
    if [[ -s $kept ]] && read -r of at <"$kept" && [[ $of == "$key" && $at =~ ^[0-9]+$ ]]; then
        age=$((EPOCHSECONDS - at))
        if ((age >= 0 && age < BASELINES_LAST_S)); then
            measured_at=$(date -u -d "@$at" '+%Y-%m-%d %H:%M UTC')
            return
        fi
    fi
    { : >"$kept" && : >"${run[file]}.told"; } || fault "cannot write $kept"
    measure_baselines
    echo "$key $EPOCHSECONDS" >"$kept"
}
