/* Textures: what is read follows from the guide's formulas, by hand. */
#include "check.h"
#include <math.h>

enum { MOST = 64 };
static float *told; /* by kernels, managed */

template <typename T> static cudaArray_t array_of(const T *values, size_t width, size_t height) {
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    CALL(cudaMallocArray(&array, &desc, width, height));
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
    errors();
    CALL(cudaFree(told));
    return finish();
}
