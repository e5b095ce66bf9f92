#!/usr/bin/env bats
# class/intake: every oddity that an LMS or a student's computer adds to a submission, and every kind of
# hostile archive.

bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    work=$BATS_TEST_TMPDIR
    step5=$root/labs/opt05_multiblock/opt_2dhisto.cu
    copy=$work/parent/copy
    cd "$work" || return
}

# intake SUBMISSION: what it said ends up in $output. Little processor time must do for any submission.
intake() {
    (ulimit -t 20 && "$root/class/intake" "$1" "$copy")
}

# A submission's folder with one honest step in it: honest FOLDER.
honest() {
    mkdir -p "$1/opt05_multiblock"
    cp "$step5" "$1/opt05_multiblock"
}

# The clean copy holds these steps and nothing else.
holds() {
    diff <(cd "$copy" && find . -mindepth 1 ! -type d | sort) <(printf './labs/%s\n' "$@" | sort)
}

holds_step5() {
    holds opt05_multiblock/opt_2dhisto.cu && cmp "$copy/labs/opt05_multiblock/opt_2dhisto.cu" "$step5"
}

# One line that ends in the reason, and nothing left of it.
refused() {
    printf 'exit %d: %s\n' "$status" "$output"
    [ "$status" -eq 1 ] && [ "${#lines[@]}" -eq 1 ] && [[ $output == "intake: '"*"' is refused: "*$1* ]] &&
        [ -z "$(find "$copy" -mindepth 1)" ]
}

# ---- forms ---------------------------------------------------------------------------------------

@test "intake: a directory, a .tar.gz, a .tgz, a .tar and a .zip give the same clean copy, and say nothing" {
    honest sub
    mkdir -p sub/labs
    cp -r "$root/labs/byte01_global_atomics" sub/labs
    tar -czf a.tar.gz sub
    tar -czf a.tgz -C sub .
    tar -cf a.tar sub
    bsdtar -acf a.zip sub
    for submission in sub sub/ a.tar.gz a.tgz a.tar a.zip; do
        run -0 intake "$submission"
        [ -z "$output" ]
        holds opt05_multiblock/opt_2dhisto.cu byte01_global_atomics/opt_bytehisto.cu
        cmp "$copy/labs/opt05_multiblock/opt_2dhisto.cu" "$step5"
    done
}

@test "intake: what a file is decides, not how it is called" {
    honest sub
    bsdtar --format zip -cf 'LAB 3.ZIP' sub
    tar -czf really-tar.zip sub
    bsdtar --format zip -cf really-zip.tar.gz sub
    tar -cf really-plain.tgz sub
    for submission in 'LAB 3.ZIP' really-tar.zip really-zip.tar.gz really-plain.tgz; do
        run -0 intake "$submission"
        holds_step5
    done
}

@test "intake: a name that looks like an option, a command or an archive of another machine" {
    honest sub
    mkdir odd
    for name in '--help.tgz' '-rf.tgz' 'a:b.tgz' '@x.tgz' '$(touch pwned).tgz' 'a'$'\n''b.tgz' '...tgz' '日本 ü.tgz'; do
        tar -czf odd/x sub
        mv odd/x "odd/$name"
        run -0 env -C odd "$root/class/intake" "./$name" "$copy"
        holds_step5
    done
    bsdtar --format zip -cf 'odd/@-x.zip' sub
    run -0 intake 'odd/@-x.zip'
    holds_step5
    [ ! -e odd/pwned ] && [ ! -e pwned ]
}

@test "intake: spaces, unicode, line ends and dashes in folders, at any depth" {
    for folder in 'Lab 3 (final) [v2]' 'Übung/日本' $'new\nline' '-x' 'a/b/c/d/e/f/labs' '*' 'back\slash'; do
        rm -rf sub && mkdir sub
        honest "sub/$folder"
        bsdtar -acf a.zip sub
        tar -czf a.tgz sub
        for submission in sub a.zip a.tgz; do
            run -0 intake "$submission"
            [ -z "$output" ]
            holds_step5
        done
    done
}

