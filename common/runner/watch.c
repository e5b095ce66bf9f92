/* The functions of CUDA's runtime that a timed call should not use, and those that launch kernels.
 *
 * common/contract renames them in a step's object: its call of cudaMalloc becomes one of
 * lab_watched_cudaMalloc. The Makefile finds these functions by that name in the object of this
 * file, so they are listed here only; of the others a step may call those that bring nothing to the
 * host, by what CUDA's headers declare (its rule of entry_points). Each adds to a counter, does
 * what it was called for, and returns what that returns. A step cannot be compiled for the
 * per-thread default stream, whose functions have other names: nvcc includes CUDA's headers before
 * the step can define the macro. */
#include "watch.h"

#include <cuda_runtime.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "host.h"
#include "lab.h"

static atomic_bool calling; /* a step may call from threads of its own */
static atomic_ullong calls;
static unsigned long long launches_before;
static unsigned long long to_host_before, most_to_host; /* bytes: see watch_too_much_to_host */

/* One kind of thing that a call should not do. */
static struct watched {
    enum hazard_kind kind;
    const char *_Atomic function; /* that did it first, how often, and where its call returned to */
    atomic_ullong times;
    const void *_Atomic caller;
    bool told;
} allocations = {.kind = HAZARD_ALLOCATES_IN_CALL}, transfers = {.kind = HAZARD_TRANSFERS_IN_CALL},
  synchronizations = {.kind = HAZARD_SYNCHRONIZES_IN_CALL};

/* Of a GPU. The emulator counts what comes to the host itself, by whatever function. */
static atomic_ullong launches, to_host, captured;
static _Atomic struct launch_size widest;

static unsigned long long launches_so_far(void) { return EMULATED ? emulator_launches : launches; }
static unsigned long long to_host_so_far(void) { return EMULATED ? emulator_host_bytes : to_host; }

struct launch_size watch_widest(void) {
    if (EMULATED)
        return (struct launch_size){emulator_widest.blocks, emulator_widest.threads};
    return widest;
}

void watch_own_copy(size_t bytes) { to_host_before += EMULATED ? bytes : 0; /* else unwatched */ }

/* Memory that the host and kernels share. No call shows that either has used it, so that each
 * launch brings all of it to the host. What is not in the table stays counted. */
enum { SHARED = 64 };
static struct shared {
    const void *pointer;
    size_t bytes;
} shared[SHARED];
static size_t shared_bytes;
static pthread_mutex_t sharing = PTHREAD_MUTEX_INITIALIZER;

/* bytes: 0 if it is shared no longer. */
static void note_shared(const void *pointer, size_t bytes) {
    pthread_mutex_lock(&sharing);
    const void *place = bytes ? NULL : pointer;
    for (struct shared *s = shared; pointer && s < shared + SHARED; s++)
        if (s->pointer == place) {
            shared_bytes -= s->bytes;
            *s = (struct shared){bytes ? pointer : NULL, bytes};
            break;
        }
    shared_bytes += bytes;
    pthread_mutex_unlock(&sharing);
}

/* The copy's kind may be wrong. */
static bool is_of_device(const void *to) {
    struct cudaPointerAttributes of;
    return cudaPointerGetAttributes(&of, to) == cudaSuccess && of.type == cudaMemoryTypeDevice;
}

static bool is_captured(cudaStream_t stream) {
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusActive;
}

/* What kernels print goes to stdout when the host next waits for them, where it leaves at once. No
 * step has a use for another stdout, or for one that keeps it. Noted before constructors of the
 * step, which may call CUDA. */
static FILE *first_stdout;
__attribute__((constructor(101))) static void note_stdout(void) { first_stdout = stdout; }

static void note_prints(void) {
    if (stdout != first_stdout || stdout->_fileno != STDOUT_FILENO ||
        stdout->_IO_buf_end - stdout->_IO_buf_base > 1)
        to_host += 1ull << 40;
}

/* What one graph copies each time that it is launched, any graph is taken to copy. */
static void note_copy(const void *to, size_t bytes, cudaStream_t stream) {
    note_prints();
    if (EMULATED || !bytes || (to && is_of_device(to)))
        return;
    to_host += bytes;
    if (is_captured(stream))
        captured += bytes;
}

