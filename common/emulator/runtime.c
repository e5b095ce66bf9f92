/* CUDA's runtime API on the host's memory. Every operation is complete before its call returns,
 * which the rules of streams and events always allow. */
#define _GNU_SOURCE
#include "cuda_profiler_api.h"
#include "emulator.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* At the beginning of each function that only the host may call. */
#define HOST_ONLY()                                                                                \
    do {                                                                                           \
        if (emulator_in_kernel())                                                                  \
            emulator_refuse("a kernel calls %s: calling a __host__ function from a __global__ "    \
                            "function is not allowed",                                             \
                            __func__);                                                             \
    } while (0)

/* ---- errors ----------------------------------------------------------------------------- */

static __thread cudaError_t last_error;
static cudaError_t broken; /* a kernel died: as on a device, nothing works until cudaDeviceReset */

cudaError_t emulator_result(cudaError_t error) {
    if (broken)
        error = broken;
    if (error)
        last_error = error;
    return error;
}

const char *cudaGetErrorName(cudaError_t error) {
    HOST_ONLY();
    switch (error) {
#define NAME(name, number, text)                                                                   \
    case name:                                                                                     \
        return #name;
        EMULATOR_ERRORS(NAME)
#undef NAME
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
    HOST_ONLY();
    switch (error) {
#define TEXT(name, number, text)                                                                   \
    case name:                                                                                     \
        return text;
        EMULATOR_ERRORS(TEXT)
#undef TEXT
    }
    return "unrecognized error code";
}

cudaError_t cudaPeekAtLastError(void) {
    HOST_ONLY();
    return broken ? broken : last_error;
}

cudaError_t cudaGetLastError(void) {
    HOST_ONLY();
    cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

/* ---- the device ------------------------------------------------------------------------- */

enum {
    CONSTANT_BYTES = 64 * 1024,
    RESERVED_SHARED = 0,
};
static const size_t MEMORY_BYTES = (size_t)2 << 30; /* as on the journal's card */

cudaError_t cudaGetDeviceCount(int *count) {
    HOST_ONLY();
    *count = 1;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device) {
    HOST_ONLY();
    *device = 0;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
    HOST_ONLY();
    return emulator_result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    HOST_ONLY();
    (void)flags;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    HOST_ONLY();
    if (device != 0)
        return emulator_result(cudaErrorInvalidDevice);
    *p = (struct cudaDeviceProp){
        .name = "histolab emulator",
        .totalGlobalMem = MEMORY_BYTES,
        .sharedMemPerBlock = EMULATOR_SHARED,
        .regsPerBlock = (int)emulator_device.registers,
        .warpSize = EMULATOR_WARP,
        .memPitch = 0x7fffffff,
        .maxThreadsPerBlock = EMULATOR_MAX_THREADS,
        .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {0x7fffffff, 65535, 65535},
        .totalConstMem = CONSTANT_BYTES,
        .major = (int)emulator_device.compute_capability / 10,
        .minor = (int)emulator_device.compute_capability % 10,
        .multiProcessorCount = (int)emulator_device.multiprocessors,
        .integrated = 1,
        .canMapHostMemory = 1,
        .unifiedAddressing = 1,
        .memoryBusWidth = 256,
        .l2CacheSize = (int)emulator_device.l2_bytes,
        .maxThreadsPerMultiProcessor = (int)emulator_device.threads,
        .sharedMemPerMultiprocessor = emulator_device.shared_bytes,
        .regsPerMultiprocessor = (int)emulator_device.registers,
        .managedMemory = 1,
        .cooperativeLaunch = 1,
        .sharedMemPerBlockOptin = emulator_device.shared_block_bytes,
        .maxBlocksPerMultiProcessor = (int)emulator_device.blocks,
        .reservedSharedMemPerBlock = RESERVED_SHARED,
    };
    return emulator_result(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    HOST_ONLY();
    struct cudaDeviceProp p;
    cudaError_t status = cudaGetDeviceProperties(&p, device);
    if (status)
        return status;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = p.maxThreadsPerBlock;
        break;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxBlockDimZ:
        *value = p.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX];
        break;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
        *value = p.maxGridSize[attribute - cudaDevAttrMaxGridDimX];
        break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = (int)p.sharedMemPerBlock;
        break;
    case cudaDevAttrTotalConstantMemory:
        *value = (int)p.totalConstMem;
        break;
    case cudaDevAttrWarpSize:
        *value = p.warpSize;
        break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
        *value = p.regsPerMultiprocessor;
        break;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate:
        *value = 1000000; /* kHz; clock64() counts nanoseconds */
        break;
    case cudaDevAttrMultiProcessorCount:
        *value = p.multiProcessorCount;
        break;
    case cudaDevAttrIntegrated:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrCooperativeLaunch:
        *value = 1;
        break;
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrComputeMode:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrMaxPersistingL2CacheSize:
    case cudaDevAttrReservedSharedMemoryPerBlock:
        *value = 0;
        break;
    case cudaDevAttrGlobalMemoryBusWidth:
        *value = p.memoryBusWidth;
        break;
    case cudaDevAttrL2CacheSize:
        *value = p.l2CacheSize;
        break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = p.maxThreadsPerMultiProcessor;
        break;
    case cudaDevAttrComputeCapabilityMajor:
        *value = p.major;
        break;
    case cudaDevAttrComputeCapabilityMinor:
        *value = p.minor;
        break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)p.sharedMemPerBlockOptin;
        break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
        *value = p.maxBlocksPerMultiProcessor;
        break;
    default:
        return emulator_result(cudaErrorInvalidValue);
    }
    return emulator_result(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void) {
    HOST_ONLY();
    EMULATOR_WATCH(watch_host_waits, NULL, NULL);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaProfilerStart(void) {
    HOST_ONLY();
    return emulator_result(cudaSuccess);
}
cudaError_t cudaProfilerStop(void) {
    HOST_ONLY();
    return emulator_result(cudaSuccess);
}

cudaError_t cudaDeviceReset(void) {
    HOST_ONLY();
    broken = last_error = cudaSuccess;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
    HOST_ONLY();
    *version = CUDART_VERSION;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int *version) {
    HOST_ONLY();
    *version = CUDART_VERSION;
    return emulator_result(cudaSuccess);
}

/* ---- graphs: the work that a stream got while it was captured --------------------------- */

struct node {
    struct node *next;
    enum { LAUNCH, COPY, SET } kind;
    struct emulator_launch launch; /* its arguments follow the node */
    void *to;
    const void *from;
    size_t size;
    int value;
    char arguments[] __attribute__((aligned(16)));
};

struct CUgraph_st {
    struct node *first, **end;
    unsigned owners; /* the graph and its executables */
};

struct CUstream_st {
    struct CUgraph_st *capture; /* NULL if its work runs at once */
};

struct CUgraphExec_st {
    struct CUgraph_st *graph;
};

static bool is_capturing(cudaStream_t stream) {
    return stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread && stream->capture;
}

static struct node *record(cudaStream_t stream, size_t argument_bytes) {
    struct node *node = calloc(1, sizeof *node + argument_bytes);
    if (!node)
        abort();
    *stream->capture->end = node;
    stream->capture->end = &node->next;
    return node;
}

static void release_graph(struct CUgraph_st *graph) {
    if (--graph->owners)
        return;
    for (struct node *node = graph->first, *next; node; node = next) {
        next = node->next;
        free(node);
    }
    free(graph);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
    HOST_ONLY();
    (void)mode;
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return emulator_result(cudaErrorStreamCaptureUnsupported);
    if (stream->capture)
        return emulator_result(cudaErrorIllegalState);
    stream->capture = calloc(1, sizeof *stream->capture);
    if (!stream->capture)
        return emulator_result(cudaErrorMemoryAllocation);
    stream->capture->end = &stream->capture->first;
    stream->capture->owners = 1;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    HOST_ONLY();
    if (!is_capturing(stream))
        return emulator_result(cudaErrorIllegalState);
    *graph = stream->capture;
    stream->capture = NULL;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags) {
    HOST_ONLY();
    (void)flags;
    *executable = calloc(1, sizeof **executable);
    if (!*executable)
        return emulator_result(cudaErrorMemoryAllocation);
    (*executable)->graph = graph;
    graph->owners++;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    HOST_ONLY();
    release_graph(graph);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    HOST_ONLY();
    release_graph(executable->graph);
    free(executable);
    return emulator_result(cudaSuccess);
}

unsigned long long emulator_launches;
struct emulator_widest emulator_widest;

static void note_size(dim3 grid, dim3 block) {
    unsigned blocks = grid.x * grid.y * grid.z, threads = block.x * block.y * block.z;
    if ((size_t)blocks * threads > (size_t)emulator_widest.blocks * emulator_widest.threads)
        emulator_widest = (struct emulator_widest){blocks, threads};
}

static cudaError_t run(const struct emulator_launch *launch) {
    emulator_launches++;
    note_size(launch->grid, launch->block);
    EMULATOR_WATCH(watch_begin_launch, launch);
    EMULATOR_WATCH(counted_begin_launch, launch);
    cudaError_t status = emulator_run(launch);
    EMULATOR_WATCH(counted_end_launch);
    EMULATOR_WATCH(watch_end_launch);
    if (status)
        broken = status;
    return status;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    HOST_ONLY();
    if (broken)
        return emulator_result(broken);
    for (struct node *node = executable->graph->first; node; node = node->next) {
        if (node->kind != LAUNCH) {
            EMULATOR_WATCH(watch_copy, node->to, node->from, node->size, stream, 0);
            EMULATOR_WATCH(counted_copy, node->to, node->from, node->size);
        }
        node->launch.stream = stream;
        if (node->kind == COPY)
            memmove(node->to, node->from, node->size);
        else if (node->kind == SET)
            memset(node->to, node->value, node->size);
        else if (run(&node->launch))
            break;
    }
    return emulator_result(cudaSuccess);
}

/* ---- streams and events ----------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
    HOST_ONLY();
    *stream = calloc(1, sizeof **stream);
    if (*stream)
        EMULATOR_WATCH(watch_stream, *stream, !(flags & cudaStreamNonBlocking));
    return emulator_result(*stream ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    HOST_ONLY();
    return cudaStreamCreateWithFlags(stream, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
    HOST_ONLY();
    (void)priority;
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    HOST_ONLY();
    if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return emulator_result(cudaErrorInvalidResourceHandle);
    free(stream);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    HOST_ONLY();
    EMULATOR_WATCH(watch_host_waits, stream ? stream : cudaStreamLegacy, NULL);
    return emulator_result(is_capturing(stream) ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    HOST_ONLY();
    return cudaStreamSynchronize(stream);
}

struct CUevent_st {
    struct timespec when;
    bool recorded, timed;
};

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    HOST_ONLY();
    (void)flags;
    if (event)
        EMULATOR_WATCH(watch_wait, stream, event);
    return emulator_result(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    HOST_ONLY();
    *event = calloc(1, sizeof **event);
    if (!*event)
        return emulator_result(cudaErrorMemoryAllocation);
    (*event)->timed = !(flags & cudaEventDisableTiming);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    HOST_ONLY();
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    HOST_ONLY();
    if (!event)
        return emulator_result(cudaErrorInvalidResourceHandle);
    free(event);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    HOST_ONLY();
    if (!event)
        return emulator_result(cudaErrorInvalidResourceHandle);
    if (is_capturing(stream)) /* it would be another node of the graph */
        return emulator_result(cudaErrorNotSupported);
    event->recorded = true;
    EMULATOR_WATCH(watch_event, event, stream);
    clock_gettime(CLOCK_MONOTONIC, &event->when);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    HOST_ONLY();
    if (event)
        EMULATOR_WATCH(watch_host_waits, NULL, event);
    return emulator_result(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    HOST_ONLY();
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    HOST_ONLY();
    if (!start || !end || !start->recorded || !end->recorded || !start->timed || !end->timed)
        return emulator_result(cudaErrorInvalidResourceHandle);
    *milliseconds = (float)(end->when.tv_sec - start->when.tv_sec) * 1e3f +
                    (float)(end->when.tv_nsec - start->when.tv_nsec) * 1e-6f;
    return emulator_result(cudaSuccess);
}

/* ---- memory ----------------------------------------------------------------------------- */

/* Every allocation has its own pages, and ends where pages without access begin, as many as an
 * index of another block is likely to miss it by. Its size is rounded up to 256 bytes, as
 * cudaMalloc does. An access past that ends the process, like any illegal address. */
struct allocation {
    struct allocation *next;
    char *pages, *begin;
    size_t page_bytes, size;
    bool on_host; /* cudaMallocHost */
    bool managed;
};

static struct allocation *allocations;
static pthread_mutex_t allocations_mutex = PTHREAD_MUTEX_INITIALIZER;

static cudaError_t allocate(void **pointer, size_t size, bool on_host, bool managed) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), rounded = (size + 255) / 256 * 256;
    size_t bytes = (rounded + page - 1) / page * page, guard = 64 * 1024;
    if (broken)
        return emulator_result(broken);
    if (!pointer)
        return emulator_result(cudaErrorInvalidValue);
    if (size == 0) {
        *pointer = NULL;
        return emulator_result(managed ? cudaErrorInvalidValue : cudaSuccess);
    }
    if (size > MEMORY_BYTES)
        return emulator_result(cudaErrorMemoryAllocation);
    struct allocation *a = calloc(1, sizeof *a);
    char *pages =
        mmap(NULL, bytes + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!a || pages == MAP_FAILED) {
        free(a);
        if (pages != MAP_FAILED)
            munmap(pages, bytes + guard);
        return emulator_result(cudaErrorMemoryAllocation);
    }
    mprotect(pages + bytes, guard, PROT_NONE);
    *a = (struct allocation){.pages = pages,
                             .begin = pages + bytes - rounded,
                             .page_bytes = bytes + guard,
                             .size = size,
                             .on_host = on_host,
                             .managed = managed};
    memset(a->begin, 0xA7, rounded); /* garbage, since no program may rely on zeros */
    pthread_mutex_lock(&allocations_mutex);
    a->next = allocations;
    allocations = a;
    pthread_mutex_unlock(&allocations_mutex);
    *pointer = a->begin;
    EMULATOR_WATCH(watch_allocated, a->begin, size,
                   on_host   ? EMULATOR_PINNED_MEMORY
                   : managed ? EMULATOR_MANAGED_MEMORY
                             : EMULATOR_DEVICE_MEMORY);
    EMULATOR_WATCH(counted_allocated, a->begin, size);
    return emulator_result(cudaSuccess);
}

