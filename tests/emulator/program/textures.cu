/* Textures and surfaces: what is read follows from the guide's formulas, by hand. */
#include "check.h"
#include <math.h>

enum { MOST = 64 };
static float *told; /* by kernels, managed */

template <typename T>
static cudaArray_t array_of(const T *values, size_t width, size_t height, unsigned flags = 0) {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    CALL(cudaMallocArray(&array, &desc, width, height, flags));
    CALL(cudaMemcpy2DToArray(array, 0, 0, values, width * sizeof(T), width * sizeof(T),
                             height ? height : 1, cudaMemcpyHostToDevice));
    return array;
}

struct settings {
    cudaTextureAddressMode mode;
    bool linear, normalized, as_float;
};

static cudaTextureObject_t texture_of(cudaArray_t array, settings s) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc desc = {};
    for (int i = 0; i < 3; i++)
        desc.addressMode[i] = s.mode;
    desc.filterMode = s.linear ? cudaFilterModeLinear : cudaFilterModePoint;
    desc.readMode = s.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    desc.normalizedCoords = s.normalized;
    cudaTextureObject_t texture = 0;
    CALL(cudaCreateTextureObject(&texture, &resource, &desc, NULL));
    return texture;
}

__global__ void read_1d(cudaTextureObject_t texture, float first, float step, int n, float *out) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = tex1D<float>(texture, first + step * i);
}

static void expect_1d(settings s, float first, float step, int n, const float *wanted) {
    const float values[4] = {10, 20, 30, 50};
    cudaArray_t array = array_of(values, 4, 0);
    cudaTextureObject_t texture = texture_of(array, s);
    read_1d<<<1, 32>>>(texture, first, step, n, told);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        CHECK(told[i] == wanted[i]);
        if (told[i] != wanted[i])
            printf("at %g: %g, wanted %g\n", first + step * i, told[i], wanted[i]);
    }
    CALL(cudaDestroyTextureObject(texture));
    CALL(cudaFreeArray(array));
}

static void one_dimension() {
    const float clamp[] = {10, 10, 10, 20, 30, 50, 50};
    expect_1d({cudaAddressModeClamp, false, false, false}, -1.5f, 1, 7, clamp);
    const float border[] = {0, 0, 10, 20, 30, 50, 0};
    expect_1d({cudaAddressModeBorder, false, false, false}, -1.5f, 1, 7, border);
    const float wrap[] = {30, 50, 10, 20, 30, 50, 10, 20};
    expect_1d({cudaAddressModeWrap, false, true, false}, -0.375f, 0.25f, 8, wrap);
    const float mirror[] = {20, 10, 10, 20, 30, 50, 50, 30, 20};
    expect_1d({cudaAddressModeMirror, false, true, false}, -0.375f, 0.25f, 9, mirror);
    /* From centre to centre; a step of 1/4 is 64/256 */
    const float linear[] = {10, 12.5f, 15, 17.5f, 20, 22.5f};
    expect_1d({cudaAddressModeClamp, true, false, false}, 0.5f, 0.25f, 6, linear);
    const float edges[] = {10, 10, 30, 40, 50, 50};
    expect_1d({cudaAddressModeClamp, true, false, false}, 0, 0.5f, 2, edges);
    expect_1d({cudaAddressModeClamp, true, false, false}, 2.5f, 0.5f, 4, edges + 2);
    const float half_border[] = {5, 10};
    expect_1d({cudaAddressModeBorder, true, false, false}, 0, 0.5f, 2, half_border);
    const float seam[] = {30, 10};
    expect_1d({cudaAddressModeWrap, true, true, false}, 0, 0.125f, 2, seam);
    /* Weights have 8 bits: 1/1024 is none of them. */
    const float coarse[] = {10, 10 + 10 / 256.0f};
    expect_1d({cudaAddressModeClamp, true, false, false}, 0.5f + 1 / 1024.0f, 1 / 256.0f, 2,
              coarse);
}

__global__ void read_2d(cudaTextureObject_t bytes, cudaTextureObject_t as_floats, float *out) {
    uchar4 c = tex2D<uchar4>(bytes, 1.5f, 1.5f);
    out[0] = c.x, out[1] = c.y, out[2] = c.z, out[3] = c.w;
    float4 f = tex2D<float4>(as_floats, 0.5f, 0.5f); /* amid the four */
    out[4] = f.x, out[5] = f.w;
    f = tex2D<float4>(as_floats, 0.25f, 0.25f);
    out[6] = f.x, out[7] = f.w;
}

