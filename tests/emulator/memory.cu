/* Static and dynamic shared memory, __device__ and __constant__ variables, copies. */
#include "check.h"

__device__ int counter = 5;
__device__ float table[16];
__constant__ int factors[4] = {1, 2, 3, 4};
__constant__ double scale;
extern __shared__ float outside[];

__global__ void use_variables(int *out) {
    out[threadIdx.x] = factors[threadIdx.x % 4] * (int)scale + (int)table[threadIdx.x];
    atomicAdd(&counter, 1);
}

__global__ void dynamic(int *out, int n) {
    extern __shared__ __align__(16) unsigned char raw[];
    int *ints = reinterpret_cast<int *>(raw);
    double *doubles = reinterpret_cast<double *>(raw + 64 * sizeof(int));
    ints[threadIdx.x] = (int)threadIdx.x;
    doubles[threadIdx.x] = threadIdx.x * 0.5;
    __syncthreads();
    int other = n - 1 - (int)threadIdx.x;
    out[blockIdx.x * n + threadIdx.x] = ints[other] + (int)(2 * doubles[other]);
}

__global__ void at_file_scope(float *out) {
    outside[threadIdx.x] = (float)(blockIdx.x + threadIdx.x);
    __syncthreads();
    float *p = outside + (blockDim.x - 1 - threadIdx.x);
    out[blockIdx.x * blockDim.x + threadIdx.x] = *p;
}

template <typename T, int N> __global__ void tile(const T *in, T *out) {
    __shared__ T square[N][N + 1];
    square[threadIdx.y][threadIdx.x] = in[threadIdx.y * N + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * N + threadIdx.x] = square[threadIdx.x][threadIdx.y];
}

__device__ __noinline__ int twice(int x) { return 2 * x; }
static __device__ __forceinline__ int thrice(int x) { return 3 * x; }
__global__ void vectors(const uint4 *in, uint4 *out, const uchar4 *bytes, int *sum) {
    uint4 v = __ldg(in + threadIdx.x);
    v.x += v.w;
    out[threadIdx.x] = v;
    if (threadIdx.x == 0)
        *sum = twice(bytes[0].x) + thrice(bytes[0].w);
}

/* ---- malloc and new in kernels -------------------------------------------------------------- */

struct base {
    __device__ virtual ~base() {}
    __device__ virtual int value() { return 1; }
};
struct derived : base {
    alignas(64) int kept = 2;
    __device__ int value() override { return kept; }
};
struct node {
    node *next;
    int value;
};
__device__ node *list;

__global__ void build_list() {
    for (int i = 0; i < 100; i++)
        list = new node{list, i};
}

__global__ void walk_list(int *sum) {
    for (*sum = 0; list;) {
        node *gone = list;
        list = gone->next;
        *sum += gone->value;
        delete gone;
    }
}

__global__ void own_memory(int *out) {
    int *own = (int *)malloc(8 * sizeof(int));
    base *object = new derived;
    for (unsigned i = 0; i < 8; i++)
        own[i] = i * threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = own[7] + object->value() + (size_t)object % 64;
    delete object;
    free(own);
    free(nullptr);
}

__global__ void fill_heap(int *got) {
    void *some[32];
    for (*got = 0; *got < 32 && (some[*got] = malloc(1 << 20)); ++*got)
        ;
    for (int i = 0; i < *got; i++)
        free(some[i]);
    void *after = malloc(5 << 20);
    *got += after ? 0 : 1000;
    free(after);
}

static void test_heap(int *out) {
    int host[256];
    size_t heap;
    build_list<<<1, 1>>>();
    walk_list<<<1, 1>>>(out);
    CALL(cudaMemcpy(host, out, sizeof *host, cudaMemcpyDeviceToHost));
    CHECK(*host == 4950);
    own_memory<<<2, 128>>>(out);
    CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++)
        CHECK(host[i] == 7 * (i % 128) + 2);
    fill_heap<<<1, 1>>>(out);
    CALL(cudaMemcpy(host, out, sizeof *host, cudaMemcpyDeviceToHost));
    CALL(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    CHECK(heap == 8 << 20 && *host > 4 && *host < 9);
    free(malloc(100)); /* of the host */
    delete new node;
}

