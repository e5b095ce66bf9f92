#!/usr/bin/env bats
# class/intake: every oddity that an LMS or a student's computer adds to a submission, and every kind of
# hostile archive.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

setup() {
    as=()
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    work=$BATS_TEST_TMPDIR
    step5=$root/labs/opt05_multiblock/opt_2dhisto.cu
    copy=$work/parent/copy
    cd "$work" || return
}

# intake SUBMISSION: what it said ends up in $output. Little processor time must do for any submission.
intake() {
    (ulimit -t 20 && "${as[@]}" "$root/class/intake" "$1" "$copy")
}

# From here on intake may read no more than what is permitted: root could read everything.
as_permitted() {
    ((EUID)) || as=(setpriv "--bounding-set=-dac_override,-dac_read_search")
    "${as[@]}" true || skip "root cannot do without its rights here"
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
    [ "$status" -eq 1 ] && [ "${#lines[@]}" -eq 1 ] && [[ $output == "intake: refused: "*$1* ]] &&
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
        holds opt05_multiblock/opt_2dhisto.cu byte01_global_atomics/{opt_bytehisto.cu,step.md}
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
    steps=(opt0{1_single_thread,2_one_block,3_strided_access,4_shared_memory,5_multiblock,6_builtin_min,7_check_before_add,8_unroll4})
    folders=('Lab 3 (final) [v2]' 'Übung/日本' $'new\nline' '-x' 'a/b/c/d/e/f/labs' '*' 'back\slash' $'end\n')
    for i in "${!steps[@]}"; do
        mkdir -p "sub/${folders[i]}/${steps[i]}"
        echo "// of ${folders[i]@Q}" >"sub/${folders[i]}/${steps[i]}/opt_2dhisto.cu"
    done
    bsdtar -acf a.zip sub
    tar -czf a.tgz sub
    for submission in sub a.zip a.tgz; do
        run -0 intake "$submission"
        [ -z "$output" ]
        holds "${steps[@]/%//opt_2dhisto.cu}"
        for i in "${!steps[@]}"; do cmp "sub/${folders[i]}/${steps[i]}/opt_2dhisto.cu" "$copy/labs/${steps[i]}/opt_2dhisto.cu"; done
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
    [[ $output == *"not graded: 'deeper/doejane_LATE_4711_lab-1.zip/Jane Doe_4711_assignsubmission_file_/lab 3.tgz'"*"no step file in it"* ]]
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
    for submission in a.zip sub; do
        run -0 intake "$submission"
        [[ ${#lines[@]} -eq 1 && $output == *"not graded: "*opt05_multiblock/lab.h* && $output == *opt05_multiblock/other.c* ]]
        holds_step5
    done
}

@test "intake: a file that is no step's is named" {
    honest sub
    mkdir sub/opt5 sub/opt04_shared_memory
    echo 'int x;' | tee sub/opt5/opt_2dhisto.cu >sub/opt04_shared_memory/opt_sum.cu
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
    mkdir -p sub/{opt01_single_thread,opt02_one_block,opt03_strided_access}
    printf 'int a; // ü\n\nint b;' >plain
    sed 's/$/\r/' plain | head -c -1 >sub/opt01_single_thread/opt_2dhisto.cu
    tr '\n' '\r' <plain >sub/opt02_one_block/opt_2dhisto.cu
    (printf '\xef\xbb\xbf' && cat plain) >sub/opt03_strided_access/opt_2dhisto.cu
    run -0 intake sub
    [ -z "$output" ]
    for file in "$copy"/labs/*/opt_2dhisto.cu; do cmp "$file" plain; done
    [ "$(find "$copy" -name '*.cu' | wc -l)" -eq 3 ]
}

@test "intake: what is no text is taken byte by byte, an empty file too" {
    honest sub
    mkdir sub/opt04_shared_memory
    printf '\xff\xfe\x00' >sub/opt05_multiblock/opt_2dhisto.cu
    : >sub/opt04_shared_memory/opt_2dhisto.cu
    run -0 intake sub
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
    as_permitted
    chmod 000 sub/opt05_multiblock/opt_2dhisto.cu
    run -1 intake sub
    [[ ${lines[0]} == *"is left out: it cannot be read" ]]
    chmod 600 sub/opt05_multiblock
    run -1 intake sub
    [[ ${lines[-1]} == *"no step file in it that may be read"* ]]
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

# ---- loose files, journals -----------------------------------------------------------------------

# The starter of a step, as students get it.
starter() {
    "$root/build/grades" starter "$root/labs/$1/step.md" "$root/labs/$1"/*.cu
}

@test "intake: a loose .cu is known by its name, by its folder, and else by the text that a starter begins with" {
    while IFS='|' read -r step name; do
        mkdir -p "sub/$(dirname "$name")"
        echo "// $step" >"sub/$name"
    done <<<'opt04_shared_memory|opt04.cu
opt05_multiblock|OPT05.CU
opt06_builtin_min|opt06_builtin_min.cu
opt07_check_before_add|opt07_check_before_add-2.cu
opt08_unroll4|my opt08 (final) (1).cu
opt09_unroll12|opt09/opt_2dhisto-3.cu
opt10_partials|Lab opt10/deep/opt_2dhisto (2).cu'
    run -0 intake sub
    [ "$(sed -E "s/^intake: note: '.*' is taken as ([a-z0-9_]*), by its name$/\1/" <<<"$output" | sort)" = "$(ls "$copy/labs")" ]
    steps=("$copy"/labs/*)
    [ "${#steps[@]}" -eq 7 ]
    for step in "${steps[@]}"; do grep -qx "// ${step##*/}" "$step/opt_2dhisto.cu"; done
    cp "$step5" opt05.cu
    run -0 intake opt05.cu # a submission of one file
    holds_step5
    rm -r sub && mkdir sub
    for step in opt05_multiblock sum03_shared_memory byte01_global_atomics; do starter "$step" >"sub/${step%%[0-9]*} solution.cu"; done
    run -0 intake sub
    [ "$(sort <<<"$output")" = "intake: note: 'byte solution.cu' is taken as byte01_global_atomics, by its text
intake: note: 'opt solution.cu' is taken as opt05_multiblock, by its text
intake: note: 'sum solution.cu' is taken as sum03_shared_memory, by its text" ]
    for file in sub/*solution.cu; do sed -i '1d; s/$/\r/' "$file"; done # then the task tells
    run -0 intake sub
    [ "$(grep -c ' is taken as .*, by its text' <<<"$output")" -eq 3 ]
}

@test "intake: a loose .cu that may be several steps, or none, is named, and left out" {
    mkdir sub
    cp "$step5" sub/opt05.cu
    cp "$step5" 'sub/opt06 from opt04.cu'
    echo '// mine' >sub/kernel.cu
    { starter opt04_shared_memory; starter opt06_builtin_min; } >sub/opt_2dhisto.cu
    run -0 intake sub
    holds_step5
    [[ $output == *"'opt06 from opt04.cu' may be 'opt04_shared_memory', 'opt06_builtin_min', and is left out"* ]]
    [[ $output == *"'opt_2dhisto.cu' may be 'opt04_shared_memory', 'opt06_builtin_min', and is left out"* ]]
    [[ $output == *"no step of this lab: 'kernel.cu'" ]]
}

@test "intake: where an assignment has one step, a loose file called after its function is that" {
    mkdir -p sub
    printf 'int mine;\n' >sub/opt_2dhisto.cu
    run -1 "$root/class/intake" sub out
    run -0 "$root/class/intake" --steps opt04_shared_memory sub out
    [[ $output == *"'opt_2dhisto.cu' is taken as opt04_shared_memory, by its assignment" ]]
    grep -q mine out/labs/opt04_shared_memory/opt_2dhisto.cu
}

@test "intake: of several loose files for a step the newest counts; another one that may be it is named" {
    mkdir sub
    echo '// old' >sub/opt05.cu
    cp "$step5" sub/opt05-1.cu
    touch -d 2026-01-01 sub/opt05.cu
    run -0 intake sub
    holds_step5
    [ "$(grep -vc '^intake: note: ' <<<"$output")" -eq 0 ]
    [[ $output == *"note: 'opt05.cu' looks like opt05_multiblock, too, and is left out" ]]
    rm sub/*
    starter opt04_shared_memory >sub/opt_2dhisto.cu
    { starter opt04_shared_memory; echo '// and more, of the next step'; } >sub/opt_2dhisto-1.cu
    run -0 intake sub
    [[ $output == *"looks like opt04_shared_memory, too, and is left out" ]]
}

@test "intake: --file says which file is which step, before all else; one that is not there is named" {
    honest sub
    mkdir sub/old
    echo '// mine' | tee 'sub/old/a b.cu' >sub/opt_2dhisto.cu
    run -0 "$root/class/intake" --file opt05_multiblock 'old/a b.cu' --file opt02_one_block opt_2dhisto.cu --file opt03_strided_access x.cu sub "$copy"
    holds opt05_multiblock/opt_2dhisto.cu opt02_one_block/opt_2dhisto.cu
    grep -qx '// mine' "$copy/labs/opt05_multiblock/opt_2dhisto.cu"
    [[ $output == *"note: 'old/a b.cu' is taken as opt05_multiblock, as the assignment says"*"there is no 'x.cu' in it, which the assignment says is opt03_strided_access"* ]]
    [[ $output != *'no step of this lab'* ]]
    run -2 "$root/class/intake" --file opt99 x sub "$copy"
}

@test "intake: a step's file in its place counts before loose ones" {
    honest sub/a/b
    echo '// loose' >sub/opt05.cu
    run -0 intake sub
    holds_step5
    [[ $output == "intake: 'opt05.cu' looks like opt05_multiblock, too, and is left out" ]]
}

@test "intake: files that were handed in one by one: an archive beside a loose file gives the steps that are missing" {
    honest lab
    mkdir lab/opt06_builtin_min sub
    echo '// six' >lab/opt06_builtin_min/opt_2dhisto.cu
    bsdtar --format zip -cf sub/lab.zip lab
    echo '// five' >sub/opt05.cu
    run -0 intake sub # as before: an archive beside step files stays closed
    holds opt05_multiblock/opt_2dhisto.cu
    run -0 "$root/class/intake" --uploads sub "$copy"
    holds opt05_multiblock/opt_2dhisto.cu opt06_builtin_min/opt_2dhisto.cu
    [ "$(<"$copy/labs/opt05_multiblock/opt_2dhisto.cu")" = '// five' ]
    [ "$(grep -v '^intake: note: ' <<<"$output")" = "intake: opt05_multiblock: 'opt05.cu' is taken; others that are deeper, older or later by name are not: 1" ]
}

@test "intake: of files handed in one by one, which counts is somebody's to look at where neither time nor the assignment tells" {
    mkdir sub
    for name in lab lab_final; do
        mkdir opt05_multiblock && echo "// $name" >opt05_multiblock/opt_2dhisto.cu
        touch -d 2026-01-01 opt05_multiblock/*.cu
        bsdtar --format zip -cf "sub/$name.zip" opt05_multiblock && rm -r opt05_multiblock
    done
    run -0 "$root/class/intake" --uploads sub "$copy"
    [[ $output == *"intake: opt05_multiblock: 'lab.zip/opt05_multiblock/opt_2dhisto.cu' is taken; others"* ]]
    run -0 "$root/class/intake" --uploads --file opt05_multiblock lab_final.zip/opt05_multiblock/opt_2dhisto.cu sub "$copy"
    run ! grep -v '^intake: note: ' <<<"$output"
    grep -qx '// lab_final' "$copy/labs/opt05_multiblock/opt_2dhisto.cu"
    rm sub/*
    echo '// one' >sub/opt05.cu && echo '// two' >sub/opt05_new.cu && touch -d 2026-01-01 sub/*
    run -0 "$root/class/intake" --uploads sub "$copy"
    [[ $output == *"intake: 'opt05_new.cu' looks like opt05_multiblock, too, and is left out" ]]
    touch sub/opt05_new.cu
    run -0 "$root/class/intake" --uploads sub "$copy"
    [[ $output == *"intake: note: 'opt05.cu' looks like opt05_multiblock, too, and is left out" ]]
}

@test "intake: all of the handout, in whatever folder, is worth no word; what a student added to it is" {
    honest 'my lab/histolab/labs'
    cd 'my lab/histolab'
    mkdir -p common/hints .git && cp -r "$root"/{Makefile,README.md,guides} . && cp -r "$root/common/baselines" common
    echo x | tee common/handed-out common/hints/opt05 .git/config assignment.md >assignment.html
    cd ../..
    bsdtar --format zip -cf a.zip 'my lab'
    for submission in 'my lab' a.zip; do
        run -0 intake "$submission"
        [ -z "$output" ]
        holds_step5
    done
    echo x | tee 'my lab/histolab/common/mine.h' >'my lab/histolab/common/mine.cu'
    run -0 intake 'my lab'
    [ "$output" = $'intake: no step of this lab: \'histolab/common/mine.cu\'\nintake: not graded: \'histolab/common/mine.h\'' ]
}

@test "intake: a journal goes with its step: beside it, loose by name or by text, from archives; not without it, not a large one" {
    honest sub
    printf 'title: T\r\n## Goal\n' >sub/opt05_multiblock/step.md
    tar -czf a.tgz sub
    bsdtar --format zip -cf a.zip sub
    for submission in sub a.tgz a.zip; do
        run -0 intake "$submission"
        [ -z "$output" ]
        holds opt05_multiblock/{opt_2dhisto.cu,step.md}
        [ "$(head -n 1 "$copy/labs/opt05_multiblock/step.md")" = 'title: T' ]
    done
    rm -r sub && mkdir -p sub/opt06_builtin_min
    cp "$step5" sub/opt05.cu
    echo x | tee sub/opt06_builtin_min/step.md >sub/README.md
    for name in 'opt05 step.md' 'step.md' 'step-2.md'; do
        (cat "$root/labs/opt05_multiblock/step.md" && echo mine) >"sub/$name"
        run -0 intake sub
        holds opt05_multiblock/{opt_2dhisto.cu,step.md}
        [ "$(tail -n 1 "$copy/labs/opt05_multiblock/step.md")" = mine ]
        rm "sub/$name"
    done
    head -c 70000 /dev/zero | tr '\0' a >'sub/opt05 step.md'
    run -0 intake sub
    holds opt05_multiblock/opt_2dhisto.cu
    [[ $output == *"left out: it is larger than 64 KiB" ]]
    rm sub/*.md && ln -s /etc/passwd sub/step.md
    honest sub && ln -s /etc/passwd sub/opt05_multiblock/step.md
    run -0 intake sub
    holds opt05_multiblock/opt_2dhisto.cu
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

@test "intake: a file that becomes a link once it has been found, or lies below a folder that does, is not read" {
    # In place of the student who waits for that moment: what lists the files, and then swaps them.
    mkdir bin secret
    cp "$root/labs/opt04_shared_memory/opt_2dhisto.cu" secret/opt_2dhisto.cu && echo secret >secret/step.md
    printf '#!/bin/bash\n%q "$@"\nstatus=$?\nswap >&2\nexit $status\n' "$(command -v find)" >bin/find
    chmod +x bin/find
    swap() { # each kind, once
        cd "$handed_in" || return
        rm -rf opt01_* opt03_*/opt_2dhisto.cu opt04.cu lab.zip opt05_*/step.md
        ln -sfn ../secret opt01_single_thread
        ln -s ../../secret/opt_2dhisto.cu opt03_strided_access/opt_2dhisto.cu
        ln -s ../secret/opt_2dhisto.cu opt04.cu
        ln -s ../../secret/step.md opt05_multiblock/step.md
        mkfifo lab.zip
    }
    export -f swap && export handed_in=$work/sub
    honest sub
    for step in opt01_single_thread opt03_strided_access; do mkdir "sub/$step" && cp "$step5" "sub/$step/opt_2dhisto.cu"; done
    cp "$step5" sub/opt04.cu && echo journal >sub/opt05_multiblock/step.md && echo zip >sub/lab.zip
    PATH=$work/bin:$PATH run -0 intake sub
    [[ $output == *"'opt01_single_thread/opt_2dhisto.cu' is left out: it is no file, or a link leads to it"* ]]
    [[ $output == *"'opt03_strided_access/opt_2dhisto.cu' is left out: it is no file, or a link leads to it"* ]]
    holds_step5
    run ! grep -rq secret "$copy"
}

@test "intake: a submission that is a link is refused: whoever may write beside the others could name anything" {
    honest sub
    tar -czf a.tgz sub
    ln -s sub linked && ln -s a.tgz linked.tgz && ln -s nowhere dangling
    for name in linked linked/ linked.tgz dangling; do
        run -1 intake "$name"
        [[ $output == *"refused: it is a link: name what it leads to" ]]
    done
    mkdir deeper && cd deeper
    run -0 "$root/class/intake" ../sub/../sub "$copy"
    run -0 "$root/class/intake" .. "$copy"
}

@test "intake: what reads a stranger's files: files only, below their folder, no larger than allowed, and whole" {
    fetch() { printf '%s\0' fetch "$@" | "$root/build/grades" fetch; }
    no_file='it is no file, or a link leads to it'
    honest sub && mkfifo sub/pipe && ln -s /etc/passwd sub/link && ln -s opt05_multiblock sub/folder && mkdir sub/empty && head -c 100000 /dev/zero >sub/large
    [ -z "$(fetch sub opt05_multiblock/opt_2dhisto.cu 100000 copied)" ]
    cmp copied "$step5"
    for path in pipe link folder/opt_2dhisto.cu empty nowhere large/x opt05_multiblock/../large ../a.tgz; do [ "$(fetch sub "$path" 100000 other)" = "$no_file" ]; done
    [ "$(fetch sub large 99999 other)" = 'it is larger than 97 KiB' ]
    [ "$(fetch sub large 2 '')" = 'it is larger than 2 bytes' ]
    [ -z "$(fetch sub large 100000 other)" ]
    [ "$(fetch sub large 100000 other)" = '!cannot write other: File exists' ]
    rm other
    [ "$(ulimit -f 50; trap '' XFSZ; fetch sub large 100000 other)" = '!cannot write other: File too large' ]
    [ ! -e other ]
    # Several, of one process; what is no request, and what ends in the middle.
    printf '%s\0' fetch sub opt05_multiblock/opt_2dhisto.cu 100000 '' same "$step5" '' '' '' put clean/copied '' '' '' remove sub '' '' '' fetch sub >asked
    [ "$("$root/build/grades" fetch <asked)" = $'\nyes\n\n!there is no such request' ]
    cmp clean/copied "$step5"
    [ "$(printf '%s\0' same "$root/README.md" '' '' '' | "$root/build/grades" fetch)" = no ]
    run -2 "$root/build/grades" fetch sub large
}

@test "intake: a directory of nothing but links holds no step" {
    mkdir sub
    ln -s "$root/labs" sub/labs
    ln -s "$root" sub/lab.zip
    run -1 intake sub
    [[ ${lines[-1]} == *"refused: no step file in it"* ]]
    [ -z "$(find "$copy" -mindepth 1)" ]
}

# ---- nothing in it -------------------------------------------------------------------------------

@test "intake: empty submissions and those without a step are told apart" {
    mkdir empty
    tar -czf empty.tgz -T /dev/null
    printf 'PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >empty.zip
    for submission in empty empty.tgz empty.zip; do
        run intake "$submission"
        refused 'it is empty: no file in it'
    done
    for submission in zero.zip opt05.cu; do
        : >"$submission"
        run intake "$submission"
        refused 'the file is empty'
    done
    mkdir notes && echo hello >notes/report.txt
    run -1 intake notes
    [ "$output" = $'intake: not graded: \'report.txt\'\nintake: refused: no step file in it: one is called like opt01_single_thread/opt_2dhisto.cu' ]
    rm notes/*
    for steps in sum03_shared_memory 'sum03_shared_memory opt02_one_block'; do
        mkdir -p notes/x && : >notes/x/y.cu
        run -1 "$root/class/intake" --steps "$steps" notes "$copy"
        [[ ${lines[-1]} == 'intake: refused: no step file in it: one is called like sum03_shared_memory/opt_sum.cu' ]]
    done
}

@test "intake: what is no archive, and archives of other kinds, are named" {
    echo 'My homework' >a.zip
    run intake a.zip
    refused "neither a directory nor a .tar.gz, .tgz or .zip, whatever its name says: it begins with 'My homework'"
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
    as_permitted
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
        [zeros]='more than 256 MiB' [many]='more than 20000 files' [names]='more than 4 MiB of names' [encrypted]='encrypted' [cut]='cut short or corrupt'
        [bad-crc]='cut short or corrupt' [no-space]='cut short or corrupt' [lying-size]='cut short or corrupt' [long-header]='')
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
            # the end of a .zip is a list of its files, and these are whole
            [[ $archive == a.tgz || $at -lt $((size - 30)) ]] || continue
            head -c "$at" "$archive" >"cut-$archive"
            run intake "cut-$archive"
            refused 'is cut short or corrupt'
        done
    done
}

@test "intake: a full disk, of whatever size, is no fault of the student's" {
    unshare --mount mount -t tmpfs none /mnt 2>/dev/null || skip "mounts are not allowed here"
    mkdir -p sub/opt05_multiblock
    head -c 250000 /dev/urandom >sub/opt05_multiblock/opt_2dhisto.cu
    tar -czf a.tgz sub
    bsdtar -acf a.zip sub
    for kib in 20 200 280 400; do
        for submission in a.tgz a.zip sub; do
            ((kib < 280)) || [[ $submission != sub ]] || continue # it has room
            run -3 unshare --mount bash -c 'mount -t tmpfs -o "size=$1k" none /mnt && exec "$2/class/intake" "$3" /mnt/copy' - "$kib" "$root" "$submission"
            [[ ${lines[-1]} == "intake: "*@("No space left"*|"no space left"*|"cannot write to /mnt/copy") ]] || { echo "$kib $submission: $output"; return 1; }
        done
    done
}

@test "intake: a name that no file can have leaves out that file, and the rest of the archive is taken" {
    for i in 1 2 3 4 5 6; do cp "$step5" "$i"; done
    long=$(printf 'n%.0s' {1..300}) deep=$(printf 'e/%.0s' {1..2500})
    for form in zip gnutar; do
        bsdtar --format "$form" -cf "a.$form" -s "|^1\$|opt05_multiblock/opt_2dhisto.cu|" -s "|^2\$|a/$long.cu|" -s "|^3\$|ü$long/opt_2dhisto.cu|" \
            -s "|^4\$|${deep}f.cu|" -s '|^5$|q.cu|' -s '|^6$|q.cu/z.cu|' 1 2 3 4 5 6
    done
    gzip -c a.gnutar >a.tgz
    for submission in a.zip a.tgz; do
        run -0 intake "$submission"
        [[ ${lines[0]} == "intake: left out, since a name is too long, or a file's and a folder's at once: 'a/nnn"* ]]
        [[ $output != *"cut short"* ]]
        holds_step5
        head -c $(($(stat -c %s "$submission") / 2)) "$submission" >"cut-$submission"
        run -1 intake "cut-$submission"
        [[ ${lines[-1]} == *"refused: it is cut short or corrupt" ]]
    done
    printf 'x' >x.cu && bsdtar --format zip -cf b.zip -s "/^x/$(printf 'n%.0s' {1..300})/" x.cu
    run -1 intake b.zip
    [[ ${lines[-1]} == *"refused: no step file in it"* ]]
}

@test "intake: an archive within is held to the same limits, and they are shared" {
    mkdir sub
    "$root/tests/class/hostile-archive" zip-dots "$step5" sub/lab.zip
    run -1 intake sub
    [[ ${lines[-1]} == *"refused: the archive 'lab.zip' in it: it holds a path with '..'"* ]]
    [ -z "$(find "$copy" -mindepth 1)" ]
    # 100 MiB each: two may pass, three may not.
    head -c 104857600 /dev/zero >zeros
    tar -c -I 'gzip -1' -f sub/1.tgz zeros "$step5" 2>/dev/null
    for i in 2 3; do cp sub/1.tgz "sub/$i.tgz"; done
    rm sub/lab.zip
    run -1 intake sub
    [[ ${lines[-1]} == *"unpacks to more than 256 MiB" ]]
    [ -z "$(find "$copy" -mindepth 1)" ]
}

@test "intake: names that end a line or begin an escape sequence are shown harmlessly" {
    mkdir -p $'sub/\e[31mred\nintake: forged'
    echo 'int x;' >$'sub/\e[31mred\nintake: forged/opt_2dhisto.cu'
    tar -czf a.tgz sub
    for submission in sub a.tgz; do
        run -1 intake "$submission"
        [[ $output != *$'\e'* ]]
        [ "${#lines[@]}" -eq 2 ]
        [[ ${lines[0]} == "intake: no step of this lab: "* && ${lines[1]} == "intake: refused: "* ]]
    done
}

@test "intake: a .zip needs no more than bsdtar; without it that is no fault of the student's, and a .tar.gz needs only tar and gzip" {
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
    [[ $output == *"a .zip needs bsdtar"* ]]
    PATH=$work/bin run -0 intake a.tgz
    [ -z "$output" ]
    holds_step5
    ln -s "$(command -v bsdtar)" bin
    PATH=$work/bin run -0 intake a.zip
    [ -z "$output" ]
    holds_step5
}

@test "intake: a .zip by other methods, without sizes in its local headers" {
    honest sub
    (cd sub && bsdtar --format zip --options zip:compression=store -cf ../store.zip .)
    bsdtar --format zip -cf - sub >stream.zip # sizes follow the content
    for submission in store.zip stream.zip; do
        run -0 intake "$submission"
        holds_step5
    done
    perl -e 'local $/; $_ = <>; s/(PK\x03\x04.{4})\x08\x00/$1\x06\x00/s && s/(PK\x01\x02.{6})\x08\x00/$1\x06\x00/s or die; print' stream.zip >imploded.zip
    run intake imploded.zip
    refused 'it is compressed by a method that is not read here: pack it as .tar.gz, or as a .zip by Deflate'
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

@test "intake: as many programs for ten steps, or fifty loose files, as for one" {
    mkdir bin one ten loose
    for tool in bash rm mkdir find sort mv; do
        printf '#!/bin/bash\necho %s >>%q\nexec %q "$@"\n' $tool "$work/started" "$(command -v $tool)" >bin/$tool
    done
    chmod +x bin/*
    cp -r "$root"/labs/opt01_* one
    cp -r "$root"/labs/opt0* "$root"/labs/opt10_* ten
    for i in {1..50}; do echo "// $i" >"loose/$i.cu"; done
    cp "$step5" loose/opt05.cu
    for submission in one ten loose; do
        mkdir -p "$copy/labs"
        : >started
        PATH=$work/bin run -0 intake $submission
        [ "$(sort started | uniq -c | tr -s ' \n' ' ')" = ' 1 bash 1 find 1 mkdir 1 mv 2 rm 1 sort ' ]
    done
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
    [[ $output == *"Usage: class/intake [--uploads] [--steps 'STEP...'] [--file STEP PATH]... SUBMISSION DIRECTORY"* ]]
}
