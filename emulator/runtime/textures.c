/* Texture and surface objects: addressing, filtering and conversion as the chapters "Texture
 * Fetching" and "Surface Functions" of the CUDA C++ Programming Guide describe them. What is read
 * and written is told to the checked build's analysis. */
#include "../include/rounding.h"
#include "../include/textures.h"
#include "arrays.h"
#include "runtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t emulator_bytes_from(const void *memory) {
    struct allocation found;
    return emulator_find_allocation(memory, &found)
               ? found.size - (size_t)((const char *)memory - (const char *)found.begin)
               : SIZE_MAX;
}

/* ---- objects ----------------------------------------------------------------------------- */

/* What is sampled: an array, a level of a mipmapped one, or linear memory. */
struct view {
    char *data;
    size_t row, slice;         /* bytes from one to the next */
    long width, height, depth; /* 0: there is no such dimension */
};

struct object {
    struct cudaResourceDesc resource;
    struct cudaTextureDesc desc;
    struct cudaChannelFormatDesc format;
    size_t element_bytes;
    unsigned flags; /* of the array */
    unsigned levels;
    struct view level[EMULATOR_MOST_LEVELS];
};

/* A handle is a place in this table, with a mark that numbers seldom have. A pool's OS threads read
 * while the host may add, so objects do not move; and no place is used twice. */
enum { MOST_OBJECTS = 1 << 20 };
static struct object *objects[MOST_OBJECTS];
static const unsigned long long TEXTURE_MARK = 0x7E87ull << 32, SURFACE_MARK = 0x50FFull << 32;

static cudaError_t add_object(unsigned long long *handle, unsigned long long mark,
                              const struct object *object) {
    static _Atomic unsigned count;
    const unsigned i = count++;
    FAIL_IF(i >= MOST_OBJECTS, cudaErrorMemoryAllocation);
    objects[i] = emulator_need(malloc(sizeof *object));
    *objects[i] = *object;
    *handle = mark | (i + 1);
    return emulator_result(cudaSuccess);
}

static struct object *find_object(unsigned long long handle, unsigned long long mark) {
    unsigned long long i = (handle & 0xffffffff) - 1;
    return (handle & ~0xffffffffull) == mark && i < MOST_OBJECTS ? objects[i] : NULL;
}

static cudaError_t destroy(unsigned long long handle, unsigned long long mark) {
    struct object *found = find_object(handle, mark);
    if (!found)
        return emulator_result(handle ? cudaErrorInvalidValue : cudaSuccess);
    objects[(handle & 0xffffffff) - 1] = NULL;
    free(found);
    return emulator_result(cudaSuccess);
}

static struct view view_of(cudaArray_const_t a) {
    return (struct view){a->data,
                         emulator_array_row(a),
                         emulator_array_offset(a, 0, 1),
                         (long)a->extent.width,
                         (long)a->extent.height,
                         (long)a->extent.depth};
}

/* Of linear memory: whether CUDA could address it. */
static bool take_memory(struct object *o) {
    const struct cudaResourceDesc *r = &o->resource;
    bool linear = r->resType == cudaResourceTypeLinear;
    o->format = linear ? r->res.linear.desc : r->res.pitch2D.desc;
    o->element_bytes = emulator_element_bytes(&o->format);
    char *data = linear ? r->res.linear.devPtr : r->res.pitch2D.devPtr;
    o->levels = 1;
    if (!o->element_bytes || !data || (uintptr_t)data % 256)
        return false;
    if (linear) {
        size_t count = r->res.linear.sizeInBytes / o->element_bytes;
        o->level[0] = (struct view){data, count * o->element_bytes, 0, (long)count, 0, 0};
        return count > 0 && count <= 1u << 27;
    }
    size_t width = r->res.pitch2D.width, height = r->res.pitch2D.height;
    size_t pitch = r->res.pitch2D.pitchInBytes;
    o->level[0] = (struct view){data, pitch, 0, (long)width, (long)height, 0};
    return width && height && pitch % 32 == 0 && pitch / o->element_bytes >= width;
}