@test "intake: folders as Windows writes them into a .zip, with backslashes and names of its code page" {
    honest Jos_/labs
    # José in code page 437, folders with backslashes: bytes as long as what bsdtar wrote.
    bsdtar --format zip -cf a.zip Jos_/labs/opt05_multiblock/opt_2dhisto.cu
    LC_ALL=C sed -i $'s|Jos_/labs/opt05_multiblock/|Jos\x82\\\\labs\\\\opt05_multiblock\\\\|g' a.zip
    run -0 intake a.zip
    holds_step5
}

@test "intake: the folder or the archive may itself be the step" {
    honest .
    tar -czf opt05_multiblock.tar.gz -C opt05_multiblock opt_2dhisto.cu
    (cd opt05_multiblock && bsdtar --format zip -cf ../opt05_multiblock.ZIP opt_2dhisto.cu)
    for submission in opt05_multiblock opt05_multiblock.tar.gz opt05_multiblock.ZIP; do
        run -0 intake "$submission"
        holds_step5
    done
}

@test "intake: an archive in what Moodle and Canvas wrap it in, one deep" {
    honest sub
    mkdir -p 'Jane Doe_4711_assignsubmission_file_'
    tar -czf 'Jane Doe_4711_assignsubmission_file_/lab 3.tgz' sub
    bsdtar -acf doejane_LATE_4711_lab-1.zip 'Jane Doe_4711_assignsubmission_file_'
    for submission in 'Jane Doe_4711_assignsubmission_file_' doejane_LATE_4711_lab-1.zip; do
        run -0 intake "$submission"
        [[ $output == *"opened the archive in it: "*"lab 3.tgz'" ]]
        holds_step5
    done
    # Two deep is too deep.
    mkdir deeper && mv doejane_LATE_4711_lab-1.zip deeper && tar -czf deeper.tgz deeper
    run -1 intake deeper.tgz
    [[ ${lines[-1]} == *"no step file in it"* ]]
}

@test "intake: an archive beside step files stays closed" {
    honest sub
    echo 'no archive' >sub/old.zip
    run -0 intake sub
    holds_step5
}

# ---- what comes with it --------------------------------------------------------------------------

@test "intake: nothing but step files: no Makefile, no header, no harness, no hidden file, no build output" {
    honest sub/labs
    mkdir -p sub/__MACOSX/labs/opt05_multiblock sub/.git/objects sub/build/cpu sub/common
    echo 'all: ; touch pwned' >sub/Makefile
    echo '#error' | tee sub/common/lab.h sub/labs/opt05_multiblock/lab.h sub/labs/opt05_multiblock/other.c >sub/grade.sh
    echo junk | tee sub/__MACOSX/labs/opt05_multiblock/{._,}opt_2dhisto.cu sub/.git/objects/ab >sub/build/cpu/runner
    echo junk >sub/labs/opt05_multiblock/._opt_2dhisto.cu
    bsdtar -acf a.zip sub
    for submission in sub a.zip; do
        run -0 intake "$submission"
        [ -z "$output" ]
        holds_step5
    done
}

@test "intake: a file that is no step's is named" {
    honest sub
    mkdir sub/opt5 sub/opt04_shared_memory
    cp "$step5" sub/opt5
    cp "$step5" sub/opt04_shared_memory/opt_sum.cu
    run -0 intake sub
    [[ $output == *"no step of this lab: "*"'opt04_shared_memory/opt_sum.cu'"* && $output == *"'opt5/opt_2dhisto.cu'"* ]]
    holds_step5
}

