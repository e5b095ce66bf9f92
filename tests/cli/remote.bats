#!/usr/bin/env bats
# A student's step on the course's GPU: desk/remote and class/remote. In place of ssh a stand-in starts the host's side; in most tests
# another one stands in for class/remote/grade. The host's spool folder, queue and limits are real.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

load tree

# A student's tree without class/, and a host's tree whose grader is the stand-in.
setup_file() {
    local source_tree=$BATS_TEST_DIRNAME/../..
    export desk=$BATS_FILE_TMPDIR/desk served=$BATS_FILE_TMPDIR/host step=opt05_multiblock DEVICE=cpu
    mkdir -p "$desk/labs" "$served/labs"
    cp -a "$source_tree"/{Makefile,grade.sh,common,emulator,desk,report} "$desk"
    cp -a "$source_tree"/{Makefile,common,emulator,desk,class,report} "$served"
    cp -a "$source_tree/labs/$step" "$desk/labs"
    copy_built "$desk"
    cp -a "$source_tree"/labs/opt0[45]_* "$served/labs"
    mkdir -p "$served/build" && cp "$source_tree/build/grades" "$served/build"
    grader >"$served/class/remote/grade"
}

# Writes down who runs, and waits for the file go-USER where there is a file `hold`.
grader() {
    cat <<'END'
#!/usr/bin/env bash
spool=$1 entry=$2 slot=$3
cp "$spool/queue/$entry"/*.cu "$spool/got" # what was sent
stat -c %a "$spool/queue/$entry"/*.cu >"$spool/mode"
echo "$entry $slot" >>"$spool/began"
exec {never}<> <(:)
while [[ -e $spool/hold && ! -e $spool/go-${entry#*-} ]]; do read -r -t 0.05 -u "$never"; done
[[ ! -e $spool/broken ]] || { echo "no GPU in /srv/secret" >&2; exit 3; }
echo '2026-11-22 08:00 UTC' >"$spool/queue/$entry/measured"
echo "a line of the log, $spool/queue/x/secret.cu, seed 8064339195373636415" >"$spool/queue/$entry/log"
cat "$spool/../record" >"$spool/queue/$entry/record"
END
}

setup() {
    cd "$desk" || return
    unset NO_COLOR SUDO_USER
    export spool=$BATS_TEST_TMPDIR/spool
    mkdir "$spool"
    rm -rf results
    echo 'device cpu' >"$spool/settings"
    printf '#!%s\necho "$*" >>"$spool/ssh"\nexec "$served"/class/remote/serve --spool "$spool" "${WHO-alice}"\n' "$(command -v bash)" >"$BATS_TEST_TMPDIR/ssh"
    chmod +x "$BATS_TEST_TMPDIR/ssh"
    export SSH=$BATS_TEST_TMPDIR/ssh
    {
        printf '{"submission":"","step":"%s","kind":"step","problem":"opt_2dhisto","input":"walk","rows":4096,"columns":3984,' "$step"
        printf '"verdict":"pass","intended":"pass","detail":"see %s/queue/x/opt_2dhisto.cu","diagnosis":null,' "$spool"
        printf '"device":{"kind":"gpu","name":"NVIDIA Made Up 1"},"iterations":1000,"calls":1000,"scaled":false,"median_s":0.03,'
        printf '"ci95_s":[0.0299,0.0301],"reference_s":20,"bytes":65273856,"gbps":2000,"roof_gbps":4000,"roof_fraction":0.5,"speedup":666,'
        printf '"notes":"","seed":"8064339195373636415","when":"2026-11-22T09:30:15Z"}\n'
    } >"$BATS_TEST_TMPDIR/record"
}

teardown() {
    rm -f "$spool/hold"
    wait
}

request() {
    printf 'histolab 1\nstep %s\nbytes 6\nsource' "$step"
}

# serve USER: the host's side by itself. A test that fails does not wait for ever.
serve() {
    timeout 60 "$served/class/remote/serve" --spool "$spool" "$1"
}

# begin USER: in the background; its answer goes to answer-USER. Returns when it has a place or runs.
begin() {
    request | serve "$1" >"$spool/answer-$1" &
    until_there "$spool/answer-$1" 'place|running'
    [[ $(<"$spool/answer-$1") == *place* ]] || until_there "$spool/began" "-$1 "
}

# until_there FILE PATTERN
until_there() {
    local turn never
    exec {never}<> <(:)
    for ((turn = 0; turn < 600; turn++)); do
        ! grep -qE -- "$2" "$1" 2>/dev/null || return 0
        read -r -t 0.05 -u "$never" || true
    done
    echo "$2 never came to $1: $(cat "$1")"
    return 1
}

first_on_path() { PATH=$1:$PATH; }

waiting() { ls "$spool/queue"; }

# refused WORDS REQUEST: no entry, no file is left of it.
refused() {
    run -1 serve alice < <(printf '%b' "$2")
    [[ $output == "refused - "*"$1"* && ${#lines[@]} -eq 1 ]] || { echo "$2: $output"; return 1; }
    [[ -z $(waiting) && ! -e $spool/began && -z $(find "$spool" -name 'request*') ]]
}

# ---- the student's side ---------------------------------------------------------------------------

@test "make remote-opt05: the page of make opt05 with the GPU's time; the host is typed once, and the record is kept" {
    run -0 make remote-opt05 HOST=me@gpu.example.org
    [[ ${lines[0]} == "opt05_multiblock: Multiple blocks" && ${lines[1]} == *"pass: right in every output"* ]]
    [[ $output == *"30.00 us a call"*"50.0 % of the roof"* ]]
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"on the NVIDIA Made Up 1 of me@gpu.example.org, its roof and CPU thread as measured on 2026-11-22 08:00 UTC"* ]]
    cmp "$spool/got" "labs/$step/opt_2dhisto.cu"
    [[ $(<"$spool/ssh") == "-T -- me@gpu.example.org histolab-remote" ]]
    run -0 make remote opt5
    [ "$(tail -n 1 "$spool/ssh")" = "-T -- me@gpu.example.org histolab-remote" ]
    [ "$(wc -l <results/desk/history.jsonl)" -eq 2 ]
    run -0 make ladder
    [[ $output == *"NVIDIA Made Up 1"*"opt05_multiblock"*"667x"* ]]
}

@test "neither the seed nor the host's directories come back, in the record or in the log" {
    run -0 make remote-opt05 HOST=gpu.example.org
    [[ $(<"results/desk/logs/$step.log") == "a line of the log, secret.cu, seed (seed)" ]]
    [[ $(jq -r '.seed, .detail' results/desk/results.jsonl | xargs) == "(seed) see opt_2dhisto.cu" ]]
    [ -z "$(waiting)" ]
    # Nor does a log of nothing but directories take memory: all of a class's logs pass here in one process.
    [ "$(perl -e 'print "=/a/" x 16384' | (ulimit -v 100000 && "$served/build/grades" private 1) | tr -d '\n' | tr -s =)" = "=" ]
}

@test "what the host refuses, or cannot do, and a host that is none: a line each, and the status" {
    run -2 desk/remote opt05
    [[ $output == *"HOST=gpu.example.org"* ]]
    for name in -v -oProxyCommand=true 'x;id' "$(printf 'x\ny')"; do run -2 desk/remote opt05 "$name"; done
    echo "steps opt04*" >>"$spool/settings"
    run -2 desk/remote opt05 gpu
    [ "$output" = "remote: gpu does not take it: it does not grade the step opt05_multiblock" ]
    echo "steps opt04* opt05*" >>"$spool/settings"
    : >"$spool/broken"
    run -3 desk/remote opt05 gpu
    [[ $output == "remote: gpu could not grade opt05_multiblock, through no fault of yours: "* && $output != *secret* && ${#lines[@]} -eq 1 ]]
    [[ $(<"$spool/errors") == *"no GPU in /srv/secret"*"alice"* ]]
    for command in false true no-such-ssh 'bash -c exit\ 255'; do
        SSH=$command run -3 desk/remote opt05 gpu
    done
    [ ! -e results/desk/history.jsonl ]
}

@test "what a host answers is no command to the terminal, and no other step's record" {
    printf '#!/bin/bash\nprintf "place \\e[31m1\\nmeasured \\e]0;x\\a\\nrefused - \\e[31mred\\n"\n' >"$BATS_TEST_TMPDIR/ssh"
    run -2 desk/remote opt05 gpu
    [[ $output != *$'\e'* && $output == *"red" ]]
    printf '#!/bin/bash\necho "record {\\"step\\":\\"opt04_shared_memory\\"}"; echo done 0\n' >"$BATS_TEST_TMPDIR/ssh"
    run -3 desk/remote opt05 gpu
}

# ---- the request ----------------------------------------------------------------------------------

@test "a request is a step's name and a source: anything else is refused, and nothing is left of it" {
    refused "not complete" ''
    refused "not complete" 'histolab 1'
    refused "archive" 'histolab 2\nstep opt05_multiblock\nbytes 6\nsource'
    refused "archive" "$(printf '%0300d' 0)\n"
    for name in '' .. ../labs/opt05_multiblock opt05_multiblock/ opt05 '*' '-opt05' 'opt05_multiblock x' '$(id)' 'opt05_multiblock\r'; do
        refused "step" "histolab 1\nstep $name\nbytes 6\nsource"
    done
    for bytes in '' 0 -1 6x 0x6 99999999999999999999 1048577 '6 6' 'a[$(id>&2)]'; do
        refused "source" "histolab 1\nstep opt05_multiblock\nbytes $bytes\nsource"
    done
    refused "as a whole" 'histolab 1\nstep opt05_multiblock\nbytes 7\nsource'
    # What the student typed after the host's name counts for nothing.
    SSH_ORIGINAL_COMMAND='serve bob' run -0 serve alice < <(request)
    [[ $(<"$spool/began") == "00000001-alice cpu" ]]
}

@test "only the source's bytes reach the grader, in a file for the host's eyes" {
    printf 'histolab 1\nstep opt05_multiblock\nbytes 8\na\0b\nc\xff\rd seed 1\ndevice cpu\n' | serve alice
    [ "$(od -An -tx1 "$spool/got" | xargs)" = "61 00 62 0a 63 ff 0d 64" ]
    [ "$(<"$spool/mode")" = 600 ]
    [ "$(stat -c %a "$spool/queue")" = 700 ]
}

@test "a user is the key's name; where sudo says who calls, that counts" {
    run -2 serve ../bob < <(request)
    run -2 serve 'a b' < <(request)
    SUDO_USER=carol run -0 serve bob < <(request)
    [[ $(<"$spool/began") == "00000001-carol cpu" ]]
}

# ---- the queue ------------------------------------------------------------------------------------

@test "first come, first served, one at a time; each is told its place" {
    : >"$spool/hold"
    for who in alice bob carol dave; do begin $who; done
    [[ $(<"$spool/answer-bob") == "place 1"* && $(<"$spool/answer-carol") == "place 2"* && $(<"$spool/answer-dave") == "place 3"* ]]
    [ "$(wc -l <"$spool/began")" -eq 1 ]
    : >"$spool/go-alice"
    until_there "$spool/began" bob
    until_there "$spool/answer-dave" 'place 2'
    [ "$(wc -l <"$spool/began")" -eq 2 ]
    touch "$spool"/go-{dave,carol,bob}
    wait
    [ "$(cut -d ' ' -f 1 "$spool/began" | xargs)" = "00000001-alice 00000002-bob 00000003-carol 00000004-dave" ]
    for who in alice bob carol dave; do [[ $(tail -n 1 "$spool/answer-$who") == "done 0" ]]; done
    [ -z "$(waiting)" ]
}

@test "each GPU grades one" {
    printf '%s\n' 'device gpu' 'gpus 0,3' >"$spool/settings"
    : >"$spool/hold"
    for who in alice bob carol; do begin $who; done
    [[ $(xargs <"$spool/began") == "00000001-alice 0 00000002-bob 3" ]]
    : >"$spool/go-bob"
    until_there "$spool/began" '00000003-carol 3'
}

# The process that serves a user.
process_of() {
    pgrep -o -f "^[^ ]*bash .*/serve --spool $spool $1\$"
}

