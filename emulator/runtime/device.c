/* The one device, and what it has. */
#include "../include/cuda_profiler_api.h"
#include "runtime.h"

enum {
    CONSTANT_BYTES = 64 * 1024,
    CLOCK_KHZ = 1000000, /* clock64() counts nanoseconds */
};
const size_t emulator_memory_bytes = (size_t)2 << 30; /* as on the journal's card */

bool emulator_is_device(int device) { return device == 0; }

/* Sizes of textures and surfaces: compute capability 9.0 in CUDA's technical specifications. */
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

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    HOST_ONLY();
    struct cudaDeviceProp p = {0}; /* gcc 14 does not see that success sets all */
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

EMULATOR_CALL(cudaProfilerStart, (void), cudaSuccess)
EMULATOR_CALL(cudaProfilerStop, (void), cudaSuccess)
#include "../include/calls/device.def"