static void two_dimensions() {
    const uchar4 values[4] = {{0, 1, 2, 255}, {51, 0, 0, 255}, {102, 0, 0, 255}, {255, 3, 4, 5}};
    cudaArray_t array = array_of(values, 2, 2);
    cudaTextureObject_t bytes = texture_of(array, {cudaAddressModeClamp, false, false, false});
    cudaTextureObject_t floats = texture_of(array, {cudaAddressModeClamp, true, true, true});
    read_2d<<<1, 1>>>(bytes, floats, told);
    CALL(cudaDeviceSynchronize());
    CHECK(told[0] == 255 && told[1] == 3 && told[2] == 4 && told[3] == 5);
    CHECK(fabsf(told[4] - 0.4f) < 1e-6f && fabsf(told[5] - 770 / 1020.0f) < 1e-6f);
    CHECK(told[6] == 0 && told[7] == 1);
    CALL(cudaDestroyTextureObject(bytes));
    CALL(cudaDestroyTextureObject(floats));

    cudaExtent extent;
    cudaChannelFormatDesc desc;
    unsigned flags;
    CALL(cudaArrayGetInfo(&desc, &extent, &flags, array));
    CHECK(extent.width == 2 && extent.height == 2 && extent.depth == 0 && flags == 0);
    CHECK(desc.x == 8 && desc.w == 8 && desc.f == cudaChannelFormatKindUnsigned);
    uchar4 back[2];
    CALL(cudaMemcpy2DFromArray(back, 4, array, 4, 0, 4, 2, cudaMemcpyDeviceToHost));
    CHECK(back[0].x == 51 && back[1].x == 255);
    CALL(cudaFreeArray(array));
}

__global__ void read_linear(cudaTextureObject_t line, cudaTextureObject_t rows, float *out) {
    int i = threadIdx.x;
    out[i] = (float)tex1Dfetch<short>(line, i - 1); /* -1 and 5 are outside */
    out[8 + i] = tex2D<float>(rows, (float)i, 1);
}