@test "a step whose student is gone leaves the queue; a killed process holds nobody up" {
    : >"$spool/hold"
    begin alice
    request | serve bob | head -n 1 >"$spool/answer-bob" # its reader ends
    begin carol
    [[ $(waiting | xargs) == "00000001-alice 00000003-carol" ]]
    : >"$spool/last" # the disk was full
    begin dave
    [[ $(<"$spool/answer-dave") == "place 2"* ]]
    kill -9 "$(process_of carol)"
    until_there "$spool/answer-dave" 'place 1'
    [[ $(waiting | xargs) == "00000001-alice 00000004-dave" ]]
    # The one that runs: its grader ends with it, and the GPU is free.
    kill -9 "$(process_of alice)"
    until_there "$spool/began" dave
    rm "$spool/hold"
    wait
    touch -d yesterday "$spool/request.killed"
    request | serve bob >/dev/null
    [[ -z $(waiting) && ! -e $spool/request.killed ]]
}

# unread USER: as begin, for somebody whose side reads nothing: not one byte more goes into the pipe. He means it: as nohup does,
# he has signals ignored.
unread() {
    local full
    mkfifo "$spool/answer-$1" && exec {full}<>"$spool/answer-$1"
    dd if=/dev/zero of="$spool/answer-$1" bs=4096 oflag=nonblock 2>/dev/null || true
    request | (trap '' HUP INT TERM PIPE && exec "$served/class/remote/serve" --spool "$spool" "$1" >&"$full") &
}

