/* CUDA's memory: allocations, pools, the heap of kernels, and what both sides may use. */
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- allocate and free ------------------------------------------------------------------ */

/* The result is not yet noted for cudaGetLastError. */
static cudaError_t allocate(void **pointer, size_t size, enum emulator_memory kind) {
    size_t rounded = (size + 255) / 256 * 256, page = emulator_page_for(rounded);
    size_t bytes = (rounded + page - 1) / page * page, guard = 64 * 1024;
    if (emulator_broken)
        return emulator_broken;
    if (!pointer)
        return cudaErrorInvalidValue;
    if (size == 0) {
        *pointer = NULL;
        TELL(watch_allocated, NULL, 0, kind);
        return kind == EMULATOR_MANAGED_MEMORY ? cudaErrorInvalidValue : cudaSuccess;
    }
    emulator_lock();
    char *pages = size > emulator_memory_bytes ? NULL : emulator_map(bytes + guard);
    if (!pages) {
        emulator_unlock();
        TELL(watch_not_allocated);
        return cudaErrorMemoryAllocation;
    }
    mprotect(pages + bytes, guard, PROT_NONE);
    struct allocation *a = emulator_need(malloc(sizeof *a));
    *a = (struct allocation){.pages = pages,
                             .begin = pages + bytes - rounded,
                             .page_bytes = bytes + guard,
                             .size = size,
                             .kind = kind};
    if (!emulator_only_launch)
        memset(a->begin, 0xA7, rounded); /* garbage, since no program may rely on zeros */
    *pointer = a->begin;
    emulator_add_allocation(a);
    emulator_close_new(pages, bytes);
    emulator_unlock();
    if (kind != EMULATOR_HEAP_MEMORY) /* its blocks are told of */
        TELL(watch_allocated, *pointer, size, kind);
    TELL(counted_allocated, *pointer, size);
    return cudaSuccess;
}

static cudaError_t release(void *pointer, bool on_host) {
    if (!pointer || emulator_broken)
        return emulator_broken;
    struct allocation *found = emulator_take_allocation(
        pointer, on_host ? 1 << EMULATOR_PINNED_MEMORY
                         : 1 << EMULATOR_DEVICE_MEMORY | 1 << EMULATOR_MANAGED_MEMORY);
    if (!found)
        return cudaErrorInvalidValue;
    TELL(counted_freed, found->begin);
    TELL(watch_freed, found->begin);
    /* Addresses are kept: nothing new comes to lie there; in each build, so that none is told. */
    madvise(found->pages, found->page_bytes, MADV_DONTNEED);
    mprotect(found->pages, found->page_bytes, PROT_NONE);
    free(found);
    return cudaSuccess;
}

/* A step does not learn how much the harness has for it: that differs from check to check. */
static size_t bytes_in_use(void) {
    enum { COARSE = 1 << 30 };
    size_t bytes = 0;
    for (const struct allocation *a = emulator_hold_allocations(); a; a = a->next)
        bytes += a->kind != EMULATOR_PINNED_MEMORY && a->kind != EMULATOR_REGISTERED_MEMORY
                     ? a->size
                     : 0;
    emulator_let_allocations_go();
    return emulator_any_program ? bytes : (bytes + COARSE - 1) / COARSE * COARSE;
}

static size_t bytes_left(void) {
    size_t used = bytes_in_use();
    return used < emulator_memory_bytes ? emulator_memory_bytes - used : 0;
}

/* ---- memory of the host ----------------------------------------------------------------- */

cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags) {
    HOST_ONLY();
    struct allocation other;
    FAIL_IF(!pointer || !size || flags & ~15u, cudaErrorInvalidValue);
    FAIL_IF(emulator_find_allocation(pointer, &other) ||
                emulator_find_allocation((char *)pointer + size - 1, &other),
            cudaErrorHostMemoryAlreadyRegistered);
    FAIL_IF(watch_may_register && !watch_may_register(pointer, size), cudaErrorInvalidValue);
    struct allocation *a = emulator_need(malloc(sizeof *a));
    *a = (struct allocation){.begin = pointer, .size = size, .kind = EMULATOR_REGISTERED_MEMORY};
    emulator_add_allocation(a);
    TELL(watch_allocated, pointer, size, EMULATOR_REGISTERED_MEMORY);
    TELL(counted_allocated, pointer, size);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *pointer) {
    HOST_ONLY();
    struct allocation *found = emulator_take_allocation(pointer, 1 << EMULATOR_REGISTERED_MEMORY);
    FAIL_IF(!found, cudaErrorHostMemoryNotRegistered);
    TELL(counted_freed, pointer);
    TELL(watch_unregistered, pointer);
    free(found);
    return emulator_result(cudaSuccess);
}

static bool is_of_host(const void *pointer) {
    struct allocation found;
    return emulator_find_allocation(pointer, &found) &&
           (found.kind == EMULATOR_PINNED_MEMORY || found.kind == EMULATOR_REGISTERED_MEMORY);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
    HOST_ONLY();
    struct allocation found;
    void *here = (void *)(uintptr_t)pointer;
    FAIL_IF(!attributes, cudaErrorInvalidValue);
    if (!emulator_find_allocation(pointer, &found)) {
        *attributes = (struct cudaPointerAttributes){cudaMemoryTypeUnregistered, -2, NULL, here};
        if (emulator_is_symbol(pointer, 1))
            *attributes = (struct cudaPointerAttributes){cudaMemoryTypeDevice, 0, here, NULL};
        return emulator_result(cudaSuccess);
    }
    *attributes = (struct cudaPointerAttributes){
        .type = emulator_is_on_device(&found)           ? cudaMemoryTypeDevice
                : found.kind == EMULATOR_MANAGED_MEMORY ? cudaMemoryTypeManaged
                                                        : cudaMemoryTypeHost,
        .devicePointer = here,
        .hostPointer = emulator_is_on_device(&found) ? NULL : here,
    };
    return emulator_result(cudaSuccess);
}

