// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The driver's functions, by way of the runtime's. Streams, events and pools are the same there. */
#include "../include/cuda.h"
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUresult not_supported(const char *function, const char *why) {
    fprintf(stderr, "emulator: %s: %s\n", function, why);
    return CUDA_ERROR_NOT_SUPPORTED;
}

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

/* A function of the runtime that the driver has under another name. */
#define FORWARD(name, parameters, call)                                                            \
    CUresult name parameters {                                                                     \
        NEEDS_CONTEXT();                                                                           \
        RUN(call);                                                                                 \
    }

static bool initialized;

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

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    struct cudaDeviceProp p;
    CUresult status = properties_of(&p, device);
    if (!status)
        *uuid = p.uuid;
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

CUresult cuDeviceGetPCIBusId(char *id, int size, CUdevice device) {
    NEEDS_DRIVER();
    RUN(cudaDeviceGetPCIBusId(id, size, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
    NEEDS_DRIVER();
    RUN(cudaDeviceGetByPCIBusId(device, id));
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

CUresult cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxRelease(device); }

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
    primary.flags = flags;
    return cuDevicePrimaryCtxRelease(device);
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

FORWARD(cuCtxSynchronize, (void), cudaDeviceSynchronize())
FORWARD(cuCtxSetLimit, (CUlimit limit, size_t value),
        cudaDeviceSetLimit((enum cudaLimit)limit, value))
FORWARD(cuCtxGetLimit, (size_t * value, CUlimit limit),
        cudaDeviceGetLimit(value, (enum cudaLimit)limit))
FORWARD(cuCtxSetCacheConfig, (CUfunc_cache config),
        cudaDeviceSetCacheConfig((enum cudaFuncCache)config))

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

static void *at(CUdeviceptr pointer) { return (void *)(uintptr_t)pointer; }

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

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t size, unsigned int flags) {
    GIVE(pointer, cudaMallocManaged(&place, size, flags));
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t size, CUstream stream) {
    GIVE(pointer, cudaMallocAsync(&place, size, stream));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *on_device, void *on_host, unsigned int flags) {
    GIVE(on_device, cudaHostGetDevicePointer(&place, on_host, flags));
}

FORWARD(cuMemGetInfo, (size_t * free_bytes, size_t *total_bytes),
        cudaMemGetInfo(free_bytes, total_bytes))
FORWARD(cuMemAllocHost, (void **pointer, size_t size), cudaMallocHost(pointer, size))
FORWARD(cuMemFree, (CUdeviceptr pointer), cudaFree(at(pointer)))
FORWARD(cuMemFreeAsync, (CUdeviceptr pointer, CUstream stream), cudaFreeAsync(at(pointer), stream))
FORWARD(cuMemFreeHost, (void *pointer), cudaFreeHost(pointer))

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

FORWARD(cuMemHostAlloc, (void **pointer, size_t size, unsigned int flags),
        cudaHostAlloc(pointer, size, flags))
FORWARD(cuMemHostGetFlags, (unsigned int *flags, void *pointer), cudaHostGetFlags(flags, pointer))
FORWARD(cuMemHostRegister, (void *pointer, size_t size, unsigned int flags),
        cudaHostRegister(pointer, size, flags))
FORWARD(cuMemHostUnregister, (void *pointer), cudaHostUnregister(pointer))

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
    NEEDS_CONTEXT();
    struct allocation found;
    if (!emulator_find_allocation(at(pointer), &found))
        return CUDA_ERROR_INVALID_VALUE;
    bool on_device = emulator_is_on_device(&found) || found.kind == MANAGED;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)value = current();
        break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = on_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)value = pointer;
        break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (emulator_is_on_device(&found))
            return CUDA_ERROR_INVALID_VALUE;
        *(void **)value = at(pointer);
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)value = found.kind == MANAGED;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)value = 0;
        break;
    default:
        return not_supported(__func__, "this attribute");
    }
    return CUDA_SUCCESS;
}

