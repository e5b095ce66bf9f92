/* The host's half of CUDA, for C and C++: memory, streams, events, errors, properties, graphs. The
 * parameters are CUDA 13's; cuda_runtime.h has CUDA 12's where these differ. */
#pragma once
#define __CUDA_RUNTIME_API_H__ /* programs ask for this */

#include "driver_types.h"

#define __HISTOLAB_EMULATOR__ 1
#ifndef EMULATOR_CUDA /* the version whose interface this follows */
#define EMULATOR_CUDA 13000
#endif
#define CUDART_VERSION EMULATOR_CUDA
#define CUDARTAPI
#define CUDAAPI

#ifdef __cplusplus
#define EMULATOR_DEFAULT(value) = value
#else
#define EMULATOR_DEFAULT(value)
#endif

EMULATOR_BEGIN_C

const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);

/* ---- the device ------------------------------------------------------------------------- */

#define EMULATOR_CALL(name, parameters, value) cudaError_t name parameters;
#include "calls/device.def"
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);

/* ---- streams and events: everything has completed by the time a call returns ------------ */

#include "calls/streams.def"
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data,
                                  unsigned int flags);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* ---- memory ----------------------------------------------------------------------------- */

#include "calls/memory.def"
#include "calls/copies.def"

/* Memory of the host that kernels may use from here on, at the same addresses. */
cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);

cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location);

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream EMULATOR_DEFAULT(0));

/* ---- kernels ---------------------------------------------------------------------------- */

#include "calls/kernels.def"
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);

/* ---- graphs ----------------------------------------------------------------------------- */

#include "calls/graphs.def"
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags EMULATOR_DEFAULT(0));
/* ---- elements ---------------------------------------------------------------------------- */

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
};

struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits of each channel: 0, 8, 16 or 32 */
    enum cudaChannelFormatKind f;
};

#ifndef __cplusplus
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f);
#endif

/* ---- arrays ------------------------------------------------------------------------------ */

#define cudaArrayDefault 0x00

#include "calls/arrays.def"
#undef EMULATOR_CALL
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height EMULATOR_DEFAULT(0),
                            unsigned int flags EMULATOR_DEFAULT(0));
cudaError_t cudaFreeArray(cudaArray_t array);

/* ---- texture objects --------------------------------------------------------------------- */

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};

struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height; /* elements */
            size_t pitchInBytes;
        } pitch2D;
    } res;
    unsigned int flags;
};

struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
};

typedef unsigned long long cudaTextureObject_t;

/* Another view of an array than its own: the emulator takes NULL alone. */
struct cudaResourceViewDesc;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);

EMULATOR_END_C

#ifdef __cplusplus
/* The C function, which has the name of the templates below. */
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}

namespace emulator {
/* What a type is made of: its channels, of so many bits and of this kind. Others have none. */
template <typename T> struct channels {
    static constexpr int count = 0, bits = 0;
    static constexpr cudaChannelFormatKind kind = cudaChannelFormatKindNone;
};
#define EMULATOR_CHANNELS(T, n, element, kind_of)                                                  \
    template <> struct channels<T> {                                                               \
        typedef element type;                                                                      \
        static constexpr int count = n, bits = 8 * sizeof(element);                                \
        static constexpr cudaChannelFormatKind kind = cudaChannelFormatKind##kind_of;              \
    };
#define EMULATOR_CHANNEL_TYPES(element, name, kind)                                                \
    EMULATOR_CHANNELS(element, 1, element, kind)                                                   \
    EMULATOR_CHANNELS(name##1, 1, element, kind)                                                   \
    EMULATOR_CHANNELS(name##2, 2, element, kind)                                                   \
    EMULATOR_CHANNELS(name##3, 3, element, kind)                                                   \
    EMULATOR_CHANNELS(name##4, 4, element, kind)
EMULATOR_CHANNELS(char, 1, char, Signed)
EMULATOR_CHANNEL_TYPES(signed char, char, Signed)
EMULATOR_CHANNEL_TYPES(unsigned char, uchar, Unsigned)
EMULATOR_CHANNEL_TYPES(short, short, Signed)
EMULATOR_CHANNEL_TYPES(unsigned short, ushort, Unsigned)
EMULATOR_CHANNEL_TYPES(int, int, Signed)
EMULATOR_CHANNEL_TYPES(unsigned, uint, Unsigned)
EMULATOR_CHANNEL_TYPES(float, float, Float)
} // namespace emulator

template <typename T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    typedef emulator::channels<T> c;
    return {c::count > 0 ? c::bits : 0, c::count > 1 ? c::bits : 0, c::count > 2 ? c::bits : 0,
            c::count > 3 ? c::bits : 0, c::kind};
}

#endif /* __cplusplus */
