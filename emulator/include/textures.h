/* Texture and surface objects, as device code sees them: texture_functions.h calls these. */
#pragma once
#include "emulated.h"

EMULATOR_BEGIN_C

enum emulator_texture_shape {
    EMULATOR_TEXTURE_1D,
    EMULATOR_TEXTURE_2D,
    EMULATOR_TEXTURE_3D,
    EMULATOR_TEXTURE_1D_LAYERED,
    EMULATOR_TEXTURE_2D_LAYERED,
    EMULATOR_TEXTURE_CUBEMAP,
    EMULATOR_TEXTURE_CUBEMAP_LAYERED,
};

/* Where a fetch reads. */
struct emulator_sample {
    enum emulator_texture_shape shape;
    float x, y, z;
    int layer;
    float level; /* of detail */
};

/* A texel as the device's registers hold it: 32 bits a channel, an integer with its sign or zeros
 * in front, or a float. Channels that the texture lacks are 0. */
struct emulator_texel {
    uint32_t channel[4];
};

/* Each ends the process with a message if the object does not exist, or is of another shape. */
struct emulator_texel emulator_texture_fetch(cudaTextureObject_t texture,
                                             const struct emulator_sample *sample);
struct emulator_texel emulator_texture_element(cudaTextureObject_t texture, int index);
struct emulator_texel emulator_texture_gather(cudaTextureObject_t texture, float x, float y,
                                              int component);

/* The bytes from here to the end of the allocation; SIZE_MAX: this is none of CUDA's memory. */
size_t emulator_bytes_from(const void *memory);

/* Where a surface is read or written: x counts bytes, z is a slice, a layer or a face. */
struct emulator_spot {
    enum emulator_texture_shape shape;
    int x, y, z;
    enum cudaSurfaceBoundaryMode mode;
};
void emulator_surface_read(cudaSurfaceObject_t surface, const struct emulator_spot *spot,
                           void *value, unsigned size);
void emulator_surface_write(cudaSurfaceObject_t surface, const struct emulator_spot *spot,
                            const void *value, unsigned size);

EMULATOR_END_C
