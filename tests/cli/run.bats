#!/usr/bin/env bats
# make run: programs with their own main.

load failed
bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    stderr=''
    work=$BATS_TEST_TMPDIR
}

# The example of guides/any-program.md.
write_sum() {
    cat >"$1" <<'CUDA'
#include <stdio.h>
__global__ void reverse(const int *in, int *out) {
    __shared__ int part[64];
    const int i = threadIdx.x;
    part[i] = in[i];
    out[i] = part[63 - i];
}
int main(int count, char **words) {
    int in[64], out[64], *a, *b;
    for (int i = 0; i < 64; i++) in[i] = i;
    cudaMalloc(&a, sizeof in); cudaMalloc(&b, sizeof in);
    cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
    reverse<<<1, 64>>>(a, b);
    cudaMemcpy(out, b, sizeof in, cudaMemcpyDeviceToHost);
    cudaFree(a);
    printf("%d words, the second is '%s'; read %d\n", count - 1, count > 2 ? words[2] : "", getchar());
    return count == 2 ? 7 : 0;
}
CUDA
}

@test "run: a program elsewhere, in a read-only folder with blanks in its name: its output, its hazards, its exit status" {
    mkdir "$work/a 'b"
    write_sum "$work/a 'b/sum.cu"
    chmod a-w "$work/a 'b"
    run --separate-stderr make run FILE="$work/a 'b/sum.cu" ARGS="1 'two words'" <<<x
    chmod u+w "$work/a 'b"
    [[ $status == 2 && $output == "2 words, the second is 'two words'; read 120" ]]
    [[ $stderr == *'b/sum.cu ended with exit status 0.'*'1 hazard:'*'race-in-block on part['* ]]
    local told
    told=$(tr -s '[:space:]' ' ' <<<"$stderr") # where lines end depends on how long the folder's name is
    [[ $told == *'b/sum.cu:5: writes (thread '*'part[i] = in[i];'*'put __syncthreads()'* && $told == *'b/sum.cu:6: reads (thread '* ]]
    [[ $told == *'remark: leak on b: sum.cu:11 allocates it (256 bytes)'* ]]
    [ "$(ls "$work/a 'b")" = sum.cu ]
    run --separate-stderr make run FILE="$work/a 'b/sum.cu" ARGS=1 </dev/null
    [[ $status == 2 && $stderr == *'sum.cu ended with exit status 7.'* ]]
}

@test "run: where nothing is wrong it says so; a program in two files, with a header elsewhere and a macro" {
    mkdir "$work/inc"
    echo 'template <int N> __global__ void add(int *x) { atomicAdd(x, N); }
static void launch(int *x) { add<STEP><<<2, 32>>>(x); }' >"$work/inc/add.cuh"
    printf '%s\n' '#include <add.cuh>' 'int counter; int total() { int *x, n; cudaMalloc(&x, 4); cudaMemset(x, 0, 4); launch(x);' \
        'cudaMemcpy(&n, x, 4, cudaMemcpyDeviceToHost); cudaFree(x); counter++; return n; }' >"$work/part.cu"
    printf '%s\n' '#include <iostream>' 'int total(); extern int counter;' 'int main() { int n = total(); std::cout << n << " " << counter << std::endl; }' >"$work/main.cpp"
    run --separate-stderr make run FILE="$work/part.cu" WITH="$work/main.cpp" INCLUDE="$work/inc" DEFINE=STEP=3
    [[ $status == 0 && $output == '192 1' && $stderr == *'ended with exit status 0.'$'\n''no hazards found' ]]
}

@test "run: of a program that lies above the emulator's headers its own lines are told" {
    local program=build/above-$$.cu
    printf '%s\n' '__global__ void k(char *p) { *p = 1; }' 'int main() {' 'char *p; cudaMalloc(&p, 1);' 'k<<<1, 1>>>(p + 1); return cudaDeviceSynchronize(); }' >"$program"
    run make run FILE="$program"
    rm "$program"
    [[ $output == *"$program:3: allocates it"* && $(tr -s '[:space:]' ' ' <<<"$output") == *'out-of-bounds on element 1 of p (p has 1 element of 1 byte)'* ]]
}

@test "run: what nvcc makes of a function for both sides, and clock() without a header" {
    cat >"$work/sides.cu" <<'CUDA'
#include <stdio.h>
__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}
__global__ void ask(int *p, clock_t *t) { *t = clock(); *p = side(); }
#ifdef THRUST // what its headers bring here
extern "C" { extern const char emulator_runs_thrust[] = ""; }
#endif
int main() {
    int *p; clock_t *t, before = clock();
    cudaMallocManaged(&p, sizeof *p); cudaMallocManaged(&t, sizeof *t);
    ask<<<1, 1>>>(p, t); cudaDeviceSynchronize();
    printf("%d %d\n", *p, side());
    cudaFree(p); cudaFree(t); return before < 0;
}
CUDA
    run --separate-stderr desk/run --plain "$work/sides.cu"
    [[ $status == 0 && $output == '1 2' && $stderr != *emulator* ]]
    run --separate-stderr desk/run --plain --define THRUST "$work/sides.cu"
    [[ $status == 0 && $stderr == *"emulator: 'int side()' asks for __CUDA_ARCH__ and took the host's side"* ]]
}