/* No step of the ladders copies anything to the host in a call, and no honest one of the tests more
 * than 12 KiB. There is room for what a grid leaves to the host: from two blocks a multiprocessor
 * counts of four bytes for each byte of the output, or partial sums of 16384 blocks. Both are far
 * below what the smallest graded input takes, however it is packed. */
static unsigned long long most_of(size_t output_bytes) {
    enum { COUNTS = 4, BLOCKS = 2, SUMS = 64 << 10 };
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
    note_prints();
    if (!atomic_load_explicit(&calling, memory_order_relaxed))
        return;
    const char *first = NULL;
    if (atomic_compare_exchange_strong(&what->function, &first, function)) {
        what->caller = caller;
        first = function;
    }
    if (first == function)
        atomic_fetch_add_explicit(&what->times, 1, memory_order_relaxed);
}

/* Copies between places on the device keep neither the host nor the device waiting. */
static void count_copy(enum cudaMemcpyKind kind, const void *to, size_t bytes, cudaStream_t stream,
                       const char *function, const void *caller) {
    note_copy(to, bytes, stream);
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
#define COPY(to, bytes, stream, function, parameters, arguments)                                   \
    WATCHED(count_copy(kind, to, bytes, stream, #function, __builtin_return_address(0)), function, \
            parameters, arguments)

/* It makes memory that both sides share, or ends that: then of 0 bytes. */
#define SHARING(pointer, bytes, function, parameters, arguments)                                   \
    cudaError_t lab_watched_##function parameters {                                                \
        count(&allocations, #function, __builtin_return_address(0));                               \
        cudaError_t status = function arguments;                                                   \
        if (status == cudaSuccess)                                                                 \
            note_shared(pointer, bytes);                                                           \
        return status;                                                                             \
    }

ALLOCATION(cudaMalloc, (void **pointer, size_t size), (pointer, size))
ALLOCATION(cudaMallocAsync, (void **pointer, size_t size, cudaStream_t stream),
           (pointer, size, stream))
ALLOCATION(cudaMallocPitch, (void **pointer, size_t *pitch, size_t width, size_t height),
           (pointer, pitch, width, height))
ALLOCATION(cudaMallocArray,
           (cudaArray_t * array, const struct cudaChannelFormatDesc *format, size_t width,
            size_t height, unsigned flags),
           (array, format, width, height, flags))
ALLOCATION(cudaFreeArray, (cudaArray_t array), (array))

SHARING(*pointer, size, cudaMallocManaged, (void **pointer, size_t size, unsigned flags),
        (pointer, size, flags))
SHARING(*pointer, size, cudaMallocHost, (void **pointer, size_t size), (pointer, size))
SHARING(*pointer, size, cudaHostAlloc, (void **pointer, size_t size, unsigned flags),
        (pointer, size, flags))
SHARING(pointer, size, cudaHostRegister, (void *pointer, size_t size, unsigned flags),
        (pointer, size, flags))
SHARING(pointer, 0, cudaHostUnregister, (void *pointer), (pointer))
SHARING(pointer, 0, cudaFree, (void *pointer), (pointer))
/* It may be used until the stream comes to that. */
ALLOCATION(cudaFreeAsync, (void *pointer, cudaStream_t stream), (pointer, stream))
SHARING(pointer, 0, cudaFreeHost, (void *pointer), (pointer))

COPY(to, size, NULL, cudaMemcpy,
     (void *to, const void *from, size_t size, enum cudaMemcpyKind kind), (to, from, size, kind))
COPY(to, size, stream, cudaMemcpyAsync,
     (void *to, const void *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, size, kind, stream))
COPY(to, width *height, NULL, cudaMemcpy2D,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind),
     (to, to_pitch, from, from_pitch, width, height, kind))
COPY(to, width *height, stream, cudaMemcpy2DAsync,
     (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, to_pitch, from, from_pitch, width, height, kind, stream))

SYNCHRONIZATION(cudaDeviceSynchronize, (void), ())
SYNCHRONIZATION(cudaStreamSynchronize, (cudaStream_t stream), (stream))
SYNCHRONIZATION(cudaStreamQuery, (cudaStream_t stream), (stream))
SYNCHRONIZATION(cudaEventSynchronize, (cudaEvent_t event), (event))
SYNCHRONIZATION(cudaEventQuery, (cudaEvent_t event), (event))

#ifndef __HISTOLAB_EMULATOR__
/* A graph becomes part of another, once more. */
static void note_graph_in_graph(void) { captured += captured; }

/* Threads of a step that launch at the same moment may hide one of two launches. */
static void note_size(dim3 grid, dim3 block) {
    struct launch_size size = {grid.x * grid.y * grid.z, block.x * block.y * block.z};
    if (launch_threads(size) > launch_threads(widest))
        widest = size;
}

static cudaError_t launched(cudaError_t status) {
    note_prints();
    if (status == cudaSuccess) {
        atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);
        to_host += shared_bytes;
    }
    return status;
}

