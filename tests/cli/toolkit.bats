#!/usr/bin/env bats
# make emulator: a folder like a CUDA Toolkit, and what its nvcc builds.

load failed
bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    make -s emulator
    export toolkit=$PWD/build/cuda
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset EMULATOR_CUDA EMULATOR_CHECK EMULATOR_BUILD
    PATH=$toolkit/bin:$PATH
}

# Two files and a header: a kernel of the header has a race.
write_program() {
    printf '%s\n' '#pragma once' '' '__device__ int twice(int x) { return 2 * x; }' \
        '__global__ void add(int *sum) { sum[0] += twice(1); }' 'static void start(int *d) { add<<<2, 1>>>(d); }' >kernel.h
    printf '%s\n' '#include <cstdio>' '#include "kernel.h"' 'extern __device__ int there;' 'void other();' \
        '__global__ void get(int *to) { *to = there; }' \
        'int main() {' '    int *d, h = 0;' '    cudaMalloc(&d, sizeof h);' '    cudaMemset(d, 0, sizeof h);' \
        '    start(d);' '    get<<<1, 1>>>(d);' '    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);' \
        '    cudaFree(d);' '    other();' '    printf("%d\n", h);' '}' >main.cu
    printf '%s\n' '#include "kernel.h"' '__device__ int there = 42;' \
        'void other() { cudaGetLastError(); }' >other.cu
}

@test "toolkit: files, a static library, extern __device__; a hazard has the header's lines; all or nothing is checked" {
    write_program
    nvcc -rdc=true -O3 -arch=sm_80 -gencode arch=compute_90,code=sm_90 -Xcompiler -Wall -c main.cu -o main.o
    nvcc -dc other.cu -MD -MF other.d
    [[ $(tr -s '\\\n ' ' ' <other.d) == 'other.o: other.cu '*' kernel.h '* && $(<other.d) != *nvcc-* ]]
    nvcc -lib -o libother.a other.o
    nvcc main.o -L. -lother -o program
    run -0 --separate-stderr ./program
    [ "$output" = 42 ]
    # shellcheck disable=SC2154  # run sets stderr
    [[ $stderr == "emulator: 2 launches of kernels, checked: "*" hazard"* ]]
    [[ $stderr == *"race-between-blocks: kernel.h:4 "*": d"* ]]
    EMULATOR_CHECK=none run -0 --separate-stderr ./program
    [ "$stderr" = 'emulator: 2 launches of kernels, not checked: nothing wrong was seen' ]
}

@test "toolkit: what a header in a folder does is told by the line that calls it" {
    printf '%s\n' '#include <cooperative_groups.h>' '#include <cooperative_groups/memcpy_async.h>' \
        '__global__ void copy(const int *in, int *out) {' '    __shared__ int v[32];' \
        '    cooperative_groups::memcpy_async(cooperative_groups::this_thread_block(), v, in, sizeof v);' \
        '    out[threadIdx.x] = v[threadIdx.x];' '}' \
        'int main() {' '    int *d;' '    cudaMallocManaged(&d, 256);' '    copy<<<1, 32>>>(d, d + 32);' '    cudaFree(d);' '}' >copy.cu
    nvcc copy.cu -o program
    run -0 --separate-stderr ./program
    [[ $stderr == *"unfinished-copy: copy.cu:6 reads "*", copy.cu:5 copies to it "* ]]
}

@test "toolkit: what the headers of libraries include is there; what is beside a file comes before what is in folders" {
    printf '#include %s\n' '<curand_kernel.h>' '<cublas_v2.h>' '<cub/cub.cuh>' '<cuda/pipeline>' '<helper_timer.h>' '"plain.h"' >all.cu
    mkdir common src
    echo '#error common/plain.h' | tee common/plain.h | sed 's/#error .*//' >plain.h
    nvcc -Icommon -E all.cu >all.ii
    echo '#include "kernel.h"' >src/part.cu
    printf '%s\n' '#include "size.h"' '__device__ int list[SIZE];' >common/kernel.h
    echo '#define SIZE 3' >common/size.h
    nvcc -Icommon -E src/part.cu >part.ii
}