/* ---- advice for managed memory, which changes nothing here ------------------------------ */

static cudaError_t check_managed(const void *pointer, size_t size) {
    struct allocation found;
    bool inside = emulator_find_allocation(pointer, &found) &&
                  found.kind == EMULATOR_MANAGED_MEMORY &&
                  size <= found.size - (size_t)((const char *)pointer - found.begin);
    return inside && size ? cudaSuccess : cudaErrorInvalidValue;
}

static bool is_place(struct cudaMemLocation location) {
    return location.type >= cudaMemLocationTypeHost ||
           (location.type == cudaMemLocationTypeDevice && emulator_is_device(location.id));
}

cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
    HOST_ONLY();
    bool placed =
        advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy;
    FAIL_IF(advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy,
            cudaErrorInvalidValue);
    FAIL_IF(placed && !is_place(location), cudaErrorInvalidDevice);
    return emulator_result(check_managed(pointer, size));
}

/* ---- in the order of a stream ----------------------------------------------------------- */

/* A name alone: what is freed is never used again. */
struct CUmemPoolHandle_st {
    char nothing;
};
static struct CUmemPoolHandle_st pool_of_device;

/* For the analysis it is a write of the stream: work that may still use the memory conflicts. */
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    HOST_ONLY();
    struct allocation found;
    FAIL_IF(emulator_is_capturing(stream), cudaErrorStreamCaptureUnsupported);
    if (pointer && emulator_find_allocation(pointer, &found) && found.begin == pointer)
        TELL(watch_copy, pointer, NULL, found.size, stream, 0);
    return cudaFree(pointer);
}

#include "../include/calls/memory.def"

/* ---- the heap of the device: malloc and new in kernels ------------------------------------ */

/* Its memory comes in pieces, which begin with this. No address is used twice in any build: it
 * would look like a race. */
struct piece {
    char *end, *unused;
    size_t blocks;
};

/* Before each block. */
struct block {
    size_t size; /* 0: it is free */
    struct piece *piece;
};

static struct piece *newest; /* that blocks are taken of */
static size_t taken;         /* bytes, with what stands before them */
static pthread_mutex_t heap_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct piece *new_piece(size_t bytes) {
    enum { PIECE = 1 << 20 };
    void *begin;
    bytes = bytes > PIECE ? bytes : PIECE;
    if (allocate(&begin, bytes, EMULATOR_HEAP_MEMORY) != cudaSuccess)
        return NULL;
    newest = begin;
    *newest = (struct piece){.end = (char *)begin + bytes, .unused = (char *)(newest + 1)};
    return newest;
}

static struct block *take(size_t size, size_t align) {
    size_t most = emulator_limits[cudaLimitMallocHeapSize], bytes = sizeof(struct block) + size;
    if (size > most || taken + bytes + align > most)
        return NULL;
    struct piece *piece = newest;
    if (!piece || (size_t)(piece->end - piece->unused) < bytes + align)
        piece = new_piece(sizeof *piece + bytes + align);
    if (!piece)
        return NULL;
    uintptr_t begin = (uintptr_t)piece->unused + sizeof(struct block);
    struct block *block = (struct block *)((begin + align - 1) / align * align) - 1;
    piece->unused = (char *)(block + 1) + size;
    piece->blocks++;
    *block = (struct block){bytes, piece};
    taken += bytes;
    return block;
}

static void *on_device(size_t size, size_t align) {
    enum { ALIGNED = 16 };
    pthread_mutex_lock(&heap_mutex);
    struct block *block = take(size ? size : 1, align > ALIGNED ? align : ALIGNED);
    pthread_mutex_unlock(&heap_mutex);
    if (block)
        TELL(watch_allocated, block + 1, size ? size : 1, EMULATOR_HEAP_MEMORY);
    return block ? block + 1 : NULL;
}

static void free_on_device(void *pointer) {
    struct block *block = (struct block *)pointer - 1;
    pthread_mutex_lock(&heap_mutex);
    struct allocation found;
    bool known = emulator_find_allocation(pointer, &found) && found.kind == EMULATOR_HEAP_MEMORY;
    struct piece *piece = known ? (struct piece *)found.begin : NULL;
    if (!known || block->piece != piece || !block->size)
        emulator_refuse("a kernel frees %p, which is not what malloc or new of a kernel has given, "
                        "or is free already",
                        pointer);
    TELL(watch_freed, pointer);
    taken -= block->size;
    block->size = 0;
    if (--piece->blocks == 0 && piece != newest)
        madvise(piece, (size_t)(piece->end - (char *)piece), MADV_DONTNEED);
    pthread_mutex_unlock(&heap_mutex);
}

/* The front end has a program's objects call these in place of the C and the C++ library's. */

void *_Znwm(size_t size);
void *_ZnwmSt11align_val_t(size_t size, size_t align);
void _ZdlPv(void *pointer);

void *emulator_malloc(size_t size) {
    return emulator_in_kernel() ? on_device(size, 0) : malloc(size);
}

void emulator_free(void *pointer) {
    if (!emulator_in_kernel())
        free(pointer);
    else if (pointer)
        free_on_device(pointer);
}

void *emulator_new(size_t size) { return emulator_in_kernel() ? on_device(size, 0) : _Znwm(size); }

void *emulator_new_aligned(size_t size, size_t align) {
    return emulator_in_kernel() ? on_device(size, align) : _ZnwmSt11align_val_t(size, align);
}

void emulator_delete(void *pointer) {
    if (emulator_in_kernel())
        emulator_free(pointer);
    else
        _ZdlPv(pointer);
}
