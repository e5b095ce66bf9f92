// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The functions of CUDA's runtime that a timed call should not use, and those that launch kernels.
 *
 * objcopy renames them in a step's object: its call of cudaMalloc becomes one of
 * lab_watched_cudaMalloc. The Makefile finds these functions by that name in the object of this
 * file, so they are listed here only. Each adds to a counter, does what it was called for, and
 * returns what that returns. A step cannot be compiled for the per-thread default stream, whose
 * functions have other names: nvcc includes CUDA's headers before the step can define the macro. */
#include "watch.h"

#include <cuda_runtime.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "host.h"
#include "lab.h"
#ifdef __HISTOLAB_EMULATOR__
#include "emulator.h"
#endif

static atomic_bool calling; /* a step may call from threads of its own */
static atomic_ullong calls;
static unsigned long long launches_before;
static unsigned long long to_host_before, most_to_host; /* bytes: see watch_too_much_to_host */

/* One kind of thing that a call should not do. */
static struct watched {
    enum hazard_kind kind;
    atomic_ullong times;
    const char *_Atomic function; /* that did it first, and where its call returned to */
    const void *_Atomic caller;
    bool told;
} allocations = {.kind = HAZARD_ALLOCATES_IN_CALL}, transfers = {.kind = HAZARD_TRANSFERS_IN_CALL},
  synchronizations = {.kind = HAZARD_SYNCHRONIZES_IN_CALL};

#ifdef __HISTOLAB_EMULATOR__
static unsigned long long launches_so_far(void) { return emulator_launches; }
static unsigned long long to_host_so_far(void) { return emulator_host_bytes; }

struct launch_size watch_widest(void) {
    return (struct launch_size){emulator_widest.blocks, emulator_widest.threads};
}

void watch_own_copy(size_t bytes) { to_host_before += bytes; }

/* The emulator counts them, by whatever function they are made. */
static void note_copy(enum cudaMemcpyKind kind, const void *to, size_t bytes) {
    (void)kind, (void)to, (void)bytes;
}
#else
static atomic_ullong launches, to_host;
static _Atomic struct launch_size widest;

static unsigned long long launches_so_far(void) { return launches; }
static unsigned long long to_host_so_far(void) { return to_host; }

struct launch_size watch_widest(void) {
    return widest;
}

void watch_own_copy(size_t bytes) { (void)bytes; /* its calls are not watched */ }

static bool is_of_host(const void *to) {
    struct cudaPointerAttributes of;
    return cudaPointerGetAttributes(&of, to) == cudaSuccess && of.type != cudaMemoryTypeDevice;
}

static void note_copy(enum cudaMemcpyKind kind, const void *to, size_t bytes) {
    if (kind == cudaMemcpyDeviceToHost || (kind == cudaMemcpyDefault && is_of_host(to)))
        to_host += bytes;
}

/* Threads of a step that launch at the same moment may hide one of two launches. */
static void note_size(dim3 grid, dim3 block) {
    struct launch_size size = {grid.x * grid.y * grid.z, block.x * block.y * block.z};
    if (launch_threads(size) > launch_threads(widest))
        widest = size;
}
#endif

/* No step of the ladders copies anything to the host in a call, and no honest one of the tests more
 * than 12 KiB. There is room for what a grid leaves to the host: from four blocks a multiprocessor
 * counts of four bytes for each byte of the output, or partial sums of 16384 blocks. Both are far
 * below what the smallest graded input takes, however it is packed. */
static unsigned long long most_of(size_t output_bytes) {
    enum { COUNTS = 4, BLOCKS = 4, SUMS = 64 << 10 };
    return (unsigned long long)COUNTS * BLOCKS * (unsigned)lab_multiprocessors() * output_bytes +
           SUMS;
}

void watch_begin(size_t output_bytes) {
    if (!most_to_host)
        most_to_host = most_of(output_bytes);
    calls++;
    launches_before = launches_so_far();
    calling = true;
}