/* ---- copies and sets -------------------------------------------------------------------- */

FORWARD(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t size),
        cudaMemcpy(at(to), at(from), size, cudaMemcpyDefault))
FORWARD(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
        cudaMemcpyAsync(at(to), at(from), size, cudaMemcpyDefault, stream))
FORWARD(cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t size),
        cudaMemcpy(at(to), from, size, cudaMemcpyHostToDevice))
FORWARD(cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t size, CUstream stream),
        cudaMemcpyAsync(at(to), from, size, cudaMemcpyHostToDevice, stream))
FORWARD(cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t size),
        cudaMemcpy(to, at(from), size, cudaMemcpyDeviceToHost))
FORWARD(cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t size, CUstream stream),
        cudaMemcpyAsync(to, at(from), size, cudaMemcpyDeviceToHost, stream))
FORWARD(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t size),
        cudaMemcpy(at(to), at(from), size, cudaMemcpyDeviceToDevice))
FORWARD(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
        cudaMemcpyAsync(at(to), at(from), size, cudaMemcpyDeviceToDevice, stream))

static CUresult set(CUdeviceptr pointer, unsigned value, unsigned bytes, size_t count,
                    CUstream stream) {
    NEEDS_CONTEXT();
    struct transfer t = emulator_row(at(pointer), NULL, count * bytes);
    t.value = value;
    t.value_bytes = bytes;
    if (pointer % bytes)
        return CUDA_ERROR_INVALID_VALUE;
    cudaError_t status = emulator_check_transfer(&t, cudaMemcpyDefault);
    return (CUresult)(status ? status : emulator_transfer(&t, stream, false));
}

CUresult cuMemsetD8Async(CUdeviceptr pointer, unsigned char value, size_t count, CUstream stream) {
    return set(pointer, value, 1, count, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr pointer, unsigned short value, size_t count,
                          CUstream stream) {
    return set(pointer, value, 2, count, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr pointer, unsigned int value, size_t count, CUstream stream) {
    return set(pointer, value, 4, count, stream);
}
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count) {
    return set(pointer, value, 1, count, NULL);
}
CUresult cuMemsetD16(CUdeviceptr pointer, unsigned short value, size_t count) {
    return set(pointer, value, 2, count, NULL);
}
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned int value, size_t count) {
    return set(pointer, value, 4, count, NULL);
}

/* ---- streams and events ----------------------------------------------------------------- */

FORWARD(cuStreamCreate, (CUstream * stream, unsigned int flags),
        cudaStreamCreateWithFlags(stream, flags))
FORWARD(cuStreamCreateWithPriority, (CUstream * stream, unsigned int flags, int priority),
        cudaStreamCreateWithPriority(stream, flags, priority))
FORWARD(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
FORWARD(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
FORWARD(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
FORWARD(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags),
        cudaStreamWaitEvent(stream, event, flags))

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void *data,
                             unsigned int flags) {
    NEEDS_CONTEXT();
    if (!function)
        return CUDA_ERROR_INVALID_VALUE;
    /* The numbers of both error types are the same. */
    RUN(cudaStreamAddCallback(stream, (cudaStreamCallback_t)(void (*)(void))function, data, flags));
}

FORWARD(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *data),
        cudaLaunchHostFunc(stream, function, data))
FORWARD(cuEventCreate, (CUevent * event, unsigned int flags),
        cudaEventCreateWithFlags(event, flags))