@test "a step that is done gives its slot to the next, whether its answer is read or not" {
    touch "$spool/hold" "$spool/go-alice" # hers ends at once, his is held
    unread alice
    until_there "$spool/began" alice
    request | serve bob >"$spool/answer-bob" &
    bob=$!
    until_there "$spool/began" bob
    rm "$spool/hold"
    wait $bob # his last line is said before his entry leaves the queue
    [[ $(tail -n 1 "$spool/answer-bob") == "done 0" ]]
    [ "$(waiting)" = 00000001-alice ] # it still has to be read
    kill "$(process_of alice)"
    wait
    [ -z "$(waiting)" ]
}

@test "who waits without reading what is said leaves the queue, and those behind move up" {
    echo 'reading 1' >>"$spool/settings"
    : >"$spool/hold"
    begin alice
    kill -TSTP "$(process_of alice)" # as Ctrl-Z does
    unread bob
    until_there "$spool/last" '^2$'
    begin carol
    until_there "$spool/answer-carol" 'place 1'
    [[ $(waiting | xargs) == "00000001-alice 00000003-carol" ]]
    rm "$spool/hold"
    wait
    [[ $(tail -n 1 "$spool/answer-alice") == "done 0" && $(tail -n 1 "$spool/answer-carol") == "done 0" ]]
    [ -z "$(waiting)" ]
    ! pgrep -f "serve --spool $spool" || false
}