@test "intake: of several files for a step the shallowest, then the newest, then the first by name; and it says so" {
    for folder in a/deep b c d; do
        mkdir -p "sub/$folder/opt05_multiblock"
        echo "$folder" >"sub/$folder/opt05_multiblock/opt_2dhisto.cu"
    done
    touch -d 2026-01-01 sub/b/opt05_multiblock/opt_2dhisto.cu
    touch -d 2026-03-03 sub/{c,d}/opt05_multiblock/opt_2dhisto.cu
    touch -d 2026-05-05 sub/a/deep/opt05_multiblock/opt_2dhisto.cu
    tar -czf a.tgz sub
    (cd sub && bsdtar -acf ../a.zip d c b a)
    for submission in sub a.tgz a.zip; do
        run -0 intake "$submission"
        [ "$(<"$copy/labs/opt05_multiblock/opt_2dhisto.cu")" = c ]
        [[ $output == *"opt05_multiblock: "*"c/opt05_multiblock/opt_2dhisto.cu' is taken; others"*" are not: 3"* ]]
    done
}

@test "intake: the same file twice is worth no word" {
    honest sub
    honest sub/backup
    run -0 intake sub
    [ -z "$output" ]
}

@test "intake: Windows line ends, old Mac line ends and byte order marks are gone" {
    mkdir -p sub/{opt01_single_thread,opt02_one_block,opt03_strided_access,opt04_shared_memory,opt05_multiblock}
    printf 'int a; // ü\n\nint b;' >plain
    sed 's/$/\r/' plain | head -c -1 >sub/opt01_single_thread/opt_2dhisto.cu
    tr '\n' '\r' <plain >sub/opt02_one_block/opt_2dhisto.cu
    (printf '\xef\xbb\xbf' && cat plain) >sub/opt03_strided_access/opt_2dhisto.cu
    iconv -f UTF-8 -t UTF-16 plain >sub/opt04_shared_memory/opt_2dhisto.cu
    (printf '\xfe\xff' && sed 's/$/\r/' plain | head -c -1 | iconv -f UTF-8 -t UTF-16BE) >sub/opt05_multiblock/opt_2dhisto.cu
    run -0 intake sub
    [ -z "$output" ]
    for file in "$copy"/labs/*/opt_2dhisto.cu; do cmp "$file" plain; done
    [ "$(find "$copy" -name '*.cu' | wc -l)" -eq 5 ]
}

@test "intake: what is no text is taken byte by byte, an empty file too" {
    honest sub
    mkdir sub/opt04_shared_memory
    printf '\xff\xfe\x00' >sub/opt05_multiblock/opt_2dhisto.cu
    : >sub/opt04_shared_memory/opt_2dhisto.cu
    run -0 intake sub
    [[ $output == *"begins like UTF-16 and is not"* ]]
    holds opt05_multiblock/opt_2dhisto.cu opt04_shared_memory/opt_2dhisto.cu
    cmp sub/opt05_multiblock/opt_2dhisto.cu "$copy/labs/opt05_multiblock/opt_2dhisto.cu"
}

@test "intake: a step file beyond 1 MiB is left out, and the others are taken" {
    honest sub
    mkdir sub/opt04_shared_memory
    head -c 1048577 /dev/zero >sub/opt04_shared_memory/opt_2dhisto.cu
    tar -czf a.tgz sub
    for submission in sub a.tgz; do
        run -0 intake "$submission"
        [[ $output == *"opt04_shared_memory/opt_2dhisto.cu' is left out: it is larger than 1024 KiB" ]]
        holds_step5
    done
}

@test "intake: files that the student made unreadable" {
    honest sub
    tar -czf a.tgz --mode=000 sub
    run -0 intake a.tgz
    holds_step5
    chmod 000 sub/opt05_multiblock/opt_2dhisto.cu
    ((!EUID)) || run -1 intake sub
    ((!EUID)) || [[ ${lines[0]} == *"is left out: it cannot be read" ]]
    chmod 600 sub/opt05_multiblock
    ((!EUID)) || run -1 intake sub
    ((!EUID)) || [[ ${lines[-1]} == *"no step file in it that may be read"* ]]
    chmod 700 sub/opt05_multiblock
}

@test "intake: a file too deep for any path is left out" {
    name=$(printf 'd%.0s' {1..200})
    mkdir sub && cd sub
    for _ in {1..25}; do mkdir "$name" && cd "$name"; done
    honest .
    cd "$work"
    run -1 intake sub
    [[ ${lines[0]} == *"is left out: it cannot be read" ]]
    [ "${#lines[@]}" -eq 2 ]
    rm -r sub # bats cannot
}

# ---- links ---------------------------------------------------------------------------------------

@test "intake: links in a directory are not followed" {
    honest sub
    mkdir sub/opt03_strided_access
    ln -s "$root/labs/opt04_shared_memory" sub/opt04_shared_memory
    ln -s /etc/passwd sub/opt03_strided_access/opt_2dhisto.cu
    mkfifo sub/opt03_strided_access/opt_bytehisto.cu
    run -0 intake sub
    [[ $output == *"links are not followed: "*"'opt04_shared_memory'"* ]]
    holds_step5
}

@test "intake: a directory of nothing but links holds no step" {
    mkdir sub
    ln -s "$root/labs" sub/labs
    ln -s "$root" sub/lab.zip
    run -1 intake sub
    [[ ${lines[-1]} == *"is refused: no step file in it"* ]]
    [ -z "$(find "$copy" -mindepth 1)" ]
}

# ---- nothing in it -------------------------------------------------------------------------------

@test "intake: empty submissions and those without a step are told apart" {
    mkdir empty
    : >zero.zip
    tar -czf empty.tgz -T /dev/null
    printf 'PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >empty.zip
    for submission in empty empty.tgz empty.zip; do
        run intake "$submission"
        refused 'it is empty: no file in it'
    done
    run intake zero.zip
    refused 'the file is empty'
    mkdir notes && echo hello >notes/report.txt
    run intake notes
    refused 'no step file in it: one is called like opt01_single_thread/opt_2dhisto.cu'
}

@test "intake: what is no archive, and archives of other kinds, are named" {
    echo 'My homework' >a.zip
    run intake a.zip
    refused 'neither a directory nor a .tar.gz, .tgz or .zip'
    printf '7z\xbc\xaf\x27\x1c rest' >a.7z
    run intake a.7z
    refused 'a 7-Zip archive: pack it as .tar.gz or .zip'
    printf 'Rar!\x1a\x07\x01 rest' >a.zip
    run intake a.zip
    refused 'a RAR archive'
    mkfifo pipe.zip
    run intake pipe.zip
    refused 'neither a directory nor'
    gzip -c "$step5" >one.tgz
    run intake one.tgz
    refused 'cut short or corrupt'
}

@test "intake: a submission that may not be read says so" {
    ((EUID)) || skip "root may read everything"
    honest sub
    tar -czf a.tgz sub
    chmod 000 a.tgz
    run intake a.tgz
    refused 'cannot be read: permission denied'
}

# ---- out for harm --------------------------------------------------------------------------------

@test "intake: every hostile archive is refused, and leaves nothing behind" {
    declare -A reasons=(
        [absolute]='an absolute path' [dots]="a path with '..'" [backslash]="a path with '..'" [link]='a link'
        [hard-link]='a link' [device]='a device' [fifo]='a FIFO' [huge]='more than 256 MiB' [bomb]='more than 256 MiB'
        [zeros]='more than 256 MiB' [many]='more than 20000 files' [encrypted]='encrypted' [cut]='cut short or corrupt'
        [bad-crc]='cut short or corrupt' [lying-size]='cut short or corrupt' [long-header]='')
    export TMPDIR=$work/tmp
    mkdir tmp
    kinds=$("$root/tests/class/hostile-archive" --list)
    [ "$(wc -l <<<"$kinds")" -ge 20 ]
    for kind in $kinds; do
        "$root/tests/class/hostile-archive" "$kind" "$step5" "$kind.${kind%%-*}"
        echo "$kind"
        run intake "$kind.${kind%%-*}"
        refused "${reasons[${kind#*-}]}"
        [ ! -e /tmp/histolab-escaped ]
        [ "$(find parent tmp | sort | tr '\n' ' ')" = "parent parent/copy tmp " ]
    done
}

@test "intake: a file that was cut short on its way, at any place" {
    honest sub
    bsdtar -acf a.zip sub
    tar -czf a.tgz sub
    for archive in a.zip a.tgz; do
        size=$(stat -c %s $archive)
        for at in 10 100 $((size / 2)) $((size - 30)) $((size - 9)); do
            head -c "$at" "$archive" >"cut-$archive"
            run intake "cut-$archive"
            refused 'is cut short or corrupt'
        done
    done
}

@test "intake: an archive within is held to the same limits, and they are shared" {
    mkdir sub
    "$root/tests/class/hostile-archive" zip-dots "$step5" sub/lab.zip
    run -1 intake sub
    [[ ${lines[-1]} == *"is refused: the archive 'lab.zip' in it: it holds a path with '..'"* ]]
    [ -z "$(find "$copy" -mindepth 1)" ]
    # 100 MiB each: two may pass, three may not.
    head -c 104857600 /dev/zero >zeros
    for i in 1 2 3; do tar -czf "sub/$i.tgz" zeros "$step5" 2>/dev/null; done
    rm sub/lab.zip
    run -1 intake sub
    [[ ${lines[-1]} == *"unpacks to more than 256 MiB" ]]
    [ -z "$(find "$copy" -mindepth 1)" ]
}

@test "intake: names that end a line or begin an escape sequence are shown harmlessly" {
    mkdir -p $'sub/\e[31mred\nintake: forged'
    cp "$step5" $'sub/\e[31mred\nintake: forged'
    tar -czf a.tgz sub
    for submission in sub a.tgz; do
        run -1 intake "$submission"
        [[ $output != *$'\e'* ]]
        [ "${#lines[@]}" -eq 2 ]
        [[ ${lines[0]} == "intake: no step of this lab: "* && ${lines[1]} == "intake: '"*"' is refused: "* ]]
    done
}

@test "intake: without bsdtar a .zip is no fault of the student's, and a .tar.gz needs no more than tar and gzip" {
    honest sub
    bsdtar -acf a.zip sub
    tar -czf a.tgz sub
    mkdir bin
    for tool in bash dirname head od tr tail grep rm mkdir mv find sort cut stat sed cat cmp tar gzip chmod iconv; do
        ln -s "$(command -v $tool)" bin
    done
    ln -s "$(command -v mawk || command -v awk)" bin/awk
    PATH=$work/bin run -3 intake a.zip
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"bsdtar, which is missing: make deps-all"* ]]
    PATH=$work/bin run -0 intake a.tgz
    [ -z "$output" ]
    holds_step5
}

# ---- use -----------------------------------------------------------------------------------------

@test "intake: what was in the clean copy before is gone" {
    honest sub
    mkdir -p "$copy/labs/opt04_shared_memory" "$copy/.intake/outer"
    touch "$copy/labs/opt04_shared_memory/opt_2dhisto.cu"
    run -0 intake sub
    holds_step5
}

@test "intake: never writes into a tree of the lab" {
    honest sub
    cp -r "$root/labs" .
    run -2 "$root/class/intake" sub .
    [ "${#lines[@]}" -eq 1 ]
    [ -e labs/opt04_shared_memory/opt_2dhisto.cu ]
}

@test "intake: wrong usage is told in one line" {
    for arguments in '' 'one' 'a b c' 'missing copy'; do
        # shellcheck disable=SC2086
        run -2 "$root/class/intake" $arguments
        [ "${#lines[@]}" -eq 1 ]
    done
    run -3 "$root/class/intake" "$work" /proc/nowhere
    [ "${#lines[@]}" -eq 1 ]
    run -0 "$root/class/intake" --help
    [[ $output == *"Usage: class/intake SUBMISSION DIRECTORY"* ]]
}