static cudaError_t release(void *pointer, bool on_host) {
    if (!pointer || broken)
        return emulator_result(cudaSuccess);
    pthread_mutex_lock(&allocations_mutex);
    struct allocation **link = &allocations, *found;
    while (*link && ((*link)->begin != pointer || (*link)->on_host != on_host))
        link = &(*link)->next;
    found = *link;
    if (found)
        *link = found->next;
    pthread_mutex_unlock(&allocations_mutex);
    if (!found)
        return emulator_result(cudaErrorInvalidValue);
    EMULATOR_WATCH(counted_freed, found->begin);
    if (watch_freed) { /* keep the addresses, so that nothing new comes to lie there */
        watch_freed(found->begin);
        madvise(found->pages, found->page_bytes, MADV_DONTNEED);
        mprotect(found->pages, found->page_bytes, PROT_NONE);
    } else {
        munmap(found->pages, found->page_bytes);
    }
    free(found);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaMalloc(void **pointer, size_t size) {
    HOST_ONLY();
    return allocate(pointer, size, false, false);
}

cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) {
    HOST_ONLY();
    (void)stream;
    return cudaMalloc(pointer, size);
}

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned int flags) {
    HOST_ONLY();
    (void)flags;
    return allocate(pointer, size, false, true);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    HOST_ONLY();
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(pointer, *pitch * height);
}

