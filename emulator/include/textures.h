/* Texture objects, as device code sees them: texture_functions.h calls these. */
#pragma once
#include "emulated.h"

EMULATOR_BEGIN_C

/* A texel as the device's registers hold it: 32 bits a channel, an integer with its sign or zeros
 * in front, or a float. Channels that the texture lacks are 0. */
struct emulator_texel {
    uint32_t channel[4];
};

/* Each ends the process with a message if the object does not exist, or has another number of
 * dimensions. at: a coordinate for each. */
struct emulator_texel emulator_texture_fetch(cudaTextureObject_t texture, int dimensions,
                                             const float *at);
struct emulator_texel emulator_texture_element(cudaTextureObject_t texture, int index);

/* The bytes from here to the end of the allocation; SIZE_MAX: this is none of CUDA's memory. */
size_t emulator_bytes_from(const void *memory);

EMULATOR_END_C