@test "a user's steps in the queue are limited, and others' are not" {
    echo 'waiting 1' >>"$spool/settings"
    : >"$spool/hold"
    begin a-alice # whose name ends like the next one's
    begin alice
    run -1 serve alice < <(request)
    [[ $output == "refused - 1 of your steps are in its queue"* ]]
    begin bob
    [[ $(<"$spool/answer-bob") == "place 2"* ]]
}

@test "a user's runs within an hour are limited: the next is possible when the oldest is an hour old" {
    echo 'runs 3' >>"$spool/settings"
    now=$EPOCHSECONDS
    printf '%s\n' "$((now - 4000)) alice $step" "$((now - 3000)) alice $step" "$((now - 900)) bob $step" "$((now - 800)) alice $step" \
        "$((now + 90000)) alice $step" >"$spool/history" # the last by a clock that was wrong
    request | serve alice >/dev/null # the third
    run -1 serve alice < <(request)
    [ "$output" = "refused $((now + 600)) it grades 3 of your steps within an hour" ]
    run -2 desk/remote opt05 gpu
    [[ $output == "remote: gpu does not take it: it grades 3 of your steps within an hour: the next at "[0-9]*", in "[0-9]*" min" ]]
    request | serve bob >/dev/null
    [ "$(wc -l <"$spool/began")" -eq 2 ]
}

@test "steps that wait count as runs to come" {
    echo 'runs 1' >>"$spool/settings"
    : >"$spool/hold"
    begin bob
    begin alice
    run -1 serve alice < <(request)
    [[ $output == "refused "*"within an hour" ]]
}

@test "on a cluster srun starts the grader, some at a time" {
    printf '%s\n' 'srun --gres=gpu:1 --quiet # ours' 'at-once 2' >>"$spool/settings"
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/bash\necho "$*" >"$spool/srun"\nshift 2\nexec "$@"\n' >"$BATS_TEST_TMPDIR/bin/srun"
    chmod +x "$BATS_TEST_TMPDIR/bin/srun"
    first_on_path "$BATS_TEST_TMPDIR/bin"
    : >"$spool/hold"
    for who in alice bob carol; do begin $who; done
    [[ $(<"$spool/srun") == "--gres=gpu:1 --quiet class/remote/grade $spool 00000002-bob slurm2" ]]
    [[ $(<"$spool/answer-carol") == "place 1"* ]]
}

@test "settings that are none are a fault, with the reason for the instructor" {
    for line in 'run 3' 'runs many' 'runs 0' 'device tpu' 'gpus 0;1'; do
        echo "$line" >"$spool/settings"
        run -3 serve alice < <(request)
        [[ $output == "fault this host"* ]]
        grep -q "${line%% *}" "$spool/errors"
        rm "$spool/errors"
    done
}

# ---- the grader, on a GPU that is a file ----------------------------------------------------------

stand_in() {
    mkdir -p "${1%/*}"
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$1"
    chmod +x "$1"
}