static void linear_memory() {
    const short shorts[5] = {-3, 5, 7, -9, 11};
    const float floats[2][3] = {{1, 2, 3}, {4, 5, 6}};
    void *line, *rows;
    size_t pitch;
    CALL(cudaMalloc(&line, sizeof shorts));
    CALL(cudaMemcpy(line, shorts, sizeof shorts, cudaMemcpyHostToDevice));
    CALL(cudaMallocPitch(&rows, &pitch, sizeof floats[0], 2));
    CALL(cudaMemcpy2D(rows, pitch, floats, sizeof floats[0], sizeof floats[0], 2,
                      cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = line;
    resource.res.linear.desc = cudaCreateChannelDesc<short>();
    resource.res.linear.sizeInBytes = sizeof shorts;
    cudaTextureDesc desc = {};
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t line_texture, row_texture;
    CALL(cudaCreateTextureObject(&line_texture, &resource, &desc, NULL));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 3;
    resource.res.pitch2D.height = 2;
    resource.res.pitch2D.pitchInBytes = pitch;
    CALL(cudaCreateTextureObject(&row_texture, &resource, &desc, NULL));
    read_linear<<<1, 7>>>(line_texture, row_texture, told);
    CALL(cudaDeviceSynchronize());
    const float wanted[7] = {0, -3, 5, 7, -9, 11, 0}, wanted_row[7] = {4, 5, 6, 6, 6, 6, 6};
    for (int i = 0; i < 7; i++)
        CHECK(told[i] == wanted[i] && told[8 + i] == wanted_row[i]);
    CALL(cudaDestroyTextureObject(line_texture));
    CALL(cudaDestroyTextureObject(row_texture));
    CALL(cudaFree(line));
    CALL(cudaFree(rows));
}

__global__ void read_3d(cudaTextureObject_t cube, cudaTextureObject_t layers,
                        cudaTextureObject_t faces, float *out) {
    out[0] = tex3D<float>(cube, 1.5f, 0.5f, 1.5f);
    out[1] = tex3D<float>(cube, 1, 1, 1);
    out[2] = tex2DLayered<float>(layers, 1.5f, 0.5f, 1);
    out[3] = tex2DLayered<float>(layers, 1.5f, 0.5f, 9);
    out[4] = texCubemap<float>(faces, 1, 0.1f, 0.1f);
    out[5] = texCubemap<float>(faces, 0.1f, -2, 0.1f);
    out[6] = texCubemap<float>(faces, 0.1f, 0.1f, -1);
}

static cudaArray_t boxed(const float *values, cudaExtent extent, unsigned flags) {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CALL(cudaMalloc3DArray(&array, &desc, extent, flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<float *>(values), extent.width * sizeof(float),
                                      extent.width, extent.height);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&copy));
    return array;
}

static void three_dimensions() {
    float values[24];
    for (int i = 0; i < 24; i++)
        values[i] = (float)i;
    cudaArray_t cube = boxed(values, make_cudaExtent(2, 2, 2), 0);
    cudaArray_t layers = boxed(values, make_cudaExtent(2, 2, 2), cudaArrayLayered);
    cudaArray_t faces = boxed(values, make_cudaExtent(2, 2, 6), cudaArrayCubemap);
    cudaTextureObject_t cube_texture = texture_of(cube, {cudaAddressModeClamp, true, false, false});
    cudaTextureObject_t layer_texture =
        texture_of(layers, {cudaAddressModeClamp, false, false, false});
    cudaTextureObject_t face_texture =
        texture_of(faces, {cudaAddressModeClamp, false, true, false});
    read_3d<<<1, 1>>>(cube_texture, layer_texture, face_texture, told);
    CALL(cudaDeviceSynchronize());
    CHECK(told[0] == 5 && told[1] == 3.5f);
    CHECK(told[2] == 5 && told[3] == 5);
    /* s = -z, t = -y of +x: both just below the middle; s = x, t = -z of -y; s = -x, t = -y of -z
     */
    CHECK(told[4] == 0 && told[5] == 12 + 1 && told[6] == 20);
    CALL(cudaDestroyTextureObject(cube_texture));
    CALL(cudaDestroyTextureObject(layer_texture));
    CALL(cudaDestroyTextureObject(face_texture));
    CALL(cudaFreeArray(cube));
    CALL(cudaFreeArray(layers));
    CALL(cudaFreeArray(faces));
}

__global__ void gather(cudaTextureObject_t texture, float *out) {
    float4 four = tex2Dgather<float4>(texture, 1, 1);
    out[0] = four.x, out[1] = four.y, out[2] = four.z, out[3] = four.w;
}

static void gathers() {
    const float values[4] = {1, 2, 3, 4};
    cudaArray_t array = array_of(values, 2, 2, cudaArrayTextureGather);
    cudaTextureObject_t texture = texture_of(array, {cudaAddressModeClamp, false, false, false});
    gather<<<1, 1>>>(texture, told);
    CALL(cudaDeviceSynchronize());
    CHECK(told[0] == 3 && told[1] == 4 && told[2] == 2 && told[3] == 1);
    CALL(cudaDestroyTextureObject(texture));
    CALL(cudaFreeArray(array));
}

__global__ void levels(cudaTextureObject_t texture, float *out) {
    out[0] = tex2DLod<float>(texture, 0.1f, 0.1f, 0);
    out[1] = tex2DLod<float>(texture, 0.1f, 0.1f, 1);
    out[2] = tex2DLod<float>(texture, 0.1f, 0.1f, 0.25f);
    out[3] = tex2DLod<float>(texture, 0.1f, 0.1f, 9);
}

static void mipmaps() {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t array;
    CALL(cudaMallocMipmappedArray(&array, &desc, make_cudaExtent(4, 4, 0), 2));
    for (unsigned i = 0; i < 2; i++) {
        cudaArray_t level;
        float values[16];
        for (int k = 0; k < 16; k++)
            values[k] = i ? 100 : 20;
        CALL(cudaGetMipmappedArrayLevel(&level, array, i));
        CALL(cudaMemcpy2DToArray(level, 0, 0, values, 16 >> i, 16 >> i, 4 >> i,
                                 cudaMemcpyHostToDevice));
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.mipmapFilterMode = cudaFilterModeLinear;
    how.maxMipmapLevelClamp = 1;
    cudaTextureObject_t texture;
    CALL(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    levels<<<1, 1>>>(texture, told);
    CALL(cudaDeviceSynchronize());
    CHECK(told[0] == 20 && told[1] == 100 && told[2] == 40 && told[3] == 100);
    CALL(cudaDestroyTextureObject(texture));
    CALL(cudaFreeMipmappedArray(array));
}

__global__ void fill(cudaSurfaceObject_t surface) {
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite((float)(10 * y + x), surface, x * 4, y);
    surf2Dwrite(99.0f, surface, 64, y, cudaBoundaryModeZero);
}

__global__ void look(cudaSurfaceObject_t surface, float *out) {
    out[0] = surf2Dread<float>(surface, 8, 1);
    out[1] = surf2Dread<float>(surface, 64, 1, cudaBoundaryModeZero);
    out[2] = surf2Dread<float>(surface, 64, 1, cudaBoundaryModeClamp);
    surf2Dread(&out[3], surface, 4, 0);
}

static void surfaces() {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CALL(cudaMallocArray(&array, &desc, 4, 2, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CALL(cudaCreateSurfaceObject(&surface, &resource));
    fill<<<1, dim3(4, 2)>>>(surface);
    look<<<1, 1>>>(surface, told);
    CALL(cudaDeviceSynchronize());
    CHECK(told[0] == 12 && told[1] == 0 && told[2] == 13 && told[3] == 1);
    float back[8];
    CALL(cudaMemcpyFromArray(back, array, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(back[3] == 3 && back[7] == 13);
    CALL(cudaDestroySurfaceObject(surface));
    CALL(cudaFreeArray(array));
}

static void errors() {
    const int values[4] = {1, 2, 3, 4};
    cudaArray_t array = array_of(values, 4, 0);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc desc = {};
    desc.filterMode = cudaFilterModeLinear; /* of integers */
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, NULL) != cudaSuccess);
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess); /* without the flag */
    CHECK(cudaMemcpy2DToArray(array, 8, 0, values, 16, 16, 1, cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
    cudaGetLastError();
    CALL(cudaFreeArray(array));
}

int main() {
    CALL(cudaMallocManaged(&told, MOST * sizeof *told));
    one_dimension();
    two_dimensions();
    linear_memory();
    three_dimensions();
    gathers();
    mipmaps();
    surfaces();
    errors();
    CALL(cudaFree(told));
    return finish();
}
