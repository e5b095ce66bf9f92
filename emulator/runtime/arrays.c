/* CUDA's arrays and texture objects, on the runtime API's linear memory. */
#include "../include/textures.h"
#include "runtime.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows lie side by side: an array is opaque, so nobody can tell. */
struct cudaArray {
    struct cudaChannelFormatDesc desc;
    size_t width, height; /* elements, rows; 0: it has one dimension */
    size_t element_bytes;
    char *data; /* of cudaMalloc */
};

/* ---- elements ---------------------------------------------------------------------------- */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f) {
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

/* Or 0 if CUDA has none such: 1, 2 or 4 like channels of 8 to 32 bits. */
static size_t element_bytes(const struct cudaChannelFormatDesc *d) {
    int bits[] = {d->x, d->y, d->z, d->w}, channels = 0;
    while (channels < 4 && bits[channels])
        channels++;
    for (int i = 1; i < 4; i++)
        if (bits[i] != (i < channels ? bits[0] : 0))
            return 0;
    bool known = bits[0] == 8 || bits[0] == 16 || bits[0] == 32;
    if (!known || channels == 3 || (unsigned)d->f > cudaChannelFormatKindFloat ||
        (d->f == cudaChannelFormatKindFloat && bits[0] == 8))
        return 0;
    return (size_t)(channels * bits[0] / 8);
}

/* ---- arrays ------------------------------------------------------------------------------ */

static size_t rows_of(cudaArray_const_t array) { return array->height ? array->height : 1; }

static size_t row_bytes(cudaArray_const_t array) { return array->width * array->element_bytes; }

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned int flags) {
    size_t bytes = desc ? element_bytes(desc) : 0;
    FAIL_IF(!array || !bytes || flags || !width, cudaErrorInvalidValue);
    struct cudaArray *made = emulator_need(calloc(1, sizeof *made));
    *made =
        (struct cudaArray){.desc = *desc, .width = width, .height = height, .element_bytes = bytes};
    void *data;
    cudaError_t status = cudaMalloc(&data, rows_of(made) * row_bytes(made));
    if (status) {
        free(made);
        return status;
    }
    made->data = data;
    *array = made;
    return status;
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    if (!array)
        return emulator_result(cudaSuccess);
    cudaError_t status = cudaFree(array->data);
    free(array);
    return status;
}

/* ---- copies ------------------------------------------------------------------------------ */

