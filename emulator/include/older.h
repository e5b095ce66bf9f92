// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* What CUDA 13 has no more, for programs that are compiled as those of an older toolkit. */
#ifndef EMULATOR_OLDER_H
#define EMULATOR_OLDER_H

EMULATOR_INLINE cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
EMULATOR_INLINE cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
EMULATOR_INLINE cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}
EMULATOR_INLINE cudaError_t cudaThreadGetLimit(size_t *value, cudaLimit limit) {
    return cudaDeviceGetLimit(value, limit);
}
EMULATOR_INLINE cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
    return cudaDeviceSetCacheConfig(config);
}
EMULATOR_INLINE cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *config) {
    return cudaDeviceGetCacheConfig(config);
}

/* ---- warps, whose lanes ran in lock step: those that are at the call take part --------- */

template <typename T>
EMULATOR_INLINE T __shfl(T value, int lane, int width = 32) {
    return __shfl_sync(__activemask(), value, lane, width);
}
template <typename T>
EMULATOR_INLINE T __shfl_up(T value, unsigned delta, int width = 32) {
    return __shfl_up_sync(__activemask(), value, delta, width);
}
template <typename T>
EMULATOR_INLINE T __shfl_down(T value, unsigned delta, int width = 32) {
    return __shfl_down_sync(__activemask(), value, delta, width);
}
template <typename T>
EMULATOR_INLINE T __shfl_xor(T value, int mask, int width = 32) {
    return __shfl_xor_sync(__activemask(), value, mask, width);
}
EMULATOR_INLINE int __any(int predicate) { return __any_sync(__activemask(), predicate); }
EMULATOR_INLINE int __all(int predicate) { return __all_sync(__activemask(), predicate); }
EMULATOR_INLINE unsigned __ballot(int predicate) {
    return __ballot_sync(__activemask(), predicate);
}

/* ---- texture references: each stands for an object, once memory is bound to it --------- */

#ifdef EMULATOR_ANY_PROGRAM
enum { cudaTextureType1D = 1, cudaTextureType2D, cudaTextureType3D };

struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    cudaTextureObject_t emulator_object;
};

template <typename T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(normalized, filter, address, cudaCreateChannelDesc<T>()) {}
    texture(int normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
            cudaChannelFormatDesc desc)
        : textureReference{normalized, filter, {address, address, address}, desc, 0, 0} {}
};

namespace emulator {

/* A device has it in its own registers, and so it is no memory that the analysis looks at. */
EMULATOR_UNWATCHED inline cudaTextureObject_t object_of(const textureReference &reference) {
    return reference.emulator_object;
}

inline cudaError_t bind(const textureReference &reference, cudaTextureReadMode mode,
                        const cudaResourceDesc &resource) {
    textureReference &bound = const_cast<textureReference &>(reference);
    cudaTextureDesc desc = {};
    for (int i = 0; i < 3; i++)
        desc.addressMode[i] = bound.addressMode[i];
    desc.filterMode = bound.filterMode;
    desc.readMode = mode;
    desc.normalizedCoords = bound.normalized;
    if (bound.emulator_object)
        cudaDestroyTextureObject(bound.emulator_object);
    bound.emulator_object = 0;
    return cudaCreateTextureObject(&bound.emulator_object, &resource, &desc, nullptr);
}

/* What a fetch gives: with cudaReadModeNormalizedFloat floats of integers. */
template <typename T, cudaTextureReadMode mode>
struct fetched {
    typedef T type;
};
#define EMULATOR_FETCHED(kind)                                                                     \
    template <>                                                                                    \
    struct fetched<kind, cudaReadModeNormalizedFloat> {                                            \
        typedef float type;                                                                        \
    };                                                                                             \
    template <>                                                                                    \
    struct fetched<kind##1, cudaReadModeNormalizedFloat> {                                         \
        typedef float1 type;                                                                       \
    };                                                                                             \
    template <>                                                                                    \
    struct fetched<kind##2, cudaReadModeNormalizedFloat> {                                         \
        typedef float2 type;                                                                       \
    };                                                                                             \
    template <>                                                                                    \
    struct fetched<kind##4, cudaReadModeNormalizedFloat> {                                         \
        typedef float4 type;                                                                       \
    };
typedef unsigned char uchar;
typedef unsigned short ushort;
EMULATOR_FETCHED(char)
EMULATOR_FETCHED(uchar)
EMULATOR_FETCHED(short)
EMULATOR_FETCHED(ushort)
#undef EMULATOR_FETCHED

} // namespace emulator

