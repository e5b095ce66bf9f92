# Unpacks archives that strangers have made, within limits, or refuses them. Sourced by class/intake, which defines
# fetch, take_steps, say and refuse, and sets `submission`, `directory` and `work`, a folder for temporary files, and `archive`.
# Adds to `unread` the names of files that stay in the archive.
# shellcheck shell=bash

# A whole tree with its build outputs and its .git comes to less than half of the first two.
max_files=20000          # entries of all archives of a submission
max_bytes=$((256 << 20)) # what they unpack to
max_list=4               # MiB of a list of files: 20000 names of 200 letters
# What a reader of archives may use: address space in KiB, seconds of processor time.
reader_memory=$((1 << 20)) reader_seconds=60
max_complaints=$((1 << 20)) # bytes
files_left=$max_files bytes_left=$max_bytes # of what the limits allow

# Tells by its first bytes what a file is: names may lie.
kind_of() {
    case $(head -c 6 -- "$1" | od -An -tx1 | tr -d ' \n') in
        1f8b*) echo gzip ;;
        504b0304* | 504b0506*) echo zip ;;
        '') echo empty ;;
        377abcaf271c) echo 7-Zip ;;
        526172211a07) echo RAR ;;
        fd377a585a00) echo xz ;;
        425a68*) echo bzip2 ;;
        28b52ffd*) echo zstd ;;
        *) [[ $(head -c 262 -- "$1" | tail -c 5 | tr -d '\0') == ustar ]] && echo tar || echo unknown ;;
    esac
}

# Prints the archive's tar stream, no more of it than the headers and content of an archive within the limits.
tar_stream() {
    case $kind in
        gzip) gzip -dc ;;
        tar) cat ;;
    esac <"$archive" 2>/dev/null | head -c $((max_bytes + max_files * 3072))
    echo "${PIPESTATUS[0]}" >"$work/decompressed"
}

# Prints a line for each entry, as `ls -l` does: type, size, and the name with odd characters escaped. tar reads a
# pipe, since from a file it might start a decompressor by itself. bsdtar would ask for a password, and has more columns.
list_archive() {
    case $kind in
        zip) (set -o pipefail && reader bsdtar --passphrase none -tvf "$archive" |
            sed -E 's,^([^ ]+) +[^ ]+ +[^ ]+ +[^ ]+ +([^ ]+) +[^ ]+ +[^ ]+ +[^ ]+ ,\1 0/0 \2 1980-01-01 00:00 ,') ;;
        *) tar_stream | reader tar --warning=no-unknown-keyword --numeric-owner --quoting-style=escape --absolute-names -tvf - ;;
    esac
}

# unpack_archive FOLDER PATTERN...
unpack_archive() {
    case $kind in
        zip) reader bsdtar --passphrase none --no-same-owner --no-same-permissions -xf "$archive" -C "$1" "${@:2}" ;;
        *) tar_stream | reader tar --warning=no-unknown-keyword --no-same-owner --no-same-permissions --wildcards -xf - -C "$@" ;;
    esac
}

# reader COMMAND...: runs a reader of archives within limits. Its complaints, up to max_complaints bytes, go to $work/error.
# The rest of the stream is read too: a reader may leave padding unread, and that must not look like an error.
reader() {
    {
        (
            # A limit that cannot be set is lower already.
            for limit in "-v $reader_memory" "-t $reader_seconds" "-f $((max_bytes / 1024))"; do ulimit ${limit% *} "${limit#* }" 2>/dev/null; done
            "$@" && cat >/dev/null
        ) 2>&1 >&3 | { head -c "$max_complaints" >"$work/error"; cat >/dev/null; }
        return "${PIPESTATUS[0]}"
    } 3>&1
}