static bool take_resource(struct object *o) {
    const struct cudaResourceDesc *r = &o->resource;
    cudaArray_const_t array = NULL;
    if (r->resType == cudaResourceTypeArray) {
        array = r->res.array.array;
        if (!array)
            return false;
        o->levels = 1;
        o->level[0] = view_of(array);
    } else if (r->resType == cudaResourceTypeMipmappedArray) {
        cudaMipmappedArray_const_t mipmap = r->res.mipmap.mipmap;
        if (!mipmap)
            return false;
        o->levels = mipmap->levels;
        for (unsigned i = 0; i < o->levels; i++)
            o->level[i] = view_of(mipmap->level[i]);
        array = mipmap->level[0];
    } else {
        return (r->resType == cudaResourceTypeLinear || r->resType == cudaResourceTypePitch2D) &&
               take_memory(o);
    }
    o->format = array->desc;
    o->element_bytes = array->element_bytes;
    o->flags = array->flags;
    return true;
}

/* Whether a fetch gives floats: then it can be filtered. */
static bool gives_floats(const struct object *o) {
    return o->format.f == cudaChannelFormatKindFloat ||
           (o->desc.readMode == cudaReadModeNormalizedFloat && o->format.x < 32);
}

static cudaError_t check_texture(const struct object *o) {
    const struct cudaTextureDesc *d = &o->desc;
    FAIL_IF((unsigned)d->filterMode > cudaFilterModeLinear ||
                (unsigned)d->readMode > cudaReadModeNormalizedFloat,
            cudaErrorInvalidValue);
    for (int i = 0; i < 3; i++)
        FAIL_IF((unsigned)d->addressMode[i] > cudaAddressModeBorder, cudaErrorInvalidValue);
    bool linear = o->resource.resType == cudaResourceTypeLinear;
    FAIL_IF(d->filterMode == cudaFilterModeLinear && !gives_floats(o) && !linear,
            cudaErrorInvalidValue);
    FAIL_IF(o->levels > 1 && !d->normalizedCoords, cudaErrorInvalidValue);
    bool bordered = false;
    for (int i = 0; i < 4; i++)
        bordered |= d->borderColor[i] != 0;
    const char *lacks = d->sRGB                ? "the emulator has no conversion from sRGB"
                        : d->seamlessCubemap   ? "the emulator has no seamless cubemaps"
                        : d->maxAnisotropy > 1 ? "the emulator has no anisotropic filtering"
                        : bordered && !gives_floats(o)
                            ? "the emulator has no border color for integers"
                            : NULL;
    return lacks ? emulator_not_supported("cudaCreateTextureObject", lacks) : cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *desc,
                                    const struct cudaResourceViewDesc *view) {
    FAIL_IF(!texture || !resource || !desc, cudaErrorInvalidValue);
    struct object o = {.resource = *resource, .desc = *desc};
    FAIL_IF(view || !take_resource(&o), cudaErrorInvalidValue);
    cudaError_t status = check_texture(&o);
    return status ? status : add_object(texture, TEXTURE_MARK, &o);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    return destroy(texture, TEXTURE_MARK);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource) {
    FAIL_IF(!surface || !resource || resource->resType != cudaResourceTypeArray,
            cudaErrorInvalidValue);
    struct object o = {.resource = *resource};
    FAIL_IF(!take_resource(&o) || !(o.flags & cudaArraySurfaceLoadStore), cudaErrorInvalidValue);
    return add_object(surface, SURFACE_MARK, &o);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return destroy(surface, SURFACE_MARK);
}

/* ---- shapes ------------------------------------------------------------------------------ */

static const char *const shape_names[] = {
    "tex1D", "tex2D", "tex3D", "tex1DLayered", "tex2DLayered", "texCubemap", "texCubemapLayered"};

static bool has_shape(const struct object *o, enum emulator_texture_shape shape) {
    const struct view *v = &o->level[0];
    bool layered = o->flags & cudaArrayLayered, cubemap = o->flags & cudaArrayCubemap;
    enum emulator_texture_shape own =
        cubemap     ? layered ? EMULATOR_TEXTURE_CUBEMAP_LAYERED : EMULATOR_TEXTURE_CUBEMAP
        : layered   ? v->height ? EMULATOR_TEXTURE_2D_LAYERED : EMULATOR_TEXTURE_1D_LAYERED
        : v->depth  ? EMULATOR_TEXTURE_3D
        : v->height ? EMULATOR_TEXTURE_2D
                    : EMULATOR_TEXTURE_1D;
    return own == shape && o->resource.resType != cudaResourceTypeLinear;
}

