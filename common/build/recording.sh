# How recorded results are measured: what the judge is told, and the version of the code that times. A record holds both,
# so it can be told whether it is still what would be measured today. Sourced after prelude.sh, at the tree's root.
# shellcheck shell=bash

# recorded_settings graded|other|energy: lines of the run file, of the graded input cold, or of anything else. The first has more samples and a
# longer budget than usual. The others are ten times as many, and a process takes longer than its samples, so their samples
# share one: their times are off by up to 1 % (report/recorded/evidence/class-rate.txt). Steps for which the budget is too
# short make fewer than 1000 calls, and their records say so.
recorded_settings() {
    case $1 in
        graded) printf '%s\n' 'iterations 1000' 'samples 10' 'budget 10' ;;
        energy) printf '%s\n' 'iterations 1000' 'samples 3' 'processes 1' 'budget 1' 'energy 3' ;; # samples tell how many calls that is
        *) printf '%s\n' 'iterations 1000' 'samples 5' 'processes 1' 'budget 1' ;;
    esac
}

# recorded_reference_s graded|other: how long each of the CPU's solutions is called at the most.
recorded_reference_s() {
    if [[ $1 == graded ]]; then echo 3; else echo 1; fi
}

# Twelve digits of the hash of what decides about a time besides the step: the code that takes samples, what runs beside a call,
# and the baselines. Comments and empty lines do not count. Other locales list the files in another order.
timing_version() (
    LC_ALL=C
    cat common/judge/{clock.h,process.c,strip.c,trial.c} common/judge/timing/{cores,layout,solutions,stats,timing}.c \
        common/runner/{host.c,launch_size.h,protocol.h,runner.c,watch.c} common/problems/*/call.c common/baselines/{,*/}*.* | hash_of_code
)

# The same of what measures energy.
energy_version() {
    cat common/judge/timing/{energy,power}.c | hash_of_code
}

hash_of_code() {
    LC_ALL=C sed -E '/^[[:space:]]*(\/[/*]|\*( |\/|$)|$)/d' | sha256sum | cut -c 1-12
}