unsigned long long watch_end(void) {
    calling = false;
    return launches_so_far() - launches_before;
}

bool watch_too_much_to_host(void) {
    unsigned long long before = to_host_before;
    to_host_before = to_host_so_far();
    return to_host_before - before > most_to_host;
}

static void count(struct watched *what, const char *function, const void *caller) {
    if (!atomic_load_explicit(&calling, memory_order_relaxed))
        return;
    if (atomic_fetch_add_explicit(&what->times, 1, memory_order_relaxed) == 0) {
        what->caller = caller;
        what->function = function;
    }
}

/* Copies between places on the device keep neither the host nor the device waiting. */
static void count_copy(enum cudaMemcpyKind kind, const void *to, size_t bytes, const char *function,
                       const void *caller) {
    note_copy(kind, to, bytes);
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost)
        count(&transfers, function, caller);
}

static bool remark_on(struct watched *what, struct hazard *remark) {
    const char *function = what->function;
    if (what->told || !function)
        return false;
    what->told = true;
    *remark = (struct hazard){.kind = what->kind, .places = 1};
    struct hazard_place *place = &remark->place[0];
    place->pc = host_offset((const char *)what->caller - 1);
    place->on_host = 1;
    snprintf(place->does, sizeof place->does, "calls %s", function);
    unsigned long long times = what->times, in = calls;
    snprintf(remark->note, sizeof remark->note, "%llu time%s in %llu call%s", times,
             times == 1 ? "" : "s", in, in == 1 ? "" : "s");
    return true;
}

bool watch_remark(struct hazard *remark) {
    return remark_on(&allocations, remark) || remark_on(&transfers, remark) ||
           remark_on(&synchronizations, remark);
}

/* ---- the functions ---------------------------------------------------------------------- */

/* No header declares these: only a step's object, renamed, calls them. */
#define WATCHED(what, function, parameters, arguments)                                             \
    cudaError_t lab_watched_##function parameters {                                                \
        what;                                                                                      \
        return function arguments;                                                                 \
    }
#define COUNTED(what, function, parameters, arguments)                                             \
    WATCHED(count(&what, #function, __builtin_return_address(0)), function, parameters, arguments)
#define ALLOCATION(...) COUNTED(allocations, __VA_ARGS__)
#define SYNCHRONIZATION(...) COUNTED(synchronizations, __VA_ARGS__)
#define COPY(bytes, function, parameters, arguments)                                               \
    WATCHED(count_copy(kind, to, bytes, #function, __builtin_return_address(0)), function,         \
            parameters, arguments)

ALLOCATION(cudaMalloc, (void **pointer, size_t size), (pointer, size))
ALLOCATION(cudaMallocAsync, (void **pointer, size_t size, cudaStream_t stream),
           (pointer, size, stream))
ALLOCATION(cudaMallocManaged, (void **pointer, size_t size, unsigned flags), (pointer, size, flags))
ALLOCATION(cudaMallocPitch, (void **pointer, size_t *pitch, size_t width, size_t height),
           (pointer, pitch, width, height))
ALLOCATION(cudaMallocHost, (void **pointer, size_t size), (pointer, size))
ALLOCATION(cudaHostAlloc, (void **pointer, size_t size, unsigned flags), (pointer, size, flags))
ALLOCATION(cudaFree, (void *pointer), (pointer))
ALLOCATION(cudaFreeAsync, (void *pointer, cudaStream_t stream), (pointer, stream))
ALLOCATION(cudaFreeHost, (void *pointer), (pointer))

ALLOCATION(cudaHostRegister, (void *pointer, size_t size, unsigned flags), (pointer, size, flags))
ALLOCATION(cudaHostUnregister, (void *pointer), (pointer))
ALLOCATION(cudaMallocFromPoolAsync,
           (void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream),
           (pointer, size, pool, stream))
ALLOCATION(cudaMalloc3D, (struct cudaPitchedPtr * pointer, struct cudaExtent extent),
           (pointer, extent))
ALLOCATION(cudaMallocArray,
           (cudaArray_t * array, const struct cudaChannelFormatDesc *format, size_t width,
            size_t height, unsigned flags),
           (array, format, width, height, flags))
ALLOCATION(cudaFreeArray, (cudaArray_t array), (array))

COPY(size, cudaMemcpy, (void *to, const void *from, size_t size, enum cudaMemcpyKind kind),
     (to, from, size, kind))
COPY(size, cudaMemcpyAsync,
     (void *to, const void *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, size, kind, stream))
COPY(width *height, cudaMemcpy2D,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind),
     (to, to_pitch, from, from_pitch, width, height, kind))
COPY(width *height, cudaMemcpy2DAsync,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, to_pitch, from, from_pitch, width, height, kind, stream))

#define COPY_3D(function, parameters, arguments)                                                   \
    WATCHED(count_copy(copy->kind, copy->dstPtr.ptr,                                               \
                       copy->extent.width * copy->extent.height * copy->extent.depth, #function,   \
                       __builtin_return_address(0)),                                               \
            function, parameters, arguments)
COPY_3D(cudaMemcpy3D, (const struct cudaMemcpy3DParms *copy), (copy))
COPY_3D(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *copy, cudaStream_t stream),
        (copy, stream))