@test "run: lock-step code of before 2017 is told as such" {
    cat >"$work/last_warp.cu" <<'CUDA'
__global__ void last(int *out) {
    __shared__ volatile int sum[64];
    sum[threadIdx.x] = threadIdx.x; sum[threadIdx.x + 32] = 1;
    __syncthreads();
    for (int i = 32; i > 0; i /= 2)
        sum[threadIdx.x] += sum[threadIdx.x + i];
    if (threadIdx.x == 0) *out = sum[0];
}
int main() { int *x; cudaMalloc(&x, 4); last<<<1, 32>>>(x); cudaFree(x); }
CUDA
    run desk/run "$work/last_warp.cu"
    [[ $status == 1 && $output == *race-in-warp*'Until 2017'*'Since Volta'*'__syncwarp()'* ]]
}

@test "run: an endless loop is ended and a crash told, each with its line" {
    printf '%s\n' '__global__ void spin(volatile int *p) {' '  while (*p == 0)' '    ;' '}' '#include <stdlib.h>' \
        'int main(int n, char **) { int *p; if (n > 1) abort();' \
        'cudaMalloc(&p, 4); cudaMemset(p, 0, 4); spin<<<1, 2>>>(p); cudaDeviceSynchronize(); }' >"$work/spin.cu"
    run desk/run --plain --cpu 1 "$work/spin.cu"
    output=${output//$'\n'/ }
    [[ $status == 1 && $output == *'spin.cu did not end: it was stopped after 1 s of CPU time, at spin.cu:2'* ]]
    run desk/run --plain "$work/spin.cu" x
    output=${output//$'\n'/ }
    [[ $status == 1 && $output == *'spin.cu crashed: signal 6 (Aborted) at spin.cu:6, on the host.'* ]]
}

@test "run: what does not build is told by the program's own lines: 4; what is not there is wrong usage" {
    printf '%s\n' '#include <stdio.h>' '#include <cusparse.h>' 'int main() {}' >"$work/library.cu"
    run desk/run "$work/library.cu"
    [[ $status == 4 && $output == *"$work/library.cu:2:"*'error: '*cusparse* ]]
    printf '%s\n' '#define TWICE(x) x x' 'int main() { TWICE(wrong) }' >"$work/error.cu"
    run desk/run "$work/error.cu"
    [[ $status == 4 && $output == *"$work/error.cu:2:20: error: 'wrong'"* || $output == *"$work/error.cu:2:20: error: ‘wrong’"* ]]
    printf '%s\n' 'int other();' '__global__ void k() {}' >"$work/nothing.cu"
    run desk/run "$work/nothing.cu"
    [[ $status == 4 && $output == *"nothing.cu:1: error: there is no main here"* ]]
    printf '%s\n' 'int other();' 'int main() {' 'return other(); }' >"$work/link.cu"
    run desk/run "$work/link.cu"
    [[ $status == 4 && $output == *"$work/link.cu:3: undefined reference to \`other()'"* ]]
    run desk/run "$work/not there.cu"
    [[ $status == 2 && $output == "run: there is no file $work/not there.cu" ]]
    run make run
    [[ ${lines[0]} == 'run: which program? Use: make run FILE=prog.cu' ]]
}

@test "run: each file has its own variables of the device, as with nvcc" {
    printf '%s\n' 'float table[2] = {1, 2};' 'int only = 3;' 'float sum() { return table[0] + table[1]; }' >"$work/gold.cpp"
    printf '%s\n' '__constant__ int table[2] = {10, 20};' 'int other() { int t[2]; cudaMemcpyFromSymbol(t, table, sizeof t); return t[1]; }' >"$work/other.cu"
    printf '%s\n' '#include <stdio.h>' '__constant__ short table[2] = {5, 6};' 'extern int only; float sum(); int other();' \
        '__global__ void ask(int *p) { *p = table[1]; }' \
        'int main() { int *p; cudaMallocManaged(&p, 4); ask<<<1, 1>>>(p); cudaDeviceSynchronize();' \
        'printf("%d %g %d %d\n", *p, sum(), other(), only); cudaFree(p); }' >"$work/tables.cu"
    run --separate-stderr desk/run --plain --with "$work/gold.cpp" --with "$work/other.cu" "$work/tables.cu"
    [[ $status == 0 && $output == '6 3 20 3' ]]
}

@test "run: more static shared memory than a block has is refused as nvcc does; a header that is elsewhere is told" {
    printf '%s\n' '__global__ void big(int *x) { __shared__ int a[8192], b[8192]; a[threadIdx.x] = b[threadIdx.x] = *x;' \
        '__syncthreads(); *x = a[1] + b[1]; }' \
        'int main() { int *x; cudaMalloc(&x, 4); big<<<1, 32>>>(x); cudaFree(x); }' >"$work/big.cu"
    run desk/run --plain "$work/big.cu"
    [[ $status == 4 && $output == *"$work/big.cu:1: error: kernel big(int*) uses too much shared data: 65536 bytes"* ]]
    printf '%s\n' '#include "elsewhere.h"' 'int main() {}' >"$work/header.cu"
    run desk/run --plain "$work/header.cu"
    [[ $status == 4 && $output == *"$work/header.cu:1:10: fatal error:"*elsewhere.h*'say with INCLUDE= (--include)'* ]]
}

@test "run: headers that include each other more often than anybody could read them are read once" {
    local i
    # Each of 40 includes the two before it.
    echo 'static __device__ int twice(int x) { return 2 * x; }' >"$work/h0.h"
    echo '#pragma once' >"$work/h1.h"
    for ((i = 2; i < 40; i++)); do
        printf '%s\n' '#pragma once' "#include \"h$((i - 1)).h\"" "#include \"../$(basename "$work")/h$((i - 2)).h\"" >"$work/h$i.h"
    done
    echo '__device__ int broken(int x) { return y; }' >>"$work/h30.h"
    printf '%s\n' '#include <stdio.h>' '#include "h39.h"' '__global__ void k(int *x) { *x = twice(21); }' \
        'int main() { int *x; cudaMallocManaged(&x, 4); k<<<1, 1>>>(x); cudaDeviceSynchronize(); printf("%d\n", *x); cudaFree(x); }' >"$work/web.cu"
    run --separate-stderr desk/run --plain "$work/web.cu"
    [[ $status == 4 && $stderr == *'/h30.h:4:'*declar* ]]
    sed -i '$d' "$work/h30.h"
    run --separate-stderr desk/run --plain "$work/web.cu"
    [[ $status == 0 && $output == 42 ]]
}

@test "run: COUNT=1 says what a GPU would count, of the program's lines" {
    write_sum "$work/sum.cu"
    run make run FILE="$work/sum.cu" COUNT=1 </dev/null
    [[ $status == 0 && $output == *'reverse: 1 block of 64 threads, 256 bytes of shared memory a block'* ]]
    [[ $output == *'line 5    part[i] = in[i];'*'loads 4 bytes a lane, 4.0 sectors a request: coalesced; 2 requests'* ]]
}

@test "run: registered memory, stream-ordered frees and the nodes of a graph are ordered as CUDA orders them" {
    cat >"$work/order.cu" <<'CUDA'
#include <stdlib.h>
__global__ void fill(int *values, int value) { values[threadIdx.x] = value; }
int main() {
    cudaStream_t first, second;
    int *values, *own = (int *)malloc(128), *shared;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaMallocAsync(&values, 128, first);
    fill<<<1, 32, 0, first>>>(values, 1);
    cudaFreeAsync(values, second);
    cudaHostRegister(own, 128, cudaHostRegisterMapped);
    fill<<<1, 32, 0, first>>>(own, 2);
    int early = own[3];
    cudaDeviceSynchronize();
    cudaHostUnregister(own);
    fill<<<1, 32, 0, first>>>(own, early);
    cudaDeviceSynchronize();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaEvent_t fork, join;
    cudaMalloc(&shared, 128);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork);
    fill<<<1, 32, 0, first>>>(shared, 1);
    fill<<<1, 32, 0, second>>>(shared, 2);
    cudaEventRecord(join, second);
    cudaStreamWaitEvent(first, join);
    cudaStreamEndCapture(first, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, first);
    cudaDeviceSynchronize();
    cudaFree(shared);
}
CUDA
    run --separate-stderr desk/run "$work/order.cu"
    ((status == 1))
    [[ $stderr == *'4 hazards:'* ]]
    told=$(tr -s ' \n' '  ' <<<"$stderr") # where a line ends depends on the path's length
    [[ $told == *"order.cu:10: fills or copies to it (on the host)"* ]]
    [[ $told == *'race-between-launches on memory of cudaHostRegister (the host has not waited'*"order.cu:13: reads (on the host)"* ]]
    [[ $told == *'device-touches-host'* ]]
}

@test "run: what 200 blocks hand over to the last one is ordered, by a fence of each block's own" {
    cat >"$work/many.cu" <<'CUDA'
__device__ unsigned part[200], ticket;
__global__ void add_up(unsigned *sum) {
    part[blockIdx.x] = 1;
    if (blockIdx.x < FENCED) __threadfence();
    if (atomicAdd(&ticket, 1u) != gridDim.x - 1)
        return;
    __threadfence();
    for (unsigned b = 0; b < gridDim.x; b++) *sum += part[b];
}
int main() {
    unsigned *sum, told;
    cudaMalloc(&sum, sizeof *sum); cudaMemset(sum, 0, sizeof *sum);
    add_up<<<200, 1>>>(sum);
    cudaMemcpy(&told, sum, sizeof told, cudaMemcpyDeviceToHost); cudaFree(sum);
    return told != 200;
}
CUDA
    run --separate-stderr make run FILE="$work/many.cu" DEFINE=FENCED=200
    [[ $status == 0 && $stderr == *'ended with exit status 0.'$'\n''no hazards found' ]]
    HISTOLAB_THREADS=1 run --separate-stderr make run FILE="$work/many.cu" DEFINE=FENCED=100
    [[ $status == 2 && $stderr == *$'\n1 hazard:\n'*'missing-fence on part[100]'* ]]
}

@test "run: what is typed for a variable or a goal is a text: neither make nor the shell expands anything in it" {
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree/labs" && cp -a "$BATS_TEST_DIRNAME"/../../{Makefile,desk,common,emulator,report} "$tree" && cp -a "$BATS_TEST_DIRNAME"/../../labs/{Makefile,opt05_multiblock} "$tree/labs"
    printf '#!/bin/bash\nprintf "<%%s>\\n" "$@"\n' | tee "$tree/desk/run" "$tree/desk/submit" >/dev/null
    cd "$tree" || return
    for text in '$(shell touch pwned)' '$$x ${HOME} $@' '`touch pwned`' '$(touch pwned)' "'; touch pwned; '" 'a"b\\c' '~ * ?' $'two\ntouch pwned' '# %  x' '--plain' '=:,)( '; do
        run make run FILE="$text"
        [ "$output" = "<-->"$'\n'"<$text>" ] || { echo "FILE=$text: $output"; false; }
        run make submit NAME="$text"
        [ "$output" = "<$text>" ] || { echo "NAME=$text: $output"; false; }
        (cd labs && run make submit NAME="$text" && [ "$output" = "<$text>" ]) || { echo "in labs, NAME=$text: $output"; false; }
    done
    run make "x'; touch pwned; '"
    [[ $output == "make: there is no goal 'x'; touch pwned; '' "* ]]
    run make run FILE=x.cu ARGS='1 "two words" $(touch pwned) `touch pwned` $HOME *' WITH='a;touch b'
    [ "$(paste -sd '|' <<<"$output")" = '<--with>|<a;touch>|<--with>|<b>|<--words>|<1 "two words" $(touch pwned) `touch pwned` $HOME *>|<-->|<x.cu>' ]
    [ ! -e pwned ] && [ ! -e labs/pwned ] && [ ! -e b ]
}

@test "run: a program in a file whose name make and the shell would expand, with words of which none is expanded" {
    printf '%s\n' '#include <stdio.h>' 'int main(int n, char **word) { for (int i = 1; i < n; i++) printf("<%s>\n", word[i]); }' >"$work/a\$(x)\`y\`'z.cu"
    run make run PLAIN=1 FILE="$work/a\$(x)\`y\`'z.cu" ARGS='"a b" $HOME '"'*' \"\" "
    [[ $output == *$'<a b>\n<$HOME>\n<*>\n<>'* ]]
    run -2 make run PLAIN=1 FILE="$work/a\$(x)\`y\`'z.cu" ARGS='"a b' || true
    [[ $output == *'a quote is never closed: "a b'* ]]
}
