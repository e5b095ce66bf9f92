// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The driver's functions, by way of the runtime's. Streams and events are the same there. */
#include "../include/cuda.h"
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- contexts: names, for the device has one memory ------------------------------------- */

struct CUctx_st {
    unsigned flags;
};
static struct CUctx_st primary;
enum { DEEPEST = 64 };
static __thread CUcontext contexts[DEEPEST];
static __thread unsigned depth;

static CUcontext current(void) {
    if (depth && contexts[depth - 1])
        return contexts[depth - 1];
    return emulator_runtime_used ? &primary : NULL; /* the runtime takes the primary one */
}

/* Runs a function of the runtime, and leaves cudaGetLastError as it was. */
#define RUN(call)                                                                                  \
    do {                                                                                           \
        cudaError_t before = emulator_take_error();                                                \
        cudaError_t status = (call);                                                               \
        emulator_put_error(before);                                                                \
        return (CUresult)status;                                                                   \
    } while (0)

/* At the beginning of what needs cuInit, and of what needs a context. */
#define NEEDS_DRIVER()                                                                             \
    HOST_ONLY();                                                                                   \
    if (!initialized && !emulator_runtime_used)                                                    \
    return CUDA_ERROR_NOT_INITIALIZED
#define NEEDS_CONTEXT()                                                                            \
    NEEDS_DRIVER();                                                                                \
    if (!current())                                                                                \
    return CUDA_ERROR_INVALID_CONTEXT

static bool initialized;

static void *at(CUdeviceptr pointer) { return (void *)(uintptr_t)pointer; }

#define EMULATOR_DRIVER_CALL(name, parameters, call)                                               \
    CUresult name parameters {                                                                     \
        NEEDS_CONTEXT();                                                                           \
        RUN(call);                                                                                 \
    }
#include "../include/driver_calls.def"