FORWARD(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
FORWARD(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
FORWARD(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
FORWARD(cuEventQuery, (CUevent event), cudaEventQuery(event))
FORWARD(cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent end),
        cudaEventElapsedTime(milliseconds, start, end))

/* ---- kernels of this program ------------------------------------------------------------ */

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel) {
    HOST_ONLY();
    const char *name;
    cudaError_t status = function ? cudaFuncGetName(&name, kernel) : cudaErrorInvalidValue;
    if (!status)
        *function = (cudaFunction_t)(uintptr_t)kernel;
    return emulator_result(status);
}

FORWARD(cuFuncGetName, (const char **name, CUfunction function), cudaFuncGetName(name, function))

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    NEEDS_CONTEXT();
    struct cudaFuncAttributes a;
    cudaError_t before = emulator_take_error();
    cudaError_t status = cudaFuncGetAttributes(&a, function);
    emulator_put_error(before);
    if (status)
        return CUDA_ERROR_INVALID_HANDLE;
    const int values[] = {a.maxThreadsPerBlock,
                          (int)a.sharedSizeBytes,
                          (int)a.constSizeBytes,
                          (int)a.localSizeBytes,
                          a.numRegs,
                          a.ptxVersion,
                          a.binaryVersion,
                          a.cacheModeCA,
                          a.maxDynamicSharedSizeBytes,
                          a.preferredShmemCarveout};
    if ((size_t)attribute >= sizeof values / sizeof *values)
        return CUDA_ERROR_INVALID_VALUE;
    *value = values[attribute];
    return CUDA_SUCCESS;
}

FORWARD(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value),
        cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value))
FORWARD(cuFuncSetCacheConfig, (CUfunction function, CUfunc_cache config),
        cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config))
FORWARD(cuOccupancyMaxActiveBlocksPerMultiprocessor,
        (int *blocks, CUfunction function, int block_size, size_t shared_bytes),
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes))

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **arguments, void **extra) {
    NEEDS_CONTEXT();
    if (extra)
        return not_supported(__func__, "arguments in `extra`: use kernelParams");
    RUN(cudaLaunchKernel(function, (dim3){grid_x, grid_y, grid_z},
                         (dim3){block_x, block_y, block_z}, arguments, shared_bytes, stream));
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                   void **arguments) {
    NEEDS_CONTEXT();
    RUN(cudaLaunchCooperativeKernel(function, (dim3){grid_x, grid_y, grid_z},
                                    (dim3){block_x, block_y, block_z}, arguments, shared_bytes,
                                    stream));
}

/* ---- code that is loaded ---------------------------------------------------------------- */

static CUresult loads_code(const char *function) {
    return not_supported(
        function, "the emulator runs the kernels of the program's own source, and loads no PTX, "
                  "cubin or fat binary");
}

CUresult cuModuleLoad(CUmodule *module, const char *file) {
    (void)module, (void)file;
    return loads_code(__func__);
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    (void)module, (void)image;
    return loads_code(__func__);
}
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count,
                            CUjit_option *options, void **values) {
    (void)module, (void)image, (void)count, (void)options, (void)values;
    return loads_code(__func__);
}
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
    (void)module, (void)image;
    return loads_code(__func__);
}
CUresult cuModuleUnload(CUmodule module) {
    (void)module;
    return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    (void)function, (void)module, (void)name;
    return loads_code(__func__);
}
CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *size, CUmodule module, const char *name) {
    (void)pointer, (void)size, (void)module, (void)name;
    return loads_code(__func__);
}
CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values,
                      CUlinkState *state) {
    (void)count, (void)options, (void)values, (void)state;
    return loads_code(__func__);
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int count, CUjit_option *options, void **values) {
    (void)state, (void)type, (void)data, (void)size, (void)name, (void)count, (void)options;
    (void)values;
    return loads_code(__func__);
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *file, unsigned int count,
                       CUjit_option *options, void **values) {
    (void)state, (void)type, (void)file, (void)count, (void)options, (void)values;
    return loads_code(__func__);
}
CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size) {
    (void)state, (void)image, (void)size;
    return loads_code(__func__);
}
CUresult cuLinkDestroy(CUlinkState state) {
    (void)state;
    return CUDA_ERROR_INVALID_HANDLE;
}