static const struct object *used_object(unsigned long long handle, unsigned long long mark) {
    const struct object *o = find_object(handle, mark);
    if (!o)
        emulator_refuse("a kernel uses a texture or surface object that does not exist: 0x%llx",
                        handle);
    return o;
}

/* ---- texels ------------------------------------------------------------------------------ */

union word {
    float number;
    uint32_t bits;
};
static uint32_t float_bits(float value) { return (union word){.number = value}.bits; }
static float bits_float(uint32_t bits) { return (union word){.bits = bits}.number; }

/* One channel, as a register holds it. */
static uint32_t decode(const struct object *o, const char *p) {
    uint32_t four = 0;
    int bits = o->format.x;
    bool is_signed = o->format.f == cudaChannelFormatKindSigned;
    memcpy(&four, p, (size_t)bits / 8); /* its lowest bytes */
    if (bits == 16 && o->format.f == cudaChannelFormatKindFloat)
        return float_bits(emulator_from_half((uint16_t)four));
    if (is_signed)
        four = (uint32_t)((int32_t)(four << (32 - bits)) >> (32 - bits));
    if (bits == 32 || o->desc.readMode != cudaReadModeNormalizedFloat)
        return four;
    float most = (float)((1 << (bits - is_signed)) - 1);
    float value = (is_signed ? (float)(int32_t)four : (float)four) / most;
    return float_bits(value < -1 ? -1 : value);
}

/* Where a coordinate reads: one texel, or two with the weight of the second one; -1: the border. */
struct taps {
    long first, second;
    double weight;
};

/* The texel `i` of `n` by the address mode. */
static long address(long i, long n, enum cudaTextureAddressMode mode) {
    if (i >= 0 && i < n)
        return i;
    if (mode == cudaAddressModeBorder)
        return -1;
    if (mode == cudaAddressModeWrap)
        return (i % n + n) % n;
    return i < 0 ? 0 : n - 1;
}

/* Weights have 8 bits of fraction; 256/256 is one of them. */
static struct taps taps_at(const struct object *o, int axis, float x, long n, bool filters) {
    enum cudaTextureAddressMode mode = o->desc.addressMode[axis];
    bool normalized = o->desc.normalizedCoords || (o->flags & cudaArrayCubemap);
    if (normalized) {
        float whole = floorf(x);
        if (mode == cudaAddressModeWrap)
            x -= whole;
        else if (mode == cudaAddressModeMirror)
            x = fmodf(whole, 2) != 0 ? 1 - (x - whole) : x - whole;
        x *= (float)n;
    } else if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror) {
        mode = cudaAddressModeClamp; /* these two are for normalized coordinates alone */
    }
    double where = x != x ? 0 : x < -1e9f ? -1e9 : x > 1e9f ? 1e9 : (double)x;
    if (!filters) {
        long i = address((long)floor(where), n, mode);
        return (struct taps){i, i, 0};
    }
    where -= 0.5;
    long i = (long)floor(where);
    return (struct taps){address(i, n, mode), address(i + 1, n, mode),
                         floor((where - (double)i) * 256 + 0.5) / 256};
}

static struct emulator_texel read_texel(const struct object *o, const struct view *v, long x,
                                        long y, long z, const void *site) {
    struct emulator_texel texel = {{0}};
    unsigned channels = (unsigned)(o->element_bytes * 8 / (unsigned)o->format.x);
    if (x < 0 || y < 0 || z < 0) {
        for (unsigned c = 0; c < 4 && gives_floats(o); c++)
            texel.channel[c] = float_bits(o->desc.borderColor[c]);
        return texel;
    }
    const char *p =
        v->data + (size_t)z * v->slice + (size_t)y * v->row + (size_t)x * o->element_bytes;
    EMULATOR_WATCH(watch_texel, p, o->element_bytes, 0, site);
    for (unsigned c = 0; c < channels; c++)
        texel.channel[c] = decode(o, p + c * o->element_bytes / channels);
    return texel;
}