SYNCHRONIZATION(cudaDeviceSynchronize, (void), ())
SYNCHRONIZATION(cudaStreamSynchronize, (cudaStream_t stream), (stream))
SYNCHRONIZATION(cudaStreamQuery, (cudaStream_t stream), (stream))
SYNCHRONIZATION(cudaEventSynchronize, (cudaEvent_t event), (event))
SYNCHRONIZATION(cudaEventQuery, (cudaEvent_t event), (event))

#ifndef __HISTOLAB_EMULATOR__
static cudaError_t launched(cudaError_t status) {
    if (status == cudaSuccess)
        atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);
    return status;
}

/* `noted`: what tells the size of the launch. */
#define LAUNCH(noted, function, parameters, arguments)                                             \
    cudaError_t lab_watched_##function parameters {                                                \
        noted;                                                                                     \
        return launched(function arguments);                                                       \
    }

COPY(size, cudaMemcpyToSymbol,
     (const void *to, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind),
     (to, from, size, offset, kind))
COPY(size, cudaMemcpyToSymbolAsync,
     (const void *to, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     (to, from, size, offset, kind, stream))
COPY(size, cudaMemcpyFromSymbol,
     (void *to, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind),
     (to, from, size, offset, kind))
COPY(size, cudaMemcpyFromSymbolAsync,
     (void *to, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     (to, from, size, offset, kind, stream))

/* Whatever is in it: an empty one counts too. */
LAUNCH((void)0, cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream), (graph, stream))
LAUNCH(note_size(grid, block), cudaLaunchKernel,
       (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
        cudaStream_t stream),
       (kernel, grid, block, arguments, shared_bytes, stream))
LAUNCH(note_size(config->gridDim, config->blockDim), cudaLaunchKernelExC,
       (const cudaLaunchConfig_t *config, const void *kernel, void **arguments),
       (config, kernel, arguments))
LAUNCH(note_size(grid, block), cudaLaunchCooperativeKernel,
       (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
        cudaStream_t stream),
       (kernel, grid, block, arguments, shared_bytes, stream))
#if CUDART_VERSION >= 13000
/* What nvcc makes of <<<>>>: before CUDA 13 it was cudaLaunchKernel. Declared for C++ only. */
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared_bytes, cudaStream_t stream);
LAUNCH(note_size(grid, block), __cudaLaunchKernel,
       (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
        cudaStream_t stream),
       (kernel, grid, block, arguments, shared_bytes, stream))
#endif
#endif