@test "toolkit: a make that links by g++, and CMake" {
    write_program
    printf 'program: main.o other.o\n\tg++ $^ -o $@ -L$(CUDA_HOME)/lib64 -lcudart\n%%.o: %%.cu\n\t$(CUDA_HOME)/bin/nvcc -dc $< -o $@\n' >Makefile
    sed -i '/include/d' other.cu
    make -s CUDA_HOME="$toolkit"
    run -0 --separate-stderr ./program
    [ "$output" = 42 ]
    command -v cmake || skip "cmake is not installed"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(x LANGUAGES CXX CUDA)' 'find_package(CUDAToolkit REQUIRED)' \
        'add_executable(program main.cu other.cu)' 'set_target_properties(program PROPERTIES CUDA_SEPARABLE_COMPILATION ON)' >CMakeLists.txt
    cmake -S . -B build >log 2>&1 || { cat log; return 1; }
    cmake --build build >log 2>&1 || { cat log; return 1; }
    run -0 --separate-stderr build/program
    [ "$output" = 42 ]
}

@test "toolkit: an older version has what CUDA 13 removed; that refuses it; code for a GPU is refused by name" {
    cat >old.cu <<'CUDA'
#include <cstdio>
texture<float, 2, cudaReadModeElementType> image;
__global__ void read(float *to) { to[threadIdx.x] = __shfl(tex2D(image, threadIdx.x, 1), 3); }
int main() {
    float *d, *memory, h[32];
    size_t pitch;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMallocPitch(&memory, &pitch, sizeof h, 2);
    cudaMemcpy((char *)memory + pitch, h, sizeof h, cudaMemcpyHostToDevice);
    cudaBindTexture2D(0, image, memory, 32, 2, pitch);
    cudaMalloc(&d, sizeof h);
    read<<<1, 32>>>(d);
    cudaThreadSynchronize();
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaUnbindTexture(image);
    cudaFree(d), cudaFree(memory);
    printf("%g\n", h[20]);
}
CUDA
    EMULATOR_CUDA=8.0 run -0 --separate-stderr nvcc -arch=sm_20 -run old.cu
    [ "$output" = 3 ]
    [[ $stderr == *"checked: nothing wrong was seen" ]]
    run -1 nvcc old.cu
    [[ $output == *"old.cu:3:"*"error: CUDA 13 has no __shfl: use __shfl_sync"* ]]
    EMULATOR_CUDA=8.0 run -0 nvcc --version
    [[ $output == *"release 8.0, V8.0."* ]]
    run -1 nvcc -ptx old.cu
    [[ $output == *"--ptx: the emulator makes no code for a GPU"* ]]
}

@test "toolkit: before CUDA 9 the lanes of a warp run in lock step where what they share is volatile" {
    cat >sum.cu <<'CUDA'
#include <cstdio>
__global__ void sum(int *out) {
    __shared__ volatile int v[64];
    unsigned i = threadIdx.x;
    v[i] = i;
    __syncthreads();
    for (int half = 32; i < 32 && half > 0; half /= 2)
        v[i] += v[i + half];
    if (i == 0)
        *out = v[0];
}
int main() {
    int *d, h = 0;
    cudaSharedMemConfig banks;
    cudaDeviceGetSharedMemConfig(&banks);
    cudaMalloc(&d, sizeof h);
    sum<<<1, 64>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    printf("%d %d\n", h, banks == cudaSharedMemBankSizeFourByte);
}
CUDA
    EMULATOR_CUDA=8.0 nvcc -arch=sm_20 sum.cu -o program
    run -0 --separate-stderr ./program
    [ "$output" = '2016 1' ]
    [ "$stderr" = 'emulator: 1 launch of kernels, checked: nothing wrong was seen' ]
    EMULATOR_CHECK=none run -0 --separate-stderr ./program
    [ "$output" = '2016 1' ]
    run -0 --separate-stderr nvcc -run sum.cu
    [[ $stderr == *"race-in-warp: sum.cu:8 "* ]]
}

@test "toolkit: --dryrun has the program's name in quotes, behind which a makefile finds what to link" {
    run -0 nvcc -dryrun any.cu
    [[ ${lines[-1]} == '#$ g++ '*' -o "a.out" "-L'*'libcudart'* ]]
}