/* The weighted mean of the texels around a place in up to three dimensions. */
static struct emulator_texel filter(const struct object *o, const struct view *v,
                                    const struct taps p[3], const void *site) {
    double sum[4] = {0};
    for (unsigned corner = 0; corner < 8; corner++) {
        double weight = 1;
        long at[3];
        for (unsigned axis = 0; axis < 3; axis++) {
            bool second = corner >> axis & 1;
            weight *= second ? p[axis].weight : 1 - p[axis].weight;
            at[axis] = second ? p[axis].second : p[axis].first;
        }
        if (weight == 0)
            continue;
        struct emulator_texel texel = read_texel(o, v, at[0], at[1], at[2], site);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += weight * (double)bits_float(texel.channel[c]);
    }
    struct emulator_texel result;
    for (unsigned c = 0; c < 4; c++)
        result.channel[c] = float_bits((float)sum[c]);
    return result;
}

/* ---- fetches ----------------------------------------------------------------------------- */

/* A direction, as the face of a cube and the place on it (the guide's table for cubemaps). */
static int face_of(float x, float y, float z, float *s, float *t) {
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m;
    int face;
    if (ax >= ay && ax >= az) {
        face = x < 0;
        m = ax;
        *s = x < 0 ? z : -z;
        *t = -y;
    } else if (ay >= az) {
        face = 2 + (y < 0);
        m = ay;
        *s = x;
        *t = y < 0 ? -z : z;
    } else {
        face = 4 + (z < 0);
        m = az;
        *s = z < 0 ? -x : x;
        *t = -y;
    }
    *s = (*s / m + 1) / 2;
    *t = (*t / m + 1) / 2;
    return face;
}

static long clamp_layer(long layer, long count) {
    return layer < 0 ? 0 : layer >= count ? count - 1 : layer;
}