/* Between an array, from x bytes and y rows on, and rows of the host's or the device's memory. */
static cudaError_t copy_2d(cudaArray_const_t a, size_t x, size_t y, struct side rows, size_t height,
                           bool to_array, size_t width, enum cudaMemcpyKind kind,
                           cudaStream_t stream, bool waits) {
    const size_t row = a ? row_bytes(a) : 0;
    FAIL_IF(!a || x > row || width > row - x || y > rows_of(a) || height > rows_of(a) - y,
            cudaErrorInvalidValue);
    FAIL_IF(width > rows.pitch, cudaErrorInvalidPitchValue);
    FAIL_IF(kind != cudaMemcpyDefault && kind != cudaMemcpyDeviceToDevice &&
                kind != (to_array ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
    const struct side inside = {a->data + y * row + x, row};
    const struct transfer transfer = {.to = to_array ? inside : rows,
                                      .from = to_array ? rows : inside,
                                      .width = width,
                                      .height = height};
    return emulator_copy_rows(transfer, kind, stream, waits);
}

static struct side rows_at(const void *begin, size_t pitch) {
    return (struct side){(char *)(uintptr_t)begin, pitch};
}

/* ---- copies of so many bytes, row after row ---------------------------------------------- */

/* Bytes behind (x, y) of an array lie side by side in memory; NULL if so many do not fit. */
static char *run_of(cudaArray_const_t a, size_t x, size_t y, size_t size) {
    size_t row = a ? row_bytes(a) : 0, rows = a ? rows_of(a) : 0;
    if (!a || x > row || y >= rows || size > (rows - y) * row - x)
        return NULL;
    return a->data + y * row + x;
}

static cudaError_t copy_run(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    FAIL_IF(!to || !from, cudaErrorInvalidValue);
    return cudaMemcpy(to, from, size, kind);
}

#include "../include/calls/arrays.def"

size_t emulator_bytes_from(const void *memory) {
    struct allocation found;
    return emulator_find_allocation(memory, &found)
               ? found.size - (size_t)((const char *)memory - (const char *)found.begin)
               : SIZE_MAX;
}

/* ---- texture objects --------------------------------------------------------------------- */
/* As the chapter "Texture Fetching" of the CUDA C++ Programming Guide describes them. */

/* What is sampled, and how. */
struct object {
    struct cudaTextureDesc desc;
    struct cudaChannelFormatDesc format;
    size_t element_bytes;
    char *data;
    size_t row;     /* bytes from one to the next */
    long size[2];   /* elements, rows; 0: it has one dimension */
    bool is_linear; /* memory that only tex1Dfetch reads */
};

/* A handle is a place in this table, with a mark that numbers seldom have. A pool's OS threads read
 * while the host may add, so objects do not move; and no place is used twice. */
enum { MOST_OBJECTS = 1 << 20 };
static struct object *objects[MOST_OBJECTS];
static const unsigned long long MARK = 0x7E87ull << 32;

static cudaError_t add_object(unsigned long long *handle, const struct object *object) {
    static _Atomic unsigned count;
    const unsigned i = count++;
    FAIL_IF(i >= MOST_OBJECTS, cudaErrorMemoryAllocation);
    objects[i] = emulator_need(malloc(sizeof *object));
    *objects[i] = *object;
    *handle = MARK | (i + 1);
    return emulator_result(cudaSuccess);
}

static struct object *find_object(unsigned long long handle) {
    unsigned long long i = (handle & 0xffffffff) - 1;
    return (handle & ~0xffffffffull) == MARK && i < MOST_OBJECTS ? objects[i] : NULL;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    struct object *found = find_object(texture);
    FAIL_IF(texture && !found, cudaErrorInvalidValue);
    if (found)
        objects[(texture & 0xffffffff) - 1] = NULL;
    free(found);
    return emulator_result(cudaSuccess);
}

/* Whether CUDA could address it. */
static bool take_linear(struct object *o, const struct cudaResourceDesc *r) {
    o->format = r->res.linear.desc;
    o->element_bytes = element_bytes(&o->format);
    o->data = r->res.linear.devPtr;
    o->is_linear = true;
    if (!o->element_bytes || !o->data || (uintptr_t)o->data % 256)
        return false;
    size_t count = r->res.linear.sizeInBytes / o->element_bytes;
    o->size[0] = (long)count;
    return count > 0 && count <= 1u << 27;
}

static bool take_rows(struct object *o, const struct cudaResourceDesc *r) {
    size_t width = r->res.pitch2D.width, height = r->res.pitch2D.height;
    o->format = r->res.pitch2D.desc;
    o->element_bytes = element_bytes(&o->format);
    o->data = r->res.pitch2D.devPtr;
    o->row = r->res.pitch2D.pitchInBytes;
    o->size[0] = (long)width;
    o->size[1] = (long)height;
    return o->element_bytes && o->data && (uintptr_t)o->data % 256 == 0 && width && height &&
           o->row % 32 == 0 && o->row / o->element_bytes >= width;
}

static bool take_resource(struct object *o, const struct cudaResourceDesc *r) {
    cudaArray_const_t a = r->res.array.array;
    if (r->resType == cudaResourceTypeLinear)
        return take_linear(o, r);
    if (r->resType == cudaResourceTypePitch2D)
        return take_rows(o, r);
    if (r->resType != cudaResourceTypeArray || !a)
        return false;
    o->format = a->desc;
    o->element_bytes = a->element_bytes;
    o->data = a->data;
    o->row = row_bytes(a);
    o->size[0] = (long)a->width;
    o->size[1] = (long)a->height;
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
    FAIL_IF(d->filterMode == cudaFilterModeLinear && !gives_floats(o) && !o->is_linear,
            cudaErrorInvalidValue);
    bool bordered = false;
    for (int i = 0; i < 4; i++)
        bordered |= d->borderColor[i] != 0;
    const char *lacks = d->sRGB                ? "the emulator has no conversion from sRGB"
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
    struct object o = {.desc = *desc};
    FAIL_IF(view || !take_resource(&o, resource), cudaErrorInvalidValue);
    cudaError_t status = check_texture(&o);
    return status ? status : add_object(texture, &o);
}

static const struct object *used_object(cudaTextureObject_t texture) {
    const struct object *o = find_object(texture);
    if (!o)
        emulator_refuse("a kernel uses a texture object that does not exist: 0x%llx", texture);
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
static struct taps taps_at(const struct object *o, int axis, float x, bool filters) {
    enum cudaTextureAddressMode mode = o->desc.addressMode[axis];
    const long n = o->size[axis];
    if (o->desc.normalizedCoords) {
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

static struct emulator_texel read_texel(const struct object *o, long x, long y, const void *site) {
    struct emulator_texel texel = {{0}};
    unsigned channels = (unsigned)(o->element_bytes * 8 / (unsigned)o->format.x);
    if (x < 0 || y < 0) {
        for (unsigned c = 0; c < 4 && gives_floats(o); c++)
            texel.channel[c] = float_bits(o->desc.borderColor[c]);
        return texel;
    }
    const char *p = o->data + (size_t)y * o->row + (size_t)x * o->element_bytes;
    EMULATOR_WATCH(watch_texel, p, o->element_bytes, site);
    for (unsigned c = 0; c < channels; c++)
        texel.channel[c] = decode(o, p + c * o->element_bytes / channels);
    return texel;
}

/* The weighted mean of the texels around a place. */
static struct emulator_texel filter(const struct object *o, const struct taps p[2],
                                    const void *site) {
    double sum[4] = {0};
    for (unsigned corner = 0; corner < 4; corner++) {
        double weight = 1;
        long at[2];
        for (unsigned axis = 0; axis < 2; axis++) {
            bool second = corner >> axis & 1;
            weight *= second ? p[axis].weight : 1 - p[axis].weight;
            at[axis] = second ? p[axis].second : p[axis].first;
        }
        if (weight == 0)
            continue;
        struct emulator_texel texel = read_texel(o, at[0], at[1], site);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += weight * (double)bits_float(texel.channel[c]);
    }
    struct emulator_texel result;
    for (unsigned c = 0; c < 4; c++)
        result.channel[c] = float_bits((float)sum[c]);
    return result;
}

/* ---- fetches ----------------------------------------------------------------------------- */

struct emulator_texel emulator_texture_fetch(cudaTextureObject_t texture, int dimensions,
                                             const float *at) {
    const void *site = __builtin_return_address(0);
    const struct object *o = used_object(texture);
    const bool filters = o->desc.filterMode == cudaFilterModeLinear;
    const int own = o->size[1] ? 2 : 1;
    struct taps p[2] = {{0, 0, 0}, {0, 0, 0}};
    if (o->is_linear || dimensions != own)
        emulator_refuse("tex%dD reads a texture that is not made for it: its array has another "
                        "number of dimensions, or it is linear memory (tex1Dfetch)",
                        dimensions);
    for (int axis = 0; axis < dimensions; axis++)
        p[axis] = taps_at(o, axis, at[axis], filters);
    return filters ? filter(o, p, site) : read_texel(o, p[0].first, p[1].first, site);
}

struct emulator_texel emulator_texture_element(cudaTextureObject_t texture, int index) {
    const void *site = __builtin_return_address(0);
    const struct object *o = used_object(texture);
    if (!o->is_linear)
        emulator_refuse("tex1Dfetch reads a texture that is not linear memory: use tex1D");
    if (index < 0 || index >= o->size[0])
        return (struct emulator_texel){{0}}; /* linear memory ends with zeros */
    return read_texel(o, index, 0, site);
}