/* `noted`: what tells the size of the launch. */
#define LAUNCH(noted, function, parameters, arguments)                                             \
    cudaError_t lab_watched_##function parameters {                                                \
        noted;                                                                                     \
        return launched(function arguments);                                                       \
    }

ALLOCATION(cudaMalloc3D, (struct cudaPitchedPtr * pointer, struct cudaExtent extent),
           (pointer, extent))
ALLOCATION(cudaMallocFromPoolAsync,
           (void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream),
           (pointer, size, pool, stream))

/* Of arrays the width is in elements, which have 16 bytes at most. An array lies on the device. */
static size_t bytes_of(const struct cudaMemcpy3DParms *copy) {
    enum { MOST_BYTES = 16 };
    return copy->dstArray ? 0
                          : copy->extent.width * copy->extent.height * copy->extent.depth *
                                (copy->srcArray ? MOST_BYTES : 1);
}

#define COPY_3D(stream, function, parameters, arguments)                                           \
    WATCHED(count_copy(copy->kind, copy->dstPtr.ptr, bytes_of(copy), stream, #function,            \
                       __builtin_return_address(0)),                                               \
            function, parameters, arguments)
COPY_3D(NULL, cudaMemcpy3D, (const struct cudaMemcpy3DParms *copy), (copy))
COPY_3D(stream, cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *copy, cudaStream_t stream),
        (copy, stream))

/* A symbol's address is no pointer to the device; and the symbol may be managed memory. */
COPY(NULL, shared_bytes ? size : 0, NULL, cudaMemcpyToSymbol,
     (const void *to, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind),
     (to, from, size, offset, kind))
COPY(NULL, shared_bytes ? size : 0, stream, cudaMemcpyToSymbolAsync,
     (const void *to, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     (to, from, size, offset, kind, stream))
COPY(to, size, NULL, cudaMemcpyFromSymbol,
     (void *to, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind),
     (to, from, size, offset, kind))
COPY(to, size, stream, cudaMemcpyFromSymbolAsync,
     (void *to, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     (to, from, size, offset, kind, stream))

/* What nvcc makes of a __managed__ variable, before main. Declared for C++ only, as is the next. */
void __cudaRegisterManagedVar(void **code, void **variable, char *address, const char *name,
                              int external, size_t size, int constant, int global);
void lab_watched___cudaRegisterManagedVar(void **code, void **variable, char *address,
                                          const char *name, int external, size_t size, int constant,
                                          int global) {
    note_shared(variable, size);
    __cudaRegisterManagedVar(code, variable, address, name, external, size, constant, global);
}

/* A graph counts as a launch whatever is in it: an empty one too. */
static void note_graph(cudaStream_t stream) {
    to_host += captured;
    if (is_captured(stream))
        note_graph_in_graph();
}
LAUNCH(note_graph(stream), cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream),
       (graph, stream))
WATCHED(note_graph_in_graph(), cudaGraphAddChildGraphNode,
        (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
         size_t count, cudaGraph_t child),
        (node, graph, dependencies, count, child))
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
/* What nvcc makes of <<<>>>: before CUDA 13 it was cudaLaunchKernel. */
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared_bytes, cudaStream_t stream);
LAUNCH(note_size(grid, block), __cudaLaunchKernel,
       (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
        cudaStream_t stream),
       (kernel, grid, block, arguments, shared_bytes, stream))
#endif
#endif
