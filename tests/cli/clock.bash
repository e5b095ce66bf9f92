# For tests of times, on a clock that nothing moves but what the steps of these tests say (tests/fixtures/clock.c):
# `load clock`.
# shellcheck shell=bash

# Makes $clock, and $BATS_FILE_TMPDIR/{step,read,itself}/runner: opt01, a read, and a step that times itself. A call takes
# CALL_US, a process's first one FIRST_US more; with WRONG=1 a step does nothing.
make_clock() {
    local made=$BATS_FILE_TMPDIR name
    export clock=$made/clock.so
    "${CC:-gcc}" -std=c11 -O1 -shared -fPIC tests/fixtures/clock.c -o "$clock" || return
    mkdir "$made"/{step,read,itself}
    takes_time opt_2dhisto <labs/opt01_single_thread/opt_2dhisto.cu >"$made/step/opt_2dhisto.cu"
    takes_time opt_2dhisto <tests/honest/times_itself/opt_2dhisto.cu >"$made/itself/opt_2dhisto.cu"
    takes_time read_all <common/baselines/read_all.cuh >"$made/read/read_all.cuh"
    sed 's,"baselines/,",' common/baselines/read_plain/read_all.cu >"$made/read/read_all.cu"
    make -s -j2 build/judge-opt_2dhisto build/cpu/"$made"/{step,read,itself}/runner >/dev/null || return
    for name in step read itself; do mv "build/cpu/$made/$name/runner" "$made/$name"; done
    rm -r "build/cpu/$made"
}

# takes_time FUNCTION
takes_time() {
    sed -e '1i #include <stdlib.h>\n#include <unistd.h>' -e 's/^void '"$1"'(.*/static bool called;\n&\
    const char *first = called ? NULL : getenv("FIRST_US");\
    called = true;\
    usleep(atoi(getenv("CALL_US")) + (first ? atoi(first) : 0));\
    if (getenv("WRONG"))\
        return;/'
}

# on_clock COMMAND...
on_clock() {
    CLOCK=$BATS_TEST_TMPDIR/clock LD_PRELOAD=$clock "$@"
}