/* One level of the texture. */
static struct emulator_texel fetch_level(const struct object *o, const struct view *v,
                                         const struct emulator_sample *s, const void *site) {
    bool filters = o->desc.filterMode == cudaFilterModeLinear;
    struct taps p[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    float x = s->x, y = s->y;
    long layer = s->layer, layers = v->depth;
    if (s->shape >= EMULATOR_TEXTURE_CUBEMAP) {
        int face = face_of(s->x, s->y, s->z, &x, &y);
        bool layered = s->shape == EMULATOR_TEXTURE_CUBEMAP_LAYERED;
        layer = (layered ? clamp_layer(layer, layers / 6) * 6 : 0) + face;
    }
    p[0] = taps_at(o, 0, x, v->width, filters);
    if (v->height)
        p[1] = taps_at(o, 1, y, v->height, filters);
    if (s->shape == EMULATOR_TEXTURE_3D)
        p[2] = taps_at(o, 2, s->z, v->depth, filters);
    else if (s->shape >= EMULATOR_TEXTURE_1D_LAYERED)
        p[2].first = p[2].second = clamp_layer(layer, layers);
    return filters ? filter(o, v, p, site)
                   : read_texel(o, v, p[0].first, p[1].first, p[2].first, site);
}

struct emulator_texel emulator_texture_fetch(cudaTextureObject_t texture,
                                             const struct emulator_sample *s) {
    const void *site = __builtin_return_address(0);
    const struct object *o = used_object(texture, TEXTURE_MARK);
    if (!has_shape(o, s->shape))
        emulator_refuse("%s reads a texture that is not made for it: its array has another number "
                        "of dimensions, other flags, or it is linear memory (tex1Dfetch)",
                        shape_names[s->shape]);
    float most = (float)(o->levels - 1), level = s->level + o->desc.mipmapLevelBias;
    if (o->levels == 1)
        return fetch_level(o, &o->level[0], s, site);
    level = fmaxf(level, o->desc.minMipmapLevelClamp);
    level = fmaxf(0, fminf(fminf(level, o->desc.maxMipmapLevelClamp), most));
    if (o->desc.mipmapFilterMode == cudaFilterModePoint)
        return fetch_level(o, &o->level[(int)floorf(level + 0.5f)], s, site);
    int first = (int)level, second = first + 1 < (int)o->levels ? first + 1 : first;
    float weight = floorf((level - (float)first) * 256 + 0.5f) / 256;
    struct emulator_texel a = fetch_level(o, &o->level[first], s, site);
    struct emulator_texel b = fetch_level(o, &o->level[second], s, site);
    for (unsigned c = 0; c < 4 && gives_floats(o); c++)
        a.channel[c] =
            float_bits((1 - weight) * bits_float(a.channel[c]) + weight * bits_float(b.channel[c]));
    return a;
}

struct emulator_texel emulator_texture_element(cudaTextureObject_t texture, int index) {
    const void *site = __builtin_return_address(0);
    const struct object *o = used_object(texture, TEXTURE_MARK);
    if (o->resource.resType != cudaResourceTypeLinear)
        emulator_refuse("tex1Dfetch reads a texture that is not linear memory: use tex1D");
    if (index < 0 || index >= o->level[0].width)
        return (struct emulator_texel){{0}}; /* linear memory ends with zeros */
    return read_texel(o, &o->level[0], index, 0, 0, site);
}

struct emulator_texel emulator_texture_gather(cudaTextureObject_t texture, float x, float y,
                                              int component) {
    const void *site = __builtin_return_address(0);
    const struct object *o = used_object(texture, TEXTURE_MARK);
    const struct view *v = &o->level[0];
    if (!has_shape(o, EMULATOR_TEXTURE_2D) || !(o->flags & cudaArrayTextureGather) ||
        component < 0 || component > 3)
        emulator_refuse("tex2Dgather reads a component from 0 to 3 of an array of two dimensions "
                        "with the flag cudaArrayTextureGather");
    struct taps px = taps_at(o, 0, x, v->width, true), py = taps_at(o, 1, y, v->height, true);
    const long at[4][2] = {
        {px.first, py.second}, {px.second, py.second}, {px.second, py.first}, {px.first, py.first}};
    struct emulator_texel result;
    for (int i = 0; i < 4; i++)
        result.channel[i] = read_texel(o, v, at[i][0], at[i][1], 0, site).channel[component];
    return result;
}

/* ---- surfaces ---------------------------------------------------------------------------- */

/* Where a surface is read or written; NULL if the boundary mode says that it is not. */
static char *spot_address(cudaSurfaceObject_t surface, const struct emulator_spot *s,
                          unsigned size) {
    const struct object *o = used_object(surface, SURFACE_MARK);
    if (!has_shape(o, s->shape))
        emulator_refuse("a kernel uses a surface by a function for another number of dimensions, "
                        "or for other flags, than its array has");
    const struct view *v = &o->level[0];
    long most[3] = {(long)v->row - (long)size, v->height ? v->height - 1 : 0,
                    v->depth ? v->depth - 1 : 0};
    long at[3] = {s->x, s->y, s->z};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] >= 0 && at[axis] <= most[axis])
            continue;
        if (s->mode == cudaBoundaryModeTrap)
            emulator_refuse(
                "a kernel uses a surface outside its array: x = %d bytes, y = %d, z or "
                "layer = %d; a row has %zu bytes, and there are %ld rows and %ld slices "
                "or layers",
                s->x, s->y, s->z, v->row, v->height, v->depth);
        if (s->mode == cudaBoundaryModeZero)
            return NULL;
        at[axis] = at[axis] < 0 ? 0 : most[axis];
    }
    if ((size_t)at[0] % size)
        emulator_refuse("a kernel uses a surface at x = %d, which is no multiple of the %u bytes "
                        "of what it reads or writes: x counts bytes, not elements",
                        s->x, size);
    return v->data + (size_t)at[2] * v->slice + (size_t)at[1] * v->row + (size_t)at[0];
}

void emulator_surface_read(cudaSurfaceObject_t surface, const struct emulator_spot *spot,
                           void *value, unsigned size) {
    const char *p = spot_address(surface, spot, size);
    if (!p) {
        memset(value, 0, size);
        return;
    }
    EMULATOR_WATCH(watch_texel, p, size, 0, __builtin_return_address(0));
    memcpy(value, p, size);
}

void emulator_surface_write(cudaSurfaceObject_t surface, const struct emulator_spot *spot,
                            const void *value, unsigned size) {
    char *p = spot_address(surface, spot, size);
    if (!p)
        return;
    EMULATOR_WATCH(watch_texel, p, size, 1, __builtin_return_address(0));
    memcpy(p, value, size);
}