# unpack FOLDER: unpacks the step files and archives in $archive to a new folder. Refuses what is hostile.
unpack() {
    local folder=$1 kind answer status patterns files bytes list
    kind=$(kind_of "$archive")
    case $kind in
        empty) refuse "the file is empty" ;;
        7-Zip | RAR | xz | bzip2 | zstd) refuse "it is a $kind archive: pack it as .tar.gz or .zip" ;;
        unknown) refuse "it is neither a directory nor a .tar.gz, .tgz or .zip, whatever its name says: it begins with \
$(shown "$(head -c 20 -- "$archive" | head -n 1 | LC_ALL=C tr -c '[:print:]\n' '?')")" ;;
        zip) command -v bsdtar >/dev/null || fault "a .zip needs bsdtar: make deps-all installs it (libarchive-tools; RHEL, Fedora: bsdtar); a .tar.gz needs nothing" ;;
    esac
    rm -f "$work/decompressed"
    answer=$(list_archive </dev/null | build/grades judge-list "$files_left" "$bytes_left" "$max_files" $((max_bytes >> 20)) "$max_list"; echo "${PIPESTATUS[0]}")
    mapfile -t list <<<"$answer"
    status=${list[-1]} answer=${list[0]}
    [[ $answer == refused* ]] && refuse "${answer#refused }"
    check_reading "$status"
    read -r files bytes patterns <<<"$answer"
    unread+=("${list[@]:1:${#list[@]}-2}")
    files_left=$((files_left - files)) bytes_left=$((bytes_left - bytes))
    ((files)) || refuse "it is empty: no file in it"
    ((${#folder} < 3000)) || refuse "its paths are too long"
    mkdir -p -- "$folder" || fault "cannot write to $directory"
    [[ -n $patterns ]] || return 0
    read -ra patterns <<<"$patterns"
    unpack_archive "$folder" "${patterns[@]}" </dev/null
    status=$?
    name_left_out && status=0
    check_reading "$status"
    chmod -R u+rwX -- "$folder"
}

# Some names cannot be files here, and the rest of the archive can. Removes from $work/error what its reader says of these,
# and names them. Fails if it has said anything else.
name_left_out() {
    local form="s/^(tar: )?(.*): (Cannot (open|mkdir)|Can't create .*|Could not stat .*): (File name too long|Not a directory|Is a directory|File exists)\$/" lost
    (($(stat -c %s "$work/error") < max_complaints)) || return
    mapfile -t lost < <(LC_ALL=C sed -nE "$form\2/p" "$work/error")
    ((${#lost[@]})) || return
    say "left out, since a name is too long, or a file's and a folder's at once: $(some "${lost[@]}")"
    LC_ALL=C sed -i -E -e "$form/" -e '/^(tar: Exiting with failure status due to|bsdtar: Error exit delayed from) previous errors[.]?$/d' -e '/^$/d' "$work/error"
    [[ ! -s $work/error ]]
}

# check_reading STATUS: refuses the archive if its reader failed or the stream was too long.
check_reading() {
    local decompressed=0 error
    error=$(head -c 200 "$work/error" | tr -c '[:print:]' ' ')
    # A name may say so, too, but not at a line's end. And what the reader says may itself have found no room.
    if grep -q ': No space left on device$' "$work/error" || { (($1)) && unwritable "$work" >/dev/null; }; then
        fault "no space left to unpack $(shown "${submission##*/}")"
    fi
    [[ $error != *assphrase* && $error != *ncrypted* ]] || refuse "it is encrypted"
    [[ $error != *'compression method'* ]] || refuse "it is compressed by a method that is not read here: pack it as .tar.gz, or as a .zip by Deflate"
    [[ -e $work/decompressed ]] && decompressed=$(<"$work/decompressed")
    ((decompressed == 141)) && refuse "it unpacks to more than $((max_bytes >> 20)) MiB"
    (($1 == 128 + 9 || $1 == 128 + 24)) && refuse "it takes too long to unpack"
    # 2 is a warning of gzip's, about bytes after the archive's end.
    (($1 == 0 && (decompressed == 0 || decompressed == 2))) || refuse "it is cut short or corrupt"
}

# Unpacks each archive inside to a folder at its own path, below another root.
open_nested() {
    local path outer=$root
    ((${#archives[@]})) || return
    nested=1
    ((${#archives[@]} <= max_nested)) || refuse "it holds ${#archives[@]} archives, and no step file beside them"
    for path in "${archives[@]}"; do
        root=$outer
        rm -f "$archive"
        fetch "$path" "$max_bytes" "$archive" || { say "$(shown "$path") is left out: $answer"; continue; }
        say "note: opened the archive in it: $(shown "$path")"
        inside="the archive $(shown "$path") in it: "
        unpack "$(place "$work/nested/$path" "$path")"
    done
    inside=''
    root=$work/nested
    mkdir -p "$root"
    take_steps
}

# place FOLDER ARCHIVE: prints where in it the archive is unpacked. opt05_multiblock.zip may hold no folder of that name: it
# stands for one.
place() {
    local name=${2##*/}
    name=${name%.*} name=${name%.[tT][aA][rR]}
    if [[ -n $name && $name != .* && -d labs/$name ]]; then echo "$1/$name"; else echo "$1"; fi
}

# handed_out PATH: whether it is a file of the handout, whatever folders it lies in.
handed_out() {
    local rest=$1
    until [[ $rest == @(assignment.@(md|html)|common/handed-out|common/hints/*|report/recorded/charts/*) || -f $rest && $rest != +([^/]).cu ]]; do
        [[ $rest == */* ]] || return 1
        rest=${rest#*/}
    done
}

tell_others() {
    local path rest=()
    [[ -z $nested ]] || rest=("${archives[@]}")
    for path in "${first_others[@]}" "${unread[@]#./}"; do
        [[ /$path == */.* || /$path == */build/* || /$path == */results/* ]] || handed_out "$path" ||
            [[ -n $nested && ${path,,} == *.@(zip|tgz|tar.gz|tar) ]] || rest+=("$path")
    done
    ((${#rest[@]} == 0)) || say "not graded: $(some "${rest[@]}")"
}
