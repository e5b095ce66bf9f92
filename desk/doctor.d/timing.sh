# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What makes times on a GPU longer or less steady. Nothing here prevents a grading. Part of desk/doctor.
# shellcheck shell=bash

check_timing() {
    local others persistence limit full slowed mig
    others=$(nvidia-smi --query-compute-apps=pid --format=csv,noheader 2>/dev/null | grep -c '[0-9]')
    ((others == 0)) ||
        hint "this GPU is shared with $others other process$( ((others == 1)) || echo es): times will be longer and less steady" "nvidia-smi    # shows whose"
    # An older driver may not know a field. Then these hints are left out.
    IFS=, read -r persistence limit full slowed mig < <(nvidia-smi --format=csv,noheader,nounits \
        --query-gpu=persistence_mode,power.limit,power.default_limit,clocks_throttle_reasons.hw_slowdown,mig.mode.current 2>/dev/null | tr -d ' ')
    [[ ${persistence-} == Disabled ]] &&
        hint "persistence mode is off: the first call of every program waits for the driver" "sudo nvidia-smi -pm 1"
    if [[ ${limit-} =~ ^[0-9.]+$ && ${full-} =~ ^[0-9.]+$ ]] && awk -v a="$limit" -v b="$full" 'BEGIN { exit !(a + 0 < b + 0) }'; then
        hint "the GPU's power is capped at $limit of $full W: times are those of a slower GPU" "sudo nvidia-smi -pl $full"
    fi
    [[ ${slowed-} == Active ]] &&
        hint "the hardware has slowed the GPU down (heat or power)" "nvidia-smi -q -d PERFORMANCE,TEMPERATURE"
    [[ ${mig-} == Enabled ]] &&
        hint "the GPU is split (MIG): its bandwidth and multiprocessors are those of one slice" "nvidia-smi -L"
    return 0
}