cudaError_t cudaMallocHost(void **pointer, size_t size) {
    HOST_ONLY();
    return allocate(pointer, size, true, false);
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags) {
    HOST_ONLY();
    (void)flags;
    return cudaMallocHost(pointer, size);
}

cudaError_t cudaFree(void *pointer) {
    HOST_ONLY();
    return release(pointer, false);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    HOST_ONLY();
    (void)stream;
    return cudaFree(pointer);
}

cudaError_t cudaFreeHost(void *pointer) {
    HOST_ONLY();
    return release(pointer, true);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    HOST_ONLY();
    *total_bytes = *free_bytes = MEMORY_BYTES;
    pthread_mutex_lock(&allocations_mutex);
    for (const struct allocation *a = allocations; a; a = a->next)
        if (!a->on_host)
            *free_bytes -= a->size < *free_bytes ? a->size : *free_bytes;
    pthread_mutex_unlock(&allocations_mutex);
    return emulator_result(cudaSuccess);
}

/* Whether these bytes can be what the caller says: the device's or the host's. A range that begins
 * in an allocation must lie wholly inside it. Memory that was not allocated here is the host's, or
 * a __device__ variable (`symbol`). */
static bool plausible(const void *pointer, size_t size, bool on_device, bool symbol) {
    bool fits = !on_device || symbol;
    pthread_mutex_lock(&allocations_mutex);
    for (const struct allocation *a = allocations; a; a = a->next) {
        size_t offset = (size_t)((const char *)pointer - a->begin);
        if ((const char *)pointer < a->begin || offset >= a->size)
            continue;
        fits = size <= a->size - offset && (on_device || a->on_host || a->managed);
        break;
    }
    pthread_mutex_unlock(&allocations_mutex);
    return fits;
}

