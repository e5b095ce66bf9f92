/* The one device, and what it has. */
#include "../include/cuda_profiler_api.h"
#include "runtime.h"

enum {
    CONSTANT_BYTES = 64 * 1024,
    CLOCK_KHZ = 1000000, /* clock64() counts nanoseconds */
};
const size_t emulator_memory_bytes = (size_t)2 << 30; /* as on the journal's card */

bool emulator_is_device(int device) { return device == 0; }

HOST_CHECK(cudaGetDeviceCount, (int *count), *count = 1, cudaSuccess)

cudaError_t cudaGetDevice(int *device) {
    HOST_OR_DEVICE();
    *device = 0;
    return emulator_result(cudaSuccess);
}

HOST_CALL(cudaSetDevice, (int device),
          emulator_result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice))

HOST_CALL(cudaSetDeviceFlags, (unsigned int flags),
          emulator_result(flags & ~(unsigned)cudaDeviceMask ? cudaErrorInvalidValue : cudaSuccess))

/* The sizes of textures and surfaces are those of compute capability 9.0 in CUDA's table of
 * technical specifications. */
static void put_properties(struct cudaDeviceProp *p) {
    *p = (struct cudaDeviceProp){
        .name = "histolab emulator",
        .maxThreadsDim = {1024, 1024, 64},
        .maxGridSize = {0x7fffffff, 65535, 65535},
        .textureAlignment = 512,
        .texturePitchAlignment = 32,
        .maxTexture1D = 131072,
        .maxTexture2D = {131072, 65536},
        .maxTexture3D = {16384, 16384, 16384},
        .maxTextureCubemap = 32768,
        .maxTexture1DLayered = {32768, 2048},
        .maxTexture2DLayered = {32768, 32768, 2048},
        .surfaceAlignment = 512,
    };
    p->totalGlobalMem = emulator_memory_bytes;
    p->sharedMemPerBlock = EMULATOR_SHARED;
    p->regsPerBlock = p->regsPerMultiprocessor = (int)emulator_device.registers;
    p->warpSize = EMULATOR_WARP;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = EMULATOR_MAX_THREADS;
    p->totalConstMem = CONSTANT_BYTES;
    p->major = (int)emulator_device.compute_capability / 10;
    p->minor = (int)emulator_device.compute_capability % 10;
    p->multiProcessorCount = (int)emulator_device.multiprocessors;
    p->clockRate = p->memoryClockRate = CLOCK_KHZ;
    p->deviceOverlap = p->asyncEngineCount = 1; /* as every GPU has; programs ask */
    p->memoryBusWidth = 256;
    p->l2CacheSize = (int)emulator_device.l2_bytes;
    p->maxThreadsPerMultiProcessor = (int)emulator_device.threads;
    p->maxBlocksPerMultiProcessor = (int)emulator_device.blocks;
    p->sharedMemPerMultiprocessor = emulator_device.shared_bytes;
    p->sharedMemPerBlockOptin = emulator_device.shared_block_bytes;
    p->singleToDoublePrecisionPerfRatio = 2;
    p->integrated = p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = 1;
    p->concurrentManagedAccess = p->cooperativeLaunch = p->streamPrioritiesSupported = 1;
    p->hostRegisterSupported = p->canUseHostPointerForRegisteredMem = p->memoryPoolsSupported = 1;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    HOST_OR_DEVICE();
    FAIL_IF(device != 0, cudaErrorInvalidDevice);
    FAIL_IF(!properties, cudaErrorInvalidValue);
    put_properties(properties);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    HOST_OR_DEVICE();
    struct cudaDeviceProp p;
    cudaError_t status = cudaGetDeviceProperties(&p, device);
    if (status)
        return status;
    switch ((int)attribute) {
#define EMULATOR_ATTRIBUTE(number, name, field)                                                    \
    case number:                                                                                   \
        *value = (int)p.field;                                                                     \
        break;
#include "../include/device_attributes.def"
    default:
        return emulator_result(cudaErrorInvalidValue);
    }
    return emulator_result(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void) {
    HOST_ONLY();
    TELL(watch_host_waits, NULL, NULL);
    return emulator_result(cudaSuccess);
}

cudaError_t cudaDeviceReset(void) {
    HOST_ONLY();
    emulator_forget_errors();
    return cudaSuccess;
}

/* ---- settings, of which only the heap's size changes anything here ------------------ */

/* What an H100 has before anybody asks for more; no more is needed here. */
size_t emulator_limits[] = {
    [cudaLimitStackSize] = 1024,
    [cudaLimitPrintfFifoSize] = 1 << 20,
    [cudaLimitMallocHeapSize] = 8 << 20,
    [cudaLimitDevRuntimeSyncDepth] = 2,
    [cudaLimitDevRuntimePendingLaunchCount] = 2048,
    [cudaLimitMaxL2FetchGranularity] = 64,
    [cudaLimitPersistingL2CacheSize] = 0,
};
enum { LIMITS = sizeof emulator_limits / sizeof *emulator_limits };

HOST_DOES(cudaDeviceSetLimit, (enum cudaLimit limit, size_t value), (unsigned)limit >= LIMITS,
          cudaErrorUnsupportedLimit, emulator_limits[limit] = value)
HOST_DOES(cudaDeviceGetLimit, (size_t * value, enum cudaLimit limit), (unsigned)limit >= LIMITS,
          cudaErrorUnsupportedLimit, *value = emulator_limits[limit])

HOST_CHECK(cudaDeviceSetCacheConfig, (enum cudaFuncCache config), config, cudaSuccess)
HOST_CHECK(cudaDeviceSetSharedMemConfig, (enum cudaSharedMemConfig config), config, cudaSuccess)

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    HOST_ONLY();
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return emulator_result(cudaSuccess);
}

HOST_CALL(cudaCtxResetPersistingL2Cache, (void), emulator_result(cudaSuccess))
HOST_CALL(cudaProfilerStart, (void), emulator_result(cudaSuccess))
HOST_CALL(cudaProfilerStop, (void), emulator_result(cudaSuccess))

cudaError_t cudaRuntimeGetVersion(int *version) {
    HOST_OR_DEVICE();
    *version = CUDART_VERSION;
    return emulator_result(cudaSuccess);
}

HOST_CHECK(cudaDriverGetVersion, (int *version), *version = CUDART_VERSION, cudaSuccess)

/* ---- peers: there are none ------------------------------------------ */

/* 0: as CUDA says of a device and itself. */
HOST_DOES(cudaDeviceCanAccessPeer, (int *can, int device, int peer), device != 0 || peer != 0,
          cudaErrorInvalidDevice, *can = 0)

/* The device itself is no peer. */
HOST_CHECK(cudaDeviceEnablePeerAccess, (int peer, unsigned int flags), peer,
           flags ? cudaErrorInvalidValue : cudaErrorInvalidDevice)

HOST_CALL(cudaDeviceDisablePeerAccess, (int peer),
          emulator_result(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice))