int main() {
    int *out, host[256];
    CALL(cudaMalloc(&out, sizeof host));
    float numbers[16];
    for (int i = 0; i < 16; i++)
        numbers[i] = (float)(10 * i);
    double two = 2;
    CALL(cudaMemcpyToSymbol(table, numbers, sizeof numbers));
    CALL(cudaMemcpyToSymbol(scale, &two, sizeof two));
    int seven = 7, got = 0;
    CALL(cudaMemcpyToSymbol(factors, &seven, sizeof seven, 2 * sizeof(int)));
    use_variables<<<1, 16>>>(out);
    CALL(cudaMemcpy(host, out, 16 * sizeof(int), cudaMemcpyDeviceToHost));
    const int now[] = {1, 2, 7, 4};
    for (int i = 0; i < 16; i++)
        CHECK(host[i] == now[i % 4] * 2 + 10 * i);
    CALL(cudaMemcpyFromSymbol(&got, counter, sizeof got));
    CHECK(got == 21);
    void *address;
    CALL(cudaGetSymbolAddress(&address, counter));
    CALL(cudaMemset(address, 0, sizeof(int)));
    CALL(cudaMemcpy(&got, address, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == 0);

    dynamic<<<4, 64, 64 * (sizeof(int) + sizeof(double))>>>(out, 64);
    CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++)
        CHECK(host[i] == 2 * (63 - i % 64));

    float *floats, back[256];
    CALL(cudaMalloc((void **)&floats, sizeof back));
    at_file_scope<<<8, 32, 32 * sizeof(float)>>>(floats);
    CALL(cudaMemcpy(back, floats, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++)
        CHECK(back[i] == (float)(i / 32 + 31 - i % 32));

    float *turned;
    CALL(cudaMalloc(&turned, sizeof back));
    tile<float, 16><<<1, dim3(16, 16)>>>(floats, turned);
    float after[256];
    CALL(cudaMemcpy(after, turned, sizeof after, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++)
        CHECK(after[i] == back[i % 16 * 16 + i / 16]);

    uint4 *in4, *out4;
    CALL(cudaMallocManaged(&in4, 32 * sizeof *in4));
    CALL(cudaMallocManaged(&out4, 32 * sizeof *out4));
    int *sum = (int *)&out4[31];
    for (unsigned i = 0; i < 32; i++)
        in4[i] = make_uint4(i, i + 1, i + 2, 0xfffffffe);
    vectors<<<1, 31>>>(in4, out4, (const uchar4 *)in4, sum);
    CALL(cudaDeviceSynchronize());
    for (unsigned i = 0; i < 31; i++)
        CHECK(out4[i].x == i - 2 && out4[i].y == i + 1 && out4[i].w == 0xfffffffe);
    CHECK(*sum == 0);
    CHECK(sizeof(uint3) == 12 && alignof(uint4) == 16 && alignof(float2) == 8 &&
          sizeof(dim3) == 12);
    CHECK(sizeof(double4) == 32 && sizeof(char3) == 3 && alignof(short4) == 8);

    /* two dimensions, with a pitch */
    char small[6] = {1, 2, 3, 4, 5, 6}, large[8] = {0};
    char *device;
    CALL(cudaMalloc(&device, 256));
    CALL(cudaMemset(device, 9, 256));
    CALL(cudaMemcpy2D(device, 100, small, 3, 3, 2, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy2D(large, 4, device, 100, 4, 2, cudaMemcpyDeviceToHost));
    const char wanted[8] = {1, 2, 3, 9, 4, 5, 6, 9};
    CHECK(memcmp(large, wanted, 8) == 0);
    test_heap(out);
    CALL(cudaFree(device));
    CALL(cudaFree(nullptr));
    return finish();
}