/* The addresses that cudaGetSymbolAddress gave. Copies to and from them are allowed. */
static struct symbol {
    const char *begin;
    size_t size;
} symbols[64];
static unsigned symbol_count;

static bool in_symbol(const void *pointer, size_t size) {
    for (unsigned i = 0; i < symbol_count; i++) {
        size_t offset = (size_t)((const char *)pointer - symbols[i].begin);
        if ((const char *)pointer >= symbols[i].begin && offset < symbols[i].size)
            return size <= symbols[i].size - offset;
    }
    return false;
}

void emulator_know_symbol(const void *begin, size_t size) {
    HOST_ONLY();
    for (unsigned i = 0; i < symbol_count; i++)
        if (symbols[i].begin == begin)
            return;
    if (symbol_count < sizeof symbols / sizeof *symbols)
        symbols[symbol_count++] = (struct symbol){begin, size};
}

static cudaError_t check_copy(const void *to, const void *from, size_t size,
                              enum cudaMemcpyKind kind) {
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (size == 0 || kind == cudaMemcpyDefault)
        return cudaSuccess;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (!to || !from || !plausible(to, size, to_device, in_symbol(to, size)) ||
        !plausible(from, size, from_device, in_symbol(from, size)))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t copy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                        cudaStream_t stream, bool waits) {
    cudaError_t status = broken ? broken : check_copy(to, from, size, kind);
    if (status || size == 0)
        return emulator_result(status);
    if (is_capturing(stream)) {
        struct node *node = record(stream, 0);
        node->kind = COPY;
        node->to = to;
        node->from = from;
        node->size = size;
    } else {
        EMULATOR_WATCH(watch_copy, to, from, size, stream, waits);
        EMULATOR_WATCH(counted_copy, to, from, size);
        memmove(to, from, size);
    }
    return emulator_result(cudaSuccess);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    HOST_ONLY();
    return copy(to, from, size, kind, stream, false);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    HOST_ONLY();
    return copy(to, from, size, kind, NULL, true);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    HOST_ONLY();
    if (width > to_pitch || width > from_pitch)
        return emulator_result(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; row++) {
        cudaError_t status =
            cudaMemcpyAsync((char *)to + row * to_pitch, (const char *)from + row * from_pitch,
                            width, kind, stream);
        if (status)
            return status;
    }
    return emulator_result(cudaSuccess);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
    HOST_ONLY();
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, NULL);
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t size, cudaStream_t stream) {
    HOST_ONLY();
    if (broken || size == 0)
        return emulator_result(broken);
    if (!plausible(pointer, size, true, in_symbol(pointer, size)))
        return emulator_result(cudaErrorInvalidValue);
    if (is_capturing(stream)) {
        struct node *node = record(stream, 0);
        node->kind = SET;
        node->to = pointer;
        node->value = value;
        node->size = size;
    } else {
        EMULATOR_WATCH(watch_copy, pointer, NULL, size, stream, 0);
        EMULATOR_WATCH(counted_copy, pointer, NULL, size);
        memset(pointer, value, size);
    }
    return emulator_result(cudaSuccess);
}

