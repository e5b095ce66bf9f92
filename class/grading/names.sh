# The names of submissions: submissions.tsv and ids. Sourced by submissions.sh.
# shellcheck shell=bash

# A path as text without control characters; printf %b gives it back.
escaped() {
    local LC_ALL=C letter
    escape=${1//\\/\\\\}
    escape=${escape//$'\t'/\\t} escape=${escape//$'\n'/\\n} escape=${escape//$'\r'/\\r}
    while [[ $escape =~ [[:cntrl:]] ]]; do
        printf -v letter '\\0%03o' "'${BASH_REMATCH[0]}"
        escape=${escape//"${BASH_REMATCH[0]}"/"$letter"}
    done
}

# Sets `id`: a path's last part without an archive's ending, of harmless characters, given to nobody else. It names a
# folder in logs/, beside files that end in .log. A name of which no letter or digit would be left gets one from its hash:
# the same each time, whoever else hands in. So does each where the assignment is anonymous.
make_id() {
    local LC_ALL=C name=${1##*/} number=1
    name=${name%.zip} name=${name%.tgz} name=${name%.tar.gz} name=${name%.cu}
    [[ -z $anonymous && $name == *[A-Za-z0-9]* ]] || name=id-$(printf %s "$name" | sha256sum | cut -c 1-10)
    name=${name//[^A-Za-z0-9._@+-]/_}
    [[ $name != [.-]* ]] || name=_${name:1}
    name=${name:0:100}
    [[ $name != *.log ]] || name+=_
    [[ -n $name && $name != @ ]] || name=_
    id=$name
    while [[ -n ${path_of[$id]-} ]]; do id=$name-$((++number)); done
}

# Replaces a learning platform's download of a whole class among the submissions by one submission for each person. Times
# in it are of the assignment's time zone, or of this machine's. Some systems install perl without its core modules:
# submissions are graded there all the same, and `whole_perl` is empty.
take_downloads() {
    local zone=''
    # Looked for, not loaded: that takes ten times as long.
    perl -e 'for my $file (@ARGV) { grep { -e "$_/$file" } @INC or exit 1 }' Encode.pm Unicode/Normalize.pm Time/Local.pm 2>/dev/null && whole_perl=yes || {
        whole_perl=''
        echo "grade.sh: perl lacks core modules (make doctor): a platform's download of a class is not known as such, and people.tsv is not written" >&2
        return
    }
    [[ ! -e $out/assignment ]] || zone=$(class/assignment "$out/assignment" zone)
    (
        [[ -z $zone ]] || export TZ=$zone
        CALLER=$caller perl class/lms/take.pl "$out" "${submissions[@]}"
    ) >"$work/taken" || failed "$out" "the submissions cannot be taken in"
    mapfile -d '' submissions <"$work/taken"
}

# The same step in several folders of the only submission is of several students.
refuse_several() {
    local only=${submissions[*]} twice
    ((${#submissions[@]} == 1)) && [[ $only != "$out"/handed-in/* ]] && ! grep -qsF $'\t'"$only"$'\t' "$out/submissions.tsv" || return 0
    twice=$(cd "$(from_caller "$only")" 2>/dev/null && printf '%s\n' */{,labs/,*/labs/}[a-z]*[0-9][0-9]_*/*.cu | grep -v '^build/\|[*]' |
        sed -E 's,^([^/]*)/(.*/)?([^/]*)/[^/]*$,\3 \1,' | sort -u | sed 's/ .*//' | uniq -d | head -n 1)
    [[ -z $twice ]] || usage_error "${only@Q} has several folders that hold $twice, so several submissions: ./grade.sh $only/*"
}

# Sets ids[], and path_of[id], the absolute path. A path that had an id in this folder keeps it. A submission whose records the
# instructor has removed is in the class no more.
name_submissions() {
    local id path given i absolute=() escape anonymous
    anonymous=$(assignment_value anonymous)
    local -A id_of=()
    take_downloads
    refuse_several
    ids=()
    declare -gA path_of=() given_of=()
    while IFS=$'\t' read -r id given _; do
        [[ -n $id && $id != */* ]] || continue
        [[ -d $out/records/$id ]] || { rm -rf "$out"/{submissions,logs}/"$id"; continue; }
        printf -v path %b "$given"
        [[ $path != */handed-in/* || ! -d $out/handed-in/${path##*/} ]] || path=$out/handed-in/${path##*/} # also of a folder that was moved
        [[ $path == /* ]] || path=$caller/$path
        given_of[$id]=$given
        absolute+=("$path") ids+=("$id")
    done < <(cat "$out/submissions.tsv" 2>/dev/null)
    local earlier=${#ids[@]}
    for path in "${submissions[@]}"; do
        [[ $path == /* ]] || path=$caller/$path
        absolute+=("$path")
    done
    mapfile -d '' absolute < <(realpath -zsm -- "${absolute[@]}")
    for ((i = 0; i < earlier; i++)); do
        path_of[${ids[i]}]=${absolute[i]}
        id_of[${absolute[i]}]=${ids[i]}
    done
    ids=()
    local -A chosen=()
    for ((; i < ${#absolute[@]}; i++)); do
        path=${absolute[i]}
        id=${id_of[$path]-}
        [[ -n $id ]] || make_id "$path"
        escaped "${submissions[i - earlier]}"
        path_of[$id]=$path id_of[$path]=$id given_of[$id]=$escape
        [[ -n ${chosen[$id]-} ]] || ids+=("$id")
        chosen[$id]=1
    done
    write_submissions
}

# submissions.tsv: id, path as given, and what was noticed.
write_submissions() {
    local id escape
    for id in "${!path_of[@]}"; do
        escaped "$(noticed "$id")"
        printf '%s\t%s\t%s\n' "$id" "${given_of[$id]}" "$escape"
    done | LC_ALL=C sort >"$work/submissions.tsv"
    mv "$work/submissions.tsv" "$out/submissions.tsv" || fault "$(unwritable "$out")"
}

