# The spool folder of a host that grades single steps, and the queue in it. Sourced by serve and grade, after prelude.sh.
# shellcheck shell=bash disable=SC2154  # spool, user, step and function, which they set
#
# class/README.md says what is in the folder. Entries are served in the order of their numbers. All locks are flock's: they end with the processes that hold them.

declare -A setting=()

# read_settings SPOOL
read_settings() {
    local file key value
    for file in class/remote/settings "$1/settings"; do
        [[ -e $file ]] || continue
        while read -r key value; do
            value=${value%%#*} value=${value%"${value##*[![:space:]]}"}
            [[ -n $key && $key != '#'* ]] || continue
            [[ $file == class/remote/settings || -v setting[$key] ]] || fault "$file: there is no setting '$key'"
            setting[$key]=$value
        done <"$file"
    done
    PATH+=:${setting[path]}
    check_settings_of_host
}

check_settings_of_host() {
    local key
    for key in runs waiting limit build-timeout reading at-once; do
        [[ ${setting[$key]} =~ ^[1-9][0-9]{0,5}$ ]] || fault "the setting '$key' is a whole number from 1 on, not '${setting[$key]}'"
    done
    [[ ${setting[device]} =~ ^(gpu|cpu)$ ]] || fault "the setting 'device' is gpu or cpu, not '${setting[device]}'"
    [[ ${setting[gpus]} =~ ^(all|[0-9]+(,[0-9]+)*)$ ]] || fault "the setting 'gpus' is all, or numbers such as 0,1, not '${setting[gpus]}'"
}

# Prints the names of all slots.
slots() {
    if [[ -n ${setting[srun]} ]]; then
        seq -f 'slurm%g' "${setting[at-once]}"
    elif [[ ${setting[device]} == cpu ]]; then
        echo cpu
    elif [[ ${setting[gpus]} == all ]]; then
        nvidia-smi -L | sed -n 's/^GPU \([0-9]*\):.*/\1/p'
    else
        tr ',' '\n' <<<"${setting[gpus]}"
    fi
}

# is_dead ENTRY
is_dead() {
    [[ -d $spool/queue/$1 ]] && flock -n "$spool/queue/$1/alive" true 2>/dev/null
}

# forget ENTRY: and what was built of it.
forget() {
    local builds
    builds=$(builds_of "$1")
    rm -rf "$spool/queue/${1:?}" "$builds" build/{cpu,gpu}/"$builds" build/code/*/"$builds"
}

# Where class/grading/builds.sh builds for an entry.
builds_of() {
    local run
    run=$(realpath -m "$spool/queue/$1" | sha256sum)
    echo "build/class/${run:0:12}"
}

# With the spool locked: removes dead entries, half-made ones among them, and requests whose process was killed in between.
sweep() {
    local entry left=("$spool"/request.*)
    ((${#left[@]} == 0)) || find "${left[@]}" -mmin +5 -delete
    for entry in "$spool"/queue/* "$spool"/queue/.[!.]*; do
        [[ ! -d $entry ]] || ! is_dead "${entry##*/}" || forget "${entry##*/}"
    done
}

# With the spool locked: refuses a user who has used up what the settings allow.
check_limits() {
    local entries=("$spool"/queue/????????-"$user") since=$((EPOCHSECONDS - 3600)) other waiting=0 runs oldest
    ((${#entries[@]} < setting[waiting])) ||
        refuse - "${#entries[@]} of your steps are in its queue already, and no more than ${setting[waiting]} may be"
    # Those that wait will be runs.
    for other in "${entries[@]}"; do [[ -e $other/running ]] || waiting=$((waiting + 1)); done
    read -r runs oldest < <(awk -v since="$since" -v user="$user" \
        '$1 + 0 > since && $1 <= since + 3600 && $2 == user { if (!runs++) oldest = $1 } END { print runs + 0, oldest + 0 }' "$spool/history" 2>/dev/null)
    ((runs + waiting < setting[runs])) ||
        refuse $((oldest ? oldest + 3600 : EPOCHSECONDS)) "it grades ${setting[runs]} of your steps within an hour"
}

# enter SOURCE: puts the request into the queue, or refuses it. Sets `entry`.
enter() {
    local number=0 last waiting spool_lock
    { exec {spool_lock}>>"$spool/lock" && flock "$spool_lock"; } || fault "cannot lock $spool/lock"
    sweep
    check_limits
    [[ ! -s $spool/last ]] || read -r number <"$spool/last"
    # A full disk may have emptied it: nobody goes before those who wait.
    waiting=(0 "$spool"/queue/*) last=${waiting[-1]##*/} last=$((10#${last%%-*}))
    number=$((10#$number < last ? last + 1 : 10#$number + 1))
    printf -v entry '%08d-%s' "$number" "$user"
    {
        echo "$number" >"$spool/last" && mkdir "$spool/queue/.$entry" && exec {alive}>"$spool/queue/.$entry/alive" &&
            flock -n "$alive" && cat "$1" >"$spool/queue/.$entry/$function.cu" && echo "$step" >"$spool/queue/.$entry/step" &&
            mv "$spool/queue/.$entry" "$spool/queue/$entry"
    } || fault "cannot write to $spool/queue"
    exec {spool_lock}>&-
}

# Sets `place`: 1 if nobody waits before this entry. Of those, only the first can block all others, so it is the one that is looked at.
find_place() {
    local other first=''
    place=1
    for other in "$spool"/queue/*; do
        other=${other##*/}
        [[ $other != "$entry" ]] || break
        [[ ! -e $spool/queue/$other/running ]] || continue
        [[ -n $first ]] || { first=1 && is_dead "$other" && forget "$other" && continue; }
        place=$((place + 1))
    done
}

# Takes a slot that is free. Sets `slot`.
take_slot() {
    for slot in $(slots); do
        exec {held}>>"$spool/slot-$slot"
        flock -n "$held" && return
        exec {held}>&-
    done
    return 1
}