# A host whose compilers, sandbox, GPUs and judge are stand-ins; the judge writes to `asked` what it graded, on which GPU, and
# whether that was locked.
make_gpu_host() {
    cp -a "$served" "$1"
    cd "$1" || return
    cp "$BATS_TEST_DIRNAME/../../class/remote/grade" class/remote
    stand_in bin/nvcc 'exit 0'
    stand_in bin/nvidia-smi 'printf "%s\n" "GPU 0: one (UUID: x)" "GPU 1: two (UUID: y)"'
    stand_in bin/make 'exit 0'
    mkdir -p build/gpu/runner
    gcc -x c -c - -o build/gpu/runner/runner.o <<<'int runner;'
    stand_in build/gpu/device 'printf "%s\n" "kind gpu" "uuid GPU-$CUDA_VISIBLE_DEVICES" "arch sm_90" "name one" "driver x" "sms 4"'
    stand_in class/isolate '
        [[ $1 == build ]] || exit 0
        ! grep -q broken "$4"/*.cu || { echo "error: broken"; exit 2; }
        mkdir -p "$5" && echo >"$5/runner" && chmod +x "$5/runner"'
    stand_in build/judge-opt_2dhisto '
        [[ " $* " != *" --dry-run "* ]] || exit 0
        run=$1 kind=step
        while (($#)); do
            case $1 in --step) step=$2 ;; --kind) kind=$2 ;; --record) record=$2 ;; esac
            shift
        done
        flock -n "$GPU_LOCKS/histolab-gpu-GPU-$CUDA_VISIBLE_DEVICES" true 2>/dev/null && lock=free || lock=held
        echo "$kind $step GPU-$CUDA_VISIBLE_DEVICES $lock" >>"$spool/asked"
        [[ $kind == step ]] || printf "%s\n" "reference-seconds 20" "roof-gbps 4000" >>"$run"
        [[ $kind != step ]] || cp "$run" "$spool/run"
        echo "{\"step\":\"$step\",\"kind\":\"$kind\",\"seed\":\"8064339195373636415\"}" >>"$record"'
    first_on_path "$1/bin"
}

@test "on a GPU: the machine's lock, baselines once a day for each GPU, the sandbox, and a seed that the judge draws" {
    export GPU_LOCKS=$BATS_TEST_TMPDIR
    make_gpu_host "$BATS_TEST_TMPDIR/tree"
    served=$BATS_TEST_TMPDIR/tree
    printf '%s\n' 'device gpu' 'gpus 1' >"$spool/settings"
    run -0 serve alice < <(request)
    [[ ${lines[-1]} == "done 0" && $output != *measured* ]] || { cat "$spool/errors"; return 1; }
    [[ $(head -n 1 "$spool/asked") == "reference reference GPU-1 held" && $(tail -n 1 "$spool/asked") == "step $step GPU-1 held" ]]
    [[ $(grep -c '^read ' "$spool/asked") -ge 1 && $(grep -vc ' held$' "$spool/asked") -eq 0 ]]
    for line in 'isolate class/isolate' 'samples 5' 'limit 120' 'roof-gbps 4000'; do grep -qxF "$line" "$spool/run"; done
    run ! grep -q seed "$spool/run"
    : >"$spool/asked"
    run -0 serve bob < <(request)
    [[ $output == *$'\nmeasured 20'*' UTC'* && $(<"$spool/asked") == "step $step GPU-1 held" ]]
    # What does not build needs no GPU.
    : >"$spool/asked"
    printf 'histolab 1\nstep %s\nbytes 6\nbroken' "$step" | serve carol >/dev/null
    [[ $(<"$spool/asked") == "step $step GPU-1 free" ]]
}

# ---- with the real grader, on the cpu device ------------------------------------------------------

@test "a step goes through the sandbox and the judge of the host's own tree" {
    served=$BATS_TEST_TMPDIR/tree
    copy_tree "$served" 'opt05_*'
    with_small_blocks "$served"
    sed -i 's/settings=("limit/settings=("size 61x1021" "limit/' "$served/class/remote/grade"
    sed -i 's/atomicAdd(&partial/atomic_add(\&partial/' "labs/$step/opt_2dhisto.cu"
    run -2 make remote-opt05 HOST=gpu
    [[ $output == *"build-failed"* && $output == *"opt_2dhisto.cu:"* ]] || { echo "$output"; return 1; }
    cp "$served/labs/$step/opt_2dhisto.cu" "labs/$step"
    run -0 make remote-opt05
    [[ $output == *"pass: right in every output of every call"* ]]
    [[ $(jq -r '.verdict, .device.kind, .seed' results/desk/results.jsonl | xargs) == "pass cpu (seed)" ]]
    [[ -z $(waiting) && -z $(ls "$served/build/class") ]]
}