@test "toolkit: without -rdc each file has its own variables of the device" {
    printf '%s\n' '#include <cstdio>' '__constant__ int c;' 'void other();' '__global__ void get() { printf("%d\n", c); }' \
        'int main() { int one = 1; cudaMemcpyToSymbol(c, &one, sizeof one); other(); get<<<1, 1>>>(); cudaDeviceSynchronize(); }' >main.cu
    printf '%s\n' '__constant__ int c;' 'void other() { int two = 2; cudaMemcpyToSymbol(c, &two, sizeof two); }' >other.cu
    run -0 --separate-stderr nvcc -run main.cu other.cu
    [ "$output" = 1 ]
    nvcc -rdc=true -c main.cu other.cu
    run ! g++ main.o other.o -L"$toolkit/lib64" -lcudart
    [[ $output == *"multiple definition of"* ]]
}

@test "toolkit: what is constexpr is of both sides with --expt-relaxed-constexpr alone; atomics of CUDA 12.8; parts of CUB by name" {
    cat >built_in.cu <<'CUDA'
#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <limits>
constexpr int next(int x) { return x + 1; }
__device__ int flag, data; __device__ __shared__ int kept;
__global__ void hand_over(int *out) {
    if (blockIdx.x == 0) {
        data = kept = std::numeric_limits<signed char>::max();
        __nv_atomic_store_n(&flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
        return;
    }
    while (!__nv_atomic_load_n(&flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE))
        ;
    __nv_atomic_fetch_add(out, next(data), __NV_ATOMIC_RELAXED);
}
int main() {
    int *sum;
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    hand_over<<<2, 1>>>(sum);
    cudaDeviceSynchronize();
    printf("%d\n", *sum);
    cudaFree(sum);
}
CUDA
    nvcc --expt-relaxed-constexpr -o program built_in.cu
    run -0 --separate-stderr ./program
    [ "$output $stderr" = '128 emulator: 1 launch of kernels, checked: nothing wrong was seen' ]
    # A fetch orders what its order says, on that side alone.
    sed 's/__nv_atomic_store_n(&flag, 1, __NV_ATOMIC_RELEASE/__nv_atomic_exchange_n(\&flag, 1, __NV_ATOMIC_ACQUIRE/' built_in.cu >other.cu
    nvcc --expt-relaxed-constexpr -o program other.cu
    run -0 --separate-stderr ./program
    [[ $stderr == *"missing-fence: other.cu:14 reads "*": data"* ]]
    sed -i 's/RELEASE/RELAXED/' built_in.cu
    nvcc --expt-relaxed-constexpr -o program built_in.cu
    run -0 --separate-stderr ./program
    [[ $stderr == *"missing-fence: built_in.cu:14 reads "*": data"* ]]
    run ! nvcc -o program built_in.cu
    [[ $output == *'built_in.cu:8: error: calling a __host__ function("std::numeric_limits<signed char>::max()")'* &&
        $output == *'built_in.cu:14: error: calling a __host__ function("next(int)")'* ]]
}

@test "toolkit: an allocation that failed unasked is told; after its time a kernel runs unchecked" {
    cat >large.cu <<'CUDA'
__global__ void set(int *a) { a[threadIdx.x] = 1; }
int main() {
    int *a;
    cudaMalloc(&a, 1L << 40);
    set<<<1, 32>>>(a);
}
CUDA
    nvcc large.cu
    run --separate-stderr ./a.out
    [[ $stderr == *"large.cu:1 writes"* ]]
    [[ $stderr == *"large.cu:4 gets no memory"*"an allocation failed: out of memory, and nobody looked"* ]]
    cat >long.cu <<'CUDA'
__global__ void spin(int *a) { for (int i = 0; i < 100000; i++) a[threadIdx.x] += i; }
int main() {
    int *a;
    cudaMalloc(&a, 128);
    cudaMemset(a, 0, 128);
    for (int i = 0; i < 3; i++) spin<<<4, 32>>>(a);
    cudaFree(a);
}
CUDA
    nvcc long.cu
    EMULATOR_CHECK=0.001 run -0 --separate-stderr ./a.out
    [[ $stderr == *"3 launches of kernels, not checked: "* ]]
}
