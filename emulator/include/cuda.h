// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* The driver's interface: what of it needs no module. Kernels are those of the program itself,
 * which cudaGetFuncBySymbol finds. What loads code (PTX, cubin) says so on stderr and returns
 * CUDA_ERROR_NOT_SUPPORTED. A graded step has the types alone: what it copies is counted by the
 * runtime's functions. */
#ifndef EMULATOR_CUDA_H
#define EMULATOR_CUDA_H
#define __cuda_cuda_h__ /* programs ask for this */

#include "cuda_runtime.h" /* in C++: for kernels by their types */

#define CUDA_VERSION CUDART_VERSION
#define CUDA_CB

typedef enum cudaError_enum {
#define EMULATOR_ERROR(number, name, driver_name, text) driver_name = number,
#define EMULATOR_RUNTIME_ERROR(number, name, text)
#include "errors.def"
#undef EMULATOR_ERROR
#undef EMULATOR_RUNTIME_ERROR
    CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202,
    CUDA_ERROR_KEY_ROTATION = 916,
} CUresult;

typedef enum CUdevice_attribute_enum {
#define EMULATOR_ATTRIBUTE(number, name, driver_name, field)                                       \
    CU_DEVICE_ATTRIBUTE_##driver_name = number,
#define EMULATOR_NO_FIELD(number, name, driver_name) CU_DEVICE_ATTRIBUTE_##driver_name = number,
#define EMULATOR_DRIVER_ATTRIBUTE(number, driver_name) CU_DEVICE_ATTRIBUTE_##driver_name = number,
#include "device_attributes.def"
#undef EMULATOR_ATTRIBUTE
#undef EMULATOR_NO_FIELD
#undef EMULATOR_DRIVER_ATTRIBUTE
    CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH = 27,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT = 28,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES = 29,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_MAX,
} CUdevice_attribute;

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction, *cudaFunction_t;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_STREAM_DEFAULT 0x0
#define CU_STREAM_NON_BLOCKING 0x1
#define CU_EVENT_DEFAULT 0x0
#define CU_EVENT_BLOCKING_SYNC 0x1
#define CU_EVENT_DISABLE_TIMING 0x2
#define CU_EVENT_INTERPROCESS 0x4
#define CU_MEM_ATTACH_GLOBAL 0x1
#define CU_MEM_ATTACH_HOST 0x2
#define CU_MEM_ATTACH_SINGLE 0x4
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEMHOSTREGISTER_PORTABLE 0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02
#define CU_MEMHOSTREGISTER_IOMEMORY 0x04
#define CU_MEMHOSTREGISTER_READ_ONLY 0x08

typedef enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0x00,
    CU_CTX_SCHED_SPIN = 0x01,
    CU_CTX_SCHED_YIELD = 0x02,
    CU_CTX_SCHED_BLOCKING_SYNC = 0x04,
    CU_CTX_BLOCKING_SYNC = 0x04,
    CU_CTX_SCHED_MASK = 0x07,
    CU_CTX_MAP_HOST = 0x08,
    CU_CTX_LMEM_RESIZE_TO_MAX = 0x10,
} CUctx_flags;

typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_EXCLUSIVE = 1,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3,
} CUcomputemode;

typedef struct CUctxCreateParams_st CUctxCreateParams;

#if defined(EMULATOR_ANY_PROGRAM) || !defined(__CUDACC__)
#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel);

CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int *version);

CUresult cuDeviceGet(CUdevice *device, int number);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGetName(char *name, int size, CUdevice device);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxGetDevice(CUdevice *device);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version);
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags);
CUresult cuCtxDisablePeerAccess(CUcontext peer);

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t size);
CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                         unsigned int element);
CUresult cuMemGetAddressRange(CUdeviceptr *begin, size_t *size, CUdeviceptr pointer);
CUresult cuMemHostGetDevicePointer(CUdeviceptr *on_device, void *on_host, unsigned int flags);
/* count: elements of one, two or four bytes. */
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count);
CUresult cuMemsetD16(CUdeviceptr pointer, unsigned short value, size_t count);
CUresult cuMemsetD32(CUdeviceptr pointer, unsigned int value, size_t count);

#define EMULATOR_DRIVER_CALL(name, parameters, call) CUresult name parameters;
#include "driver_calls.def"
#undef EMULATOR_DRIVER_CALL

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **arguments, void **extra);

/* Code that is loaded: refused. */
CUresult emulator_loads_code(const char *function);

#ifdef __cplusplus
}

/* CUDA 13's has a parameter more. */
static inline __attribute__((unused)) CUresult cuCtxCreate(CUcontext *context,
                                                           CUctxCreateParams *parameters,
                                                           unsigned int flags, CUdevice device) {
    return parameters ? CUDA_ERROR_NOT_SUPPORTED : cuCtxCreate(context, flags, device);
}
#define EMULATOR_LOADS_CODE(name)                                                                  \
    template <typename... A>                                                                       \
    CUresult name(A...) {                                                                          \
        return emulator_loads_code(#name);                                                         \
    }
EMULATOR_LOADS_CODE(cuModuleLoad)
EMULATOR_LOADS_CODE(cuModuleLoadData)
EMULATOR_LOADS_CODE(cuModuleLoadDataEx)
EMULATOR_LOADS_CODE(cuModuleLoadFatBinary)
EMULATOR_LOADS_CODE(cuModuleUnload)
EMULATOR_LOADS_CODE(cuModuleGetFunction)
EMULATOR_LOADS_CODE(cuModuleGetGlobal)
#undef EMULATOR_LOADS_CODE

/* Of a kernel whose type is known. */
template <typename... P>
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, void (*kernel)(P...)) {
    return cudaGetFuncBySymbol(function, emulator::know(kernel, "a kernel"));
}
#endif

#endif /* EMULATOR_ANY_PROGRAM */
#endif
