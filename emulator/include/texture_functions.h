/* What device code reads textures and surfaces with. textures.c does the work. */
#pragma once
#include "cuda_runtime.h"
#include "textures.h"

namespace emulator {
/* A texel as T: a number, or a vector of 1, 2 or 4. */
template <typename T> EMULATOR_INLINE T texel_as(const emulator_texel &texel) {
    typedef channels<T> of;
    static_assert(of::count == 1 || of::count == 2 || of::count == 4,
                  "a texture is read as char, short, int, float, their unsigned forms, or vectors "
                  "of 1, 2 or 4 of them");
    typename of::type value[4];
    for (int i = 0; i < of::count; i++) {
        if constexpr (of::kind == cudaChannelFormatKindFloat)
            value[i] = from_bits<float>(texel.channel[i]);
        else
            value[i] = (typename of::type)texel.channel[i];
    }
    T result;
    __builtin_memcpy(&result, value, sizeof result);
    return result;
}

template <typename T>
EMULATOR_INLINE T fetch(cudaTextureObject_t texture, emulator_texture_shape shape, float x, float y,
                        float z, int layer, float level) {
    emulator_sample sample = {shape, x, y, z, layer, level};
    return texel_as<T>(emulator_texture_fetch(texture, &sample));
}
} // namespace emulator

/* Each function gives its value, or writes it where its first argument points to. */
#define EMULATOR_TEXTURE(name, parameters, arguments, expression)                                  \
    template <typename T> EMULATOR_INLINE T name(cudaTextureObject_t texture, parameters) {        \
        return expression;                                                                         \
    }                                                                                              \
    template <typename T>                                                                          \
    EMULATOR_INLINE void name(T *value, cudaTextureObject_t texture, parameters) {                 \
        *value = name<T>(texture, arguments);                                                      \
    }
/* And with a level of detail, by the name's second form. */
#define EMULATOR_FETCH(name, shape, parameters, arguments, x, y, z, layer)                         \
    EMULATOR_TEXTURE(                                                                              \
        name, EMULATOR_LIST(parameters), EMULATOR_LIST(arguments),                                 \
        (emulator::fetch<T>(texture, EMULATOR_TEXTURE_##shape, x, y, z, layer, 0.0f)))             \
    EMULATOR_TEXTURE(                                                                              \
        name##Lod, EMULATOR_LIST(parameters, float level), EMULATOR_LIST(arguments, level),        \
        (emulator::fetch<T>(texture, EMULATOR_TEXTURE_##shape, x, y, z, layer, level)))

EMULATOR_FETCH(tex1D, 1D, float x, x, x, 0, 0, 0)
EMULATOR_FETCH(tex2D, 2D, EMULATOR_LIST(float x, float y), EMULATOR_LIST(x, y), x, y, 0, 0)
EMULATOR_FETCH(tex3D, 3D, EMULATOR_LIST(float x, float y, float z), EMULATOR_LIST(x, y, z), x, y, z,
               0)
EMULATOR_FETCH(tex1DLayered, 1D_LAYERED, EMULATOR_LIST(float x, int layer), EMULATOR_LIST(x, layer),
               x, 0, 0, layer)
EMULATOR_FETCH(tex2DLayered, 2D_LAYERED, EMULATOR_LIST(float x, float y, int layer),
               EMULATOR_LIST(x, y, layer), x, y, 0, layer)
EMULATOR_FETCH(texCubemap, CUBEMAP, EMULATOR_LIST(float x, float y, float z),
               EMULATOR_LIST(x, y, z), x, y, z, 0)
EMULATOR_FETCH(texCubemapLayered, CUBEMAP_LAYERED,
               EMULATOR_LIST(float x, float y, float z, int layer), EMULATOR_LIST(x, y, z, layer),
               x, y, z, layer)
EMULATOR_TEXTURE(tex1Dfetch, int x, x, emulator::texel_as<T>(emulator_texture_element(texture, x)))
EMULATOR_TEXTURE(tex2Dgather, EMULATOR_LIST(float x, float y, int component = 0),
                 EMULATOR_LIST(x, y, component),
                 emulator::texel_as<T>(emulator_texture_gather(texture, x, y, component)))
#undef EMULATOR_FETCH

/* ---- surfaces: x counts bytes ------------------------------------------------------------ */

#define EMULATOR_SURFACE(name, shape, parameters, arguments, x, y, z)                              \
    template <typename T>                                                                          \
    EMULATOR_INLINE T name##read(cudaSurfaceObject_t surface, parameters,                          \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
        emulator_spot spot = {EMULATOR_TEXTURE_##shape, x, y, z, mode};                            \
        T value;                                                                                   \
        emulator_surface_read(surface, &spot, &value, sizeof value);                               \
        return value;                                                                              \
    }                                                                                              \
    template <typename T>                                                                          \
    EMULATOR_INLINE void name##read(T *value, cudaSurfaceObject_t surface, parameters,             \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
        *value = name##read<T>(surface, arguments, mode);                                          \
    }                                                                                              \
    template <typename T>                                                                          \
    EMULATOR_INLINE void name##write(T value, cudaSurfaceObject_t surface, parameters,             \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
        emulator_spot spot = {EMULATOR_TEXTURE_##shape, x, y, z, mode};                            \
        emulator_surface_write(surface, &spot, &value, sizeof value);                              \
    }
EMULATOR_SURFACE(surf1D, 1D, int x, x, x, 0, 0)
EMULATOR_SURFACE(surf2D, 2D, EMULATOR_LIST(int x, int y), EMULATOR_LIST(x, y), x, y, 0)
EMULATOR_SURFACE(surf3D, 3D, EMULATOR_LIST(int x, int y, int z), EMULATOR_LIST(x, y, z), x, y, z)
EMULATOR_SURFACE(surf1DLayered, 1D_LAYERED, EMULATOR_LIST(int x, int layer),
                 EMULATOR_LIST(x, layer), x, 0, layer)
EMULATOR_SURFACE(surf2DLayered, 2D_LAYERED, EMULATOR_LIST(int x, int y, int layer),
                 EMULATOR_LIST(x, y, layer), x, y, layer)
EMULATOR_SURFACE(surfCubemap, CUBEMAP, EMULATOR_LIST(int x, int y, int face),
                 EMULATOR_LIST(x, y, face), x, y, face)
EMULATOR_SURFACE(surfCubemapLayered, CUBEMAP_LAYERED, EMULATOR_LIST(int x, int y, int layer_face),
                 EMULATOR_LIST(x, y, layer_face), x, y, layer_face)