template <typename T, int n, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, n, mode> &reference,
                            const void *memory, const cudaChannelFormatDesc &desc,
                            size_t bytes = UINT_MAX) {
    cudaResourceDesc resource = {};
    CUdeviceptr begin = 0;
    size_t all = bytes;
    if (offset)
        *offset = 0;
    if (cuMemGetAddressRange(&begin, &all, (CUdeviceptr)memory) == CUDA_SUCCESS)
        all -= (CUdeviceptr)memory - begin;
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void *>(memory);
    resource.res.linear.desc = desc;
    resource.res.linear.sizeInBytes = bytes < all ? bytes : all;
    return emulator::bind(reference, mode, resource);
}
template <typename T, int n, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, n, mode> &reference,
                            const void *memory, size_t bytes = UINT_MAX) {
    return cudaBindTexture(offset, reference, memory, reference.channelDesc, bytes);
}

template <typename T, int n, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, n, mode> &reference,
                              const void *memory, const cudaChannelFormatDesc &desc, size_t width,
                              size_t height, size_t pitch) {
    cudaResourceDesc resource = {};
    if (offset)
        *offset = 0;
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<void *>(memory);
    resource.res.pitch2D.desc = desc;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return emulator::bind(reference, mode, resource);
}
template <typename T, int n, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, n, mode> &reference,
                              const void *memory, size_t width, size_t height, size_t pitch) {
    return cudaBindTexture2D(offset, reference, memory, reference.channelDesc, width, height,
                             pitch);
}

template <typename T, int n, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, n, mode> &reference, cudaArray_const_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return emulator::bind(reference, mode, resource);
}
template <typename T, int n, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, n, mode> &reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc &) {
    return cudaBindTextureToArray(reference, array);
}

template <typename T, int n, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, n, mode> &reference) {
    textureReference &bound = const_cast<texture<T, n, mode> &>(reference);
    cudaTextureObject_t object = bound.emulator_object;
    bound.emulator_object = 0;
    return object ? cudaDestroyTextureObject(object) : cudaSuccess;
}

/* As the C functions take them. */
template <typename T, int n, cudaTextureReadMode mode, typename... A>
cudaError_t cudaBindTexture(size_t *offset, const texture<T, n, mode> *reference,
                            const void *memory, const cudaChannelFormatDesc *desc, A... bytes) {
    return cudaBindTexture(offset, *reference, memory, *desc, bytes...);
}
template <typename T, int n, cudaTextureReadMode mode, typename... A>
cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, n, mode> *reference,
                              const void *memory, const cudaChannelFormatDesc *desc, A... shape) {
    return cudaBindTexture2D(offset, *reference, memory, *desc, shape...);
}
template <typename T, int n, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, n, mode> *reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc *) {
    return cudaBindTextureToArray(*reference, array);
}
template <typename T, int n, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, n, mode> *reference) {
    return cudaUnbindTexture(*reference);
}

#define EMULATOR_PARAMETERS(...) __VA_ARGS__
#define EMULATOR_BY_REFERENCE(name, parameters, ...)                                               \
    template <typename T, int n, cudaTextureReadMode mode>                                         \
    EMULATOR_INLINE typename emulator::fetched<T, mode>::type name(                                \
        const texture<T, n, mode> &reference, parameters) {                                        \
        typedef typename emulator::fetched<T, mode>::type type;                                    \
        return name<type>(emulator::object_of(reference), __VA_ARGS__);                            \
    }
EMULATOR_BY_REFERENCE(tex1Dfetch, int x, x)
EMULATOR_BY_REFERENCE(tex1D, float x, x)
EMULATOR_BY_REFERENCE(tex2D, EMULATOR_PARAMETERS(float x, float y), x, y)
EMULATOR_BY_REFERENCE(tex3D, EMULATOR_PARAMETERS(float x, float y, float z), x, y, z)
EMULATOR_BY_REFERENCE(tex1DLayered, EMULATOR_PARAMETERS(float x, int layer), x, layer)
EMULATOR_BY_REFERENCE(tex2DLayered, EMULATOR_PARAMETERS(float x, float y, int layer), x, y, layer)
#undef EMULATOR_BY_REFERENCE
#undef EMULATOR_PARAMETERS
#endif /* EMULATOR_ANY_PROGRAM */

#endif
