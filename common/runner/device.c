/* Prints what the judge and the records need to know of the device, as `key value` lines:
 * kind, name, driver, sms, l2_bytes, memory_bytes (that are free), and for a GPU uuid (as
 * nvidia-smi -L shows it) and spec_gbps (from memory clock and bus width), arch (what to compile
 * for), and exclusive 1 where it takes one process at a time (nvidia-smi -c EXCLUSIVE_PROCESS);
 * compiler and flags of steps, and for a GPU toolkit and cub: the versions of their headers.
 * Fills a little of the device's memory and reads it back first: it works, or this program fails.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#ifdef __CUDACC__
#include <cub/version.cuh>
#endif

#ifndef FLAGS /* of steps, as the Makefile has them */
#define FLAGS "unknown"
#endif

#ifdef __clang__
#define COMPILER __VERSION__ /* it begins with the compiler's name */
#else
#define COMPILER "gcc " __VERSION__
#endif

static int attribute(enum cudaDeviceAttr which) {
    int value = 0;
    cudaDeviceGetAttribute(&value, which, 0);
    return value;
}

#ifdef __HISTOLAB_EMULATOR__
static void print_kind(const struct cudaDeviceProp *properties) {
    (void)properties;
    puts("kind cpu\ndriver none");
}

static void print_build(void) {
    puts("compiler " COMPILER);
    puts("flags " FLAGS);
}
#else
static void print_uuid(const unsigned char *bytes) {
    printf("uuid GPU-");
    for (int i = 0; i < 16; i++)
        printf("%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
    putchar('\n');
}

static void print_kind(const struct cudaDeviceProp *properties) {
    char driver[64] = "unknown";
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    if (file) {
        if (fscanf(file, "%63s", driver) != 1)
            strcpy(driver, "unknown");
        fclose(file);
    }
    int cuda = 0;
    cudaDriverGetVersion(&cuda);
    puts("kind gpu");
    print_uuid((const unsigned char *)properties->uuid.bytes);
    printf("arch sm_%d%d\n", properties->major, properties->minor);
    printf("driver %s, CUDA %d.%d\n", driver, cuda / 1000, cuda % 1000 / 10);
    if (attribute(cudaDevAttrComputeMode) == cudaComputeModeExclusiveProcess)
        puts("exclusive 1");
    /* Two transfers a clock; the attribute is in kHz, the bus width in bits. */
    printf("spec_gbps %.6g\n", 2.0 * attribute(cudaDevAttrMemoryClockRate) * 1e3 *
                                   attribute(cudaDevAttrGlobalMemoryBusWidth) / 8 / 1e9);
}

static void print_build(void) {
    printf("toolkit %d.%d\n", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
#ifdef __CUDACC__
    printf("compiler nvcc %d.%d.%d with " COMPILER "\n", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__,
           __CUDACC_VER_BUILD__);
    printf("cub %d.%d.%d\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
#endif
    puts("flags " FLAGS);
}
#endif

static cudaError_t try_memory(void) {
    static unsigned char bytes[1 << 20];
    void *memory = NULL;
    cudaError_t status = cudaMalloc(&memory, sizeof bytes);
    if (status == cudaSuccess)
        status = cudaMemset(memory, 0xa5, sizeof bytes);
    if (status == cudaSuccess)
        status = cudaMemcpy(bytes, memory, sizeof bytes, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < sizeof bytes && status == cudaSuccess; i++)
        if (bytes[i] != 0xa5)
            status = cudaErrorUnknown;
    cudaFree(memory);
    return status;
}

int main(void) {
    struct cudaDeviceProp properties;
    cudaError_t status = cudaGetDeviceProperties(&properties, 0);
    if (status == cudaSuccess)
        status = try_memory();
    if (status != cudaSuccess) {
        fprintf(stderr, "device: no usable GPU: %s (%s)\n", cudaGetErrorName(status),
                cudaGetErrorString(status));
        return 1;
    }
    print_kind(&properties);
    printf("name %s\n", properties.name);
    printf("sms %d\n", attribute(cudaDevAttrMultiProcessorCount));
    printf("l2_bytes %d\n", attribute(cudaDevAttrL2CacheSize));
    size_t free_bytes = 0, all_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess)
        printf("memory_bytes %zu\n", free_bytes);
    print_build();
    return 0;
}
