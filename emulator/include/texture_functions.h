/* What device code reads textures with. arrays.c does the work. */
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
EMULATOR_INLINE T fetch(cudaTextureObject_t texture, int dimensions, float x, float y = 0) {
    const float at[] = {x, y};
    return texel_as<T>(emulator_texture_fetch(texture, dimensions, at));
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
EMULATOR_TEXTURE(tex1D, float x, x, (emulator::fetch<T>(texture, 1, x)))
EMULATOR_TEXTURE(tex2D, EMULATOR_LIST(float x, float y), EMULATOR_LIST(x, y),
                 (emulator::fetch<T>(texture, 2, x, y)))
EMULATOR_TEXTURE(tex1Dfetch, int x, x, emulator::texel_as<T>(emulator_texture_element(texture, x)))