CUresult cuInit(unsigned int flags) {
    HOST_ONLY();
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    initialized = true;
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
    HOST_ONLY();
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

static const struct {
    CUresult number;
    const char *name, *text;
} errors[] = {
#define EMULATOR_ERROR(number, name, driver_name, text) {driver_name, #driver_name, text},
#define EMULATOR_RUNTIME_ERROR(number, name, text)
#include "../include/errors.def"
};
enum { ERRORS = sizeof errors / sizeof *errors };

CUresult cuGetErrorName(CUresult error, const char **name) {
    HOST_ONLY();
    *name = NULL;
    for (int i = 0; i < ERRORS && !*name; i++)
        if (errors[i].number == error)
            *name = errors[i].name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    HOST_ONLY();
    *text = NULL;
    for (int i = 0; i < ERRORS && !*text; i++)
        if (errors[i].number == error)
            *text = errors[i].text;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- the device ------------------------------------------------------------------------- */

CUresult cuDeviceGet(CUdevice *device, int number) {
    NEEDS_DRIVER();
    if (!emulator_is_device(number))
        return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
    NEEDS_DRIVER();
    *count = 1;
    return CUDA_SUCCESS;
}

static CUresult properties_of(struct cudaDeviceProp *properties, CUdevice device) {
    NEEDS_DRIVER();
    bool used = emulator_runtime_used;
    cudaError_t before = emulator_take_error();
    CUresult status = (CUresult)cudaGetDeviceProperties(properties, device);
    emulator_put_error(before);
    emulator_runtime_used = used;
    return status;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    struct cudaDeviceProp p;
    CUresult status = properties_of(&p, device);
    if (!status)
        snprintf(name, (size_t)size, "%s", p.name);
    return status;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    struct cudaDeviceProp p;
    CUresult status = properties_of(&p, device);
    if (!status)
        *bytes = p.totalGlobalMem;
    return status;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    NEEDS_DRIVER();
    bool used = emulator_runtime_used;
    cudaError_t before = emulator_take_error();
    cudaError_t status = cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
    emulator_put_error(before);
    emulator_runtime_used = used;
    return (CUresult)status;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    struct cudaDeviceProp p;
    CUresult status = properties_of(&p, device);
    if (!status) {
        *major = p.major;
        *minor = p.minor;
    }
    return status;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    NEEDS_DRIVER();
    RUN(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    NEEDS_DRIVER();
    *context = &primary;
    return emulator_is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    NEEDS_DRIVER();
    return emulator_is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

/* ---- contexts --------------------------------------------------------------------------- */

CUresult cuCtxPushCurrent(CUcontext context) {
    NEEDS_DRIVER();
    if (!context || depth == DEEPEST)
        return context ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_CONTEXT;
    contexts[depth++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
    NEEDS_CONTEXT();
    if (context)
        *context = current();
    if (depth)
        depth--;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    NEEDS_DRIVER();
    if (!depth)
        depth = 1;
    contexts[depth - 1] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    NEEDS_DRIVER();
    *context = current();
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
    NEEDS_DRIVER();
    if (!emulator_is_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    *context = calloc(1, sizeof **context);
    if (!*context)
        return CUDA_ERROR_OUT_OF_MEMORY;
    (*context)->flags = flags;
    return cuCtxPushCurrent(*context);
}

/* Its memory is not freed: another context may have it. */
CUresult cuCtxDestroy(CUcontext context) {
    NEEDS_DRIVER();
    if (!context)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (depth && contexts[depth - 1] == context)
        depth--;
    if (context != &primary)
        free(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    NEEDS_CONTEXT();
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
    NEEDS_DRIVER();
    (void)context;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
    NEEDS_CONTEXT();
    (void)peer, (void)flags;
    return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
    NEEDS_CONTEXT();
    (void)peer;
    return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

/* ---- memory ----------------------------------------------------------------------------- */

/* A function that gives a pointer, where the driver gives a number. */
#define GIVE(pointer, call)                                                                        \
    NEEDS_CONTEXT();                                                                               \
    void *place = NULL;                                                                            \
    cudaError_t before = emulator_take_error();                                                    \
    cudaError_t status = pointer ? (call) : cudaErrorInvalidValue;                                 \
    emulator_put_error(before);                                                                    \
    if (!status)                                                                                   \
        *pointer = (uintptr_t)place;                                                               \
    return (CUresult)status

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t size) {
    GIVE(pointer, size ? cudaMalloc(&place, size) : cudaErrorInvalidValue);
}

CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                         unsigned int element) {
    (void)element;
    GIVE(pointer, cudaMallocPitch(&place, pitch, width, height));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *on_device, void *on_host, unsigned int flags) {
    GIVE(on_device, cudaHostGetDevicePointer(&place, on_host, flags));
}

CUresult cuMemGetAddressRange(CUdeviceptr *begin, size_t *size, CUdeviceptr pointer) {
    NEEDS_CONTEXT();
    struct allocation found;
    if (!emulator_find_allocation(at(pointer), &found))
        return CUDA_ERROR_NOT_FOUND;
    if (begin)
        *begin = (uintptr_t)found.begin;
    if (size)
        *size = found.size;
    return CUDA_SUCCESS;
}

/* ---- sets ------------------------------------------------------------------------------- */

static CUresult set(CUdeviceptr pointer, unsigned value, unsigned bytes, size_t count) {
    NEEDS_CONTEXT();
    struct transfer t = emulator_row(at(pointer), NULL, count * bytes);
    t.value = value;
    t.value_bytes = bytes;
    if (pointer % bytes)
        return CUDA_ERROR_INVALID_VALUE;
    cudaError_t status = emulator_check_transfer(&t, cudaMemcpyDefault);
    return (CUresult)(status ? status : emulator_transfer(&t, NULL, false));
}

CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count) {
    return set(pointer, value, 1, count);
}
CUresult cuMemsetD16(CUdeviceptr pointer, unsigned short value, size_t count) {
    return set(pointer, value, 2, count);
}
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned int value, size_t count) {
    return set(pointer, value, 4, count);
}

/* ---- kernels of this program ------------------------------------------------------------ */

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel) {
    HOST_ONLY();
    const char *name;
    cudaError_t status = function ? cudaFuncGetName(&name, kernel) : cudaErrorInvalidValue;
    if (!status)
        *function = (cudaFunction_t)(uintptr_t)kernel;
    return emulator_result(status);
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **arguments, void **extra) {
    NEEDS_CONTEXT();
    if (extra)
        RUN(emulator_not_supported(__func__, "arguments in `extra`: use kernelParams"));
    RUN(cudaLaunchKernel(function, (dim3){grid_x, grid_y, grid_z},
                         (dim3){block_x, block_y, block_z}, arguments, shared_bytes, stream));
}

CUresult emulator_loads_code(const char *function) {
    HOST_ONLY();
    RUN(emulator_not_supported(
        function, "the emulator runs the kernels of the program's own source, and loads no PTX, "
                  "cubin or fat binary"));
}