cudaError_t cudaMemset(void *pointer, int value, size_t size) {
    HOST_ONLY();
    return cudaMemsetAsync(pointer, value, size, NULL);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    HOST_ONLY();
    if (width > pitch)
        return emulator_result(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; row++) {
        cudaError_t status = cudaMemset((char *)pointer + row * pitch, value, width);
        if (status)
            return status;
    }
    return emulator_result(cudaSuccess);
}

/* ---- kernels ---------------------------------------------------------------------------- */

/* Kernels that may use more dynamic shared memory than usual. */
static struct {
    const void *kernel;
    int bytes;
} allowed[256];
static unsigned allowed_count;

static size_t allowed_shared(const void *kernel) {
    if (!kernel) /* a template whose address only the compiler knows: trust it */
        return emulator_device.shared_block_bytes;
    for (unsigned i = 0; i < allowed_count; i++)
        if (allowed[i].kernel == kernel)
            return (size_t)allowed[i].bytes;
    return EMULATOR_SHARED;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
    HOST_ONLY();
    if (!kernel)
        return emulator_result(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return emulator_result(value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        value > (int)emulator_device.shared_block_bytes)
        return emulator_result(cudaErrorInvalidValue);
    unsigned i = 0;
    while (i < allowed_count && allowed[i].kernel != kernel)
        i++;
    if (i == sizeof allowed / sizeof *allowed)
        return emulator_result(cudaErrorMemoryAllocation);
    allowed[i].kernel = kernel;
    allowed[i].bytes = value;
    if (i == allowed_count)
        allowed_count++;
    return emulator_result(cudaSuccess);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel) {
    HOST_ONLY();
    if (!kernel)
        return emulator_result(cudaErrorInvalidDeviceFunction);
    *attributes = (struct cudaFuncAttributes){
        .maxThreadsPerBlock = EMULATOR_MAX_THREADS,
        .ptxVersion = 90,
        .binaryVersion = 90,
        .maxDynamicSharedSizeBytes = (int)allowed_shared(kernel),
    };
    return emulator_result(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config) {
    HOST_ONLY();
    (void)config;
    return emulator_result(kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    HOST_ONLY();
    (void)config;
    return emulator_result(cudaSuccess);
}

static int blocks_per_multiprocessor(size_t block_size, size_t shared_bytes) {
    size_t threads = (block_size + EMULATOR_WARP - 1) / EMULATOR_WARP * EMULATOR_WARP;
    size_t blocks = emulator_device.threads / threads;
    if (blocks > emulator_device.blocks)
        blocks = emulator_device.blocks;
    if (shared_bytes && blocks > emulator_device.shared_bytes / shared_bytes)
        blocks = emulator_device.shared_bytes / shared_bytes;
    return (int)blocks;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int block_size, size_t shared_bytes) {
    HOST_ONLY();
    if (!kernel)
        return emulator_result(cudaErrorInvalidDeviceFunction);
    if (!blocks || block_size < 1)
        return emulator_result(cudaErrorInvalidValue);
    *blocks = block_size > EMULATOR_MAX_THREADS || shared_bytes > allowed_shared(kernel)
                  ? 0
                  : blocks_per_multiprocessor((size_t)block_size, shared_bytes);
    return emulator_result(cudaSuccess);
}

static cudaError_t admit(const struct emulator_launch *launch) {
    /* CUDA 13 returns cudaErrorInvalidValue for all of these. Older versions return
     * cudaErrorInvalidConfiguration for an impossible size of a grid or a block. */
    dim3 grid = launch->grid, block = launch->block;
    if (broken)
        return broken;
    if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z)
        return cudaErrorInvalidValue;
    if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
        return cudaErrorInvalidValue;
    if (block.x > 1024 || block.y > 1024 || block.z > 64 ||
        (size_t)block.x * block.y * block.z > EMULATOR_MAX_THREADS)
        return cudaErrorInvalidValue;
    if (launch->shared_bytes > allowed_shared(launch->kernel))
        return cudaErrorInvalidValue;
    if (launch->cooperative) {
        size_t fit = emulator_device.multiprocessors *
                     (size_t)blocks_per_multiprocessor((size_t)block.x * block.y * block.z,
                                                       launch->shared_bytes);
        if ((size_t)grid.x * grid.y * grid.z > fit)
            return cudaErrorCooperativeLaunchTooLarge;
    }
    return cudaSuccess;
}

cudaError_t emulator_launch(const struct emulator_launch *launch) {
    if (emulator_in_kernel()) {
        fprintf(stderr,
                "emulator: line %d: a kernel launches %s, but the emulator has no dynamic "
                "parallelism: launch it on the host\n",
                launch->line, launch->name);
        abort();
    }
    cudaError_t status = admit(launch);
    if (status)
        return emulator_result(status);
    if (is_capturing(launch->stream)) {
        struct node *node = record(launch->stream, launch->argument_bytes);
        node->kind = LAUNCH;
        node->launch = *launch;
        memcpy(node->arguments, launch->arguments, launch->argument_bytes);
        node->launch.arguments = node->arguments;
        return emulator_result(cudaSuccess);
    }
    return emulator_result(run(launch));
}

/* ---- hazards: the checked build's analysis (analysis.c) sees them ---- */

/* On pages of their own, which are read-only from the step's set-up on. 64 KiB is the largest page
 * that Linux has. */
static struct {
    void (*tell)(const struct hazard *hazard);
    char rest[64 * 1024 - sizeof(void (*)(void))];
} sealed __attribute__((aligned(64 * 1024)));

void emulator_on_hazard(void (*tell)(const struct hazard *hazard)) { sealed.tell = tell; }

void emulator_tell_hazard(const struct hazard *hazard) {
    if (sealed.tell)
        sealed.tell(hazard);
}

void emulator_begin_call(const void *input, size_t input_bytes, void *output, size_t output_bytes) {
    EMULATOR_WATCH(watch_begin_call, input, input_bytes, output, output_bytes);
    EMULATOR_WATCH(counted_begin_call, input, input_bytes, output, output_bytes);
}

void emulator_end_call(void) {
    EMULATOR_WATCH(counted_end_call);
    EMULATOR_WATCH(watch_end_call);
}
void emulator_begin_step(void) {
    if (mprotect(&sealed, sizeof sealed, PROT_READ) != 0) {
        fprintf(stderr, "emulator: cannot protect its own memory\n");
        abort();
    }
    EMULATOR_WATCH(watch_begin_step);
}

void emulator_end_step(void) { EMULATOR_WATCH(watch_end_step); }
void emulator_grid_dependency_wait(void) {
    EMULATOR_WATCH(watch_dependency_wait);
    EMULATOR_WATCH(counted_dependency, 1, __builtin_return_address(0));
}
void emulator_grid_dependency_trigger(void) {
    EMULATOR_WATCH(counted_dependency, 0, __builtin_return_address(0));
}
